// The decision shown: what was chosen, what was best, card by card; what it cost, why, and the value of every other
// choice.

import { cardElement } from "../cards/cards.js";
import { make } from "../elements.js";
import { likes } from "../settings/settings.js";
import { cardName, listed, text } from "../text.js";
import { lost, lostPoints, markChip, percent, textOf, signed } from "./figures.js";
import { cardsOf, choiceOf, isOfCards, lossOf, lostWin } from "./story.js";

/** @typedef {import("./story.js").Decision} Decision */
/** @typedef {import("./story.js").Option} Option */

/**
 * @typedef {object} Judged
 * @property {Decision} decision @property {string} name whose it was @property {boolean} ownCrib whether the crib was
 *   that side's
 * @property {boolean} asks whether it is to be tried again @property {string[] | null} again what was chosen now
 * @property {boolean} answered whether the answer is out
 * @property {(option: Option) => void} look at another choice
 * @property {() => void} tryAgain @property {() => void} leave
 */

/** Small cards in a row, named as one for screen readers. @param {string[]} cards */
export const smallCards = (cards) =>
  make(
    "span.small-cards",
    { role: "img", "aria-label": listed(cards.map(cardName)) },
    cards.map((card) => cardElement(card, { size: "fill", fourColour: likes.four, largePrint: likes.large })),
  );

/** @param {Decision} decision @param {boolean} ownCrib */
function kindOf(decision, ownCrib) {
  if (decision.kind === "discard") return text(ownCrib ? "review.kind.discard_own" : "review.kind.discard_other");
  if (decision.kind === "play")
    return decision.count ? text("review.kind.play", { n: decision.count }) : text("review.kind.lead");
  return text(`review.kind.${decision.kind}`);
}

/** Where and what it was. @param {Judged} judged */
export function headingOf({ decision, name, ownCrib }) {
  return text("review.decision", { name, what: kindOf(decision, ownCrib) });
}

/** @param {Judged} judged */
export function judgedPanel(judged) {
  const { decision, asks, again, answered } = judged;
  const at = make("p.judged-at", null, text("review.at", { deal: decision.deal, score: decision.score.join("–") }));
  const title = make("h2.judged-title", { id: "judged-title", tabindex: -1 }, headingOf(judged));
  if (!isOfCards(decision)) return [at, title, ...claimed(decision)];
  if (asks && !answered)
    return [at, title, make("p", null, text(decision.kind === "discard" ? "review.ask.discard" : "review.ask.play"))];
  const option = again && choiceOf(decision, again);
  return [
    at,
    title,
    option && option.choice !== decision.chosen && verdict(judged, option),
    comparison(judged),
    decision.why.length > 0 &&
      make(
        "div.why",
        null,
        make("h3", null, text("review.why")),
        decision.why.map((words) => make("p", null, words)),
      ),
    split(judged),
    others(judged),
  ];
}

/** The value of the new choice. @param {Judged} judged @param {Option} option */
function verdict({ decision }, option) {
  const loss = lossOf(decision, option);
  const best = option.choice === decision.best;
  return make(
    "div.verdict",
    { "data-best": best },
    make("p.verdict-words", null, text(best ? "review.again.best" : "review.again.other")),
    make(
      "div.compared-row",
      null,
      smallCards(cardsOf(decision, option.choice)),
      make("span.compared-value", null, valueText(option)),
      !best && make("b.loss", null, lost(loss)),
    ),
  );
}

/** @param {Option} option */
const valueText = ({ win, points }) =>
  win === null ? text("review.points", { points: signed(points) }) : text("review.wins", { win: percent(win) });

/** Chosen and best, one below the other. @param {Judged} judged */
function comparison({ decision, name }) {
  const own = decision.options.find(({ choice }) => choice === decision.chosen) ?? decision.options[0];
  const [best] = decision.options;
  const right = decision.chosen === decision.best;
  const row = (/** @type {string} */ word, /** @type {Option} */ option, /** @type {Node | false} */ note) =>
    make(
      "div.compared-row",
      null,
      make("span.compared-word", null, word),
      smallCards(cardsOf(decision, option.choice)),
      make("span.compared-value", null, valueText(option)),
      note,
    );
  const cost = lossOf(decision, own);
  return make(
    "div.compared",
    null,
    right
      ? row(textOf("review.chosen_best", name), own, markChip(null))
      : [
          row(
            textOf("review.chosen", name),
            own,
            decision.mark ? markChip(decision.mark) : make("span.mark-chip", null, text("review.mark.tiny")),
          ),
          row(text("review.best"), best, false),
          make("p.compared-cost", null, costWords(cost.win, cost.points)),
        ],
  );
}

/** @param {number | null} win @param {number} points */
const costWords = (win, points) =>
  win === null
    ? text("review.cost.points", { points: lostPoints(points) })
    : text("review.cost", { win: percent(win < 0.0005 ? 0 : win), points: lostPoints(points) });

/** @param {Decision} decision */
function claimed(decision) {
  return [
    make("div.claim-cards", null, smallCards(decision.hand)),
    make("p", null, text("review.claimed", { claimed: decision.chosen, right: decision.best })),
    decision.mark
      ? make("p", null, markChip(decision.mark), ` ${costWords(lostWin(decision), decision.loss_points)}`)
      : null,
  ];
}

const PARTS = /** @type {const} */ (["hand", "crib", "play"]);

/** Hand, crib and pegging of both discards. @param {Judged} judged */
function split({ decision, ownCrib }) {
  const own = decision.options.find(({ choice }) => choice === decision.chosen);
  const [best] = decision.options;
  if (!own || best.play === undefined) return null;
  const right = own === best;
  const sign = (/** @type {string} */ part) => (part === "crib" && !ownCrib ? -1 : 1);
  const write = (/** @type {string} */ part, /** @type {number} */ points) =>
    part === "hand" ? points.toFixed(2) : signed(sign(part) * points, 2);
  const row = (/** @type {string} */ word, /** @type {Option} */ option) =>
    make(
      "tr",
      null,
      make("th", { scope: "row" }, word),
      PARTS.map((part) => make("td.number-cell", null, write(part, option[part] ?? 0))),
      make("td.number-cell", null, make("b", null, option.points.toFixed(2).replace("-", "−"))),
    );
  return make(
    "table.split",
    null,
    make("caption", null, text("review.split")),
    make(
      "thead",
      null,
      make(
        "tr",
        null,
        make("td"),
        [...PARTS, "all"].map((part) => make("th.number-cell", { scope: "col" }, text(`review.part.${part}`))),
      ),
    ),
    make("tbody", null, row(text("review.chosen_short"), own), !right && row(text("review.best"), best)),
  );
}

/** Every choice there was; each can be shown on the table. @param {Judged} judged */
function others({ decision, again, look }) {
  const [first] = decision.options;
  return make(
    "details.others",
    // A reader who asked for another card's value wants to see them all.
    { open: Boolean(again) },
    make("summary", null, text("review.others", { n: decision.options.length })),
    make(
      "ol.others-list",
      null,
      decision.options.map((option) => {
        const loss = lossOf(decision, option);
        const cards = cardsOf(decision, option.choice);
        const state = option.choice === decision.best ? "best" : option.choice === decision.chosen ? "chosen" : "other";
        return make(
          "li",
          { "data-state": state },
          make(
            "button.other",
            {
              type: "button",
              "data-card": option.choice,
              "aria-pressed": String(Boolean(again && choiceOf(decision, again) === option)),
              onclick: () => look(option),
            },
            smallCards(cards),
            make("span.other-value", null, valueText(option)),
            make("span.other-loss", null, option === first ? text("review.best") : lost(loss)),
            state === "chosen" && make("span.other-state", null, text("review.chosen_short")),
          ),
        );
      }),
    ),
  );
}
