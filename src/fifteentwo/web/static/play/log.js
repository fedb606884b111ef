// @ts-check
// What happened, in words: the last lines always in sight, the whole log one press away, each line announced.

import { byId, make } from "./element.js";

const MOST = 200;

/** @param {string[]} lines */
export function beginLog(lines) {
  const log = byId("log");
  log.replaceChildren(...lines.filter(Boolean).map((line) => make("p", null, line)));
  log.scrollTop = log.scrollHeight;
}

/** @param {string | null | undefined} line */
export function tell(line) {
  if (!line) return;
  const log = byId("log");
  log.append(make("p", null, line));
  while (log.children.length > MOST) log.firstChild.remove();
  log.scrollTop = log.scrollHeight;
}

/** @param {boolean} [open] */
export function toggleLog(open) {
  const log = byId("log");
  const shown = open ?? !log.classList.contains("is-open");
  log.classList.toggle("is-open", shown);
  document.querySelector('[data-action="log"]')?.setAttribute("aria-expanded", String(shown));
  log.scrollTop = log.scrollHeight;
  if (shown) log.focus();
}
