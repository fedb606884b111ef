// The show as theatre: hand and starter together, each score lighting its cards while the count is spoken.

import { byRank } from "../cards/pack.js";
import { all, byId, find, make } from "../elements.js";
import { cardName, say } from "../say.js";
import { isWrong, opened, whose } from "./desk.js";
import { motion } from "./flight.js";
import { pause } from "./pace.js";
import { pegSound, speak } from "./sound.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./desk.js").Counted} Counted */

/** @param {Desk} desk */
export const showKey = (desk) => [opened(desk), desk.view.starter];

const sorted = (/** @type {string[]} */ cards) => [...cards].sort(byRank);

/** @param {Desk} desk @param {{seat: number, crib: boolean}} which */
export const titleOf = (desk, which) => whose(desk, which.seat, which.crib ? "table.your_crib" : "table.your_hand", which.crib ? "table.crib_of" : "table.hand_of");

/** @param {Desk} desk */
export function showPanel(desk) {
  const now = opened(desk);
  const starter = desk.counting?.starter ?? desk.view.starter;
  if (!now || !starter) return [];
  return [
    make(
      "div.show",
      { "data-show": now.crib ? "crib" : "hand", "data-seat": now.seat },
      make("p.stage-title", null, titleOf(desk, now)),
      make(
        "div.show-cards",
        null,
        sorted(now.cards).map((card) => desk.card(card, "fill", { label: cardName(card) })),
        make("span.show-starter", null, desk.card(starter, "fill", { label: say("table.starter_is", { card: cardName(starter) }) })),
      ),
      make("div.show-count", null, make("span.count", { id: "show-total", "aria-hidden": "true" }, desk.counting?.done ? String(desk.counting.points) : ""), make("p.spoken", { id: "spoken" }, desk.counting?.done ? saidOf(desk.counting) : "")),
    ),
  ];
}

/** The cards of one score, wherever they lie on the stage. @param {string[]} cards */
export function light(cards) {
  for (const node of all(byId("stage"), "[data-card]", SVGElement)) node.classList.toggle("is-lit", cards.includes(node.dataset.card ?? ""));
}

/** Count a hand aloud, score by score. @param {Counted} counted */
export async function countAloud(counted) {
  const total = find(document, "#show-total");
  const spoken = find(document, "#spoken");
  if (!total || !spoken) return;
  let sum = 0;
  const beat = Math.max(520, Math.min(1000, 6000 / Math.max(counted.scores.length, 1)));
  await pause(450);
  for (const [index, score] of counted.scores.entries()) {
    sum += score.points;
    light(score.cards);
    total.textContent = String(sum);
    spoken.textContent = counted.spoken[index] ?? "";
    if (motion(1)) total.animate([{ transform: "scale(1.18)" }, { transform: "none" }], { duration: 180, easing: "ease-out" });
    const said = speak(counted.spoken[index] ?? "");
    await pause(beat);
    if (motion(1)) await said;
  }
  light([]);
  counted.done = true;
  total.textContent = String(counted.points);
  spoken.textContent = saidOf(counted);
  await pause(counted.scores.length ? 350 : 900);
}

/** The whole count in one line. @param {Counted} counted */
export const saidOf = (counted) => (isWrong(counted) ? say("claim.said_right", { said: counted.claimed ?? 0, right: counted.points }) : counted.spoken.length ? counted.spoken.join(say("list.comma")) : say("show.nothing"));

/** What a wrong claim came to: the number said, and who was paid for noticing. @param {Desk} desk @param {Counted} counted */
const amissOf = (desk, counted) =>
  isWrong(counted) &&
  make(
    "span.amiss",
    null,
    make("span.badge", null, say("claim.said", { n: counted.claimed ?? 0 })),
    counted.caller && make("span.badge.badge--muggins", null, say("claim.taken", { name: desk.names[counted.caller[0]], n: counted.caller[1] })),
  );

/** The hands of this deal counted so far, to be read in peace. @param {Desk} desk */
export function summaryPanel(desk) {
  return [
    make(
      "div.summary",
      { role: "group", "aria-label": say("show.summary"), tabindex: 0, "data-rows": desk.shows.length },
      make(
        "ol.summary-list",
        null,
        desk.shows.map((counted) =>
          make(
            "li.summary-row",
            null,
            make("span.summary-name", null, titleOf(desk, counted)),
            make(
              "span.summary-cards",
              null,
              sorted(counted.cards).map((card) => desk.card(card, "fill", { label: cardName(card) })),
              make("span.show-starter", null, desk.card(counted.starter, "fill", { label: cardName(counted.starter) })),
            ),
            make("b.summary-points", null, String(counted.points)),
            make(
              "span.summary-scores",
              null,
              amissOf(desk, counted),
              grouped(counted.scores).map(({ name, points, rule, times }) =>
                make("a.chip", { href: `/rules#${rule}`, target: "_blank", rel: "noopener" }, `${say(`score.${name}`)}${times > 1 ? ` × ${times}` : ""}`, make("b", null, ` ${points}`)),
              ),
              counted.scores.length === 0 && make("span.quiet-text", null, say("show.nothing")),
            ),
          ),
        ),
      ),
    ),
  ];
}

/** Scores of one name as one line, in the order they come. @param {Wire.Score[]} scores */
export function grouped(scores) {
  /** @type {Map<string, {name: string, points: number, rule: string, times: number}>} */
  const kinds = new Map();
  for (const { name, points, rule } of scores) {
    const kind = kinds.get(name) ?? { name, points: 0, rule, times: 0 };
    kinds.set(name, { ...kind, points: kind.points + points, times: kind.times + 1 });
  }
  return [...kinds.values()];
}

/** The peg walks, and the score beside it grows. @param {Desk} desk @param {Wire.Pegged} event */
export async function walkPeg(desk, event) {
  const { view, board } = desk;
  const from = view.front[event.side];
  const holes = event.score - from;
  desk.gains[event.side] = event.points;
  desk.pegTo(event);
  const each = motion(Math.max(28, Math.min(80, 900 / Math.max(holes, 1))));
  pegSound();
  await board?.animate(event.side, from, event.score, each);
}
