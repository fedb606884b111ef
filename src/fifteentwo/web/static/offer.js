// Share an address or a text by the device's dialog, or copy it.

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
