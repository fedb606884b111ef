// Keep the screen awake while a game is scored, if the browser supports it.

const state = {
  /** @type {WakeLockSentinel | null} */
  lock: null,
  wanted: false,
  /** Only one request at a time; a second one would leave a lock behind. */
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
    // Refused because of a low battery or a missing touch: the next request may succeed.
    state.lock = null;
  } finally {
    state.asking = false;
  }
}

// Browsers release the lock when the page is hidden.
document.addEventListener("visibilitychange", () => {
  if (state.wanted) stayAwake(true);
});
document.addEventListener("pointerdown", () => {
  if (state.wanted && (!state.lock || state.lock.released)) stayAwake(true);
});
