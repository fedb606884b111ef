// Who sits where, who deals, who is to act, and how far each side has to go.

import { cardElement } from "../cards.js";
import { boardElement, sideMark } from "../board.js";
import { byId, make, refresh } from "../elements.js";
import { cardName, listed, say } from "../say.js";
import { others, sideOf } from "./follow.js";
import { inOrder } from "./show.js";

/** @typedef {import("./desk.js").Desk} Desk */

/** The dealer's disc. */
const dealerMark = () =>
  make(
    "span.dealer",
    { title: say("table.dealer") },
    make("span", { "aria-hidden": "true" }, say("table.dealer_mark")),
    make("span.visually-hidden", null, say("table.dealer")),
  );

/** @param {Desk} desk @param {number} seat */
function plate(desk, seat) {
  const { view } = desk;
  const active = desk.settled && view.to_act.includes(seat);
  return make(
    "div.plate",
    { "data-turn": String(active) },
    sideMark(sideOf(view, seat)),
    make("span.plate-name", null, desk.names[seat]),
    levelOf(desk, seat),
    absence(desk, seat),
    view.dealer === seat && dealerMark(),
    desk.says[seat] && make("span.bubble", { "data-says": desk.says[seat] }, desk.says[seat]),
  );
}

/** A word where somebody has left their place, or has yet to come to it. @param {Desk} desk @param {number} seat */
function absence({ people }, seat) {
  const state = people?.open[seat] ? "invited" : people && !people.present[seat] ? "away" : null;
  return state && make("small.plate-absent", { "data-absent": state }, say(`table.${state}`));
}

/**
 * How strong a computer is; with a word where it cannot be as strong as it should.
 * @param {Desk} desk @param {number} seat
 */
function levelOf(desk, seat) {
  const hurt = desk.trouble.find((one) => one.seat === seat);
  if (hurt) {
    const words = say(hurt.table === null ? "trouble.level_instead" : "trouble.level", {
      level: say(`level.${hurt.level}`),
    });
    return make("small.plate-level.plate-level--hurt", { "data-trouble": hurt.table ?? "instead" }, words);
  }
  return desk.levels[seat] && make("small.plate-level", null, say(`level.${desk.levels[seat]}`));
}

/** @param {Desk} desk */
export function renderSeats(desk) {
  const { view } = desk;
  const place = byId("seats");
  place.dataset.opponents = String(view.rules.seats - 1);
  place.style.setProperty("--dealt", String(view.rules.dealt));
  const drawn = view.phase.startsWith("draw") || desk.scene === "drawn";
  const key = [
    view.seat,
    view.held,
    view.dealer,
    desk.names,
    desk.trouble,
    desk.people,
    desk.says,
    desk.settled && view.to_act,
    drawn && view.drawn,
    desk.open?.hands,
    desk.face,
  ];
  refresh(place, key, () =>
    others(view).map((seat) =>
      make(
        "div.seat",
        { "data-seat": seat },
        plate(desk, seat),
        drawn
          ? openCards(desk, seat, view.drawn[seat])
          : desk.open
            ? openCards(desk, seat, inOrder(desk.open.hands[seat]))
            : make(
                "div.held",
                {
                  "data-held": seat,
                  role: "img",
                  "aria-label": say("table.holds", { name: desk.names[seat], n: view.held[seat] }),
                },
                Array.from({ length: view.held[seat] }, () => cardElement(null, { size: "fill" })),
              ),
      ),
    ),
  );
  refresh(byId("own"), [view.seat, view.dealer, desk.names, desk.says, desk.settled && view.to_act], () => [
    plate(desk, view.seat),
  ]);
}

/** @param {Desk} desk @param {number} seat @param {string[]} cards */
const openCards = (desk, seat, cards) =>
  make(
    "div.held.held--open",
    { "data-held": seat },
    cards.map((card) => desk.card(card, "fill", { label: cardName(card) })),
  );

/** @param {Desk} desk */
export function renderScores(desk) {
  const { view } = desk;
  const sides = Array.from({ length: view.rules.sides }, (_, i) => (sideOf(view, view.seat) + i) % view.rules.sides);
  const tally = desk.match?.tally ?? [];
  refresh(byId("scores"), [sides, view.front, desk.names, tally, view.rules.target, desk.gains], () =>
    sides.map((side) =>
      make(
        "li.score",
        { "data-side": side, "data-score": view.front[side] },
        sideMark(side),
        make(
          "span.score-name",
          null,
          desk.names.filter((_, seat) => sideOf(view, seat) === side).join(say("table.partners")),
        ),
        make("b.score-points", null, String(view.front[side])),
        make("span.score-rest", null, say("table.to_go", { n: view.rules.target - view.front[side] })),
        tally.some((games) => games > 0) &&
          make(
            "span.score-games",
            null,
            say(desk.match?.length === "nine" ? "table.points" : "table.games", { n: tally[side] }),
          ),
        desk.gains[side] > 0 && make("span.gain", { "aria-hidden": "true" }, `+${desk.gains[side]}`),
      ),
    ),
  );
}

/**
 * The board of a table, each side under the names of those who sit there.
 * @param {Wire.Rules} rules @param {string} board @param {string[]} names by seat
 */
export const boardFor = (rules, board, names) =>
  boardElement({
    type: board === "B" && rules.sides === 2 ? "B" : "A",
    sides: rules.sides,
    target: rules.target,
    layout: "fit",
    names: Array.from({ length: rules.sides }, (_, side) =>
      listed(names.filter((_, seat) => seat % rules.sides === side)),
    ),
    skunk: rules.skunk,
    doubleSkunk: rules.double_skunk,
    labels: { whole: say("board.whole"), fold: say("board.fold") },
    describe: (pegs, names) =>
      say("board.name", { scores: pegs.front.map((score, side) => `${names[side]} ${score}`).join(say("list.comma")) }),
  });
