// The number of spectators, for players.

import { byId, make } from "../../elements.js";
import { addWords, text } from "../../text.js";

addWords(JSON.parse(byId("more-words").textContent ?? "{}"));

/** @param {number} number */
export function showNumber(number) {
  const words = text("spectate.number", { n: number });
  byId("spectate-tool").title = number ? words : "";
  byId("spectators").replaceChildren(
    ...(number ? [make("span", { "aria-hidden": "true" }, String(number)), make("span.visually-hidden", words)] : []),
  );
}
