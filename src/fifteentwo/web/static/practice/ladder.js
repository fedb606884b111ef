// The ladder as a value: problems that get harder with success.

import { all } from "../elements.js";
import { readStoredObject, store } from "../storage.js";

export const UP = 3;
export const DOWN = 2;
const FIELDS = ["rung", "right", "wrong", "streak", "best"];

/** @param {Record<string, unknown>} kept @param {number} rungs @returns {Practice.Ladder} */
export function left(kept, rungs) {
  const number = (/** @type {unknown} */ one) => (Number.isSafeInteger(one) ? Math.max(0, Number(one)) : 0);
  const [rung, right, wrong, streak, best] = FIELDS.map((name) => number(kept[name]));
  const done = Array.isArray(kept.done) ? kept.done.map(number) : [];
  return { rung: Math.min(rung, rungs - 1), right, wrong, streak, best, done };
}

const STORAGE_KEY = "fifteentwo.practice.ladder";

/** Return the stored ladder. @param {number} rungs */
export const storedLadder = (rungs) => left(readStoredObject(STORAGE_KEY), rungs);

/** @param {Practice.Ladder} ladder */
export const storeLadder = (ladder) => store(STORAGE_KEY, JSON.stringify(ladder));

/** Put the peg on a rung of every drawn ladder. @param {number} rung */
export function drawRungs(rung) {
  for (const ladder of all(document, "[data-ladder]"))
    all(ladder, "i").forEach((one, at) => {
      one.className = at === rung ? "is-here" : at < rung ? "is-lit" : "";
    });
}

/** @param {Practice.Ladder} ladder @param {boolean} isRight @param {number} rungs @returns {Practice.Ladder} */
export function after(ladder, isRight, rungs) {
  const done = Array.from({ length: rungs }, (_, rung) => (ladder.done[rung] ?? 0) + (rung === ladder.rung ? 1 : 0));
  const streak = isRight ? ladder.streak + 1 : 0;
  const [right, wrong] = isRight ? [ladder.right + 1, 0] : [0, ladder.wrong + 1];
  const next = right === UP ? ladder.rung + 1 : wrong === DOWN ? ladder.rung - 1 : ladder.rung;
  const rung = Math.min(Math.max(next, 0), rungs - 1);
  const best = Math.max(ladder.best, streak);
  return right === UP || wrong === DOWN
    ? { rung, right: 0, wrong: 0, streak, best, done }
    : { rung, right, wrong, streak, best, done };
}
