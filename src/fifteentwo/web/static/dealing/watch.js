// What this page saw of a game's dealing, kept in the browser, and what it says to it: its own commitment and seed, a
// seed told only where nothing was changed, and every deal checked against what was seen of it at the table.

import { keep, kept } from "../keep.js";
import { hex } from "./hash.js";
import { promise, wrongSeeds } from "./promises.js";

/** @typedef {import("./check.js").Told} Told */
/** @typedef {import("./check.js").Deal} Deal */
/** @typedef {{hand?: string[], starter?: string, cuts?: [number, number, boolean][], cards?: [number, string][], crib?: string[], seat?: number}} Seen of one deal: a cut is its seat, its place, and whether it was the stock's */

/**
 * @typedef {object} Kept what is kept of one game, by table and number
 * @property {string} commitment of the server, as first seen @property {string[]} committed by everyone, as seen before the own seed was told
 * @property {string} seed the own one, empty where none was put in @property {Record<string, Seen>} seen by deal
 * @property {number} checked deals @property {Fault | null} fault the first that was found
 *
 * @typedef {{code: string, deal?: number, seat?: number}} Fault
 */

const GAMES = "dealing";
const MOST = 40;

/** A seed nobody knows. */
const newSeed = () => hex(crypto.getRandomValues(new Uint8Array(32)));

/** @param {string} name @returns {Kept | null} */
function read(name) {
  try {
    return JSON.parse(kept(`${GAMES}/${name}`) ?? "null");
  } catch {
    return null;
  }
}

/** Keep it; the oldest games make way. @param {string} name @param {Kept} game */
function write(name, game) {
  const names = (kept(GAMES) ?? "").split(" ").filter((one) => one && one !== name);
  for (const old of names.splice(0, Math.max(0, names.length - MOST))) keep(`${GAMES}/${old}`, "null");
  return keep(GAMES, [...names, name].join(" ")) && keep(`${GAMES}/${name}`, JSON.stringify(game));
}

/** The watch at one table. @param {string} table @param {() => void} [checked] heard once an opened deal has been */
export function watchOver(table, checked = () => {}) {
  /** @type {Wire.View | null} */
  let view = null;
  /** @type {Wire.Dealing | null} */
  let now = null;
  /** @type {Kept | null} */
  let game = null;
  /** @type {Deal[]} */
  let deals = [];
  /** Which deal events are of, from the last view on. */
  let deal = 0;
  let checking = Promise.resolve();
  /** The seats that the people of a shared screen came to: what each of them holds is then not kept. @type {number[] | null} */
  let mine = null;
  const next = `${GAMES}/${table}`;

  /** The seed for the next game that asks for one, kept before anybody hears of it; none where nothing can be kept. */
  function nextSeed(at = "") {
    const seed = kept(next + at) || newSeed();
    return keep(next + at, seed) && kept(next + at) === seed ? seed : "";
  }

  const own = () => mine?.[0] ?? (view ? (view.seating[view.seat] ?? 0) : 0);
  /** Each own seat, and how its seed is told from those of others here. @returns {[string, number][]} */
  const ownSeats = () => (mine ?? [own()]).map((seat, at) => [at ? `+${at}` : "", seat]);
  const save = () => now && game && write(`${table}/${now.game}`, game);
  const fault = (/** @type {Fault} */ said) => {
    if (game && !game.fault) game.fault = said;
    save();
  };

  /** @param {number} number */
  const seenOf = (number) => (game ? (game.seen[number] ??= {}) : {});

  /** What a settled view shows of its deal. @param {Wire.View} shown */
  function look(shown) {
    view = mine ? { ...shown, hand: [], kept: [] } : shown;
    deal = shown.deal;
    if (!game || !deal || shown.phase === "cut") return;
    const seen = seenOf(deal);
    seen.seat = shown.seat;
    const hand = shown.laid_away.length ? [...shown.kept, ...shown.laid_away] : shown.hand;
    if (!mine && hand.length > (seen.hand?.length ?? 0)) seen.hand = hand;
    if (shown.starter) seen.starter = shown.starter;
    seen.cards = [...shown.played, .../** @type {[number, string][]} */ (shown.open_hands.flatMap((cards, seat) => cards.map((card) => [seat, card])))];
    if (shown.open_crib.length) seen.crib = shown.open_crib;
    save();
  }

  /** What an event shows. @param {Wire.Event} event */
  function note(event) {
    if (!game || !view) return;
    if (event.type === "Dealt") {
      deal += 1;
      Object.assign(seenOf(deal), { hand: mine ? undefined : event.hands[view.seat], seat: view.seat });
    } else if (event.type === "PackCut" || event.type === "StockCut") {
      const stock = event.type === "StockCut";
      const seen = seenOf(stock ? deal : deal + 1);
      seen.cuts = [...(seen.cuts ?? []).filter((cut) => cut[2] !== stock), [event.seat, event.at, stock]];
    } else if (event.type === "StarterTurned") seenOf(deal).starter = event.card;
    else if (event.type === "Played") (seenOf(deal).cards ??= []).push([event.seat, event.card]);
    else if (event.type === "Shown" && event.crib) seenOf(deal).crib = event.cards;
    else if (event.type === "Shown") (seenOf(deal).cards ??= []).push(.../** @type {[number, string][]} */ (event.cards.map((card) => [event.seat, card])));
  }

  /** Whether a deal is the one that was seen. @param {Deal} opened @param {Seen | undefined} seen */
  function agrees(opened, seen) {
    if (!seen) return true;
    const { hands, crib } = opened;
    const dealt = [...hands.flat(), ...crib];
    const same = seen.hand === undefined || seen.seat === undefined || [...seen.hand].sort().join() === [...(hands[seen.seat] ?? [])].sort().join();
    const cuts = (seen.cuts ?? []).every(([seat, at, stock]) => {
      const cut = stock ? opened.stockCut : opened.packCut;
      return cut?.[0] === seat && cut[1] === at;
    });
    return same && cuts && (!seen.starter || seen.starter === opened.starter) && (seen.cards ?? []).every(([seat, card]) => hands[seat]?.includes(card)) && (seen.crib ?? []).every((card) => dealt.includes(card));
  }

  /** Check what has been opened since; nobody needs what checks it before the first deal is. @param {Wire.Dealing} told */
  async function check(told) {
    if (!game || told.stage !== "dealing") return;
    const [seat] = wrongSeeds(told);
    if (seat !== undefined) return fault({ code: "seed", seat });
    if (!told.links.length) return;
    const { checkGame } = await import("./check.js");
    // What came meanwhile is looked at with what it opens.
    if (told !== now || !view || !game) return;
    const { begun, deals: opened } = checkGame(view.rules.first_dealer === "named" ? { ...view.rules, partners_by_draw: false } : view.rules, told);
    deals = opened;
    if (begun.wrong) return fault({ code: begun.wrong, deal: 0 });
    for (const [at, one] of opened.entries()) {
      if (one.wrong) return fault({ code: one.wrong, deal: at + 1 });
      if (!agrees(one, game.seen[at + 1])) return fault({ code: "not-as-seen", deal: at + 1 });
    }
    game.checked = opened.length;
    save();
  }

  /**
   * The seed to tell, if it is time and nothing was changed.
   * @param {Wire.Dealing} told @param {number} seat @param {string} at which of the kept seeds @returns {Wire.PageMessage | null}
   */
  function reveal(told, seat, at) {
    const promised = told.committed[seat];
    const known = [...(game?.seed.split(" ") ?? []), kept(next + at)].find((seed) => seed && promise(seed) === promised) ?? "";
    if (!known) {
      game = { commitment: told.commitment, committed: [...told.committed], seed: "", seen: {}, checked: 0, fault: { code: "seed-lost" } };
      return null;
    }
    game ??= { commitment: told.commitment, committed: [...told.committed], seed: known, seen: {}, checked: 0, fault: null };
    if (![told.commitment, ...told.committed].every((promised) => /^([0-9a-f]{64}|computer|nothing)$/.test(promised))) game.fault = { code: "unfinished" };
    if (!game.seed.includes(known)) game.seed += ` ${known}`;
    if (!save() || game.fault) return null;
    if (kept(next + at) === known) keep(next + at, newSeed());
    return { t: "reveal", d: known };
  }

  /** Whether what is told of a game is another story than the one heard before. @param {Wire.Dealing} told */
  const changed = (told) => game !== null && (game.commitment !== told.commitment || game.committed.join() !== told.committed.join());

  return {
    /** What the line is opened with; without a seed it takes no part. @returns {Record<string, string>} */
    opening() {
      const seed = nextSeed();
      return seed ? { commitment: promise(seed) } : {};
    },
    look,
    note,
    /** Several people share this screen. @param {number[]} seats they came to */
    share: (seats) => (mine = seats),
    /** Until all that was opened has been checked. */
    whole: () => checking,
    /** Hear how the dealing stands; what is to be answered. @param {Wire.Dealing} told @returns {Wire.PageMessage | null} */
    hear(told) {
      if (!now || now.game !== told.game) {
        game = read(`${table}/${told.game}`);
        deals = [];
      }
      now = told;
      if (!told.committed.length) {
        game = null;
        return null;
      }
      if (told.stage === "committing") {
        if (game) fault({ code: "changed" });
        const first = ownSeats().find(([, seat]) => told.committed[seat] === "");
        const seed = first ? nextSeed(first[0]) : "";
        return seed ? { t: "commit", d: promise(seed) } : null;
      }
      if (changed(told)) {
        fault({ code: "changed" });
        return null;
      }
      if (told.stage === "revealing") {
        const first = ownSeats().find(([, seat]) => told.awaited.includes(seat));
        return first ? reveal(told, first[1], first[0]) : null;
      }
      game ??= { commitment: told.commitment, committed: [...told.committed], seed: "", seen: {}, checked: 0, fault: null };
      if (view) look(view);
      save();
      checking = check(told).then(checked);
      return null;
    },
    /** What the seal shows. */
    get stands() {
      return { told: now, game, deals, own: own() };
    },
  };
}
