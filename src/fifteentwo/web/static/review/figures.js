// Figures as printed: percentages, losses, points; words and shapes of marks.

import { makeSvg, make } from "../elements.js";
import { text } from "../text.js";
import { MARK_SHAPES } from "./curve.js";

/** @param {string} key @param {string} name @param {Record<string, string | number>} [values] */
export const textOf = (key, name, values = {}) =>
  text(name === text("home.you") ? `${key}.you` : key, { name, ...values });

/** @param {number} chance @param {number} [places] */
export const percent = (chance, places = 1) =>
  text("review.percent", { number: (100 * chance).toFixed(places).replace("-", "−") });

/** Format a win probability; an estimate may lie outside 0 to 1. @param {number} value */
export const chance = (value) =>
  value < 0.005 ? `< ${percent(0.01, 0)}` : value > 0.995 ? `> ${percent(0.99, 0)}` : percent(value);

/** Format a difference of win probabilities. @param {string} number in percentage points */
export const change = (number) => text("review.change", { number });

/** Format a lost win probability with a minus sign; 0 has none. @param {number} chance */
export const lostChance = (chance) => change(chance < 0.0005 ? "0" : `−${(100 * chance).toFixed(1)}`);

/** @param {number} points @param {number} [places] */
export const signed = (points, places = 1) =>
  `${points < 0 && Number(points.toFixed(places)) !== 0 ? "−" : "+"}${Math.abs(points).toFixed(places)}`;

/** @param {number} loss */
export const lostPoints = (loss) => text("review.points", { points: Math.abs(loss) < 0.005 ? "0" : signed(-loss, 2) });

/** Format a loss: win probability if known, otherwise points. @param {{win: number | null, points: number}} loss */
export const lost = ({ win, points }) => (win === null ? lostPoints(points) : lostChance(win));

/** @param {Review.Mark} mark @param {number} [side] */
export function markShape(mark, side) {
  const svg = makeSvg("svg", {
    viewBox: "-9 -9 18 18",
    class: `mark-shape rigid mark-shape--${mark}${side === undefined ? "" : ` side-${side + 1}`}`,
    "aria-hidden": "true",
  });
  svg.append(makeSvg("path", { d: MARK_SHAPES[mark] }));
  return svg;
}

/** Draw a mark as shape and word. @param {Review.Mark | null} mark */
export const markChip = (mark) =>
  make(
    `span.mark-chip.inline-flex.small.nowrap.bold.mark-chip--${mark ?? "none"}`,
    mark && markShape(mark),
    text(`review.mark.${mark ?? "none"}`),
  );

/** Describe a decision in words, or in a few. @param {Review.Decision} decision @param {boolean} ownCrib @param {"kind" | "brief"} [how] */
export function kindOf({ kind, count }, ownCrib, how = "kind") {
  const card = count ? "play" : "lead";
  const key = kind === "discard" ? (ownCrib ? "discard_own" : "discard_other") : kind === "play" ? card : kind;
  return how === "kind"
    ? text(`review.kind.${key}`, { n: count ?? 0 })
    : text(`review.brief.${key}`, { n: count ?? 0 });
}
