// A card that can be taken back: the page shows it at once and sends it after a short delay. The server does not know
// it before, so taking it back gives no information.

import { countsFor } from "../../cards/deck.js";
import { byId, find } from "../../elements.js";
import { follow } from "../events/follow.js";
import { skipNextPause, flyFrom, pause, time } from "../../settings/pace.js";
import { likes, sound } from "../../settings/settings.js";

/** Milliseconds for taking a card back at normal speed, about as long as a player takes to answer it. */
const BEAT = 800;

/**
 * Whether a card is delayed: only against computers, if another rank could be played, the play was not confirmed, and
 * an opponent still holds cards. Otherwise the server's undo takes it back.
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

/** @param {Table.State} state @param {Table.Actions} actions @param {Wire.Choice} action */
export async function showUnsentCard(state, actions, action) {
  if (action.type !== "Play" || !waits(state, action)) return true;
  const { seat, card } = action;
  const { view } = state;
  const from = find(byId("hand"), `[data-card="${card}"]`)?.getBoundingClientRect();
  const unsentCard = { view, open: true };
  const count = view.count + countsFor(card);
  Object.assign(state, { unsentCard, sent: true, view: follow(view, { type: "Played", seat, card, count }) });
  actions.render();
  void sound("card");
  flyFrom(find(byId("stage"), `[data-card="${card}"]`, SVGElement), from);
  await pause(BEAT);
  unsentCard.open = false;
  if (state.unsentCard !== unsentCard) return false;
  skipNextPause();
  return true;
}

/** Whether a card can still be taken back on this page. @param {Table.State} state */
export const mayTakeBack = (state) => state.unsentCard?.open ?? false;

/** Remove the unsent card from the table. @param {Table.State} state */
export function dropAhead(state) {
  if (!state.unsentCard) return;
  if (state.unsentCard.open) state.sent = false;
  state.view = state.unsentCard.view;
  state.unsentCard = null;
}

/** Return the unsent card to the hand. @param {Table.State} state @param {Table.Actions} actions */
export function takeBack(state, actions) {
  dropAhead(state);
  Object.assign(state, { sent: false, cardAndClaim: null });
  actions.render();
}
