// Scores in words, as in the log: the name and the cards.

import { cardName, listed, text } from "./text.js";

/** @typedef {Pick<Wire.Score, "name" | "cards" | "points">} Made */

/** "pair", "run of three": the names that a spoken count leaves out. @param {Pick<Made, "name" | "cards">} score */
export const scoreName = ({ name, cards }) =>
  name === "run" ? text("name.run-of", { length: text(`number.${cards.length}`) }) : text(`name.${name}`);

/** "fifteen: five of spades and jack of clubs, for 2" @param {Made} score */
export function scoreText(score) {
  const { name, cards, points } = score;
  if (!cards.length) return text(`score.without-cards.${name}`, { points });
  return text("score.with-cards", { name: scoreName(score), cards: listed(cards.map(cardName)), points });
}
