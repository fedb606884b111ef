// What this page knows of a game's dealing, stored in the browser. It commits to a seed, sends the seed only if nothing
// was changed, and checks every deal against the cards seen at the table.

import { store, readStored } from "../storage.js";
import { hex } from "./hash.js";
import { linksDue, opened, promise, wrongSeeds } from "./promises.js";

const GAMES = "dealing";
const MOST = 40;

const newSeed = () => hex(crypto.getRandomValues(new Uint8Array(32)));

/** @param {string} name @returns {Dealing.Kept | null} */
function read(name) {
  try {
    return JSON.parse(readStored(`${GAMES}/${name}`) ?? "null");
  } catch {
    return null;
  }
}

/** Store a game; delete the oldest games if there are too many. @param {string} name @param {Dealing.Kept} game */
function write(name, game) {
  const names = (readStored(GAMES) ?? "").split(" ").filter((one) => one && one !== name);
  for (const old of names.splice(0, Math.max(0, names.length - MOST))) store(`${GAMES}/${old}`, "null");
  return store(GAMES, [...names, name].join(" ")) && store(`${GAMES}/${name}`, JSON.stringify(game));
}

/** Return the settings that must not change once the cards are known. @param {Wire.Rules} rules */
const agreed = ({ variant, first_dealer, partners_by_draw, cut_before_deal, starter }) =>
  [variant, first_dealer, partners_by_draw, cut_before_deal, starter].join();

/**
 * Return whether a game at this table got the own seed but was never seen: a server that knows the cards could start
 * games until it likes the cards.
 * @param {string} table @param {number} but the present game
 */
const wasAbandoned = (table, but) =>
  (readStored(GAMES) ?? "").split(" ").some((name) => {
    const game = name.startsWith(`${table}/`) && name !== `${table}/${but}` ? read(name) : null;
    return game?.seed && !game.begun;
  });

/** @param {string} table @param {() => void} [checked] called once an opened deal has been checked */
export function monitorDealing(table, checked = () => {}) {
  /** @type {Wire.View | null} */
  let view = null;
  /** @type {Wire.Dealing | null} */
  let now = null;
  /** @type {Dealing.Kept | null} */
  let game = null;
  /** @type {Dealing.Deal[]} */
  let deals = [];
  /** Number of the deal to which events belong, since the last view. */
  let deal = 0;
  let checking = Promise.resolve();
  /** Seats of the people at a shared screen, whose cards are not stored; null otherwise. @type {number[] | null} */
  let mine = null;
  /** Whether this page has seen the present game: until then it sends no seed. */
  let known = false;
  /** Number of links at the last comparison with the table. */
  let compared = 0;
  const next = `${GAMES}/${table}`;

  /** Return the seed for the next game, stored before the page commits to it; "" if it cannot be stored. */
  function nextSeed(at = "") {
    const seed = readStored(next + at) || newSeed();
    return store(next + at, seed) && readStored(next + at) === seed ? seed : "";
  }

  const own = () => mine?.[0] ?? (view ? (view.seating[view.seat] ?? 0) : 0);
  /** Return the own seats, each with the label that makes its seed different. @returns {[string, number][]} */
  const ownSeats = () => (mine ?? [own()]).map((seat, at) => [at ? `+${at}` : "", seat]);
  const save = () => now && game && write(`${table}/${now.game}`, game);
  const fault = (/** @type {Dealing.Fault} */ found) => {
    if (game && !game.fault) game.fault = found;
    save();
  };

  /** @param {number} number */
  function seenOf(number) {
    if (!game) return {};
    game.seen[number] ??= {};
    return game.seen[number];
  }

  /** @param {[number, string][]} cards */
  function noteCards(cards) {
    const seen = seenOf(deal);
    seen.cards = [...(seen.cards ?? []), ...cards];
  }

  /** A server that withholds a link could have dealt any cards. @param {number} links number of links */
  function require(links) {
    if (now?.committed.length && opened(now) < links) fault({ code: "missing", deal: opened(now) });
  }

  /** Require the announcement of what a table shows. @param {Wire.View} shown */
  function covered(shown) {
    if (!now) return;
    if (game && !game.begun && (shown.won || shown.deal || shown.drawn.some((cards) => cards.length))) {
      game.begun = true;
      save();
    }
    if (game?.agreed && game.agreed !== agreed(shown.rules)) fault({ code: "rules" });
    // The seating follows from the draws and decides who holds which cards.
    const promised = now.committed[shown.seating[shown.seat]];
    const fits =
      (mine && promised === "nothing") || game?.seed.split(" ").some((seed) => seed && promise(seed) === promised);
    if (game?.seed && known && now.stage === "dealing" && !fits) fault({ code: "changed" });
    // Another game has begun without an announcement.
    if (view?.won && !shown.won && known) fault({ code: "missing", deal: 0 });
    if (now.stage === "dealing") require(linksDue(shown));
    else if (now.committed.length && (shown.deal || shown.drawn.some((cards) => cards.length))) {
      game ??= fresh(now, "");
      fault({ code: "missing", deal: 0 });
    }
  }

  /** @param {Wire.Dealing} published @param {string} seed @returns {Dealing.Kept} */
  const fresh = (published, seed) => ({
    commitment: published.commitment,
    committed: [...published.committed],
    seed,
    seen: {},
    checked: 0,
    fault: null,
  });

  /** Take a settled view. Return the messages to send. @param {Wire.View} shown @returns {Wire.PageMessage | null} */
  function see(shown) {
    covered(shown);
    view = mine ? { ...shown, hand: [], kept: [] } : shown;
    if (now && !known) {
      known = true;
      return heard(now);
    }
    look(shown);
    if (now && !game?.fault && opened(now) !== compared) {
      compared = opened(now);
      recheck();
    }
    return null;
  }

  /** Record the cards that a settled view shows. @param {Wire.View} shown */
  function look(shown) {
    view = mine ? { ...shown, hand: [], kept: [] } : shown;
    deal = shown.deal;
    if (!game || !deal || shown.phase === "cut") return;
    const seen = seenOf(deal);
    if (!mine && seen.seat !== undefined && seen.seat !== shown.seat) fault({ code: "not-as-seen", deal });
    Object.assign(seen, { seat: shown.seat, seating: shown.seating });
    if (!shown.won && shown.phase !== "deal") seen.dealer = shown.dealer;
    const hand = shown.discarded.length ? [...shown.kept, ...shown.discarded] : shown.hand;
    if (!mine && hand.length > (seen.hand?.length ?? 0)) seen.hand = hand;
    if (shown.starter) seen.starter = shown.starter;
    seen.cards = [
      ...shown.played,
      .../** @type {[number, string][]} */ (
        shown.open_hands.flatMap((cards, seat) => cards.map((card) => [seat, card]))
      ),
    ];
    if (shown.open_crib.length) seen.crib = shown.open_crib;
    save();
  }

  /** Record the cards that an event shows. @param {Wire.Event} event */
  function note(event) {
    if (!game || !view) return;
    if (event.type === "DealerChosen") require(now?.stage === "dealing" ? 1 : 0);
    if (event.type === "DealEnded" || event.type === "GameWon") require(Math.min(1 + deal, 255));
    if (event.type === "Dealt") {
      deal += 1;
      Object.assign(seenOf(deal), { hand: mine ? undefined : event.hands[view.seat], seat: view.seat });
    } else if (event.type === "DeckCut" || event.type === "StockCut") {
      const stock = event.type === "StockCut";
      const seen = seenOf(stock ? deal : deal + 1);
      seen.cuts = [...(seen.cuts ?? []).filter((cut) => cut[2] !== stock), [event.seat, event.at, stock]];
    } else if (event.type === "StarterTurned") seenOf(deal).starter = event.card;
    else if (event.type === "Played") noteCards([[event.seat, event.card]]);
    else if (event.type === "Shown" && event.crib) seenOf(deal).crib = event.cards;
    else if (event.type === "Shown") noteCards(event.cards.map((card) => [event.seat, card]));
  }

  /** @param {Dealing.Deal} opened @param {Dealing.Seen | undefined} seen */
  function agrees(opened, seen) {
    if (!seen) return true;
    const { hands, crib } = opened;
    const dealt = [...hands.flat(), ...crib];
    const same =
      seen.hand === undefined ||
      seen.seat === undefined ||
      [...seen.hand].sort().join() === [...(hands[seen.seat] ?? [])].sort().join();
    const cuts = (seen.cuts ?? []).every(([seat, at, stock]) => {
      const cut = stock ? opened.stockCut : opened.deckCut;
      return cut?.[0] === seat && cut[1] === at;
    });
    const places =
      (!seen.seating || seen.seating.join() === opened.seating.join()) &&
      (seen.dealer === undefined || (seen.dealer + 1) % hands.length === opened.eldest);
    return (
      same &&
      cuts &&
      places &&
      (!seen.starter || seen.starter === opened.starter) &&
      (seen.cards ?? []).every(([seat, card]) => hands[seat]?.includes(card)) &&
      (seen.crib ?? []).every((card) => dealt.includes(card))
    );
  }

  /** Check what was opened since the last check. @param {Wire.Dealing} published */
  async function check(published) {
    if (!game || published.stage !== "dealing") return;
    const [seat] = wrongSeeds(published);
    if (seat !== undefined) return fault({ code: "seed", seat });
    if (!published.links.length) return;
    const { checkGame } = await import("./check.js");
    // Messages received during the check are checked with the next opening.
    if (published !== now || !view || !game) return;
    const { begun, deals: opened } = checkGame(
      view.rules.first_dealer === "named" ? { ...view.rules, partners_by_draw: false } : view.rules,
      published,
    );
    deals = opened;
    if (begun.wrong || (begun.dealer < 0 && view.dealer >= 0)) return fault({ code: begun.wrong ?? "draw", deal: 0 });
    // The dealer was either named before the seeds were sent, or is drawn.
    const named = published.deals[0]?.[0]?.startsWith("name ") ? begun.dealer : -1;
    if (game.dealer !== undefined && game.dealer !== named) return fault({ code: "not-as-seen", deal: 0 });
    for (const [at, one] of opened.entries()) {
      if (one.wrong) return fault({ code: one.wrong, deal: at + 1 });
      if (!agrees(one, game.seen[at + 1])) return fault({ code: "not-as-seen", deal: at + 1 });
    }
    game.checked = opened.length;
    save();
  }

  /**
   * Return the seed if it is due and nothing was changed.
   * @param {Wire.Dealing} published @param {number} seat @param {string} at label of the seed
   * @returns {Wire.PageMessage | null}
   */
  function reveal(published, seat, at) {
    if (view?.phase === "name-dealer") {
      // A player who names a dealer must not know any card: wait until the table has a dealer.
      known = false;
      return null;
    }
    const promised = published.committed[seat];
    const own =
      [...(game?.seed.split(" ") ?? []), readStored(next + at)].find((seed) => seed && promise(seed) === promised) ??
      "";
    if (!own) {
      game = { ...fresh(published, ""), fault: { code: "seed-lost" } };
      return null;
    }
    game ??= fresh(published, own);
    if (view && game.agreed === undefined) Object.assign(game, { agreed: agreed(view.rules), dealer: view.dealer });
    const promises = [published.commitment, ...published.committed];
    if (!promises.every((promised) => /^([0-9a-f]{64}|computer|nothing)$/.test(promised)))
      game.fault = { code: "unfinished" };
    if (!game.seed.includes(own)) game.seed += ` ${own}`;
    if (!save() || game.fault) return null;
    if (wasAbandoned(table, published.game)) fault({ code: "passed-over" });
    if (readStored(next + at) === own) store(next + at, newSeed());
    return { t: "reveal", d: own };
  }

  /** Return whether published values of a game differ from those received before. @param {Wire.Dealing} published */
  const changed = (published) =>
    game !== null && (game.commitment !== published.commitment || game.committed.join() !== published.committed.join());

  function recheck() {
    if (now) checking = check(now).then(checked);
  }

  /** Return the messages to send. @param {Wire.Dealing} published @returns {Wire.PageMessage | null} */
  function heard(published) {
    if (!published.committed.length) {
      game = null;
      return null;
    }
    if (published.stage === "committing") {
      if (game) fault({ code: "changed" });
      const first = ownSeats().find(([, seat]) => published.committed[seat] === "");
      const seed = first ? nextSeed(first[0]) : "";
      return seed ? { t: "commit", d: promise(seed) } : null;
    }
    // Another page of this browser may have sent its seed already.
    game ??= read(`${table}/${published.game}`);
    if (changed(published)) {
      fault({ code: "changed" });
      return null;
    }
    if (ownSeats().some(([, seat]) => published.committed[seat] === "computer")) {
      // A seat with a page is no computer: the server left out this page's commitment.
      game ??= fresh(published, "");
      fault({ code: "changed" });
      return null;
    }
    if (published.stage === "revealing") {
      const first = ownSeats().find(([, seat]) => published.awaited.includes(seat));
      return first ? reveal(published, first[1], first[0]) : null;
    }
    game ??= fresh(published, "");
    if (view) {
      covered(view);
      look(view);
    }
    save();
    recheck();
    return null;
  }

  return {
    /** Without a seed the page takes no part in the dealing. @returns {Record<string, string>} */
    opening() {
      const seed = nextSeed();
      return seed ? { commitment: promise(seed) } : {};
    },
    see,
    note,
    /** Several people share this screen. @param {number[]} seats the seats of its people */
    share: (seats) => (mine = seats),
    whole: () => checking,
    /** Return the messages to send. @param {Wire.Dealing} published @returns {Wire.PageMessage | null} */
    hear(published) {
      if (!now || now.game !== published.game) {
        game = read(`${table}/${published.game}`);
        deals = [];
        known = false;
        compared = 0;
      }
      now = published;
      return known ? heard(published) : null;
    },
    get stands() {
      const unseen = game?.seed ? deals.filter((_, at) => !game?.seen[at + 1]).length : 0;
      return { published: now, game, deals, unseen, own: own(), shown: view !== null };
    },
  };
}
