// The decision shown: the chosen and the best move card by card, the cost, the reasons, and all other choices.

import { cardElement } from "../cards/cards.js";
import { make } from "../elements.js";
import { likes } from "../settings/settings.js";
import { cardName, listed, text } from "../text.js";
import { kindOf, lost, markChip, textOf, signed } from "./figures.js";
import { cardsOf, isOfCards, lossOf, lostWin } from "./story.js";

/** Draw small cards in a row with one name for screen readers. @param {string[]} cards */
export const smallCards = (cards) =>
  make(
    "span.small-cards.inline-flex",
    { role: "img", "aria-label": listed(cards.map(cardName)) },
    cards.map((card) => cardElement(card, { size: "fill", fourColour: likes.four, largePrint: likes.large })),
  );

/** @param {Review.Decision} decision @param {string} name @param {boolean} ownCrib whether the crib was that side's @param {HTMLElement} actions */
export function judgedPanel(decision, name, ownCrib, actions) {
  return [
    make("p.judged-at.small.quiet-text", text("review.at", { deal: decision.deal, score: decision.score.join("–") })),
    make("h2.judged-title", text("review.decision", { name, what: kindOf(decision, ownCrib) })),
    ...(isOfCards(decision)
      ? [
          make(
            "p.verdict.aligned.gap-2.wraps.bold",
            decision.mark || decision.chosen === decision.best
              ? markChip(decision.mark)
              : make("span.mark-chip.inline-flex.small.nowrap.bold", text("review.mark.tiny")),
            decision.chosen !== decision.best && make("span", costWords(lostWin(decision), decision.loss_points)),
          ),
          decision.why.length > 0 &&
            make(
              "div.why",
              make("h3.flush.small.quiet-text", text("review.why")),
              decision.why.map((words) => make("p.flush", words)),
            ),
          actions,
          comparison(decision, name),
          split(decision, name, ownCrib),
          others(decision, name),
        ]
      : [...claimed(decision), actions]),
  ];
}

/** Format the value in points: win chances are said by the curve alone. @param {Review.Option} option */
const valueText = ({ points }) => text("review.points", { points: signed(points, 2) });

/** Draw the chosen and the best move, one below the other. @param {Review.Decision} decision @param {string} name */
function comparison(decision, name) {
  const own = decision.options.find(({ choice }) => choice === decision.chosen) ?? decision.options[0];
  const [best] = decision.options;
  const row = (/** @type {string} */ word, /** @type {Review.Option} */ option) =>
    make(
      "div.compared-row.aligned.gap-x3.wraps",
      make("span.compared-word.small.quiet-text", word),
      smallCards(cardsOf(decision, option.choice)),
      make("span", valueText(option)),
    );
  return make(
    "div.compared.column.gap-2",
    decision.chosen === decision.best
      ? row(textOf("review.chosen_best", name), own)
      : [row(textOf("review.chosen", name), own), row(text("review.best"), best)],
  );
}

/** @param {number | null} win @param {number} points */
function costWords(win, points) {
  const withWin = points < -0.005 ? "review.cost.more-points" : points < 0.005 ? "review.cost.win" : "review.cost";
  return text(win === null ? "review.cost.points" : withWin, {
    win: (100 * (win ?? 0)).toFixed(1),
    points: Math.abs(points).toFixed(2),
  });
}

/** @param {Review.Decision} decision */
function claimed(decision) {
  return [
    make("div.claim-cards", smallCards(decision.hand)),
    make("p", text("review.claimed", { claimed: decision.chosen, right: decision.best })),
    decision.mark ? make("p", markChip(decision.mark), ` ${costWords(lostWin(decision), decision.loss_points)}`) : null,
  ];
}

const PARTS = /** @type {const} */ (["hand", "crib", "play"]);

/** Compare hand, crib and pegging of both discards. @param {Review.Decision} decision @param {string} name @param {boolean} ownCrib */
function split(decision, name, ownCrib) {
  const own = decision.options.find(({ choice }) => choice === decision.chosen);
  const [best] = decision.options;
  if (!own || best.play === undefined) return null;
  const right = own === best;
  const sign = (/** @type {string} */ part) => (part === "crib" && !ownCrib ? -1 : 1);
  const write = (/** @type {string} */ part, /** @type {number} */ points) =>
    part === "hand" ? points.toFixed(2) : signed(sign(part) * points, 2);
  const row = (/** @type {string} */ word, /** @type {Review.Option} */ option) =>
    make(
      "tr",
      make("th", { scope: "row" }, word),
      PARTS.map((part) => make("td.number-cell", write(part, option[part] ?? 0))),
      make("td.number-cell", make("b", option.points.toFixed(2).replace("-", "−"))),
    );
  return make(
    "table.split.small.full-width",
    make("caption", text("review.split")),
    make(
      "thead",
      make(
        "tr",
        make("td"),
        [...PARTS, "all"].map((part) => make("th.number-cell", { scope: "col" }, text(`review.part.${part}`))),
      ),
    ),
    make("tbody", row(textOf("review.chosen_short", name), own), !right && row(text("review.best"), best)),
  );
}

/** List every choice. @param {Review.Decision} decision @param {string} name */
function others(decision, name) {
  return make(
    "details.others.flush",
    make("summary", text("review.others", { n: decision.options.length })),
    make(
      "ol.others-list.grid.plain-list",
      { tabindex: 0, "aria-label": text("review.others", { n: decision.options.length }) },
      decision.options.map((option, place) => {
        const isChosen = option.choice === decision.chosen;
        return make(
          "li.other.grid.gap-x3.small",
          { "data-state": place ? (isChosen ? "chosen" : "other") : "best" },
          smallCards(cardsOf(decision, option.choice)),
          make("span.other-value", valueText(option)),
          make("span.other-loss.nowrap", place ? lost(lossOf(decision, option)) : text("review.best")),
          isChosen && place > 0 && make("span.other-state.quiet-text", textOf("review.chosen_short", name)),
        );
      }),
    ),
  );
}
