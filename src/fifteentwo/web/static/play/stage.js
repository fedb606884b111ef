// The middle of the table: starter and crib, the count and the cards laid.

import { cardElement } from "../cards.js";
import { sideMark } from "../board.js";
import { byId, make, refresh } from "../elements.js";
import { cardName, say } from "../say.js";
import { stageOf, whose } from "./desk.js";
import { cribSize, laidNow, sideOf } from "./follow.js";
import { cutPack, nameDealer, spreadPack } from "./opening.js";
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
  if (kind === "draw") refresh(host, [kind, view.drawn_at, desk.may("Draw"), desk.face], () => spreadPack(desk));
  else if (kind === "name") refresh(host, [kind, mine], () => nameDealer(desk));
  else if (kind === "cut") refresh(host, [kind, desk.may("Cut"), view.to_act, mine], () => cutPack(desk, "pack"));
  else if (kind === "show") refresh(host, [kind, showKey(desk), mine], () => showPanel(desk));
  else if (kind === "over") refresh(host, [kind, view.won, desk.match, mine], () => overPanel(desk));
  else {
    const key = [kind, view.starter, view.count, view.played, view.cleared, cribSize(view), view.dealer, view.phase, desk.may("Cut"), mine];
    refresh(host, key, () => playStage(desk));
  }
}

/** @param {Desk} desk */
function playStage(desk) {
  const { view } = desk;
  const crib = cribSize(view);
  const cutting = view.phase === "cut-stock";
  const laid = laidNow(view);
  const starter = make(
    "div.spot.spot--starter",
    { "data-lifted": String(cutting) },
    view.starter ? desk.card(view.starter, "m", { class: "is-starter", label: say("table.starter_is", { card: cardName(view.starter) }) }) : make("span.stack", { "data-stock": true }, cardElement(null, { size: "m" })),
    make("span.spot-name", null, say(view.starter ? "table.starter" : "table.stock")),
  );
  const cribSpot = make(
    "div.spot.spot--crib",
    { "data-owner": view.dealer === view.seat ? "own" : "other" },
    make("div.crib-cards", { "data-crib": crib }, crib ? Array.from({ length: crib }, () => cardElement(null, { size: "m" })) : make("span.card-place")),
    make("span.spot-name", null, whose(desk, view.dealer, "table.your_crib", "table.crib_of")),
  );
  const centre = cutting
    ? cutPack(desk, "stock")
    : view.phase === "lay-away" || view.phase === "starter"
      ? [make("p.stage-title.deal-line", null, make("span", null, say("table.deal", { n: view.deal })), whose(desk, view.dealer, "table.you_deal", "table.deals"))]
      : [
        make(
          "div.count-box",
          { "data-count": view.count },
          make("span.count", { "aria-hidden": "true" }, String(view.count)),
          make("span.count-name", null, make("span", { "aria-hidden": "true" }, say("table.count")), make("span.visually-hidden", null, say("table.count_is", { n: view.count }))),
        ),
        make(
          "ol.laid",
          { "aria-label": say("table.laid"), "data-laid": laid.length },
          laid.map(([seat, card]) => make("li.laid-card", { "data-by": seat }, desk.card(card, "fill", { label: say("table.laid_by", { card: cardName(card), name: desk.names[seat] }) }), sideMark(sideOf(view, seat)))),
        ),
        earlier(desk),
      ];
  return [starter, make("div.centre", { "data-cutting": String(cutting), "data-single": String(centre.length === 1) }, centre), cribSpot];
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
