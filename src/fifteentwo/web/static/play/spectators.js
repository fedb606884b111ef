// How many spectators a table has, shown to its players.

import { byId, make } from "../elements.js";
import { addWords, text } from "../text.js";

addWords(JSON.parse(byId("more-words").textContent ?? "{}"));

/** @param {number} number */
export function showNumber(number) {
  const words = text("spectate.number", { n: number });
  byId("watch-tool").title = number ? words : "";
  byId("looking-on").replaceChildren(
    ...(number
      ? [make("span", { "aria-hidden": "true" }, String(number)), make("span.visually-hidden", null, words)]
      : []),
  );
}
