// Reload a page opened before an upgrade when one of its lazy scripts is gone.

/** Minimum age of the page in milliseconds: a page that fails at once would reload in a loop. */
const STOOD_MS = 10_000;

addEventListener("unhandledrejection", async ({ reason }) => {
  // Browsers word this error differently; all mention the import.
  if (!(reason instanceof TypeError && /import/i.test(reason.message)) || performance.now() < STOOD_MS) return;
  const own = [...document.scripts].find(({ src }) => src)?.src;
  const answer = own && (await fetch(own, { method: "HEAD", cache: "no-store" }).catch(() => null));
  if (answer && answer.status === 404) location.reload();
});
