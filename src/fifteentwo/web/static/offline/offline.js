// Ask the browser to store the pages that work without a server (sw.js), once a page is loaded and idle.

import "./outdated.js";

const MOST_MS = 5000;

async function atRest() {
  if (document.readyState !== "complete")
    await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
  // Safari has no requestIdleCallback.
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

/** Resolve when the pages are stored; `data-offline` says so too. */
export const pagesKept = keepPages();
// A browser that stores nothing still shows the page.
pagesKept.catch(() => {});
