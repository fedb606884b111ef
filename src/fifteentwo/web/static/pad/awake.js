// @ts-check
// Keep the screen awake while a game is scored, where the browser can.

/** @type {any} */
let lock = null;
let wanted = false;

export const canStayAwake = "wakeLock" in navigator;

/** @param {boolean} on */
export async function stayAwake(on) {
  wanted = on;
  if (!canStayAwake) return;
  try {
    if (on && document.visibilityState === "visible" && (!lock || lock.released)) lock = await navigator.wakeLock.request("screen");
    if (!on && lock) {
      await lock.release();
      lock = null;
    }
  } catch {
    // A low battery, or a browser that wants a touch first: the next one asks again.
    lock = null;
  }
}

// The browser lets go whenever the page is hidden.
document.addEventListener("visibilitychange", () => {
  if (wanted) stayAwake(true);
});
document.addEventListener("pointerdown", () => {
  if (wanted && (!lock || lock.released)) stayAwake(true);
});
