// Keep the screen awake while a game is scored, where the browser can.

/** @type {WakeLockSentinel | null} */
let lock = null;
let wanted = false;
/** Only one question at a time, or a lock would be left over. */
let asking = false;

export const canStayAwake = "wakeLock" in navigator;

/** @param {boolean} on */
export async function stayAwake(on) {
  wanted = on;
  if (!canStayAwake || asking) return;
  asking = true;
  try {
    if (wanted && document.visibilityState === "visible" && (!lock || lock.released))
      lock = await navigator.wakeLock.request("screen");
    if (!wanted && lock) {
      const held = lock;
      lock = null;
      await held.release();
    }
  } catch {
    // A low battery, or a browser that wants a touch first: the next one asks again.
    lock = null;
  } finally {
    asking = false;
  }
}

// The browser lets go whenever the page is hidden.
document.addEventListener("visibilitychange", () => {
  if (wanted) stayAwake(true);
});
document.addEventListener("pointerdown", () => {
  if (wanted && (!lock || lock.released)) stayAwake(true);
});
