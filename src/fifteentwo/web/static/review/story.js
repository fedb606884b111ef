// A reviewed game: pictures restored from their differences, moments, and each seat's views.

/**
 * A view without a seat, with all cards.
 * @typedef {Omit<Wire.View, "seat" | "hand" | "kept" | "discarded"> & {hands: string[][], hands_kept: string[][],
 *   discarded: string[][], crib: string[]}} Picture
 *
 * @typedef {object} Moment
 * @property {number} first @property {number} last the actions it spans @property {number} deal
 * @property {number} before @property {number} after which pictures
 * @property {string[]} sentences @property {Table.Counted | null} counted
 *
 * @typedef {object} Option
 * @property {string} choice cards to discard, or the rank of one to play @property {number} points @property {number |
 *   null} win
 * @property {number} [hand] @property {number} [crib] @property {number} [play]
 *
 * @typedef {"small" | "mistake" | "blunder"} Mark
 *
 * @typedef {object} Decision
 * @property {number} deal @property {number} step @property {number} seat @property {"discard" | "play" | "claim" |
 *   "muggins"} kind
 * @property {number[]} score @property {string[]} hand @property {number | null} count @property {string | null} card
 * @property {string} chosen @property {string} best @property {number} loss_points @property {number | null} loss_win
 * @property {number | null} win @property {number | null} win_chosen @property {Mark | null} mark @property {boolean}
 *   obvious
 * @property {Option[]} options best first @property {string[]} why
 *
 * @typedef {{step: number, deal: number, win: number}} Point the chance of seat 0 after an action
 * @typedef {{deal: number, step: number, seat: number, kind: string, luck: number}} Luck
 *
 * @typedef {object} SeatTotal
 * @property {number} decisions @property {number} counted @property {number} loss_points @property {number | null}
 *   loss_win
 * @property {number | null} luck @property {number | null} rating @property {number | null} rating_error
 * @property {number | null} result @property {number | null} adjusted_result @property {number | null} luck_adjusted_result
 *   @property {string | null} band
 *
 * @typedef {{by_chance: boolean, curve: Point[], seats: SeatTotal[]}} Whole
 * @typedef {{names: string[], pictures: Partial<Picture>[], moments: Moment[]}} Story
 */

import { difference } from "../figures.js";

/** Whether a decision was about cards, not about claims. @param {Pick<Decision, "kind">} decision */
export const isOfCards = ({ kind }) => kind === "discard" || kind === "play";

/** Restore pictures, each from the one before. @param {Partial<Picture>[]} changes */
export function unfold(changes) {
  /** @type {Partial<Picture>} */
  let now = {};
  return changes.map((change) => /** @type {Picture} */ ((now = { ...now, ...change })));
}

/** Return a seat's view of a picture. @param {Picture} picture @param {number} seat @returns {Wire.View} */
export function viewFrom({ hands, hands_kept, discarded, crib, ...table }, seat) {
  return { ...table, seat, hand: hands[seat] ?? [], kept: hands_kept[seat] ?? [], discarded: discarded[seat] ?? [] };
}

/** Return the moment of an action, or the last one before it. @param {Moment[]} moments @param {number} step */
export function momentOf(moments, step) {
  const last = moments.findLast(({ first }) => first <= step);
  // Several moments may share an action; the first one shows it.
  return last ? moments.findIndex(({ first }) => first === last.first) : 0;
}

/** @param {Pick<Decision, "kind" | "hand" | "card" | "chosen">} decision @param {string} choice */
export function cardsOf({ kind, hand, card, chosen }, choice) {
  if (kind === "discard") return choice.split(" ");
  if (kind !== "play") return [];
  const held = choice === chosen && card ? card : hand.find(([rank]) => rank === choice);
  return held ? [held] : [];
}

/** Return the choice that consists of these cards, if any. @param {Decision} decision @param {string[]} cards */
export function choiceOf(decision, cards) {
  if (decision.kind === "play") return decision.options.find(({ choice }) => choice === cards[0]?.[0]);
  return decision.options.find(
    ({ choice }) =>
      choice.split(" ").length === cards.length && choice.split(" ").every((card) => cards.includes(card)),
  );
}

/** Return the loss of a choice, from printed figures. @param {Decision} decision @param {Option} option */
export function lossOf(decision, option) {
  const [best] = decision.options;
  return { win: lessWin(best.win, option.win), points: difference(best.points, option.points, 2) };
}

/** Return the lost win probability, from printed figures. @param {Decision} decision */
export const lostWin = ({ win, win_chosen }) => lessWin(win, win_chosen);

/** @param {number | null} best @param {number | null} other */
const lessWin = (best, other) =>
  best === null || other === null ? null : difference(100 * best, 100 * other, 1) / 100;

/** Return the cost of a decision, for sorting. @param {Decision} decision */
export const cost = ({ chosen, best, loss_win, loss_points }) => (chosen === best ? 0 : (loss_win ?? loss_points));

/**
 * Return the costly decisions, costliest first. Claims, whose cost is in points, come last.
 * @param {Decision[]} decisions @param {number | null} [seat]
 */
export function costliest(decisions, seat = null) {
  const costly = decisions.filter((one) => one.mark && (seat === null || one.seat === seat));
  const byChance = (/** @type {Decision} */ one) => (one.loss_win === null ? 0 : 1);
  return costly.sort((one, other) => byChance(other) - byChance(one) || cost(other) - cost(one));
}

/** Count the marks of a seat. @param {Decision[]} decisions @param {number} seat @returns {Record<Mark, number>} */
export function marksOf(decisions, seat) {
  const marks = { small: 0, mistake: 0, blunder: 0 };
  for (const { mark, seat: whose } of decisions) if (mark && whose === seat) marks[mark] += 1;
  return marks;
}

/**
 * Return the share of a seat's decisions that were practically best, among decisions that could be wrong.
 * @param {Decision[]} decisions @param {number} seat
 */
export function accuracyOf(decisions, seat) {
  const counted = decisions.filter((one) => one.seat === seat && !one.obvious);
  return { right: counted.filter((one) => !one.mark).length, of: counted.length };
}
