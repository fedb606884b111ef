// Asks the browser to keep the pages that need no server (sw.js): on every page, once it is there and at rest.

import "./outdated.js";

const MOST_MS = 5000;

/** When the page has loaded and has nothing to do. */
async function atRest() {
  if (document.readyState !== "complete")
    await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
  // Not every browser says when it is idle.
  if ("requestIdleCallback" in window)
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: MOST_MS }));
}

/** @returns {Promise<void>} */
async function keepPages() {
  if (!("serviceWorker" in navigator)) return new Promise(() => {});
  await atRest();
  await navigator.serviceWorker.register("/sw.js", { scope: "/" });
  const { active } = await navigator.serviceWorker.ready;
  if (active && active.state !== "activated")
    await new Promise((resolve) => active.addEventListener("statechange", resolve));
  document.documentElement.dataset.offline = "ready";
}

/** Once they are kept, the page says so in `data-offline` too. */
export const pagesKept = keepPages();
// A browser that keeps nothing shows the page all the same.
pagesKept.catch(() => {});
