// The lobby: ask every few seconds whether the tables have changed, and count the waiting minutes.

import { all, byId, find } from "../elements.js";
import { text, wordsInPage } from "../text.js";

const EVERY = 8000;
const lobby = byId("lobby");
const tables = byId("tables");
const { page = "1" } = lobby.dataset;
let etag = lobby.dataset.etag ?? "";

function countMinutes() {
  for (const place of all(tables, "[data-since]")) {
    const minutes = Math.max(0, Math.floor((Date.now() / 1000 - Number(place.dataset.since)) / 60));
    const words = minutes ? text("lobby.waits", { n: minutes }) : text("lobby.waits.now");
    if (place.textContent !== words) place.textContent = words;
  }
}

async function ask() {
  if (document.hidden) return;
  try {
    const answer = await fetch(`/lobby/tables?page=${page}`, { cache: "no-store", headers: { "If-None-Match": etag } });
    if (answer.status === 200) {
      etag = answer.headers.get("ETag") ?? "";
      const at =
        document.activeElement instanceof HTMLAnchorElement ? document.activeElement.getAttribute("href") : null;
      const before = new Set(all(tables, "[data-table]").map((one) => one.dataset.table));
      // Safe: the fragment comes from our own server, which escapes every name.
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
    // No connection at present: the next request may succeed.
  }
}

wordsInPage();
byId("by-itself").textContent = text("lobby.by-itself");
setInterval(ask, EVERY);
document.addEventListener("visibilitychange", ask);
countMinutes();
lobby.dataset.ready = "true";
