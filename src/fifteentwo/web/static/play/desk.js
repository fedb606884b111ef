// The table as this page shows it just now, and what follows from that alone.

import { say } from "../say.js";
import { dealtOut } from "./follow.js";

/**
 * A hand or crib being counted, or counted.
 * @typedef {object} Counted
 * @property {number} seat @property {boolean} crib @property {string[]} cards @property {string} starter
 * @property {Wire.Score[]} scores @property {string[]} spoken one a score @property {number} points
 * @property {number} [claimed] what was said to be right
 * @property {[number, number]} [caller] who noticed, and was paid how much
 * @property {boolean} [done]
 *
 * @typedef {Pick<Counted, "seat" | "crib" | "cards">} Opened
 */

/**
 * `table.js` makes the only one.
 * @typedef {object} Desk
 * @property {string} game
 * @property {Wire.View} view
 * @property {string[]} names
 * @property {(string | null)[]} levels of the computers, by seat
 * @property {string | null} daily the day whose deal this is
 * @property {number | null} moment seconds in which a claim may be challenged
 * @property {Wire.Trouble[]} trouble
 * @property {Wire.People | null} people who is here
 * @property {Wire.MatchNow | null} match
 * @property {boolean} hints whether they may be asked for
 * @property {boolean} [closed] whether nobody goes on here
 * @property {Wire.Choice[]} choices what the reader may do now
 * @property {boolean} settled whether the picture is the server's, with nothing left to show
 * @property {"" | "drawn" | "read"} scene what is still looked at: the cards drawn, or what a deal made
 * @property {string[]} picked cards lifted for the crib
 * @property {string[]} says what each seat has just said, beside its name
 * @property {number[]} gains points just pegged, by side
 * @property {Counted[]} shows hands counted in this deal
 * @property {Counted | null} counting
 * @property {Wire.ClaimSettled | null} lastClaim
 * @property {string} face which faces the cards have
 * @property {import("../board.js").BoardElement | null} board
 * @property {{hands: string[][], crib: string[]} | null} open cards that nobody hides any more, in a game that is
 *   looked at
 * @property {boolean} [onlooker] whether whoever looks is none of the players
 * @property {boolean} [shared] whether several players look at this page: nobody is "you"
 * @property {(type: Wire.Choice["type"]) => boolean} may
 * @property {(action: Wire.Choice) => void} act
 * @property {(message: Wire.PageMessage) => boolean} send whether it could be sent
 * @property {() => void} next begin the next game
 * @property {(words: string) => void} warn
 * @property {(card: string, size: "s" | "m" | "l" | "fill", more?: {class?: string, label?: string}) => SVGSVGElement}
 *   card
 * @property {(event: Wire.Pegged) => void} pegTo
 * @property {boolean} fixed whether everyone's numbers decide where people draw and cut
 * @property {{words: () => string, button: HTMLElement | null, claims: HTMLButtonElement[]} | null} [clock] what a
 *   clock says in place of the prompt, its button, and what may be asked for where somebody is away
 * @property {() => boolean} [gathers] whether pages are waited for before the first card
 * @property {() => void} render
 */

/** What the middle shows. @param {Pick<Desk, "view" | "scene" | "counting">} desk */
export function stageOf({ view, scene, counting }) {
  if (scene === "drawn") return "draw";
  if (counting) return "show";
  if (view.phase === "over") return "over";
  if (view.phase === "name-dealer") return "name";
  if (view.phase.startsWith("draw")) return "draw";
  if (!dealtOut(view)) return "cut";
  if (view.open_crib.length || view.open_hands.some((hand) => hand.length)) return "show";
  return "play";
}

/**
 * The hand being counted: the last one laid open.
 * @param {Pick<Desk, "view" | "counting">} desk @returns {Opened | null}
 */
export function opened({ view, counting }) {
  if (counting) return counting;
  if (view.open_crib.length) return { seat: view.dealer, crib: true, cards: view.open_crib };
  const order = Array.from({ length: view.rules.seats }, (_, i) => (view.dealer + 1 + i) % view.rules.seats);
  const seat = order.filter((other) => view.open_hands[other].length).at(-1);
  return seat === undefined ? null : { seat, crib: false, cards: view.open_hands[seat] };
}

/** Whether something else was claimed than was right. @param {Pick<Counted, "claimed" | "points">} counted */
export const isWrong = ({ claimed, points }) => claimed !== undefined && claimed !== points;

/**
 * What is the reader's own, or somebody's by name.
 * @param {Pick<Desk, "view" | "names" | "onlooker" | "shared">} desk @param {number} seat @param {string} own
 * @param {string} other
 */
export const whose = ({ view, names, onlooker, shared }, seat, own, other) =>
  seat === view.seat && !onlooker && !shared ? say(own) : say(other, { name: names[seat] });

/** Who came to a seat: at the table they may have moved since. @param {Desk} desk @param {number} seat */
export const cameTo = ({ names, view }, seat) => names[view.seating.indexOf(seat)] ?? "";
