// Commitments to seeds.

import { hex, sha256, unhex } from "./hash.js";

/** Return the commitment to a seed. @param {string} seed */
export const promise = (seed) => hex(sha256(unhex(seed) ?? new Uint8Array()));

/** @param {{committed: readonly string[], seeds: readonly string[]}} published */
export const wrongSeeds = ({ committed, seeds }) =>
  committed.flatMap((promised, seat) => {
    if (promised === "computer" || promised === "nothing") return [];
    return unhex(seeds[seat] ?? "") && promise(seeds[seat]) === promised.toLowerCase() ? [] : [seat];
  });

/** Links of a chain: one for the draws and one for each deal. */
const LINKS = 256;

/**
 * Return how many links a server must have published when it shows this table: one once there is a dealer, and one for
 * each finished deal. The last link stays secret until the game is over.
 * @param {Pick<Wire.View, "won" | "dealer" | "deal" | "phase">} view
 */
export function linksDue({ won, dealer, deal, phase }) {
  if (won) return Math.min(1 + deal, LINKS);
  if (dealer < 0) return 0;
  return Math.min(deal + (phase === "cut" || phase === "deal" ? 1 : 0), LINKS - 1);
}

/** Count the open deals, draws included. @param {{links: readonly unknown[], deals: readonly unknown[]}} published */
export const opened = ({ links, deals }) => Math.min(links.length, deals.length);
