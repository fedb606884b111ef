// Copy a link by pressing a button, or share it by the device's dialog.

import { all, byId, find } from "./elements.js";
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

/**
 * Offer an address by the device's dialog to share, or copy it; without an address, the words. Return whether it is
 * in the clipboard.
 * @param {string} url @param {string} title @param {string} [words]
 */
export async function offer(url, title, words) {
  try {
    if (typeof navigator.share === "function") {
      await navigator.share({ title, ...(url && { url }), ...(words && { text: words }) });
      return false;
    }
  } catch (error) {
    // The user closed the dialog.
    if (error instanceof DOMException && error.name === "AbortError") return false;
  }
  try {
    await navigator.clipboard.writeText(url || (words ?? ""));
    return true;
  } catch {
    return false;
  }
}

/** Offer a result of the daily deal. The text is selected, so that it can be copied by hand. @param {string} button */
export const offersResult = (button) =>
  byId(button).addEventListener("click", async () => {
    const written = byId("share-text", HTMLTextAreaElement);
    written.select();
    const isCopied = await offer("", text("practice.daily.title"), written.value);
    const isShared = !isCopied && typeof navigator.share === "function";
    const words = text(isCopied ? "practice.daily.copied" : "practice.daily.copy.by-hand");
    byId("copied").textContent = isShared ? "" : words;
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
