// The pegging examples, card by card: cards played, the count, the score.

import { cardElement } from "../cards/cards.js";
import { stepThrough } from "./steps.js";
import { byId, make } from "../elements.js";
import { cardName, text, wordsInPage } from "../text.js";

wordsInPage();
/** @type {Wire.SteppedPlay[]} */
const plays = JSON.parse(byId("plays-data").textContent ?? "");

/** @param {string} card @param {boolean} lit */
function face(card, lit) {
  const svg = cardElement(card, { size: "fill" });
  svg.classList.toggle("is-lit", lit);
  // Only the picker's cards have `data-card`.
  delete svg.dataset.card;
  svg.dataset.shown = card;
  return svg;
}

/** @param {Wire.SteppedPlay} play @param {number} seat @param {Set<string>} gone @param {number} score */
const seatElement = ({ names, hands }, seat, gone, score) =>
  make(
    "div.play-seat.middle.grid.gap-2",
    { "data-seat": seat },
    make("p.play-who.baseline.felt-quiet.flex.gap-3.flush", make("span", names[seat]), make("b", String(score))),
    make(
      "div.play-hand.flex.centred.gap-1",
      {
        role: "img",
        "aria-label":
          hands[seat]
            .filter((card) => !gone.has(card))
            .map(cardName)
            .join(text("list.comma")) || text("check.empty"),
      },
      hands[seat].map((card) => (gone.has(card) ? make("span.card-place") : face(card, false))),
    ),
  );

stepThrough(byId("play-list"), byId("play-felt"), 0, (example, at) => {
  const play = plays[example];
  const done = play.steps.slice(0, at);
  const now = done.at(-1);
  const gone = new Set(done.map(({ step }) => step));
  const seats = play.hands.map((_, seat) => seatElement(play, seat, gone, now?.front[seat] ?? 0));
  byId("play-leader").replaceChildren(seats[0]);
  byId("play-others").replaceChildren(...seats.slice(1).reverse());
  byId("play-count").textContent = String(now?.count ?? 0);
  byId("play-cards").replaceChildren(
    ...(now?.in_count ?? []).map(([seat, card]) =>
      make(
        "span.play-card.shrinks",
        { "data-by": seat === 0 ? "leader" : "other" },
        face(card, now?.lit.includes(card) ?? false),
      ),
    ),
  );
  byId("play-status").textContent = now ? now.sentence : text("check.play-begin", { name: play.names[0] });
});
