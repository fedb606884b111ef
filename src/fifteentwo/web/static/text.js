// The words of a page in the reader's language; whole sentences about events come ready-made over the wire.

import { byId, make } from "./elements.js";

/** @type {Record<string, string>} */
let catalogue = {};
/** More words, which some pages bring. @type {Record<string, string>} */
const besides = {};
/** The language of the page; tests have none. */
export const lang = globalThis.document?.documentElement.lang ?? "en";

/** Use these words from now on. @param {Record<string, string>} words */
export function speakIn(words) {
  catalogue = words;
}

/** @param {Record<string, string>} words */
export const addWords = (words) => Object.assign(besides, words);

/** All sentences of the page's language, from the server. */
export async function loadWords() {
  const answer = await fetch(`/i18n/${lang}.json`);
  speakIn(await answer.json());
}

/** Those that the page itself brings, so that it can stand without the server. */
export const wordsInPage = () => speakIn(JSON.parse(byId("words").textContent ?? "{}"));

/**
 * A sentence with its values filled in.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function text(key, values = {}) {
  // Where a sentence counts something, the singular stands next to it.
  const sentence =
    (values.n === 1 && (catalogue[`${key}.one`] || besides[`${key}.one`])) || catalogue[key] || besides[key] || key;
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** The name of a card for screen readers and tooltips. @param {string} card "5H" */
export const cardName = (card) =>
  text("card.name", { rank: text(`card.rank.${card[0]}`), suit: text(`card.suit.${card[1]}`) });

/** @type {Record<string, string>} */
const SUITS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };

/** A sentence as it is heard: every card that it has by signs, in words. @param {string} sentence */
export const aloud = (sentence) =>
  sentence.replace(/(?:(?:10|[2-9AJQK])[♠♥♦♣] ?)+|(?:[♠♥♦♣](?:10|[2-9AJQK])[、と]?)+/g, (cards) => {
    const names = [...cards.matchAll(/(10|[2-9AJQK])?([♠♥♦♣])(10|[2-9AJQK])?/g)].map(([, before, sign = "", after]) =>
      cardName(`${(before ?? after ?? "").replace("10", "T")}${SUITS[sign]}`),
    );
    return listed(names) + (/[ 、と]$/.exec(cards)?.[0] ?? "");
  });

/** Its cards by signs for the eye, in words for screen readers. @param {string} sentence */
export function seenAndHeard(sentence) {
  const heard = aloud(sentence);
  if (heard === sentence) return [sentence];
  return [make("span", { "aria-hidden": "true" }, sentence), make("span.visually-hidden", null, heard)];
}

/** a, b and c. @param {string[]} names */
export function listed(names) {
  if (names.length < 3) return names.join(text("list.and"));
  return `${names.slice(0, -1).join(text("list.comma"))}${text("list.last")}${names.at(-1)}`;
}
