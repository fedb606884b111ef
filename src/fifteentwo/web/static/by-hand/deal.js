// A deal entered from a real table: the starter, the cards played, the crib. Values only.
// A hand is not known until it is played, so whether a player could have played a card is for the person who enters it
// (`goes`), and for the server to check when the deal is whole.

import { countsFor } from "../cards/deck.js";

/**
 * @typedef {{dealer: number, starter: string | null, play: {card: string, who: number}[], crib: {card: string, who:
 *   number}[], goes: boolean}} EnteredDeal
 */

export const PLAYED = 8;
export const CRIB = 4;

/** @param {number} dealer 0 or 1 @returns {EnteredDeal} */
export const begin = (dealer) => ({ dealer, starter: null, play: [], crib: [], goes: false });

/** What is asked for next. @param {EnteredDeal} deal @returns {"starter" | "play" | "crib" | "whole"} */
export const asks = (deal) =>
  !deal.starter ? "starter" : deal.play.length < PLAYED ? "play" : deal.crib.length < CRIB ? "crib" : "whole";

/** The count after the cards played, and how many of them are in it. @param {EnteredDeal} deal */
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

/** Who is taken to do the next thing; `goes` turns it round. @param {EnteredDeal} deal */
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

/** Whether it can be reply that the one to play says go. @param {EnteredDeal} deal */
export function mayGo(deal) {
  const last = deal.play.at(-1);
  return asks(deal) === "play" && last !== undefined && [0, 1].every((who) => playedBy(deal.play, who) < PLAYED / 2);
}

/** All cards of the deal so far. @param {EnteredDeal} deal */
export const cards = (deal) => [
  ...(deal.starter ? [deal.starter] : []),
  ...deal.play.map((one) => one.card),
  ...deal.crib.map((one) => one.card),
];

/**
 * The deal with one more card; as it was where the card is out already, or none is asked for.
 * @param {EnteredDeal} deal @param {string} card @returns {EnteredDeal}
 */
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

/**
 * A card past 31 begins a new count, which the one who did not play last leads (R64).
 * @param {EnteredDeal} deal @param {string} card
 */
function whoPlays(deal, card) {
  const last = deal.play.at(-1);
  const { total } = count(deal);
  if (last && total < 31 && total + countsFor(card) > 31 && playedBy(deal.play, 1 - last.who) < PLAYED / 2)
    return 1 - last.who;
  return next(deal);
}

/** The deal after a player says go, or takes it back. @param {EnteredDeal} deal @returns {EnteredDeal} */
export const go = (deal) => (mayGo(deal) ? { ...deal, goes: !deal.goes } : deal);

/** Without the last thing entered. @param {EnteredDeal} deal @returns {EnteredDeal} */
export function back(deal) {
  if (deal.goes) return { ...deal, goes: false };
  if (deal.crib.length) return { ...deal, crib: deal.crib.slice(0, -1) };
  if (deal.play.length) return { ...deal, play: deal.play.slice(0, -1) };
  return { ...deal, starter: null };
}

/**
 * A card as HALSCRIB's notation has it: the second player's suits in small letters.
 * @param {{card: string, who: number}} one
 */
const signed = ({ card, who }) => (who ? card[0] + card[1].toLowerCase() : card);

/**
 * The game in HALSCRIB's notation, which is what the server reads.
 * @param {readonly string[]} names @param {readonly EnteredDeal[]} deals whole ones
 */
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
