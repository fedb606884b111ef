// Check whether the cards of a game follow from everyone's seeds (docs/dealing.md).

import { byRank } from "../cards/deck.js";
import { hex, sha256, unhex } from "./hash.js";
import { wrongSeeds } from "./promises.js";
import { streams } from "./streams.js";

const LAST_LINK = 255;
const DECK = 52;

/** @param {Dealing.Published} published @param {number} number 0 for the draws */
function opened({ commitment, committed, seeds, links }, number) {
  const place = Math.min(number, LAST_LINK);
  const link = unhex(links[place] ?? "");
  const before = place ? links[place - 1] : commitment;
  if (!link || hex(sha256(link)) !== before?.toLowerCase()) return null;
  const mixed = committed.flatMap((promised, seat) =>
    promised === "computer" ? [] : [promised === "nothing" ? "-" : (seeds[seat] ?? "").toLowerCase()],
  );
  return streams(link, mixed);
}

/**
 * Return where each seat draws in a round: computers first, then people, so that the order of presses does not matter.
 * @param {ReturnType<typeof streams>} own @param {Dealing.Published} published @param {number} round
 * @param {number[]} drawing
 */
function placesOf(own, { committed }, round, drawing) {
  const computers = drawing.filter((seat) => committed[seat] === "computer");
  /** @type {Map<number, number>} */
  const places = new Map();
  for (const seat of [...computers, ...drawing.filter((seat) => !computers.includes(seat))])
    places.set(seat, own.draw(round, seat, [...places.values()]));
  return places;
}

/** @param {string[]} one @param {string[]} other cards drawn */
const byDraws = (one, other) =>
  one.map((card, i) => (other[i] ? byRank(card, other[i]) : 1)).find((step) => step) ?? one.length - other.length;

/** Return the seats that must draw again (R27). @param {Dealing.Shape} shape @param {string[][]} drawn */
function tied({ first_dealer, partners_by_draw }, drawn) {
  const order = drawn.map((_, seat) => seat).sort((one, other) => byDraws(drawn[other], drawn[one]));
  const best = first_dealer === "high" ? order[0] : order[order.length - 1];
  const like = (/** @type {number} */ seat) => order.filter((other) => byDraws(drawn[seat], drawn[other]) === 0);
  const again = like(best).length > 1 ? like(best) : [];
  if (partners_by_draw && byDraws(drawn[order[1]], drawn[order[2]]) === 0) again.push(...like(order[1]));
  return [...new Set(again)].sort((one, other) => one - other);
}

/** Return the seating after partners were drawn (R29). @param {string[][]} drawn */
function partners(drawn) {
  const order = [0, 1, 2, 3].sort((one, other) => byDraws(drawn[other], drawn[one]));
  const pair = order.indexOf(0) < 2 ? order.slice(0, 2) : order.slice(2);
  const [left, right] = [0, 1, 2, 3].filter((seat) => !pair.includes(seat));
  return [0, left, pair.find((seat) => seat) ?? 0, right];
}

/** @param {Dealing.Shape} shape @param {Dealing.Published} published */
export function checkDraws(shape, published) {
  const lines = (published.deals[0] ?? []).map((line) => line.split(" "));
  let seating = Array.from({ length: shape.seats }, (_, seat) => seat);
  const named = lines.find(([word]) => word === "name");
  if (named)
    return {
      dealer: Number(named[1]),
      seating,
      wrong: lines.length === 1 && opened(published, 0) ? null : "link",
      draws: 0,
    };
  const failed = (/** @type {string | null} */ wrong, /** @type {number} */ draws) => ({
    dealer: -1,
    seating,
    wrong,
    draws,
  });
  const own = opened(published, 0);
  if (!own) return failed("link", 0);
  /** @type {string[][]} */
  const drawn = seating.map(() => []);
  let drawing = [...seating];
  /** @type {number[]} */
  let taken = [];
  let places = placesOf(own, published, 1, drawing);
  for (let at = 0; at < lines.length; at += 2) {
    const [seat, place] = [Number(lines[at][1]), Number(lines[at][2])];
    const round = drawn[seat].length + 1;
    if (
      lines[at][0] !== "draw" ||
      lines[at + 1]?.[0] !== "turn" ||
      places.get(seat) !== place ||
      !drawing.includes(seat) ||
      taken.includes(place) ||
      own.deck(`draw-${round}`)[place] !== lines[at + 1][1]
    )
      return failed("draw", at / 2);
    drawn[seat].push(lines[at + 1][1]);
    taken.push(place);
    drawing = drawing.filter((other) => other !== seat);
    if (drawing.length) continue;
    drawing = tied(shape, drawn);
    taken = [];
    places = placesOf(own, published, round + 1, drawing);
  }
  // Nobody deals before everyone has drawn.
  if (drawing.length) return failed(published.deals.length > 1 ? "draw" : null, lines.length / 2);
  let cards = drawn;
  if (shape.partners_by_draw) {
    seating = partners(drawn);
    cards = seating.map((seat) => drawn[seat]);
  }
  const order = [...cards.keys()].sort((one, other) => byDraws(cards[one], cards[other]));
  return {
    dealer: shape.first_dealer === "high" ? order[order.length - 1] : order[0],
    seating,
    wrong: null,
    draws: lines.length / 2,
  };
}

/** @param {readonly string[]} lines @param {string} word @param {boolean} early before the deal */
function cutOf(lines, word, early) {
  const dealt = lines.findIndex((line) => line.startsWith("deal "));
  const line = lines.find((one, at) => one.startsWith(`${word} `) && at < dealt === early);
  if (!line) return null;
  const [, seat, place] = line.split(" ").map(Number);
  return /** @type {[number, number]} */ ([seat, place]);
}

/**
 * Check one deal: its link, the cut, every dealt card, the starter.
 * @param {Dealing.Shape} shape @param {Dealing.Published} published @param {number} number from 1
 * @param {ReturnType<typeof checkDraws>} begun @returns {Dealing.Deal}
 */
export function checkDeal(shape, published, number, begun) {
  const { seats, dealt } = shape;
  const lines = published.deals[number] ?? [];
  const eldest = (begun.dealer + number) % seats;
  const [deckCut, stockCut] = [cutOf(lines, "cut", true), cutOf(lines, "cut", false)];
  const starter = lines.find((line) => line.startsWith("turn "))?.slice(5) ?? null;
  /** @type {Dealing.Deal} */
  const deal = { seating: begun.seating, hands: [], crib: [], eldest, starter, deckCut, stockCut, wrong: begun.wrong };
  const own = opened(published, number);
  if (!own) return { ...deal, wrong: "link" };
  const size = seats * dealt + shape.dealt_to_crib;
  const fits = (
    /** @type {[number, number] | null} */ cut,
    /** @type {boolean} */ asked,
    /** @type {string} */ name,
    /** @type {number} */ of,
  ) => (cut ? asked && cut[0] === eldest && cut[1] === own.cut(name, of) : !asked);
  const asksForStarter = starter !== null && shape.starter === "cut";
  if (
    !fits(deckCut, shape.cut_before_deal, `cut-${number}`, DECK) ||
    !fits(stockCut, asksForStarter || (stockCut !== null && shape.starter === "cut"), `starter-${number}`, DECK - size)
  )
    return { ...deal, wrong: "cut" };
  const deck = own.deck(`deal-${number}`);
  const lifted = deckCut?.[1] ?? 0;
  const cut = [...deck.slice(lifted), ...deck.slice(0, lifted)];
  const cards = cut.slice(0, seats * dealt);
  deal.hands = Array.from({ length: seats }, (_, seat) => cards.filter((_, at) => (eldest + at) % seats === seat));
  deal.crib = cut.slice(seats * dealt, size);
  const written = lines.find((line) => line.startsWith("deal "))?.slice(5);
  if (written !== cut.slice(0, size).join(" ")) return { ...deal, wrong: "cards" };
  if (starter !== null && starter !== cut[size + (stockCut?.[1] ?? 0)]) return { ...deal, wrong: "cards" };
  return deal;
}

/**
 * Check the draws and every published deal. Return the first fault.
 * @param {Dealing.Shape} shape @param {Dealing.Published} published @param {number} [from] first deal to check
 */
export function checkGame(shape, published, from = 1) {
  const seats = wrongSeeds(published);
  const begun = checkDraws(shape, published);
  const deals = Array.from({ length: Math.max(published.deals.length - from, 0) }, (_, at) =>
    checkDeal(shape, published, from + at, begun),
  );
  return { seats, begun, deals };
}
