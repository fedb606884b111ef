// A card laid together with what is said of it: the claim before it stands, and where nothing is said, nothing is
// claimed.

import { countsFor } from "../cards/deck.js";
import { make } from "../elements.js";
import { cardName, say } from "../say.js";
import { arm, claimed } from "./claim.js";
import { opened } from "./desk.js";
import { laidNow } from "./follow.js";

/** @typedef {import("./desk.js").Desk} Desk */

/** The card on its way, and what is said of it. @type {{card: string, points: number} | null} */
let laying = null;

/** What a single card makes in the play, most often first. */
const SAYINGS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12];

/**
 * Whether the reader lays the next card once the claim on the last one stands; after a go, if the other is out too.
 * @param {Pick<Wire.View, "seat" | "rules" | "held" | "gone" | "count" | "turn" | "hand">} view
 */
export function follows(view) {
  const { seats, one_count } = view.rules;
  if (view.count === 31 && one_count) return false;
  if (view.gone.includes(view.seat) && view.count < 31) return seats === 2 && !one_count && view.hand.length > 0;
  const round = Array.from({ length: seats }, (_, i) => (view.turn + 1 + i) % seats);
  const next = round.find((seat) => view.held[seat] > 0 && (view.count === 31 || !view.gone.includes(seat)));
  return next === view.seat && view.hand.some((card) => fits(view, card));
}

/**
 * Whether a card may lie on this count, or on the new one after 31 or a go (R53, R55).
 * @param {Pick<Wire.View, "seat" | "gone" | "count">} view @param {string} card
 */
export const fits = ({ seat, gone, count }, card) =>
  count === 31 || gone.includes(seat) || count + countsFor(card) <= 31;

/** Whether a card lets the open claim stand. @param {Desk} desk */
export const mayFollow = (desk) =>
  desk.may("Accept") && !opened(desk) && laidNow(desk.view).length > 0 && follows(desk.view);

/** @param {Desk} desk */
const says = ({ view }) => view.rules.counting === "claimed";

/** @param {Desk} desk @param {string} card @param {number} points said of it */
export function layCard(desk, card, points = claimed()) {
  laying = says(desk) ? { card, points } : null;
  const { seat } = desk.view;
  desk.act(desk.may("Play") ? { type: "Play", seat, card } : { type: "Accept", seat });
}

/** What nearly every card that makes anything makes: on each card that may be laid, whatever it makes. */
const AT_ONCE = [2, 3];

/** The same said with the press that lays the card. @param {Desk} desk @param {string} card */
export const layAndSay = (desk, card) =>
  says(desk) &&
  make(
    "span.lay-and-say",
    null,
    AT_ONCE.map((n) =>
      make(
        "button.button",
        {
          type: "button",
          tabindex: -1,
          "data-say": n,
          "aria-label": say("claim.lay_and_say", { card: cardName(card), n }),
          onclick: () => layCard(desk, card, n),
        },
        `+${n}`,
      ),
    ),
  );

/** What is left to be done of a card on its way, once the server has answered. @param {Desk} desk */
export function carryOn(desk) {
  if (!laying) return;
  const { card, points } = laying;
  const { seat, to_act, hand, played } = desk.view;
  const last = played.at(-1);
  if (desk.choices.some((choice) => choice.type === "Play" && choice.card === card))
    return desk.act({ type: "Play", seat, card });
  if (desk.choices.some(({ type }) => type === "Claim") && last?.[0] === seat && last[1] === card && !opened(desk)) {
    laying = null;
    return desk.act({ type: "Claim", seat, points });
  }
  if (to_act.includes(seat) || !hand.includes(card)) laying = null;
}

/**
 * What may be said of the next card: chosen before it is laid, or said with it where there is no other.
 * @param {Desk} desk
 */
export function sayings(desk) {
  if (!says(desk) || !(desk.may("Play") || mayFollow(desk))) return false;
  const cards = desk.view.hand.filter((card) => fits(desk.view, card));
  const only = cards.length === 1 ? cards[0] : null;
  const now = claimed();
  const numbers = now && !SAYINGS.includes(now) ? [now, ...SAYINGS] : SAYINGS;
  return make(
    "div.sayings",
    { role: "group", "aria-label": say("claim.with_card") },
    numbers.map((n) =>
      make(
        "button.button.saying",
        only
          ? {
              type: "button",
              "data-action": "say-with",
              "data-n": n,
              "aria-label": say("claim.lay_and_say", { card: cardName(only), n }),
              onclick: () => layCard(desk, only, n),
            }
          : {
              type: "button",
              "data-action": "say-with",
              "data-n": n,
              "aria-pressed": String(n === now),
              "aria-label": say("claim.say", { n }),
              onclick: () => arm(desk, n === now ? 0 : n),
            },
        only ? `+${n}` : String(n),
      ),
    ),
  );
}
