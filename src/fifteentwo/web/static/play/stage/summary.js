// The hands of a deal, counted: every score with its cards, each hand to be counted once more, kept over a reload.

import { suitElement } from "../../cards/cards.js";
import { make } from "../../elements.js";
import { forgetHere, keepHere, keptHere } from "../../keep.js";
import { cardName, seenAndHeard, text } from "../../text.js";
import { scoreText } from "../../scores.js";
import { isWrong } from "../state.js";
import { countAgain, inOrder, titleOf } from "./show.js";
import { likes, tableCard } from "../../settings/settings.js";

/**
 * The hands of this deal counted so far, to be read in peace.
 * @param {Table.State} state @param {Table.Actions} actions
 */
export function summaryPanel(state, actions) {
  return [
    make(
      "div.summary",
      { role: "group", "aria-label": text("show.summary"), tabindex: 0, "data-rows": state.shows.length },
      make(
        "ol.summary-list",
        null,
        state.shows.map((counted) => row(state, actions, counted)),
      ),
    ),
  ];
}

/** @param {Table.State} state @param {Table.Actions} actions @param {Table.Counted} counted */
function row(state, actions, counted) {
  const name = titleOf(state, counted);
  return make(
    "li.summary-row",
    null,
    make("span.summary-name", null, name),
    make(
      "span.summary-cards",
      null,
      inOrder(counted.cards).map((card) => tableCard(card, { label: cardName(card) })),
      make("span.show-starter", null, tableCard(counted.starter, { label: cardName(counted.starter) })),
    ),
    make("b.summary-points", null, String(counted.points)),
    make(
      "button.button.button--quiet.summary-again",
      {
        type: "button",
        "data-action": "again",
        "aria-label": text("show.again", { hand: name }),
        title: text("show.again", { hand: name }),
        onclick: () => countAgain(state, actions, counted),
      },
      make("span", { "aria-hidden": "true" }, "▶"),
    ),
    amissOf(state, counted),
    counted.scores.length > 0
      ? make("ul.summary-scores", null, counted.scores.map(scoreOf))
      : make("span.summary-scores.quiet-text", null, nothingOf(counted)),
  );
}

/** Nothing, or why there is nothing, though there nearly is. @param {Table.Counted} counted */
const nothingOf = ({ near }) =>
  near?.length ? near.map((words) => make("span.summary-near", null, seenAndHeard(words))) : text("show.nothing");

/** One score: on the page its cards as they are printed, for screen readers in words. @param {Wire.Score} score */
const scoreOf = (score) =>
  make(
    "li",
    null,
    make(
      "a.chip",
      { href: `/rules#${score.rule}`, target: "_blank", rel: "noopener", title: scoreText(score) },
      make("span.visually-hidden", null, scoreText(score)),
      make(
        "span",
        { "aria-hidden": "true" },
        text(`score.${score.name}`),
        " ",
        make(
          `span.chip-cards${likes.four ? ".chip-cards--four" : ""}`,
          null,
          score.cards.map((card) => make("span", null, card[0] === "T" ? "10" : card[0], suitElement(card[1]))),
        ),
        make("b", null, ` ${score.points}`),
      ),
    ),
  );

/**
 * A wrong claim: the number claimed, and who was paid for noticing.
 * @param {Table.State} state @param {Table.Counted} counted
 */
const amissOf = (state, counted) =>
  isWrong(counted) &&
  make(
    "span.amiss",
    null,
    make("span.badge", null, text("claim.said", { n: counted.claimed ?? 0 })),
    counted.caller &&
      make(
        "span.badge.badge--muggins",
        null,
        text("claim.taken", { name: state.names[counted.caller[0]], n: counted.caller[1] }),
      ),
  );

/** @param {Table.State} state */
const placeOf = (state) => `fifteentwo.summary.${state.game}`;

/** Keep what is on the table at the end of a deal, until the reader goes on. @param {Table.State} state */
export const keepSummary = (state) =>
  keepHere(placeOf(state), JSON.stringify({ view: state.view, shows: state.shows, last: state.lastClaim }));

/** @param {Table.State} state */
export const forgetSummary = (state) => forgetHere(placeOf(state));

/**
 * After a reload: the summary that was being read, as it was; it waits again until the reader goes on.
 * @param {Table.State} state @param {Wire.View} now what the server says @param {() => Promise<void>} gate
 */
export async function readOn(state, now, gate) {
  const words = keptHere(placeOf(state));
  if (!words) return;
  /** @type {{view: Wire.View, shows: Table.Counted[], last: Table.SettledClaim | null}} */
  const { view, shows, last } = JSON.parse(words);
  const same =
    now.front.every((points, side) => points === view.front[side]) && now.seat === view.seat && !now.discarded.length;
  if (view.won || now.won) {
    if (same && now.won) state.shows = shows;
    return;
  }
  if (!same || now.deal > view.deal + 1) return forgetSummary(state);
  Object.assign(state, {
    view,
    shows,
    lastClaim: last,
    scene: "read",
    says: view.hand_sizes.map(() => ""),
    gains: view.front.map(() => 0),
    counting: { ...shows[shows.length - 1], done: true },
  });
  state.board?.update({ front: view.front, rear: view.rear });
  await gate();
  forgetSummary(state);
  Object.assign(state, { shows: [], counting: null, lastClaim: null, scene: "" });
}
