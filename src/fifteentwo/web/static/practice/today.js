// The daily deal: a discard, a card to play, and a count, each with its reply. Then the result as text to share, and
// what everyone on this server discarded. The answers of the day and the streak are stored in this browser.

import { cardElement } from "../cards/cards.js";
import { toggled } from "../cards/deck.js";
import { showPicked } from "../cards/picker.js";
import { counted } from "../check/count.js";
import { offersResult } from "../copying.js";
import { byId, make } from "../elements.js";
import { store, readStoredObject } from "../storage.js";
import { ignoreTapsOnNewButtons } from "../taps.js";
import { cardName, cardSigns, lang, readableCards, text, wordsInPage } from "../text.js";
import {
  choiceCards,
  costOf,
  digitPad,
  handCard,
  listenToKeys,
  markOf,
  marksOf,
  scrollToFelt,
  send,
  SIGNS,
  signOf,
  typedAfter,
} from "./answers.js";
import { drawHandOf, drawPosition, forgetReply, sayReply, showJudged } from "./position.js";
import { noteAnswer, skillOf, workOn } from "./skills.js";

wordsInPage();
const STORAGE_KEY = "fifteentwo.daily";
const MS_PER_DAY = 86_400_000;
/** Days that may lie between two deals of a streak: a user's calendar days are not those of the server. */
const MAX_GAP_DAYS = 2;
const MAX_ROWS = 5;
/** Holes of the streak; its peg starts again after seven days. */
const HOLES = 7;

/** @type {Wire.DailyTasks} */
const tasks = JSON.parse(byId("tasks").textContent ?? "{}");
const nothing = { day: "", begun: "", deal: [""], problem: [""], count: 0, streak: 0, best: 0 };
const stored = { ...nothing, ...readStoredObject(STORAGE_KEY) };
/** After a reload the page continues with the next task of the day. @type {{at: number, chosen: string[], typed: string, solved: boolean}} */
const state = {
  at: stored.begun === tasks.day ? 1 + Number(stored.problem.length > 0) : 0,
  chosen: [],
  typed: "",
  solved: false,
};
const problem = () => [tasks.deal, tasks.problem][state.at];

function draw() {
  Object.assign(state, { chosen: [], typed: "", solved: false });
  byId("daily").dataset.stage = "asked";
  byId("step").textContent = text("practice.daily.step", { n: state.at + 1 });
  byId("felt").hidden = false;
  forgetReply();
  byId("typing").hidden = state.at !== 2;
  const now = problem();
  if (now) {
    drawPosition(now);
    drawHandOf(now, state.chosen, tap);
  } else if (state.at === 2) {
    byId("felt").dataset.kind = "count";
    byId("ask").textContent = text("practice.count.ask");
    byId("top").replaceChildren(make("span.drill-which", text("practice.count.hand")));
    byId("lies").replaceChildren();
    byId("hand").replaceChildren(...[...tasks.hand, tasks.starter].map((card, place) => handCard(card, place)));
  }
  byId("hand").style.setProperty("--cards", String(now ? now.hand.length : 5));
  drawGo();
  byId("felt").focus({ preventScroll: true });
  scrollToFelt();
}

/** @param {string} card */
function tap(card) {
  if (state.solved) return;
  state.chosen = toggled(state.chosen, card, problem()?.pick);
  showPicked(byId("hand"), state.chosen);
  drawGo();
}

/** Take a key of the pad. @param {string} key */
function type(key) {
  if (state.at !== 2 || state.solved || !/^([0-9]|Backspace)$/.test(key)) return false;
  state.typed = typedAfter(state.typed, key);
  drawGo();
  return true;
}

function drawGo() {
  const button = byId("go", HTMLButtonElement);
  const say = state.typed ? "practice.count.say" : "practice.count.type";
  const keys = ["practice.solve.discard", "practice.solve.play", say];
  const onward = state.at === 2 ? "practice.daily.result" : "practice.solve.next";
  // Another name for another action: a double tap does not skip the reply.
  button.dataset.at = `${state.at} ${state.solved}`;
  button.textContent = text(state.solved ? onward : keys[state.at], { n: state.typed });
  button.disabled = !state.solved && (state.at === 2 ? !state.typed : state.chosen.length < (problem()?.pick ?? 0));
  byId("typed").textContent = state.typed || "–";
}

async function go() {
  if (byId("go", HTMLButtonElement).disabled || byId("felt").hidden) return;
  const { at, chosen, solved } = state;
  if (solved && at === 2) return showResult();
  if (solved) {
    state.at += 1;
    return draw();
  }
  if (at === 2) remember();
  const deal = at ? stored.deal : chosen;
  const play = at ? (at === 1 ? chosen : stored.problem) : [];
  const reply = at === 2 ? null : await judged(deal, play);
  if (reply && "message" in reply) return;
  if (reply) Object.assign(stored, { begun: tasks.day, deal, problem: play });
  store(STORAGE_KEY, JSON.stringify(stored));
  showReply(reply && (reply.problem ?? reply.deal));
}

/** Store the count, and count the day for the streak. */
function remember() {
  const gap = (Date.parse(tasks.day) - Date.parse(stored.day)) / MS_PER_DAY;
  stored.streak = gap <= MAX_GAP_DAYS ? stored.streak + 1 : 1;
  stored.best = Math.max(stored.best, stored.streak);
  noteAnswer("counting", isCounted(Number(state.typed)));
  Object.assign(stored, { day: tasks.day, count: Number(state.typed) });
}

/** Ask the server; a refusal is shown in place of the question. @param {string[]} deal @param {string[]} play */
async function judged(deal, play) {
  byId("ask").textContent = text("practice.solve.weighing");
  byId("go", HTMLButtonElement).disabled = true;
  /** @type {Wire.DailyVerdict | Pick<Wire.Refusal, "message">} */
  const reply = await send("/practice/daily/answer", { day: tasks.day, deal, problem: play });
  if ("message" in reply) {
    byId("felt").hidden = false;
    byId("ask").textContent = reply.message;
  }
  drawGo();
  return reply;
}

/** Show whether the answer was right, and why. @param {Wire.JudgedAnswer | null} answer null for the count */
function showReply(answer) {
  state.solved = true;
  byId("daily").dataset.stage = "solved";
  byId("typing").hidden = true;
  drawGo();
  const now = problem();
  if (answer && now) {
    showJudged(answer, now.kind);
    noteAnswer(skillOf(now), answer.right);
  } else sayReply(isCounted() ? "◎" : "×", countWords(), scores());
}

/** The hand to count, counted. */
const count = counted(new URLSearchParams({ hand: tasks.hand.join(" "), starter: tasks.starter, crib: "0" }));
const isCounted = (said = stored.count) => said === count?.points;
const countWords = () =>
  text(isCounted() ? "practice.daily.counted" : "practice.daily.miscounted", {
    n: count?.points ?? 0,
    own: stored.count,
  });

async function showResult() {
  const reply = await judged(stored.deal, stored.problem);
  if ("problem" in reply && reply.problem) show(reply, reply.problem);
}

/** @param {Wire.DailyVerdict} result @param {Wire.JudgedAnswer} problem */
function show({ deal, discards }, problem) {
  byId("felt").hidden = true;
  byId("step").textContent = "";
  byId("done").hidden = byId("answers").hidden = false;
  const marks = [deal.mark ?? "tiny", problem.mark ?? "tiny", isCounted() ? "tiny" : "blunder"];
  const signs = marks.map((mark) => SIGNS[mark]);
  const names = ["deal", "problem", "count"].map((name) => text(`practice.daily.task.${name}`));
  const counted = text(isCounted() ? "practice.daily.mark.right" : "practice.daily.mark.wrong");
  const words = [markOf(deal), markOf(problem), counted];
  byId("marks").replaceChildren(
    ...names.map((name, at) =>
      make("li.rounded.column", make("span.daily-mark", signs[at]), make("b", name), make("small", words[at])),
    ),
  );
  const { hand, starter } = tasks;
  const parts = [
    { said: verdict(deal), cards: marked(tasks.deal.hand, stored.deal, deal) },
    { said: verdict(problem), cards: marked(tasks.problem.hand, stored.problem, problem, "play") },
    { said: countWords(), cards: [...hand.map((card) => drawn(card)), drawn(starter, ".daily-starter")] },
  ];
  const costly = [deal, problem].filter(({ mark }) => mark === "mistake" || mark === "blunder").length;
  byId("again").hidden = !costly;
  byId("again").replaceChildren(make("a", { href: "/practice/errors" }, text("practice.daily.again", { n: costly })));
  byId("tasks-done").replaceChildren(
    ...parts.map(({ said, cards }, at) =>
      make(
        "li",
        make("p", make("b", `${signs[at]} ${names[at]}`), " ", said),
        make("div.daily-cards.flex.gap-1", cards),
      ),
    ),
  );
  const begins = new Date(Date.parse(tasks.day) + MS_PER_DAY);
  const minutes = Math.max(0, Math.ceil((begins.getTime() - Date.now()) / 60_000));
  byId("tomorrow").textContent = text("practice.daily.tomorrow", {
    time: begins.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    hours: Math.floor(minutes / 60),
    minutes: minutes % 60,
  });
  byId("work-on").replaceChildren(...workOn("/practice/daily"));
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
  drawDiscards(discards, deal.best);
  byId("daily").dataset.stage = "done";
  byId("done-title").focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Draw a card with its sign, if any. @param {string} card @param {string} [kind] @param {string} [sign] */
function drawn(card, kind = "", sign = "") {
  const said = [sign === "✓" && text("practice.solve.best"), kind === ".is-own" && text("practice.solve.yours")];
  const label = [cardName(card), ...said].filter(Boolean).join(text("list.comma"));
  return make(`span${kind}`, { "data-answer": sign || null }, cardElement(card, { size: "fill", label }));
}

/** @param {string[]} hand @param {string[]} own @param {Wire.JudgedAnswer} judged @param {string} [kind] */
const marked = (hand, own, judged, kind) =>
  hand.map((card) => {
    const isOwn = own.includes(card);
    return drawn(card, isOwn ? ".is-own" : "", signOf(judged, card, isOwn, kind));
  });

/** @param {Wire.JudgedAnswer} judged */
function verdict(judged) {
  const { right, by_chance, loss } = judged;
  if (right) return markOf(judged);
  return text(by_chance ? "practice.daily.wrong" : "practice.daily.wrong-points", { cost: costOf(by_chance, loss) });
}

/** List the scores of the hand with their cards. */
const scores = () =>
  (count?.named ?? []).map(({ name, words, cards, points }) =>
    make(
      "li",
      `${words} `,
      make("small", readableCards(cardSigns(cards))),
      ` +${points}`,
      name.includes("_run_") && make("small.felt-quiet.block", text(`shape.why.${name}`)),
    ),
  );

/** @param {Wire.DailyVerdict["discards"]} discards @param {string[]} best */
function drawDiscards(discards, best) {
  const people = discards.reduce((sum, { count: chose }) => sum + chose, 0);
  const is = (/** @type {string[]} */ one, /** @type {string[]} */ other) =>
    [...one].sort().join() === [...other].sort().join();
  const chose = (/** @type {string[]} */ wanted) => discards.find(({ cards }) => is(cards, wanted))?.count ?? 0;
  const words = is(best, stored.deal) ? "practice.daily.compared-best" : "practice.daily.compared";
  byId("people").textContent = people < 2 ? text("practice.daily.first") : text(words, { n: chose(best), of: people });
  // A first discard alone says nothing.
  byId("everyone").hidden = people < 2;
  if (people < 2) return;
  const shown = discards.filter(({ cards }, at) => at < MAX_ROWS || is(cards, stored.deal));
  byId("discards").replaceChildren(
    ...shown.map(({ cards, count }) =>
      make(
        "li.row.gap-2.below-2",
        choiceCards(cards),
        make("span.share-bar", { "aria-hidden": "true", "--share": `${(100 * count) / people}%` }),
        make("span", text("practice.daily.choice", { n: count, of: people })),
        marksOf(is(cards, best), is(cards, stored.deal)),
      ),
    ),
  );
}

ignoreTapsOnNewButtons();
byId("pad").append(...digitPad(type));
byId("go").addEventListener("click", go);
offersResult("share");
listenToKeys(go, type);
const isDone = stored.day === tasks.day;
if (isDone) {
  Object.assign(state, { at: 2, solved: true });
  await showResult();
}
// The page is shown from here on, so that the task can have the focus.
byId("daily").dataset.ready = "true";
if (!isDone) draw();
