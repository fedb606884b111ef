// Cards that stand next to words as pictures: what they are is written in the page, and stays their name.

import { cardElement } from "../cards/cards.js";
import { all } from "../elements.js";

for (const place of all(document, "[data-cards]")) {
  const cards = (place.dataset.cards ?? "").split(" ");
  place.replaceChildren(...cards.map((card) => cardElement(card, { size: "fill" })));
}
