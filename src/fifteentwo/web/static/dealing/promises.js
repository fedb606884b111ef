// What is promised by a seed, and whether a seed that is told is the one that was promised.

import { hex, sha256, unhex } from "./hash.js";

/** What is promised by a seed. @param {string} seed */
export const promise = (seed) => hex(sha256(unhex(seed) ?? new Uint8Array()));

/** The seats whose seed is not what they committed to. @param {{committed: readonly string[], seeds: readonly string[]}} told */
export const wrongSeeds = ({ committed, seeds }) =>
  committed.flatMap((promised, seat) => {
    if (promised === "computer" || promised === "nothing") return [];
    return unhex(seeds[seat] ?? "") && promise(seeds[seat]) === promised.toLowerCase() ? [] : [seat];
  });
