// Asks the browser to keep the pages that need no server: pad, hand checker, rules, glossary, summary (sw.js).

/** @returns {Promise<void>} */
function keepPages() {
  if (!("serviceWorker" in navigator)) return new Promise(() => {});
  return navigator.serviceWorker
    .register("/sw.js", { scope: "/" })
    .then(() => navigator.serviceWorker.ready)
    .then(({ active }) => active?.state === "activated" || new Promise((resolve) => active?.addEventListener("statechange", resolve)))
    .then(() => {
      document.documentElement.dataset.offline = "ready";
    });
}

/** Once they are kept, the page says so in `data-offline` too. */
export const pagesKept = keepPages();
// A browser that keeps nothing shows the page all the same.
pagesKept.catch(() => {});
