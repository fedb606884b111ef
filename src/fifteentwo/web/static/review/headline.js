// The headline of a review: whether play or cards decided, and how much each gave.

import { change, signed, textOf } from "./figures.js";
import { text } from "../text.js";

/** @typedef {import("./reviewed.js").Reviewed} Reviewed */

/** Neither side has played better below this difference. */
const EVEN = 0.02;
/** The cards decided if they gave this many times what better play gave. */
const MOSTLY = 3;

/** Return nothing before the review is complete. @param {Reviewed} game @returns {string[]} */
export function headline({ whole, seat, names, decisions, race }) {
  const total = whole?.seats[seat];
  if (!total) return [];
  const { result, adjusted_result: adjusted } = total;
  // In a race, only choices before its end count.
  const told = decisions.reduce((sum, one) => sum + (one.seat === seat ? one.loss_points : 0), 0);
  const points = race.length ? told : total.loss_points;
  if (result === null || adjusted === null)
    return [
      points < 0.05
        ? text("review.costliest.none")
        : textOf("review.headline.points", names[seat], { points: points.toFixed(1) }),
    ];
  const agree = adjusted > 0.5 === result > 0.5;
  const mostlyCards = agree && Math.abs(result - adjusted) >= MOSTLY * Math.abs(adjusted - 0.5);
  const better = mostlyCards ? "cards" : adjusted > 0.5 ? "better" : "worse";
  return [
    Math.abs(adjusted - 0.5) < EVEN
      ? text("review.headline.even")
      : textOf(`review.headline.${result ? "won" : "lost"}-${better}`, names[seat], { other: names[1 - seat] }),
  ];
}

/** Return what play and cards gave this side in percentage points, both together half of 100. @param {Reviewed} game */
function shares(game) {
  const total = game.whole?.seats[game.seat];
  if (!total || total.result === null || total.adjusted_result === null) return null;
  const play = Math.round(100 * Math.min(Math.max(total.adjusted_result, 0), 1)) - 50;
  return { play, cards: 100 * total.result - 50 - play };
}

/** Return what choices and cards gave or took, in order from an even start to the end. @param {Reviewed} game */
export function balance(game) {
  const both = shares(game);
  if (!both) return [];
  return /** @type {const} */ (["play", "cards"]).map((what) => ({
    words: text(`story.picture.${what}`),
    by: both[what],
    figure: change(signed(both[what], 0)),
  }));
}

/** Say what the picture shows, in two sentences. @param {Reviewed} game */
export function balanceWords(game) {
  const name = game.names[game.seat];
  return balance(game).map(({ by }, place) => {
    const way = by < 0 ? "took" : by ? "gave" : "even";
    const values = { n: Math.abs(by), other: game.names[1 - game.seat] };
    return place ? text(`story.cards.${way}`, values) : textOf(`story.play.${way}`, name, values);
  });
}
