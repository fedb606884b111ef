// Who sits where, who deals, who is to act, and how far each side has to go.

import { cardElement } from "../../cards/cards.js";
import { boardElement, sideMark } from "../../board/board.js";
import { byId, make, refresh } from "../../elements.js";
import { cardName, listed, text } from "../../text.js";
import { others, sideOf } from "../events/follow.js";
import { inOrder } from "../stage/show.js";
import { faces, tableCard } from "../../settings/settings.js";

/** The dealer's disc. */
export const dealerMark = () =>
  make(
    "span.dealer",
    { title: text("table.dealer") },
    make("span", { "aria-hidden": "true" }, text("table.dealer_mark")),
    make("span.visually-hidden", null, text("table.dealer")),
  );

/** @param {Table.State} state @param {number} seat */
function plate(state, seat) {
  const { view } = state;
  const active = state.settled && view.to_act.includes(seat);
  return make(
    "div.plate",
    { "data-turn": String(active) },
    sideMark(sideOf(view, seat)),
    make("span.plate-name", null, state.names[seat]),
    levelOf(state, seat),
    awayWords(state, seat),
    view.dealer === seat && dealerMark(),
    state.bubbles[seat] && make("span.bubble", { "data-message": state.bubbles[seat] }, state.bubbles[seat]),
  );
}

/** A word where a player is away, or has yet to come. @param {Table.State} state @param {number} seat */
function awayWords({ people }, seat) {
  const state = people?.open[seat] ? "invited" : people && !people.present[seat] ? "away" : null;
  return state && make("small.plate-absent", { "data-absent": state }, text(`table.${state}`));
}

/**
 * How strong a computer is; with a word where it cannot be as strong as it should.
 * @param {Table.State} state @param {number} seat
 */
function levelOf(state, seat) {
  const hurt = state.fallbacks.find((one) => one.seat === seat);
  if (hurt) {
    const words = text(hurt.table === null ? "trouble.level_instead" : "trouble.level", {
      level: text(`level.${hurt.level}`),
    });
    return make("small.plate-level.plate-level--hurt", { "data-trouble": hurt.table ?? "instead" }, words);
  }
  return state.levels[seat] && make("small.plate-level", null, text(`level.${state.levels[seat]}`));
}

/** @param {Table.State} state */
export function renderSeats(state) {
  const { view } = state;
  const place = byId("seats");
  place.dataset.opponents = String(view.rules.seats - 1);
  place.style.setProperty("--dealt", String(view.rules.dealt));
  const drawn = view.phase.startsWith("draw") || state.scene === "drawn";
  const key = [
    view.seat,
    view.hand_sizes,
    view.dealer,
    state.names,
    state.fallbacks,
    state.people,
    state.bubbles,
    state.settled && view.to_act,
    drawn && view.drawn,
    state.open?.hands,
    faces(),
  ];
  refresh(place, key, () =>
    others(view).map((seat) =>
      make(
        "div.seat",
        { "data-seat": seat },
        plate(state, seat),
        drawn
          ? openCards(seat, view.drawn[seat])
          : state.open
            ? openCards(seat, inOrder(state.open.hands[seat]))
            : make(
                "div.held",
                {
                  "data-held": seat,
                  role: "img",
                  "aria-label": text("table.holds", { name: state.names[seat], n: view.hand_sizes[seat] }),
                },
                Array.from({ length: view.hand_sizes[seat] }, () => cardElement(null, { size: "fill" })),
              ),
      ),
    ),
  );
  refresh(byId("own"), [view.seat, view.dealer, state.names, state.bubbles, state.settled && view.to_act], () => [
    plate(state, view.seat),
  ]);
}

/** @param {number} seat @param {string[]} cards */
const openCards = (seat, cards) =>
  make(
    "div.held.held--open",
    { "data-held": seat },
    cards.map((card) => tableCard(card, { label: cardName(card) })),
  );

/** @param {Table.State} state */
export function renderScores(state) {
  const { view } = state;
  const sides = Array.from({ length: view.rules.sides }, (_, i) => (sideOf(view, view.seat) + i) % view.rules.sides);
  const tally = state.match?.tally ?? [];
  const target = state.goal ?? view.rules.target;
  refresh(byId("scores"), [sides, view.front, state.names, tally, target, state.gains], () =>
    sides.map((side) =>
      make(
        "li.score",
        { "data-side": side, "data-score": view.front[side] },
        sideMark(side),
        make(
          "span.score-name",
          null,
          state.names.filter((_, seat) => sideOf(view, seat) === side).join(text("table.partners")),
        ),
        make("b.score-points", null, String(view.front[side])),
        make("span.score-rest", null, text("table.to_go", { n: Math.max(0, target - view.front[side]) })),
        tally.some((games) => games > 0) &&
          make(
            "span.score-games",
            null,
            text(state.match?.length === "nine" ? "table.points" : "table.games", { n: tally[side] }),
          ),
        state.gains[side] > 0 && make("span.gain", { "aria-hidden": "true" }, `+${state.gains[side]}`),
      ),
    ),
  );
}

/**
 * Put a new board in its place, each side under the names of those who sit there.
 * @param {Table.State} state @param {Wire.Rules} rules @param {string} [type]
 */
export function setBoard(state, rules, type = "A") {
  const { names } = state;
  state.board = boardElement({
    type: type === "B" && rules.sides === 2 ? "B" : "A",
    sides: rules.sides,
    target: state.goal ?? rules.target,
    layout: "fit",
    names: Array.from({ length: rules.sides }, (_, side) =>
      listed(names.filter((_, seat) => seat % rules.sides === side)),
    ),
    skunk: rules.skunk,
    doubleSkunk: rules.double_skunk,
    labels: { whole: text("board.whole"), fold: text("board.fold") },
    describe: (pegs, sides) =>
      text("board.name", {
        scores: pegs.front.map((score, side) => `${sides[side]} ${score}`).join(text("list.comma")),
      }),
  });
  byId("board").replaceChildren(state.board);
  fitBoard(state);
}

/** As large as its place allows, which only grows so high in an upright window. @param {Table.State} state */
function fitBoard({ board }) {
  const place = byId("board");
  const most = Number.parseFloat(getComputedStyle(place).maxHeight);
  board?.fit(place.clientWidth, Number.isNaN(most) ? place.clientHeight : most);
}

/** Fit the board again whenever the table changes its size. @param {Table.State} state */
export const keepBoardFitted = (state) => new ResizeObserver(() => fitBoard(state)).observe(byId("table"));
