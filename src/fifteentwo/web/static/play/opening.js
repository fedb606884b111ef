// Before the cards are dealt: the spread pack, naming the dealer, and the cut.

import { cardElement } from "../cards.js";
import { all, make } from "../elements.js";
import { cardName, say } from "../say.js";
import { latest } from "./log.js";

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
  const places = Array.from({ length: PACK }, (_, at) => {
    const taken = view.drawn_at.includes(at);
    const card = cardElement(null, { size: "fill" });
    if (!mine || taken) return make(`span.spread-card${taken ? ".is-taken" : ""}`, null, card);
    const action = { type: "button", "data-action": "draw", "data-at": at, tabindex: at === first ? 0 : -1, "aria-label": say("draw.card", { n: at + 1 }), onclick: () => desk.act({ type: "Draw", seat: view.seat, at }) };
    return make("span.spread-card", null, make("button.card-button", action, card));
  });
  const spread = make("div.spread", { role: "group", "aria-label": say("draw.pack"), onkeydown: walk }, places);
  const drawn = view.drawn[view.seat];
  const own = drawn.length ? drawn.map((card) => desk.card(card, "fill", { label: cardName(card) })) : [make("span.card-place")];
  const told = make("p.stage-note.draw-told", { "data-latest": true, "aria-hidden": "true" }, latest());
  return [make("div.opening", null, spread, make("div.own-draw", null, own, make("div.draw-words", null, drawRule(desk), told)))];
}

/** What the drawn cards decide. @param {Desk} desk */
function drawRule({ view }) {
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

/** Whether the pack is to be cut now. @param {Wire.View} view */
export const cutting = ({ phase }) => phase === "cut" || phase === "cut-stock";

/** The pack, whose upper part rises where it will be cut: under the finger, or as the arrow keys say. @param {Desk} desk */
export function cutPack(desk) {
  const size = packSize(desk.view);
  const layers = Array.from({ length: LAYERS }, (_, layer) => make("span.layer", { "--layer": LAYERS - 1 - layer }, cardElement(null, { size: "fill" })));
  const pack = make("span.pack", { "data-stock": true }, layers);
  if (!desk.may("Cut")) return pack;
  const slider = make("input.cut-slider", { type: "range", min: LEAST, max: size - LEAST, value: desk.cutAt(size), "aria-label": say("cut.where"), "data-action": "cut-at" });
  const raise = () => {
    desk.lift = Number(slider.value) / size;
    const up = Math.round(desk.lift * LAYERS);
    layers.forEach((layer, index) => layer.classList.toggle("is-up", LAYERS - index <= up));
    slider.setAttribute("aria-valuetext", say("cut.cards", { n: Number(slider.value) }));
  };
  /** How deep the pointer stands below the top of the pack. */
  const point = (/** @type {PointerEvent} */ { clientY }) => {
    const { top, height } = slider.getBoundingClientRect();
    slider.value = String(Math.round(((clientY - top) / height) * size));
    raise();
  };
  slider.addEventListener("input", raise);
  slider.addEventListener("pointermove", point);
  slider.addEventListener("pointerup", (event) => {
    point(event);
    cut(desk);
  });
  raise();
  pack.append(slider);
  return pack;
}

/** Cards in the pack that is cut now. @param {Wire.View} view */
const packSize = ({ phase, rules }) => (phase === "cut" ? PACK : PACK - rules.seats * rules.dealt - rules.dealt_to_crib);

/** @param {Desk} desk */
const cut = (desk) => desk.act({ type: "Cut", seat: desk.view.seat, at: desk.cutAt(packSize(desk.view)) });

/** @param {Desk} desk */
export const cutButton = (desk) =>
  make("button.button.button--primary", { type: "button", "data-action": "cut", "data-primary": true, onclick: () => cut(desk) }, say(desk.view.phase === "cut" ? "cut.pack" : "cut.starter"), make("kbd", { "aria-hidden": "true" }, "C"));
