// The form of the Book: choose five or six cards by pressing, typing or keys. The form sends the request.

import { cardElement } from "../cards/cards.js";
import { RANKS } from "../cards/deck.js";
import { PICKED_SUITS, drawPicker, showPicked } from "../cards/picker.js";
import { byId, field, find, make } from "../elements.js";
import { cardName, text, wordsInPage } from "../text.js";

wordsInPage();
const SIX = 6;
const FIVE = 5;
/** The pone's score when a five-card game begins (three for last). */
const FOR_LAST = "3";
const form = byId("pick", HTMLFormElement);
const typed = field(form, "hand");
/** @type {string[]} */
let chosen = [];

/** Read the cards that a text names, as far as it is valid. @param {string} input */
function read(input) {
  const plain = input
    .toUpperCase()
    .replaceAll("10", "T")
    .replaceAll(/[♠♤]/g, "S")
    .replaceAll(/[♥♡]/g, "H")
    .replaceAll(/[♦♢]/g, "D")
    .replaceAll(/[♣♧]/g, "C");
  const found = plain.match(/[A2-9TJQK][SHDC]|[SHDC][A2-9TJQK]/g) ?? [];
  return [...new Set(found.map((card) => (RANKS.includes(card[0]) ? card : card[1] + card[0])))].slice(0, SIX);
}

/** @param {string} card */
function toggle(card) {
  if (chosen.includes(card)) chosen = chosen.filter((one) => one !== card);
  else if (chosen.length < SIX) chosen = [...chosen, card];
  typed.value = chosen.join(" ");
  draw();
}

function draw() {
  const shelf = byId("places");
  const had = document.activeElement?.getAttribute("data-place");
  shelf.replaceChildren(
    ...Array.from({ length: SIX }, (_, place) => {
      const card = chosen[place];
      if (!card) return make("span.card-place");
      return make(
        "button.card-button.full-width",
        {
          "data-place": place,
          "aria-label": text("book.pick.remove", { card: cardName(card) }),
          onclick: () => toggle(card),
        },
        cardElement(card, { size: "fill" }),
      );
    }),
  );
  if (had) (find(shelf, `[data-place="${had}"]`) ?? find(shelf, "button"))?.focus();
  const left = SIX - chosen.length;
  byId("status").textContent =
    chosen.length === FIVE
      ? text("book.pick.five")
      : left
        ? text("book.pick.left", { n: left })
        : text("book.pick.ready");
  const first = chosen.length === FIVE ? FOR_LAST : "0";
  const pone = new FormData(form).get("role") === "pone";
  field(form, "own").placeholder = pone ? first : "0";
  field(form, "other").placeholder = pone ? "0" : first;
  showPicked(byId("picker"), chosen);
}

typed.addEventListener("input", () => {
  chosen = read(typed.value);
  draw();
});
byId("clear").addEventListener("click", () => {
  chosen = [];
  typed.value = "";
  draw();
});
byId("random").addEventListener("click", () => {
  const deck = PICKED_SUITS.flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  chosen = Array.from({ length: SIX }, () => deck.splice(Math.floor(Math.random() * deck.length), 1)[0]);
  typed.value = chosen.join(" ");
  draw();
});

form.addEventListener("change", draw);

for (const id of ["random", "clear", "picker-hint"]) byId(id).hidden = false;
drawPicker(byId("picker"), toggle);
chosen = read(typed.value);
draw();
