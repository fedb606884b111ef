// Counting against the clock: ten hands a round, each counted whole or score by score. What comes next and what was
// missed is decided in hands.js; what was done is kept in this browser alone.

import { cardElement } from "../cards/cards.js";
import { counted } from "../check/count.js";
import { nothingInHand } from "../check/nothing.js";
import { all, byId, field, find, make } from "../elements.js";
import { keep, keptFields } from "../keep.js";
import { cardName, lang, listed, seenAndHeard, text, wordsInPage } from "../text.js";
import { scoreName, scoreText } from "../scores.js";
import { claim, keyOf } from "./claims.js";
import { PATTERNS, counts, nextHand, patternsMissed, patternsOf, remembered, weakest, weightOf } from "./hands.js";

/** @typedef {import("./hands.js").Dealt} Dealt */
/** @typedef {import("./hands.js").Score} Score */

wordsInPage();
const KEPT = "fifteentwo.practice.count";
const ROUND = 10;
/** How long a right answer stands before the next hand comes, where there is a clock. */
const MS_RIGHT = 1400;

/**
 * @typedef {{patterns: import("./hands.js").Kept, streak: number, best: number, hands: number, right: number, how:
 *   string, seconds: number}} Memory
 */
/** @type {Memory} */
const memory = { patterns: {}, streak: 0, best: 0, hands: 0, right: 0, how: "total", seconds: 30, ...keptFields(KEPT) };
const state = {
  /** @type {Dealt} */
  dealt: { hand: [], starter: "", crib: false },
  /** @type {{right: boolean, ms: number}[]} */
  round: [],
  /** @type {Score[]} */
  claimed: [],
  /** @type {string[]} */
  chosen: [],
  typed: "",
  began: 0,
  /** @type {"before" | "asked" | "answered" | "over"} */
  stage: "before",
  /** @type {ReturnType<typeof setInterval> | undefined} */
  clock: undefined,
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  onward: undefined,
};

const pointsOf = (/** @type {Score[]} */ scores) => scores.reduce((sum, { points }) => sum + points, 0);
const items = () => memory.how === "items";
const places = () => [...state.dealt.hand, state.dealt.starter];
const remember = () => keep(KEPT, JSON.stringify(memory));

/** @param {typeof state.stage} next */
function enter(next) {
  state.stage = next;
  byId("drill").dataset.stage = next;
  byId("choose").hidden = next !== "before";
  byId("felt").hidden = next === "before" || next === "over";
  byId("round").hidden = next === "before";
  byId("over").hidden = next !== "over";
  byId("kept").hidden = !(next === "before" || next === "over") || memory.hands === 0;
  if (next === "before" || next === "over") drawKept();
}

// ── A hand ──────────────────────────────────────────────────────────────────────────────────────────────

function ask() {
  clearTimeout(state.onward);
  const before = places().join(" ");
  do state.dealt = nextHand(memory.patterns);
  while (places().join(" ") === before);
  [state.claimed, state.chosen, state.typed] = [[], [], ""];
  enter("asked");
  byId("which").textContent = text(state.dealt.crib ? "practice.count.crib" : "practice.count.hand");
  byId("which").dataset.crib = String(state.dealt.crib);
  byId("status").textContent = text(items() ? "practice.count.tap" : "practice.count.type");
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
}

function drawCards() {
  const press = state.stage === "asked" && items();
  const one = (/** @type {string} */ card, /** @type {number} */ at) => {
    const starter = at === 4;
    const name = starter ? text("practice.count.starter", { card: cardName(card) }) : cardName(card);
    const svg = cardElement(card, { size: "fill" });
    if (!press) {
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", name);
      svg.removeAttribute("aria-hidden");
    }
    return make(
      `div.drill-card${starter ? ".drill-card--starter" : ""}`,
      { "data-card": card },
      press
        ? make(
            "button.card-button",
            {
              type: "button",
              "data-card": card,
              "aria-pressed": String(state.chosen.includes(card)),
              "aria-label": name,
              onclick: () => tap(card),
            },
            svg,
          )
        : svg,
      starter && make("small", { "aria-hidden": "true" }, text("check.starter")),
    );
  };
  byId("cards").replaceChildren(...places().map(one));
}

/** @param {string} card */
function tap(card) {
  if (state.stage !== "asked") return;
  state.chosen = state.chosen.includes(card) ? state.chosen.filter((other) => other !== card) : [...state.chosen, card];
  for (const button of all(byId("cards"), "button"))
    button.setAttribute("aria-pressed", String(state.chosen.includes(button.dataset.card ?? "")));
  drawGo();
}

/** Counts the chosen cards, or says that there is no more. */
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
  for (const button of all(byId("cards"), "button")) button.setAttribute("aria-pressed", "false");
  drawClaimed(state.claimed, []);
  drawGo();
}

/** @param {boolean} late the time was up */
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
  enter("answered");
  byId("typing").hidden = true;
  byId("status").dataset.wrong = String(!isRight);
  byId("status").textContent = verdict(isRight, late, right, ms);
  drawCards();
  if (items()) drawClaimed(scores, missed);
  else drawCount();
  const { hand, starter, crib } = state.dealt;
  const why = scores.length ? [] : nothingInHand(hand, starter, crib);
  if (why.length)
    byId("scores").replaceChildren(
      ...why.map((words) => make("li", null, make("p.drill-none", null, seenAndHeard(words)))),
    );
  drawRound();
  drawGo();
  byId("go").focus({ preventScroll: true });
  // A hand that nearly scores is read.
  if (isRight && memory.seconds && why.length < 2) state.onward = setTimeout(goOn, MS_RIGHT);
}

/** @param {boolean} isRight @param {boolean} late @param {number} right @param {number} ms */
function verdict(isRight, late, right, ms) {
  const seconds = (ms / 1000).toFixed(1);
  if (isRight) return text("practice.count.is-right", { n: right, seconds });
  if (late) return text("practice.count.late", { n: right });
  const answer = items() ? pointsOf(state.claimed) : state.typed;
  return text(answer === "" ? "practice.count.was" : "practice.count.is-wrong", { n: right, claimed: answer });
}

/** The scores in counting order, those overlooked marked. @param {Score[]} scores @param {Score[]} missed */
function drawClaimed(scores, missed) {
  const open = new Set(missed.map(keyOf));
  const row = (/** @type {Score} */ score) => {
    const overlooked = open.has(keyOf(score));
    const aloud = `${scoreText(score)}${overlooked ? text("practice.count.overlooked") : ""}`;
    return scoreRow(score, scoreName(score), aloud, overlooked);
  };
  byId("scores").replaceChildren(...scores.map(row));
}

/** The whole count in words: a run together with its pairs. */
function drawCount() {
  const { hand, starter, crib } = state.dealt;
  const asked = new URLSearchParams({ hand: hand.join(" "), starter, crib: crib ? "1" : "0" });
  const row = (/** @type {Wire.NamedScore} */ score) => {
    const { label: name, cards, points, words } = score;
    return scoreRow(
      score,
      words,
      text("score.with-cards", { name, cards: listed(cards.map(cardName)), points }),
      false,
    );
  };
  byId("scores").replaceChildren(...(counted(asked)?.named ?? []).map(row));
}

/** @param {Pick<Score, "cards" | "points">} score @param {string} words @param {string} aloud @param {boolean} overlooked */
const scoreRow = ({ cards, points }, words, aloud, overlooked) =>
  make(
    `li${overlooked ? ".is-missed" : ""}`,
    null,
    make(
      "button.drill-score",
      { type: "button", onclick: () => light(cards), "aria-label": aloud },
      make("span", null, words),
      make("span.drill-score-cards", null, cards.map((card) => (card[0] === "T" ? "10" : card[0])).join(" ")),
      make("b", null, `+${points}`),
    ),
  );

/** @param {string[]} cards */
function light(cards) {
  for (const place of all(byId("cards"), ".drill-card")) {
    const on = cards.includes(place.dataset.card ?? "");
    place.classList.toggle("is-lit", on);
    place.classList.toggle("is-dim", !on);
  }
}

// ── The clock, the pad, the button ──────────────────────────────────────────────────────────────────────

function startClock() {
  stopClock();
  byId("clock").hidden = !memory.seconds;
  if (!memory.seconds) return;
  const tick = () => {
    const left = memory.seconds - (performance.now() - state.began) / 1000;
    byId("bar").style.inlineSize = `${Math.max(0, (100 * left) / memory.seconds)}%`;
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
  if (key === "Backspace") state.typed = state.typed.slice(0, -1);
  else if (state.typed.length < 2) state.typed = state.typed === "0" ? key : state.typed + key;
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
        ? "practice.count.say"
        : state.chosen.length
          ? "practice.count.claim"
          : "practice.count.done";
  button.textContent = text(key, { n: state.typed || 0 });
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
  const holes = Array.from({ length: ROUND }, (_, at) => {
    const one = state.round[at];
    const now = at === state.round.length && state.stage === "asked";
    const words = one
      ? text(one.right ? "practice.count.hole.right" : "practice.count.hole.wrong", { n: at + 1 })
      : text("practice.count.hole.open", { n: at + 1 });
    return make(`li${one ? (one.right ? ".is-right" : ".is-wrong") : ""}`, {
      "aria-label": words,
      "aria-current": now ? "step" : null,
    });
  });
  byId("round").replaceChildren(...holes);
}

// ── The round, and what is kept ─────────────────────────────────────────────────────────────────────────

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
  byId("over-title").focus();
}

function drawKept() {
  byId("kept-result").textContent = text("practice.count.summary", {
    n: memory.hands,
    right: memory.right,
    best: memory.best,
  });
  const sum = PATTERNS.reduce((total, name) => total + weightOf(memory.patterns, name), 0);
  find(byId("patterns"), "tbody")?.replaceChildren(
    ...PATTERNS.map((name) => {
      const [seen, missed] = memory.patterns[name] ?? [0, 0];
      const share = weightOf(memory.patterns, name) / sum / 2;
      return make(
        "tr",
        null,
        make("th", { scope: "row" }, text(`practice.pattern.${name}`)),
        make("td.number-cell", null, seen ? `${Math.round(100 * (1 - missed / seen))} %` : "–"),
        make(
          "td.number-cell",
          null,
          make(
            "span.drill-share",
            { "aria-hidden": "true" },
            make("span", { "--share": `${Math.round(400 * share)}%` }),
          ),
          `${Math.round(100 * share)} %`,
        ),
      );
    }),
  );
}

function begin() {
  state.round = [];
  remember();
  ask();
}

// ── What is pressed ─────────────────────────────────────────────────────────────────────────────────────

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
byId("pad").append(
  ...[..."123456789", "Backspace", "0"].map((key) =>
    make(
      "button.button",
      {
        type: "button",
        "data-key": key,
        "aria-label": key === "Backspace" ? text("practice.count.back") : null,
        onclick: () => type(key),
      },
      key === "Backspace" ? "⌫" : key,
    ),
  ),
);
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
  const { key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || state.stage === "before" || state.stage === "over") return;
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
