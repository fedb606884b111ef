// A card chosen without a connection: it is marked as waiting, and sent once the connection is back if it still fits.

import { cardName, text } from "../../text.js";
import { toast } from "../../toast.js";
import { canDo } from "../state.js";

/** Identify what the reader saw. @param {Table.State} state */
const position = ({ view }) => JSON.stringify([view.deal, view.phase, view.hand, view.played.length]);

/** @param {Wire.Choice | undefined} action @returns {string[]} */
const cardsOf = (action) => (action?.type === "Play" ? [action.card] : action?.type === "Discard" ? action.cards : []);

/** Keep a card or discard for later; the same choice again takes it back. Return false for other actions. @param {Table.State} state @param {Wire.Choice} action */
export function delay(state, action) {
  const cards = cardsOf(action).join();
  if (!cards || state.cardAndClaim) return false;
  state.delayed = cardsOf(state.delayed?.action).join() === cards ? null : { action, position: position(state) };
  return true;
}

/** @param {Table.State} state */
export const delayedCards = (state) => cardsOf(state.delayed?.action);

/** @param {Table.State} state */
export const delayedWords = ({ delayed }) =>
  delayed?.action.type === "Play"
    ? text("line.delayed_card", { card: cardName(delayed.action.card) })
    : text("line.delayed_discard");

/** @param {Table.State} state @param {Table.Actions} actions */
export function sendDelayed(state, actions) {
  const { delayed } = state;
  if (!delayed || state.connection !== "open") return;
  state.delayed = null;
  if (delayed.position === position(state) && canDo(state, delayed.action.type)) void actions.act(delayed.action);
  else toast(text("line.changed"));
}
