// A message in the corner that disappears by itself.

import { byId, make } from "./elements.js";

/** @param {HTMLElement} node @param {number} ms */
function show(node, ms) {
  byId("toasts").replaceChildren(node);
  setTimeout(() => node.remove(), ms);
}

/** @param {...(string | Node)} words */
export const toast = (...words) => show(make("p.toast", words), 4000);

/** @param {string} words */
export const warn = (words) => show(make("div.toast.toast--warn", words), 6000);
