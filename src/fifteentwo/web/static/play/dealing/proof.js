// The proof of the dealing: every commitment before the first card, and every opened and checked deal.

import { promise } from "../../dealing/promises.js";
import { make } from "../../elements.js";
import { cardName, listed, text } from "../../text.js";
import { playerAt } from "../state.js";

/** @typedef {NonNullable<Table.State["dealing"]>} Stands */

/** @param {Table.State} state @param {Stands} stands @param {string} kind @param {string} words the sentence of the seal */
export const proof = (state, { published, game, deals }, kind, words) => [
  make("p.proof-state.rounded", { "data-state": kind }, words),
  published && published.committed.length > 0 && make("p", text("proof.how")),
  published && published.committed.length > 0 && promises(state, published),
  deals.length > 0 && make("h3", text("proof.deals")),
  deals.length > 0 &&
    make(
      "ol.proof-deals",
      deals.map((deal, at) => dealProof(state, published, deal, at + 1, game?.fault?.deal === at + 1)),
    ),
  published?.commitment ? make("p", text("proof.verify")) : null,
  published?.commitment
    ? make("p", make("code.proof-code", `fifteentwo verify RECORD --expected ${published.commitment}`))
    : null,
  make(
    "p.proof-links.flex.wraps",
    make("a", { href: "/dealing" }, text("proof.more")),
    state.view.won &&
      make("a", { href: `/game/${state.game}/record?game=${state.match?.game ?? 1}` }, text("proof.record")),
  ),
];

/** Draw each seat's commitment and seed. @param {Table.State} state @param {Wire.Dealing} published */
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
    "table.proof-promises.full-width",
    make("caption", text("proof.promises")),
    make("tbody", row(server, published.commitment, published.links.length ? text("proof.fits") : ""), ...rows),
  );
}

const row = (/** @type {string} */ name, /** @type {string} */ promised, /** @type {string} */ status) =>
  make(
    "tr",
    make("th", { scope: "row" }, name),
    make("td", make("span.proof-facts.block", status), promised.length === 64 ? make("code", promised) : promised),
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
    make(
      "details",
      { "data-wrong": Boolean(deal.wrong || wrong) },
      make("summary", summary),
      make("p", text("proof.deal.checked")),
      make(
        "ul",
        facts.map((words) => make("li", words)),
      ),
      make("code", published?.links[number] ?? ""),
    ),
  );
}
