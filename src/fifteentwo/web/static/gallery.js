// The gallery page: every card, back, peg and board in one place.
import { RANKS, SUITS, cardElement, suitElement } from "./cards.js";
import { boardElement, sideMark } from "./board.js";

const gallery = /** @type {HTMLElement} */ (document.getElementById("gallery"));

/** @param {string} title @param {string} classes @param {Node[]} children */
function section(title, classes, children) {
  const part = document.createElement("section");
  const head = document.createElement("h2");
  head.textContent = title;
  const body = document.createElement("div");
  body.className = classes;
  body.append(...children);
  part.id = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  part.append(head, body);
  gallery.append(part);
  return body;
}

const pack = (options = {}) => [..."SHCD"].flatMap((suit) => [...RANKS].map((rank) => cardElement(rank + suit, options)));

function hand(cards, { pressed = [], lit = [], dim = [], ...options } = {}) {
  const list = document.createElement("ul");
  list.className = "hand";
  cards.forEach((text, index) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.className = "card-button";
    button.setAttribute("aria-label", text ?? "card");
    button.setAttribute("aria-pressed", String(pressed.includes(index)));
    const card = cardElement(text, options);
    card.classList.toggle("is-lit", lit.includes(index));
    card.classList.toggle("is-dim", dim.includes(index));
    button.append(card);
    item.append(button);
    list.append(item);
  });
  return list;
}

const felt = (...children) => {
  const div = document.createElement("div");
  div.className = "gallery-hand stack-y";
  div.append(...children);
  return div;
};

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
section("The pack", "felt gallery-pack", [...pack(), cardElement(null)]);
section("Four colours", "felt gallery-pack", pack({ fourColour: true }));
section("Large print", "felt gallery-pack", pack({ largePrint: true }).slice(0, 26));

/** @type {[string, import("./board.js").BoardOptions, import("./board.js").Pegs][]} */
const boards = [
  ["a2", { sides: 2, doubleSkunk: true }, { front: [64, 88], rear: [61, 76], games: [2, 1] }],
  ["a3", { sides: 3 }, { front: [0, 29, 91], rear: [0, 12, 90], games: [0, 3, 1] }],
  ["a4", { sides: 4, doubleSkunk: true }, { front: [121, 100, 61, 31], rear: [115, 88, 60, 30], games: [1, 2, 4, 0] }],
  ["a61", { sides: 2, target: 61 }, { front: [30, 45], rear: [25, 31], games: [1, 0] }],
  ["b2", { type: "B", doubleSkunk: true }, { front: [64, 35], rear: [57, 28], games: [2, 1] }],
  ["b61", { type: "B", target: 61 }, { front: [0, 61], rear: [0, 58], games: [0, 1] }],
];
const make = ([name, options, pegs], more = {}) => {
  const board = boardElement({ ...options, ...more, names: ["Aki", "Ben", "Chie", "Dan"] });
  board.update(pegs);
  board.dataset.sample = `${name}-${more.layout}`;
  return board;
};
section("Boards, tall", "gallery-boards", boards.map((sample) => make(sample, { layout: "tall" })));
section("Boards, wide", "gallery-boards", boards.map((sample) => make(sample, { layout: "wide" })));
section(
  "Boards, phone",
  "gallery-phone",
  boards.map((sample) => {
    const board = make(sample, { layout: "wide" });
    board.setCollapsed(true);
    return board;
  }),
);
section("Marks", "row", [0, 1, 2, 3].map(sideMark).concat([...SUITS].map((s) => /** @type {any} */ (suitElement(s)))));
Object.assign(window, { gallery: { boardElement, cardElement } });
