// The hands of a deal, counted: every score with its cards, each hand to be counted once more, kept over a reload.

import { suitElement } from "../cards.js";
import { make } from "../elements.js";
import { forgetHere, keepHere, keptHere } from "../keep.js";
import { cardName, say } from "../say.js";
import { scoreText } from "../scores.js";
import { isWrong } from "./desk.js";
import { countAgain, inOrder, titleOf } from "./show.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./desk.js").Counted} Counted */

/** The hands of this deal counted so far, to be read in peace. @param {Desk} desk */
export function summaryPanel(desk) {
  return [
    make(
      "div.summary",
      { role: "group", "aria-label": say("show.summary"), tabindex: 0, "data-rows": desk.shows.length },
      make(
        "ol.summary-list",
        null,
        desk.shows.map((counted) => row(desk, counted)),
      ),
    ),
  ];
}

/** @param {Desk} desk @param {Counted} counted */
function row(desk, counted) {
  const name = titleOf(desk, counted);
  return make(
    "li.summary-row",
    null,
    make("span.summary-name", null, name),
    make(
      "span.summary-cards",
      null,
      inOrder(counted.cards).map((card) => desk.card(card, "fill", { label: cardName(card) })),
      make("span.show-starter", null, desk.card(counted.starter, "fill", { label: cardName(counted.starter) })),
    ),
    make("b.summary-points", null, String(counted.points)),
    make(
      "button.button.button--quiet.summary-again",
      {
        type: "button",
        "data-action": "again",
        "aria-label": say("show.again", { hand: name }),
        title: say("show.again", { hand: name }),
        onclick: () => countAgain(desk, counted),
      },
      make("span", { "aria-hidden": "true" }, "▶"),
    ),
    amissOf(desk, counted),
    counted.scores.length > 0
      ? make("ul.summary-scores", null, counted.scores.map(scoreOf))
      : make("span.summary-scores.quiet-text", null, say("show.nothing")),
  );
}

/** One score: for the eye its cards as they are printed, for the ear in words. @param {Wire.Score} score */
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
        say(`score.${score.name}`),
        " ",
        make(
          "span.chip-cards",
          null,
          score.cards.map((card) => make("span", null, card[0] === "T" ? "10" : card[0], suitElement(card[1]))),
        ),
        make("b", null, ` ${score.points}`),
      ),
    ),
  );

/**
 * What a wrong claim came to: the number said, and who was paid for noticing.
 * @param {Desk} desk @param {Counted} counted
 */
const amissOf = (desk, counted) =>
  isWrong(counted) &&
  make(
    "span.amiss",
    null,
    make("span.badge", null, say("claim.said", { n: counted.claimed ?? 0 })),
    counted.caller &&
      make(
        "span.badge.badge--muggins",
        null,
        say("claim.taken", { name: desk.names[counted.caller[0]], n: counted.caller[1] }),
      ),
  );

/** @param {Desk} desk */
const placeOf = (desk) => `fifteentwo.summary.${desk.game}`;

/** Keep what is on the table at the end of a deal, until the reader goes on. @param {Desk} desk */
export const keepSummary = (desk) =>
  keepHere(placeOf(desk), JSON.stringify({ view: desk.view, shows: desk.shows, last: desk.lastClaim }));

/** @param {Desk} desk */
export const forgetSummary = (desk) => forgetHere(placeOf(desk));

/**
 * After a reload: the summary that was being read, as it was; it waits again until the reader goes on.
 * @param {Desk} desk @param {Wire.View} now what the server says @param {() => Promise<void>} gate
 */
export async function readOn(desk, now, gate) {
  const words = keptHere(placeOf(desk));
  if (!words) return;
  /** @type {{view: Wire.View, shows: Counted[], last: Wire.ClaimSettled | null}} */
  const { view, shows, last } = JSON.parse(words);
  const same =
    now.front.every((points, side) => points === view.front[side]) && now.seat === view.seat && !now.discarded.length;
  if (view.won || now.won) {
    if (same && now.won) desk.shows = shows;
    return;
  }
  if (!same || now.deal > view.deal + 1) return forgetSummary(desk);
  Object.assign(desk, {
    view,
    shows,
    lastClaim: last,
    scene: "read",
    says: view.held.map(() => ""),
    gains: view.front.map(() => 0),
    counting: { ...shows[shows.length - 1], done: true },
  });
  desk.board?.update({ front: view.front, rear: view.rear });
  await gate();
  forgetSummary(desk);
  Object.assign(desk, { shows: [], counting: null, lastClaim: null, scene: "" });
}
