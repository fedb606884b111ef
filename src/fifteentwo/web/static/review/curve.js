// The course of a game as a drawing: one line of win probability or, if that is unknown, a line of points for each
// side.

import { markMarkup } from "../board/drawing.js";
import { makeSvg } from "../elements.js";

const EDGE = { top: 20, right: 12, bottom: 22, left: 44 };

/** The shape of each mark, centred at 0,0: larger for larger losses. @type {Record<Review.Mark, string>} */
export const MARK_SHAPES = {
  small: "M-3.5 0a3.5 3.5 0 1 1 7 0a3.5 3.5 0 1 1-7 0Z",
  mistake: "M0-6.2 6 4.6H-6Z",
  blunder: "M0-7.5 7.5 0 0 7.5-7.5 0Z",
};

/** @param {Review.Course} course @param {{width: number, height: number}} size */
function scale({ length, top }, { width, height }) {
  const across = width - EDGE.left - EDGE.right;
  const down = height - EDGE.top - EDGE.bottom;
  return {
    x: (/** @type {number} */ step) => EDGE.left + (across * (step + 1)) / Math.max(length, 1),
    y: (/** @type {number} */ value) => EDGE.top + down * (1 - value / top),
    step: (/** @type {number} */ x) => Math.round(((x - EDGE.left) / across) * length) - 1,
  };
}

/** @param {Review.Course} course @param {{width: number, height: number}} size @param {number} x */
export const stepAt = (course, size, x) => scale(course, size).step(x);

/** @param {Review.Course} course @param {{width: number, height: number}} size @param {number} step */
export const acrossAt = (course, size, step) => scale(course, size).x(step);

/** Below the course, which is `tall`, a drawing may have more. @param {Review.Course} course @param {{width: number, height: number}} size @param {number} [tall] */
export function courseDrawing(course, size, tall = size.height) {
  const { x, y } = scale(course, { ...size, height: tall });
  const { width, height } = size;
  const svg = makeSvg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": course.name,
    class: "course-drawing block full-width",
  });
  const floor = tall - EDGE.bottom;
  svg.append(label(EDGE.left - 6, floor + 15, course.across, "course-words course-words--end"));
  for (const { step, words } of course.deals) {
    svg.append(
      makeSvg("path", { class: "course-deal", d: `M${x(step).toFixed(1)} ${EDGE.top}V${floor}` }),
      label(x(step) + 4, floor + 15, words, "course-words"),
    );
  }
  for (const value of course.rules) {
    svg.append(
      makeSvg("path", {
        class: value === course.middle ? "course-middle" : "course-rule",
        d: `M${EDGE.left} ${y(value).toFixed(1)}H${width - EDGE.right}`,
      }),
    );
    svg.append(label(EDGE.left - 6, y(value) + 4, course.write(value), "course-words course-words--end"));
  }
  for (const [n, words] of (course.ends ?? []).entries())
    svg.append(label(EDGE.left + 4, n ? floor - 5 : EDGE.top + 14, words, "course-words"));
  for (const { side, points } of course.lines) {
    const path = points
      .map(({ step, value }, place) => `${place ? "L" : "M"}${x(step).toFixed(1)} ${y(value).toFixed(1)}`)
      .join("");
    if (course.middle !== null && points.length > 1) {
      const ground = y(course.middle).toFixed(1);
      svg.append(makeSvg("path", { class: "course-ground", d: `${path}V${ground}H${x(points[0].step).toFixed(1)}Z` }));
    }
    svg.append(makeSvg("path", { class: `course-line side-${side + 1}`, d: path }));
    const last = points.at(-1);
    if (last && course.lines.length > 1) svg.append(sideHead(side, x(last.step), y(last.value)));
  }
  for (const { step, value, mark, side } of course.marks) {
    svg.append(
      makeSvg("path", {
        class: `course-mark course-mark--${mark} side-${side + 1}`,
        d: MARK_SHAPES[mark],
        transform: `translate(${x(step).toFixed(1)} ${y(value).toFixed(1)})`,
      }),
    );
  }
  return svg;
}

/**
 * Move the line of the present action.
 * @param {SVGSVGElement} svg @param {Review.Course} course @param {{width: number, height: number}} size
 * @param {number} step @param {number | null} value
 */
export function pointTo(svg, course, size, step, value) {
  const { x, y } = scale(course, size);
  const old = svg.lastElementChild;
  if (old?.classList.contains("course-now")) old.remove();
  const now = makeSvg("g", { class: "course-now" });
  now.append(makeSvg("path", { d: `M${x(step).toFixed(1)} ${EDGE.top - 6}V${size.height - EDGE.bottom}` }));
  if (value !== null) now.append(makeSvg("circle", { cx: x(step).toFixed(1), cy: y(value).toFixed(1), r: 5 }));
  svg.append(now);
}

/** @param {number} x @param {number} y @param {string} words @param {string} kind */
export function label(x, y, words, kind) {
  const text = makeSvg("text", { x: x.toFixed(1), y: y.toFixed(1), class: kind });
  text.textContent = words;
  return text;
}

/** @param {number} side @param {number} x @param {number} y */
export function sideHead(side, x, y) {
  const head = makeSvg("g", {
    class: `side-mark side-${side + 1}`,
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
  });
  head.innerHTML = markMarkup(side);
  return head;
}
