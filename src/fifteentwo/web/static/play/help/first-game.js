// A first game: helpers until a side has 31 points, then its story.

import { cardElement } from "../../cards/cards.js";
import { countsFor } from "../../cards/deck.js";
import { all, byId, find, make } from "../../elements.js";
import { loadStyleSheet } from "../../lazy.js";
import { store, readStoredObject } from "../../storage.js";
import { addWords, text } from "../../text.js";
import { scoreName } from "../../scores.js";
import { sideOf } from "../events/follow.js";
import { updateCoach } from "./coach.js";
import { track } from "../stage/over.js";
import { askHint } from "./hint.js";
import { subscribe } from "../subscribers.js";
import { skip } from "../keyboard/keys.js";
import { newScene, pause, pegsShown } from "../../settings/pace.js";
import { FIRST_GAME as PROGRESS, helps as helperIsOn, openHelpers } from "../../settings/settings.js";
import { fits } from "../claims/card-and-claim.js";
import { setBoard } from "../seats/seats.js";
import { canDo } from "../state.js";

const GOAL = Number(byId("table").dataset.goal);
/** Milliseconds for reading the reason of a score that is counted. */
const REASON = 750;
/** Milliseconds that a note stays unless the reader presses; it ends also for those who cannot. */
const UNTIL_PRESSED = 20_000;

/** Whether a helper is on. @param {import("../../settings/settings.js").Helper} helper */
const helps = (helper) => helperIsOn(helper, way);

/** @type {Table.FirstGame} */
const way = { game: "", explained: [], winner: null, won: false, over: false };
const first = {
  render: () => {},
  asked: "",
  named: false,
  /** Whether a hand is being counted. */
  counts: false,
};

/** @param {Table.State} state */
function remember(state) {
  if (way.game) return;
  const stored = readStoredObject(PROGRESS);
  // A race that another browser finished is over here, too.
  Object.assign(way, stored.game === state.game ? stored : { game: state.game, over: isDecided(state) });
  keepWay();
  if (way.over) goOn(state);
}

/** Continue to the full game after 31 points. @param {Table.State} state */
function goOn(state) {
  state.goal = null;
  setBoard(state, state.view.rules);
  state.board?.update({ front: state.view.front, rear: state.view.rear });
}
const keepWay = () => store(PROGRESS, JSON.stringify(way));
/** Whether a side has won the race. @param {Table.State} state */
const isDecided = ({ view }) => view.front.some((points) => points >= GOAL);

// ── The note above the cards ────────────────────────────────────────────────────────────────────────────────

const note = make("div.note", { id: "first-note", role: "status" });

/** @param {...Node} content */
function showNote(...content) {
  note.replaceChildren(...content);
}

/** Explain a term at its first appearance, after the event is shown. @param {Table.State} state @param {string} what */
async function explain(state, what) {
  if (way.explained.includes(what) || !helps("words")) return;
  way.explained.push(what);
  keepWay();
  showNote(make("p.note-words", text(`first.word.${what}`)));
  await untilPressed(state);
}

/** Wait for the button, a press on the table or the space bar; at the speed Instant nothing waits. @param {Table.State} state */
async function untilPressed(state) {
  const does = { "data-action": "note", "data-primary": true, onclick: skip };
  state.question = { words: "", buttons: () => [make("button.button.button--primary", does, text("coach.next"))] };
  // A press anywhere continues.
  byId("felt").dataset.noTerms = "";
  first.render();
  await pause(UNTIL_PRESSED);
  delete byId("felt").dataset.noTerms;
  state.question = null;
  showNote();
  newScene();
  first.render();
}

/** Return the name, the points and the reason of a score, whose cards are drawn. @param {Scored} score */
const because = (score) =>
  text("first.because", {
    score: score.label ?? scoreName(/** @type {Wire.Score} */ (score)),
    n: score.points,
    why: text(score.name.includes("_run_") ? `shape.why.${score.name}` : `first.why.${score.name}`),
  });
/** @typedef {Pick<Wire.NamedScore, "name" | "cards" | "points"> & {label?: string}} Scored */

/** Draw the cards and the reason of a score. @param {Scored} score */
const scoreLine = (score) =>
  make(
    "li",
    make(
      "span.note-cards.flex.rigid",
      { "aria-hidden": "true" },
      score.cards.map((card) => cardElement(card, { size: "fill" })),
    ),
    make("span.note-why", because(score)),
  );

/** Show the cards and the reason of each new score. @param {Table.State} state @param {Wire.Pegged} event */
function bubble(state, { side, scores, points }) {
  const own = side === sideOf(state.view, state.view.seat);
  const name = state.names.filter((_, seat) => sideOf(state.view, seat) === side)[0];
  showNote(
    make("p.note-words", own ? text("first.made", { n: points }) : text("first.made-other", { name, n: points })),
    make("ul.note-scores.grid.gap-1", scores.map(scoreLine)),
  );
}

// ── What happens ────────────────────────────────────────────────────────────────────────────────────────────

/** @type {Table.Subscriber} */
const helper = {
  picture(state, actions) {
    first.render = actions.render;
    remember(state);
    const { view } = state;
    if (view.phase === "name-dealer" && !first.named) {
      first.named = true;
      // The opponent deals first, so that the cards come at once.
      actions.act({ type: "NameDealer", dealer: 1 - view.seat });
    }
    showCounts(state);
    state.advised = helps("hints");
    updateCoach(state, actions);
    if (helps("hints") && (canDo(state, "Discard") || canDo(state, "Play"))) askOnce(state, actions);
    if (!way.over && state.settled && isDecided(state)) void finish(state);
  },
  async before(state, event) {
    remember(state);
    if (!STAYS.includes(event.type)) showNote();
    first.counts = event.type === "Shown" || pegsShown(event);
    if (event.type !== "Pegged") return;
    if (!["hand", "crib"].includes(event.reason) && event.scores.length && helps("bubbles")) bubble(state, event);
  },
  async after(state, event) {
    // One press for each hand that was counted, and for each score of the pegging.
    const counted = state.counting?.done && helps("bubbles");
    if (counted || (event.type === "Pegged" && note.childElementCount)) await untilPressed(state);
    const what = newIn(state, event);
    if (what) await explain(state, what);
    if (event.type === "Pegged" && !way.over && event.score >= GOAL) {
      way.winner ??= event.side;
      await finish(state);
    }
  },
  async counted(score) {
    if (!helps("bubbles") || !first.counts) return;
    if (!note.childElementCount) showNote(make("ul.note-scores.grid.gap-1"));
    note.firstElementChild?.append(scoreLine(score));
    note.scrollTop = note.scrollHeight;
    await pause(REASON);
  },
};

/** Return the terms of which an event is the first example. @param {Table.State} state @param {Wire.Event} event */
function newIn({ view }, event) {
  const own = "seat" in event && event.seat === view.seat;
  const reasons = helps("bubbles");
  switch (event.type) {
    case "WentGo":
      // The reason of the last card says that neither player can go on.
      return own ? "go" : (!reasons || view.hand.some((card) => fits(view, card))) && "go-other";
    case "Discarded":
      // After the opponent's discard, so that the coach speaks first.
      return !own && (view.dealer === view.seat ? "crib" : "crib-other");
    case "StarterTurned":
      return helps("counts") && "counts";
    case "Shown":
      return event.crib ? "show-crib" : "show";
    case "Pegged":
      return !reasons && event.reason === "last_card" && "last-card";
    default:
      return false;
  }
}

/** Events that keep the note. @type {Wire.Event["type"][]} */
const STAYS = ["DealEnded", "CountCleared", "Dealt"];

/** A note that was put away is not shown again. @param {Table.State} state @param {Table.Actions} actions */
function askOnce(state, actions) {
  const move = JSON.stringify([state.view.deal, state.view.phase, state.view.played.length]);
  if (first.asked === move) return;
  first.asked = move;
  askHint(state, actions);
}

/** Show the resulting count on each card. @param {Table.State} state */
function showCounts(state) {
  const { view } = state;
  const shown = canDo(state, "Play") && helps("counts");
  for (const button of all(byId("hand"), "button")) {
    const card = button.dataset.card ?? "";
    find(button, ".would")?.remove();
    button.removeAttribute("aria-description");
    if (!shown || !fits(view, card)) continue;
    const n = view.count + countsFor(card);
    button.append(make("span.would.grid", { "aria-hidden": "true" }, String(n)));
    button.setAttribute("aria-description", text("first.would", { n }));
  }
}

// ── At 31 ───────────────────────────────────────────────────────────────────────────────────────────────────

/** Say who reaches 31 first, and offer the story of the deals so far and a game to 61. @param {Table.State} state @returns {Promise<void>} */
function finish(state) {
  if (find(document, "#first-over")) return Promise.resolve();
  const { view, names } = state;
  const reached = [0, 1].filter((side) => view.front[side] >= GOAL);
  // A page that was closed in the show may not have seen who was first.
  const winner = way.winner ?? (reached.length === 1 ? reached[0] : null);
  const own = sideOf(view, view.seat);
  const nameOf = (/** @type {number} */ side) => names.find((_, seat) => sideOf(view, seat) === side) ?? "";
  const name = nameOf(1 - own);
  way.won = winner === own;
  const front = view.front.map((points) => Math.min(points, GOAL));
  const title =
    winner === null ? text("story.title") : way.won ? text("first.over") : text("first.over-other", { name });
  const rules = { ...view.rules, target: GOAL, skunk: false, double_skunk: false };
  document.body.append(byId("first-end", HTMLTemplateElement).content.cloneNode(true));
  const dialog = byId("first-over", HTMLDialogElement);
  byId("first-title").textContent = title;
  byId("first-track").replaceWith(track(rules, winner, front, nameOf));
  byId("first-said").textContent = text(way.won ? "first.praise" : "first.comfort", { name });
  byId("first-help").textContent = text(way.won ? "first.done" : "first.kept");
  byId("first-again").hidden = way.won;
  void loadStyleSheet("play/stage/over").then(() => {
    dialog.showModal();
    // However the dialog is closed, the game continues to 61.
    way.over = true;
    keepWay();
  });
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      goOn(state);
      if (!helps("hints")) Object.assign(state, { hint: null, hintAsked: "" });
      first.render();
      resolve();
    });
  });
}

// ── Switches ────────────────────────────────────────────────────────────────────────────────────────────────

const showSwitches = openHelpers(() => first.render());
new MutationObserver(showSwitches).observe(byId("settings"), { attributes: true, attributeFilter: ["open"] });
addWords(JSON.parse(byId("first-words").textContent ?? "{}"));
byId("notes").append(note);
subscribe(helper);
