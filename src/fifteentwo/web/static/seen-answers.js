// The choices whose best cards this browser has named to the reader before the choice: by a hint's answer, or by the
// coach. The server sends all steps of a hint at once, so that only the browser knows which were read.

import { readStoredObject, store } from "./storage.js";

const STORAGE_KEY = "fifteentwo.answers";
/** Choices that are stored, the latest first: about ten games. */
const MAX_KEPT = 300;

/** Identify a choice at a table. @param {string} game @param {Pick<Wire.View, "deal" | "phase" | "hand" | "played">} view */
export const choiceKey = (game, { deal, phase, hand, played }) =>
  JSON.stringify([game, deal, phase, [...hand].sort().join(" "), played.length]);

/** @returns {string[]} */
function kept() {
  const { choices } = readStoredObject(STORAGE_KEY);
  return Array.isArray(choices) ? choices : [];
}

/** @param {string} key */
export const isAnswered = (key) => kept().includes(key);

/** @param {string} key */
export function keepAnswered(key) {
  if (!isAnswered(key)) store(STORAGE_KEY, JSON.stringify({ choices: [key, ...kept()].slice(0, MAX_KEPT) }));
}
