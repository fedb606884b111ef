// Claim scores one by one: what chosen cards score among the scores not claimed yet.

import { RANKS } from "../cards/deck.js";
import { counts } from "./hands.js";

/** @param {Practice.Score} score */
export const keyOf = ({ name, cards }) => `${name} ${[...cards].sort().join(" ")}`;

/**
 * Return the unclaimed scores of chosen cards, or why there are none.
 * @param {Practice.Dealt} dealt @param {string[]} chosen @param {Practice.Score[]} claimed
 * @returns {{scores: Practice.Score[], why: "" | "claimed" | "more" | "none"}}
 */
export function claim(dealt, chosen, claimed) {
  const all = counts(dealt);
  const is = (/** @type {string[]} */ cards) =>
    cards.length === chosen.length && cards.every((card) => chosen.includes(card));
  // His nobs is a jack, tapped alone or with the starter of its suit.
  const same = (/** @type {Practice.Score} */ { name, cards }) =>
    is(cards) || (name === "nobs" && is([...cards, dealt.starter]));
  const made = all.filter(same);
  const done = new Set(claimed.map(keyOf));
  const open = made.filter((score) => !done.has(keyOf(score)));
  if (open.length) return { scores: open, why: "" };
  if (made.length) return { scores: [], why: "claimed" };
  // Two of three equal cards, or three of a run of four: only the whole counts.
  const part = all.some(
    ({ name, cards }) =>
      ["pair_royal", "double_pair_royal", "run", "flush"].includes(name) &&
      chosen.length > 1 &&
      chosen.every((card) => cards.includes(card)) &&
      goesOn(name, chosen),
  );
  return { scores: [], why: part ? "more" : "none" };
}

/** @param {string} name @param {string[]} chosen */
function goesOn(name, chosen) {
  const ranks = chosen.map((card) => RANKS.indexOf(card[0])).sort((a, b) => a - b);
  if (name === "run") return ranks.length > 2 && ranks.every((rank, at) => at === 0 || rank === ranks[at - 1] + 1);
  if (name === "flush") return chosen.length > 3;
  return ranks[0] === ranks.at(-1);
}
