// What happened, in words: the last lines always in sight, the whole log one press away, each line announced.

import { all, byId, find, make } from "../elements.js";

const MOST = 200;

/** @param {string[]} lines */
export function beginLog(lines) {
  const log = byId("log");
  log.replaceChildren(...lines.filter(Boolean).map((line) => make("p", null, line)));
  settle(log);
}

/** @param {string | null | undefined} line */
export function tell(line) {
  if (!line) return;
  const log = byId("log");
  log.append(make("p", null, line));
  while (log.children.length > MOST) log.firstChild?.remove();
  settle(log);
}

/** The last line in sight; the one before it only where it is whole. @param {HTMLElement} log */
function settle(log) {
  const [third, before, last] = all(log, "p").slice(-3);
  for (const line of [third, before, last]) line?.classList.remove("is-past");
  const previous = last ? before : third;
  const newest = last ?? before;
  if (newest) previous.classList.toggle("is-past", previous.offsetHeight + newest.offsetHeight > log.clientHeight + 4);
  log.scrollTop = log.scrollHeight;
}

/** @param {boolean} [open] */
export function toggleLog(open) {
  const log = byId("log");
  const shown = open ?? !log.classList.contains("is-open");
  log.classList.toggle("is-open", shown);
  find(document, '[data-action="log"]')?.setAttribute("aria-expanded", String(shown));
  settle(log);
  if (shown) log.focus();
}

/** A turned phone, or one whose browser hides its bars, breaks the lines elsewhere. */
export const settleWithWindow = () => addEventListener("resize", () => byId("log").classList.contains("is-open") || settle(byId("log")));
