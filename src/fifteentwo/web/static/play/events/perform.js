// Show events one after another: move cards, speak the count, walk pegs.

import { all, byId, find } from "../../elements.js";
import { text } from "../../text.js";
import { isWrong } from "../state.js";
import { follow, playedNow } from "./follow.js";
import { renderScores } from "../seats/seats.js";
import { likes, sound, speak } from "../../settings/settings.js";
import { addToLog } from "../talk/log.js";
import { WRONG, beat, flyFrom, motion, newScene, pause, pegsShown, rest, stride } from "../../settings/pace.js";
import { countAloud, light, titleOf } from "../stage/show.js";
import { swapPlaces } from "../stage/opening.js";
import { forgetSummary, keepSummary } from "../stage/summary.js";

const rectOf = (/** @type {string} */ selector) => find(document, selector, Element)?.getBoundingClientRect();

/** @type {{[T in "Picked" | "DrawTied" | "PartnersMade" | "DealerChosen" | "Drew"]: Table.Performer<T>}} */
const opening = {
  Picked({ own, step }, { at }) {
    if (own) swapPlaces(at);
    step();
  },
  Drew({ step }) {
    void sound("card");
    step();
  },
  DrawTied({ state, actions, sentence }, event) {
    state.view = follow(state.view, event);
    actions.render();
    addToLog(state, sentence);
  },
  PartnersMade({ state, step }, event) {
    state.names = event.seating.map((from) => state.names[from]);
    state.levels = event.seating.map((from) => state.levels[from]);
    step();
  },
  async DealerChosen({ state, step }, { type }) {
    state.scene = state.view.drawn.some((cards) => cards.length) ? "drawn" : "";
    step();
    await pause(beat(type).after);
    state.scene = "";
    newScene();
  },
};

/** @type {{[T in "Dealt" | "Discarded" | "StarterTurned" | "DealEnded"]: Table.Performer<T>}} */
const deal = {
  Dealt({ state, step }) {
    newScene();
    step();
    state.dealt = { deal: state.view.deal, front: state.view.front };
    dealOut();
  },
  Discarded({ state, own, step }, event) {
    const from = own
      ? event.cards.map((card) => rectOf(`#hand [data-card="${card}"]`))
      : [rectOf(`[data-held="${event.seat}"] .card:last-child`)];
    if (own) state.picked = [];
    step();
    const crib = all(document, "[data-crib] .card", SVGElement).slice(-state.view.rules.discards);
    crib.forEach((card, index) => flyFrom(card, from[index % from.length], 240, index * 50));
    void sound("card");
  },
  StarterTurned({ step }) {
    void sound("card");
    step();
    find(byId("stage"), ".is-starter", SVGElement)?.classList.add("is-turned");
  },
  async DealEnded({ state, actions, sentence, gate }, event) {
    addToLog(state, sentence);
    if (state.shows.length && !allCounted(state)) {
      keepSummary(state);
      state.scene = "read";
      await gate();
    }
    forgetSummary(state);
    Object.assign(state, { scene: "", counting: null, lastClaim: null, shows: [] });
    state.bubbles = state.bubbles.map(() => "");
    state.view = follow(state.view, event);
    newScene();
    actions.render();
  },
};

/** Whether the reader has just seen all hands: then no summary is needed. @param {Table.State} state */
function allCounted({ shows, view }) {
  const last = shows.at(-1);
  return (
    last !== undefined &&
    last.claimed !== undefined &&
    view.rules.muggins !== "off" &&
    last.seat !== view.seat &&
    !shows.some(isWrong)
  );
}

/** @type {{[T in "Played" | "WentGo" | "CountCleared"]: Table.Performer<T>}} */
const play = {
  async Played({ state, own, step, next }, event) {
    const from = rectOf(own ? `#hand [data-card="${event.card}"]` : `[data-held="${event.seat}"] .card:last-child`);
    step();
    // If the card was on the table already, its sound has been made.
    if (from) void sound("card");
    flyFrom(find(byId("stage"), `[data-card="${event.card}"]`, SVGElement), from);
    void speak(String(event.count));
    if (!own || !likes.coach || state.view.rules.counting !== "automatic") return;
    if ((await next())?.type === "Pegged") return;
    for (const words of (await explainNothing(state)).slice(1)) addToLog(state, words);
  },
  WentGo({ state, step }, { seat }) {
    void sound("knock");
    void speak(text("table.go"));
    state.bubbles[seat] = text("table.go");
    step();
  },
  CountCleared({ state, step }) {
    state.bubbles = state.bubbles.map(() => "");
    step();
  },
};

/** @type {{[T in "Shown" | "Claimed" | "MugginsCalled" | "ClaimSettled" | "Pegged" | "GameWon"]: Table.Performer<T>}} */
const score = {
  async Shown({ state, words, step, next }, event) {
    // The whole show is one scene: skipping skips all its hands.
    if (!state.shows.length) newScene();
    state.bubbles = state.bubbles.map(() => "");
    state.counting = {
      seat: event.seat,
      crib: event.crib,
      cards: event.cards,
      starter: state.view.starter ?? "",
      scores: [],
      spoken: [],
      ...words,
      points: 0,
    };
    step();
    if (state.view.rules.counting !== "automatic") return;
    if (pegsShown(await next())) return;
    state.counting.near = (await explainNothing(state)).slice(1);
    addToLog(state, text("show.no_points", { hand: titleOf(state, event) }));
    for (const words of state.counting.near) addToLog(state, words, { felt: false });
    await countAloud(state, state.counting);
    state.shows = [...state.shows, state.counting];
  },
  Claimed({ state, step }, event) {
    state.bubbles[event.seat] = text("claim.bubble", { n: event.points });
    step();
  },
  MugginsCalled({ state, step }, event) {
    state.bubbles[event.seat] = text("claim.muggins");
    void sound("knock");
    step();
  },
  async ClaimSettled({ state, actions, words, step }, event) {
    const nothing = event.right ? [] : await explainNothing(state);
    state.lastClaim = { ...event, nothing };
    step();
    const right = event.claimed === event.right;
    if (!state.counting) return pause(right ? 0 : WRONG);
    Object.assign(state.counting, {
      scores: event.scores,
      points: event.right,
      claimed: event.claimed,
      near: nothing.slice(1),
      ...words,
    });
    state.shows = [...state.shows, { ...state.counting }];
    // A wrong claim is not counted aloud: the right number is shown, and its reasons on request.
    if (right) return countAloud(state, state.counting);
    state.counting.done = true;
    actions.render();
    await pause(WRONG);
  },
  Pegged: pegged,
  GameWon({ state, step }) {
    if (state.shows.length) keepSummary(state);
    state.counting = null;
    step();
  },
};

/** Return why the hand or crib shown, or the last card played, scores nothing. @param {Table.State} state */
async function explainNothing({ counting, view }) {
  const { nothingInHand, nothingInPlay } = await import("../../check/nothing.js");
  if (counting) return nothingInHand(counting.cards, counting.starter, counting.crib);
  return nothingInPlay(playedNow(view).map(([, card]) => card));
}

/** @type {{[T in Wire.Event["type"]]?: Table.Performer<T>}} */
const PERFORMERS = { ...opening, ...deal, ...play, ...score };

/** Events whose display is removed once it was seen. */
const ENDS_ITSELF = ["DealerChosen", "Pegged"];

/**
 * Show one event for its time.
 * @param {Table.State} state @param {Table.Actions} actions @param {Wire.EventReport} message
 * @param {Table.Scene["next"]} next @param {Table.Scene["gate"]} gate
 */
export async function perform(state, actions, { event, sentence, spoken, named }, next, gate) {
  if (!event) return addToLog(state, sentence);
  const own = "seat" in event && event.seat === state.view.seat;
  const step = () => {
    state.view = follow(state.view, event);
    actions.render();
    // The final panel says the same in larger letters.
    addToLog(state, sentence, { felt: event.type !== "GameWon" });
  };
  const { before, after } = beat(event.type, own);
  await rest(before);
  const performer = /** @type {Table.Performer<Wire.Event["type"]> | undefined} */ (PERFORMERS[event.type]);
  const words = { ...(spoken && { spoken }), ...(named && { named }) };
  if (performer) await performer({ state, actions, sentence, words, own, step, next, gate }, event);
  else step();
  if (!ENDS_ITSELF.includes(event.type)) await rest(after);
}

function dealOut() {
  const from = rectOf("[data-stock]");
  all(byId("hand"), "li").forEach((card, index) => flyFrom(card, from, 220, index * 60));
  all(document, "[data-held] .card", SVGElement).forEach((card, index) => flyFrom(card, from, 220, index * 40));
  void sound("card");
}

/** @type {Table.Performer<"Pegged">} */
async function pegged({ state, actions, sentence, words }, event) {
  const claimed = state.view.rules.counting !== "automatic";
  const shown = pegsShown(event);
  if (shown && state.counting && !claimed) {
    const points = event.scores.reduce((sum, { points: made }) => sum + made, 0);
    Object.assign(state.counting, {
      scores: event.scores,
      points,
      ...words,
    });
    await countAloud(state, state.counting);
    state.shows = [...state.shows, { ...state.counting }];
  } else if (!shown) {
    const cards = event.scores.flatMap((made) => made.cards);
    const lying = [state.view.starter, ...playedNow(state.view).map(([, card]) => card)];
    light(cards.filter((card) => lying.includes(card)));
  }
  const last = state.shows.at(-1);
  if (event.reason === "muggins" && last && state.counting) {
    const caller = state.lastClaim?.caller ?? -1;
    state.shows = [...state.shows.slice(0, -1), { ...last, caller: [caller, event.points] }];
  }
  // The sentence tells the distance, so a reader who moves the peg reads it afterwards.
  const moved = likes.pegs && (await (await import("../seats/own-pegs.js")).movePeg(state, actions, event));
  addToLog(state, sentence);
  await walkPeg(state, event, moved);
  await pause(beat("Pegged").after);
  state.gains[event.side] = 0;
  light([]);
  actions.render();
}

/** @param {Table.State} state @param {Wire.Pegged} event @param {boolean} moved */
async function walkPeg(state, event, moved) {
  const from = state.view.front[event.side];
  state.gains[event.side] = event.points;
  state.view = follow(state.view, event);
  renderScores(state);
  void sound("peg");
  await state.board?.animate(event.side, from, event.score, moved ? 0 : motion(stride(event.score - from)));
}
