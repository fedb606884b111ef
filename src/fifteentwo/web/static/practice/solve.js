// Decisions to solve: the position on felt, chosen cards, then every choice with its value. The server sends own
// mistakes when they are due. This browser stores how far each set is solved.

import { toggled } from "../cards/deck.js";
import { showPicked } from "../cards/picker.js";
import { byId, find, make } from "../elements.js";
import { difference } from "../figures.js";
import { store, readStoredObject } from "../storage.js";
import { ignoreTapsOnNewButtons } from "../taps.js";
import { lang, text, wordsInPage } from "../text.js";
import { choiceCards, listenToKeys, marksOf, send } from "./answers.js";
import { after, drawRungs, storedLadder, storeLadder } from "./ladder.js";
import { drawHandOf, drawPosition, forgetReply, showJudged } from "./position.js";

wordsInPage();
const root = byId("solve");
const [at, set] = [root.dataset.at ?? "", root.dataset.set ?? ""];
const STORAGE_KEY = "fifteentwo.practice.sets";
const MS_AGAIN = 2000;
const MOST_ASKED = 60;
const SHOWN = 6;
/** Number of latest answers that the browser stores for each set. */
const LAST = 10;
/** The levels of the ladder, easiest first; none for other sets. */
const rungs = (root.dataset.rungs ?? "").split(" ").filter(Boolean);

/** @type {Practice.SolveState} */
const state = {
  problem: null,
  chosen: [],
  solved: false,
  left: { now: 0, later: 0 },
  ladder: storedLadder(rungs.length),
};
/** The number of solved and of right problems of each set, and the last answers: "1" for a right one. @type {Practice.Progress} */
const progress = /** @type {Practice.Progress} */ (readStoredObject(STORAGE_KEY));

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(1)}${lang === "ja" ? "%" : " %"}`;

/** @param {number} asked */
async function next(asked = 0) {
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
    return;
  }
  state.left = { now: reply.now, later: reply.later };
  state.problem = reply.problem;
  byId("nothing").hidden = state.problem !== null;
  byId("felt").hidden = state.problem === null;
  byId("result").hidden = true;
  drawLeft();
  if (state.problem) return draw();
  root.dataset.stage = "nothing";
  byId("nothing").textContent = reply.waiting
    ? text("practice.solve.looking", { n: reply.waiting })
    : reply.days
      ? text(reply.days === 1 ? "practice.solve.tomorrow" : "practice.solve.in-days", { n: reply.days })
      : text("practice.solve.none");
  if (reply.waiting && asked < MOST_ASKED) setTimeout(() => next(asked + 1), MS_AGAIN);
}

const standing = () =>
  text("practice.ladder.standing", {
    level: text(`level.${rungs[state.ladder.rung]}`),
    n: state.ladder.rung + 1,
    of: rungs.length,
    streak: state.ladder.streak,
    best: state.ladder.best,
  });

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
  drawRungs(state.ladder.rung);
  const [done, right] = progress[set] ?? [0, 0];
  const due = !set && state.left.now ? text("practice.solve.due", { n: state.left.now }) : "";
  byId("left").textContent = rungs.length
    ? standing()
    : done
      ? text("practice.solve.set", { n: right, of: done })
      : due;
}

function draw() {
  const { problem } = state;
  if (!problem) return;
  [state.chosen, state.solved] = [[], false];
  root.dataset.stage = "asked";
  root.dataset.kind = problem.kind;
  forgetReply();
  drawPosition(problem);
  drawHandOf(problem, state.chosen, tap);
  drawGo();
  byId("felt").focus({ preventScroll: true });
  if (byId("felt").getBoundingClientRect().top < 0) byId("felt").scrollIntoView();
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
  button.textContent = state.solved
    ? text("practice.solve.next")
    : text(state.problem?.kind === "play" ? "practice.solve.play" : "practice.solve.discard");
  button.dataset.at = String(state.solved);
  button.disabled = !state.solved && state.chosen.length !== state.problem?.pick;
}

async function go() {
  if (!state.problem) return undefined;
  if (state.solved) return next();
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
  state.solved = true;
  root.dataset.stage = "solved";
  const climbed = rungs.length ? climb(result.right) : "";
  if (rungs.length) drawLeft();
  else if (set) {
    const [done, right, last = ""] = progress[set] ?? [0, 0];
    progress[set] = [done + 1, right + (result.right ? 1 : 0), (last + Number(result.right)).slice(-LAST)];
    store(STORAGE_KEY, JSON.stringify(progress));
    drawLeft();
  } else state.left.now = Math.max(0, state.left.now - 1);
  const own = result.choices.find(({ chosen: yours }) => yours);
  const loss = own ? lossOf(result, own) : result.loss;
  byId("due").textContent =
    result.due === null
      ? climbed
      : text(result.due === 1 ? "practice.solve.again-tomorrow" : "practice.solve.again-in", { n: result.due });
  find(byId("choices"), "tbody")?.replaceChildren(...rows(result));
  byId("result").hidden = false;
  showJudged(result, state.problem?.kind, loss);
  drawGo();
}

/** @param {Wire.JudgedAnswer} result @param {Wire.WeighedChoice} choice */
function lossOf({ by_chance, choices: [best] }, { win, points }) {
  if (by_chance) return difference(100 * (best.win ?? 0), 100 * (win ?? 0), 1) / 100;
  return Math.max(difference(best.points, points, 2), 0);
}

/** Return the best choices, and the chosen one in its place. @param {Wire.JudgedAnswer} result */
function rows(result) {
  const listedOnes = result.choices.filter(({ chosen: own }, place) => place < SHOWN || own);
  return listedOnes.map((choice) => {
    const { cards, win, points, chosen: own } = choice;
    const loss = lossOf(result, choice);
    return make(
      `tr${own ? ".is-own" : ""}`,
      make("th", { scope: "row" }, choiceCards(cards, marksOf(result.best.join() === cards.join(), own))),
      make("td.number-cell", win === null ? "–" : percent(win)),
      make("td.number-cell", loss > 0.00005 ? (result.by_chance ? `−${percent(loss)}` : `−${loss.toFixed(2)}`) : "0"),
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
