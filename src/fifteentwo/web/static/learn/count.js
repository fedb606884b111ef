// Count a hand: the learner taps the cards of each score, and the total grows. Loaded before the first hand.

import { byRank, countsFor, toggled } from "../cards/deck.js";
import { all, byId, find, make } from "../elements.js";
import { cardName, text } from "../text.js";
import { drawHand, shownCard } from "./draw.js";

/**
 * @typedef {object} Told
 * @property {(words: string, verdict?: "right" | "wrong", answers?: string[]) => void} announce
 * @property {(cards: string[]) => void} light
 * @property {() => void} done
 */

/** Let the learner find the scores of a hand; any right cards are accepted. @param {Wire.Page} page @param {Told} told */
export function countHand({ shown, starter, scores }, { announce, light, done }) {
  const cards = [...shown, ...(starter ? [starter] : [])].sort(byRank);
  let left = scores;
  let total = 0;
  /** @type {string[]} */
  let picked = [];
  const found = make("ul.learn-found.plain-list.flex.wraps.centred", { "aria-label": text("learn.points") });
  drawHand({ ...NO_ANSWERS, cards }, tap);
  const own = all(byId("hand"), "button").find(({ dataset }) => dataset.card === starter);
  own?.after(make("span.small.felt-quiet", text("table.starter")));
  byId("lies").replaceChildren(find(byId("lies"), ".learn-count") ?? "", found);
  byId("count").textContent = "0";

  /** @param {string[]} cards @param {string} [words] @param {"right" | "wrong"} [verdict] */
  function pick(cards, words = "", verdict) {
    const isRight = verdict === "right";
    picked = isRight ? [] : cards;
    for (const button of all(byId("hand"), "button"))
      button.setAttribute("aria-pressed", String(picked.includes(button.dataset.card ?? "")));
    announce(words, verdict, picked);
    light(isRight ? cards : []);
    // The next tap begins a new group.
    if (verdict) picked = [];
  }

  /** @param {string} card */
  function tap(card) {
    if (!left.length) return;
    pick(toggled(picked, card));
    const one = left.find(({ cards }) => isSame(cards, picked) && (cards.length > 1 || cards === left[0].cards));
    if (one) return score(one);
    const wanted = left[0];
    const sum = picked.reduce((sum, one) => sum + countsFor(one), 0);
    const [n, last] = [sum, countsFor(card)];
    const isOver = wanted.name === "fifteen" ? sum >= 15 : picked.length >= wanted.cards.length;
    if (!isOver) return;
    const other = picked.find((one) => !wanted.cards.includes(one)) ?? card;
    if (scores.some(({ cards }) => isSame(cards, picked))) pick(picked, text("learn.say.again"), "wrong");
    else if (wanted.name === "fifteen")
      pick(picked, text("learn.wrong.fifteen", { count: sum - last, card: last, n }), "wrong");
    else pick(picked, text("learn.say.other", { card: cardName(other) }), "wrong");
  }

  /** @param {Wire.ScoreToFind} one */
  function score(one) {
    left = left.filter((other) => other !== one);
    const before = total;
    total += one.points;
    const words = text(one.name === "fifteen" ? "spoken.fifteen" : "spoken.is", {
      what: one.label,
      total: text(`number.${total}`),
    });
    byId("count").textContent = String(total);
    const small = one.cards.map(shownCard);
    // Only the cards in the hand are lit.
    for (const card of small) delete card.dataset.card;
    found.append(make("li.flex.aligned", make("span.flex", small), make("b", String(one.points))));
    if (left.length) byId("text").textContent = left[0].ask;
    pick(
      one.cards,
      text(left.length ? "learn.say" : "learn.say.all", { words, before, n: one.points, total }),
      "right",
    );
    if (!left.length) done();
  }

  return { show: () => score(left[0]) };
}

const NO_ANSWERS = { choices: [], labels: [], counts: [], count: null };

/** @param {string[]} one @param {string[]} other */
const isSame = (one, other) => one.length === other.length && one.every((card) => other.includes(card));
