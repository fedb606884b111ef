// The show: hand and starter together; each score lights its cards while the count is spoken.

import { byRank } from "../../cards/deck.js";
import { all, byId, find, make } from "../../elements.js";
import { cardName, listed, readableCards, text } from "../../text.js";
import { scoreName } from "../../scores.js";
import { isWrong, canDo, opened, whose } from "../state.js";
import { publishScore } from "../subscribers.js";
import { countBeats, motion, pause } from "../../settings/pace.js";
import { likes, speak, tableCard } from "../../settings/settings.js";

/** @param {Table.State} state */
export const showKey = (state) => [opened(state), state.view.starter, chosen(state)];

/** Return the cards chosen for the count; null if the reader does not count. @param {Table.State} state */
const chosen = (state) => (canDo(state, "Claim") ? state.tally.chosen : null);

/** @param {Table.State} state @param {string} card @param {string} label */
function shownCard(state, card, label) {
  const among = chosen(state);
  if (!among) return tableCard(card, { label });
  const pressed = String(among.includes(card));
  return make(
    "button.card-button",
    { "data-card": card, "aria-pressed": pressed, "aria-label": label },
    tableCard(card),
  );
}

/** @param {string[]} cards */
export const inOrder = (cards) => [...cards].sort(byRank);

/** @param {Table.State} state @param {{seat: number, crib: boolean}} which */
export const titleOf = (state, which) =>
  whose(
    state,
    which.seat,
    which.crib ? "table.your_crib" : "table.your_hand",
    which.crib ? "table.crib_of" : "table.hand_of",
  );

/** @param {Table.State} state */
export function showPanel(state) {
  const now = opened(state);
  const starter = state.counting?.starter ?? state.view.starter;
  if (!now || !starter) return [];
  const done = state.counting?.done ? state.counting : null;
  return [
    make(
      "div.show.aligned.down.gap-1.full-width",
      { "data-show": now.crib ? "crib" : "hand", "data-seat": now.seat },
      make("p.stage-title.flush.text-center", titleOf(state, now)),
      make(
        "div.show-cards.full-width.flex.centred.gap-2",
        inOrder(now.cards).map((card) => shownCard(state, card, cardName(card))),
        make("span.show-starter", shownCard(state, starter, text("table.starter_is", { card: cardName(starter) }))),
      ),
      make(
        "div.show-count.grid.gap-3",
        make("span.count", { id: "show-total", "aria-hidden": "true" }, done ? String(done.points) : ""),
        make("p.spoken.aligned.flush", { id: "spoken" }, done && wholeOf(done)),
      ),
    ),
  ];
}

/** Light the cards of one score on the stage, or in a row of the summary. @param {string[]} cards @param {Element} [within] */
export function light(cards, within = byId("stage")) {
  for (const node of all(within, "[data-card]", SVGElement))
    node.classList.toggle("is-lit", cards.includes(node.dataset.card ?? ""));
}

/**
 * Count a hand aloud, score by score, while it is on the stage.
 * @param {Table.State} state @param {Table.Counted} counted @param {import("../../settings/pace.js").CountBeats} beats
 */
async function count(state, counted, { each, whole }) {
  const total = find(document, "#show-total");
  const spoken = find(document, "#spoken");
  if (!total || !spoken) return;
  let sum = 0;
  for (const score of stepsOf(counted)) {
    const { label, cards, points, words } = score;
    sum += points;
    light(cards);
    total.textContent = String(sum);
    spoken.replaceChildren(
      make(
        "span",
        words,
        make(
          "small.spoken-cards.block.small",
          text("score.with-cards", { name: label, cards: listed(cards.map(cardName)), points }),
        ),
      ),
    );
    if (motion(1))
      total.animate([{ transform: "scale(1.18)" }, { transform: "none" }], { duration: 180, easing: "ease-out" });
    const spokenOut = speak(words);
    await publishScore(score, spoken);
    await pause(each);
    if (motion(1)) await spokenOut;
    if (state.counting !== counted) return;
  }
  light([]);
  counted.done = true;
  total.textContent = String(counted.points);
  spoken.replaceChildren(...wholeOf(counted));
  await pause(whole);
}

/** @param {Table.State} state @param {Table.Counted} counted */
export const countAloud = (state, counted) =>
  count(state, counted, countBeats(stepsOf(counted).length, state.view.deal));

let replays = 0;

/** Count a hand again in its row of the summary. @param {Table.Counted} counted @param {HTMLElement} row */
export async function countAgain(counted, row) {
  replays += 1;
  const replay = replays;
  const total = find(row, ".summary-points");
  for (const other of all(row.parentElement ?? row, ".summary-row")) light([], other);
  let sum = 0;
  for (const { cards, points, words } of stepsOf(counted)) {
    sum += points;
    light(cards, row);
    if (total) total.textContent = String(sum);
    const spokenOut = speak(words);
    // At every speed, because the reader asked for it.
    await Promise.all([new Promise((end) => setTimeout(end, AT_LEISURE)), spokenOut]);
    if (replay !== replays) break;
  }
  light([], row);
  if (total) total.textContent = String(counted.points);
}

const AT_LEISURE = 1200;

/** @param {Table.Counted} counted @returns {Wire.NamedScore[]} */
const stepsOf = ({ scores, spoken, named }) =>
  likes.parlett || !named
    ? scores.map((score, index) => ({ ...score, label: scoreName(score), words: spoken[index] ?? "" }))
    : named;

/** Describe the whole count, or why it is nothing. @param {Table.Counted} counted */
const wholeOf = (counted) => [
  saidOf(counted),
  ...(counted.near ?? []).map((words) => make("small.spoken-cards.block.small", readableCards(words))),
];

/** Return the whole count in one line. @param {Table.Counted} counted */
export function saidOf(counted) {
  if (isWrong(counted)) return text("claim.said_right", { claimed: counted.claimed ?? 0, right: counted.points });
  if (!counted.scores.length) return text("show.nothing");
  return stepsOf(counted)
    .map(({ words }) => words)
    .join(text("list.comma"));
}
