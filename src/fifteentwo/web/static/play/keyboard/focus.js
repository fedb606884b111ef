// Where the keyboard stands: never lost between scenes, and at the first act when it is the reader's move.

import { byId, find } from "../../elements.js";

/** Note whether the reader uses the keyboard or a pointer. @param {Table.State} state */
export function noteInput(state) {
  const note = (/** @type {Event} */ { type }) => {
    state.byKeyboard = type === "keydown";
  };
  for (const type of ["keydown", "pointerdown"]) document.addEventListener(type, note, true);
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
 * After every picture: a focus that stands nowhere, or waited on the felt, moves to the first act; while there is none,
 *   the
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

/** All that was to be chosen is chosen: on to the main button, after a choice by key. @param {Table.State} state */
export function leadOn(state) {
  if (state.byKeyboard) find(document, FIRST[0])?.focus({ preventScroll: true });
}
