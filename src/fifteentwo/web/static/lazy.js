// Words and style sheets that a table loads only when needed.

import { make } from "./elements.js";
import { addWords } from "./text.js";

/** @type {Map<string, Promise<void>>} */
const asked = new Map();

/** Load the words of a part once. @param {string} part */
export function loadMoreWords(part) {
  const words = asked.get(part) ?? load(part);
  asked.set(part, words);
  return words;
}

/** @param {string} part */
async function load(part) {
  const answer = await fetch(`/i18n/${document.documentElement.lang}.json?part=${part}`);
  if (!answer.ok) return void asked.delete(part);
  addWords(await answer.json());
}

/** Load a style sheet once; resolve when it is applied. @param {string} name */
export function loadStyleSheet(name) {
  const href = `/static/${name}.css`;
  const style = asked.get(href) ?? applied(make("link", { rel: "stylesheet", href }));
  asked.set(href, style);
  return style;
}

/** @param {HTMLElement} link @returns {Promise<void>} */
const applied = (link) =>
  new Promise((done) => {
    link.onload = link.onerror = () => done();
    document.head.append(link);
  });
