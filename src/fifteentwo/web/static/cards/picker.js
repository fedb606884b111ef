// All 52 cards as buttons with one Tab stop; arrow keys move between them.

import { suitElement } from "./cards.js";
import { all, isBrowserKey, make, pressed } from "../elements.js";
import { cardName } from "../text.js";
import { RANKS } from "./deck.js";

/** Suits in alternating colours. */
export const PICKED_SUITS = ["S", "H", "D", "C"];

/** The caller sets `aria-pressed` of chosen cards. @param {HTMLElement} host @param {(card: string) => void} pick */
export function drawPicker(host, pick) {
  const button = (/** @type {string} */ card) =>
    make(
      "button",
      { "data-card": card, tabindex: card === "AS" ? 0 : -1, "aria-label": cardName(card) },
      card[0] === "T" ? "10" : card[0],
      suitElement(card[1]),
    );
  host.append(
    ...PICKED_SUITS.map((suit) =>
      make(
        "div.picker-suit",
        [...RANKS].map((rank) => button(rank + suit)),
      ),
    ),
  );

  /** @param {HTMLElement} chosen */
  const rove = (chosen) => {
    for (const other of all(host, "button")) other.tabIndex = other === chosen ? 0 : -1;
    return chosen;
  };
  host.addEventListener("click", (event) => {
    const chosen = pressed(event, "button");
    if (!chosen) return;
    rove(chosen);
    pick(chosen.dataset.card ?? "");
  });
  host.addEventListener("keydown", (event) => {
    const buttons = all(host, "button");
    const at = buttons.findIndex((one) => one === event.target);
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13, Home: -(at % 13), End: 12 - (at % 13) };
    const by = steps[event.key];
    if (at < 0 || by === undefined || isBrowserKey(event)) return;
    event.preventDefault();
    rove(buttons[(at + by + 52) % 52]).focus();
  });
}

/** Mark the chosen cards. @param {HTMLElement} host @param {readonly (string | null)[]} cards */
export function showPicked(host, cards) {
  for (const button of all(host, "button"))
    button.setAttribute("aria-pressed", String(cards.includes(button.dataset.card ?? "")));
}
