// The scores as a pie chart (R123): each side's share of all points.

import { sideMark } from "../board/board.js";
import { makeSvg } from "../elements.js";

const RADIUS = 46;

/**
 * A slice: its start on a circle of length 1, and its share.
 * @typedef {{side: number, from: number, share: number}} Slice
 */

/** Return the slices of sides with points, clockwise from the top. @param {number[]} scores @returns {Slice[]} */
export function slices(scores) {
  const all = scores.reduce((sum, score) => sum + score, 0);
  let from = 0;
  return scores.flatMap((score, side) => {
    if (!score) return [];
    const slice = { side, from, share: score / all };
    from += slice.share;
    return [slice];
  });
}

/** @param {number} share of the circle @returns {[number, number]} */
const edge = (share) => [Math.sin(share * 2 * Math.PI) * RADIUS, -Math.cos(share * 2 * Math.PI) * RADIUS];

/** @param {Slice} slice */
function sliceNode({ side, from, share }) {
  const name = `pie-slice side-${side + 1}`;
  if (share === 1) return makeSvg("circle", { class: name, r: RADIUS });
  const [x1, y1] = edge(from);
  const [x2, y2] = edge(from + share);
  return makeSvg("path", {
    class: name,
    d: `M0 0L${x1.toFixed(2)} ${y1.toFixed(2)}A${RADIUS} ${RADIUS} 0 ${share > 0.5 ? 1 : 0} 1 ${x2.toFixed(2)} ${y2.toFixed(2)}Z`,
  });
}

/** Draw the side's mark in the middle of its slice; a thin slice has none. @param {Slice} slice */
function markNodes({ side, from, share }) {
  if (share <= 0.06) return [];
  const [x, y] = edge(from + share / 2).map((part) => (share === 1 ? 0 : part * 0.62));
  const mark = sideMark(side);
  const size = 12;
  for (const [key, value] of Object.entries({
    x: (x - size / 2).toFixed(2),
    y: (y - size / 2).toFixed(2),
    width: size,
    height: size,
  }))
    mark.setAttribute(key, String(value));
  return [makeSvg("circle", { class: "pie-disc", cx: x.toFixed(2), cy: y.toFixed(2), r: 9 }), mark];
}

/** @param {number[]} scores @param {string} label */
export function pieElement(scores, label) {
  const svg = makeSvg("svg", { viewBox: "-50 -50 100 100", class: "pie block", role: "img", "aria-label": label });
  svg.append(
    makeSvg("circle", { r: RADIUS, class: "pie-plate" }),
    ...slices(scores).flatMap((slice) => [sliceNode(slice), ...markNodes(slice)]),
  );
  return svg;
}
