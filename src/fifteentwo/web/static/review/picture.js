// The picture of a game: its course, and below it what choices and cards gave; to look at and to share.

import { sideMark } from "../board/board.js";
import { all, download, find, make, makeSvg } from "../elements.js";
import { text } from "../text.js";
import { courseNow } from "./course-panel.js";
import { courseDrawing, label } from "./curve.js";
import { markShape } from "./figures.js";
import { balance } from "./headline.js";
import { titleOf } from "./screens.js";

/** @typedef {import("./reviewed.js").Reviewed} Reviewed */

/** Size of the course and of a row below it, and the start of the bars. */
const [WIDE, TALL, ROW, LANE] = [320, 160, 24, 96];
/** Width of the shared image, its margin, and the height of its first and last line. */
const [IMAGE_WIDE, MARGIN, HEAD] = [1080, 48, 108];

/** Draw the course with the mistakes of the story, and the balance. @param {Reviewed} game @param {number[]} mistakes their steps */
export function storyPicture(game, mistakes) {
  const [course, parts] = [courseNow(game, "story"), balance(game)];
  const marks = course.marks.filter(({ step }) => mistakes.includes(step));
  const svg = courseDrawing(
    { ...course, marks, turns: [], name: titleOf(game) },
    { width: WIDE, height: TALL + ROW * parts.length },
    TALL,
  );
  for (const [row, { words, figure, by, from }] of parts.entries()) {
    const y = TALL + ROW * row + 6;
    const bar = (/** @type {string} */ fill, /** @type {number} */ start, /** @type {number} */ wide) =>
      makeSvg("path", { fill: `var(--${fill})`, d: `M${LANE + 1.7 * start} ${y}h${1.7 * wide}v12h${-1.7 * wide}z` });
    svg.append(
      label(4, y + 10, words, "course-words"),
      label(WIDE - 4, y + 10, figure, "course-words course-words--end"),
      bar("surface-2", 0, 100),
      bar("line-strong", 50, 0.5),
      bar(by < 0 ? "warn" : "gain", from, by),
    );
  }
  return make(
    "figure.story-picture.surface.rounded.full-width.flush",
    svg,
    make(
      "figcaption.flex.wraps.centred.gap-x4.small",
      marks[0] && make("span", markShape(marks[0].mark, marks[0].side), ` ${text("review.costliest")}`),
      course.lines.length > 1 && game.names.map((name, seat) => make("span", sideMark(game.sideOf(seat)), ` ${name}`)),
    ),
  );
}

/** Share the picture by the device's dialog, or save it. @param {string} title */
export async function sharePicture(title) {
  const svg = find(document, ".story-picture svg", SVGSVGElement);
  const canvas = /** @type {HTMLCanvasElement} */ (make("canvas"));
  const pen = canvas.getContext("2d");
  if (!svg || !pen) return;
  const scale = (IMAGE_WIDE - 2 * MARGIN) / svg.clientWidth;
  Object.assign(canvas, { width: IMAGE_WIDE, height: svg.clientHeight * scale + 2 * HEAD });
  const { backgroundColor, color, fontFamily } = getComputedStyle(svg.closest("figure") ?? svg);
  pen.fillStyle = backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  for (const one of all(svg, "path, text", SVGGraphicsElement)) {
    const { fill, stroke, strokeWidth, font, textAnchor } = getComputedStyle(one);
    pen.setTransform(new DOMMatrix([scale, 0, 0, scale, MARGIN, HEAD]).multiply(one.getCTM() ?? undefined));
    Object.assign(pen, { fillStyle: fill, strokeStyle: stroke, lineWidth: Number.parseFloat(strokeWidth), font });
    pen.textAlign = textAnchor === "end" ? "right" : "left";
    const path = new Path2D(one.getAttribute("d") ?? "");
    if (fill !== "none") pen.fill(path);
    if (stroke !== "none") pen.stroke(path);
    if (one instanceof SVGTextElement)
      pen.fillText(one.textContent ?? "", Number(one.getAttribute("x")), Number(one.getAttribute("y")));
  }
  pen.resetTransform();
  Object.assign(pen, { fillStyle: color, textAlign: "left", font: `600 60px ${fontFamily}` });
  pen.fillText(title, MARGIN, HEAD - 30, IMAGE_WIDE - 2 * MARGIN);
  pen.font = `600 30px ${fontFamily}`;
  pen.fillText(text("story.brand"), MARGIN, canvas.height - 36);
  const blob = await new Promise((done) => canvas.toBlob(done));
  const file = new File([blob], "fifteen-two.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file], title }).catch(() => {});
  download(file);
}
