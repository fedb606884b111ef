// The show as theatre: hand and starter together, each score lighting its cards while the count is spoken.

import { byRank } from "../cards/deck.js";
import { all, byId, find, make } from "../elements.js";
import { cardName, say } from "../say.js";
import { scoreName, scoreText } from "../scores.js";
import { isWrong, opened, whose } from "./desk.js";
import { motion } from "./flight.js";
import { seeScore } from "./onlookers.js";
import { countBeats, newScene, pause, stride } from "./pace.js";
import { pegSound, speak } from "./sound.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./desk.js").Counted} Counted */

/** @param {Desk} desk */
export const showKey = (desk) => [opened(desk), desk.view.starter, times];

/** @param {string[]} cards */
export const inOrder = (cards) => [...cards].sort(byRank);

/** @param {Desk} desk @param {{seat: number, crib: boolean}} which */
export const titleOf = (desk, which) =>
  whose(
    desk,
    which.seat,
    which.crib ? "table.your_crib" : "table.your_hand",
    which.crib ? "table.crib_of" : "table.hand_of",
  );

/** @param {Desk} desk */
export function showPanel(desk) {
  const now = opened(desk);
  const starter = desk.counting?.starter ?? desk.view.starter;
  if (!now || !starter) return [];
  const done = desk.counting?.done ? desk.counting : null;
  return [
    make(
      "div.show",
      { "data-show": now.crib ? "crib" : "hand", "data-seat": now.seat },
      make("p.stage-title", null, titleOf(desk, now)),
      make(
        "div.show-cards",
        null,
        inOrder(now.cards).map((card) => desk.card(card, "fill", { label: cardName(card) })),
        make(
          "span.show-starter",
          null,
          desk.card(starter, "fill", { label: say("table.starter_is", { card: cardName(starter) }) }),
        ),
      ),
      make(
        "div.show-count",
        null,
        make("span.count", { id: "show-total", "aria-hidden": "true" }, done ? String(done.points) : ""),
        make("p.spoken", { id: "spoken" }, done && saidOf(done)),
      ),
    ),
  ];
}

/** The cards of one score, wherever they lie on the stage. @param {string[]} cards */
export function light(cards) {
  for (const node of all(byId("stage"), "[data-card]", SVGElement))
    node.classList.toggle("is-lit", cards.includes(node.dataset.card ?? ""));
}

/**
 * Count a hand aloud, score by score, as long as it is the one on the stage.
 * @param {Desk} desk @param {Counted} counted @param {import("./pace.js").CountBeats} beats
 */
async function count(desk, counted, { each, whole }) {
  const total = find(document, "#show-total");
  const spoken = find(document, "#spoken");
  if (!total || !spoken) return;
  let sum = 0;
  for (const [index, score] of counted.scores.entries()) {
    sum += score.points;
    light(score.cards);
    total.textContent = String(sum);
    spoken.replaceChildren(
      make(
        "span",
        null,
        glossed(score, counted.spoken[index] ?? ""),
        make("small.spoken-cards", null, scoreText(score)),
      ),
    );
    if (motion(1))
      total.animate([{ transform: "scale(1.18)" }, { transform: "none" }], { duration: 180, easing: "ease-out" });
    const said = speak(counted.spoken[index] ?? "");
    await seeScore(score, spoken);
    await pause(each);
    if (motion(1)) await said;
    if (desk.counting !== counted) return;
  }
  light([]);
  counted.done = true;
  total.textContent = String(counted.points);
  spoken.textContent = saidOf(counted);
  await pause(whole);
}

/** As fast as the deal allows: newcomers are given longer. @param {Desk} desk @param {Counted} counted */
export const countAloud = (desk, counted) => count(desk, counted, countBeats(counted.scores.length, desk.view.deal));

/** A hand once more, at leisure, for whoever reads what a deal made. @param {Desk} desk @param {Counted} counted */
export async function countAgain(desk, counted) {
  const over = desk.view.phase === "over";
  if (desk.scene !== "read" && !over) return;
  newScene();
  const again = { ...counted, done: false };
  // Another number of the same, so that the stage is set anew even for the hand that lies there.
  times += 1;
  desk.counting = again;
  desk.render();
  await count(desk, again, { each: AT_LEISURE, whole: over ? AT_LEISURE : 0 });
  if (!over || desk.counting !== again) return;
  desk.counting = null;
  desk.render();
}

/** Milliseconds in which a score and its cards can be read. */
const AT_LEISURE = 1500;
let times = 0;

/**
 * What is said of a score; beside a counted run, which says only numbers, what it is.
 * @param {Wire.Score} score @param {string} spoken
 */
const glossed = (score, spoken) =>
  score.name === "run" ? say("check.gloss", { spoken, plain: scoreName(score) }) : spoken;

/** The whole count in one line. @param {Counted} counted */
export function saidOf(counted) {
  if (isWrong(counted)) return say("claim.said_right", { said: counted.claimed ?? 0, right: counted.points });
  if (!counted.scores.length) return say("show.nothing");
  return counted.scores.map((score, index) => glossed(score, counted.spoken[index] ?? "")).join(say("list.comma"));
}

/** The peg walks, and the score beside it grows. @param {Desk} desk @param {Wire.Pegged} event */
export async function walkPeg(desk, event) {
  const { view, board } = desk;
  const from = view.front[event.side];
  desk.gains[event.side] = event.points;
  desk.pegTo(event);
  pegSound();
  await board?.animate(event.side, from, event.score, motion(stride(event.score - from)));
}
