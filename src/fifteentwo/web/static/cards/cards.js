// Playing cards as elements. Only cards/faces.js draws them.

import { backMarkup, faceMarkup, spriteMarkup, suitMarkup } from "./faces.js";
import { readCard } from "./deck.js";
import { find, make, makeSvg } from "../elements.js";

function ensureSprite() {
  if (find(document, "#ft-sprite")) return;
  const sprite = make("div.sprite", { id: "ft-sprite", "aria-hidden": "true" });
  sprite.innerHTML = spriteMarkup();
  document.body.prepend(sprite);
}

/**
 * Create one card. `label` is its accessible name in the page's language; a card inside a named button has none.
 * @param {string | null} text "5H", "TC" …; null or "" for a face-down card
 * @param {{faceDown?: boolean, size?: "s" | "m" | "l" | "fill", largePrint?: boolean, fourColour?: boolean, label?:
 *   string}} [options]
 * @returns {SVGSVGElement}
 */
export function cardElement(text, options = {}) {
  ensureSprite();
  const svg = makeSvg("svg", {
    viewBox: "0 0 250 350",
    class: `card card--${options.size ?? "m"}`,
    ...(options.label ? { role: "img", "aria-label": options.label } : { "aria-hidden": "true" }),
    focusable: "false",
  });
  if (!text || options.faceDown) {
    svg.classList.add("card--back");
    svg.innerHTML = backMarkup();
    return svg;
  }
  const { rank, suit } = readCard(text);
  svg.dataset.card = rank + suit;
  svg.dataset.suit = suit;
  if (options.fourColour) svg.classList.add("card--four");
  if (options.largePrint) svg.classList.add("card--large-print");
  svg.innerHTML = faceMarkup(rank, suit, options);
  return svg;
}

/** Create a suit symbol for text and buttons. @param {string} suit one of C, D, H, S @returns {SVGSVGElement} */
export function suitElement(suit) {
  ensureSprite();
  const svg = makeSvg("svg", { viewBox: "0 0 100 100", class: "suit", "aria-hidden": "true" });
  svg.dataset.suit = suit;
  svg.innerHTML = suitMarkup(suit);
  return svg;
}
