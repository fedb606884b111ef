// One picture of a game to look at and to share: the score, the course, and how much play and cards decided.

import { download, make } from "../elements.js";
import { text } from "../text.js";
import { courseNow } from "./course-panel.js";
import { signed } from "./figures.js";
import { titleOf } from "./screens.js";

/** @typedef {import("./reviewed.js").Reviewed} Reviewed */

const [WIDE, TALL, EDGE, HEAD] = [1080, 720, 72, 112];
const [FELT, CREAM, QUIET, GAIN, LOSS] = ["#2c4f43", "#f7f3e8", "#a9bfb4", "#f2c14e", "#f09a86"];
const SIDES = ["#e8695f", "#f4ecd8", "#7fb0ee", "#e0a526"];
const FACE = "system-ui, sans-serif";

/** Return what play and cards gave this side in percentage points, both together half of 100. @param {Reviewed} game */
export function shares(game) {
  const total = game.whole?.seats[game.seat];
  if (!total || total.result === null || total.adjusted_result === null) return null;
  const play = Math.round(100 * Math.min(Math.max(total.adjusted_result, 0), 1)) - 50;
  return { play, cards: 100 * total.result - 50 - play };
}

/** Describe the picture for screen readers. @param {Reviewed} game */
export const pictureWords = (game) => [titleOf(game), ...balance(game).map(({ words }) => words)].join(". ");

/** @param {Reviewed} game */
function balance(game) {
  const both = shares(game);
  if (!both) return [];
  return /** @type {const} */ (["play", "cards"]).map((what) => ({
    words: text(`story.picture.${what}`, { n: signed(both[what], 0) }),
    by: both[what],
  }));
}

/** Draw the picture, without its head where the page says the score. @param {HTMLCanvasElement} canvas @param {Reviewed} game @param {number} [cut] */
export function drawPicture(canvas, game, cut = HEAD) {
  Object.assign(canvas, { width: WIDE, height: TALL - cut });
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const line = (/** @type {string} */ colour, /** @type {number} */ thick, /** @type {number[][]} */ points) => {
    Object.assign(pen, { strokeStyle: colour, lineWidth: thick, lineJoin: "round" });
    pen.beginPath();
    for (const [x, y] of points) pen.lineTo(x, y);
    pen.stroke();
  };
  const words = (
    /** @type {string} */ said,
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ size,
    colour = CREAM,
  ) => {
    Object.assign(pen, { fillStyle: colour, font: `600 ${size}px ${FACE}` });
    pen.fillText(said, x, y, WIDE - 2 * EDGE);
  };
  pen.translate(0, -cut);
  pen.fillStyle = FELT;
  pen.fillRect(0, 0, WIDE, TALL);
  if (!cut) words(titleOf(game), EDGE, HEAD, 72);
  const parts = balance(game);
  const [top, floor] = [160, parts.length ? 420 : 610];
  const [course, last] = [courseNow(game), game.lastTold];
  const y = (/** @type {number} */ value) => floor - ((floor - top) * value) / course.top;
  const x = (/** @type {number} */ step) => EDGE + ((WIDE - 2 * EDGE) * (step + 1)) / (last + 1);
  for (const value of course.rules)
    line(QUIET, value === course.middle ? 3 : 1, [
      [EDGE, y(value)],
      [WIDE - EDGE, y(value)],
    ]);
  for (const { side, points } of course.lines)
    line(
      course.lines.length > 1 ? SIDES[side] : CREAM,
      7,
      points.filter(({ step }) => step <= last).map(({ step, value }) => [x(step), y(value)]),
    );
  for (const [row, { words: said, by }] of parts.entries()) {
    const [low, at] = [WIDE / 2 + ((WIDE - 2 * EDGE) * Math.min(0, by)) / 100, 482 + 104 * row];
    words(said, EDGE, at + 12, 44);
    pen.fillStyle = by < 0 ? LOSS : GAIN;
    pen.fillRect(low, at + 26, Math.max(((WIDE - 2 * EDGE) * Math.abs(by)) / 100, 4), 26);
    line(QUIET, 3, [
      [WIDE / 2, at + 22],
      [WIDE / 2, at + 60],
    ]);
  }
  words(text("story.brand"), EDGE, TALL - 22, 30, QUIET);
}

/** Share the picture by the device's dialog, or save it. @param {Reviewed} game @param {string} title */
export async function sharePicture(game, title) {
  const canvas = /** @type {HTMLCanvasElement} */ (make("canvas"));
  drawPicture(canvas, game, 0);
  const blob = await new Promise((done) => canvas.toBlob(done));
  const file = new File([blob], "fifteen-two.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file], title }).catch(() => {});
  download(file);
}
