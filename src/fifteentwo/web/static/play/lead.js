// Where the keyboard stands: never lost between scenes, and at the first act when it is the reader's move.

import { byId, find } from "../elements.js";

let keyboard = false;
/** Whether the reader's last move was with the keyboard. */
export const byKeyboard = () => keyboard;

export function listenForHands() {
  document.addEventListener("keydown", () => (keyboard = true), true);
  document.addEventListener("pointerdown", () => (keyboard = false), true);
}

/** What the reader does first now: the main button, or a card of those that may be chosen. */
const FIRST = [
  "#buttons [data-primary]:not(:disabled)",
  "#hand button:not([aria-disabled])",
  '[data-action="draw"][tabindex="0"]',
  '[data-action="name-dealer"]',
];

const firstAct = () => FIRST.map((selector) => find(document, selector)).find((act) => act?.checkVisibility());

/**
 * After every picture: whoever stands nowhere, or waited on the felt, is led to the first act; while there is none, the
 *   felt keeps the place.
 */
export function leadFocus() {
  const felt = byId("felt");
  const now = document.activeElement;
  const waits =
    !now ||
    now === document.body ||
    now === felt ||
    (now.getAttribute("aria-disabled") === "true" && felt.contains(now));
  if (!waits || !document.hasFocus() || find(document, "dialog[open]")) return;
  const act = firstAct();
  if (act) act.focus({ preventScroll: true });
  else if (now !== felt && !felt.contains(now)) felt.focus({ preventScroll: true });
}

/** All that was to be chosen is chosen: on to the main button, for whoever chose by key. */
export function leadOn() {
  if (keyboard) find(document, FIRST[0])?.focus({ preventScroll: true });
}
