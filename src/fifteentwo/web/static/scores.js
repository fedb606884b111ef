// Scores in words, as in the log: what each is called, and the cards that make it.

import { cardName, listed, say } from "./say.js";

/** @typedef {Pick<Wire.Score, "name" | "cards" | "points">} Made */

/** "pair", "run of three": what the spoken numbers of a run leave out. @param {Pick<Made, "name" | "cards">} score */
export const scoreName = ({ name, cards }) =>
  name === "run" ? say("name.run-of", { length: say(`number.${cards.length}`) }) : say(`name.${name}`);

/** "fifteen: five of spades and jack of clubs, for 2" @param {Made} score */
export function scoreText(score) {
  const { name, cards, points } = score;
  if (!cards.length) return say(`score.without-cards.${name}`, { points });
  return say("score.with-cards", { name: scoreName(score), cards: listed(cards.map(cardName)), points });
}

/** Scores of one name on a chip: "Fifteen × 2: 4". @param {{name: string, points: number, times: number}} kind */
export const kindText = ({ name, points, times }) =>
  say(times > 1 ? "score.times" : "score.once", { name: say(`score.${name}`), n: times, points });
