// Explain why cards that nearly score make nothing, with the results, order and words of `rules/near_misses.py`.
// tests/web/count.test.mjs compares them.

import { RANKS, countsFor } from "../cards/deck.js";
import { text } from "../text.js";

/** Runs around the corner, which score nothing: the ace is low (R8). */
const CORNERS = ["QKA", "KA2"];
/** @type {Record<string, string>} */
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** Write cards with suit signs, as the server does. @param {string[]} cards */
const signs = (cards) =>
  cards
    .map((card) => text("card", { rank: card[0].replace("T", "10"), sign: SIGNS[card[1]] }))
    .join(text(cards.length === 2 ? "list.two-cards" : "list.cards"));

/** @param {string} why @param {string[]} [cards] @param {number} [count] */
const sentence = (why, cards = [], count = 0) => text(`nothing.${why}`, { cards: signs(cards), count });

/** @param {string[]} cards */
function corner(cards) {
  const ranks = CORNERS.find((one) => [...one].every((rank) => cards.some((card) => card[0] === rank)));
  return ranks
    ? [
        sentence(
          "corner",
          cards.filter((card) => ranks.includes(card[0])),
        ),
      ]
    : [];
}

/** @param {string[]} hand @param {string} starter @param {boolean} crib */
export function nothingInHand(hand, starter, crib) {
  const alike = hand.filter((card) => card[1] === starter[1]);
  const flush =
    crib && hand.every((card) => card[1] === hand[0][1])
      ? [sentence("crib-flush", hand)]
      : hand.length === 4 && alike.length === 3
        ? [sentence("starter-flush", [...alike, starter])]
        : [];
  const jacks = hand.filter((card) => card[0] === "J").map((card) => sentence("jack", [card]));
  return [sentence("hand"), ...flush, ...corner([...hand, starter]), ...jacks];
}

/** Explain why the last card of a count pegs nothing. @param {string[]} played */
export function nothingInPlay(played) {
  const last = played[played.length - 1];
  const mate = played.slice(0, -1).findLast((card) => card[0] === last[0]);
  const run = runWith(played);
  const count = played.reduce((sum, card) => sum + countsFor(card), 0);
  return [
    sentence("card", [last], count),
    ...(mate ? [sentence("broken-pair", [mate, last])] : []),
    ...(run.length ? [sentence("broken-run", run)] : []),
    ...corner(played.slice(-3)),
  ];
}

/** Return whether three or more of the cards, the last one included, are consecutive. @param {string[]} played */
function runWith(played) {
  const latest = new Map(played.map((card) => [RANKS.indexOf(card[0]), card]));
  let low = RANKS.indexOf(played[played.length - 1][0]);
  let high = low;
  while (latest.has(low - 1)) low -= 1;
  while (latest.has(high + 1)) high += 1;
  if (high - low < 2) return [];
  return Array.from({ length: high - low + 1 }, (_, at) => latest.get(low + at) ?? "");
}
