// The seal of the dealing: quiet while everything fits, red where anything does not; opened it is the proof.

import { promise, watchOver } from "../dealing/watch.js";
import { byId, make, refresh } from "../elements.js";
import { cardName, listed, say } from "../say.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("../dealing/check.js").Deal} Deal */

/** @param {Desk} desk */
export function sealOf(desk) {
  const watch = watchOver(desk.game);
  const button = byId("seal");
  const dialog = byId("proof", HTMLDialogElement);
  let warned = "";

  /** Who came to a seat: at the table they may have moved since. @param {number} seat */
  const nameOf = (seat) => desk.names[desk.view.seating.indexOf(seat)] ?? "";

  /** What the seal says: its state, and the sentence for it. @returns {[string, string]} */
  function state() {
    const { told, game, own } = watch.stands;
    if (!told) return ["", ""];
    if (game?.fault) return ["wrong", faultWords(game.fault)];
    if (!told.committed.length) return ["none", say(told.commitment ? "seal.one-secret" : "seal.none")];
    if (told.stage !== "dealing") return ["waiting", waits()];
    if (!told.committed.some((promised) => promised.length === 64)) return ["none", say("seal.server-alone")];
    const checked = { n: game?.checked ?? 0 };
    if (told.committed[own] === "nothing") return ["whole", checked.n ? say("seal.without-own", checked) : say("seal.without-own.begun")];
    return ["whole", checked.n ? say("seal.whole", checked) : say("seal.whole.begun")];
  }

  /** @param {import("../dealing/watch.js").Fault} fault */
  function faultWords({ code, deal, seat }) {
    const where = deal === undefined ? "" : deal ? say("seal.where.deal", { n: deal }) : say("seal.where.draw");
    return say(`seal.wrong.${code}`, { where, name: seat === undefined ? "" : nameOf(seat) });
  }

  function waits() {
    const { told } = watch.stands;
    const names = (told?.awaited ?? []).map(nameOf);
    return names.length ? say("seal.waiting", { names: listed(names) }) : "";
  }

  function render() {
    const [kind, words] = state();
    button.hidden = !kind;
    button.dataset.state = kind;
    const { game } = watch.stands;
    refresh(button, [kind, words, game?.checked], () => [sign(kind), make("span.seal-number", { "aria-hidden": "true" }, kind === "wrong" ? "!" : kind === "whole" && game?.checked ? String(game.checked) : ""), make("span.visually-hidden", null, `${say("seal.title")}: ${words}`)]);
    if (kind === "wrong" && warned !== words) {
      warned = words;
      desk.warn(words);
    }
    if (dialog.open) renderProof();
  }

  const sign = (/** @type {string} */ kind) => make("span.seal-sign", { "data-state": kind, "aria-hidden": "true" });

  function renderProof() {
    const { told, game, deals } = watch.stands;
    const [kind, words] = state();
    refresh(byId("proof-body"), [kind, words, told, desk.names], () => [
      make("p.proof-state", { "data-state": kind }, words),
      told && told.committed.length > 0 && make("p", null, say("seal.how")),
      told && told.committed.length > 0 && promises(told),
      deals.length > 0 && make("h3", null, say("seal.deals")),
      deals.length > 0 && make("ol.proof-deals", null, deals.map((deal, at) => dealProof(deal, at + 1, game?.fault?.deal === at + 1))),
      told?.commitment ? make("p", null, say("seal.verify")) : null,
      told?.commitment ? make("p", null, make("code.proof-code", null, `fifteentwo verify RECORD --expected ${told.commitment}`)) : null,
      make("p.proof-links", null, make("a", { href: "/dealing" }, say("seal.more")), desk.view.won && make("a", { href: `/game/${desk.game}/record` }, say("seal.record"))),
    ]);
  }

  /** Who promised what before the first card, and told it. @param {Wire.Dealing} told */
  function promises(told) {
    const rows = told.committed.flatMap((promised, seat) => {
      if (promised === "computer") return [];
      const seed = told.seeds[seat] ?? "";
      const fits = seed && promise(seed) === promised.toLowerCase();
      return [row(nameOf(seat), promised.length === 64 ? promised : say(promised ? "seal.nothing" : "seal.not-yet"), seed ? say(fits ? "seal.fits" : "seal.fits-not") : "")];
    });
    const server = told.committed.includes("computer") ? say("seal.server-computers") : say("seal.server");
    return make("table.proof-promises", null, make("caption", null, say("seal.promises")), make("tbody", null, row(server, told.commitment, told.links.length ? say("seal.fits") : ""), ...rows));
  }

  const row = (/** @type {string} */ name, /** @type {string} */ promised, /** @type {string} */ told) =>
    make("tr", null, make("th", { scope: "row" }, name), make("td", null, make("span.proof-told", null, told), promised.length === 64 ? make("code", null, promised) : promised));

  /** @param {Deal} deal @param {number} number @param {boolean} wrong */
  function dealProof(deal, number, wrong) {
    const own = desk.view.seat;
    const cutBy = (/** @type {[number, number]} */ [seat, at]) => say(watch.stands.told?.committed[deal.seating[seat]] === "computer" ? "seal.cut.computer" : "seal.cut.person", { name: desk.names[seat], n: at });
    const said = [
      deal.packCut && cutBy(deal.packCut),
      say("seal.deal.hand", { cards: listed((deal.hands[own] ?? []).map(cardName)) }),
      deal.stockCut && cutBy(deal.stockCut),
      deal.starter && say("seal.deal.starter", { card: cardName(deal.starter) }),
    ].filter((words) => typeof words === "string");
    const summary = say(deal.wrong || wrong ? "seal.deal.wrong" : "seal.deal.fits", { n: number });
    return make("li", null, make("details", { "data-wrong": Boolean(deal.wrong || wrong) }, make("summary", null, summary), make("p", null, say("seal.deal.checked")), make("ul", null, said.map((words) => make("li", null, words))), make("code", null, watch.stands.told?.links[number] ?? "")));
  }

  button.addEventListener("click", () => {
    renderProof();
    dialog.showModal();
  });

  return {
    opening: watch.opening,
    forNext: watch.forNext,
    waits: () => (state()[0] === "waiting" ? waits() : ""),
    /** Hear whatever has to do with the dealing; what is to be answered. @param {Wire.ServerMessage} message @returns {Wire.PageMessage | null} */
    hear(message) {
      if (message.t === "table" || message.t === "view") watch.look(message.d.view);
      if (message.t === "event" && message.d.event) watch.note(message.d.event);
      return message.t === "dealing" ? watch.hear(message.d) : null;
    },
    render,
  };
}
