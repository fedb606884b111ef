// @ts-check
// The words of the page in the reader's language; whole sentences about events come ready-made over the wire.

/** @type {Record<string, string>} */
let catalogue = {};
export let lang = "en";

/** @param {string} language */
export async function loadWords(language) {
  lang = language;
  const answer = await fetch(`/i18n/${language}.json`);
  catalogue = await answer.json();
}

/**
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function say(key, values = {}) {
  // Where a sentence counts something, the singular stands beside it.
  const sentence = (values.n === 1 && catalogue[`${key}.one`]) || catalogue[key] || key;
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** The name of a card for ears and tooltips. @param {string} card "5H" */
export const cardName = (card) => say("card.name", { rank: say(`card.rank.${card[0]}`), suit: say(`card.suit.${card[1]}`) });

/** @param {string[]} names */
export function listed(names) {
  if (lang === "ja" || names.length < 3) return names.join(say("list.and"));
  return `${names.slice(0, -1).join(say("list.comma"))}${say("list.and")}${names.at(-1)}`;
}
