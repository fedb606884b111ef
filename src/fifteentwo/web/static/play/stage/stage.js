// The middle of the table in one line: deck or starter, count, cards played, crib.

import { cardElement } from "../../cards/cards.js";
import { sideMark } from "../../board/board.js";
import { byId, make, refresh } from "../../elements.js";
import { cardName, listed, text } from "../../text.js";
import { canDo, isOwn, stageOf, whose } from "../state.js";
import { cribAtRight, cribSize, dealNumber, playedNow, sideOf } from "../events/follow.js";
import { cutDeck, cutting, nameDealer, renderDraw } from "./opening.js";
import { overPanel, preloadFinalStyle } from "./over.js";
import { showKey, showPanel } from "./show.js";
import { faces, tableCard } from "../../settings/settings.js";

/** @param {Table.State} state @param {Table.Actions} actions */
export function renderStage(state, actions) {
  const { view } = state;
  const host = byId("stage");
  const kind = stageOf(state);
  preloadFinalStyle(view);
  byId("table").dataset.stage = kind;
  const mine = [view.seat, state.names, faces()];
  if (kind === "draw") renderDraw(host, state, actions);
  else if (kind === "name") refresh(host, [kind, mine], () => nameDealer(state, actions));
  else if (kind === "show") refresh(host, [kind, showKey(state), mine], () => showPanel(state));
  else if (kind === "over") refresh(host, [kind, view.won, state.match, mine], () => overPanel(state, actions));
  else {
    const key = [
      "line",
      view.starter,
      view.count,
      view.played,
      view.count_ends,
      cribSize(view),
      view.dealer,
      view.phase,
      view.deal,
      view.to_act,
      canDo(state, "Cut"),
      state.open?.crib,
      mine,
    ];
    refresh(host, key, () => line(state, actions));
  }
}

/** @param {Table.State} state @param {Table.Actions} actions */
function line(state, actions) {
  const between = counting(state.view) ? [countBox(state), pile(state)] : beforeTheCount(state);
  const [deck, crib] = [deckSpot(state, actions), cribSpot(state)];
  return cribAtRight(state.view)
    ? [make("div.line", deck, between, crib)]
    : [make("div.line.line--left", crib, between, deck)];
}

/** @type {Wire.Phase[]} */
const BEFORE_PEGGING = ["cut", "deal", "discard", "cut-stock", "starter"];

/** Whether the pegging count is shown. @param {Wire.View} view */
const counting = ({ phase }) => !BEFORE_PEGGING.includes(phase);

/** Draw the deck to cut, later with the starter on it. @param {Table.State} state @param {Table.Actions} actions */
function deckSpot(state, actions) {
  const { view } = state;
  const card = view.starter
    ? make(
        "span.stack",
        { "data-stock": true },
        tableCard(view.starter, {
          class: "is-starter",
          label: text("table.starter_is", { card: cardName(view.starter) }),
        }),
      )
    : cutting(view)
      ? cutDeck(state, actions)
      : make("span.stack", { "data-stock": true }, cardElement(null, { size: "fill" }));
  return make(
    "div.spot.spot--starter",
    card,
    make("span.spot-name.felt-quiet.text-center.nowrap", text(view.starter ? "table.starter" : "table.stock")),
  );
}

/** @param {Table.State} state */
function cribSpot(state) {
  const { view } = state;
  const crib = cribSize(view);
  const open = state.open?.crib ?? [];
  const name = whose(state, view.dealer, "table.your_crib", "table.crib_of");
  return make(
    "div.spot.spot--crib",
    make(
      "div.crib-cards.full-width.flex.centred",
      {
        "data-crib": crib,
        role: "img",
        "aria-label": open.length
          ? text("table.crib_open", { crib: name, cards: listed(open.map(cardName)) })
          : text("table.crib_holds", { crib: name, n: crib }),
      },
      open.length
        ? open.map((card) => tableCard(card))
        : crib
          ? Array.from({ length: crib }, () => cardElement(null, { size: "fill" }))
          : make("span.card-place"),
    ),
    make("span.spot-name.felt-quiet.text-center.nowrap", { "aria-hidden": "true" }, name),
  );
}

/** Say who deals and who cuts. @param {Table.State} state */
function beforeTheCount(state) {
  const { view } = state;
  const waits = cutting(view) && !canDo(state, "Cut") && view.to_act.length > 0;
  const key = view.phase === "cut" ? "cut.waiting" : "cut.waiting_starter";
  const own = view.to_act.some((seat) => isOwn(state, seat));
  const cutter = { name: listed(view.to_act.map((seat) => state.names[seat])) };
  return make(
    "div.words",
    make(
      "p.stage-title.flush.text-center",
      make("span", text("table.deal", { n: dealNumber(view) })),
      whose(state, view.dealer, "table.you_deal", "table.deals"),
    ),
    waits && make("p.stage-note.flush.small.text-center.felt-quiet", text(own ? `${key}.you` : key, cutter)),
  );
}

/** @param {Table.State} state */
const countBox = ({ view }) =>
  make(
    "div.count-box",
    { "data-count": view.count },
    make("span.ring.disc", make("span.count", { "aria-hidden": "true" }, String(view.count))),
    make("span.spot-name.felt-quiet.text-center.nowrap.count-name", { "aria-hidden": "true" }, text("table.count")),
    make("span.visually-hidden", text("table.count_is", { n: view.count })),
  );

/** Draw the cards of this count, and the number of earlier ones. @param {Table.State} state */
function pile(state) {
  const { view } = state;
  const played = playedNow(view);
  const cards = played.map(([seat, card]) =>
    make(
      "li.played-card",
      { "data-by": seat },
      tableCard(card, { label: text("table.played_by", { card: cardName(card), name: state.names[seat] }) }),
      sideMark(sideOf(view, seat)),
    ),
  );
  const list =
    played.length > 0
      ? make(
          "ol.played-cards.relative.plain-list.flex.shrinks",
          { "aria-label": text("table.played"), "data-played": played.length },
          cards,
        )
      : make("div.played-cards.relative.plain-list.flex.shrinks", { "data-played": 0 }, make("span.card-place"));
  return make("div.pile", list, ...earlier(state));
}

/** Say how many cards of finished counts lie face down (R63), in few words for the eye. @param {Table.State} state */
function earlier({ view }) {
  const n = view.count_ends.at(-1);
  return [
    make(
      "span.spot-name.felt-quiet.nowrap.earlier",
      { "aria-hidden": "true" },
      n ? text("table.earlier_short", { n }) : "",
    ),
    make("span.visually-hidden", n ? text("table.earlier", { n }) : ""),
  ];
}
