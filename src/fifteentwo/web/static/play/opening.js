// Before the cards are dealt: the spread deck, naming the dealer, and the cut.

import { cardElement } from "../cards.js";
import { all, find, make, refresh } from "../elements.js";
import { cardName, lang, say } from "../say.js";
import { latest } from "./log.js";

/** @typedef {import("./desk.js").Desk} Desk */

const DECK = 52;
/** Card edges drawn for the deck. */
const LAYERS = 12;

/**
 * 52 cards face down; arrow keys walk along them, so the whole deck is one stop for the Tab key. A card somebody else
 * draws goes alone: what lies under a finger that is going down must stay the same element, or the press is lost.
 * @param {HTMLElement} host @param {Desk} desk
 */
export function renderDraw(host, desk) {
  const { view } = desk;
  const mine = desk.may("Draw");
  refresh(host, ["draw", mine, desk.face], () => {
    const places = Array.from({ length: DECK }, () => make("span.spread-card"));
    return [
      make(
        "div.opening",
        null,
        make("div.spread", { role: "group", "aria-label": say("draw.deck"), onkeydown: walk }, places),
        make("div.own-draw"),
      ),
    ];
  });
  const spread = find(host, ".spread");
  const own = find(host, ".own-draw");
  if (!spread || !own) return;
  const stood = document.activeElement?.closest(".spread-card") ?? null;
  [...spread.children].forEach((place, at) => place instanceof HTMLElement && renderPlace(place, at, desk));
  keepOneStop(spread, stood);
  refresh(own, [view.drawn[view.seat], desk.fixed], () => ownDraw(desk));
}

/** One card of the deck, or the gap it left. @param {HTMLElement} place @param {number} at @param {Desk} desk */
function renderPlace(place, at, desk) {
  const taken = desk.view.drawn_at.includes(at);
  place.classList.toggle("is-taken", taken);
  refresh(place, [taken], () => {
    const card = cardElement(null, { size: "fill" });
    if (taken || !desk.may("Draw")) return [card];
    const action = {
      type: "button",
      "data-action": "draw",
      "data-at": at,
      tabindex: -1,
      "aria-label": say("draw.card", { n: at + 1 }),
      onclick: () => desk.act({ type: "Draw", seat: desk.view.seat, at }),
    };
    return [make("button.card-button", action, card)];
  });
}

/**
 * The Tab key comes to one card: where the keyboard stood, or the middle of the deck.
 * @param {HTMLElement} spread @param {Element | null} stood
 */
function keepOneStop(spread, stood) {
  const buttons = all(spread, "button", HTMLButtonElement);
  if (!buttons.length || (!stood?.matches(".is-taken") && buttons.some((one) => one.tabIndex === 0))) return;
  const from = stood ? [...spread.children].indexOf(stood) : -1;
  const next =
    (stood && buttons.find((one) => Number(one.dataset.at) > from)) ??
    (stood ? buttons.at(-1) : buttons[Math.floor(buttons.length / 2)]);
  for (const one of buttons) one.tabIndex = one === next ? 0 : -1;
  if (stood) next?.focus({ preventScroll: true });
}

/** The card one has drawn, and what it decides. @param {Desk} desk */
function ownDraw(desk) {
  const drawn = desk.view.drawn[desk.view.seat];
  const own = drawn.length
    ? drawn.map((card) => desk.card(card, "fill", { label: cardName(card) }))
    : [make("span.card-place")];
  const told = make("p.stage-note.draw-told", { "data-latest": true, "aria-hidden": "true" }, latest());
  return [...own, make("div.draw-words", null, drawRule(desk), told)];
}

/** What the drawn cards decide. @param {Desk} desk */
function drawRule({ view, fixed }) {
  const low = view.rules.first_dealer !== "high";
  const words = [
    low ? "draw.low" : "draw.high",
    view.rules.partners_by_draw ? "draw.partners" : "",
    fixed ? "draw.any" : "",
  ];
  return make(
    "p.stage-note",
    null,
    words
      .filter((key) => key)
      .map((key) => say(key))
      .join(lang === "ja" ? "" : " "),
  );
}

/** To the next card still there, or that of the next row where the deck lies in rows. @param {KeyboardEvent} event */
function walk(event) {
  const spread = event.currentTarget;
  if (!(spread instanceof HTMLElement)) return;
  const across = getComputedStyle(spread).gridTemplateColumns.split(" ").length;
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across % DECK, ArrowUp: -(across % DECK) }[event.key];
  if (!step) return;
  const buttons = all(spread, "button", HTMLButtonElement);
  const here = buttons.findIndex((button) => button === document.activeElement);
  if (here < 0) return;
  const wanted = Number(buttons[here].dataset.at) + step;
  const onwards =
    step > 0
      ? buttons.find((one) => Number(one.dataset.at) >= wanted)
      : buttons.findLast((one) => Number(one.dataset.at) <= wanted);
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
        desk.names.map((name, seat) =>
          make(
            "button.button",
            {
              type: "button",
              "data-action": "name-dealer",
              "data-seat": seat,
              onclick: () => desk.act({ type: "NameDealer", dealer: seat }),
            },
            name,
          ),
        ),
      ),
      make("p.stage-note", null, say("name_dealer.note")),
    ),
  ];
}

/** Whether the deck is to be cut now. @param {Wire.View} view */
export const cutting = ({ phase }) => phase === "cut" || phase === "cut-stock";

/** The deck, which a press cuts; what it does is also a button. Where it parts nobody chooses. @param {Desk} desk */
export function cutDeck(desk) {
  const layers = Array.from({ length: LAYERS }, (_, layer) =>
    make("span.layer", { "--layer": LAYERS - 1 - layer }, cardElement(null, { size: "fill" })),
  );
  const mine = desk.may("Cut");
  return make(
    "span.deck",
    { "data-stock": true, "data-action": mine && "cut-deck", onclick: mine && (() => cut(desk)) },
    layers,
  );
}

/** Cut in the middle: that counts only at a table without seeds. @param {Desk} desk */
const cut = (desk) => desk.act({ type: "Cut", seat: desk.view.seat, at: Math.floor(deckSize(desk.view) / 2) });

/** Cards in the deck that is cut now. @param {Wire.View} view */
const deckSize = ({ phase, rules }) =>
  phase === "cut" ? DECK : DECK - rules.seats * rules.dealt - rules.dealt_to_crib;

let cutsNext = false;

/** One press for what comes before the cut, and for the cut. @param {() => void} first */
export function cutAfter(first) {
  cutsNext = true;
  first();
}

/** The cut that has been asked for, once it is due; whatever else is asked first, ends that. @param {Desk} desk */
export function carryCut(desk) {
  const { to_act, seat } = desk.view;
  const due = cutsNext && desk.may("Cut");
  if (due || to_act.includes(seat)) cutsNext = false;
  if (due) cut(desk);
}

/**
 * @param {"continue-cut" | "discard-cut"} action @param {string} words @param {boolean} disabled
 * @param {() => void} first
 */
export const andCutButton = (action, words, disabled, first) =>
  make(
    "button.button",
    { type: "button", "data-action": action, disabled, onclick: () => cutAfter(first) },
    say(words),
    make("kbd", { "aria-hidden": "true" }, "C"),
  );

/** @param {Desk} desk */
export const cutButton = (desk) =>
  make(
    "button.button.button--primary",
    { type: "button", "data-action": "cut", "data-primary": true, onclick: () => cut(desk) },
    say(desk.view.phase === "cut" ? "cut.deck" : "cut.starter"),
    make("kbd", { "aria-hidden": "true" }, "C"),
  );
