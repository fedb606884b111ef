// The whole table in words on request, for screen readers and on screen.

import { byId, make } from "../../elements.js";
import { cardName, listed, text } from "../../text.js";
import { whose } from "../state.js";
import { cribSize, dealtOut, playedNow, others, sideOf } from "../events/follow.js";
import { handInOrder } from "../hand/hand.js";

const inWords = (/** @type {string[]} */ cards) => cards.map(cardName).join(text("list.comma"));

/** @param {Table.State} state @returns {string[]} */
export function describeTable(state) {
  const { view, names } = state;
  const sides = Array.from({ length: view.rules.sides }, (_, i) => (sideOf(view, view.seat) + i) % view.rules.sides);
  const played = playedNow(view).map(([seat, card]) =>
    text("table.played_by", { card: cardName(card), name: names[seat] }),
  );
  const dealt = view.dealer >= 0 && dealtOut(view);
  return [
    view.hand.length ? text("read.hand", { cards: inWords(handInOrder(state)) }) : text("read.no_hand"),
    ...(dealt
      ? [
          text("read.count", { n: view.count }) +
            (played.length ? text("read.played", { cards: played.join(text("list.comma")) }) : ""),
          view.starter ? text("read.starter", { card: cardName(view.starter) }) : text("read.no_starter"),
          text("read.crib", { crib: whose(state, view.dealer, "table.your_crib", "table.crib_of"), n: cribSize(view) }),
          others(view)
            .map((seat) => text("read.holds", { name: names[seat], n: view.hand_sizes[seat] }))
            .join(""),
        ]
      : []),
    sides
      .map((side) =>
        text("read.score", {
          name: names.filter((_, seat) => sideOf(view, seat) === side).join(text("table.partners")),
          n: view.front[side],
          rest: view.rules.target - view.front[side],
        }),
      )
      .join(""),
    turnInWords(state),
  ];
}

/** @param {Table.State} state */
function turnInWords({ view, names }) {
  if (view.won) return text("read.over");
  if (view.to_act.includes(view.seat)) return text("read.your_turn");
  return view.to_act.length ? text("read.waiting", { names: listed(view.to_act.map((seat) => names[seat])) }) : "";
}

/** @param {Table.State} state */
export function readTable(state) {
  const place = byId("reading");
  // Screen readers repeat the same words only if they were removed in between.
  place.replaceChildren();
  requestAnimationFrame(() =>
    place.replaceChildren(
      ...describeTable(state)
        .filter(Boolean)
        .map((words) => make("p", words)),
      make(
        "button.button.button--quiet.panel-close",
        { "aria-label": text("close"), onclick: () => place.replaceChildren() },
        "×",
      ),
    ),
  );
}
