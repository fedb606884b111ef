// The end of a game: winner, skunks, the match, buttons for the next actions.

import { sideMark } from "../../board/board.js";
import { skunkLines } from "../../board/holes.js";
import { byId, make } from "../../elements.js";
import { listed, text } from "../../text.js";
import { loadStyleSheet } from "../../lazy.js";
import { whose } from "../state.js";
import { sideOf } from "../events/follow.js";

const DAILY = "/practice/daily";
const STYLE = "play/stage/over";
/** The style sheet is loaded when a side is this near to the target. */
const NEAR = 31;

/** The summaries of reviews by game, each fetched once. @type {Map<string, HTMLElement>} */
const reviews = new Map();

/** Load the style of the final panel in advance. @param {Wire.View} view */
export function preloadFinalStyle({ front, rules }) {
  if (front.some((points) => points > rules.target - NEAR)) void loadStyleSheet(STYLE);
}

/** @param {Table.State} state @param {Table.Actions} actions */
export function overPanel(state, actions) {
  const { view } = state;
  if (!view.won) return [];
  const { side, scores, lost, forfeited: left, why } = view.won;
  const own = state.role === "player" && sideOf(view, view.seat) === side;
  const nameOf = (/** @type {number} */ which) => listed(state.names.filter((_, seat) => sideOf(view, seat) === which));
  const skunked = lost
    .map((games, which) =>
      games > 1 ? text(games === 4 ? "over.double_skunk" : "over.skunk", { name: nameOf(which), n: games }) : "",
    )
    .filter(Boolean);
  const tally = state.match?.tally ?? [];
  const panel = make(
    "div.over.aligned.down.gap-2.text-center.full-width",
    { "data-won": String(own), hidden: true },
    make(
      "p.over-title",
      own
        ? text("over.you_win")
        : text(view.rules.seats > view.rules.sides ? "over.wins.team" : "over.wins", { name: nameOf(side) }),
    ),
    track(view.rules, side, scores, nameOf),
    // Not after a resignation.
    typeof left === "number" &&
      make("p.over-why", { "data-why": why }, whose(state, left, `over.forfeit.${why}.you`, `over.forfeit.${why}`)),
    skunked.map((words) => make("p.over-skunk.bold", words)),
    tally.some(Boolean) && make("p.stage-note.flush.small.text-center.felt-quiet", standing(state, nameOf)),
    reviewOf(state),
    // A recorded or spectated game has no table of its own.
    state.game &&
      make(
        "div.over-buttons.flex.wraps.centred.gap-2",
        endsFirstGame(state) ? nextGame(state, actions) : reviewLink(state, false),
        make("a.button", { href: `/game/${state.game}/log`, "data-action": "to-log" }, text("over.log")),
        make("a.button", { href: "/", "data-action": "home" }, text("over.home")),
      ),
    state.game &&
      !state.daily &&
      make("a.over-daily.small.felt-quiet", { href: DAILY, "data-action": "daily" }, text("over.today")),
  );
  void loadStyleSheet(STYLE).then(() => panel.removeAttribute("hidden"));
  return [panel];
}

/**
 * Draw each side's way to the target.
 * @param {Wire.View["rules"]} rules @param {number | null} winner @param {number[]} scores
 * @param {(side: number) => string} nameOf
 */
export function track({ target, skunk, double_skunk }, winner, scores, nameOf) {
  const lines = skunkLines(target, skunk, double_skunk);
  return make(
    "div.over-track.grid.full-width",
    scores.map((points, side) =>
      make(
        "p.over-lane.grid.flush",
        { "data-won": String(winner === side) },
        make("span.over-side.inline-flex.gap-2.shrinks", sideMark(side), make("span.cut-off.over-name", nameOf(side))),
        make(
          `span.lane.side-${side + 1}`,
          { "aria-hidden": "true", "--at": Math.min(points / target, 1) },
          lines.map(({ after, mark }) =>
            make("i.lane-skunk", { "--at": after / target, "data-mark": side ? "" : mark }),
          ),
          make("span.lane-peg", sideMark(side)),
        ),
        make("b", String(points)),
      ),
    ),
  );
}

/** Milliseconds before the summary is asked for again. */
const RETRY_MS = 4000;

/** Draw the place of the review's summary. @param {Table.State} state */
function reviewOf({ game, role, view, match }) {
  if (!game || role !== "player" || view.rules.variant !== "six-card" || typeof view.won?.forfeited === "number")
    return null;
  const key = `${game}/end?game=${match?.game ?? ""}`;
  const known = reviews.get(key);
  if (known) return known;
  const place = make(
    "div.over-review.grid.small.full-width.rounded",
    make("p.over-reviewing.flush.felt-quiet", text("over.reviewing")),
  );
  reviews.set(key, place);
  void fillIn(place, `/review/${key}`);
  return place;
}

/** Ask again while the server is busy or cannot be reached. @param {HTMLElement} place @param {string} address */
async function fillIn(place, address, triesLeft = 10) {
  const answer = await fetch(address).catch(() => null);
  if (triesLeft && (answer?.status ?? 503) > 428)
    return void setTimeout(() => fillIn(place, address, triesLeft - 1), RETRY_MS);
  const isMade = answer?.status === 200;
  // If there is no review, its place stays empty, so that nothing moves.
  place.innerHTML = isMade ? await answer.text() : "";
  place.dataset.made = String(isMade);
}

/** Describe the match score or its winner. @param {Table.State} state @param {(side: number) => string} nameOf */
function standing({ view, match }, nameOf) {
  if (!match) return "";
  const games = match.tally.map((n, which) => `${nameOf(which)} ${n}`).join(text("list.comma"));
  const [winner, ...more] = match.winners;
  if (more.length) return text("over.match.drawn", { games });
  if (winner !== undefined)
    return text(view.rules.seats > view.rules.sides ? "over.match.won.team" : "over.match.won", {
      name: nameOf(winner),
      games,
    });
  return text(match.length === "nine" ? "over.match.points" : "over.match", { game: match.game, games });
}

/** After a first game its review comes before the next game. @param {Table.State} state */
const endsFirstGame = ({ match, view }) =>
  match?.game === 1 && "goal" in byId("table").dataset && typeof view.won?.forfeited !== "number";

/** @param {Table.State} state @param {boolean} primary */
const reviewLink = ({ game }, primary) =>
  make(
    `a.button${primary ? ".button--primary" : ""}`,
    { href: `/review/${game}`, "data-action": "review", "data-primary": primary },
    text("over.review"),
  );

/** @param {Table.State} state @param {Table.Actions} actions */
const nextGame = (state, actions) =>
  make(
    `button.button${endsFirstGame(state) ? "" : ".button--primary"}`,
    {
      "data-action": "next",
      "data-primary": !endsFirstGame(state),
      onclick: () => actions.send({ t: "next-game", d: null }),
    },
    text(state.match?.winners.length ? "over.match.again" : "over.next"),
  );

/** The daily deal and a table of an evening are one game. @param {Table.State} state @param {Table.Actions} actions */
export const nextButton = (state, actions) =>
  state.daily || state.evening
    ? make(
        "a.button.button--primary",
        {
          href: state.daily ? `${DAILY}?day=${state.daily}` : `/evening/${state.evening}`,
          "data-action": state.daily ? "daily" : "evening",
          "data-primary": true,
        },
        text(state.daily ? "over.daily" : "over.evening"),
      )
    : endsFirstGame(state)
      ? reviewLink(state, true)
      : nextGame(state, actions);
