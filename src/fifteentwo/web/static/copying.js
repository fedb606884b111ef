// Copy a link by pressing a button, or share it by the device's dialog.

import { all, byId, find } from "./elements.js";
import { offer } from "./offer.js";
import { text } from "./text.js";

/** Make the copy buttons of all links on the page work. @returns {{place: HTMLElement, link: HTMLInputElement}[]} */
export const copied = () =>
  all(document, "[data-place]").flatMap((place) => {
    const link = find(place, "[data-link]", HTMLInputElement);
    const copy = find(place, "[data-copy]", HTMLButtonElement);
    if (!link || !copy) return [];
    copies(link, copy);
    const share = find(place, "[data-share]", HTMLButtonElement);
    if (share) {
      share.hidden = typeof navigator.share !== "function";
      const words = share.dataset.share && text(share.dataset.share);
      share.addEventListener("click", () => void offer(link.value, text("waiting_room.share.title"), words));
    }
    return [{ place, link }];
  });

/** Offer a result of the daily deal. The text is selected, so that it can be copied by hand. @param {string} button */
export const offersResult = (button) =>
  byId(button).addEventListener("click", async () => {
    const written = byId("share-text", HTMLTextAreaElement);
    const details = written.closest("details");
    if (details) details.open = true;
    written.select();
    const isCopied = await offer("", text("practice.daily.title"), written.value);
    const isShared = !isCopied && typeof navigator.share === "function";
    const words = text(isCopied ? "practice.daily.copied" : "practice.daily.copy.by-hand");
    byId("copied").textContent = isShared ? "" : words;
    byId("copied").scrollIntoView({ block: "nearest" });
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
