// The lobby while it is open: asks every few seconds whether the tables have changed, and counts the minutes.

import { all, byId, find } from "../elements.js";
import { text, wordsInPage } from "../text.js";

const EVERY = 8000;
const lobby = byId("lobby");
const tables = byId("tables");
const { page = "1" } = lobby.dataset;
let etag = lobby.dataset.etag ?? "";

/** How long each table has waited, as the page counts it. */
function countMinutes() {
  for (const place of all(tables, "[data-since]")) {
    const minutes = Math.max(0, Math.floor((Date.now() / 1000 - Number(place.dataset.since)) / 60));
    const words = minutes ? text("lobby.waits", { n: minutes }) : text("lobby.waits.now");
    if (place.textContent !== words) place.textContent = words;
  }
}

/** The tables as they are now, where they have changed; the keyboard stays where it was. */
async function ask() {
  if (document.hidden) return;
  try {
    const answer = await fetch(`/lobby/tables?page=${page}`, { cache: "no-store", headers: { "If-None-Match": etag } });
    if (answer.status === 200) {
      etag = answer.headers.get("ETag") ?? "";
      const at =
        document.activeElement instanceof HTMLAnchorElement ? document.activeElement.getAttribute("href") : null;
      const before = new Set(all(tables, "[data-table]").map((one) => one.dataset.table));
      // Our own server's page, in which every name stands as text.
      tables.innerHTML = await answer.text();
      if (at) find(tables, `a[href="${at}"]`, HTMLAnchorElement)?.focus({ preventScroll: true });
      const now = all(tables, "[data-table]");
      const added = now.filter((one) => !before.has(one.dataset.table));
      if (added.length || now.length < before.size)
        byId("status").textContent =
          added.map((one) => find(one, "h2")?.textContent).join(" ") || text("lobby.tables", { n: now.length });
    }
    countMinutes();
  } catch {
    // No line just now: it asks again.
  }
}

wordsInPage();
byId("by-itself").textContent = text("lobby.by-itself");
setInterval(ask, EVERY);
document.addEventListener("visibilitychange", ask);
countMinutes();
lobby.dataset.ready = "true";
