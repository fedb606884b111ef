// Decisions to solve: the position on felt, chosen cards, then every choice with its value. The server sends own
// mistakes when they are due. This browser stores how far each set is solved. A sitting has ten problems; those answered
// wrongly come again, a few problems later.

import { cardElement } from "../cards/cards.js";
import { toggled } from "../cards/deck.js";
import { showPicked } from "../cards/picker.js";
import { byId, find, make } from "../elements.js";
import { difference } from "../figures.js";
import { store, readStoredObject } from "../storage.js";
import { ignoreTapsOnNewButtons } from "../taps.js";
import { cardName, cardSigns, lang, readableCards, text, wordsInPage } from "../text.js";
import { choiceCards, costOf, listenToKeys, marksOf, scrollToFelt, send, signOf } from "./answers.js";
import { holes } from "./count-drawing.js";
import { after, drawRungs, storedLadder, storeLadder } from "./ladder.js";
import { drawHandOf, drawPosition, forgetReply, showJudged } from "./position.js";
import { noteAnswer, skillOf, workOn } from "./skills.js";

wordsInPage();
const root = byId("solve");
const [at, set] = [root.dataset.at ?? "", root.dataset.set ?? ""];
const STORAGE_KEY = "fifteentwo.practice.sets";
/** Storage key of the address of the last set. */
const STOPPED_KEY = "fifteentwo.practice.stopped";
const MS_AGAIN = 2000;
const MOST_ASKED = 60;
const SHOWN = 6;
/** Problems of a sitting, and those between a wrong answer and its repetition. */
const [ROUND, SPACING] = [10, 3];
/** The levels of the ladder, easiest first; none for other sets. */
const rungs = (root.dataset.rungs ?? "").split(" ").filter(Boolean);

/** @type {Practice.SolveState} */
const state = {
  problem: null,
  chosen: [],
  solved: false,
  due: 0,
  ladder: storedLadder(rungs.length),
  round: [],
  wrong: [],
  isRepeated: false,
};
/** The number of solved and of right problems of each set. @type {Practice.Progress} */
const progress = /** @type {Practice.Progress} */ (readStoredObject(STORAGE_KEY));

/** Between sentences. */
const GAP = lang === "ja" ? "" : " ";
/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(1)}${lang === "ja" ? "%" : " %"}`;

/** @param {number} asked */
async function next(asked = 0) {
  const isFull = state.round.length >= ROUND;
  const waits = state.wrong.find(({ left }) => left <= 0) ?? (isFull ? state.wrong[0] : undefined);
  if (waits) return repeat(waits);
  if (isFull) return showRound();
  /** @type {Wire.NextProblem} */
  let reply;
  try {
    const { rung, done } = state.ladder;
    const query = rungs.length
      ? `rung=${rung}&n=${done[rung] ?? 0}`
      : set
        ? `n=${progress[set]?.[0] ?? 0}`
        : `but=${state.problem?.id ?? ""}`;
    reply = await (await fetch(`${at}/next.json?${query}`)).json();
  } catch {
    byId("nothing").hidden = false;
    byId("nothing").textContent = text("practice.solve.unreachable");
    return undefined;
  }
  state.due = reply.now;
  if (!reply.problem && state.round.length)
    return state.wrong.length ? repeat(state.wrong[0]) : showRound(whenDue(reply));
  state.problem = reply.problem;
  state.isRepeated = false;
  byId("nothing").hidden = state.problem !== null;
  byId("felt").hidden = state.problem === null;
  byId("result").hidden = true;
  drawLeft();
  if (state.problem) return draw();
  root.dataset.stage = "nothing";
  byId("nothing").textContent = reply.waiting
    ? text("practice.solve.looking", { n: reply.waiting })
    : whenDue(reply) || text("practice.solve.none");
  if (reply.days) byId("nothing").append(make("br"), ...workOn(at));
  else if (!reply.waiting) byId("nothing").append(" ", make("a", { href: "/" }, text("practice.solve.play-game")));
  if (reply.waiting && asked < MOST_ASKED) setTimeout(() => next(asked + 1), MS_AGAIN);
  return undefined;
}

/** Say when the next own mistake is due, if any. @param {Wire.NextProblem} reply */
const whenDue = ({ days, later }) =>
  days ? text(days === 1 ? "practice.solve.tomorrow" : "practice.solve.in-days", { days, n: later }) : "";

/** Draw the hand of a wrong answer, and say why another is better, or what it lost. @param {Practice.Missed} missed */
const missedRow = ({ hand, kind, chosen, result, loss }) =>
  make(
    "li.solve-missed",
    make(
      "div.solve-mini.flex.centred",
      hand.map((card) =>
        make(
          `span${chosen.includes(card) ? ".is-own" : ""}`,
          { "data-answer": signOf(result, card, chosen.includes(card), kind) || null },
          cardElement(card, { size: "s", label: cardName(card) }),
        ),
      ),
    ),
    result.why.length > 0
      ? readableCards(result.why[0])
      : text(result.by_chance ? "practice.daily.wrong" : "practice.daily.wrong-points", {
          cost: costOf(result.by_chance, loss),
        }),
  );

/** Ask a problem of this sitting again. @param {Practice.SolveState["wrong"][number]} waits */
function repeat(waits) {
  state.wrong = state.wrong.filter((one) => one !== waits);
  [state.problem, state.isRepeated] = [waits.problem, true];
  byId("result").hidden = true;
  draw();
  drawLeft();
  byId("ask").prepend(text("practice.solve.once-more") + GAP);
}

/** Show how many problems of the sitting were right at once, and the skill to work on. @param {string} [due] */
function showRound(due) {
  const [n, of] = [state.round.filter(({ right }) => right).length, state.round.length];
  root.dataset.stage = byId("felt").dataset.kind = "over";
  [state.problem, state.solved] = [null, false];
  forgetReply();
  for (const id of ["top", "hand", "ask"]) byId(id).replaceChildren();
  byId("lies").replaceChildren(
    make("ol.drill-round.flex.flush", { "aria-hidden": "true" }, holes(state.round, of, false)),
  );
  byId("result").hidden = byId("round").hidden = true;
  byId("verdict").textContent = text("practice.solve.over", { n, of });
  byId("why").replaceChildren(
    ...[rungs.length ? streak() : due].flatMap((words) => (words ? [make("li", words)] : [])),
    make("li", ...workOn(at)),
    ...state.round.flatMap(({ missed }) => (missed ? [missedRow(missed)] : [])),
  );
  state.round = [];
  drawGo();
  byId("verdict").focus({ preventScroll: true });
  scrollToFelt();
}

const streak = () => text("practice.ladder.streak", { n: state.ladder.streak, best: state.ladder.best });

/** Update the ladder. Return what to say about it. @param {boolean} right */
function climb(right) {
  const before = state.ladder.rung;
  state.ladder = after(state.ladder, right, rungs.length);
  storeLadder(state.ladder);
  const { rung } = state.ladder;
  if (rung === before) return "";
  return text(rung > before ? "practice.ladder.up" : "practice.ladder.down", { level: text(`level.${rungs[rung]}`) });
}

function drawLeft() {
  const { rung } = state.ladder;
  drawRungs(rung);
  if (rungs.length) byId("streak").textContent = streak();
  const retries = state.isRepeated ? state.wrong.length + Number(!state.solved) : 0;
  byId("left").textContent = retries
    ? text("practice.solve.retries", { n: retries })
    : rungs.length
      ? text("practice.ladder.standing", { level: text(`level.${rungs[rung]}`), n: rung + 1, of: rungs.length })
      : !set && state.due
        ? text("practice.solve.due", { n: state.due })
        : "";
  const size = set ? ROUND : Math.min(ROUND, state.round.length + state.due);
  byId("round").hidden = !state.problem;
  byId("round").replaceChildren(...holes(state.round, size, !state.solved && !state.isRepeated));
}

function draw() {
  const { problem } = state;
  if (!problem) return;
  [state.chosen, state.solved] = [[], false];
  root.dataset.stage = "asked";
  forgetReply();
  drawPosition(problem);
  drawHandOf(problem, state.chosen, tap);
  drawGo();
  byId("felt").focus({ preventScroll: true });
  scrollToFelt();
}

/** @param {string} card */
function tap(card) {
  if (!state.problem || state.solved) return;
  state.chosen = toggled(state.chosen, card, state.problem.pick);
  showPicked(byId("hand"), state.chosen);
  drawGo();
}

function drawGo() {
  const button = byId("go", HTMLButtonElement);
  const { problem, solved } = state;
  const ask = problem?.kind === "play" ? "play" : "discard";
  const key = problem && !solved ? ask : problem || !set ? "next" : "more";
  button.textContent = text(`practice.solve.${key}`);
  button.dataset.at = key;
  button.disabled = problem !== null && !solved && state.chosen.length !== problem.pick;
}

async function go() {
  if (!state.problem || state.solved) return next();
  if (state.chosen.length !== state.problem.pick) return undefined;
  const button = byId("go", HTMLButtonElement);
  button.disabled = true;
  byId("ask").textContent = text("practice.solve.weighing");
  /** @type {Wire.JudgedAnswer | Pick<Wire.Refusal, "message">} */
  const reply = await send(`${at}/answer`, { id: state.problem.id, cards: state.chosen });
  if ("choices" in reply) return showSolved(reply);
  byId("ask").textContent = reply.message;
  button.disabled = false;
  return undefined;
}

/** @param {Wire.JudgedAnswer} result */
function showSolved(result) {
  const { problem, isRepeated, round } = state;
  if (!problem) return;
  state.solved = true;
  root.dataset.stage = "solved";
  const own = result.choices.find(({ chosen: yours }) => yours);
  const loss = own ? lossOf(result, own) : result.loss;
  for (const one of state.wrong) one.left -= 1;
  if (!result.right) state.wrong.push({ problem, left: SPACING });
  let climbed = "";
  if (!isRepeated) {
    const { hand, kind } = problem;
    round.push({
      right: result.right,
      missed: result.right ? null : { hand, kind, chosen: state.chosen, result, loss },
    });
    noteAnswer(skillOf(problem), result.right);
    const [done, right] = progress[set] ?? [0, 0];
    if (rungs.length) climbed = climb(result.right);
    else if (set) {
      progress[set] = [done + 1, right + Number(result.right)];
      store(STORAGE_KEY, JSON.stringify(progress));
    } else state.due = Math.max(0, state.due - 1);
    if (set) store(STOPPED_KEY, at);
  }
  drawLeft();
  const { due, before } = result;
  byId("due").textContent = [
    before.length ? text("practice.solve.in-game", { cards: cardSigns(before) }) : "",
    result.right ? "" : text("practice.solve.again-soon"),
    due === null || !result.right
      ? climbed
      : text(due === 1 ? "practice.solve.again-tomorrow" : "practice.solve.again-in", { n: due }),
  ]
    .filter(Boolean)
    .join(GAP);
  find(byId("choices"), "tbody")?.replaceChildren(...rows(result));
  byId("result").hidden = false;
  showJudged(result, problem.kind, loss);
  drawGo();
}

/** @param {Wire.JudgedAnswer} result @param {Wire.WeighedChoice} choice */
function lossOf({ by_chance, choices: [best] }, { win, points }) {
  if (by_chance) return difference(100 * (best.win ?? 0), 100 * (win ?? 0), 1) / 100;
  return Math.max(difference(best.points, points, 2), 0);
}

/** @param {number} loss @param {boolean} byChance */
const lostBy = (loss, byChance) =>
  byChance ? text("review.change", { number: `−${(100 * loss).toFixed(1)}` }) : `−${loss.toFixed(2)}`;

/** Return the best choices, and the chosen one in its place. @param {Wire.JudgedAnswer} result */
function rows(result) {
  const listedOnes = result.choices.filter(({ chosen: own }, place) => place < SHOWN || own);
  return listedOnes.map((choice) => {
    const { cards, win, points, chosen: own } = choice;
    const loss = lossOf(result, choice);
    return make(
      `tr${own ? ".is-own" : ""}`,
      make("th", { scope: "row" }, choiceCards(cards, marksOf(result.best.join() === cards.join(), own, result.right))),
      make("td.number-cell", win === null ? "–" : percent(win)),
      make("td.number-cell", loss > 0.00005 ? lostBy(loss, result.by_chance) : "0"),
      make("td.number-cell", points.toFixed(2).replace("-", "−")),
    );
  });
}

ignoreTapsOnNewButtons();
byId("go").addEventListener("click", go);
listenToKeys(go);
document.documentElement.lang = lang;
await next();
root.dataset.ready = "true";
