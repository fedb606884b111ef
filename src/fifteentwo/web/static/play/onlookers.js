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
/** What was seen last. @type {Desk | null} */
let seen = null;

/** Whose script comes late, after the first picture, sees that one too. @param {Onlooker} onlooker */
export function lookOn(onlooker) {
  onlookers.push(onlooker);
  if (seen) onlooker.picture?.(seen);
}

/** @param {Desk} desk */
export function seePicture(desk) {
  seen = desk;
  for (const { picture } of onlookers) picture?.(desk);
}

/** @param {"before" | "after"} when @param {Desk} desk @param {Wire.Event} event */
export async function seeEvent(when, desk, event) {
  for (const onlooker of onlookers) await onlooker[when]?.(desk, event);
}

/** @param {Wire.Score} score @param {Element} words where it is told */
export async function seeScore(score, words) {
  for (const { counted } of onlookers) await counted?.(score, words);
}
