// The cards on the tiles of the practice page.

import { cardElement } from "../cards.js";
import { all } from "../elements.js";
import "../offline.js";

for (const band of all(document, "[data-cards]")) {
  for (const card of (band.dataset.cards ?? "").split(" ").filter(Boolean)) band.append(cardElement(card === "?" ? null : card, { size: "s" }));
}
