// The state of a table on this page, and values derived from it alone.

import { text } from "../text.js";
import { dealtOut } from "./events/follow.js";
import { NOTHING } from "./claims/tally.js";

/** Return a table's first state. @param {string} game @param {Table.State["role"]} [role] @returns {Table.State} */
export function newState(game, role = "player") {
  /** @type {Wire.View | null} */
  let view = null;
  return {
    // The table, as the server describes it
    game,
    role,
    get begun() {
      return view !== null;
    },
    get view() {
      if (!view) throw new Error("nothing has been received yet");
      return view;
    },
    set view(next) {
      view = next;
    },
    names: [],
    levels: [],
    daily: null,
    evening: "",
    match: null,
    fallbacks: [],
    people: null,
    hints: false,
    closed: false,
    undo: false,
    choices: [],
    challengeSeconds: null,
    clock: null,
    open: null,
    dealing: null,

    // The connection
    connection: "open",
    sent: false,

    // What is being shown
    settled: false,
    log: [],
    scene: "",
    bubbles: [],
    gains: [],
    shows: [],
    dealt: null,
    counting: null,
    board: null,
    goal: null,

    // Questions of the page itself
    resume: null,
    question: null,
    away: null,
    deadline: 0,

    // What the reader is doing
    picked: [],
    cutNext: false,
    byKeyboard: false,
    unsentCard: null,
    delayed: null,

    // Claimed counting
    tally: NOTHING,
    tallyFor: "",
    cardAndClaim: null,
    zeroClaim: null,
    lastClaim: null,

    // Hint and coach
    hintAsked: "",
    hintRaised: "",
    hint: null,
    chosenAt: "",
    advised: false,
    coached: false,
    verdict: null,
  };
}

/** Actions of all players at once: possible while others' actions are still being shown. */
const TOGETHER = ["Draw", "Discard"];

/** @param {Pick<Table.State, "settled" | "sent">} state @param {Wire.Choice["type"]} type */
export const canSend = ({ settled, sent }, type) => !sent && (settled || TOGETHER.includes(type));

/** @param {Pick<Table.State, "settled" | "sent" | "choices">} state @param {Wire.Choice["type"]} type */
export const canDo = (state, type) => canSend(state, type) && state.choices.some((choice) => choice.type === type);

/** Return what the middle shows. @param {Pick<Table.State, "view" | "scene" | "counting">} state */
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

/** @param {Pick<Table.State, "view" | "counting">} state @returns {Table.Opened | null} */
export function opened({ view, counting }) {
  if (counting) return counting;
  if (view.open_crib.length) return { seat: view.dealer, crib: true, cards: view.open_crib };
  const order = Array.from({ length: view.rules.seats }, (_, i) => (view.dealer + 1 + i) % view.rules.seats);
  const seat = order.filter((other) => view.open_hands[other].length).at(-1);
  return seat === undefined ? null : { seat, crib: false, cards: view.open_hands[seat] };
}

/** @param {Pick<Table.Counted, "claimed" | "points">} counted */
export const isWrong = ({ claimed, points }) => claimed !== undefined && claimed !== points;

/** @param {Pick<Table.State, "view" | "role">} state @param {number} seat */
export const isOwn = ({ view, role }, seat) => role === "player" && seat === view.seat;

/**
 * Return a sentence about the reader, or about a player by name.
 * @param {Pick<Table.State, "view" | "names" | "role">} state @param {number} seat @param {string} own
 * @param {string} other
 */
export const whose = (state, seat, own, other) =>
  isOwn(state, seat) ? text(own) : text(other, { name: state.names[seat] });

/** @param {Table.State} state @param {number} seat */
export const playerAt = ({ names, view }, seat) => names[view.seating.indexOf(seat)] ?? "";

/** Return each seat's bubble in this view: go, or a claim. @param {Wire.View} view @param {string[]} names */
export function bubblesOf(view, names) {
  const bubbles = names.map(() => "");
  if (view.claim !== null && view.turn >= 0) bubbles[view.turn] = text("claim.bubble", { n: view.claim });
  for (const seat of view.said_go) bubbles[seat] = text("table.go");
  return bubbles;
}

/** Describe the connection, or return "". @param {Table.State} state */
export const connectionWords = ({ connection }) => (connection === "open" ? "" : text(`line.${connection}`));

/** Return the names, with "You" for a reader without a name. @param {string[]} names @param {number} seat */
export const ownName = (names, seat) =>
  names.map((name, other) => (other === seat && name === text("name.guest") ? text("home.you") : name));

/** Whether a clock runs, or the time to challenge a claim. @param {Table.State} state */
export const hasTimeLimit = ({ view, clock, challengeSeconds }) =>
  clock !== null || (view.rules.muggins !== "off" && challengeSeconds !== null);
