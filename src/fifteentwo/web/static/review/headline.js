// The headline of a review in two sentences: whether play or cards decided, and the result with average luck.

import { textOf, withoutLuck } from "./figures.js";
import { text } from "../text.js";

/** @typedef {import("./reviewed.js").Reviewed} Reviewed */

/** Neither side has played better below this difference. */
const EVEN = 0.02;
/** The cards decided if they gave this many times what better play gave. */
const MOSTLY = 3;

/** Return nothing before the review is complete. @param {Reviewed} game @returns {string[]} */
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
  const agree = adjusted > 0.5 === result > 0.5;
  const mostlyCards = agree && Math.abs(result - adjusted) >= MOSTLY * Math.abs(adjusted - 0.5);
  const better = mostlyCards ? "cards" : adjusted > 0.5 ? "better" : "worse";
  return [
    Math.abs(adjusted - 0.5) < EVEN
      ? text("review.headline.even")
      : textOf(`review.headline.${result ? "won" : "lost"}-${better}`, names[seat], { other: names[1 - seat] }),
    withoutLuck(adjusted, names[seat]),
  ];
}
