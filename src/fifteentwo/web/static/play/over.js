// The end of a game: who won, skunks said plainly, the match, and one button for each next thing.

import { sideMark } from "../board/board.js";
import { make } from "../elements.js";
import { listed, text } from "../text.js";
import { whose } from "./state.js";
import { sideOf } from "./follow.js";

const DAILY = "/practice/daily";

/** @param {Table.State} state */
export function overPanel(state) {
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
  return [
    make(
      "div.over",
      { "data-won": String(own) },
      make("span.over-peg", { "aria-hidden": "true" }, sideMark(side)),
      make(
        "p.over-title",
        null,
        own
          ? text("over.you_win")
          : text(view.rules.seats > view.rules.sides ? "over.wins.team" : "over.wins", { name: nameOf(side) }),
      ),
      make(
        "p.over-score",
        null,
        scores.map((points, which) =>
          make("span.over-side", null, sideMark(which), `${nameOf(which)} `, make("b", null, String(points))),
        ),
      ),
      // Left out where no player gave up.
      typeof left === "number" &&
        make("p.over-why", { "data-why": why }, whose(state, left, `over.forfeit.${why}.you`, `over.forfeit.${why}`)),
      skunked.map((words) => make("p.over-skunk", null, words)),
      tally.some(Boolean) && make("p.stage-note", null, standing(state, nameOf)),
      // A recorded game, or one with spectators, has no table of its own.
      state.game &&
        make(
          "div.over-buttons",
          null,
          make("a.button", { href: `/review/${state.game}`, "data-action": "review" }, text("over.review")),
          make("a.button", { href: `/game/${state.game}/log`, "data-action": "to-log" }, text("over.log")),
          make("a.button", { href: "/", "data-action": "home" }, text("over.home")),
        ),
      state.game && !state.daily && make("a.over-daily", { href: DAILY, "data-action": "daily" }, text("over.today")),
    ),
  ];
}

/** How the match stands, or who has won it. @param {Table.State} state @param {(side: number) => string} nameOf */
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

/**
 * The next game; the day's deal is one game, and its page says how it went.
 * @param {Table.State} state @param {Table.Actions} actions
 */
export const nextButton = (state, actions) =>
  state.daily
    ? make(
        "a.button.button--primary",
        { href: `${DAILY}?day=${state.daily}`, "data-action": "daily", "data-primary": true },
        text("over.daily"),
      )
    : make(
        "button.button.button--primary",
        {
          type: "button",
          "data-action": "next",
          "data-primary": true,
          onclick: () => actions.send({ t: "next", d: null }),
        },
        text(state.match?.winners.length ? "over.match.again" : "over.next"),
      );
