// Copy a link by pressing a button.

import { all, byId, find } from "./elements.js";
import { text } from "./text.js";

/** Make the copy buttons of all links on the page work. @returns {{place: HTMLElement, link: HTMLInputElement}[]} */
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
      // Copying failed: the link is selected, so that the user can copy it.
      byId("status").textContent = text("waiting_room.copy.by-hand");
    }
  });
}
