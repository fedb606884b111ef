// The reader's settings, kept in this browser: speed, sound, voice, cards, single-key shortcuts.

import { cardElement } from "../cards/cards.js";
import { all, byId, find } from "../elements.js";
import { keep, keptFields } from "../keep.js";
import { text } from "../text.js";
import { SPEEDS, besides, setSpeed } from "./pace.js";

const KEPT = "fifteentwo.settings";

/** What may be switched on and off. */
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
export const likes = { speed: "normal", ...switches };

/** @param {string} name @returns {name is keyof typeof switches} */
const isSwitch = (name) => name in switches;

/** What was liked at the last table. */
export const recallLikes = () => void Object.assign(likes, keptFields(KEPT));

/** Which faces the cards have: part of what a drawing depends on. */
export const faces = () => `${likes.four}${likes.large}`;

/** A card as this reader likes it. @param {string} card @param {{class?: string, label?: string}} [more] */
export function tableCard(card, more = {}) {
  const svg = cardElement(card, { size: "fill", fourColour: likes.four, largePrint: likes.large });
  if (more.class) svg.classList.add(more.class);
  if (more.label) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", more.label);
    svg.removeAttribute("aria-hidden");
  }
  return svg;
}

/** Make a sound, where they are switched on. @param {"card" | "peg" | "knock"} name */
export async function sound(name) {
  if (likes.sound) (await import("./sound.js")).SOUNDS[name]();
}

/** Speak words aloud, where that is switched on; resolves when they are spoken. @param {string} words */
export async function speak(words) {
  const rate = { slow: 0.9, fast: 1.3 }[likes.speed] ?? 1.1;
  if (likes.speech && words) await (await import("./sound.js")).speak(words, rate);
}

/** Stop speaking. */
export const hush = () => likes.speech && speechSynthesis.cancel();

/** @param {() => void} changed */
export function openSettings(changed) {
  recallLikes();
  const asked = new URLSearchParams(location.search).get("speed");
  if (asked && SPEEDS.includes(asked)) likes.speed = asked;
  setSpeed(likes.speed);
  nameSpeed();
  for (const input of all(byId("settings"), "input", HTMLInputElement)) {
    if (isSwitch(input.name)) input.checked = likes[input.name];
    else input.checked = likes.speed === input.value;
    input.addEventListener("change", () => {
      if (isSwitch(input.name)) likes[input.name] = input.checked;
      else likes.speed = input.value;
      setSpeed(likes.speed);
      nameSpeed();
      keep(KEPT, JSON.stringify(likes));
      changed();
    });
  }
}

/** The tool says which speed it is. */
function nameSpeed() {
  const words = find(document, '[data-action="speed"] .tool-word');
  if (words) words.textContent = text("table.speed", { speed: text(`settings.speed.${likes.speed}`) });
}

/** @param {string} speed */
const choose = (speed) => find(byId("settings"), `[name="speed"][value="${speed}"]`)?.click();

/** Faster or slower, also while something is shown. @param {1 | -1} step */
export const changeSpeed = (step) => choose(besides(likes.speed, step));

/** Each speed in its turn, from slow to instant and then slow again. */
export const nextSpeed = () => choose(likes.speed === SPEEDS[0] ? SPEEDS[SPEEDS.length - 1] : besides(likes.speed, 1));
