// Cards drawn next to words. The page contains their accessible names.

import { cardElement } from "../cards/cards.js";
import { all } from "../elements.js";

for (const place of all(document, "[data-cards]")) {
  const cards = (place.dataset.cards ?? "").split(" ");
  place.replaceChildren(...cards.map((card) => cardElement(card, { size: "fill" })));
}
