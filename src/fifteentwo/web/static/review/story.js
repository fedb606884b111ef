// A reviewed game: pictures restored from their differences, moments, and each seat's views.

import { difference } from "../figures.js";

/** Whether a decision was about cards, not about claims. @param {Pick<Review.Decision, "kind">} decision */
export const isOfCards = ({ kind }) => kind === "discard" || kind === "play";

/** Restore pictures, each from the one before. @param {Partial<Review.Picture>[]} changes */
export function unfold(changes) {
  /** @type {Partial<Review.Picture>} */
  let now = {};
  return changes.map((change) => /** @type {Review.Picture} */ ((now = { ...now, ...change })));
}

/** Return a seat's view of a picture. @param {Review.Picture} picture @param {number} seat @returns {Wire.View} */
export function viewFrom({ hands, hands_kept, discarded, crib, ...table }, seat) {
  return { ...table, seat, hand: hands[seat] ?? [], kept: hands_kept[seat] ?? [], discarded: discarded[seat] ?? [] };
}

/** Return the moment of an action, or the last one before it. @param {Review.Moment[]} moments @param {number} step */
export function momentOf(moments, step) {
  const last = moments.findLast(({ first }) => first <= step);
  // Several moments may share an action; the first one shows it.
  return last ? moments.findIndex(({ first }) => first === last.first) : 0;
}

/** @param {Pick<Review.Decision, "kind" | "hand" | "card" | "chosen">} decision @param {string} choice */
export function cardsOf({ kind, hand, card, chosen }, choice) {
  if (kind === "discard") return choice.split(" ");
  if (kind !== "play") return [];
  const held = choice === chosen && card ? card : hand.find(([rank]) => rank === choice);
  return held ? [held] : [];
}

/** Return the choice that consists of these cards, if any. @param {Review.Decision} decision @param {string[]} cards */
export function choiceOf(decision, cards) {
  if (decision.kind === "play") return decision.options.find(({ choice }) => choice === cards[0]?.[0]);
  return decision.options.find(
    ({ choice }) =>
      choice.split(" ").length === cards.length && choice.split(" ").every((card) => cards.includes(card)),
  );
}

/** @param {Review.Decision} decision @param {Review.Option} option */
export function lossOf(decision, option) {
  const [best] = decision.options;
  return { win: lessWin(best.win, option.win), points: difference(best.points, option.points, 2) };
}

/** Return the lost win probability, from printed figures. @param {Review.Decision} decision */
export const lostWin = ({ win, win_chosen }) => lessWin(win, win_chosen);

/** @param {number | null} best @param {number | null} other */
const lessWin = (best, other) =>
  best === null || other === null ? null : difference(100 * best, 100 * other, 1) / 100;

/** Return the cost of a decision, for sorting. @param {Review.Decision} decision */
export const cost = ({ chosen, best, loss_win, loss_points }) => (chosen === best ? 0 : (loss_win ?? loss_points));

/** Claims, whose cost is in points, come last. @param {Review.Decision[]} decisions @param {number | null} [seat] */
export function costliest(decisions, seat = null) {
  const costly = decisions.filter((one) => one.mark && (seat === null || one.seat === seat));
  const byChance = (/** @type {Review.Decision} */ one) => (one.loss_win === null ? 0 : 1);
  return costly.sort((one, other) => byChance(other) - byChance(one) || cost(other) - cost(one));
}

/** @param {Review.Decision[]} decisions @param {number} seat @returns {Record<Review.Mark, number>} */
export function marksOf(decisions, seat) {
  const marks = { small: 0, mistake: 0, blunder: 0 };
  for (const { mark, seat: whose } of decisions) if (mark && whose === seat) marks[mark] += 1;
  return marks;
}

/** Return the share of practically best decisions. @param {Review.Decision[]} decisions @param {number} seat */
export function accuracyOf(decisions, seat) {
  const counted = decisions.filter((one) => one.seat === seat && !one.obvious);
  return { right: counted.filter((one) => !one.mark).length, of: counted.length };
}
