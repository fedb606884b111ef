// The summary of a deal: every hand with its scores; each can be counted again. A reload keeps the summary.

import { suitElement } from "../../cards/cards.js";
import { make } from "../../elements.js";
import { removeFromWindow, storeInWindow, readFromWindow } from "../../storage.js";
import { cardName, listed, readableCards, text } from "../../text.js";
import { scoreText } from "../../scores.js";
import { isWrong } from "../state.js";
import { sideOf } from "../events/follow.js";
import { countAgain, inOrder, titleOf } from "./show.js";
import { likes, tableCard } from "../../settings/settings.js";

/** Draw the counted hands of this deal. @param {Table.State} state */
export function summaryPanel(state) {
  return [
    make(
      "div.summary",
      { role: "group", "aria-label": text("show.summary"), tabindex: 0, "data-rows": state.shows.length },
      make(
        "ol.summary-list.grid.gap-1",
        state.shows.map((counted) => row(state, counted)),
        pegged(state),
        discarded(state),
      ),
    ),
  ];
}

/** Say what each side has made before the show. @param {Table.State} state */
function pegged({ names, dealt, shows, view }) {
  if (dealt?.deal !== view.deal || view.rules.counting !== "automatic") return false;
  const made = view.front.map((points, side) => {
    const own = shows.filter(({ seat }) => sideOf(view, seat) === side);
    const n = own.reduce((rest, counted) => rest - counted.points, points - dealt.front[side]);
    return text("show.pegged.one", { n, name: listed(names.filter((_, seat) => sideOf(view, seat) === side)) });
  });
  return make("li.small", text("show.pegged", { made: listed(made) }));
}

/** Say in a first game how much the reader's discards score in the crib. @param {Table.State} state */
function discarded({ goal, names, shows, view }) {
  const crib = shows.find((counted) => counted.crib);
  if (!goal || !crib || !view.discarded.length) return false;
  const made = crib.scores.filter(({ cards }) => cards.some((card) => view.discarded.includes(card)));
  const own = crib.seat === view.seat;
  const n = made.reduce((sum, { points }) => sum + points, 0);
  const cards = listed(view.discarded.map(cardName));
  return make("li.small", text(own ? "show.brought" : "show.brought-other", { cards, n, name: names[crib.seat] }));
}

/** @param {Table.State} state @param {Table.Counted} counted */
function row(state, counted) {
  const name = titleOf(state, counted);
  const drawn = make(
    "li.summary-row.grid.gap-x3.rounded",
    make("span.cut-off.bold.summary-name", name),
    make(
      "span.summary-cards.flex.gap-1",
      inOrder(counted.cards).map((card) => tableCard(card, { label: cardName(card) })),
      make("span.show-starter", tableCard(counted.starter, { label: cardName(counted.starter) })),
    ),
    make("b.summary-points.text-end.nowrap", String(counted.points)),
    make(
      "button.button.button--quiet.summary-again.centred",
      {
        "data-action": "again",
        "aria-label": text("show.again", { hand: name }),
        title: text("show.again", { hand: name }),
        onclick: () => countAgain(counted, drawn),
      },
      make("span", { "aria-hidden": "true" }, "▶"),
    ),
    amissOf(state, counted),
    counted.scores.length > 0
      ? make("ul.summary-scores.gap-x3.plain-list.flex.wraps.small", counted.scores.map(scoreOf))
      : make("span.summary-scores.gap-x3.plain-list.flex.wraps.small.quiet-text", nothingOf(counted)),
  );
  return drawn;
}

/** Say that a hand scores nothing, and why if it nearly scores. @param {Table.Counted} counted */
const nothingOf = ({ near }) =>
  near?.length ? near.map((words) => make("span.summary-near", readableCards(words))) : text("show.nothing");

/** Draw a score with printed cards; screen readers get words. @param {Wire.Score} score */
const scoreOf = (score) =>
  make(
    "li",
    make(
      "a.chip.inline-flex.wraps",
      { href: `/rules#${score.rule}`, target: "_blank", rel: "noopener", title: scoreText(score) },
      make("span.visually-hidden", scoreText(score)),
      make(
        "span",
        { "aria-hidden": "true" },
        text(`score.${score.name}`),
        " ",
        make(
          `span.chip-cards${likes.four ? ".chip-cards--four" : ""}`,
          score.cards.map((card) => make("span", card[0] === "T" ? "10" : card[0], suitElement(card[1]))),
        ),
        make("b", ` ${score.points}`),
      ),
    ),
  );

/** @param {Table.State} state @param {Table.Counted} counted */
const amissOf = (state, counted) =>
  isWrong(counted) &&
  make(
    "span.amiss.flex.wraps.gap-1",
    make("span.badge", text("claim.said", { n: counted.claimed ?? 0 })),
    counted.caller &&
      make(
        "span.badge.badge--muggins.bold",
        text("claim.taken", { name: state.names[counted.caller[0]], n: counted.caller[1] }),
      ),
  );

/** @param {Table.State} state */
const placeOf = (state) => `fifteentwo.summary.${state.game}`;

/** Store the table at the end of a deal until the reader continues. @param {Table.State} state */
export const keepSummary = (state) =>
  storeInWindow(
    placeOf(state),
    JSON.stringify({ view: state.view, shows: state.shows, dealt: state.dealt, last: state.lastClaim }),
  );

/** @param {Table.State} state */
export const forgetSummary = (state) => removeFromWindow(placeOf(state));

/** @param {Table.State} state @param {Wire.View} now the server's view @param {() => Promise<void>} gate */
export async function resumeSummary(state, now, gate) {
  const words = readFromWindow(placeOf(state));
  if (!words) return;
  /** @type {{view: Wire.View, shows: Table.Counted[], dealt: Table.State["dealt"], last: Table.SettledClaim | null}} */
  const { view, shows, dealt, last } = JSON.parse(words);
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
    dealt,
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
