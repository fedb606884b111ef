// The course of the game: its curve, title and table.

import { byId, make, makeTable, refresh } from "../elements.js";
import { chanceAt } from "./course.js";
import { courseDrawing, pointTo } from "./curve.js";
import { percent, textOf } from "./figures.js";
import { isOfCards } from "./story.js";
import { text } from "../text.js";

/** @typedef {import("./reviewed.js").Reviewed} Reviewed */

/** @param {Reviewed} game @param {"story" | "full"} [where] @returns {Review.Course} */
export function courseNow(game, where = "full") {
  const { rules, length } = game;
  const deals = game.moments.flatMap(({ deal, first }, place) =>
    deal && deal !== game.moments[place - 1]?.deal ? [{ step: first, words: String(deal) }] : [],
  );
  const side = game.sideOf(game.seat);
  if (!byChance(game)) {
    const lines = Array.from({ length: rules.sides }, (_, which) => ({
      side: which,
      points: [
        { step: -1, value: 0 },
        ...game.moments.map(({ last, after }) => ({ step: last, value: game.pictures[after].front[which] })),
        // The deal in which a race was won may not be finished.
        ...game.race.slice(which, which + 1).map((value) => ({ step: length - 1, value })),
      ],
    }));
    const marks = game.decisions.flatMap(({ mark, step, seat, score }) =>
      mark ? [{ step, mark, side: game.sideOf(seat), value: score[game.sideOf(seat)] }] : [],
    );
    return {
      length,
      top: rules.target,
      lines,
      middle: null,
      deals,
      marks,
      rules: [0, rules.target / 2, rules.target].map(Math.round),
      write: String,
      across: text("review.column.deal"),
      name: text("review.course.points_name"),
    };
  }
  const course = game.course;
  const at = (/** @type {number} */ step) => chanceAt(course, step);
  const turns = game.turns;
  return {
    ...{ length, top: 1, middle: 0.5, deals, rules: [0, 0.5, 1], write: (value) => percent(value, 0) },
    ends: (where === "story" ? [game.seat, 1 - game.seat] : []).map((seat) => textOf("story.end", game.names[seat])),
    lines: [
      {
        side,
        points: [
          ...course.map(({ step, win }) => ({ step, value: win })),
          ...(game.whole ? [{ step: length - 1, value: at(length) }] : []),
        ],
      },
    ],
    marks: game.decisions.flatMap(({ mark, step, seat }) =>
      mark ? [{ step, mark, side: game.sideOf(seat), value: at(step) }] : [],
    ),
    across: text("review.column.deal"),
    name: textOf("review.course.name", game.names[game.seat], {
      now: percent(at(length)),
      turns:
        turns
          .map((turn) => text("review.course.turn", { deal: turn.deal, at: percent(turn.win, 0) }))
          .join(text("list.comma")) || "–",
    }),
  };
}

/** Whether this game has win probabilities. @param {Reviewed} game */
const byChance = (game) =>
  game.whole?.by_chance ??
  (game.points.length > 0 ||
    (game.rules.variant === "six-card" &&
      !game.race.length &&
      !game.decisions.some((one) => one.loss_win === null && isOfCards(one))));

/** @param {Reviewed} game */
export function renderCourse(game) {
  const place = byId("course");
  const size = { width: place.clientWidth, height: place.clientHeight };
  if (!size.width) return;
  const key = [game.points.length, game.decisions.length, Boolean(game.whole), game.seat, size];
  if (
    refresh(place, key, () => {
      const course = courseNow(game);
      game.drawn = { course, size, svg: courseDrawing(course, size) };
      return [game.drawn.svg];
    })
  )
    renderCourseTable(game);
  const { drawn } = game;
  if (drawn) pointTo(drawn.svg, drawn.course, drawn.size, game.moment.last, game.chance);
  byId("course-title").textContent = byChance(game)
    ? textOf("review.course.of", game.names[game.seat])
    : text("review.course.points");
  byId("no-chance").hidden = byChance(game) || game.race.length > 0;
  byId("chance").textContent = game.chance === null ? "" : percent(game.chance);
}

/** Draw the course as a table, deal by deal. @param {Reviewed} game */
function renderCourseTable(game) {
  const ends = game.moments.filter(({ deal }, place) => deal && deal !== game.moments[place + 1]?.deal);
  const chances = byChance(game);
  const course = game.course;
  const turns = game.turns;
  byId("course-table").replaceChildren(
    makeTable(
      "table",
      [
        make("th", { scope: "col" }, text("review.column.deal")),
        make("th.number-cell", { scope: "col" }, text("review.column.after")),
        chances && make("th.number-cell", { scope: "col" }, text("review.column.chance")),
        chances && make("th", { scope: "col" }, text("review.column.turn")),
      ],
      ends.map(({ deal, last, after }) => {
        const turned = turns.filter((turn) => turn.deal === deal).map(({ win }) => percent(win, 0));
        return [
          make("th", { scope: "row" }, String(deal)),
          make("td.number-cell", game.pictures[after].front.join("–")),
          chances && make("td.number-cell", percent(chanceAt(course, last))),
          chances && make("td", turned.join(text("list.comma")) || "–"),
        ];
      }),
    ),
  );
}
