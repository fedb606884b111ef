// Before the cards are dealt: the spread deck, naming the dealer, and the cut.

import { cardElement } from "../../cards/cards.js";
import { all, find, make, refresh } from "../../elements.js";
import { cardName, lang, text } from "../../text.js";
import { latest } from "../talk/log.js";
import { placesFixed } from "../dealing/seal.js";
import { may } from "../state.js";
import { faces, tableCard } from "../../settings/settings.js";

const DECK = 52;
/** Card edges drawn for the deck. */
const LAYERS = 12;

/**
 * 52 cards face down; arrow keys walk along them, so the whole deck is one stop for the Tab key. A card another player
 * draws goes alone: what lies under a finger that is going down must stay the same element, or the press is lost.
 * @param {HTMLElement} host @param {Table.State} state @param {Table.Actions} actions
 */
export function renderDraw(host, state, actions) {
  const { view } = state;
  const mine = may(state, "Draw");
  refresh(host, ["draw", mine, faces()], () => {
    const places = Array.from({ length: DECK }, () => make("span.spread-card"));
    return [
      make(
        "div.opening",
        null,
        make("div.spread", { role: "group", "aria-label": text("draw.deck"), onkeydown: walk }, places),
        make("div.own-draw"),
      ),
    ];
  });
  const spread = find(host, ".spread");
  const own = find(host, ".own-draw");
  if (!spread || !own) return;
  const stood = document.activeElement?.closest(".spread-card") ?? null;
  [...spread.children].forEach((place, at) => place instanceof HTMLElement && renderPlace(place, at, state, actions));
  keepOneStop(spread, stood);
  refresh(own, [view.drawn[view.seat], placesFixed(state)], () => ownDraw(state));
}

/**
 * One card of the deck, or the gap it left.
 * @param {HTMLElement} place @param {number} at @param {Table.State} state @param {Table.Actions} actions
 */
function renderPlace(place, at, state, actions) {
  const taken = state.view.drawn_at.includes(at);
  place.classList.toggle("is-taken", taken);
  refresh(place, [taken], () => {
    const card = cardElement(null, { size: "fill" });
    if (taken || !may(state, "Draw")) return [card];
    const action = {
      type: "button",
      "data-action": "draw",
      "data-at": at,
      tabindex: -1,
      "aria-label": text("draw.card", { n: at + 1 }),
      onclick: () => actions.act({ type: "Draw", seat: state.view.seat, at }),
    };
    return [make("button.card-button", action, card)];
  });
}

/**
 * The Tab key reaches one card: where the keyboard stood, or the middle of the deck.
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

/** The card one has drawn, and what it decides. @param {Table.State} state */
function ownDraw(state) {
  const drawn = state.view.drawn[state.view.seat];
  const own = drawn.length
    ? drawn.map((card) => tableCard(card, { label: cardName(card) }))
    : [make("span.card-place")];
  const result = make("p.stage-note.draw-result", { "data-latest": true, "aria-hidden": "true" }, latest(state));
  return [...own, make("div.draw-words", null, drawRule(state), result)];
}

/** What the drawn cards decide. @param {Table.State} state */
function drawRule(state) {
  const { view } = state;
  const low = view.rules.first_dealer !== "high";
  const words = [
    low ? "draw.low" : "draw.high",
    view.rules.partners_by_draw ? "draw.partners" : "",
    placesFixed(state) ? "draw.any" : "",
  ];
  return make(
    "p.stage-note",
    null,
    words
      .filter((key) => key)
      .map((key) => text(key))
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

/** @param {Table.State} state @param {Table.Actions} actions */
export function nameDealer(state, actions) {
  return [
    make(
      "div.opening.opening--names",
      null,
      make("p.stage-title", null, text("name_dealer.ask")),
      make(
        "div.name-choices",
        null,
        state.names.map((name, seat) =>
          make(
            "button.button",
            {
              type: "button",
              "data-action": "name-dealer",
              "data-seat": seat,
              onclick: () => actions.act({ type: "NameDealer", dealer: seat }),
            },
            name,
          ),
        ),
      ),
      make("p.stage-note", null, text("name_dealer.note")),
    ),
  ];
}

/** Whether the deck is to be cut now. @param {Wire.View} view */
export const cutting = ({ phase }) => phase === "cut" || phase === "cut-stock";

/**
 * The deck, which a press cuts; what it does is also a button. No one chooses where it parts.
 * @param {Table.State} state @param {Table.Actions} actions
 */
export function cutDeck(state, actions) {
  const layers = Array.from({ length: LAYERS }, (_, layer) =>
    make("span.layer", { "--layer": LAYERS - 1 - layer }, cardElement(null, { size: "fill" })),
  );
  const mine = may(state, "Cut");
  return make(
    "span.deck",
    { "data-stock": true, "data-action": mine && "cut-deck", onclick: mine && (() => cut(state, actions)) },
    layers,
  );
}

/**
 * Cut in the middle: that counts only at a table without seeds.
 * @param {Table.State} state @param {Table.Actions} actions
 */
const cut = (state, actions) =>
  actions.act({ type: "Cut", seat: state.view.seat, at: Math.floor(deckSize(state.view) / 2) });

/** Cards in the deck that is cut now. @param {Wire.View} view */
const deckSize = ({ phase, rules }) =>
  phase === "cut" ? DECK : DECK - rules.seats * rules.dealt - rules.dealt_to_crib;

/** One press for what comes before the cut, and for the cut. @param {Table.State} state @param {() => void} first */
export function cutAfter(state, first) {
  state.cutNext = true;
  first();
}

/**
 * The cut that has been asked for, once it is due; whatever else is asked first, ends that.
 * @param {Table.State} state @param {Table.Actions} actions
 */
export function carryCut(state, actions) {
  const { to_act, seat } = state.view;
  const due = state.cutNext && may(state, "Cut");
  if (due || to_act.includes(seat)) state.cutNext = false;
  if (due) cut(state, actions);
}

/**
 * @param {Table.State} state @param {"continue-cut" | "discard-cut"} action @param {string} words @param {boolean}
 *   disabled
 * @param {() => void} first
 */
export const andCutButton = (state, action, words, disabled, first) =>
  make(
    "button.button",
    { type: "button", "data-action": action, disabled, onclick: () => cutAfter(state, first) },
    text(words),
    make("kbd", { "aria-hidden": "true" }, "C"),
  );

/** @param {Table.State} state @param {Table.Actions} actions */
export const cutButton = (state, actions) =>
  make(
    "button.button.button--primary",
    { type: "button", "data-action": "cut", "data-primary": true, onclick: () => cut(state, actions) },
    text(state.view.phase === "cut" ? "cut.deck" : "cut.starter"),
    make("kbd", { "aria-hidden": "true" }, "C"),
  );
