// The daily deal in three screens: a discard, a card to play, and a count. Then the result as text to share, and what
// everyone on this server discarded. The answers of the day and the streak are stored in this browser.

import { cardElement } from "../cards/cards.js";
import { toggled } from "../cards/deck.js";
import { showPicked } from "../cards/picker.js";
import { counted } from "../check/count.js";
import { offersResult } from "../copying.js";
import { byId, make } from "../elements.js";
import { store, readStoredObject } from "../storage.js";
import { cardName, cardSigns, lang, readableCards, text, wordsInPage } from "../text.js";
import { choiceCards, digitPad, handCard, listenToKeys, marksOf, send, SIGNS, typedAfter } from "./answers.js";
import { drawHandOf, drawPosition } from "./position.js";

wordsInPage();
const STORAGE_KEY = "fifteentwo.daily";
const MS_PER_DAY = 86_400_000;
/** Days that may lie between two deals of a streak: a user's calendar days are not those of the server. */
const MAX_GAP_DAYS = 2;
/** Answers from which on the counts are said to mean something. */
const MANY = 20;
const MAX_ROWS = 5;
/** Holes of the streak; its peg starts again after seven days. */
const HOLES = 7;

/** @type {Wire.DailyTasks} */
const tasks = JSON.parse(byId("tasks").textContent ?? "{}");
const stored = { day: "", deal: [""], problem: [""], count: 0, streak: 0, best: 0, ...readStoredObject(STORAGE_KEY) };
/** @type {{at: number, chosen: string[], typed: string, answers: string[][]}} */
const state = { at: 0, chosen: [], typed: "", answers: [] };
const problem = () => [tasks.deal, tasks.problem][state.at];

function draw() {
  [state.chosen, state.typed] = [[], ""];
  byId("step").textContent = text("practice.daily.step", { n: Math.min(state.at + 1, 3) });
  byId("felt").hidden = false;
  byId("typing").hidden = state.at !== 2;
  const now = problem();
  if (now) {
    drawPosition(now);
    drawHandOf(now, state.chosen, tap);
  } else if (state.at === 2) {
    byId("ask").textContent = text("practice.count.type");
    byId("top").replaceChildren(make("span.drill-which", text("practice.count.hand")));
    byId("lies").replaceChildren();
    byId("hand").replaceChildren(...[...tasks.hand, tasks.starter].map((card, place) => handCard(card, place)));
  }
  byId("hand").style.setProperty("--cards", String(now ? now.hand.length : 5));
  drawGo();
  byId("felt").focus({ preventScroll: true });
  scrollTo(0, 0);
  if (byId("felt").getBoundingClientRect().bottom > innerHeight) byId("felt").scrollIntoView();
}

/** @param {string} card */
function tap(card) {
  state.chosen = toggled(state.chosen, card, problem()?.pick);
  showPicked(byId("hand"), state.chosen);
  drawGo();
}

/** Take a key of the pad. @param {string} key */
function type(key) {
  if (state.at !== 2 || !/^([0-9]|Backspace)$/.test(key)) return false;
  state.typed = typedAfter(state.typed, key);
  drawGo();
  return true;
}

function drawGo() {
  const button = byId("go", HTMLButtonElement);
  const say = state.typed ? "practice.count.say" : "practice.count.type";
  const keys = ["practice.solve.discard", "practice.solve.play", say, "practice.daily.result"];
  button.textContent = text(keys[state.at], { n: state.typed });
  button.disabled = state.at === 2 ? !state.typed : state.chosen.length < (problem()?.pick ?? 0);
  byId("typed").textContent = state.typed || "–";
}

function go() {
  if (byId("go", HTMLButtonElement).disabled || byId("felt").hidden) return;
  if (state.at < 2) {
    state.answers.push(state.chosen);
    state.at += 1;
    draw();
  } else {
    if (state.at === 2) remember();
    void submit();
  }
}

/** Store the answers, and count the day for the streak. */
function remember() {
  const gap = (Date.parse(tasks.day) - Date.parse(stored.day)) / MS_PER_DAY;
  stored.streak = gap <= MAX_GAP_DAYS ? stored.streak + 1 : 1;
  stored.best = Math.max(stored.best, stored.streak);
  const [deal, play] = state.answers;
  Object.assign(stored, { day: tasks.day, deal, problem: play, count: Number(state.typed) });
  store(STORAGE_KEY, JSON.stringify(stored));
}

async function submit() {
  state.at = 3;
  byId("ask").textContent = text("practice.solve.weighing");
  byId("typing").hidden = true;
  byId("go", HTMLButtonElement).disabled = true;
  const { day, deal, problem: play, count } = stored;
  /** @type {Wire.DailyVerdict | Pick<Wire.Refusal, "message">} */
  const reply = await send("/practice/daily/answer", { day, deal, problem: play, count });
  if ("discards" in reply) return show(reply);
  byId("felt").hidden = false;
  byId("ask").textContent = reply.message;
  return drawGo();
}

/** @param {Wire.DailyVerdict} result */
function show(result) {
  byId("felt").hidden = true;
  byId("step").textContent = "";
  byId("done").hidden = false;
  const isRight = result.points === stored.count;
  const signs = [SIGNS[result.deal.mark ?? "tiny"], SIGNS[result.problem.mark ?? "tiny"], isRight ? "◎" : "×"];
  const names = ["deal", "problem", "count"].map((name) => text(`practice.daily.task.${name}`));
  const counting = isRight ? "practice.daily.counted" : "practice.daily.miscounted";
  const { hand, starter } = tasks;
  const parts = [
    { words: verdict(result.deal), cards: marked(tasks.deal.hand, stored.deal, result.deal), why: result.deal.why[0] },
    {
      words: verdict(result.problem),
      cards: marked(tasks.problem.hand, stored.problem, result.problem),
      why: result.problem.why[0],
    },
    {
      words: text(counting, { n: result.points, own: stored.count }),
      cards: [
        ...hand.map((card) => drawn(card)),
        drawn(starter, ".daily-starter", make("small", text("check.starter"))),
      ],
      why: scores(hand, starter),
    },
  ];
  byId("tasks-done").replaceChildren(
    ...parts.map(({ words, cards, why }, at) =>
      make(
        "li",
        make("p", make("b", `${signs[at]} ${names[at]}`), " ", words),
        make("div.daily-cards.flex.gap-1", cards),
        make("div.daily-why", why),
      ),
    ),
  );
  byId("holes").replaceChildren(
    ...Array.from({ length: HOLES }, (_, at) => make(`i${at === (stored.streak - 1) % HOLES ? ".is-right" : ""}`)),
  );
  const days = text("practice.daily.days", { n: stored.streak });
  byId("days").textContent =
    days + (stored.best > stored.streak ? ` · ${text("practice.daily.streak.best", { n: stored.best })}` : "");
  const lines = [
    text("practice.daily.text.head", { date: byId("daily").dataset.date ?? "" }),
    signs.map((sign, at) => `${names[at]} ${sign}`).join(lang === "ja" ? "　" : "  "),
    ...(stored.streak > 1 ? [days] : []),
    `${location.origin}/practice/daily`,
  ];
  byId("share-text", HTMLTextAreaElement).value = lines.join("\n");
  drawDiscards(result);
  byId("daily").dataset.stage = "done";
  byId("done-title").focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Draw a card over a word. @param {string} card @param {string} [kind] @param {HTMLElement} [word] */
const drawn = (card, kind = "", word = make("small")) =>
  make(`span${kind}`, cardElement(card, { size: "fill", label: cardName(card) }), word);

/** Draw the hand; the best cards have a ring if others were chosen. @param {string[]} hand @param {string[]} own @param {Wire.JudgedAnswer} judged */
const marked = (hand, own, { right, best }) =>
  hand.map((card) => {
    const isBest = !right && best.includes(card);
    return drawn(card, isBest ? ".is-best" : "", marksOf(isBest, own.includes(card)));
  });

/** @param {Wire.JudgedAnswer} judged */
function verdict({ right, by_chance, loss }) {
  if (right) return text("practice.daily.right");
  const cost = by_chance ? (100 * loss).toFixed(1) : loss.toFixed(2);
  return text(by_chance ? "practice.daily.wrong" : "practice.daily.wrong-points", { cost });
}

/** List the scores of the hand with their cards. @param {string[]} hand @param {string} starter */
function scores(hand, starter) {
  const { named = [] } = counted(new URLSearchParams({ hand: hand.join(" "), starter, crib: "0" })) ?? {};
  return make(
    "ul.daily-scores.flex.wraps.gap-x3.plain-list",
    named.map(({ words, cards, points }) =>
      make("li", `${words} `, make("small", readableCards(cardSigns(cards))), ` +${points}`),
    ),
  );
}

/** @param {Wire.DailyVerdict} result */
function drawDiscards({ discards, deal }) {
  const people = discards.reduce((sum, { count }) => sum + count, 0);
  const is = (/** @type {string[]} */ one, /** @type {string[]} */ other) =>
    [...one].sort().join() === [...other].sort().join();
  byId("people").textContent = text(people < MANY ? "practice.daily.few" : "practice.daily.many", { n: people });
  const shown = discards.filter(({ cards }, at) => at < MAX_ROWS || is(cards, stored.deal));
  byId("discards").replaceChildren(
    ...shown.map(({ cards, count }) =>
      make(
        "li.row.gap-2.below-2",
        choiceCards(cards),
        make("span.daily-bar", { "aria-hidden": "true", "--share": `${(100 * count) / people}%` }),
        make("span", text("practice.daily.choice", { n: count, of: people })),
        marksOf(is(cards, deal.best), is(cards, stored.deal)),
      ),
    ),
  );
}

byId("pad").append(...digitPad(type));
byId("go").addEventListener("click", go);
offersResult("share");
listenToKeys(go, type);
if (stored.day === tasks.day) await submit();
// The page is shown from here on, so that the task can have the focus.
byId("daily").dataset.ready = "true";
if (stored.day !== tasks.day) draw();
