// Sounds are off at first: they are offered once, by one quiet button, while the first cards are drawn.

import { byId, find, make } from "../elements.js";
import { keep } from "../keep.js";
import { text } from "../text.js";
import { moreStyle } from "./more.js";
import { sound } from "./settings.js";
import { may } from "./state.js";
import { subscribe } from "./subscribers.js";

const offer = make(
  "button.button.sound-offer",
  { type: "button", "data-action": "sound", onclick: take },
  text("sound.offer"),
);
const shown = { ever: false };

/** The switch in the settings, and how it sounds. */
function take() {
  find(byId("settings"), '[name="sound"]')?.click();
  offer.remove();
  void sound("knock");
}

subscribe({
  picture(state) {
    if (shown.ever) return state.view.hand.length ? offer.remove() : undefined;
    if (!may(state, "Draw")) return;
    shown.ever = true;
    keep("fifteentwo.sound-offered", "yes");
    moreStyle("play/offer-sound");
    find(document, ".buttons-row")?.append(offer);
  },
});
