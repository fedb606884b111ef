// A page of before an upgrade whose next part is no longer there begins again, as the version that is.

import { find } from "../elements.js";

/** Milliseconds a page must have stood: one that fails at once would begin again for ever. */
const STOOD_MS = 10_000;

addEventListener("unhandledrejection", async ({ reason }) => {
  // Every browser has its own words for it; all of them name the import.
  if (!(reason instanceof TypeError && /import/i.test(reason.message)) || performance.now() < STOOD_MS) return;
  const own = find(document, "script[src]", HTMLScriptElement)?.src;
  const answer = own && (await fetch(own, { method: "HEAD", cache: "no-store" }).catch(() => null));
  if (answer && answer.status === 404) location.reload();
});
