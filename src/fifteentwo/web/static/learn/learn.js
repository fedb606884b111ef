// Cribbage in ten minutes: a screen after another on real cards. What is right was worked out by the rules.

import { cardElement } from "../cards/cards.js";
import { countsFor } from "../cards/deck.js";
import { all, byId, make } from "../elements.js";
import { difference } from "../figures.js";
import { keepHere, keptHere } from "../keep.js";
import { cardName, lang, listed, text, wordsInPage } from "../text.js";
import { explainTerms } from "../words/terms.js";

wordsInPage();
/** @type {Wire.Screen[]} */
const screens = JSON.parse(byId("screens-data").textContent ?? "[]");
const PLACE = "fifteentwo.learn";

const state = {
  at: Math.min(Math.max(Number(keptHere(PLACE)) || 0, 0), screens.length - 1),
  /** @type {string[]} */
  picked: [],
  done: false,
  /** How far a hand has been counted. */
  counted: 0,
  byKey: false,
};

const screen = () => screens[state.at];
/** @param {string[]} one @param {string[]} other */
const same = (one, other) => one.length === other.length && one.every((card) => other.includes(card));

/** @param {string} card @param {Record<string, string>} [more] */
function face(card, more = {}) {
  const svg = cardElement(card, { size: "fill" });
  for (const [name, value] of Object.entries(more)) svg.setAttribute(name, value);
  return svg;
}

/** @param {string} card */
const shownCard = (card) => face(card, { role: "img", "aria-label": cardName(card) });

function draw() {
  const { id } = screen();
  keepHere(PLACE, String(state.at));
  [state.picked, state.done, state.counted] = [[], false, 0];
  byId("learn").dataset.screen = id;
  byId("learn").dataset.at = String(state.at);
  byId("heading").textContent = text(`learn.title.${id}`);
  byId("text").textContent = text(`learn.text.${id}`);
  byId("status").textContent = "";
  for (const [number, step] of all(byId("steps"), "li").entries()) {
    step.classList.toggle("is-done", number < state.at);
    step.setAttribute("aria-label", text("learn.step", { n: number + 1, of: screens.length }));
    if (number === state.at) step.setAttribute("aria-current", "step");
    else step.removeAttribute("aria-current");
  }
  drawTable();
  drawHand();
  drawButtons();
}

/** What lies there already: the crib's owner, the count and the cards of the play, or the starter. */
function drawTable() {
  const { id, played, starter, lesson } = screen();
  const count = played.reduce((sum, card) => sum + countsFor(card), 0);
  const parts = [];
  if (played.length) {
    parts.push(
      make(
        "div.learn-count",
        null,
        make("span.count", { id: "count" }, String(count)),
        make("span", null, text("table.count")),
      ),
    );
    parts.push(make("div.learn-played", { id: "played" }, played.map(shownCard)));
  }
  if (id === "go") parts.push(make("p.learn-bubble", null, text("table.go")));
  if (lesson === 3 && !starter)
    parts.push(
      make(
        "div.learn-crib",
        { id: "crib" },
        make("span.learn-places", null, make("span.card-place"), make("span.card-place")),
        make("span", null, text(`learn.owner.${id}`)),
      ),
    );
  if (starter)
    parts.push(make("div.learn-starter", null, shownCard(starter), make("span", null, text("table.starter"))));
  byId("lies").replaceChildren(...parts);
}

function drawHand() {
  const { cards, counts, pick } = screen();
  const host = byId("hand");
  host.hidden = !cards.length;
  host.style.setProperty("--cards", String(cards.length || 1));
  host.replaceChildren(
    ...cards.map((card, index) => {
      const count = counts[index];
      const past = counts.length > 0 && count === null;
      if (!pick) return make("li", null, make("div.learn-card", { "data-card": card }, shownCard(card)));
      return make(
        "li",
        null,
        make(
          `button.card-button${past ? ".is-dim" : ""}`,
          {
            type: "button",
            "data-card": card,
            "aria-pressed": "false",
            "aria-disabled": past ? "true" : null,
            "aria-label": counts.length
              ? text(past ? "hand.past31" : "learn.would", { card: cardName(card), n: count ?? 0 })
              : cardName(card),
            onclick: () => tap(card),
          },
          face(card),
          counts.length > 0 && make("span.would", { "aria-hidden": "true" }, past ? "–" : String(count)),
        ),
      );
    }),
  );
}

function drawButtons() {
  const last = state.at === screens.length - 1;
  const { pick, counted: scores } = screen();
  byId("back").hidden = state.at === 0;
  byId("first-game").hidden = !last;
  byId("next").hidden = last;
  byId("next", HTMLButtonElement).disabled = !state.done;
  byId("show-me").hidden = last || state.done || (!pick && !scores.length);
  byId("show-me").textContent = text(pick ? "learn.show" : "learn.count-on");
  byId("show-me").classList.toggle("button--primary", !pick);
  byId("next").classList.toggle("button--primary", Boolean(pick) || state.done);
}

/** @param {string} card */
function tap(card) {
  const { pick, accept, counts, cards } = screen();
  if (state.done || (counts.length && counts[cards.indexOf(card)] === null)) return;
  state.picked = state.picked.includes(card) ? state.picked.filter((other) => other !== card) : [...state.picked, card];
  press();
  if (state.picked.length < pick) {
    byId("status").textContent = "";
    return;
  }
  if (accept.some((right) => same(right, state.picked))) return finish();
  byId("status").textContent = text("learn.again");
  state.picked = [];
  press();
}

function press() {
  for (const button of all(byId("hand"), "button"))
    button.setAttribute("aria-pressed", String(state.picked.includes(button.dataset.card ?? "")));
}

/** The right cards, wherever they lie. @param {string[]} cards */
function light(cards) {
  for (const node of all(byId("learn"), "svg[data-card]", SVGElement))
    node.classList.toggle("is-lit", cards.includes(node.dataset.card ?? ""));
}

function finish() {
  const { id, played, discards } = screen();
  state.done = true;
  if (played.length) play(state.picked[0]);
  else if (discards.length) discard();
  else light(state.picked);
  byId("status").textContent = discards.length ? weighed() : text(`learn.done.${id}`);
  drawButtons();
  if (state.byKey || document.activeElement === document.body) byId("next").focus();
  byId("status").scrollIntoView({ block: "nearest" });
}

/** The card joins the others, and the count goes on. @param {string} card */
function play(card) {
  all(byId("hand"), "button")
    .find((button) => button.dataset.card === card)
    ?.closest("li")
    ?.remove();
  byId("played").append(shownCard(card));
  const { played } = screen();
  byId("count").textContent = String([...played, card].reduce((sum, one) => sum + countsFor(one), 0));
  light([card]);
}

/** Face down to the crib. */
function discard() {
  for (const button of all(byId("hand"), "button")) {
    if (state.picked.includes(button.dataset.card ?? "")) button.closest("li")?.remove();
    else button.setAttribute("aria-disabled", "true");
  }
  const backs = state.picked.map(() => cardElement(null, { size: "fill" }));
  byId("crib").firstElementChild?.replaceChildren(...backs);
}

/** The value of the discard, and the best one. */
function weighed() {
  const { id, discards } = screen();
  const [best] = discards;
  const own = discards.find(({ cards }) => same(cards, state.picked)) ?? best;
  const net = (/** @type {Wire.WeighedDiscard} */ { hand, crib }) =>
    difference(hand, id === "crib" ? -crib : crib, 1).toFixed(1);
  const sentence = text(`learn.weighed.${id}`, { hand: own.hand.toFixed(1), crib: own.crib.toFixed(1), net: net(own) });
  return (
    sentence +
    (own === best
      ? text("learn.best")
      : text("learn.better", {
          cards: listed(best.cards.map(([rank]) => (rank === "T" ? "10" : rank))),
          net: net(best),
        }))
  );
}

/** Show the answer on request; a hand is counted score by score. */
function showMe() {
  const { pick, accept, discards, counted: scores } = screen();
  if (pick) {
    state.picked = [...(discards[0]?.cards ?? accept[0])];
    press();
    return finish();
  }
  state.counted += 1;
  light(scores[state.counted - 1].cards);
  byId("status").textContent = scores
    .slice(0, state.counted)
    .map(({ words }) => words)
    .join(text("list.comma"));
  if (state.counted < scores.length) return;
  state.done = true;
  byId("status").textContent += text(`learn.done.${screen().id}`);
  drawButtons();
  byId("next").focus();
}

/** @param {number} to */
function go(to) {
  state.at = Math.min(Math.max(to, 0), screens.length - 1);
  draw();
  const first =
    all(byId("hand"), "button:not([aria-disabled])")[0] ??
    (state.at === screens.length - 1 ? byId("begin") : byId("show-me"));
  if (state.byKey) first.focus();
  else byId("heading").focus({ preventScroll: true });
}

byId("next").addEventListener("click", () => go(state.at + 1));
byId("back").addEventListener("click", () => go(state.at - 1));
byId("show-me").addEventListener("click", showMe);
document.addEventListener("keydown", () => (state.byKey = true), true);
document.addEventListener("pointerdown", () => (state.byKey = false), true);
document.addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey }) => {
  if (ctrlKey || metaKey || altKey || !/^[1-6]$/.test(key)) return;
  all(byId("hand"), "button")[Number(key) - 1]?.click();
});
draw();
document.documentElement.lang = lang;
byId("learn").dataset.ready = "true";
explainTerms(byId("learn"));
