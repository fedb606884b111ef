// An evening: show its changes every few seconds, and say that one's table is ready by the tab's title and a sound.

import { copied } from "../copying.js";
import { all, byId, find } from "../elements.js";
import { wordsInPage } from "../text.js";

const EVERY = 8000;
const now = byId("now");
const { title } = document;
let etag = "";

const ready = () => find(now, "[data-ready]", HTMLAnchorElement);

/** Whether the reader is filling in a field, which must not be replaced. */
const isFillingIn = () =>
  all(now, "input:not([type=hidden])", HTMLInputElement).some(
    (one) => one === document.activeElement || one.value !== one.defaultValue,
  );

function nameTab() {
  const words = ready()?.dataset.ready;
  document.title = words ? `● ${words} · ${title}` : title;
}

async function ask() {
  const before = ready()?.href;
  try {
    const answer = await fetch(location.href, { cache: "no-store", headers: { "If-None-Match": etag } });
    if (answer.status !== 200 || isFillingIn()) return;
    etag = answer.headers.get("ETag") ?? "";
    const next = find(new DOMParser().parseFromString(await answer.text(), "text/html"), "#now");
    const active = document.activeElement;
    const at = active instanceof HTMLAnchorElement && now.contains(active) ? active.getAttribute("href") : null;
    if (!next || next.innerHTML === now.innerHTML) return;
    now.replaceChildren(...next.childNodes);
    if (at) find(now, `a[href="${at}"]`, HTMLAnchorElement)?.focus({ preventScroll: true });
    nameTab();
    const own = ready();
    if (!own || own.href === before) return;
    byId("status").textContent = own.dataset.ready ?? "";
    (await import("../settings/sound.js")).SOUNDS.knock();
  } catch {
    // No connection at present: the next request may succeed.
  }
}

if (find(document, "#words")) {
  wordsInPage();
  copied();
}
nameTab();
setInterval(ask, EVERY);
document.addEventListener("visibilitychange", ask);
now.dataset.live = "true";
