// Words in the reader's language. Whole sentences about events come from the server.

import { byId, make } from "./elements.js";

/** @type {Record<string, string>} */
let catalogue = {};
/** Additional words of some pages. @type {Record<string, string>} */
const besides = {};
/** The language of the page; undefined in tests. */
export const lang = globalThis.document?.documentElement.lang ?? "en";

/** @param {Record<string, string>} words */
export function useWords(words) {
  catalogue = words;
}

/** @param {Record<string, string>} words */
export const addWords = (words) => Object.assign(besides, words);

export async function loadWords() {
  const answer = await fetch(`/i18n/${lang}.json`);
  useWords(await answer.json());
}

/** Use the words contained in the page, which work without a server. */
export const wordsInPage = () => useWords(JSON.parse(byId("words").textContent ?? "{}"));

/** Return a sentence with its values. @param {string} key @param {Record<string, string | number>} [values] */
export function text(key, values = {}) {
  // A sentence with a count may have a singular form.
  const sentence =
    (values.n === 1 && (catalogue[`${key}.one`] || besides[`${key}.one`])) || catalogue[key] || besides[key] || key;
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** Return the name of a card for screen readers and tooltips. @param {string} card "5H" */
export const cardName = (card) =>
  text("card.name", { rank: text(`card.rank.${card[0]}`), suit: text(`card.suit.${card[1]}`) });

/** @type {Record<string, string>} */
const SUITS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };

/** Return cards with their signs, for the eye: "10♠ 5♥". @param {string[]} cards */
export const cardSigns = (cards) =>
  cards
    .map(([letter, suit]) => {
      const rank = letter === "T" ? "10" : letter;
      const sign = Object.keys(SUITS).find((one) => SUITS[one] === suit) ?? "";
      return lang === "ja" ? sign + rank : rank + sign;
    })
    .join(" ");

/** Return a sentence with its cards in words, as it is spoken. @param {string} sentence */
export const aloud = (sentence) =>
  sentence.replace(/(?:(?:10|[2-9AJQK])[♠♥♦♣] ?)+|(?:[♠♥♦♣](?:10|[2-9AJQK])[、と]?)+/g, (cards) => {
    const names = [...cards.matchAll(/(10|[2-9AJQK])?([♠♥♦♣])(10|[2-9AJQK])?/g)].map(([, before, sign = "", after]) =>
      cardName(`${(before ?? after ?? "").replace("10", "T")}${SUITS[sign]}`),
    );
    return listed(names) + (/[ 、と]$/.exec(cards)?.[0] ?? "");
  });

/** Return a sentence with card signs for the eye and words for screen readers. @param {string} sentence */
export function readableCards(sentence) {
  const heard = aloud(sentence);
  if (heard === sentence) return [sentence];
  return [make("span", { "aria-hidden": "true" }, sentence), make("span.visually-hidden", heard)];
}

/** a, b and c. @param {string[]} names */
export function listed(names) {
  if (names.length < 3) return names.join(text("list.and"));
  return `${names.slice(0, -1).join(text("list.comma"))}${text("list.last")}${names.at(-1)}`;
}
