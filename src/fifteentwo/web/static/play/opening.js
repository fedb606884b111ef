// Before the cards are dealt: the spread pack, naming the dealer, and the cut.

import { cardElement } from "../cards.js";
import { all, make } from "../elements.js";
import { listed, say } from "../say.js";

/** @typedef {import("./desk.js").Desk} Desk */

const PACK = 52;
/** Card edges drawn for the pack: enough to see where it parts. */
const LAYERS = 12;
/** Cards that must lie in each part of a cut. */
const LEAST = 4;

/** 52 cards face down; arrow keys walk along them, so the whole pack is one stop for the Tab key. @param {Desk} desk */
export function spreadPack(desk) {
  const { view } = desk;
  const mine = desk.may("Draw");
  const free = Array.from({ length: PACK }, (_, at) => at).filter((at) => !view.drawn_at.includes(at));
  const first = free[Math.floor(free.length / 2)];
  const buttons = Array.from({ length: PACK }, (_, at) => {
    const taken = view.drawn_at.includes(at);
    if (!mine || taken) return make(`li.spread-card${taken ? ".is-taken" : ""}`, { "--at": at }, cardElement(null, { size: "fill" }));
    return make(
      "li.spread-card",
      { "--at": at },
      make(
        "button.card-button",
        {
          type: "button",
          "data-action": "draw",
          "data-at": at,
          tabindex: at === first ? 0 : -1,
          "aria-label": say("draw.card", { n: at + 1 }),
          onclick: () => desk.act({ type: "Draw", seat: view.seat, at }),
        },
        cardElement(null, { size: "fill" }),
      ),
    );
  });
  const spread = make("ol.spread", { "aria-label": say("draw.pack"), onkeydown: walk }, buttons);
  return [make("div.opening", null, spread, drawRule(desk))];
}

/** What the drawn cards decide: below the spread pack, or on a phone beside the card drawn. @param {Desk} desk */
export function drawRule({ view }) {
  const low = view.rules.first_dealer !== "high";
  return make("p.stage-note", null, say(low ? "draw.low" : "draw.high") + (view.rules.partners_by_draw ? ` ${say("draw.partners")}` : ""));
}

/** To the next card still there, or that of the next row where the pack lies in rows. @param {KeyboardEvent} event */
function walk(event) {
  const spread = event.currentTarget;
  if (!(spread instanceof HTMLElement)) return;
  const across = getComputedStyle(spread).gridTemplateColumns.split(" ").length;
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across % PACK, ArrowUp: -(across % PACK) }[event.key];
  if (!step) return;
  const buttons = all(spread, "button", HTMLButtonElement);
  const here = buttons.findIndex((button) => button === document.activeElement);
  if (here < 0) return;
  const wanted = Number(buttons[here].dataset.at) + step;
  const onwards = step > 0 ? buttons.find((one) => Number(one.dataset.at) >= wanted) : buttons.findLast((one) => Number(one.dataset.at) <= wanted);
  const next = onwards ?? buttons[step > 0 ? buttons.length - 1 : 0];
  buttons[here].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
  event.preventDefault();
}

/** @param {Desk} desk */
export function nameDealer(desk) {
  return [
    make(
      "div.opening.opening--names",
      null,
      make("p.stage-title", null, say("name_dealer.ask")),
      make(
        "div.name-choices",
        null,
        desk.names.map((name, seat) => make("button.button", { type: "button", "data-action": "name-dealer", "data-seat": seat, onclick: () => desk.act({ type: "NameDealer", dealer: seat }) }, name)),
      ),
      make("p.stage-note", null, say("name_dealer.note")),
    ),
  ];
}

/**
 * The pack, whose upper part rises where it will be cut; the slider and the pack itself both cut.
 * @param {Desk} desk @param {"pack" | "stock"} which
 */
export function cutPack(desk, which) {
  const { view } = desk;
  const size = packSize(view);
  const mine = desk.may("Cut");
  const name = listed(view.to_act.map((seat) => desk.names[seat]));
  const layers = Array.from({ length: LAYERS }, (_, layer) => make("span.layer", { "--layer": LAYERS - 1 - layer }, cardElement(null, { size: "fill" })));
  const pile = make("span.pile", { "aria-hidden": "true", "data-stock": true }, layers);
  if (!mine) return [make("div.opening.opening--cut", null, pile, make("p.stage-note", null, name ? say(which === "pack" ? "cut.waiting" : "cut.waiting_starter", { name }) : ""))];
  const slider = make("input.cut-slider", { type: "range", min: LEAST, max: size - LEAST, value: desk.cutAt(size), "aria-label": say("cut.where"), "data-action": "cut-at" });
  const raise = () => {
    const up = Math.round((Number(slider.value) / size) * LAYERS);
    layers.forEach((layer, index) => layer.classList.toggle("is-up", LAYERS - index <= up));
    slider.setAttribute("aria-valuetext", say("cut.cards", { n: Number(slider.value) }));
  };
  slider.addEventListener("input", () => {
    desk.lift = Number(slider.value) / size;
    raise();
  });
  raise();
  return [make("div.opening.opening--cut", null, make("button.pile-button", { type: "button", tabindex: -1, "aria-hidden": "true", onclick: () => cut(desk) }, pile), slider)];
}

/** Cards in the pack that is cut now. @param {Wire.View} view */
const packSize = ({ phase, rules }) => (phase === "cut" ? PACK : PACK - rules.seats * rules.dealt - rules.dealt_to_crib);

/** @param {Desk} desk */
const cut = (desk) => desk.act({ type: "Cut", seat: desk.view.seat, at: desk.cutAt(packSize(desk.view)) });

/** @param {Desk} desk */
export const cutButton = (desk) =>
  make("button.button.button--primary", { type: "button", "data-action": "cut", "data-primary": true, onclick: () => cut(desk) }, say(desk.view.phase === "cut" ? "cut.pack" : "cut.starter"), make("kbd", { "aria-hidden": "true" }, "C"));
