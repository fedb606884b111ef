// A card played together with the claim for it: the claim before it stands, and without a claim nothing is
// claimed.

import { countsFor } from "../../cards/deck.js";
import { make } from "../../elements.js";
import { cardName, text } from "../../text.js";
import { arm, claimed } from "./claim.js";
import { may, opened } from "../state.js";
import { playedNow } from "../events/follow.js";

/** What a single card pegs, most often first. */
const CLAIMS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12];

/**
 * Whether the reader plays the next card once the claim on the last one stands; after a go, if the other is out too.
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

/**
 * Whether a card may lie on this count, or on the new one after 31 or a go (R53, R55).
 * @param {Pick<Wire.View, "seat" | "said_go" | "count">} view @param {string} card
 */
export const fits = ({ seat, said_go, count }, card) =>
  count === 31 || said_go.includes(seat) || count + countsFor(card) <= 31;

/** Whether a card lets the open claim stand. @param {Table.State} state */
export const mayFollow = (state) =>
  may(state, "Accept") && !opened(state) && playedNow(state.view).length > 0 && follows(state.view);

/** Milliseconds for a look at a card of which nothing is claimed. */
const GLANCE = 3000;

/**
 * A claim of nothing for a card stands after a look at it where another plays next: right or wrong, so that it reveals
 * nothing. Where the reader plays next their card lets it stand, and a table without an end to the time has none here.
 * @param {Table.State} state @param {Table.Actions} actions
 */
export function passNothing(state, actions) {
  const { view, challengeSeconds, glance } = state;
  const passes =
    may(state, "Accept") && challengeSeconds !== null && view.claim === 0 && !opened(state) && !mayFollow(state);
  const of = passes ? `${view.deal} ${view.played.length}` : "";
  if ((glance?.of ?? "") === of) return;
  clearTimeout(glance?.timer);
  const timer = passes ? setTimeout(() => actions.act({ type: "Accept", seat: view.seat }), GLANCE) : undefined;
  state.glance = { of, timer, until: passes ? Date.now() + GLANCE : Infinity };
}

/** @param {Table.State} state */
const claims = ({ view }) => view.rules.counting === "claimed";

/** @param {Table.State} state @param {Table.Actions} actions @param {string} card @param {number} points said of it */
export function playCard(state, actions, card, points = claimed(state)) {
  state.cardAndClaim = claims(state) ? { card, points } : null;
  const { seat } = state.view;
  actions.act(may(state, "Play") ? { type: "Play", seat, card } : { type: "Accept", seat });
}

/** Whether the reader's next card is the first of a count, which makes nothing. @param {Wire.View} view */
const leads = ({ count, said_go, seat }) => count % 31 === 0 || said_go.includes(seat);

/** Whether points may be claimed with the next card. @param {Table.State} state */
export const mayClaimWith = (state) => claims(state) && !leads(state.view);

/** What nearly every card that makes anything makes: on each card that may be played, whatever it makes. */
const AT_ONCE = [2, 3];

/**
 * The claim made with the press that plays the card.
 * @param {Table.State} state @param {Table.Actions} actions @param {string} card
 */
export const playAndClaim = (state, actions, card) =>
  mayClaimWith(state) &&
  make(
    "span.play-and-claim",
    null,
    AT_ONCE.map((n) =>
      make(
        "button.button",
        {
          type: "button",
          tabindex: -1,
          "data-claim": n,
          "aria-label": text("claim.play_and_claim", { card: cardName(card), n }),
          onclick: () => playCard(state, actions, card, n),
        },
        `+${n}`,
      ),
    ),
  );

/**
 * What is left to be done of a card on its way, once the server has answered.
 * @param {Table.State} state @param {Table.Actions} actions
 */
export function carryOn(state, actions) {
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

/**
 * What may be claimed for the next card: chosen before it is played, or with it where there is no other.
 * @param {Table.State} state @param {Table.Actions} actions
 */
export function claimStrip(state, actions) {
  if (!mayClaimWith(state) || !(may(state, "Play") || mayFollow(state))) return null;
  const cards = state.view.hand.filter((card) => fits(state.view, card));
  const only = cards.length === 1 ? cards[0] : null;
  const now = claimed(state);
  const numbers = now && !CLAIMS.includes(now) ? [now, ...CLAIMS] : CLAIMS;
  return make(
    "div.claim-choices",
    { role: "group", "aria-label": text("claim.with_card") },
    numbers.map((n) =>
      make(
        "button.button.claim-choice",
        only
          ? {
              type: "button",
              "data-action": "claim-with",
              "data-n": n,
              "aria-label": text("claim.play_and_claim", { card: cardName(only), n }),
              onclick: () => playCard(state, actions, only, n),
            }
          : {
              type: "button",
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
