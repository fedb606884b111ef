// The deck: letters for ranks and suits, reading and sorting cards.

export const RANKS = "A23456789TJQK";
export const SUITS = "CDHS";

/** From ace to king. @param {string} one @param {string} other */
export const byRank = (one, other) => RANKS.indexOf(one[0]) - RANKS.indexOf(other[0]);

/** Return the chosen cards after a press on a card; the last `most` stay. @param {string[]} chosen @param {string} card @param {number} [most] */
export const toggled = (chosen, card, most = 52) =>
  chosen.includes(card) ? chosen.filter((other) => other !== card) : [...chosen, card].slice(-most);

/** Return what a card adds to the count (R7). @param {string} card */
export const countsFor = (card) => Math.min(RANKS.indexOf(card[0]) + 1, 10);

/** Return rank and suit of a card; "10H" is read as "TH". @param {string} text */
export function readCard(text) {
  const [rank, suit] = [text.slice(0, -1).replace("10", "T"), text.slice(-1)];
  if (rank.length !== 1 || !RANKS.includes(rank) || !SUITS.includes(suit))
    throw new RangeError(`no such card: ${text}`);
  return { rank, suit };
}
