// Cribbage in ten minutes: two deals, which pause for questions. The server has worked out the right answers, those that
// are good enough, and the reason for each.

import { cardElement } from "../cards/cards.js";
import { countsFor, toggled } from "../cards/deck.js";
import { all, byId, find, isBrowserKey, make } from "../elements.js";
import { store, readStoredObject } from "../storage.js";
import { cardName, lang, text, wordsInPage } from "../text.js";
import "../words/explain.js";
import { drawHand, drawHeld, drawScore, drawTable, shownCard } from "./draw.js";

wordsInPage();
/** @type {Wire.Screen[]} */
const screens = JSON.parse(byId("screens-data").textContent ?? "[]");
const STORAGE_KEY = "fifteentwo.learn";
/** Nothing moves before the first answer. */
const pace = () => import("../settings/pace.js");
/** Milliseconds of a card's flight to the crib. */
const FLIGHT = 320;

/** The open step and its page; the finished steps, and those answered at the first try.
 * @type {{at: string, page: number, step: number, of: number, done: string[], first: string[]}} */
const progress = { at: screens[0].id, page: 0, step: 1, of: 0, done: [], first: [], ...readStoredObject(STORAGE_KEY) };
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
  byKey: false,
};

const screen = () => screens[state.at];
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
  byId("status").textContent = words;
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
  [state.picked, state.done, state.missed, state.counted, state.board] = [[], page > before.length, false, 0, null];
  state.page = Math.min(page, before.length + after.length);
  byId("learn").dataset.screen = id;
  byId("learn").dataset.at = String(state.at);
  byId("heading").textContent = screen().title;
  drawMap();
  drawHand(screen(), tap);
  drawPage();
}

function drawPage() {
  const [of, read] = [screen(), page()];
  Object.assign(progress, { at: of.id, page: state.page, step: state.at + 1, of: screens.length });
  store(STORAGE_KEY, JSON.stringify(progress));
  byId("text").textContent = read?.words ?? of.text;
  announce("");
  byId("hand").inert = read !== undefined;
  byId("learn").dataset.page = String(state.page);
  byId("learn").toggleAttribute("data-reading", read !== undefined);
  drawButtons();
  drawHeld(of, read);
  state.board = drawTable(of, read);
  if (of.id === "start" && progress.first.length)
    byId("lies").append(
      make("p.learn-result.flush", text("learn.result", { n: progress.first.length, of: screens.length - 1 })),
    );
  if (read) light(read.cards);
}

function drawMap() {
  const done = screens.filter(({ id }) => progress.done.includes(id)).length / (screens.length - 1);
  byId("progress").style.setProperty("--done", `${100 * done}%`);
  byId("at").textContent = text("learn.at", { n: state.at + 1, of: screens.length });
  byId("steps").setAttribute("aria-label", `${text("learn.map")}: ${byId("at").textContent}`);
  for (const button of all(byId("map"), "button", HTMLButtonElement)) {
    const number = screens.findIndex(({ id }) => id === button.dataset.step);
    const done = progress.done.includes(screens[number].id);
    button.disabled = !done && number !== furthest() && number !== state.at;
    button.classList.toggle("is-done", done);
    if (number === state.at) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
}

function drawButtons() {
  const last = state.at === screens.length - 1;
  const { pick, discards } = screen();
  const open = !last && !state.done && !page();
  const isGood = byId("status").dataset.verdict === "good";
  byId("back").hidden = state.at + state.page === 0;
  byId("first-game").hidden = !last;
  byId("next").hidden = last || (open && discards && !isGood);
  byId("next", HTMLButtonElement).disabled = open && !isGood;
  byId("discard").hidden = !open || !discards || isGood;
  byId("discard", HTMLButtonElement).disabled = state.picked.length !== pick;
  byId("show-me").hidden = !open;
}

/** Handle a press on a card or an answer. @param {string} one */
function tap(one) {
  const { pick, discards, choices } = screen();
  if (state.done) return;
  if (choices.length) return choose(one);
  // A wrong choice stays until the next press.
  if (byId("status").dataset.verdict) state.picked = [];
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
  const { accept, good, wrong } = screen();
  if (accept.some((right) => same(right, state.picked))) return void finish();
  const why = reasonFor(good);
  if (why) return note(why, "good");
  state.missed = true;
  announce(reasonFor(wrong) ?? "", "wrong");
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
  const { id, done, count, counts, discards, pegs, points, front } = screen();
  state.done = true;
  drawButtons();
  if (counts.length) play(state.picked[0], count ?? 0);
  else if (discards) await discard();
  else light(state.picked);
  if (points && front.length) drawScore([front[0] + points, front[1]], points);
  else if (points) await state.board?.animate(0, pegs[0][0], pegs[0][0] + points, (await pace()).motion(70));
  if (screen().id === id) note(done, "right");
}

/** Record that the question is answered. @param {string} words @param {Verdict} verdict */
function note(words, verdict) {
  announce(words, verdict);
  const { id } = screen();
  if (!progress.done.includes(id)) {
    progress.done.push(id);
    if (!state.missed) progress.first.push(id);
  }
  store(STORAGE_KEY, JSON.stringify(progress));
  drawMap();
  drawButtons();
  if (state.byKey || document.activeElement === document.body) byId("next").focus();
}

/** Move the card to the cards played and raise the count. @param {string} card @param {number} count */
function play(card, count) {
  const button = all(byId("hand"), "button").find(({ dataset }) => dataset.card === card);
  const from = button?.getBoundingClientRect();
  button?.closest("li")?.remove();
  // The counts on the other cards are no longer true.
  for (const left of all(byId("hand"), "button")) {
    find(left, ".would")?.remove();
    left.classList.remove("is-dim");
    left.setAttribute("aria-label", cardName(left.dataset.card ?? ""));
  }
  const lying = shownCard(card);
  byId("played").append(lying);
  void pace().then(({ flyFrom }) => flyFrom(lying, from));
  byId("count").textContent = String(count + countsFor(card));
  light([card]);
}

async function discard() {
  const buttons = all(byId("hand"), "button");
  const chosen = buttons.filter(({ dataset }) => state.picked.includes(dataset.card ?? ""));
  const from = chosen.map((button) => button.getBoundingClientRect());
  for (const button of chosen) button.closest("li")?.remove();
  for (const button of buttons) button.setAttribute("aria-disabled", "true");
  const backs = state.picked.map(() => cardElement(null, { size: "fill" }));
  find(byId("crib"), ".learn-places")?.replaceChildren(...backs);
  const { flyFrom, motion, pause } = await pace();
  backs.forEach((back, index) => flyFrom(back, from[index], FLIGHT, index * 60));
  await pause(motion(FLIGHT + 120));
}

function showMe() {
  const { accept, right } = screen();
  state.missed = true;
  if (right.length) return right.slice(state.counted).forEach(choose);
  state.picked = [...accept[0]];
  press();
  return finish();
}

/** @param {number} to */
function go(to) {
  state.at = to;
  draw();
  focusFirst();
  scrollTo(0, 0);
}

function focusFirst() {
  const first = state.at === screens.length - 1 ? byId("begin") : all(byId("hand"), "button")[0];
  if (state.byKey) (page() ? byId("next") : first).focus();
  else byId("heading").focus({ preventScroll: true });
}

/** Turn to the next or previous text of the step, or to another step. @param {number} by */
function turn(by) {
  const { before, after } = screen();
  const to = state.page + by;
  if (to < 0 || to > before.length + after.length) return go(state.at + by);
  if (state.done && by < 0) return go(state.at);
  state.page = to;
  drawPage();
  focusFirst();
}

byId("next").addEventListener("click", () => turn(1));
byId("back").addEventListener("click", () => turn(-1));
byId("show-me").addEventListener("click", showMe);
byId("discard").addEventListener("click", check);
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
draw(screen().id === progress.at ? progress.page : 0);
document.documentElement.lang = lang;
byId("learn").dataset.ready = "true";
