// The proof behind the seal: who promised what before the first card, and every deal that was opened and checked.

import { ALL_PLACES, promise } from "../dealing/promises.js";
import { make } from "../elements.js";
import { cardName, listed, say } from "../say.js";
import { cameTo } from "./desk.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("../dealing/check.js").Deal} Deal */
/** @typedef {ReturnType<typeof import("../dealing/watch.js").watchOver>["stands"]} Stands */

/** @param {Desk} desk @param {Stands} stands @param {string} kind @param {string} words what the seal says */
export const proof = (desk, { told, game, deals }, kind, words) => [
  make("p.proof-state", { "data-state": kind }, words),
  told && told.committed.length > 0 && make("p", null, say("proof.how")),
  told && told.committed.length > 0 && promises(desk, told),
  deals.length > 0 && make("h3", null, say("proof.deals")),
  deals.length > 0 &&
    make(
      "ol.proof-deals",
      null,
      deals.map((deal, at) => dealProof(desk, told, deal, at + 1, game?.fault?.deal === at + 1)),
    ),
  told?.commitment ? make("p", null, say("proof.verify")) : null,
  told?.commitment
    ? make("p", null, make("code.proof-code", null, `fifteentwo verify RECORD --expected ${told.commitment}`))
    : null,
  make(
    "p.proof-links",
    null,
    make("a", { href: "/dealing" }, say("proof.more")),
    desk.view.won &&
      make("a", { href: `/game/${desk.game}/record?game=${desk.match?.game ?? 1}` }, say("proof.record")),
  ),
];

/** Who promised what before the first card, and told it. @param {Desk} desk @param {Wire.Dealing} told */
function promises(desk, told) {
  const rows = told.committed.flatMap((promised, seat) => {
    if (promised === "computer") return [];
    const seed = told.seeds[seat] ?? "";
    const fits = seed && promise(seed) === promised.toLowerCase();
    return [
      row(
        cameTo(desk, seat),
        promised.length === 64 ? promised : say(promised ? "proof.nothing" : "proof.not-yet"),
        seed ? say(fits ? "proof.fits" : "proof.fits-not") : "",
      ),
    ];
  });
  const server = told.committed.includes("computer") ? say("proof.server-computers") : say("proof.server");
  return make(
    "table.proof-promises",
    null,
    make("caption", null, say("proof.promises")),
    make("tbody", null, row(server, told.commitment, told.links.length ? say("proof.fits") : ""), ...rows),
  );
}

const row = (/** @type {string} */ name, /** @type {string} */ promised, /** @type {string} */ told) =>
  make(
    "tr",
    null,
    make("th", { scope: "row" }, name),
    make(
      "td",
      null,
      make("span.proof-told", null, told),
      promised.length === 64 ? make("code", null, promised) : promised,
    ),
  );

/**
 * @param {Desk} desk @param {Wire.Dealing | null} told @param {Deal} deal @param {number} number
 * @param {boolean} wrong
 */
function dealProof(desk, told, deal, number, wrong) {
  const own = desk.view.seat;
  const cutBy = (/** @type {[number, number]} */ [seat, at]) =>
    say(
      (told?.rules ?? 0) >= ALL_PLACES || told?.committed[deal.seating[seat]] === "computer"
        ? "proof.cut.computer"
        : "proof.cut.person",
      { name: desk.names[seat], n: at },
    );
  const said = [
    deal.deckCut && cutBy(deal.deckCut),
    say("proof.deal.hand", { cards: listed((deal.hands[own] ?? []).map(cardName)) }),
    deal.stockCut && cutBy(deal.stockCut),
    deal.starter && say("proof.deal.starter", { card: cardName(deal.starter) }),
  ].filter((words) => typeof words === "string");
  const summary = say(deal.wrong || wrong ? "proof.deal.wrong" : "proof.deal.fits", { n: number });
  return make(
    "li",
    null,
    make(
      "details",
      { "data-wrong": Boolean(deal.wrong || wrong) },
      make("summary", null, summary),
      make("p", null, say("proof.deal.checked")),
      make(
        "ul",
        null,
        said.map((words) => make("li", null, words)),
      ),
      make("code", null, told?.links[number] ?? ""),
    ),
  );
}
