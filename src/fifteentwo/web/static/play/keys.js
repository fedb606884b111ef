// Everything by keyboard. Single keys can be switched off in the settings.

import { all, byId, find, pressed } from "../elements.js";
import { hush } from "../voice.js";
import { explainClaim, typeDigit } from "./claim.js";
import { handInOrder, press } from "./hand.js";
import { toggleLog } from "./log.js";
import { busy, hurry } from "./pace.js";
import { likes } from "./settings.js";

/** @typedef {import("./desk.js").Desk} Desk */

const click = (/** @type {string} */ selector) => find(document, `${selector}:not(:disabled)`)?.click();

let keyboard = false;
/** Whether the reader's last move was with the keyboard: then the focus is led on, otherwise left alone. */
export const byKeyboard = () => keyboard;

/** @param {Desk} desk */
export function listenToKeys(desk) {
  document.addEventListener("keydown", () => (keyboard = true), true);
  document.addEventListener("pointerdown", () => (keyboard = false), true);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || find(document, "dialog[open]")) return;
    if (event.key === "Escape") return toggleLog(false);
    if (event.key.startsWith("Arrow") && pressed(event, "#hand")) return alongHand(event);
    const control = pressed(event, "button, a, input, select, summary");
    if (event.key === " " && !control) {
      event.preventDefault();
      return busy() ? skip() : click("[data-primary]");
    }
    if (event.key === "Enter" && !control) return click("[data-primary]");
    if (!likes.shortcuts || pressed(event, "input:not([type=range]), select, textarea")) return;
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
    tools(desk)[pressed(event, "[data-action]")?.dataset.action ?? ""]?.();
  });
}

function skip() {
  hush();
  hurry();
}

/** @param {Desk} desk @returns {Record<string, () => void>} */
const tools = (desk) => ({
  undo: () => desk.send({ t: "undo" }),
  log: () => toggleLog(),
  keys: () => byId("keys", HTMLDialogElement).showModal(),
  settings: () => byId("settings", HTMLDialogElement).showModal(),
  why: () => explainClaim(desk),
  invite: () => byId("invite", HTMLDialogElement).showModal(),
});

/** @param {Desk} desk @returns {Record<string, () => void>} */
const shortcuts = (desk) => ({
  c: () => click('[data-action="cut"]'),
  m: () => click('[data-action="muggins"]'),
  a: () => click('[data-action="accept"]'),
  u: () => click("#undo:not([hidden])"),
  l: () => toggleLog(),
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
  const cards = all(byId("hand"), "button");
  const here = cards.findIndex((card) => card === document.activeElement);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (here < 0 || !step) return;
  event.preventDefault();
  cards[(here + step + cards.length) % cards.length].focus();
}
