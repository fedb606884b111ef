// Sounds are off at first: they are offered once, by one quiet button, while the first cards are drawn.

import { byId, find, make } from "../../elements.js";
import { keep } from "../../keep.js";
import { text } from "../../text.js";
import { sound } from "../../settings/settings.js";
import { may } from "../state.js";
import { subscribe } from "../subscribers.js";

const offer = make(
  "button.button",
  { id: "sound-offer", type: "button", "data-action": "sound", onclick: take },
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
    // A low window has no place for it.
    if (!may(state, "Draw") || matchMedia("(max-height: 30rem)").matches) return;
    shown.ever = true;
    keep("fifteentwo.sound-offered", "yes");
    find(document, ".asides")?.append(offer);
  },
});
