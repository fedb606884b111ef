// The reader's settings, stored in this browser: speed, sound, voice, cards, keys.

import { cardElement } from "../cards/cards.js";
import { all, byId, find } from "../elements.js";
import { store, readStoredObject } from "../storage.js";
import { text } from "../text.js";
import { SPEEDS, besides, setSpeed } from "./pace.js";

const STORAGE_KEY = "fifteentwo.settings";

const switches = {
  sound: false,
  speech: false,
  four: false,
  large: false,
  confirm: false,
  parlett: false,
  coach: false,
  pegs: false,
  shortcuts: true,
};
export const likes = { speed: "normal", hint: "nudge", ...switches };

/** @param {string} name @returns {name is "speed" | "hint"} */
const isChoice = (name) => name === "speed" || name === "hint";

/** @param {string} name @returns {name is keyof typeof switches} */
const isSwitch = (name) => name in switches;

export const loadSettings = () => void Object.assign(likes, readStoredObject(STORAGE_KEY));

/** Return a key of the card faces, for drawings that depend on them. */
export const faces = () => `${likes.four}${likes.large}`;

/** Create a card with the chosen faces. @param {string} card @param {{class?: string, label?: string}} [more] */
export function tableCard(card, more = {}) {
  const { label } = more;
  const svg = cardElement(card, { size: "fill", fourColour: likes.four, largePrint: likes.large, label });
  if (more.class) svg.classList.add(more.class);
  return svg;
}

/** @typedef {"counts" | "bubbles" | "hints" | "words"} Helper */
const HELPERS = "fifteentwo.first-game";
export const FIRST_GAME = `${HELPERS}.progress`;
/** @type {Partial<Record<Helper, boolean>>} */
const helpers = readStoredObject(HELPERS);
/** Whether a helper of a first game is on: by default until the reader has won a race to 31 points.
 * @param {Helper} helper @param {Partial<Table.FirstGame>} [way] */
export const helps = (helper, way = readStoredObject(FIRST_GAME)) => helpers[helper] ?? !(way.over && way.won);

/** Offer the switches of the helpers. Return how to show the present choice. @param {() => void} changed */
export function openHelpers(changed) {
  const inputs = all(byId("helpers"), "input", HTMLInputElement);
  const helperOf = (/** @type {HTMLInputElement} */ { name }) => /** @type {Helper} */ (name.replace("first-", ""));
  for (const input of inputs)
    input.addEventListener("change", () => {
      helpers[helperOf(input)] = input.checked;
      store(HELPERS, JSON.stringify(helpers));
      changed();
    });
  return () => {
    for (const input of inputs) input.checked = helps(helperOf(input));
  };
}

/** Make a sound if sounds are on. @param {"card" | "peg" | "knock"} name */
export async function sound(name) {
  if (likes.sound) (await import("./sound.js")).SOUNDS[name]();
}

/** Speak words if the voice is on; resolve when they are spoken. @param {string} words */
export async function speak(words) {
  const rate = { slow: 0.9, fast: 1.3 }[likes.speed] ?? 1.1;
  if (likes.speech && words) await (await import("./sound.js")).speak(words, rate);
}

export const stopSpeaking = () => likes.speech && speechSynthesis.cancel();

/** @param {() => void} changed */
export function openSettings(changed) {
  loadSettings();
  const asked = new URLSearchParams(location.search).get("speed");
  if (asked && SPEEDS.includes(asked)) likes.speed = asked;
  setSpeed(likes.speed);
  nameSpeed();
  for (const input of all(byId("settings"), "input", HTMLInputElement)) {
    if (isSwitch(input.name)) input.checked = likes[input.name];
    else if (isChoice(input.name)) input.checked = likes[input.name] === input.value;
    input.addEventListener("change", () => {
      if (isSwitch(input.name)) likes[input.name] = input.checked;
      else if (isChoice(input.name)) likes[input.name] = input.value;
      setSpeed(likes.speed);
      nameSpeed();
      store(STORAGE_KEY, JSON.stringify(likes));
      changed();
    });
  }
}

function nameSpeed() {
  const words = find(document, '[data-action="speed"] .tool-word');
  if (words) words.textContent = text("table.speed", { speed: text(`settings.speed.${likes.speed}`) });
}

/** @param {string} speed */
const choose = (speed) => find(byId("settings"), `[name="speed"][value="${speed}"]`)?.click();

/** Set the next slower or faster speed. @param {1 | -1} step */
export const changeSpeed = (step) => choose(besides(likes.speed, step));

/** Set the next speed in turn, from slow to instant and then slow again. */
export const nextSpeed = () => choose(likes.speed === SPEEDS[0] ? SPEEDS[SPEEDS.length - 1] : besides(likes.speed, 1));
