// Drawings of counting practice: the scores of a hand, the holes of a round.

import { counted } from "../check/count.js";
import { all, byId, make } from "../elements.js";
import { scoreName, scoreText } from "../scores.js";
import { cardName, cardSigns, listed, text } from "../text.js";
import { keyOf } from "./claims.js";

/** Draw scores in counting order. @param {Practice.Score[]} scores @param {Practice.Score[]} missed */
export function scoreRows(scores, missed) {
  const open = new Set(missed.map(keyOf));
  return scores.map((score) => {
    const overlooked = open.has(keyOf(score));
    const aloud = `${scoreText(score)}${overlooked ? text("practice.count.overlooked") : ""}`;
    return scoreRow(score, scoreName(score), aloud, overlooked);
  });
}

/** Draw the whole count in words, runs together with their pairs. @param {Practice.Dealt} dealt */
export function countRows({ hand, starter, crib }) {
  const asked = new URLSearchParams({ hand: hand.join(" "), starter, crib: crib ? "1" : "0" });
  return (counted(asked)?.named ?? []).map((score) => {
    const { name: shape, label: name, cards, points, words } = score;
    const why = shape.includes("_run_") ? text(`shape.why.${shape}`) : "";
    const aloud = text("score.with-cards", { name, cards: listed(cards.map(cardName)), points });
    return scoreRow(score, words, why ? `${aloud}: ${why}` : aloud, false, why);
  });
}

/**
 * Draw a score as a button that lights its cards.
 * @param {Pick<Practice.Score, "cards" | "points">} score @param {string} words @param {string} aloud @param {boolean} [overlooked] @param {string} [why]
 */
const scoreRow = ({ cards, points }, words, aloud, overlooked, why = "") =>
  make(
    `li${overlooked ? ".is-missed" : ""}`,
    make(
      "button.drill-score.grid.gap-3.full-width.rounded.touch",
      { onclick: () => light(cards), "aria-label": aloud },
      make("span", words),
      make("span.drill-score-cards.nowrap.felt-quiet", cardSigns(cards)),
      make("b", `+${points}`),
      why && make("small.felt-quiet", why),
    ),
  );

/** @param {string[]} cards */
function light(cards) {
  for (const place of all(byId("cards"), ".drill-card")) {
    const isLit = cards.includes(place.dataset.card ?? "");
    place.classList.toggle("is-lit", isLit);
    place.classList.toggle("is-dim", !isLit);
  }
}

/** @param {{right: boolean}[]} round @param {number} size @param {boolean} isAsked whether a hand is being counted */
export const holes = (round, size, isAsked) =>
  Array.from({ length: size }, (_, at) => {
    const result = at < round.length ? (round[at].right ? "right" : "wrong") : "open";
    return make(`li${result === "open" ? "" : `.is-${result}`}`, {
      "aria-label": text(`practice.count.hole.${result}`, { n: at + 1 }),
      "aria-current": isAsked && at === round.length ? "step" : null,
    });
  });
