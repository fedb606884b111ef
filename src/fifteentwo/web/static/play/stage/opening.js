// Before the deal: the spread deck, naming the dealer, the cut.

import { cardElement } from "../../cards/cards.js";
import { all, find, isBrowserKey, make, refresh } from "../../elements.js";
import { cardName, lang, text } from "../../text.js";
import { latest } from "../talk/log.js";
import { placesFixed } from "../dealing/seal.js";
import { canDo } from "../state.js";
import { faces, tableCard } from "../../settings/settings.js";

const DECK = 52;
const LAYERS = 12;
/** The place that was pressed and the place that the seeds chose: this page shows each in place of the other. */
const swapped = { pressed: -1, chosen: -1 };

/** Show the place that was pressed, if any, in place of the reader's drawn one. @param {number} at */
export const swapPlaces = (at) => void Object.assign(swapped, { chosen: swapped.pressed < 0 ? -1 : at });

/** @param {number} at */
const placeOf = (at) => (at === swapped.pressed ? swapped.chosen : at === swapped.chosen ? swapped.pressed : at);

/**
 * Draw 52 face-down cards with one Tab stop; arrow keys move between them. A card that another player draws is removed
 * alone: if the element under a finger were replaced, its press would be lost.
 * @param {HTMLElement} host @param {Table.State} state @param {Table.Actions} actions
 */
export function renderDraw(host, state, actions) {
  const { view } = state;
  const mine = canDo(state, "Draw");
  refresh(host, ["draw", mine, faces()], () => {
    const places = Array.from({ length: DECK }, () => make("span.spread-card"));
    return [
      make(
        "div.opening.aligned.centred.down.gap-2.full-width",
        make("div.spread.grid.full-width", { role: "group", "aria-label": text("draw.deck"), onkeydown: walk }, places),
        make("div.own-draw.aligned.gap-4"),
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

/** @param {HTMLElement} place @param {number} at @param {Table.State} state @param {Table.Actions} actions */
function renderPlace(place, at, state, actions) {
  const taken = state.view.drawn_at.includes(placeOf(at));
  place.classList.toggle("is-taken", taken);
  refresh(place, [taken], () => {
    const card = cardElement(null, { size: "fill" });
    if (taken || !canDo(state, "Draw")) return [card];
    const action = {
      "data-action": "draw",
      "data-at": at,
      tabindex: -1,
      "aria-label": text("draw.card", { n: at + 1 }),
      onclick: () => {
        if (!state.sent) Object.assign(swapped, { pressed: at, chosen: -1 });
        void actions.act({ type: "Draw", seat: state.view.seat, at });
      },
    };
    return [make("button.card-button", action, card)];
  });
}

/** @param {HTMLElement} spread @param {Element | null} stood */
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

/** Draw the card that the reader has drawn, and its consequence. @param {Table.State} state */
function ownDraw(state) {
  const drawn = state.view.drawn[state.view.seat];
  const own = drawn.length
    ? drawn.map((card) => tableCard(card, { label: cardName(card) }))
    : [make("span.card-place")];
  const result = make(
    "p.stage-note.flush.small.text-center.felt-quiet.draw-result",
    { "data-latest": true, "aria-hidden": "true" },
    latest(state),
  );
  return [...own, make("div.draw-words", drawRule(state), result)];
}

/** Describe what the drawn cards decide. @param {Table.State} state */
function drawRule(state) {
  const { view } = state;
  const low = view.rules.first_dealer !== "high";
  const words = [
    low ? "draw.low" : "draw.high",
    view.rules.partners_by_draw ? "draw.partners" : "",
    placesFixed(state) ? "draw.any" : "",
  ];
  return make(
    "p.stage-note.flush.small.text-center.felt-quiet",
    words
      .filter((key) => key)
      .map((key) => text(key))
      .join(lang === "ja" ? "" : " "),
  );
}

/** Move to the next remaining card, or to the next row. @param {KeyboardEvent} event */
function walk(event) {
  const spread = event.currentTarget;
  if (!(spread instanceof HTMLElement)) return;
  const across = getComputedStyle(spread).gridTemplateColumns.split(" ").length;
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across % DECK, ArrowUp: -(across % DECK) }[event.key];
  if (!step || isBrowserKey(event)) return;
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
      "div.opening.aligned.centred.down.gap-2.full-width.opening--names",
      make("p.stage-title.flush.text-center", text("name_dealer.ask")),
      make(
        "div.name-choices.flex.wraps.centred.gap-2",
        state.names.map((name, seat) =>
          make(
            "button.button",
            {
              "data-action": "name-dealer",
              "data-seat": seat,
              onclick: () => actions.act({ type: "NameDealer", dealer: seat }),
            },
            name,
          ),
        ),
      ),
      make("p.stage-note.flush.small.text-center.felt-quiet", text("name_dealer.note")),
    ),
  ];
}

/** Whether the deck must be cut now. @param {Wire.View} view */
export const cutting = ({ phase }) => phase === "cut" || phase === "cut-stock";

/** Draw the deck; pressing it cuts. @param {Table.State} state @param {Table.Actions} actions */
export function cutDeck(state, actions) {
  const layers = Array.from({ length: LAYERS }, (_, layer) =>
    make("span.layer", { "--layer": LAYERS - 1 - layer }, cardElement(null, { size: "fill" })),
  );
  const mine = canDo(state, "Cut");
  return make(
    "span.deck.block.relative",
    { "data-stock": true, "data-action": mine && "cut-deck", onclick: mine && (() => cut(state, actions)) },
    layers,
  );
}

/** @param {Table.State} state @param {Table.Actions} actions */
const cut = (state, actions) =>
  actions.act({ type: "Cut", seat: state.view.seat, at: Math.floor(deckSize(state.view) / 2) });

/** Return the number of cards in the deck that is cut. @param {Wire.View} view */
const deckSize = ({ phase, rules }) =>
  phase === "cut" ? DECK : DECK - rules.seats * rules.dealt - rules.dealt_to_crib;

/** Do an action and then cut, with one press. @param {Table.State} state @param {() => void} first */
export function cutAfter(state, first) {
  state.cutNext = true;
  first();
}

/** Another question cancels a requested cut. @param {Table.State} state @param {Table.Actions} actions */
export function cutIfRequested(state, actions) {
  const { to_act, seat } = state.view;
  const due = state.cutNext && canDo(state, "Cut");
  if (due || to_act.includes(seat)) state.cutNext = false;
  if (due) cut(state, actions);
}

/** @param {Table.State} state @param {boolean} disabled @param {() => void} discard */
export const andCutButton = (state, disabled, discard) =>
  make(
    "button.button",
    { "data-action": "discard-cut", disabled, onclick: () => cutAfter(state, discard) },
    text("discard.and_cut"),
    make("kbd", { "aria-hidden": "true" }, "C"),
  );

/** @param {Table.State} state @param {Table.Actions} actions */
export const cutButton = (state, actions) =>
  make(
    "button.button.button--primary",
    { "data-action": "cut", "data-primary": true, onclick: () => cut(state, actions) },
    text(state.view.phase === "cut" ? "cut.deck" : "cut.starter"),
    make("kbd", { "aria-hidden": "true" }, "C"),
  );
