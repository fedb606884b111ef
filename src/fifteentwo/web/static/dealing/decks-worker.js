// Shuffle decks in a worker, count the place of each card, report progress.

import { ORDERED, streams } from "./streams.js";

const A_LINK = 1000;
const A_MESSAGE = 5000;

addEventListener("message", ({ data }) => {
  const places = Array.from({ length: ORDERED.length }, () => new Array(ORDERED.length).fill(0));
  const index = Object.fromEntries(ORDERED.map((card, at) => [card, at]));
  /** @type {ReturnType<typeof streams> | null} */
  let own = null;
  for (let done = 0; done < data; done += 1) {
    // As in games, many decks follow from one link, and each link is random.
    if (done % A_LINK === 0) own = streams(crypto.getRandomValues(new Uint8Array(32)), [String(done)]);
    own?.deck(`deal-${done % A_LINK}`).forEach((card, place) => {
      places[index[card]][place] += 1;
    });
    if ((done + 1) % A_MESSAGE === 0) postMessage({ done: done + 1, places });
  }
});
