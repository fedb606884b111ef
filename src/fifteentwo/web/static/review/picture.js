// The picture of a game: its course, and below it what choices and cards gave; to look at and to share.

import { sideMark } from "../board/board.js";
import { all, byId, download, make, makeSvg } from "../elements.js";
import { cardSigns, text } from "../text.js";
import { toast } from "../toast.js";
import { courseNow } from "./course-panel.js";
import { courseDrawing, label, sideHead } from "./curve.js";
import { markShape } from "./figures.js";
import { balance } from "./headline.js";
import { bestHand, frontOf, namesOf, titleOf } from "./screens.js";

/** @typedef {import("./reviewed.js").Reviewed} Reviewed */

/** Size of the course and of a row below it, the place of 0 in it, and the length of a percentage point. */
const [WIDE, TALL, ROW, ZERO, POINT] = [320, 160, 24, 190, 0.55];
/** The picture to share: its size, its margin, the size of its course, and the pixels of one unit. */
const [POSTER, EDGE, COURSE, IMAGE_SCALE] = [{ width: 360, height: 480 }, 18, { width: 324, height: 176 }, 3];

/** Draw the course with the mistakes of the story, and the balance. @param {Reviewed} game @param {number[]} mistakes their steps */
export function storyPicture(game, mistakes) {
  const [course, parts] = [courseNow(game, "story"), balance(game)];
  const marks = course.marks.filter(({ step }) => mistakes.includes(step));
  const shapes = marks.filter(({ mark }, place) => marks.findIndex((one) => one.mark === mark) === place);
  const svg = courseDrawing(
    { ...course, marks, name: titleOf(game) },
    { width: WIDE, height: TALL + ROW * parts.length },
    TALL,
  );
  for (const [row, { words, figure, by }] of parts.entries()) {
    const y = TALL + ROW * row + 6;
    const end = ZERO + POINT * by;
    svg.append(
      label(4, y + 10, words, "course-words"),
      makeSvg("path", { fill: `var(--${by < 0 ? "warn" : "gain"})`, d: `M${ZERO} ${y}H${end}v12H${ZERO}z` }),
      makeSvg("path", { fill: "var(--line-strong)", d: `M${ZERO} ${y - 6}h1v24h-1z` }),
      label(end + (by < 0 ? -6 : 6), y + 10, figure, `course-words${by < 0 ? " course-words--end" : ""}`),
    );
  }
  return make(
    "figure.story-picture.surface.rounded.full-width.flush",
    svg,
    make(
      "figcaption.flex.wraps.centred.gap-x4.small",
      marks.length > 0 &&
        make("span", ...shapes.map(({ mark, side }) => markShape(mark, side)), ` ${text("review.costliest")}`),
      course.lines.length > 1 && game.names.map((name, seat) => make("span", sideMark(game.sideOf(seat)), ` ${name}`)),
    ),
  );
}

/** Draw the picture to share: names and points, the board with its pegs, the course, the best hand. @param {Reviewed} game */
function poster(game) {
  const { rules, rear } = game.pictures[game.pictures.length - 1];
  const front = frontOf(game);
  const svg = makeSvg("svg", { width: POSTER.width, height: POSTER.height, fill: "currentColor" });
  const end = POSTER.width - EDGE;
  const write = (
    /** @type {string} */ words,
    /** @type {number} */ x,
    /** @type {number} */ y,
    size = 13,
    more = {},
  ) => {
    svg.append(makeSvg("text", { x, y, "font-size": size, "font-weight": 600, ...more }));
    if (svg.lastChild) svg.lastChild.textContent = words;
  };
  write(text("story.brand"), EDGE, 26);
  write(byId("review").dataset.date ?? "", end, 26, 13, { "text-anchor": "end" });
  for (const [side, points] of front.entries()) {
    const x = EDGE + (side * (end - EDGE)) / (rules.sides - 1);
    const anchor = side ? (side < rules.sides - 1 ? "middle" : "end") : "start";
    write(namesOf(game, side), x, 56, 18, { "text-anchor": anchor });
    write(String(points), x, 104, 52, { "text-anchor": anchor });
  }
  const row = Math.min(rules.target - 1, 60);
  const apart = (end - EDGE) / (1.12 * row + 6);
  const lines = Math.ceil((rules.target - 1) / row);
  const high = 9 * rules.sides + 8;
  const hole = (/** @type {number} */ side, /** @type {number} */ n) => {
    // The last hole of the game is at the end of the last row.
    const at = n === rules.target ? row + 1 : n < 1 ? -3 : (n - 1) % row;
    const line = n === rules.target ? lines - 1 : Math.max(0, Math.floor((n - 1) / row));
    return [EDGE + apart * (4 + at + 0.6 * Math.floor(Math.max(at, 0) / 5)), 130 + 9 * side + high * line];
  };
  const holes = front.flatMap((_, side) => Array.from({ length: rules.target }, (_, n) => hole(side, n + 1)));
  svg.append(
    makeSvg("path", { d: `M${EDGE} 118H${end}V${118 + high * lines + 4}H${EDGE}Z`, fill: "var(--wood)" }),
    makeSvg("path", {
      ...{ stroke: "var(--hole)", "stroke-width": 2.6, "stroke-linecap": "round", fill: "none" },
      d: holes.map(([x, y]) => `M${x.toFixed(1)} ${y}h.01`).join(""),
    }),
    ...front.flatMap((points, side) =>
      [rear[side], points].map((n) => {
        const [x, y] = hole(side, n);
        return sideHead(side, x, y);
      }),
    ),
  );
  const below = 130 + high * lines;
  const course = makeSvg("g", { transform: `translate(${EDGE} ${below})` });
  course.append(...courseDrawing({ ...courseNow(game, "story"), marks: [] }, COURSE).children);
  svg.append(course);
  const hand = bestHand(game);
  if (!hand) return svg;
  const top = below + COURSE.height + 20;
  write(text("story.picture.hand", { n: hand.points }), EDGE, top);
  for (const [n, card] of [...hand.cards, hand.starter].entries()) {
    const x = EDGE + 62 * n + (n > 3 ? 14 : 0);
    svg.append(
      makeSvg("path", { d: `M${x} ${top + 10}h54v72h-54z`, fill: "var(--card)", stroke: "var(--line-strong)" }),
    );
    const ink = "HD".includes(card[1]) ? "var(--warn)" : "currentColor";
    write(cardSigns([card]), x + 27, top + 54, 24, { "text-anchor": "middle", fill: ink });
  }
  return svg;
}

/** Share the picture by the device's dialog, or save it. @param {Reviewed} game */
export async function sharePicture(game) {
  const canvas = /** @type {HTMLCanvasElement} */ (make("canvas.block"));
  const [pen, svg] = [canvas.getContext("2d"), poster(game)];
  if (!pen) return;
  const host = make("div.visually-hidden.story-picture.surface", svg);
  byId("story-screens").append(host);
  Object.assign(canvas, { width: IMAGE_SCALE * POSTER.width, height: IMAGE_SCALE * POSTER.height });
  const { backgroundColor, fontFamily } = getComputedStyle(host);
  pen.fillStyle = backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  const origin = svg.getScreenCTM()?.inverse();
  for (const one of all(svg, "path, text", SVGGraphicsElement)) {
    const { fill, stroke, strokeWidth, strokeLinecap, fontSize, fontWeight, textAnchor } = getComputedStyle(one);
    const place = origin?.multiply(one.getScreenCTM() ?? undefined);
    pen.setTransform(new DOMMatrix([IMAGE_SCALE, 0, 0, IMAGE_SCALE, 0, 0]).multiply(place));
    Object.assign(pen, { fillStyle: fill, strokeStyle: stroke, lineWidth: Number.parseFloat(strokeWidth) });
    Object.assign(pen, { lineCap: strokeLinecap, font: `${fontWeight} ${fontSize} ${fontFamily}` });
    pen.textAlign = textAnchor === "end" ? "right" : textAnchor === "middle" ? "center" : "left";
    const path = new Path2D(one.getAttribute("d") ?? "");
    if (fill !== "none") pen.fill(path);
    if (stroke !== "none") pen.stroke(path);
    if (one instanceof SVGTextElement)
      pen.fillText(one.textContent ?? "", Number(one.getAttribute("x")), Number(one.getAttribute("y")));
  }
  host.remove();
  const blob = await new Promise((done) => canvas.toBlob(done));
  const file = new File([blob], "fifteen-two.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] }))
    return navigator.share({ files: [file], title: titleOf(game) }).catch(() => {});
  download(file);
  toast(text("story.picture.saved"), canvas);
}
