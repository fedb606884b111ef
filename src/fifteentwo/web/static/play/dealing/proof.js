// The proof behind the seal: who promised what before the first card, and every deal that was opened and checked.

import { promise } from "../../dealing/promises.js";
import { make } from "../../elements.js";
import { cardName, listed, text } from "../../text.js";
import { playerAt } from "../state.js";

/** @typedef {NonNullable<Table.State["dealing"]>} Stands */

/** @param {Table.State} state @param {Stands} stands @param {string} kind @param {string} words what the seal says */
export const proof = (state, { published, game, deals }, kind, words) => [
  make("p.proof-state", { "data-state": kind }, words),
  published && published.committed.length > 0 && make("p", null, text("proof.how")),
  published && published.committed.length > 0 && promises(state, published),
  deals.length > 0 && make("h3", null, text("proof.deals")),
  deals.length > 0 &&
    make(
      "ol.proof-deals",
      null,
      deals.map((deal, at) => dealProof(state, published, deal, at + 1, game?.fault?.deal === at + 1)),
    ),
  published?.commitment ? make("p", null, text("proof.verify")) : null,
  published?.commitment
    ? make("p", null, make("code.proof-code", null, `fifteentwo verify RECORD --expected ${published.commitment}`))
    : null,
  make(
    "p.proof-links",
    null,
    make("a", { href: "/dealing" }, text("proof.more")),
    state.view.won &&
      make("a", { href: `/game/${state.game}/record?game=${state.match?.game ?? 1}` }, text("proof.record")),
  ),
];

/**
 * Each seat's commitment before the first card, and its seed.
 * @param {Table.State} state @param {Wire.Dealing} published
 */
function promises(state, published) {
  const rows = published.committed.flatMap((promised, seat) => {
    if (promised === "computer") return [];
    const seed = published.seeds[seat] ?? "";
    const fits = seed && promise(seed) === promised.toLowerCase();
    return [
      row(
        playerAt(state, seat),
        promised.length === 64 ? promised : text(promised ? "proof.nothing" : "proof.not-yet"),
        seed ? text(fits ? "proof.fits" : "proof.fits-not") : "",
      ),
    ];
  });
  const server = published.committed.includes("computer") ? text("proof.server-computers") : text("proof.server");
  return make(
    "table.proof-promises",
    null,
    make("caption", null, text("proof.promises")),
    make("tbody", null, row(server, published.commitment, published.links.length ? text("proof.fits") : ""), ...rows),
  );
}

const row = (/** @type {string} */ name, /** @type {string} */ promised, /** @type {string} */ status) =>
  make(
    "tr",
    null,
    make("th", { scope: "row" }, name),
    make(
      "td",
      null,
      make("span.proof-facts", null, status),
      promised.length === 64 ? make("code", null, promised) : promised,
    ),
  );

/**
 * @param {Table.State} state @param {Wire.Dealing | null} published @param {Dealing.Deal} deal @param {number} number
 * @param {boolean} wrong
 */
function dealProof(state, published, deal, number, wrong) {
  const own = state.view.seat;
  const cutBy = (/** @type {[number, number]} */ [seat, at]) => text("proof.cut", { name: state.names[seat], n: at });
  const facts = [
    deal.deckCut && cutBy(deal.deckCut),
    text("proof.deal.hand", { cards: listed((deal.hands[own] ?? []).map(cardName)) }),
    deal.stockCut && cutBy(deal.stockCut),
    deal.starter && text("proof.deal.starter", { card: cardName(deal.starter) }),
  ].filter((words) => typeof words === "string");
  const summary = text(deal.wrong || wrong ? "proof.deal.wrong" : "proof.deal.fits", { n: number });
  return make(
    "li",
    null,
    make(
      "details",
      { "data-wrong": Boolean(deal.wrong || wrong) },
      make("summary", null, summary),
      make("p", null, text("proof.deal.checked")),
      make(
        "ul",
        null,
        facts.map((words) => make("li", null, words)),
      ),
      make("code", null, published?.links[number] ?? ""),
    ),
  );
}
