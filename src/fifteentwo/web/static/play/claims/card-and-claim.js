// Play a card together with a claim for it. The card accepts the open claim before it; without a chosen number, nothing
// is claimed.

import { countsFor } from "../../cards/deck.js";
import { make } from "../../elements.js";
import { cardName, cardSigns, text } from "../../text.js";
import { arm, claimed } from "./claim.js";
import { canDo, opened } from "../state.js";
import { playedNow } from "../events/follow.js";

/** Points of a single card, most frequent first. */
const CLAIMS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12];

/**
 * Whether the reader plays the next card after the last claim is accepted, also after a go if the opponent is out of
 * cards.
 * @param {Pick<Wire.View, "seat" | "rules" | "hand_sizes" | "said_go" | "count" | "turn" | "hand">} view
 */
export function follows(view) {
  const { seats, one_count } = view.rules;
  if (view.count === 31 && one_count) return false;
  if (view.said_go.includes(view.seat) && view.count < 31) return seats === 2 && !one_count && view.hand.length > 0;
  const round = Array.from({ length: seats }, (_, i) => (view.turn + 1 + i) % seats);
  const next = round.find((seat) => view.hand_sizes[seat] > 0 && (view.count === 31 || !view.said_go.includes(seat)));
  return next === view.seat && view.hand.some((card) => fits(view, card));
}

/** @param {Pick<Wire.View, "seat" | "said_go" | "count">} view @param {string} card */
export const fits = ({ seat, said_go, count }, card) =>
  count === 31 || said_go.includes(seat) || count + countsFor(card) <= 31;

/** Whether playing a card may accept the open claim. @param {Table.State} state */
export const canAcceptByPlaying = (state) =>
  canDo(state, "Accept") && !opened(state) && playedNow(state.view).length > 0 && follows(state.view);

/** Milliseconds for looking at a card without a claim. */
const ZERO_CLAIM_MS = 3000;

/**
 * Accept a claim of 0 for a card after a short time, right or wrong, so that the time reveals nothing. If the reader
 * plays next, the reader's card accepts the claim instead. At a table without a time limit the reader always accepts
 * claims.
 * @param {Table.State} state @param {Table.Actions} actions
 */
export function acceptZeroClaimSoon(state, actions) {
  const { view, challengeSeconds, zeroClaim } = state;
  const passes =
    canDo(state, "Accept") &&
    challengeSeconds !== null &&
    view.claim === 0 &&
    !opened(state) &&
    !canAcceptByPlaying(state);
  const of = passes ? `${view.deal} ${view.played.length}` : "";
  if ((zeroClaim?.of ?? "") === of) return;
  clearTimeout(zeroClaim?.timer);
  const timer = passes ? setTimeout(() => actions.act({ type: "Accept", seat: view.seat }), ZERO_CLAIM_MS) : undefined;
  state.zeroClaim = { of, timer, until: passes ? Date.now() + ZERO_CLAIM_MS : Infinity };
}

/** @param {Table.State} state */
const claims = ({ view }) => view.rules.counting === "claimed";

/** @param {Table.State} state @param {Table.Actions} actions @param {string} card @param {number} points the claim */
export function playCard(state, actions, card, points = claimed(state)) {
  state.cardAndClaim = claims(state) ? { card, points } : null;
  const { seat } = state.view;
  actions.act(canDo(state, "Play") ? { type: "Play", seat, card } : { type: "Accept", seat });
}

/** Whether the reader's next card is the first of a count, which scores nothing. @param {Wire.View} view */
const leads = ({ count, said_go, seat }) => count % 31 === 0 || said_go.includes(seat);

/** Whether points may be claimed with the next card. @param {Table.State} state */
export const canClaimWithCard = (state) => claims(state) && !leads(state.view);

/** The most frequent scores: buttons on each playable card, whatever it scores. */
const AT_ONCE = [2, 3];

/** @param {Table.State} state @param {Table.Actions} actions @param {string} card */
export const playAndClaim = (state, actions, card) =>
  canClaimWithCard(state) &&
  make(
    "span.play-and-claim.flex",
    AT_ONCE.map((n) =>
      make(
        "button.button",
        {
          tabindex: -1,
          "data-claim": n,
          "aria-label": text("claim.play_and_claim", { card: cardName(card), n }),
          title: text("claim.play_and_claim", { card: cardSigns([card]), n }),
          onclick: () => playCard(state, actions, card, n),
        },
        `+${n}`,
      ),
    ),
  );

/** @param {Table.State} state @param {Table.Actions} actions */
export function sendPendingClaim(state, actions) {
  if (!state.cardAndClaim) return;
  const { card, points } = state.cardAndClaim;
  const { seat, to_act, hand, played } = state.view;
  const last = played.at(-1);
  if (state.choices.some((choice) => choice.type === "Play" && choice.card === card))
    return actions.act({ type: "Play", seat, card });
  if (state.choices.some(({ type }) => type === "Claim") && last?.[0] === seat && last[1] === card && !opened(state)) {
    state.cardAndClaim = null;
    return actions.act({ type: "Claim", seat, points });
  }
  if (to_act.includes(seat) || !hand.includes(card)) state.cardAndClaim = null;
}

/** Draw the numbers to claim for the next card. @param {Table.State} state @param {Table.Actions} actions */
export function claimStrip(state, actions) {
  if (!canClaimWithCard(state) || !(canDo(state, "Play") || canAcceptByPlaying(state))) return null;
  const cards = state.view.hand.filter((card) => fits(state.view, card));
  const only = cards.length === 1 ? cards[0] : null;
  const now = claimed(state);
  const numbers = now && !CLAIMS.includes(now) ? [now, ...CLAIMS] : CLAIMS;
  return make(
    "div.claim-choices.grid.shrinks",
    { role: "group", "aria-label": text("claim.with_card"), title: text("claim.with_card") },
    numbers.map((n) =>
      make(
        "button.button.claim-choice",
        only
          ? {
              "data-action": "claim-with",
              "data-n": n,
              "aria-label": text("claim.play_and_claim", { card: cardName(only), n }),
              onclick: () => playCard(state, actions, only, n),
            }
          : {
              "data-action": "claim-with",
              "data-n": n,
              "aria-pressed": String(n === now),
              "aria-label": text("claim.say", { n }),
              onclick: () => arm(state, actions, n === now ? 0 : n),
            },
        only ? `+${n}` : String(n),
      ),
    ),
  );
}
