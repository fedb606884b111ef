// What happened, in words: the last lines always in sight, the whole log one press away, each line announced.

import { all, byId, find, make } from "../elements.js";

const MOST = 200;
/** Lines shown on the felt, as many as there is room for. */
const LATEST = 3;

/** @param {string[]} lines */
export function beginLog(lines) {
  byId("log").replaceChildren(...lines.filter(Boolean).map((line) => make("p", null, line)));
  settle();
}

/** @param {string | null | undefined} line @param {{felt?: boolean}} [where] `felt`: whether it is shown there too */
export function tell(line, { felt = true } = {}) {
  if (!line) return;
  const log = byId("log");
  log.append(make("p", { "data-log-only": !felt }, line));
  while (log.children.length > MOST) log.firstChild?.remove();
  settle();
}

/** The newest in sight, in the log and on the felt. */
function settle() {
  const log = byId("log");
  log.scrollTop = log.scrollHeight;
  const lines = all(log, "p:not([data-log-only])")
    .slice(-LATEST)
    .map((line) => line.textContent);
  byId("latest").replaceChildren(...lines.reverse().map((line) => make("p", null, line)));
  for (const place of all(document, "[data-latest]")) place.textContent = latest();
}

/** The newest line. */
export const latest = () => byId("latest").firstElementChild?.textContent ?? "";

/** @param {boolean} [open] */
export function toggleLog(open) {
  const panel = byId("log-panel");
  const shown = open ?? !panel.classList.contains("is-open");
  if (shown === panel.classList.contains("is-open")) return;
  panel.classList.toggle("is-open", shown);
  byId("close-log").hidden = !shown;
  const button = find(document, '[data-action="log"]');
  button?.setAttribute("aria-expanded", String(shown));
  settle();
  if (shown) byId("log").focus();
  else if (panel.contains(document.activeElement)) button?.focus();
}

/** Whoever has the keyboard alone can scroll it, where there is anything to be seen. */
export const watchLog = () =>
  new ResizeObserver(([{ contentRect }]) => (byId("log").tabIndex = contentRect.height > 20 ? 0 : -1)).observe(
    byId("log"),
  );
