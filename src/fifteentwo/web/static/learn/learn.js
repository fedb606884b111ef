// Cribbage in ten minutes: two deals, which pause for questions. The server has worked out the right answers, those that
// are good enough, and the reason for each.

import { toggled } from "../cards/deck.js";
import { all, byId, isBrowserKey, make } from "../elements.js";
import { store, readStoredObject } from "../storage.js";
import { lang, text, wordsInPage } from "../text.js";
import "../words/explain.js";
import { drawHand, drawHeld, drawScore, drawTable, unbroken } from "./draw.js";

wordsInPage();
/** The steps; a field is left out if the last step has the same value. @type {Wire.Screen[]} */
const sent = JSON.parse(byId("screens-data").textContent ?? "[]");
const screens = sent.map((one) => ({ ...sent[sent.length - 1], ...one }));
const STORAGE_KEY = "fifteentwo.learn";
/** Nothing moves, and no card is shown, before the first answer. */
const moves = () => import("./moves.js");

/** The open step and its page; the steps finished, right the first time, asked again, and right then.
 * @typedef {{done: string[], first: string[], again: string[], learned: string[]}} Answers
 * @type {Answers & {at: string, page: number, step: number, of: number, repeats: boolean}} */
const progress = {
  ...{ at: screens[0].id, page: 0, step: 1, of: 0, repeats: false, done: [], first: [], again: [], learned: [] },
  ...readStoredObject(STORAGE_KEY),
};
const LAST = screens.length - 1;
const state = {
  at: Math.max(
    screens.findIndex(({ id }) => id === progress.at),
    0,
  ),
  /** @type {string[]} */
  picked: [],
  /** Number of the text shown: the pages before the question, the question, the pages after it. */
  page: 0,
  done: false,
  /** Whether the question was answered wrongly, or its answer was shown. */
  missed: false,
  /** Number of right choices made in a row. */
  counted: 0,
  /** @type {Pegboard.Element | null} */
  board: null,
  /** The score of a hand that the learner must find now. @type {{show: () => void} | null} */
  count: null,
  /** Whether the learner has not counted the whole hand yet. */
  counting: false,
  byKey: false,
};

/** Number of steps that are asked again, so that the game is not far. */
const MAX_AGAIN = 6;
/** Return the steps that were answered wrongly and are asked again. */
const missed = () =>
  screens
    .filter(({ id }) => progress.done.includes(id) && ![...progress.first, ...progress.again].includes(id))
    .slice(0, MAX_AGAIN - progress.again.length);
/** Return the open step. A step that is asked again has only its question. */
const screen = () => {
  if (!progress.repeats) return screens[state.at];
  const n = 1 + missed().filter((one) => one !== screens[state.at]).length;
  return { ...screens[state.at], title: text("learn.again", { n }), before: [], after: [] };
};
/** Return the page that is read now; undefined if the question is asked. */
const page = () => [...screen().before, undefined, ...screen().after][state.page];
/** Return the first step that is not finished. */
const furthest = () => screens.findIndex(({ id }) => !progress.done.includes(id));
/** @param {string[]} one @param {string[]} other */
const same = (one, other) => one.length === other.length && one.every((card) => other.includes(card));
const SIGNS = { right: "✓", good: "≈", wrong: "✗" };
/** @typedef {keyof typeof SIGNS} Verdict */
/** @param {HTMLElement} node @param {Verdict | ""} [verdict] */
const mark = (node, verdict = "") => Object.assign(node.dataset, { verdict, sign: verdict && SIGNS[verdict] });
/** Show an explanation and mark the answers that it is about. @param {string} words @param {Verdict} [verdict] */
function announce(words, verdict, answers = state.picked) {
  byId("status").replaceChildren(...unbroken(words));
  mark(byId("status"), words && verdict);
  for (const button of all(byId("hand"), "button")) {
    if (verdict && answers.includes(button.dataset.card ?? "")) mark(button, verdict);
    else if (button.dataset.verdict !== "right") mark(button);
  }
}
/** @param {Wire.Reason[]} reasons */
const reasonFor = (reasons) => reasons.find(({ answer }) => same(answer, state.picked))?.why;

function draw(page = 0) {
  const { id, before, after } = screen();
  state.page = Math.min(page, before.length + after.length);
  state.done = state.page > before.length;
  [state.picked, state.missed, state.counted, state.board] = [[], false, 0, null];
  byId("learn").dataset.screen = id;
  byId("learn").dataset.at = String(state.at);
  // The questions asked again belong to the last one.
  Object.assign(progress, { at: id, step: progress.repeats ? LAST : state.at + 1, of: screens.length });
  drawMap();
  drawHand(screen(), tap);
  drawPage();
}

function drawPage() {
  const [of, read] = [screen(), page()];
  progress.page = state.page;
  store(STORAGE_KEY, JSON.stringify(progress));
  byId("heading").textContent = read?.title || of.title;
  byId("text").replaceChildren(...unbroken(read?.words ?? of.text));
  announce("");
  if (state.count || state.done) drawHand(of, tap);
  [state.count, state.counting] = [null, Boolean(read?.scores.length)];
  const reads = read !== undefined && !state.counting;
  byId("hand").inert = reads;
  byId("learn").dataset.page = String(state.page);
  byId("learn").toggleAttribute("data-reading", reads || state.at === LAST);
  drawButtons();
  drawHeld(of, read);
  state.board = drawTable(of, read);
  if (state.counting && read) void count(read);
  if (state.at === LAST) void import("./end.js").then(({ drawEnd }) => drawEnd(screens, progress));
  if (read) light(read.cards);
}

/** Let the learner count a hand. @param {Wire.Page} read */
async function count(read) {
  const [{ countHand }, { holeTime }] = await Promise.all([import("./count.js"), moves()]);
  if (read !== page()) return;
  state.count = countHand(read, { announce, light, done });
  focusFirst();
  function done() {
    state.counting = false;
    drawScore(read.front, read.total ?? 0, holeTime());
    drawButtons();
    if (state.byKey || document.activeElement === document.body) byId("next").focus();
  }
}

/** Show how far the learner is: each page and each right answer moves the bar by the same length. */
function drawProgress() {
  const { again, repeats } = progress;
  const tapsIn = (/** @type {Wire.Screen[]} */ of) =>
    of.reduce((sum, { before, after }) => sum + before.length + after.length + 2, 0);
  const all = tapsIn(screens.slice(0, LAST)) + MAX_AGAIN;
  const right = Number(state.done || state.page > screen().before.length);
  const share = (again.length - right / 2) / (again.length + missed().length);
  const done = repeats ? all - MAX_AGAIN * (1 - share) : tapsIn(screens.slice(0, state.at)) + state.page + right;
  byId("progress").style.setProperty("--done", `${state.at === LAST ? 100 : (100 * done) / all}%`);
}

function drawMap() {
  byId("at").textContent = text("learn.at", { n: progress.step, of: screens.length });
  byId("steps").setAttribute("aria-label", `${text("learn.map")}: ${byId("at").textContent}`);
  for (const button of all(byId("map"), "button", HTMLButtonElement)) {
    const number = screens.findIndex(({ id }) => id === button.dataset.step);
    const done = progress.done.includes(screens[number].id);
    button.disabled = !done && number !== furthest() && number !== state.at;
    const right = progress.first.includes(button.dataset.step ?? "") ? "first" : "missed";
    const result = done && (progress.learned.includes(button.dataset.step ?? "") ? "later" : right);
    button.dataset.mark = result || "";
    button.title = result ? text(`learn.mark.${result}`) : "";
    if (number === state.at) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
}

function drawButtons() {
  drawProgress();
  const last = state.at === LAST;
  const { pick, discards } = screen();
  const open = !last && !state.done && !page();
  const asks = open || state.counting;
  if (open) void moves();
  const isGood = byId("status").dataset.verdict === "good";
  byId("back").hidden = progress.repeats || state.at + state.page === 0;
  byId("first-game").hidden = !last;
  byId("next").hidden = last || (open && discards && !isGood);
  byId("next", HTMLButtonElement).disabled = asks && !isGood;
  byId("discard").hidden = !open || !discards || isGood;
  byId("discard", HTMLButtonElement).disabled = state.picked.length !== pick;
  byId("show-me").hidden = !asks;
}

/** Handle a press on a card or an answer. @param {string} one */
function tap(one) {
  const { pick, discards, choices } = screen();
  if (state.done) return;
  if (choices.length) return choose(one);
  // A wrong choice stays until the next press; one of its cards is only lowered.
  if (byId("status").dataset.verdict && !state.picked.includes(one)) state.picked = [];
  state.picked = toggled(state.picked, one, pick);
  press();
  announce("");
  if (discards) {
    drawButtons();
    return state.byKey && state.picked.length === pick && byId("discard").focus();
  }
  if (state.picked.length === pick) check();
}

function check() {
  const { accept, good, wrong, hint, better } = screen();
  if (accept.some((right) => same(right, state.picked))) return void finish();
  const why = reasonFor(good);
  if (why) return note(why, "good");
  const tip = state.missed ? better : hint;
  state.missed = true;
  announce([reasonFor(wrong), tip].join(tip && lang !== "ja" ? " " : ""), "wrong");
}

/** Check an answer, or the next one of a row. @param {string} one */
function choose(one) {
  const { right, wrong } = screen();
  if (right.slice(0, state.counted).includes(one)) return;
  if (one !== right[state.counted]) {
    state.missed = true;
    return announce(wrong.find(({ answer }) => answer[0] === one)?.why ?? "", "wrong", [one]);
  }
  state.counted += 1;
  announce("", "right", [one]);
  const button = all(byId("hand"), "button").find(({ dataset }) => dataset.card === one);
  button?.setAttribute("aria-pressed", "true");
  if (button && right.length > 1) button.prepend(make("b.learn-place.disc", String(state.counted)));
  if (state.counted === right.length) void finish();
}

function press() {
  for (const button of all(byId("hand"), "button"))
    button.setAttribute("aria-pressed", String(state.picked.includes(button.dataset.card ?? "")));
}

/** Light cards wherever they are shown. @param {string[]} cards */
function light(cards) {
  for (const node of all(byId("learn"), "svg[data-card]", SVGElement))
    node.classList.toggle("is-lit", cards.includes(node.dataset.card ?? ""));
}

/** Show the explanation of a right answer. */
async function finish() {
  const { id, done, cards, count, counts, discards, pegs, points, front, lit } = screen();
  state.done = true;
  const isOpen = () => screen().id === id && state.done && !page();
  record();
  drawButtons();
  const { discard, holeTime, play } = await moves();
  if (!isOpen()) return;
  if (counts.length) play(state.picked[0], count ?? 0);
  else if (discards) await discard(state.picked);
  else if (points && cards.length)
    drawTable(screen(), {
      ...screen(),
      shown: cards.filter((card) => state.picked.includes(card)),
      total: points,
      scores: [],
    });
  light([...state.picked, ...lit]);
  if (points && front.length) drawScore([front[0] + points, front[1]], points, holeTime());
  else if (points) await state.board?.animate(0, pegs[0][0], pegs[0][0] + points, holeTime());
  if (isOpen()) note(done, "right");
}

/** Record that the question is answered. */
function record() {
  const { at, done, first, again, learned, repeats } = progress;
  const [asked, right] = repeats ? [again, learned] : [done, first];
  if (!asked.includes(at) && !state.missed) right.push(at);
  if (!asked.includes(at)) asked.push(at);
  store(STORAGE_KEY, JSON.stringify(progress));
  drawMap();
}

/** @param {string} words @param {Verdict} verdict */
function note(words, verdict) {
  announce(words, verdict);
  record();
  drawButtons();
  if (state.byKey || document.activeElement === document.body) byId("next").focus();
}

function showMe() {
  if (state.counting) return state.count?.show();
  const { accept, right } = screen();
  state.missed = true;
  if (right.length) return right.slice(state.counted).forEach(choose);
  state.picked = [...accept[0]];
  press();
  return finish();
}

/** @param {number} to @param {number} [page] @param {boolean} [repeats] whether the step is asked again because it was missed */
function go(to, page = 0, repeats = false) {
  state.at = to;
  progress.repeats = repeats;
  draw(page);
  focusFirst();
  scrollTo(0, 0);
}

function focusFirst() {
  const first = state.at === LAST ? byId("begin") : all(byId("hand"), "button")[0];
  if (state.byKey) (page() ? byId("next") : first).focus();
  else byId("heading").focus({ preventScroll: true });
}

/** Turn to the next or previous text, of this step or of another. Questions are asked again, and missed ones
 * once more before the last step. @param {number} by */
function turn(by) {
  const { before, after } = screen();
  const to = state.page + by;
  if (to < 0) return go(state.at - 1, Infinity);
  if (to > before.length + after.length) {
    const [again] = progress.step === LAST ? missed() : [];
    return again ? go(screens.indexOf(again), 0, true) : go(progress.step);
  }
  if (state.done && by < 0) return go(state.at, to);
  [state.page, state.picked] = [to, []];
  press();
  drawPage();
  focusFirst();
}

byId("next").addEventListener("click", () => turn(1));
byId("back").addEventListener("click", () => turn(-1));
byId("show-me").addEventListener("click", showMe);
byId("discard").addEventListener("click", check);
// If nothing is asked, a tap on the felt points at the button that goes on.
byId("hand").parentElement?.addEventListener("click", () => {
  const next = byId("next", HTMLButtonElement);
  if ((state.done || page()) && !next.disabled)
    next.animate({ outline: ["3px solid var(--wood)", "3px solid transparent"], outlineOffset: ["2px", "8px"] }, 700);
});
byId("map").addEventListener("click", ({ target }) => {
  const step = target instanceof HTMLElement ? target.dataset.step : undefined;
  if (!step) return;
  byId("map").hidePopover();
  go(screens.findIndex(({ id }) => id === step));
});
document.addEventListener("keydown", () => (state.byKey = true), true);
document.addEventListener("pointerdown", () => (state.byKey = false), true);
document.addEventListener("keydown", (event) => {
  if (!isBrowserKey(event) && /^[1-6]$/.test(event.key)) all(byId("hand"), "button")[Number(event.key) - 1]?.click();
});
if (state.at) await moves();
draw(screen().id === progress.at ? progress.page : 0);
// Without a server, the browser has the files that it loaded before.
void navigator.serviceWorker?.ready.then(() => Promise.all([moves(), import("./count.js"), import("./end.js")]));
document.documentElement.lang = lang;
byId("learn").dataset.ready = "true";
