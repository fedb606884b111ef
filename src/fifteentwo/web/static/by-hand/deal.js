// A deal entered from a real table, as a value: the starter, the cards played, the crib. Hands are unknown until they
// are played. So the user says whether a player could not play (`goes`), and the server checks the whole deal.

import { countsFor } from "../cards/deck.js";

export const PLAYED = 8;
export const CRIB = 4;

/** @param {number} dealer 0 or 1 @returns {ByHand.Deal} */
export const begin = (dealer) => ({ dealer, starter: null, play: [], crib: [], goes: false });

/** Return the next thing to enter. @param {ByHand.Deal} deal @returns {"starter" | "play" | "crib" | "whole"} */
export const asks = (deal) =>
  !deal.starter ? "starter" : deal.play.length < PLAYED ? "play" : deal.crib.length < CRIB ? "crib" : "whole";

/** Return the present count and its number of cards. @param {ByHand.Deal} deal */
export function count(deal) {
  let [total, cards] = [0, 0];
  for (const { card } of deal.play) {
    const value = countsFor(card);
    if (total + value > 31 || total === 31) [total, cards] = [0, 0];
    total += value;
    cards += 1;
  }
  return { total, cards };
}

/** @param {{who: number}[]} cards @param {number} who */
const playedBy = (cards, who) => cards.filter((one) => one.who === who).length;

/** Return the expected next player; `goes` changes it. @param {ByHand.Deal} deal */
export function next(deal) {
  const pone = 1 - deal.dealer;
  if (asks(deal) === "crib") return deal.crib.length < CRIB / 2 ? pone : deal.dealer;
  const last = deal.play.at(-1);
  if (!last) return pone;
  const other = 1 - last.who;
  if (playedBy(deal.play, other) === PLAYED / 2) return last.who;
  if (playedBy(deal.play, last.who) === PLAYED / 2) return other;
  return deal.goes ? last.who : other;
}

/** Whether the next player can say go now. @param {ByHand.Deal} deal */
export function mayGo(deal) {
  const last = deal.play.at(-1);
  return asks(deal) === "play" && last !== undefined && [0, 1].every((who) => playedBy(deal.play, who) < PLAYED / 2);
}

/** @param {ByHand.Deal} deal */
export const cards = (deal) => [
  ...(deal.starter ? [deal.starter] : []),
  ...deal.play.map((one) => one.card),
  ...deal.crib.map((one) => one.card),
];

/** A card that is out already changes nothing. @param {ByHand.Deal} deal @param {string} card @returns {ByHand.Deal} */
export function enter(deal, card) {
  if (cards(deal).includes(card)) return deal;
  switch (asks(deal)) {
    case "starter":
      return { ...deal, starter: card };
    case "play":
      return { ...deal, play: [...deal.play, { card, who: whoPlays(deal, card) }], goes: false };
    case "crib":
      return { ...deal, crib: [...deal.crib, { card, who: next(deal) }] };
    default:
      return deal;
  }
}

/** Past 31 the player who did not play last leads (R64). @param {ByHand.Deal} deal @param {string} card */
function whoPlays(deal, card) {
  const last = deal.play.at(-1);
  const { total } = count(deal);
  if (last && total < 31 && total + countsFor(card) > 31 && playedBy(deal.play, 1 - last.who) < PLAYED / 2)
    return 1 - last.who;
  return next(deal);
}

/** Record or remove a go. @param {ByHand.Deal} deal @returns {ByHand.Deal} */
export const go = (deal) => (mayGo(deal) ? { ...deal, goes: !deal.goes } : deal);

/** Remove the last entry. @param {ByHand.Deal} deal @returns {ByHand.Deal} */
export function back(deal) {
  if (deal.goes) return { ...deal, goes: false };
  if (deal.crib.length) return { ...deal, crib: deal.crib.slice(0, -1) };
  if (deal.play.length) return { ...deal, play: deal.play.slice(0, -1) };
  return { ...deal, starter: null };
}

/** Write a card in HALSCRIB's notation. @param {{card: string, who: number}} one */
const signed = ({ card, who }) => (who ? card[0] + card[1].toLowerCase() : card);

/** @param {readonly string[]} names @param {readonly ByHand.Deal[]} deals whole deals */
export const written = (names, deals) =>
  [
    `Player A: ${names[0]} (UPPER CASE)`,
    `Player B: ${names[1]} (lower case)`,
    "Muggins Game: N",
    ...deals.map(
      (deal, at) => `Deal ${at + 1}: ${[deal.starter, ...deal.play.map(signed), ...deal.crib.map(signed)].join(" ")}`,
    ),
    "",
  ].join("\n");
