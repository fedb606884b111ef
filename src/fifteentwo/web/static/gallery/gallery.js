// The gallery: every card, back, peg and board on one page.
import { boardElement, sideMark } from "../board/board.js";
import { cardElement, suitElement } from "../cards/cards.js";
import { RANKS, SUITS } from "../cards/deck.js";
import { byId, make } from "../elements.js";

/** @typedef {Parameters<typeof cardElement>[1]} CardOptions */

/** @param {string} title @param {string} classes @param {Node[]} children */
function section(title, classes, children) {
  const body = make("div", { class: classes }, ...children);
  byId("gallery").append(
    make("section", { id: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-") }, make("h2", title), body),
  );
}

/** @param {CardOptions} [options] */
const deck = (options) => [..."SHCD"].flatMap((suit) => [...RANKS].map((rank) => cardElement(rank + suit, options)));

/**
 * @param {(string | null)[]} cards
 * @param {{pressed?: number[], lit?: number[], dim?: number[]} & CardOptions} [how] indexes of cards
 */
function hand(cards, { pressed = [], lit = [], dim = [], ...options } = {}) {
  return make(
    "ul.hand",
    cards.map((text, place) => {
      const card = cardElement(text, options);
      card.classList.toggle("is-lit", lit.includes(place));
      card.classList.toggle("is-dim", dim.includes(place));
      return make(
        "li",
        make(
          "button.card-button",
          { "aria-label": text ?? "card", "aria-pressed": String(pressed.includes(place)) },
          card,
        ),
      );
    }),
  );
}

/** @param {Node[]} children */
const felt = (...children) => make("div.gallery-hand.stack-y", ...children);

section("Hand", "felt", [
  felt(
    hand([null, null, null, null, null, null]),
    hand(["5H", "TS", "JD", "QC", "KH", "AS"], { pressed: [2, 4] }),
    hand(["5H", "5S", "5D", "JC", "5C"], { lit: [0, 3], dim: [1, 2, 4] }),
  ),
]);
section("Large print and four colours", "felt", [
  felt(
    hand(["5H", "TS", "JD", "QC", "KH", "AS"], { largePrint: true }),
    hand(["5H", "TS", "JD", "QC", "KH", "AC"], { fourColour: true }),
    hand(["5H", "TS", "JD", "QC"], { fourColour: true, largePrint: true }),
  ),
]);
section("The deck", "felt gallery-deck", [...deck(), cardElement(null)]);
section("Four colours", "felt gallery-deck", deck({ fourColour: true }));
section("Large print", "felt gallery-deck", deck({ largePrint: true }).slice(0, 26));

/** @type {[string, Pegboard.Options, Pegboard.Pegs][]} */
const boards = [
  ["a2", { sides: 2, doubleSkunk: true }, { front: [64, 88], rear: [61, 76], games: [2, 1] }],
  ["a3", { sides: 3 }, { front: [0, 29, 91], rear: [0, 12, 90], games: [0, 3, 1] }],
  ["a4", { sides: 4, doubleSkunk: true }, { front: [121, 100, 61, 31], rear: [115, 88, 60, 30], games: [1, 2, 4, 0] }],
  ["a61", { sides: 2, target: 61 }, { front: [30, 45], rear: [25, 31], games: [1, 0] }],
  ["b2", { type: "B", doubleSkunk: true }, { front: [64, 35], rear: [57, 28], games: [2, 1] }],
  ["b61", { type: "B", target: 61 }, { front: [0, 61], rear: [0, 58], games: [0, 1] }],
];
/** @param {(typeof boards)[number]} sample @param {"tall" | "wide"} layout */
const board = ([name, options, pegs], layout) => {
  const drawn = boardElement({ ...options, layout, names: ["Aki", "Ben", "Chie", "Dan"] });
  drawn.update(pegs);
  drawn.dataset.sample = `${name}-${layout}`;
  return drawn;
};
section(
  "Boards, tall",
  "gallery-boards",
  boards.map((sample) => board(sample, "tall")),
);
section(
  "Boards, wide",
  "gallery-boards",
  boards.map((sample) => board(sample, "wide")),
);
section(
  "Boards, phone",
  "gallery-phone",
  boards.map((sample) => {
    const folded = board(sample, "wide");
    folded.setCollapsed(true);
    return folded;
  }),
);
section("Marks", "row", [...[0, 1, 2, 3].map(sideMark), ...[...SUITS].map(suitElement)]);
Object.assign(window, { gallery: { boardElement, cardElement } });
