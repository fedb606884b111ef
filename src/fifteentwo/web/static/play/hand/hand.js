// The reader's cards: choose them for the crib, or play them.

import { byRank, toggled } from "../../cards/deck.js";
import { byId, make, refresh } from "../../elements.js";
import { cardName, text } from "../../text.js";
import { canDo, stageOf } from "../state.js";
import { delayedCards } from "./delayed.js";
import { focusMainButton } from "../keyboard/focus.js";
import { fits, canClaimWithCard, canAcceptByPlaying, playAndClaim, playCard } from "../claims/card-and-claim.js";
import { summaryPanel } from "../stage/summary.js";
import { faces, likes, tableCard } from "../../settings/settings.js";
import { warn } from "../../toast.js";

/** Sort the hand by rank, then by suit. @param {Pick<Table.State, "view">} state */
export const handInOrder = ({ view }) =>
  [...view.hand].sort((one, other) => byRank(one, other) || one.charCodeAt(1) - other.charCodeAt(1));

/** Whether a card is raised before it is played; never in a review. @param {Table.State} state */
export const confirms = ({ game }) => likes.confirm && game !== "";

/** Return why a card cannot be chosen or played now, or "". @param {Table.State} state @param {string} card */
function hindrance(state, card) {
  if (canDo(state, "Discard")) return "";
  if (canAcceptByPlaying(state)) return fits(state.view, card) ? "" : "past31";
  if (!canDo(state, "Play")) return "wait";
  return state.choices.some((choice) => choice.type === "Play" && choice.card === card) ? "" : "past31";
}

/** @param {Table.State} state @param {Table.Actions} actions */
export function renderHand(state, actions) {
  const { view } = state;
  const cards = handInOrder(state);
  state.picked = state.picked.filter((card) => cards.includes(card));
  const hindrances = cards.map((card) => hindrance(state, card));
  const host = byId("hand");
  byId("near").style.setProperty("--dealt", String(view.rules.dealt));
  host.style.setProperty("--cards", String(Math.max(cards.length, 1)));
  const discarding = canDo(state, "Discard");
  const raises = discarding || confirms(state);
  const key = [
    cards,
    hindrances,
    state.picked,
    raises,
    discarding,
    faces(),
    view.deal,
    canClaimWithCard(state),
    delayedCards(state),
  ];
  refresh(host, key, () =>
    cards.map((card, index) => {
      const why = hindrances[index];
      const name = cardName(card);
      return make(
        "li",
        make(
          `button.card-button${why === "past31" ? ".is-dim" : ""}${delayedCards(state).includes(card) ? ".is-delayed" : ""}`,
          {
            "data-card": card,
            "data-index": index + 1,
            "aria-label": why === "past31" ? text("hand.past31", { card: name }) : name,
            "aria-pressed": raises ? String(state.picked.includes(card)) : null,
            "aria-disabled": why ? "true" : null,
            title: why === "past31" ? text("hand.past31", { card: name }) : null,
            onclick: () => press(state, actions, card),
          },
          tableCard(card),
        ),
        !why && !discarding && (!confirms(state) || state.picked.includes(card)) && playAndClaim(state, actions, card),
      );
    }),
  );
}

/** Draw the summary or the space for the deal. @param {Table.State} state */
export function renderHandArea(state) {
  const { view } = state;
  const host = byId("no-hand");
  const stage = stageOf(state);
  const counted = state.shows.length > 0 && (stage === "show" || stage === "over");
  const empty = (!view.hand.length || counted) && !canDo(state, "Claim");
  host.hidden = !empty;
  byId("hand").hidden ||= empty;
  if (!empty) return;
  if (state.shows.length && stage !== "play")
    refresh(host, [stage, state.shows, state.names, faces()], () => summaryPanel(state));
  else if (stage === "cut")
    refresh(host, [stage, view.rules.dealt], () =>
      Array.from({ length: view.rules.dealt }, () => make("span.card-place")),
    );
  else refresh(host, [stage, "nothing"], () => []);
}

/** Choose a card or play it. @param {Table.State} state @param {Table.Actions} actions @param {string} card */
export function press(state, actions, card) {
  const why = hindrance(state, card);
  if (why === "past31") return warn(text("hand.past31", { card: cardName(card) }));
  if (why) return;
  const discards = canDo(state, "Discard");
  if (!discards && (!confirms(state) || state.picked.includes(card))) return playCard(state, actions, card);
  const most = discards ? state.view.rules.discards : 1;
  state.picked = toggled(state.picked, card, most);
  actions.render();
  if (state.picked.length === most) focusMainButton(state);
}
