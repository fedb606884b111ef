// Pass-and-play: whose cards this screen shows, and the cover between players.

import { sideMark } from "../../board/board.js";
import { cardElement } from "../../cards/cards.js";
import { byId, find, make } from "../../elements.js";
import { addWords, listed, text } from "../../text.js";
import { beginLog } from "../talk/log.js";
import { connectionWords } from "../state.js";
import { subscribe } from "../subscribers.js";

addWords(JSON.parse(byId("more-words").textContent ?? "{}"));

const cover = make("dialog.cover.flush.text-center", {
  "aria-labelledby": "cover-title",
  "aria-describedby": "cover-how",
  tabindex: -1,
});
// Escape does not open the cover: only the next player's button does.
cover.addEventListener("cancel", (event) => event.preventDefault());
cover.addEventListener("keydown", (event) => event.key === "Escape" && event.preventDefault());
document.body.append(cover);
let taken = false;

subscribe({
  connection(state) {
    status.textContent = connectionWords(state);
  },
  picture(state) {
    if (!cover.open || !taken || !(state.settled || state.scene === "read")) return;
    // Remove the focus with the cover; the table sets it again.
    find(cover, ":focus")?.blur();
    cover.close();
  },
});

/** @param {Table.State} state @param {Table.Actions} actions @param {Wire.ScreenPass} passed */
export function passOn(state, actions, passed) {
  taken = false;
  if (state.begun) forget(state, actions);
  if (!passed.is_covered) {
    taken = true;
    actions.send({ t: "uncover-screen", d: passed.number });
    return;
  }
  const asked = cover.open && cover.contains(document.activeElement);
  cover.replaceChildren(...contents(actions, passed).filter((part) => part instanceof Node));
  if (!cover.open) cover.showModal();
  const button = find(cover, "button");
  if (button) button.focus();
  else if (!asked) cover.focus();
}

/** Remove every trace of the hand from the page. @param {Table.State} state @param {Table.Actions} actions */
function forget(state, actions) {
  state.view = { ...state.view, hand: [], kept: [], discarded: [], to_act: [] };
  Object.assign(state, { choices: [], picked: [], settled: false });
  byId("reading").replaceChildren();
  byId("note").replaceChildren();
  beginLog(state, []);
  actions.render();
}

/** @param {Table.Actions} actions @param {Wire.ScreenPass} passed */
function contents(actions, { number, to_seat, names, waiting_seats, front, sentences }) {
  const name = to_seat === null ? "" : names[to_seat];
  const sides = front.map((score, side) => ({
    score,
    side,
    of: names.filter((_, seat) => seat % front.length === side).join(text("table.partners")),
  }));
  return [
    make(
      "div.cover-cards.flex.centred",
      { "aria-hidden": "true" },
      Array.from({ length: 3 }, () => cardElement(null, { size: "fill" })),
    ),
    make(
      "h2",
      { id: "cover-title" },
      to_seat === null
        ? text("pass_and_play.waits", { names: listed(waiting_seats.map((seat) => names[seat])) })
        : text("pass_and_play.title", { name }),
    ),
    make(
      "p.cover-how",
      { id: "cover-how" },
      to_seat === null ? text("pass_and_play.waits.how") : text("pass_and_play.how", { name }),
    ),
    to_seat !== null &&
      make(
        "button.button.button--primary.cover-open",
        {
          "data-action": "take",
          onclick: () => {
            taken = actions.send({ t: "uncover-screen", d: number });
            if (!taken) status.textContent = text("line.lost");
          },
        },
        text("pass_and_play.open", { name }),
      ),
    status,
    make(
      "ul.cover-scores.plain-list.flex.wraps.centred",
      { "aria-label": text("pass_and_play.scores") },
      sides.map(({ score, side, of }) =>
        make("li.aligned.gap-2", sideMark(side), make("span", of), make("b", String(score))),
      ),
    ),
    sentences.length > 0 &&
      make(
        "div.cover-events",
        make("h3", text("pass_and_play.since")),
        make(
          "ul.plain-list",
          sentences.map((line) => make("li", line)),
        ),
      ),
  ];
}

/** The connection's state is under the cover, so the cover shows it too. */
const status = make("p.cover-line.bold", { role: "alert" });
