// Who else looks on at this table: told of every picture, of every event before it is shown and after, and of every
// score of a hand as it is counted.

/** @typedef {import("./desk.js").Desk} Desk */
/**
 * @typedef {object} Onlooker
 * @property {(desk: Desk) => void} [picture]
 * @property {(desk: Desk, event: Wire.Event) => void | Promise<void>} [before]
 * @property {(desk: Desk, event: Wire.Event) => void | Promise<void>} [after]
 * @property {(score: Wire.Score, words: Element) => void | Promise<void>} [counted]
 */

/** @type {Onlooker[]} */
const onlookers = [];

/** @param {Onlooker} onlooker */
export const lookOn = (onlooker) => onlookers.push(onlooker);

/** @param {Desk} desk */
export const seePicture = (desk) => onlookers.forEach(({ picture }) => picture?.(desk));

/** @param {"before" | "after"} when @param {Desk} desk @param {Wire.Event} event */
export async function seeEvent(when, desk, event) {
  for (const onlooker of onlookers) await onlooker[when]?.(desk, event);
}

/** @param {Wire.Score} score @param {Element} words where it is told */
export async function seeScore(score, words) {
  for (const { counted } of onlookers) await counted?.(score, words);
}
