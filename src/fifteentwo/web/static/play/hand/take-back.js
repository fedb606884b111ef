// A card on its way: it lies on the table at once, and is sent after a beat in which it may be taken back. The server
// has heard nothing until then, so nothing can be learned by taking back.

import { countsFor } from "../../cards/deck.js";
import { byId, find } from "../../elements.js";
import { follow } from "../events/follow.js";
import { answerIsDue, flyFrom, pause, time } from "../../settings/pace.js";
import { likes, sound } from "../../settings/settings.js";

/** How long a card may be taken back, in milliseconds at Normal; as long as a player takes to answer it. */
const BEAT = 800;

/**
 * Whether a card waits for a beat: against computers alone, where another rank could have been played, no press
 *   confirmed it, and the others still hold cards; else the server takes it back.
 * @param {Table.State} state @param {Wire.Choice} action
 */
const waits = ({ connection, role, levels, daily, choices, view }, { type }) =>
  type === "Play" &&
  connection === "open" &&
  role === "player" &&
  !daily &&
  !likes.confirm &&
  levels.filter((level) => level === null).length === 1 &&
  new Set(choices.map((choice) => choice.type === "Play" && choice.card[0])).size > 1 &&
  view.hand_sizes.some((cards, seat) => cards > 0 && seat !== view.seat) &&
  time(BEAT) > 0;

/**
 * Show a card on the table and wait; whether it may be sent.
 * @param {Table.State} state @param {Table.Actions} actions @param {Wire.Choice} action
 */
export async function lies(state, actions, action) {
  if (action.type !== "Play" || !waits(state, action)) return true;
  const { seat, card } = action;
  const { view } = state;
  const from = find(byId("hand"), `[data-card="${card}"]`)?.getBoundingClientRect();
  const ahead = { view, open: true };
  const count = view.count + countsFor(card);
  Object.assign(state, { ahead, sent: true, view: follow(view, { type: "Played", seat, card, count }) });
  actions.render();
  void sound("card");
  flyFrom(find(byId("stage"), `[data-card="${card}"]`, SVGElement), from);
  await pause(BEAT);
  ahead.open = false;
  if (state.ahead !== ahead) return false;
  answerIsDue();
  return true;
}

/** Whether a card may still be taken back here. @param {Table.State} state */
export const mayTakeBack = (state) => state.ahead?.open ?? false;

/** The picture without the card on its way: it was taken back, or the server shows it from here. @param {Table.State} state */
export function dropAhead(state) {
  if (!state.ahead) return;
  if (state.ahead.open) state.sent = false;
  state.view = state.ahead.view;
  state.ahead = null;
}

/** Take the card on its way back into the hand. @param {Table.State} state @param {Table.Actions} actions */
export function takeBack(state, actions) {
  dropAhead(state);
  Object.assign(state, { sent: false, cardAndClaim: null });
  actions.render();
}
