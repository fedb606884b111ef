// The headline of a review, two sentences: play or cards, and the result with average luck.

import { textOf, withoutLuck } from "./figures.js";
import { text } from "../text.js";

/** @typedef {import("./reviewed.js").Reviewed} Reviewed */

/** So near to even neither side has played better. */
const EVEN = 0.02;

/**
 * What decided the game, and what it were with average luck; where chances are not known, what was lost. Nothing before
 * the review is whole.
 * @param {Reviewed} game @returns {string[]}
 */
export function headline({ whole, seat, names }) {
  const total = whole?.seats[seat];
  if (!total) return [];
  const { result, adjusted_result: adjusted, loss_points: points } = total;
  if (result === null || adjusted === null)
    return [
      points < 0.05
        ? text("review.costliest.none")
        : textOf("review.headline.points", names[seat], { points: points.toFixed(1) }),
    ];
  const better = adjusted > 0.5 ? "better" : "worse";
  return [
    Math.abs(adjusted - 0.5) < EVEN
      ? text("review.headline.even")
      : textOf(`review.headline.${result ? "won" : "lost"}-${better}`, names[seat], { other: names[1 - seat] }),
    withoutLuck(adjusted, names[seat]),
  ];
}
