// @ts-check
// The state of the scores as a pie (R123): each side's share of all points made so far.

import { sideMark } from "../board.js";

const SVG = "http://www.w3.org/2000/svg";
const RADIUS = 46;

/** @param {number} share of the whole circle @returns {[number, number]} */
const edge = (share) => [Math.sin(share * 2 * Math.PI) * RADIUS, -Math.cos(share * 2 * Math.PI) * RADIUS];

/** @param {number[]} scores @param {string} label */
export function pieElement(scores, label) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "-50 -50 100 100");
  svg.setAttribute("class", "pie");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  const all = scores.reduce((sum, score) => sum + score, 0);
  const plate = document.createElementNS(SVG, "circle");
  plate.setAttribute("r", String(RADIUS));
  plate.setAttribute("class", "pie-plate");
  svg.append(plate);
  let from = 0;
  scores.forEach((score, side) => {
    if (!score) return;
    const share = score / all;
    const slice = document.createElementNS(SVG, share === 1 ? "circle" : "path");
    slice.setAttribute("class", `pie-slice side-${side + 1}`);
    if (share === 1) slice.setAttribute("r", String(RADIUS));
    else {
      const [x1, y1] = edge(from);
      const [x2, y2] = edge(from + share);
      slice.setAttribute("d", `M0 0L${x1.toFixed(2)} ${y1.toFixed(2)}A${RADIUS} ${RADIUS} 0 ${share > 0.5 ? 1 : 0} 1 ${x2.toFixed(2)} ${y2.toFixed(2)}Z`);
    }
    svg.append(slice);
    if (share > 0.06) {
      const [x, y] = edge(from + share / 2).map((part) => (share === 1 ? 0 : part * 0.62));
      const disc = document.createElementNS(SVG, "circle");
      disc.setAttribute("class", "pie-disc");
      disc.setAttribute("cx", x.toFixed(2));
      disc.setAttribute("cy", y.toFixed(2));
      disc.setAttribute("r", "9");
      const mark = sideMark(side);
      const [width, height] = [12, 12];
      mark.setAttribute("x", (x - width / 2).toFixed(2));
      mark.setAttribute("y", (y - height / 2).toFixed(2));
      mark.setAttribute("width", String(width));
      mark.setAttribute("height", String(height));
      svg.append(disc, mark);
    }
    from += share;
  });
  return svg;
}
