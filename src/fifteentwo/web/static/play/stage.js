// The middle of the table: the deck or starter, the count, the cards laid and the crib, on one line where they stay.

import { cardElement } from "../cards.js";
import { sideMark } from "../board.js";
import { byId, make, refresh } from "../elements.js";
import { cardName, listed, say } from "../say.js";
import { stageOf, whose } from "./desk.js";
import { cribSize, dealtOut, laidNow, sideOf } from "./follow.js";
import { cutDeck, cutting, nameDealer, renderDraw } from "./opening.js";
import { overPanel } from "./over.js";
import { showKey, showPanel } from "./show.js";

/** @typedef {import("./desk.js").Desk} Desk */

/** @param {Desk} desk */
export function renderStage(desk) {
  const { view } = desk;
  const host = byId("stage");
  const kind = stageOf(desk);
  byId("table").dataset.stage = kind;
  const mine = [view.seat, desk.names, desk.face];
  if (kind === "draw") renderDraw(host, desk);
  else if (kind === "name") refresh(host, [kind, mine], () => nameDealer(desk));
  else if (kind === "show") refresh(host, [kind, showKey(desk), mine], () => showPanel(desk));
  else if (kind === "over") refresh(host, [kind, view.won, desk.match, mine], () => overPanel(desk));
  else {
    const key = [
      "line",
      view.starter,
      view.count,
      view.played,
      view.cleared,
      cribSize(view),
      view.dealer,
      view.phase,
      view.deal,
      view.to_act,
      desk.may("Cut"),
      desk.open?.crib,
      mine,
    ];
    refresh(host, key, () => line(desk));
  }
}

/** @param {Desk} desk */
const line = (desk) => [
  make(
    "div.line",
    null,
    deckSpot(desk),
    counting(desk.view) ? [countBox(desk), pile(desk)] : beforeTheCount(desk),
    cribSpot(desk),
  ),
];

/** @type {Wire.Phase[]} */
const BEFORE_CARDS_ARE_LAID = ["cut", "deal", "discard", "cut-stock", "starter"];

/** Whether cards are laid and counted, or may be. @param {Wire.View} view */
const counting = ({ phase }) => !BEFORE_CARDS_ARE_LAID.includes(phase);

/** The deck, cut where it lies, and then the starter on it. @param {Desk} desk */
function deckSpot(desk) {
  const { view } = desk;
  const card = view.starter
    ? make(
        "span.stack",
        { "data-stock": true },
        desk.card(view.starter, "fill", {
          class: "is-starter",
          label: say("table.starter_is", { card: cardName(view.starter) }),
        }),
      )
    : cutting(view)
      ? cutDeck(desk)
      : make("span.stack", { "data-stock": true }, cardElement(null, { size: "fill" }));
  return make(
    "div.spot.spot--starter",
    null,
    card,
    make("span.spot-name", null, say(view.starter ? "table.starter" : "table.stock")),
  );
}

/** @param {Desk} desk */
function cribSpot(desk) {
  const { view } = desk;
  const crib = cribSize(view);
  const open = desk.open?.crib ?? [];
  const name = whose(desk, view.dealer, "table.your_crib", "table.crib_of");
  return make(
    "div.spot.spot--crib",
    null,
    make(
      "div.crib-cards",
      {
        "data-crib": crib,
        role: "img",
        "aria-label": open.length
          ? say("table.crib_open", { crib: name, cards: listed(open.map(cardName)) })
          : say("table.crib_holds", { crib: name, n: crib }),
      },
      open.length
        ? open.map((card) => desk.card(card, "fill"))
        : crib
          ? Array.from({ length: crib }, () => cardElement(null, { size: "fill" }))
          : make("span.card-place"),
    ),
    make("span.spot-name", { "aria-hidden": "true" }, name),
  );
}

/** Who deals, and who cuts while somebody does. @param {Desk} desk */
function beforeTheCount(desk) {
  const { view } = desk;
  const deal = dealtOut(view) ? view.deal : view.deal + 1;
  const waits = cutting(view) && !desk.may("Cut") && view.to_act.length > 0;
  const key = view.phase === "cut" ? "cut.waiting" : "cut.waiting_starter";
  const own = view.to_act.includes(view.seat);
  const cutter = { name: listed(view.to_act.map((seat) => desk.names[seat])) };
  return make(
    "div.words",
    null,
    make(
      "p.stage-title",
      null,
      make("span", null, say("table.deal", { n: deal })),
      whose(desk, view.dealer, "table.you_deal", "table.deals"),
    ),
    waits && make("p.stage-note", null, say(own ? `${key}.you` : key, cutter)),
  );
}

/** @param {Desk} desk */
const countBox = ({ view }) =>
  make(
    "div.count-box",
    { "data-count": view.count },
    make("span.ring", null, make("span.count", { "aria-hidden": "true" }, String(view.count))),
    make("span.spot-name.count-name", { "aria-hidden": "true" }, say("table.count")),
    make("span.visually-hidden", null, say("table.count_is", { n: view.count })),
  );

/** The cards of this count, and those turned down before. @param {Desk} desk */
function pile(desk) {
  const { view } = desk;
  const laid = laidNow(view);
  const cards = laid.map(([seat, card]) =>
    make(
      "li.laid-card",
      { "data-by": seat },
      desk.card(card, "fill", { label: say("table.laid_by", { card: cardName(card), name: desk.names[seat] }) }),
      sideMark(sideOf(view, seat)),
    ),
  );
  const list =
    laid.length > 0
      ? make("ol.laid", { "aria-label": say("table.laid"), "data-laid": laid.length }, cards)
      : make("div.laid", { "data-laid": 0 }, make("span.card-place"));
  return make("div.pile", null, list, earlier(desk));
}

/** Finished counts: face down, but owner and order can still be told (R63). @param {Desk} desk */
function earlier(desk) {
  const { view } = desk;
  if (!view.cleared.length) return make("div.earlier");
  let from = 0;
  return make(
    "div.earlier",
    { role: "img", "aria-label": say("table.earlier", { n: view.cleared.at(-1) ?? 0 }) },
    view.cleared.map((to) => {
      const cards = view.played.slice(from, to);
      from = to;
      return make(
        "span.earlier-count",
        null,
        cards.map(([seat]) => make("span.earlier-card", null, sideMark(sideOf(view, seat)))),
      );
    }),
  );
}
