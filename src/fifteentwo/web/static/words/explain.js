// Terms of the game are explained at the table and in the lesson. The script is loaded at the first touch or key.

import { byId, find, isBrowserKey } from "../elements.js";

let begun = false;

/** @param {Event} event */
async function begin(event) {
  if (begun) return;
  begun = true;
  const { explainTerms, openAll } = await import("./terms.js");
  explainTerms(find(document, "#table") ?? byId("text"));
  if (event instanceof KeyboardEvent && event.key === "w" && !isBrowserKey(event)) void openAll();
}

for (const touched of ["pointerdown", "keydown"]) addEventListener(touched, begin, { once: true });
