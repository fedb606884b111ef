// Draw a step of the lesson: cards, board, and the hand or the answers.

import { boardElement } from "../board/board.js";
import { cardElement } from "../cards/cards.js";
import { byId, find, make } from "../elements.js";
import { cardName, text } from "../text.js";

/** @param {string} card @param {Record<string, string>} [more] */
function face(card, more = {}) {
  const svg = cardElement(card, { size: "fill" });
  for (const [name, value] of Object.entries(more)) svg.setAttribute(name, value);
  return svg;
}

/** Return a text whose Japanese terms and figures are not broken between lines. @param {string} words */
export const unbroken = (words) =>
  words.split(/([ァ-ー]+・[ァ-ー]+|\d+点)/).map((part, at) => (at % 2 ? make("span.nowrap", part) : part));

/** @param {string} card */
export const shownCard = (card) => face(card, { role: "img", "aria-label": cardName(card) });

/** The board of the two deals, which stays from step to step. @type {Pegboard.Element | null} */
let strip = null;

/** @param {number[]} front @param {number} [points] points just pegged by the learner @param {number} [holeTime] */
export function drawScore([own, other], points, holeTime = 0) {
  byId("score").replaceChildren(
    points ? make("b", `+${points}`) : "",
    make("span", `${text("home.you")} ${own} `),
    make("span", `${text("learn.opponent")} ${other}`),
  );
  if (points) void strip?.animate(0, own - points, own, holeTime);
}

/** @param {number[]} front @param {number[]} rear */
function drawStrip(front, rear) {
  byId("strip").hidden = !front.length;
  if (!front.length) return;
  strip ??= board();
  if (!strip.isConnected) byId("strip").append(strip);
  strip.setCollapsed(true);
  strip.update({ front, rear });
}

/** Show the learner's cards that are not played yet. @param {Wire.Screen} of @param {Wire.Page} [page] */
export function drawHeld(of, page) {
  const host = byId("hand");
  const held = page ? page.held : of.held;
  host.classList.toggle("is-played", of.cards.length > 0 && held?.length === 0);
  find(host, ".learn-held")?.remove();
  if (!of.cards.length && held?.length) host.prepend(make("li.learn-held.flex.centred.gap-2", held.map(shownCard)));
}

/** Draw the table of a step, or of a page of it. @param {Wire.Screen} of @param {Omit<Wire.Page, "words">} [page] @returns {Pegboard.Element | null} */
export function drawTable(of, page) {
  const host = byId("lies");
  host.replaceChildren();
  const hasHand = page !== undefined && page.shown.length > 0;
  const { starter } = hasHand ? page : of;
  const { front, rear } = page?.front.length && !page.scores.length ? page : of;
  byId("score").replaceChildren();
  if (front.length) drawScore(front);
  drawStrip(front, rear);
  if (of.pegs.length) return drawBoard(host, of.pegs);
  const played = hasHand ? page.shown : of.played;
  const count = hasHand ? page.count : of.count;
  const number = count ?? (hasHand ? (page.scores.length ? 0 : page.total) : null);
  if (number !== null)
    host.append(
      make(
        "div.learn-count.grid.small.felt-quiet",
        make("span.count.disc", { id: "count" }, String(number)),
        make("span", text(count === null ? "learn.points" : "table.count")),
      ),
    );
  if (played.length || number !== null)
    host.append(
      make(`div.learn-played.flex.shrinks${count === null ? ".is-hand" : ""}`, { id: "played" }, played.map(shownCard)),
    );
  const places = Array.from({ length: of.pick }, () => make("span.card-place"));
  if (of.pick > 1 && !hasHand)
    host.append(
      make(
        "div.learn-crib.grid.small.felt-quiet",
        { id: "crib" },
        make("span.learn-places.flex.gap-2", places),
        make("span", text(`learn.owner.${of.id}`)),
      ),
    );
  if (starter)
    host.append(
      make("div.learn-starter.grid.small.felt-quiet", shownCard(starter), make("span", text("table.starter"))),
    );
  return null;
}

function board() {
  const names = [text("home.you"), text("learn.opponent")];
  return boardElement({
    type: "A",
    sides: 2,
    target: 121,
    layout: "wide",
    names,
    describe: ({ front }) =>
      text("board.name", { scores: front.map((score, side) => `${names[side]} ${score}`).join(text("list.comma")) }),
  });
}

/** @param {HTMLElement} host @param {[number, number][]} pegs the reader's, then the opponent's */
function drawBoard(host, pegs) {
  const whole = board();
  host.replaceChildren(make("div.learn-board", whole));
  whole.update({ front: pegs.map(([front]) => front), rear: pegs.map(([, rear]) => rear) });
  return whole;
}

/** @param {Pick<Wire.Screen, "cards" | "choices" | "labels" | "counts" | "count">} screen @param {(one: string) => void} tap */
export function drawHand({ cards, choices, labels, counts, count: before }, tap) {
  const host = byId("hand");
  host.hidden = !cards.length && !choices.length;
  host.classList.toggle("learn-choices", choices.length > 0 && !cards.length);
  host.style.setProperty("--cards", String(cards.length + choices.length));
  // If the learner looks for 15 or 31, the counts would give the answer away.
  const told = counts.length > 0 && before === 0;
  const one = (/** @type {string} */ card, /** @type {number} */ index) => {
    const count = counts[index];
    const past = counts.length > 0 && count === null;
    return make(
      `button.card-button.relative.full-width${past ? ".is-dim" : ""}`,
      {
        "data-card": card,
        "aria-pressed": "false",
        "aria-label": told
          ? text(past ? "hand.past31" : "learn.would", { card: cardName(card), n: count ?? 0 })
          : cardName(card),
        onclick: () => tap(card),
      },
      face(card),
      told && make("span.would.grid", { "aria-hidden": "true" }, past ? "–" : String(count)),
    );
  };
  const choice = (/** @type {string} */ name, /** @type {number} */ index) =>
    make(
      "button.button.relative.full-width",
      { "data-card": name, "aria-pressed": "false", onclick: () => tap(name) },
      make("span", unbroken(labels[index])),
    );
  host.replaceChildren(...[...cards.map(one), ...choices.map(choice)].map((content) => make("li", content)));
}
