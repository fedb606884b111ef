// A hint for whoever asks: what would be best and why, in words, and the cards gently marked until something is done.

import { all, byId, make } from "../elements.js";
import { say } from "../say.js";

/** @typedef {import("./desk.js").Desk} Desk */

/** What was told, and of which picture. @type {{advice: Wire.Advice, of: string} | null} */
let told = null;
let asked = "";

/** A hand and how far the play has come. @param {Desk} desk */
const picture = ({ view }) => JSON.stringify([view.deal, view.phase, view.hand, view.played.length]);

/** Whether there is something to choose. @param {Desk} desk */
const choosing = (desk) => desk.hints && (desk.may("Discard") || desk.may("Play"));

/** @param {Desk} desk */
export function askHint(desk) {
  if (!choosing(desk) || asked === picture(desk) || told?.of === picture(desk)) return;
  asked = picture(desk);
  desk.send({ t: "hint" });
}

/** @param {Desk} desk @param {Wire.Advice} advice */
export function takeHint(desk, advice) {
  if (asked === picture(desk)) told = { advice, of: asked };
  asked = "";
  desk.render();
}

/** Whether there was one to put away. @param {Desk} desk */
export function dropHint(desk) {
  const was = told !== null;
  told = null;
  if (was) desk.render();
  return was;
}

/** The button where hints are given; the words and the marks as long as the picture stands. @param {Desk} desk */
export function renderHint(desk) {
  // Beside the cards, or among the tools where there is no room for it.
  for (const id of ["hint", "hint-tool"]) {
    const button = byId(id, HTMLButtonElement);
    button.hidden = !desk.hints;
    button.disabled = !choosing(desk);
  }
  if (told && (told.of !== picture(desk) || !choosing(desk))) told = null;
  if (asked && asked !== picture(desk)) asked = "";
  const place = byId("note");
  const words = told?.advice.told ?? "";
  if (words !== (place.dataset.hint ?? "")) {
    place.dataset.hint = words;
    place.replaceChildren(
      ...(told
        ? [
            make("p.note-words", null, words),
            make("p.note-worth", null, say("table.hint_worth", { worth: told.advice.worth })),
          ]
        : []),
    );
  }
  const marked = told?.advice.cards ?? [];
  for (const card of all(byId("hand"), "button"))
    card.classList.toggle("is-hinted", marked.includes(card.dataset.card ?? ""));
}
