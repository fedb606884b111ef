// Keyboard focus at the table: it is kept between scenes and moves to the first control of the reader's turn.

import { byId, find } from "../../elements.js";

/** Note whether the reader uses the keyboard or a pointer. @param {Table.State} state */
export function noteInputDevice(state) {
  const note = (/** @type {Event} */ { type }) => {
    state.byKeyboard = type === "keydown";
    byId("table").toggleAttribute("data-keys", state.byKeyboard);
  };
  for (const type of ["keydown", "pointerdown"]) document.addEventListener(type, note, true);
}

/** Controls that get the focus in the reader's turn: the main button, or a card that can be chosen. */
const FIRST = [
  "#buttons [data-primary]:not(:disabled)",
  "#hand button:not([aria-disabled])",
  '[data-action="draw"][tabindex="0"]',
  '[data-action="name-dealer"]',
];

const firstAct = () => FIRST.map((selector) => find(document, selector)).find((act) => act?.checkVisibility());

/** After every drawing, move a lost focus to the first control; without one the felt keeps it. */
export function moveFocus() {
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

/** After the last choice by key, focus the main button. @param {Table.State} state */
export function focusMainButton(state) {
  if (state.byKeyboard) find(document, FIRST[0])?.focus({ preventScroll: true });
}
