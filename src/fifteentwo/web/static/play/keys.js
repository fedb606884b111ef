// Everything by keyboard. Single keys can be switched off in the settings.

import { all, byId, find, pressed } from "../elements.js";
import { hush } from "../voice.js";
import { typeDigit } from "./claim.js";
import { handInOrder, press } from "./hand.js";
import { askHint, dropHint } from "./hint.js";
import { listenForHands } from "./lead.js";
import { toggleLog } from "./log.js";
import { busy, hurry } from "./pace.js";
import { mayFollow } from "./saying.js";
import { changeSpeed, likes, nextSpeed } from "./settings.js";

/** @typedef {import("./desk.js").Desk} Desk */

/** The table in words; what says them is loaded when it is first asked for. @param {Desk} desk */
const readTable = async (desk) => (await import("./reading.js")).readTable(desk);

/** Whether there was anything to end. */
function stopReading() {
  const place = byId("reading");
  const reading = place.childElementCount > 0;
  place.replaceChildren();
  return reading;
}

const click = (/** @type {string} */ selector) => find(document, `${selector}:not(:disabled)`)?.click();

/** @param {Desk} desk */
export function listenToKeys(desk) {
  listenForHands();
  document.addEventListener("keydown", (event) => {
    // A key held down acts once: the next card is not laid by the last one's Enter.
    if (event.repeat && (event.key === "Enter" || event.key === " ")) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey || find(document, "dialog[open]")) return;
    if (event.key === "Escape") return stopReading() || dropHint(desk) || toggleLog(false);
    if (event.key.startsWith("Arrow") && pressed(event, "#hand")) return alongHand(event);
    const control = pressed(event, "button, a, input, select, summary");
    if (event.key === " " && !control) {
      event.preventDefault();
      return busy() ? skip() : click("[data-primary]");
    }
    if (event.key === "Enter" && (!control || control.matches("[type=range]"))) return click("[data-primary]");
    if (!likes.shortcuts || pressed(event, "input:not([type=range]), select, textarea")) return;
    // With the card to be laid something is said: the same figures, shifted.
    if (event.shiftKey && /^Digit[0-9]$/.test(event.code) && (desk.may("Play") || mayFollow(desk)))
      return typeDigit(desk, Number(event.code.at(-1)));
    if (/^[0-9]$/.test(event.key)) return digit(desk, Number(event.key));
    const does = shortcuts(desk)[event.key.toLowerCase()];
    if (does) {
      event.preventDefault();
      does();
    }
  });
  // A tap on the felt ends the scene that is running.
  byId("felt").addEventListener("click", (event) => {
    if (!pressed(event, "button, a, input") && busy()) skip();
  });
  document.addEventListener("click", (event) => {
    const tool = tools(desk)[pressed(event, "[data-action]")?.dataset.action ?? ""];
    if (!tool) return;
    if (byId("tools").matches(":popover-open")) byId("tools").hidePopover();
    tool();
  });
}

function skip() {
  hush();
  hurry();
}

/** @param {Desk} desk @returns {Record<string, () => void>} */
const tools = (desk) => ({
  undo: () => desk.send({ t: "undo" }),
  hint: () => askHint(desk),
  log: () => toggleLog(),
  "close-log": () => toggleLog(false),
  read: () => readTable(desk),
  speed: () => nextSpeed(),
  keys: () => byId("keys", HTMLDialogElement).showModal(),
  settings: () => byId("settings", HTMLDialogElement).showModal(),
  resign: async () => (await import("./resign.js")).askResign(desk),
  why: async () => (await import("./right.js")).explainClaim(desk),
});

/** @param {Desk} desk @returns {Record<string, () => void>} */
const shortcuts = (desk) => ({
  c: () => click(':is([data-action="cut"], [data-action$="-cut"])'),
  m: () => click('[data-action="muggins"]'),
  a: () => click('[data-action="accept"]'),
  u: () => click("#undo:not([hidden])"),
  h: () => askHint(desk),
  l: () => toggleLog(),
  r: () => readTable(desk),
  v: () => click('[data-action="review"]'),
  "+": () => changeSpeed(1),
  "-": () => changeSpeed(-1),
  s: tools(desk).settings,
  "?": tools(desk).keys,
});

/** @param {Desk} desk @param {number} number */
function digit(desk, number) {
  if (desk.may("Claim")) return typeDigit(desk, number);
  const card = handInOrder(desk)[number - 1];
  if (card) press(desk, card);
}

/** @param {KeyboardEvent} event */
function alongHand(event) {
  // Up and down among what may be said with the card, along to the next card.
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
