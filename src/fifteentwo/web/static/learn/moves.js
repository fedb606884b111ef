// What moves in the lesson: a card to the cards played, cards to the crib. Loaded before the first answer, with the
// style of cards and verdicts.

import { cardElement } from "../cards/cards.js";
import { countsFor } from "../cards/deck.js";
import { all, byId, find } from "../elements.js";
import { loadStyleSheet } from "../lazy.js";
import { flyFrom, motion, pause } from "../settings/pace.js";
import { cardName } from "../text.js";
import { shownCard } from "./draw.js";

await loadStyleSheet("learn/answers");

/** Milliseconds of a card's flight to the crib. */
const FLIGHT = 320;

/** Milliseconds of a peg's move by one hole. */
export const holeTime = () => motion(70);

/** Move the card to the cards played and raise the count. @param {string} card @param {number} count */
export function play(card, count) {
  const button = all(byId("hand"), "button").find(({ dataset }) => dataset.card === card);
  const from = button?.getBoundingClientRect();
  button?.closest("li")?.remove();
  // The counts on the other cards are no longer true.
  for (const left of all(byId("hand"), "button")) {
    find(left, ".would")?.remove();
    left.classList.remove("is-dim");
    left.setAttribute("aria-label", cardName(left.dataset.card ?? ""));
  }
  const lying = shownCard(card);
  byId("played").append(lying);
  flyFrom(lying, from);
  byId("count").textContent = String(count + countsFor(card));
}

/** @param {string[]} cards */
export async function discard(cards) {
  const buttons = all(byId("hand"), "button");
  const chosen = buttons.filter(({ dataset }) => cards.includes(dataset.card ?? ""));
  const from = chosen.map((button) => button.getBoundingClientRect());
  for (const button of chosen) button.closest("li")?.remove();
  for (const button of buttons) button.setAttribute("aria-disabled", "true");
  const backs = cards.map(() => cardElement(null, { size: "fill" }));
  find(byId("crib"), ".learn-places")?.replaceChildren(...backs);
  backs.forEach((back, index) => flyFrom(back, from[index], FLIGHT, index * 60));
  await pause(motion(FLIGHT + 120));
}
