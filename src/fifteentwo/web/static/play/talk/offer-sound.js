// Offer sounds once, by a button, while the first cards are drawn. They are off by default.

import { byId, find, make } from "../../elements.js";
import { store } from "../../storage.js";
import { text } from "../../text.js";
import { sound } from "../../settings/settings.js";
import { canDo } from "../state.js";
import { subscribe } from "../subscribers.js";

const offer = make("button.button", { id: "sound-offer", "data-action": "sound", onclick: take }, text("sound.offer"));
const shown = { ever: false };

function take() {
  find(byId("settings"), '[name="sound"]')?.click();
  offer.remove();
  void sound("knock");
}

subscribe({
  picture(state) {
    if (shown.ever) return state.view.hand.length ? offer.remove() : undefined;
    // A low window has no space for the button.
    if (!canDo(state, "Draw") || matchMedia("(max-height: 30rem)").matches) return;
    shown.ever = true;
    store("fifteentwo.sound-offered", "yes");
    find(document, ".asides")?.append(offer);
  },
});
