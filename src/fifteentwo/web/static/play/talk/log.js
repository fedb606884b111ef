// The log: the latest lines are always visible, the whole log on request, and each line is announced.

import { all, byId, find, make } from "../../elements.js";
import { readableCards } from "../../text.js";

const MOST = 200;
const LATEST = 3;

/** @param {Table.State} state @param {string[]} lines */
export function beginLog(state, lines) {
  state.log = lines.filter(Boolean).map((words) => ({ words, felt: true }));
  byId("log").replaceChildren(...state.log.map(line));
  settle(state);
}

/** @param {Table.LogLine} line */
const line = ({ words, felt }) => make("p", { "data-log-only": !felt }, readableCards(words));

/**
 * @param {Table.State} state @param {string | null | undefined} words
 * @param {{felt?: boolean}} [where] `felt`: whether the felt shows the line too
 */
export function addToLog(state, words, { felt = true } = {}) {
  if (!words) return;
  const added = { words, felt };
  state.log = [...state.log, added].slice(-MOST);
  const log = byId("log");
  log.append(line(added));
  while (log.children.length > MOST) log.firstChild?.remove();
  settle(state);
}

/** Scroll to the newest line in the log and on the felt. @param {Table.State} state */
function settle(state) {
  const log = byId("log");
  log.scrollTop = log.scrollHeight;
  const newest = state.log.filter(({ felt }) => felt).slice(-LATEST);
  byId("latest").replaceChildren(...newest.reverse().map(({ words }) => make("p.flush.full-width.felt-quiet", words)));
  for (const place of all(document, "[data-latest]")) place.textContent = latest(state);
}

/** @param {Table.State} state */
export const latest = ({ log }) => log.findLast(({ felt }) => felt)?.words ?? "";

/** @param {boolean} [open] */
export function toggleLog(open) {
  const panel = byId("log-panel");
  const shown = open ?? !panel.classList.contains("is-open");
  if (shown === panel.classList.contains("is-open")) return;
  panel.classList.toggle("is-open", shown);
  byId("close-log").hidden = !shown;
  const button = find(document, '[data-action="log"]');
  button?.setAttribute("aria-expanded", String(shown));
  const log = byId("log");
  log.scrollTop = log.scrollHeight;
  if (shown) log.focus();
  else if (panel.contains(document.activeElement)) button?.focus();
}

export const followLog = () =>
  new ResizeObserver(([{ contentRect }]) => {
    byId("log").tabIndex = contentRect.height > 20 ? 0 : -1;
  }).observe(byId("log"));
