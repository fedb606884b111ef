// The table in the browser: receive the server's messages in order, show each event for its time, send the reader's
// actions.

import { choiceKey } from "../seen-answers.js";
import { byId, find, make, refresh } from "../elements.js";
import { readStored } from "../storage.js";
import { renderPad } from "./claims/claim.js";
import { updateCoach, dropVerdict, renderCoach, takeVerdict } from "./help/coach.js";
import { delay, sendDelayed } from "./hand/delayed.js";
import { renderHandArea, renderHand } from "./hand/hand.js";
import { renderHint, takeHint } from "./help/hint.js";
import { listenToKeys } from "./keyboard/keys.js";
import { moveFocus } from "./keyboard/focus.js";
import { addToLog, beginLog, followLog } from "./talk/log.js";
import { cutIfRequested } from "./stage/opening.js";
import { newScene } from "../settings/pace.js";
import { dealNumber } from "./events/follow.js";
import { perform } from "./events/perform.js";
import { renderPrompt } from "./hand/prompt.js";
import { sendPendingClaim, acceptZeroClaimSoon } from "./claims/card-and-claim.js";
import "../words/explain.js";
import { dealingSeal, waitsForSeeds } from "./dealing/seal.js";
import { keepBoardFitted, renderScores, renderSeats, setBoard } from "./seats/seats.js";
import { likes, openSettings } from "../settings/settings.js";
import { connect } from "./socket.js";
import { renderStage } from "./stage/stage.js";
import { dropAhead, showUnsentCard, mayTakeBack } from "./hand/take-back.js";
import { bubblesOf, connectionWords, canSend, hasTimeLimit, newState, ownName } from "./state.js";
import { publishChat, publishConnection, publishEvent, publishPicture } from "./subscribers.js";
import { resumeSummary } from "./stage/summary.js";
import { ignoreTapsOnNewButtons } from "../taps.js";
import { loadWords, text } from "../text.js";
import { toast, warn } from "../toast.js";

/**
 * Messages that take time to show.
 * @typedef {Wire.TableMessage | Wire.EventMessage | Wire.ViewMessage | Wire.PassMessage} Scene
 */

const root = byId("table");
const state = newState(root.dataset.game ?? "", "shared" in root.dataset ? "shared" : "player");
state.goal = Number(root.dataset.goal) || null;

/** Refusals of actions that have happened already, such as a seed sent twice or a card played by an earlier press. */
const PAST = ["committed-already", "seed-not-awaited", "game-not-over", "acted-already"];

/** Messages to show, and functions that wait for the next one. */
const queue = {
  /** @type {Scene[]} */
  scenes: [],
  /** @type {((scene: Scene) => void)[]} */
  waiting: [],
  running: false,
};

/** @type {Table.Actions} */
const actions = {
  async act(action) {
    if (!canSend(state, action.type) || waitsForSeeds(state)) return;
    dropVerdict(state);
    state.chosenAt = choiceKey(state.game, state.view);
    // Set at once, so that a second press is ignored.
    state.sent = true;
    if (!(await showUnsentCard(state, actions, action))) return;
    state.sent = connection.send({ t: "act", d: action });
    clearTimeout(giveUp.timer);
    giveUp.timer = setTimeout(() => state.sent && answered(), 8000);
    if (state.sent) return render();
    // A lost connection is already shown above the table.
    if (state.connection === "open") warn(text("line.lost"));
    else if (!delay(state, action)) warn(text("line.lost"));
    returned();
  },
  send: (message) => connection.send(message),
  render,
};
/** @type {{timer?: ReturnType<typeof setTimeout>}} */
const giveUp = {};

/** The server has answered, or did not answer in time. */
function answered() {
  state.sent = false;
  dropAhead(state);
  clearTimeout(giveUp.timer);
  render();
}

/** Restore the state before an action or question that did not reach the server. */
function returned() {
  Object.assign(state, { cardAndClaim: null, hintAsked: "" });
  answered();
}

function render() {
  if (!state.begun) return;
  const { view } = state;
  root.dataset.phase = view.phase;
  root.dataset.counting = view.rules.counting;
  root.dataset.turn = state.settled && view.to_act.includes(view.seat) ? "own" : "other";
  root.dataset.settled = String(state.settled && !state.sent && !waitsForSeeds(state));
  byId("undo").hidden = !state.undo && !mayTakeBack(state);
  byId("why").hidden = !state.lastClaim;
  byId("pegs-note").hidden = !hasTimeLimit(state);
  byId("resign").hidden = state.closed || view.phase === "over" || state.daily !== null;
  renderScores(state);
  renderPad(state, actions);
  renderStage(state, actions);
  renderSeats(state);
  renderHand(state, actions);
  renderHandArea(state);
  renderHint(state, actions);
  renderCoach(state);
  renderPrompt(state, actions);
  acceptZeroClaimSoon(state, actions);
  renderTitle();
  seal.render();
  publishPicture(state, actions);
  moveFocus();
}

function renderTitle() {
  const { variant } = state.view.rules;
  const at = { game: state.match?.game ?? 1, deal: dealNumber(state.view) };
  refresh(byId("title"), [variant, at], () => [
    make("span.title-form.bold", text(`variant.${variant}`)),
    " ",
    make("span.title-at", text(state.match?.length === "nine" ? "table.heading.nine" : "table.heading", at)),
  ]);
}

async function run() {
  if (queue.running) return;
  queue.running = true;
  for (let scene = queue.scenes.shift(); scene; scene = queue.scenes.shift()) {
    try {
      await show(scene);
    } catch (error) {
      // After any error the server's next view corrects the table.
      console.error(error);
      state.counting = null;
      state.scene = "";
    }
  }
  queue.running = false;
}

/** @param {Scene} scene */
async function show(scene) {
  if (scene.t !== "pass-screen") dropAhead(state);
  if (scene.t === "table") return begin(scene.d);
  if (scene.t === "view") return settle(scene.d);
  if (scene.t === "pass-screen") return (await import("./seats/pass-and-play.js")).passOn(state, actions, scene.d);
  if (!state.begun) return;
  const { event } = scene.d;
  Object.assign(state, { settled: false, undo: false });
  if (event && (("seat" in event && event.seat === state.view.seat) || event.type === "DealerChosen")) {
    // The settled view brings the next choices.
    state.sent = false;
    state.choices = [];
  }
  if (event) await publishEvent("before", state, event);
  await perform(state, actions, scene.d, upcoming, gate);
  if (event) await publishEvent("after", state, event);
}

/** Return the next event, or null if another message follows. @returns {Promise<Wire.Event | null>} */
async function upcoming() {
  const scene =
    queue.scenes[0] ??
    (await new Promise((/** @type {(scene: Scene) => void} */ resolve) => queue.waiting.push(resolve)));
  return scene.t === "event" ? scene.d.event : null;
}

/** @param {Scene} scene */
function arrive(scene) {
  queue.scenes.push(scene);
  queue.waiting.splice(0).forEach((resolve) => resolve(scene));
  void run();
}

/** Wait until the reader continues. @returns {Promise<void>} */
function gate() {
  return new Promise((resolve) => {
    state.resume = () => {
      state.resume = null;
      resolve();
    };
    render();
  });
}

/** @param {Wire.WholeTable} data */
async function begin(data) {
  Object.assign(state, {
    names: ownName(data.names, data.view.seat),
    levels: data.levels,
    match: data.match,
    daily: data.options.daily,
    evening: data.options.evening,
    challengeSeconds: data.options.challenge_seconds,
    hints: data.hints,
    scene: "",
    counting: null,
    shows: [],
    lastClaim: null,
  });
  updateCoach(state, actions, true);
  setBoard(state, data.view.rules, data.options.board);
  beginLog(state, data.sentences);
  await resumeSummary(state, data.view, gate);
  settle(data);
}

/** @param {Wire.SettledTable} data */
function settle(data) {
  const { view, choices, match, hints, closed, undo } = data;
  const gains = Array(view.rules.sides).fill(0);
  const bubbles = bubblesOf(view, state.names);
  Object.assign(state, { view, choices, match, hints, closed, undo, gains, bubbles, settled: true });
  const showing = view.open_crib.length || view.open_hands.some((hand) => hand.length);
  if (!showing || view.phase === "over") state.counting = null;
  notifyFallbacks(data.fallbacks);
  state.board?.update({ front: view.front, rear: view.rear, games: match.tally });
  // A skip ends the whole show, also between claims.
  if (!showing) newScene();
  sendPendingClaim(state, actions);
  sendDelayed(state, actions);
  cutIfRequested(state, actions);
  render();
}

/** Say once why a computer plays below its level. @param {Wire.Fallback[]} fallbacks */
function notifyFallbacks(fallbacks) {
  /** @param {string} words */
  const notify = (words) => {
    addToLog(state, words);
    warn(words);
  };
  for (const { seat, table, level } of fallbacks) {
    if (state.fallbacks.some((known) => known.seat === seat && known.table === table)) continue;
    const values = { name: state.names[seat], level: text(`level.${level}`) };
    notify(table === null ? text("trouble.instead", values) : text("trouble.table", { ...values, table }));
  }
  for (const { seat } of state.fallbacks) {
    if (!fallbacks.some((one) => one.seat === seat)) notify(text("trouble.over", { name: state.names[seat] }));
  }
  state.fallbacks = fallbacks;
}

/** Show at once who is here, even while events are being shown. @param {Wire.People} people */
function meet(people) {
  state.people = people;
  byId("invite-button").hidden = !people.open.includes(true);
  if (root.dataset.spectated)
    void import("./seats/spectators.js").then(({ showNumber }) => showNumber(state.people?.spectators ?? 0));
  render();
}

setInterval(() => {
  const countdown = find(document, "#countdown");
  if (!countdown) return;
  const until = Math.min(state.deadline, state.zeroClaim?.until ?? Infinity);
  const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
  const words = state.deadline ? text("claim.seconds", { n: left }) : "";
  if (countdown.textContent !== words) countdown.textContent = words;
}, 250);

/** @param {Table.State["connection"]} connection */
function setConnection(connection) {
  if (connection === "open" && state.connection === "lost") toast(text("line.back"));
  state.connection = connection;
  // The last action may not have arrived. Its button returns; the server accepts an action only once.
  if (connection !== "open") returned();
  root.dataset.line = connection;
  byId("line").hidden = connection === "open";
  byId("line").textContent = connectionWords(state);
  publishConnection(state);
}

/** The module of the clock, loaded at its first message. @type {Promise<typeof import("./seats/clock.js")> | undefined} */
let clock;

/** @param {Wire.ServerMessage} message */
function receive(message) {
  const reply = seal.receive(message);
  if (reply) connection.send(reply);
  switch (message.t) {
    case "pong":
      return;
    case "dealing":
      return queue.running || render();
    case "waiting":
      state.deadline =
        message.d.challenge_seconds_left === null ? 0 : Date.now() + message.d.challenge_seconds_left * 1000;
      return;
    case "people":
      return meet(message.d);
    case "clock":
      // One promise: a browser may end two imports of one module in either order.
      clock ??= import("./seats/clock.js");
      return clock.then(({ takeClock }) => takeClock(state, actions, message.d));
    case "chat":
      return publishChat(message.d);
    case "hint":
      return takeHint(state, actions, message.d);
    case "coach":
      return takeVerdict(state, actions, message.d);
    case "refused":
      if (!PAST.includes(message.d.code)) warn(message.d.message);
      return answered();
    case "table":
      state.sent = false;
      queue.scenes.length = 0;
      if (state.begun) dropVerdict(state);
      state.resume?.();
  }
  arrive(message);
}

const seal = dealingSeal(state, actions);
await loadWords();
if (find(document, "#first-words")) await import("./help/first-game.js");
if (find(document, "#quick-chat")) await import("./talk/quick-chat.js");
openSettings(() => {
  updateCoach(state, actions);
  render();
});
if (!likes.sound && !readStored("fifteentwo.sound-offered")) void import("./talk/offer-sound.js");
followLog();
keepBoardFitted(state);
const connection = connect(`/game/${state.game}/socket`, { query: seal.opening, receive, state: setConnection });
ignoreTapsOnNewButtons();
listenToKeys(state, actions);
