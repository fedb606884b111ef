// What a person likes, kept in this browser: speed, sound, voice, cards, single-key shortcuts.

import { all, byId } from "../elements.js";
import { keep, keptFields } from "../keep.js";
import { SPEEDS, setSpeed } from "./pace.js";

const KEPT = "fifteentwo.settings";

/** What may be switched on and off. */
const switches = { sound: false, speech: false, four: false, large: false, shortcuts: true };
export const likes = { speed: "normal", ...switches };

/** @param {string} name @returns {name is keyof typeof switches} */
const isSwitch = (name) => name in switches;

/** @param {() => void} changed */
export function openSettings(changed) {
  Object.assign(likes, keptFields(KEPT));
  const asked = new URLSearchParams(location.search).get("speed");
  if (asked && SPEEDS.includes(asked)) likes.speed = asked;
  setSpeed(likes.speed);
  for (const input of all(byId("settings"), "input", HTMLInputElement)) {
    if (isSwitch(input.name)) input.checked = likes[input.name];
    else input.checked = likes.speed === input.value;
    input.addEventListener("change", () => {
      if (isSwitch(input.name)) likes[input.name] = input.checked;
      else likes.speed = input.value;
      setSpeed(likes.speed);
      keep(KEPT, JSON.stringify(likes));
      changed();
    });
  }
}
