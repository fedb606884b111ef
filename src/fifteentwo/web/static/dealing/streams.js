// From a link and seeds to cards: docs/dealing.md, "From seeds to cards", in JavaScript.

import { RANKS } from "../cards/deck.js";
import { bytesOf, keyed } from "./hash.js";

/** Minimum number of cards in each part of a cut. */
const LEAST = 4;
const DECK = 52;

/** The deck in order: A, 2, … K, each in S, H, D, C. */
export const ORDERED = [...RANKS].flatMap((rank) => [..."SHDC"].map((suit) => rank + suit));

/**
 * Return a source of random numbers below a limit, all equally likely.
 * @param {(message: Uint8Array) => Uint8Array} hmac keyed by the link @param {string} name
 * @param {string} seeds all seeds after a space
 */
function numbers(hmac, name, seeds) {
  let [block, at] = [0, 0];
  /** @type {Uint8Array} */
  let bytes = new Uint8Array(0);
  return (/** @type {number} */ below) => {
    const bound = 256 - (256 % below);
    for (;;) {
      if (at === bytes.length) {
        bytes = hmac(bytesOf(`${name}/${block}${seeds}`));
        block += 1;
        at = 0;
      }
      const byte = bytes[at];
      at += 1;
      if (byte < bound) return byte % below;
    }
  };
}

/** @param {Uint8Array} link @param {string[]} seeds of the people by seat, "-" for none */
export function streams(link, seeds) {
  const hmac = keyed(link);
  const more = seeds.map((seed) => ` ${seed}`).join("");
  const number = (/** @type {string} */ name, /** @type {number} */ below) => numbers(hmac, name, more)(below);
  return {
    /** @param {string} name "deal-1" */
    deck(name) {
      const next = numbers(hmac, name, more);
      const cards = [...ORDERED];
      for (let place = DECK - 1; place > 0; place -= 1) {
        const other = next(place + 1);
        [cards[place], cards[other]] = [cards[other], cards[place]];
      }
      return cards;
    },
    /** Return the place at which a seat draws. @param {number} round @param {number} seat @param {number[]} taken */
    draw(round, seat, taken) {
      const free = Array.from({ length: DECK }, (_, at) => at).filter((at) => !taken.includes(at));
      return free[number(`draw-${round}-${seat}`, free.length)];
    },
    /** @param {string} name "cut-1" or "starter-1" @param {number} size */
    cut: (name, size) => LEAST + number(name, size - 2 * LEAST + 1),
  };
}
