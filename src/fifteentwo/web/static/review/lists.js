// The totals of each side, and all decisions.

import { make, makeTable } from "../elements.js";
import { sideMark } from "../board/board.js";
import { text } from "../text.js";
import { difference } from "../figures.js";
import { chance, change, kindOf, lostChance, markShape, percent, signed } from "./figures.js";
import { smallCards } from "./judged.js";
import { accuracyOf, cardsOf, cost, costliest, isOfCards, lostWin, marksOf } from "./story.js";

/** Smaller losses are printed as 0; points have one more decimal. */
const SEEN_WIN = 0.0005;
const MAX_CHIPS = 3;
/** Figures with a sentence about what they mean. */
const EXPLAINED = ["luck", "adjusted", "even"];

/** Percentage points, so that the printed figures add up. @param {Review.SeatTotal} seat */
const luckOf = ({ luck, result, adjusted_result: adjusted }) =>
  luck === null || result === null || adjusted === null
    ? luck && 100 * luck
    : difference(100 * result, 100 * Math.min(Math.max(adjusted, 0), 1), 1);

/** Format the loss: win probability, or points if those are printed. @param {Review.Decision} decision */
const loss = (decision) => {
  const win = lostWin(decision);
  return win === null ? signed(-decision.loss_points, 2) : lostChance(win);
};

/**
 * @param {Review.Whole} whole @param {Review.Decision[]} decisions @param {string[]} names
 * @param {(seat: number) => number} sideOf
 */
export function totals(whole, decisions, names, sideOf) {
  const { seats, by_chance } = whole;
  const figure = (/** @type {number | null} */ value, /** @type {(value: number) => string} */ write) =>
    value === null ? "–" : write(value);
  /** @type {Record<string, (total: Review.SeatTotal, seat: number) => string>} */
  const always = {
    points: ({ loss_points }) => (loss_points < 0.05 ? "0" : signed(-loss_points, 1)),
    accuracy: (_, seat) => {
      const { right, of } = accuracyOf(decisions, seat);
      return of ? text("review.accuracy", { percent: percent(right / of, 0), right, of }) : "–";
    },
    marks: (_, seat) => {
      const { blunder, mistake, small } = marksOf(decisions, seat);
      return [blunder, mistake, small].join(" · ");
    },
  };
  /** @type {typeof always} */
  const byChance = {
    lost: ({ loss_win }) => figure(loss_win, lostChance),
    ...always,
    luck: (total) => figure(luckOf(total), (luck) => change(signed(luck, 1))),
    adjusted: ({ adjusted_result }) => figure(adjusted_result, chance),
  };
  const figures = (/** @type {typeof always} */ rows) => {
    const written = Object.entries(rows)
      .map(([word, write]) => ({ word, values: names.map((_, seat) => write(seats[seat], seat)) }))
      .filter(({ values }) => values.some((value) => value !== "–"));
    if (!written.length) return null;
    return makeTable(
      "table.totals",
      [
        make("td"),
        ...names.map((name, seat) =>
          make("th.number-cell.nowrap", { scope: "col" }, sideMark(sideOf(seat)), ` ${name}`),
        ),
      ],
      written.map(({ word, values }) => [
        make("th", { scope: "row" }, text(`review.total.${word}`)),
        ...values.map((value) => make("td.number-cell.nowrap", value)),
      ]),
    );
  };
  if (!by_chance) return [figures(always)];
  return [
    figures(byChance),
    make(
      "details.small",
      make("summary", text("story.details")),
      EXPLAINED.map((word) => make("p", make("b", text(`review.total.${word}`)), ` ${text(`review.note.${word}`)}`)),
      figures({ even: ({ luck_adjusted_result }) => figure(luck_adjusted_result, chance) }),
    ),
  ];
}

/** Draw the costliest choices of the chosen seat as buttons. @param {import("./reviewed.js").Reviewed} game @param {(one: Review.Decision) => void} go */
export const costlyChips = ({ decisions, seat }, go) =>
  costliest(decisions, seat)
    .slice(0, MAX_CHIPS)
    .map((one) =>
      make(
        "button.button.costly-chip",
        { "data-at": `chip-${one.step}`, onclick: () => go(one) },
        make("b.nowrap", one.mark && markShape(one.mark), ` ${loss(one)}`),
        make("small.block.nowrap", text("review.deal", { deal: one.deal })),
      ),
    );

/** Explain the shapes and colours of the curve. @param {import("./reviewed.js").Reviewed} game */
export const legend = ({ names, rules }) => [
  .../** @type {const} */ (["small", "mistake", "blunder"]).map((mark) =>
    make("span.nowrap", markShape(mark), ` ${text(`review.mark.${mark}`)}`),
  ),
  ...names.slice(0, rules.sides).map((name, side) => make("span.legend-side.nowrap", sideMark(side), ` ${name}`)),
];

/**
 * Draw every decision that was not the best, or all.
 * @param {Review.Decision[]} decisions @param {Review.ListOptions & {all: boolean}} more
 */
export function decisionTable(decisions, { all, names, ownCrib, sideOf, go }) {
  const shown = decisions.filter((one) => all || (cost(one) && (lostWin(one) ?? one.loss_points / 10) >= SEEN_WIN));
  if (!shown.length) return [make("p.quiet-text", text("review.list.none"))];
  const columns = ["deal", "score", "who", "what", "chosen", "best", "loss"];
  // On a phone the cells are laid out separately: roles keep them a table.
  const cell = (/** @type {string} */ column, /** @type {...(Node | string | false | null)} */ ...content) =>
    make(
      `td.decision-${column}${column === "loss" ? ".number-cell.nowrap" : ""}`,
      { role: "cell", "data-name": text(`review.column.${column}`) },
      ...content,
    );
  return [
    make(
      "table.decisions",
      { role: "table" },
      make(
        "thead",
        { role: "rowgroup" },
        make(
          "tr",
          { role: "row" },
          columns.map((column) =>
            make(
              `th${column === "loss" ? ".number-cell" : ""}`,
              { role: "columnheader", scope: "col" },
              text(`review.column.${column}`),
            ),
          ),
        ),
      ),
      make(
        "tbody",
        { role: "rowgroup" },
        shown.map((one) =>
          make(
            "tr",
            { role: "row", "data-mark": one.mark ?? "none" },
            cell("deal", String(one.deal)),
            cell("score", make("span.nowrap", one.score.join("–"))),
            cell("who", make("span.nowrap", sideMark(sideOf(one.seat)), ` ${names[one.seat]}`)),
            cell(
              "what",
              make(
                "button.to-step.bare",
                { "data-at": `list-${one.step}`, onclick: () => go(one) },
                kindOf(one, ownCrib(one), "brief"),
              ),
            ),
            cell("chosen", !isOfCards(one) ? one.chosen : smallCards(cardsOf(one, one.chosen))),
            cell(
              "best",
              !isOfCards(one) ? one.best : one.best === one.chosen ? "✓" : smallCards(cardsOf(one, one.best)),
            ),
            cell(
              "loss",
              one.mark && make("span.visually-hidden", text(`review.mark.${one.mark}`)),
              one.mark && markShape(one.mark),
              ` ${cost(one) ? loss(one) : "0"}`,
            ),
          ),
        ),
      ),
    ),
  ];
}
