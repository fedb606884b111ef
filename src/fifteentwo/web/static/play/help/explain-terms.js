// Terms of the game are explained at this table. The script is loaded at the first touch or key.

import { byId, isBrowserKey } from "../../elements.js";

let begun = false;

/** @param {Event} event */
async function begin(event) {
  if (begun) return;
  begun = true;
  const { explainTerms, openAll } = await import("../../words/terms.js");
  explainTerms(byId("table"));
  if (event instanceof KeyboardEvent && event.key === "w" && !isBrowserKey(event)) void openAll();
}

for (const touched of ["pointerdown", "keydown"]) addEventListener(touched, begin, { once: true });
