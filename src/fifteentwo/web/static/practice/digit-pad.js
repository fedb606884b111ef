// The buttons of a pad of digits.

import { make } from "../elements.js";
import { text } from "../text.js";

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
