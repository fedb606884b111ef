// Players: seats, dealer, who acts, scores and distances.

import { cardElement } from "../../cards/cards.js";
import { boardElement, sideMark } from "../../board/board.js";
import { byId, make, refresh } from "../../elements.js";
import { cardName, listed, text } from "../../text.js";
import { others, sideOf } from "../events/follow.js";
import { inOrder } from "../stage/show.js";
import { faces, tableCard } from "../../settings/settings.js";

export const dealerMark = () =>
  make(
    "span.dealer.rigid",
    { title: text("table.dealer") },
    make("span", { "aria-hidden": "true" }, text("table.dealer_mark")),
    make("span.visually-hidden", text("table.dealer")),
  );

/** @param {Table.State} state @param {number} seat */
function plate(state, seat) {
  const { view } = state;
  const active = state.settled && view.to_act.includes(seat);
  return make(
    "div.plate.inline-flex.relative.gap-2.shrinks",
    { "data-turn": String(active) },
    sideMark(sideOf(view, seat)),
    make("span.cut-off.bold.plate-name", state.names[seat]),
    levelOf(state, seat),
    awayWords(state, seat),
    view.dealer === seat && dealerMark(),
    state.bubbles[seat] &&
      make("span.bubble.grid.nowrap", { "data-message": state.bubbles[seat] }, state.bubbles[seat]),
  );
}

/** Return a text if a player is absent or has not come yet. @param {Table.State} state @param {number} seat */
function awayWords({ people }, seat) {
  const state = people?.open[seat] ? "invited" : people && !people.present[seat] ? "away" : null;
  return state && make("small.plate-absent.nowrap.rigid", { "data-absent": state }, text(`table.${state}`));
}

/** @param {Table.State} state @param {number} seat */
function levelOf(state, seat) {
  const hurt = state.fallbacks.find((one) => one.seat === seat);
  if (hurt) {
    const words = text(hurt.table === null ? "trouble.level_instead" : "trouble.level", {
      level: text(`level.${hurt.level}`),
    });
    return make(
      "small.plate-level.shrinks.nowrap.plate-level--hurt.bold",
      { "data-trouble": hurt.table ?? "instead" },
      words,
    );
  }
  return state.levels[seat] && make("small.plate-level.shrinks.nowrap", text(`level.${state.levels[seat]}`));
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
        "div.seat.aligned.gap-3.shrinks",
        { "data-seat": seat },
        plate(state, seat),
        drawn
          ? openCards(seat, view.drawn[seat])
          : state.open
            ? openCards(seat, inOrder(state.open.hands[seat]))
            : make(
                "div.held.rigid.aligned",
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
    "div.held.rigid.aligned.held--open",
    { "data-held": seat },
    cards.map((card) => tableCard(card, { label: cardName(card) })),
  );

/** @param {Table.State} state */
export function renderScores(state) {
  const { view } = state;
  // In pass-and-play the reader changes, but not the order.
  const first = state.role === "shared" ? 0 : sideOf(view, view.seat);
  const sides = Array.from({ length: view.rules.sides }, (_, i) => (first + i) % view.rules.sides);
  const tally = state.match?.tally ?? [];
  const target = state.goal ?? view.rules.target;
  refresh(byId("scores"), [sides, view.front, state.names, tally, target, state.gains], () =>
    sides.map((side) =>
      make(
        "li.score.shrinks.grid.relative.rounded.surface",
        { "data-side": side, "data-score": view.front[side] },
        sideMark(side),
        make(
          "span.cut-off.bold.score-name",
          state.names.filter((_, seat) => sideOf(view, seat) === side).join(text("table.partners")),
        ),
        make("b.score-points.nowrap", String(Math.min(view.front[side], state.goal ?? Infinity))),
        make(
          "span.score-rest.quiet-text.small.nowrap",
          text("table.to_go", { n: Math.max(0, target - view.front[side]) }),
        ),
        tally.some((games) => games > 0) &&
          make(
            "span.score-games.quiet-text.small.nowrap",
            text(state.match?.length === "nine" ? "table.points" : "table.games", { n: tally[side] }),
          ),
        state.gains[side] > 0 && make("span.gain", { "aria-hidden": "true" }, `+${state.gains[side]}`),
      ),
    ),
  );
}

/** @param {string[]} names @param {Wire.Rules} rules @returns {Pegboard.Options} */
export const boardOptions = (names, rules) => ({
  sides: rules.sides,
  target: rules.target,
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

/** @param {Table.State} state @param {Wire.Rules} rules @param {string} [type] */
export function setBoard(state, rules, type = "A") {
  state.board = boardElement({
    ...boardOptions(state.names, rules),
    type: type === "B" && rules.sides === 2 ? "B" : "A",
    target: state.goal ?? rules.target,
  });
  byId("board").replaceChildren(state.board);
  fitBoard(state);
}

/** Fit the board to its place, whose height is limited in a tall window. @param {Table.State} state */
function fitBoard({ board }) {
  const place = byId("board");
  const most = Number.parseFloat(getComputedStyle(place).maxHeight);
  board?.fit(place.clientWidth, Number.isNaN(most) ? place.clientHeight : most);
}

/** Fit the board after every change of the table's size. @param {Table.State} state */
export const keepBoardFitted = (state) => new ResizeObserver(() => fitBoard(state)).observe(byId("table"));
