// The waiting room: share the link, show who has come, open the table once everyone is here.

import { copied } from "../copying.js";
import { all, byId, find } from "../elements.js";
import { connect } from "../play/socket.js";
import { text, wordsInPage } from "../text.js";

wordsInPage();
const { game = "" } = byId("waiting-room").dataset;
const table = byId("to-table", HTMLAnchorElement).href;
const state = {
  /** Names and levels by seat, as last received. @type {{names: string[], levels: (string | null)[], seat: number}} */
  seated: { names: [], levels: [], seat: -1 },
  /** Whether a seat was open while this page was open. */
  waited: false,
};

copied();

/** @param {Wire.People} people */
function show({ present, open }) {
  for (const row of all(document, ".person")) {
    const seat = Number(row.dataset.seat);
    if (state.seated.levels[seat] || row.dataset.state === "computer") continue;
    const status = open[seat] ? "open" : seat === state.seated.seat || present[seat] ? "here" : "away";
    if (row.dataset.state === status) continue;
    const name = open[seat] ? text("waiting_room.someone") : (state.seated.names[seat] ?? "");
    row.dataset.state = status;
    find(row, ".person-name")?.replaceChildren(name);
    find(row, ".person-state")?.replaceChildren(text(`waiting_room.state.${status}`));
    if (status === "here") byId("status").textContent = text("waiting_room.came", { name });
  }
  for (const place of all(document, "[data-place]")) place.hidden = !open[Number(place.dataset.place)];
  for (const clear of all(document, "[data-clear]")) clear.hidden = open[Number(clear.closest("li")?.dataset.seat)];
  // Without open seats at the start, the host came back to look at this page and is not redirected.
  state.waited ||= open.includes(true);
  if (!open.includes(true) && (state.waited || !present.includes(false))) location.replace(table);
}

/** @type {Table.LineHandlers<Wire.ServerMessage>} */
const on = {
  // The table sends the seed; the waiting room does not commit.
  query: () => ({ commitment: "" }),
  receive(message) {
    if (message.t === "table") {
      const { names, levels, view } = message.d;
      state.seated = { names, levels, seat: view.seat };
    }
    if (message.t === "pass-screen") state.seated = { names: message.d.names, levels: [], seat: -1 };
    if (message.t === "people") show(message.d);
    // Open the table before the clock counts the host as away.
    if (message.t === "dealing" && message.d.stage === "dealing") location.replace(table);
    if (message.t === "table" && message.d.closed) location.replace("/");
  },
  state: () => {},
};
connect(`/game/${game}/socket`, on);
