// Keep the screen awake while a game is scored, where the browser can.

const state = {
  /** @type {WakeLockSentinel | null} */
  lock: null,
  wanted: false,
  /** Only one question at a time, or a lock would be left over. */
  asking: false,
};

export const canStayAwake = "wakeLock" in navigator;

/** @param {boolean} on */
export async function stayAwake(on) {
  state.wanted = on;
  if (!canStayAwake || state.asking) return;
  state.asking = true;
  try {
    if (state.wanted && document.visibilityState === "visible" && (!state.lock || state.lock.released))
      state.lock = await navigator.wakeLock.request("screen");
    if (!state.wanted && state.lock) {
      const held = state.lock;
      state.lock = null;
      await held.release();
    }
  } catch {
    // A low battery, or a browser that wants a touch first: the next one asks again.
    state.lock = null;
  } finally {
    state.asking = false;
  }
}

// The browser lets go whenever the page is hidden.
document.addEventListener("visibilitychange", () => {
  if (state.wanted) stayAwake(true);
});
document.addEventListener("pointerdown", () => {
  if (state.wanted && (!state.lock || state.lock.released)) stayAwake(true);
});
