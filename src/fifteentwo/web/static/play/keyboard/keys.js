// Keyboard control. Single keys can be switched off in the settings.

import { all, byId, find, isBrowserKey, pressed } from "../../elements.js";
import { typeDigit } from "../claims/claim.js";
import { handInOrder, press } from "../hand/hand.js";
import { askHint, dropHint } from "../help/hint.js";
import { noteInputDevice } from "./focus.js";
import { toggleLog } from "../talk/log.js";
import { busy, endScene } from "../../settings/pace.js";
import { canAcceptByPlaying } from "../claims/card-and-claim.js";
import { changeSpeed, stopSpeaking, likes, nextSpeed } from "../../settings/settings.js";
import { canDo } from "../state.js";
import { mayTakeBack, takeBack } from "../hand/take-back.js";

/** Read the table in words; the script is loaded at the first use. @param {Table.State} state */
const readTable = async (state) => (await import("../talk/reading.js")).readTable(state);

function stopReading() {
  const place = byId("reading");
  const reading = place.childElementCount > 0;
  place.replaceChildren();
  return reading;
}

const click = (/** @type {string} */ selector) => find(document, `${selector}:not(:disabled)`)?.click();

/** @param {Table.State} state @param {Table.Actions} actions */
export function listenToKeys(state, actions) {
  noteInputDevice(state);
  document.addEventListener("keydown", (event) => {
    // A held key acts once, so that Enter does not play the next card too.
    if (event.repeat && (event.key === "Enter" || event.key === " ")) return event.preventDefault();
    if (isBrowserKey(event) || find(document, "dialog[open]")) return;
    if (event.key === "Escape") return stopReading() || dropHint(state, actions) || toggleLog(false);
    if (event.key.startsWith("Arrow") && pressed(event, "#hand")) return alongHand(event);
    const control = pressed(event, "button, a, input, select, summary");
    if (event.key === " " && !control) {
      event.preventDefault();
      return busy() ? skip() : click("[data-primary]");
    }
    if (event.key === "Enter" && (!control || control.matches("[type=range]"))) return click("[data-primary]");
    if (!likes.shortcuts || pressed(event, "input:not([type=range]), select, textarea")) return;
    // A claim for the next card: Shift and a digit.
    if (event.shiftKey && /^Digit[0-9]$/.test(event.code) && (canDo(state, "Play") || canAcceptByPlaying(state)))
      return typeDigit(state, actions, Number(event.code.at(-1)));
    if (/^[0-9]$/.test(event.key)) return digit(state, actions, Number(event.key));
    const does = shortcuts(state, actions)[event.key.toLowerCase()];
    if (does) {
      event.preventDefault();
      does();
    }
  });
  // A press on the felt ends the running scene, or removes the hint.
  byId("felt").addEventListener("click", (event) => {
    if (pressed(event, "button, a, input, .notes")) return;
    if (busy()) skip();
    else dropHint(state, actions);
  });
  document.addEventListener("click", (event) => {
    const tool = tools(state, actions)[pressed(event, "[data-action]")?.dataset.action ?? ""];
    if (!tool) return;
    if (byId("tools").matches(":popover-open")) byId("tools").hidePopover();
    tool();
  });
}

export function skip() {
  stopSpeaking();
  endScene();
}

/** @param {Table.State} state @param {Table.Actions} actions @returns {Record<string, () => void>} */
const tools = (state, actions) => ({
  undo: () => (mayTakeBack(state) ? takeBack(state, actions) : actions.send({ t: "undo" })),
  hint: () => askHint(state, actions),
  log: () => toggleLog(),
  "close-log": () => toggleLog(false),
  read: () => readTable(state),
  speed: () => nextSpeed(),
  keys: () => byId("keys", HTMLDialogElement).showModal(),
  settings: () => byId("settings", HTMLDialogElement).showModal(),
  looks: async () => (await import("../../looks/looks.js")).openLooks(),
  resign: async () => (await import("../resign.js")).askResign(state, actions),
  why: async () => (await import("../claims/explain-claim.js")).explainClaim(state),
});

/** @param {Table.State} state @param {Table.Actions} actions @returns {Record<string, () => void>} */
const shortcuts = (state, actions) => ({
  c: () => click(':is([data-action="cut"], [data-action="discard-cut"], [data-cuts])'),
  m: () => click('[data-action="muggins"]'),
  a: () => click('[data-action="accept"]'),
  u: () => click("#undo:not([hidden])"),
  h: () => askHint(state, actions),
  l: () => toggleLog(),
  r: () => readTable(state),
  v: () => click('[data-action="review"]'),
  "+": () => changeSpeed(1),
  "-": () => changeSpeed(-1),
  s: tools(state, actions).settings,
  "?": tools(state, actions).keys,
});

/** @param {Table.State} state @param {Table.Actions} actions @param {number} number */
function digit(state, actions, number) {
  if (canDo(state, "Claim")) return typeDigit(state, actions, number);
  const card = handInOrder(state)[number - 1];
  if (card) press(state, actions, card);
}

/** @param {KeyboardEvent} event */
function alongHand(event) {
  // Up and down move among the claims of a card, left and right to other cards.
  const upright = event.key === "ArrowUp" || event.key === "ArrowDown";
  const place = pressed(event, "li");
  if (!place) return;
  const stops = upright ? all(place, "button") : all(byId("hand"), ".card-button");
  const here = stops.findIndex((stop) => stop === document.activeElement || (!upright && stop.parentElement === place));
  event.preventDefault();
  stops[
    (here + (event.key === "ArrowRight" || event.key === "ArrowUp" ? 1 : -1) + stops.length) % stops.length
  ].focus();
}
