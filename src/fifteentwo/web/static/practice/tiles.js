// The cards on the tiles of the practice page, and the progress of each set in this browser.

import { cardElement } from "../cards/cards.js";
import { all, find } from "../elements.js";
import { readStoredObject } from "../storage.js";
import { text, wordsInPage } from "../text.js";
import { drawRungs, storedLadder } from "./ladder.js";

wordsInPage();
for (const band of all(document, "[data-cards]")) {
  for (const card of (band.dataset.cards ?? "").split(" ").filter(Boolean))
    band.append(cardElement(card === "?" ? null : card, { size: "s" }));
}
drawRungs(storedLadder(all(document, "[data-ladder] i").length).rung);
const progress = readStoredObject("fifteentwo.practice.sets");
for (const link of all(document, "[data-theme-set]")) {
  const so = progress[link.dataset.themeSet ?? ""];
  const place = find(link, "[data-done]");
  if (!place || !Array.isArray(so) || !so[2]) continue;
  const last = String(so[2] ?? "");
  place.textContent = text("practice.last", { n: last.replaceAll("0", "").length, of: last.length });
}
