// The commitment to a seed, and whether a published seed is the one committed to.

import { hex, sha256, unhex } from "./hash.js";

/** What is promised by a seed. @param {string} seed */
export const promise = (seed) => hex(sha256(unhex(seed) ?? new Uint8Array()));

/**
 * The seats whose seed is not what they committed to.
 * @param {{committed: readonly string[], seeds: readonly string[]}} published
 */
export const wrongSeeds = ({ committed, seeds }) =>
  committed.flatMap((promised, seat) => {
    if (promised === "computer" || promised === "nothing") return [];
    return unhex(seeds[seat] ?? "") && promise(seeds[seat]) === promised.toLowerCase() ? [] : [seat];
  });

/** Links of a chain: the draws', and one for each deal. */
const LINKS = 256;

/**
 * How many links a server has sent, with what each of them opens, by the time it shows this table: one once there is a
 * dealer, and one for each deal that is over. The last one it keeps until the game is.
 * @param {Pick<Wire.View, "won" | "dealer" | "deal" | "phase">} view
 */
export function linksDue({ won, dealer, deal, phase }) {
  if (won) return Math.min(1 + deal, LINKS);
  if (dealer < 0) return 0;
  return Math.min(deal + (phase === "cut" || phase === "deal" ? 1 : 0), LINKS - 1);
}

/**
 * How many deals, the draws counted as one, are opened whole.
 * @param {{links: readonly unknown[], deals: readonly unknown[]}} published
 */
export const opened = ({ links, deals }) => Math.min(links.length, deals.length);
