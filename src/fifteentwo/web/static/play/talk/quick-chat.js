// Quick chat: ten preset messages, a bubble next to the sender's name, and buttons that mute players. Muting is stored
// in this browser for this table; the server is not notified.

import { all, byId, find, make, refresh } from "../../elements.js";
import { store, readStored } from "../../storage.js";
import { addWords, text } from "../../text.js";
import { subscribe } from "../subscribers.js";

/** Milliseconds for which a bubble is shown. The reader's own bubble only confirms the sending. */
const SHOWN_FOR = 6000;
const OWN_SHOWN_FOR = 2500;
const sheet = byId("quick-chat");
const button = byId("quick-chat-button", HTMLButtonElement);
/** The state of the table after its first drawing. @type {{state: Table.State, actions: Table.Actions} | null} */
let table = null;
/** Bubbles by person. @type {Map<number, HTMLElement>} */
const bubbles = new Map();

const place = () => `fifteentwo.muted.${table?.state.game}`;
/** Return the players muted at this table. @returns {Set<number>} */
const muted = () => new Set((readStored(place()) ?? "").split(" ").filter(Boolean).map(Number));

/** Return the other people: the number of each person and the present seat. @param {Table.State} state */
function others({ view, people, levels }) {
  if (!people) return [];
  return people.player_numbers.flatMap((person, seat) =>
    seat !== view.seat && levels[seat] === null && !people.open[seat] ? [{ person, seat }] : [],
  );
}

function render() {
  if (!table) return;
  const { names } = table.state;
  const heard = others(table.state);
  button.hidden = !heard.length;
  refresh(byId("mute"), [heard, names, [...muted()]], () =>
    heard.map(({ person, seat }) =>
      make(
        "button.button.button--quiet.small.quiet-text",
        {
          "data-action": `mute-${person}`,
          "data-mutes": person,
          "aria-pressed": String(muted().has(person)),
          onclick: () => mute(person),
        },
        text("chat.mute", { name: names[seat] }),
      ),
    ),
  );
  for (const [person, bubble] of bubbles) stand(person, bubble);
}

/** @param {number} person */
function mute(person) {
  const whom = muted();
  if (!whom.delete(person)) whom.add(person);
  store(place(), [...whom].join(" "));
  if (whom.has(person)) bubbles.get(person)?.remove();
  render();
}

/** Put a bubble next to the sender's name, also after a redraw. @param {number} person @param {HTMLElement} bubble */
function stand(person, bubble) {
  const seat = table?.state.people?.player_numbers.indexOf(person) ?? -1;
  const plate =
    seat === table?.state.view.seat ? find(byId("own"), ".plate") : find(byId("seats"), `[data-seat="${seat}"] .plate`);
  if (!plate) return;
  const felt = byId("felt").getBoundingClientRect();
  const at = plate.getBoundingClientRect();
  const above = at.top - felt.top > felt.height / 2;
  const left = Math.min(Math.max(at.left - felt.left, 4), Math.max(4, felt.width - bubble.offsetWidth - 4));
  bubble.style.left = `${left}px`;
  bubble.style.top = above ? `${at.top - felt.top - bubble.offsetHeight - 6}px` : `${at.bottom - felt.top + 6}px`;
  bubble.dataset.above = String(above);
}

/** @param {Wire.ChatLine} line */
function show({ person, message }) {
  const words = find(sheet, `[data-message="${message}"]`)?.textContent ?? "";
  const state = table?.state;
  const seat = state?.people?.player_numbers.indexOf(person) ?? -1;
  if (!state || seat < 0 || !words || muted().has(person)) return;
  bubbles.get(person)?.remove();
  const bubble = make(
    "p.chat-message.flush.bold",
    { "data-chat": message, "data-from": seat, "aria-hidden": "true" },
    words,
  );
  byId("felt").append(bubble);
  bubbles.set(person, bubble);
  stand(person, bubble);
  setTimeout(
    () => {
      bubble.remove();
      if (bubbles.get(person) === bubble) bubbles.delete(person);
    },
    seat === state.view.seat ? OWN_SHOWN_FOR : SHOWN_FOR,
  );
  const status = byId("chat-status");
  status.textContent = text("chat.said", { name: state.names[seat], words });
}

const { sentence = "", mute: muting = "" } = sheet.dataset;
addWords({ "chat.said": sentence, "chat.mute": muting });
for (const one of all(sheet, "[data-message]", HTMLButtonElement)) {
  one.addEventListener("click", () => {
    table?.actions.send({ t: "chat", d: /** @type {Wire.SendChat["d"]} */ (one.dataset.message) });
    sheet.hidePopover();
    button.focus({ preventScroll: true });
  });
}
sheet.addEventListener("toggle", (event) => {
  if (/** @type {ToggleEvent} */ (event).newState === "open")
    find(sheet, "[data-message]", HTMLButtonElement)?.focus({ preventScroll: true });
});
// While the sheet is open, keys act on it and not on the table.
sheet.addEventListener("keydown", (event) => event.stopPropagation());
addEventListener("resize", render);
subscribe({
  chat: show,
  picture(state, actions) {
    table = { state, actions };
    render();
  },
});
