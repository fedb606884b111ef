// @ts-check
// What a person likes, kept in this browser: speed, sound, voice, cards, single-key shortcuts.

import { byId } from "./element.js";
import { setSpeed, SPEEDS } from "./pace.js";

const DEFAULTS = { speed: "normal", sound: false, speech: false, four: false, large: false, shortcuts: true };
const KEPT = "fifteentwo.settings";

/** @type {typeof DEFAULTS} */
export const likes = { ...DEFAULTS };

/** @param {() => void} changed */
export function openSettings(changed) {
  try {
    Object.assign(likes, JSON.parse(localStorage.getItem(KEPT) ?? "{}"));
  } catch {
    // A private window keeps nothing: the defaults hold for this page.
  }
  const asked = new URLSearchParams(location.search).get("speed");
  if (asked && SPEEDS.includes(/** @type {any} */ (asked))) likes.speed = asked;
  setSpeed(likes.speed);
  const form = /** @type {HTMLFormElement} */ (byId("settings").querySelector("form"));
  for (const input of form.querySelectorAll("input")) {
    if (input.type === "radio") input.checked = likes.speed === input.value;
    else input.checked = /** @type {any} */ (likes)[input.name];
  }
  form.addEventListener("change", ({ target }) => {
    const input = /** @type {HTMLInputElement} */ (target);
    /** @type {any} */ (likes)[input.name] = input.type === "radio" ? input.value : input.checked;
    setSpeed(likes.speed);
    try {
      localStorage.setItem(KEPT, JSON.stringify(likes));
    } catch {
      // See above.
    }
    changed();
  });
}
