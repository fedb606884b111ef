// A pad of digits for the points of a hand.

import { make } from "../elements.js";
import { text } from "../text.js";

/** The points of the best hand. */
const MAX_POINTS = 29;

/** Return the typed number after a key. A digit that would pass 29 begins a new number. @param {string} typed @param {string} key */
export function typedAfter(typed, key) {
  if (key === "Backspace") return typed.slice(0, -1);
  const number = Number(typed + key);
  return String(number > MAX_POINTS ? Number(key) : number);
}

/** Return buttons that pass a digit or "Backspace" on. @param {(key: string) => void} type */
export const digitPad = (type) =>
  [..."123456789", "Backspace", "0"].map((key) =>
    make(
      "button.button",
      {
        type: "button",
        "data-key": key,
        "aria-label": key === "Backspace" ? text("practice.count.back") : null,
        onclick: () => type(key),
      },
      key === "Backspace" ? "⌫" : key,
    ),
  );
