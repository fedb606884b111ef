// A link that is copied by a press.

import { all, byId, find } from "./elements.js";
import { text } from "./text.js";

/**
 * Every link of the page with its place, its button made to copy it.
 * @returns {{place: HTMLElement, link: HTMLInputElement}[]}
 */
export const copied = () =>
  all(document, "[data-place]").flatMap((place) => {
    const link = find(place, "[data-link]", HTMLInputElement);
    const copy = find(place, "[data-copy]", HTMLButtonElement);
    if (!link || !copy) return [];
    copies(link, copy);
    return [{ place, link }];
  });

/** @param {HTMLInputElement} link @param {HTMLButtonElement} copy */
function copies(link, copy) {
  link.addEventListener("focus", () => link.select());
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
      copy.textContent = text("waiting_room.copied");
      byId("status").textContent = text("waiting_room.copied");
    } catch {
      // It stands selected: the keyboard, or a long press, copies it.
      byId("status").textContent = text("waiting_room.copy.by-hand");
    }
  });
}
