// Counting against the clock: ten hands a round, each counted as a number or score by score. hands.js chooses the hands
// by what was missed. Results are stored in this browser only.

import { toggled } from "../cards/deck.js";
import { showPicked } from "../cards/picker.js";
import { nothingInHand } from "../check/nothing.js";
import { all, byId, field, isBrowserKey, make } from "../elements.js";
import { store, readStoredObject } from "../storage.js";
import { ignoreTapsOnNewButtons } from "../taps.js";
import { lang, readableCards, text, wordsInPage } from "../text.js";
import { scoreName } from "../scores.js";
import { digitPad, handCard, SIGNS, scrollToFelt, typedAfter } from "./answers.js";
import { claim, keyOf } from "./claims.js";
import { countRows, holes, scoreRows } from "./count-drawing.js";
import { noteAnswer, workOn } from "./skills.js";
import { counts, nextHand, patternsMissed, patternsOf, remembered, weakest } from "./hands.js";

wordsInPage();
const STORAGE_KEY = "fifteentwo.practice.count";
const ROUND = 10;
/** A beginner counts this many hands before one with three or four runs is dealt. */
const EASY = 20;
/** Milliseconds for which a right answer is shown before the next hand, if there is a clock. */
const MS_RIGHT = 1400;

/** @type {Practice.Memory} */
const memory = {
  patterns: {},
  streak: 0,
  best: 0,
  hands: 0,
  right: 0,
  how: "total",
  seconds: 30,
  ...readStoredObject(STORAGE_KEY),
};
/** @type {Practice.CountState} */
const state = {
  dealt: { hand: [], starter: "", crib: false },
  round: [],
  claimed: [],
  chosen: [],
  typed: "",
  began: 0,
  stage: "before",
  clock: undefined,
  onward: undefined,
};

const pointsOf = (/** @type {Practice.Score[]} */ scores) => scores.reduce((sum, { points }) => sum + points, 0);
const runs = (/** @type {Practice.Dealt} */ dealt) => counts(dealt).filter(({ name }) => name === "run").length;
const items = () => memory.how === "items";
const places = () => [...state.dealt.hand, state.dealt.starter];
const remember = () => store(STORAGE_KEY, JSON.stringify(memory));

/** @param {typeof state.stage} next */
function enter(next) {
  state.stage = next;
  byId("drill").dataset.stage = next;
  byId("choose").hidden = next !== "before";
  byId("felt").hidden = next === "before" || next === "over";
  byId("round").hidden = next === "before";
  byId("over").hidden = next !== "over";
  byId("kept").hidden = !(next === "before" || next === "over") || memory.hands === 0;
  if (next === "before" || next === "over") drawStored();
}

// ── One hand ──────────────────────────────────────────────────────────────────────────────────────────────

function ask() {
  clearTimeout(state.onward);
  const before = places().join(" ");
  do state.dealt = nextHand(memory.patterns);
  while (places().join(" ") === before || (memory.hands < EASY && runs(state.dealt) > 2));
  [state.claimed, state.chosen, state.typed] = [[], [], ""];
  enter("asked");
  byId("which").textContent = text(state.dealt.crib ? "practice.count.crib" : "practice.count.hand");
  byId("which").dataset.crib = String(state.dealt.crib);
  byId("status").textContent = text(items() ? "practice.count.tap" : "practice.count.ask");
  byId("typing").hidden = items();
  byId("scores").replaceChildren();
  drawRound();
  drawCards();
  drawTyped();
  drawGo();
  state.began = performance.now();
  startClock();
  if (items()) all(byId("cards"), "button")[0]?.focus({ preventScroll: true });
  else byId("felt").focus({ preventScroll: true });
  scrollToFelt();
}

function drawCards() {
  const press = state.stage === "asked" && items();
  byId("cards").replaceChildren(
    ...places().map((card, at) =>
      handCard(card, at, press && { "aria-pressed": String(state.chosen.includes(card)), onclick: () => tap(card) }),
    ),
  );
}

/** @param {string} card */
function tap(card) {
  if (state.stage !== "asked") return;
  state.chosen = toggled(state.chosen, card);
  if (byId("status").dataset.wrong === "true") byId("status").textContent = text("practice.count.tap");
  byId("status").dataset.wrong = "false";
  showPicked(byId("cards"), state.chosen);
  drawGo();
}

function claimChosen() {
  if (!state.chosen.length) return finish(false);
  const { scores, why } = claim(state.dealt, state.chosen, state.claimed);
  state.claimed = [...state.claimed, ...scores];
  byId("status").textContent = scores.length
    ? text("practice.count.claimed", {
        scores: scores.map(scoreName).join(text("list.and")),
        n: pointsOf(state.claimed),
      })
    : text(`practice.count.no.${why}`);
  byId("status").dataset.wrong = String(!scores.length);
  state.chosen = [];
  showPicked(byId("cards"), []);
  byId("scores").replaceChildren(...scoreRows(state.claimed, []));
  drawGo();
}

/** @param {boolean} late whether the time was up */
function finish(late) {
  if (state.stage !== "asked") return;
  stopClock();
  const scores = counts(state.dealt);
  const right = pointsOf(scores);
  const done = new Set(state.claimed.map(keyOf));
  const missed = items() ? scores.filter((score) => !done.has(keyOf(score))) : scores;
  const isRight = items() ? !missed.length : !late && state.typed !== "" && Number(state.typed) === right;
  const ms = performance.now() - state.began;
  state.round.push({ right: isRight, ms });
  const shown = patternsOf(state.dealt, scores);
  const wrong = isRight ? [] : items() ? patternsMissed(state.dealt, missed) : shown;
  memory.patterns = remembered(memory.patterns, shown, wrong);
  memory.hands += 1;
  memory.right += isRight ? 1 : 0;
  memory.streak = isRight ? memory.streak + 1 : 0;
  memory.best = Math.max(memory.best, memory.streak);
  remember();
  noteAnswer("counting", isRight);
  enter("answered");
  byId("typing").hidden = true;
  byId("status").dataset.wrong = String(!isRight);
  byId("status").textContent = `${SIGNS[isRight ? "tiny" : "blunder"]} ${verdict(isRight, late, right, ms)}`;
  drawCards();
  byId("scores").replaceChildren(...(items() ? scoreRows(scores, missed) : countRows(state.dealt)));
  const { hand, starter, crib } = state.dealt;
  const why = scores.length ? [] : nothingInHand(hand, starter, crib);
  if (why.length)
    byId("scores").replaceChildren(
      ...why.map((words) => make("li", make("p.drill-none.flush.text-center", readableCards(words)))),
    );
  drawRound();
  drawGo();
  byId("go").focus({ preventScroll: true });
  // Leave time to read why the hand nearly scored.
  if (isRight && memory.seconds && why.length < 2) state.onward = setTimeout(goOn, MS_RIGHT);
}

/** @param {boolean} isRight @param {boolean} late @param {number} right @param {number} ms */
function verdict(isRight, late, right, ms) {
  const seconds = (ms / 1000).toFixed(1);
  if (isRight) return text("practice.count.is-right", { n: right, seconds });
  if (late) return text("practice.count.late", { n: right });
  const answer = items() ? pointsOf(state.claimed) : state.typed;
  const wrong = items() ? "practice.count.is-missed" : "practice.count.is-wrong";
  return text(answer === "" ? "practice.count.was" : wrong, { n: right, claimed: answer });
}

// ── The clock, the pad, the button ──────────────────────────────────────────────────────────────────────

function startClock() {
  stopClock();
  byId("clock").hidden = !memory.seconds;
  if (!memory.seconds) return;
  const tick = () => {
    const left = memory.seconds - (performance.now() - state.began) / 1000;
    byId("bar").style.setProperty("--share", `${Math.max(0, (100 * left) / memory.seconds)}%`);
    const words = String(Math.max(0, Math.ceil(left)));
    if (byId("seconds").textContent !== words) byId("seconds").textContent = words;
    byId("clock").classList.toggle("is-short", left < 4);
    if (left <= 0) finish(true);
  };
  tick();
  state.clock = setInterval(tick, 100);
}

function stopClock() {
  clearInterval(state.clock);
  state.clock = undefined;
}

/** @param {string} key */
function type(key) {
  if (state.stage !== "asked" || items()) return;
  state.typed = typedAfter(state.typed, key);
  drawTyped();
  drawGo();
}

function drawTyped() {
  byId("typed").textContent = state.typed || "–";
}

function drawGo() {
  const button = byId("go", HTMLButtonElement);
  const last = state.round.length === ROUND;
  const key =
    state.stage === "answered"
      ? last
        ? "practice.count.result"
        : "practice.count.next"
      : !items()
        ? state.typed
          ? "practice.count.say"
          : "practice.count.type"
        : state.chosen.length
          ? "practice.count.claim"
          : "practice.count.done";
  button.textContent = text(key, { n: state.typed });
  button.disabled = state.stage === "asked" && !items() && state.typed === "";
}

function goOn() {
  clearTimeout(state.onward);
  if (state.stage === "answered") return state.round.length < ROUND ? ask() : showRound();
  if (state.stage !== "asked") return undefined;
  if (items()) return claimChosen();
  return state.typed === "" ? undefined : finish(false);
}

function drawRound() {
  byId("streak").textContent = memory.streak > 1 ? text("practice.count.streak", { n: memory.streak }) : "";
  byId("round").replaceChildren(...holes(state.round, ROUND, state.stage === "asked"));
}

// ── The round, and stored results ─────────────────────────────────────────────────────────────────────────

function showRound() {
  enter("over");
  drawRound();
  const right = state.round.filter((one) => one.right).length;
  const seconds = (state.round.reduce((sum, { ms }) => sum + ms, 0) / ROUND / 1000).toFixed(1);
  byId("over-title").textContent = text("practice.count.over", { n: right, of: ROUND });
  const weak = weakest(memory.patterns)
    .slice(0, 2)
    .map((name) => text(`practice.pattern.${name}`));
  byId("over-result").textContent =
    text("practice.count.mean", { seconds }) +
    (weak.length
      ? text("practice.count.weak", { patterns: weak.join(text("list.and")) })
      : text("practice.count.none-weak"));
  byId("work-on").replaceChildren(...workOn("/practice/count"));
  byId("over-title").focus();
}

function drawStored() {
  byId("kept-result").textContent = text("practice.count.summary", {
    n: memory.hands,
    right: memory.right,
    best: memory.best,
  });
}

function begin() {
  state.round = [];
  remember();
  ask();
}

// ── Controls ────────────────────────────────────────────────────────────────────────────────────

const form = byId("choose", HTMLFormElement);
for (const name of ["how", "seconds"]) {
  for (const radio of all(form, `[name="${name}"]`, HTMLInputElement))
    radio.checked = radio.value === String(name === "how" ? memory.how : memory.seconds);
}
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const chosenOf = (/** @type {string} */ name) =>
    all(form, `[name="${name}"]`, HTMLInputElement).find(({ checked }) => checked)?.value ?? "";
  memory.how = chosenOf("how") || "total";
  memory.seconds = Number(chosenOf("seconds"));
  begin();
});
ignoreTapsOnNewButtons();
byId("pad").append(...digitPad(type));
byId("go").addEventListener("click", goOn);
byId("again").addEventListener("click", begin);
byId("change").addEventListener("click", () => {
  enter("before");
  field(form, "how").focus();
});
byId("forget").addEventListener("click", () => {
  Object.assign(memory, { patterns: {}, streak: 0, best: 0, hands: 0, right: 0 });
  remember();
  enter("before");
  byId("begin").focus();
});
document.addEventListener("keydown", (event) => {
  const { key } = event;
  if (isBrowserKey(event) || state.stage === "before" || state.stage === "over") return;
  const onButton = event.target instanceof HTMLButtonElement;
  if (key === "Enter" && (!onButton || event.target.closest("#pad, #cards"))) {
    event.preventDefault();
    goOn();
  } else if (/^[0-9]$/.test(key) && state.stage === "asked") {
    if (!items()) type(key);
    else if (key !== "0" && Number(key) < 6) tap(places()[Number(key) - 1]);
  } else if (key === "Backspace" && !items()) {
    event.preventDefault();
    type(key);
  }
});
document.documentElement.lang = lang;
enter("before");
byId("drill").dataset.ready = "true";
