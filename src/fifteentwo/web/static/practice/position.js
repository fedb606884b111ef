// A decision to solve, drawn on felt: scores, cards on the table, the question, and the hand as buttons.

import { cardElement } from "../cards/cards.js";
import { all, byId, make } from "../elements.js";
import { cardName, cardSigns, listed, readableCards, text } from "../text.js";
import { costOf, markOf, SIGNS, signOf } from "./answers.js";

const USUAL_TARGET = 121;
const shown = (/** @type {string} */ card) => cardElement(card, { size: "fill", label: cardName(card) });

/** Say how good an answer was, and the reason. @param {string} sign @param {string} words @param {Node[]} why */
export function sayReply(sign, words, why) {
  byId("ask").textContent = "";
  byId("verdict").replaceChildren(make("span.solve-sign", `${sign} `), ...readableCards(words));
  byId("why").replaceChildren(...why);
  byId("verdict").focus({ preventScroll: true });
}

export function forgetReply() {
  for (const id of ["verdict", "why", "due"]) byId(id).replaceChildren();
}

/** @param {Wire.Problem} problem */
export function drawPosition(problem) {
  byId("felt").dataset.kind = problem.kind;
  byId("top").replaceChildren(
    make("span.solve-score", text("practice.solve.score", { own: problem.own, other: problem.other })),
    make(
      "span.drill-which",
      { "data-crib": String(!problem.own_crib) },
      text(problem.own_crib ? "practice.solve.own-crib" : "practice.solve.other-crib"),
    ),
    make(
      `span.solve-to${problem.target === USUAL_TARGET ? ".is-usual" : ""}`,
      text("practice.solve.to", { n: problem.target }),
    ),
  );
  drawTable(problem);
  byId("ask").textContent = text(
    problem.kind === "play"
      ? "practice.solve.ask-play"
      : problem.pick === 1
        ? "practice.solve.ask-one"
        : "practice.solve.ask-two",
  );
}

/** Draw starter, earlier cards, the count and its cards. @param {Wire.Problem} now */
function drawTable(now) {
  const played = (/** @type {Wire.PlayedCard[]} */ cards) =>
    cards.map(({ card, own }) =>
      make(
        `span.solve-card${own ? ".is-own" : ""}`,
        { title: text(own ? "practice.solve.own" : "practice.solve.other") },
        shown(card),
      ),
    );
  const group = (/** @type {string} */ words, /** @type {boolean} */ small, /** @type {Element[]} */ cards) =>
    make(
      `div.solve-group.middle.grid.gap-1.felt-quiet${small ? ".solve-group--small" : ""}`,
      make("span.solve-cards.aligned", cards),
      make("small", text(words)),
    );
  const plain = (/** @type {string} */ card) => make("span.solve-card", shown(card));
  const count = make("span.count.solve-count.disc", String(now.count));
  const parts = [
    now.starter && group("check.starter", false, [plain(now.starter)]),
    now.discarded.length > 0 && group("practice.solve.discarded", true, now.discarded.map(plain)),
    now.before.length > 0 && group("practice.solve.before", true, played(now.before)),
    now.kind === "play" && group(legendOf(now.in_count), false, [count, ...played(now.in_count)]),
  ];
  byId("lies").replaceChildren(...parts.filter((part) => part instanceof HTMLElement));
}

/** Say whose the cards of the count are if some are the user's. @param {Wire.PlayedCard[]} cards */
const legendOf = (cards) =>
  cards.length
    ? cards.some(({ own }) => own)
      ? "practice.solve.legend"
      : "practice.solve.theirs"
    : "practice.solve.lead";

/**
 * Draw the hand as buttons; cards that cannot be played do nothing.
 * @param {Wire.Problem} problem @param {string[]} chosen @param {(card: string) => void} tap
 */
export function drawHandOf({ hand, fits, kind }, chosen, tap) {
  byId("hand").style.setProperty("--cards", String(hand.length));
  byId("hand").replaceChildren(
    ...hand.map((card) => {
      const can = kind !== "play" || fits.includes(card);
      const press = {
        "data-card": card,
        "aria-pressed": String(chosen.includes(card)),
        "aria-disabled": can ? null : "true",
        "aria-label": can ? cardName(card) : text("practice.solve.past", { card: cardName(card) }),
        onclick: () => can && tap(card),
      };
      return make(`button.card-button${can ? "" : ".is-dim"}`, press, cardElement(card, { size: "fill" }));
    }),
  );
}

/**
 * Mark the best cards of the hand by ✓, and worse ones that were chosen by ✗; say what was best, and the most important reason.
 * @param {Wire.JudgedAnswer} judged @param {string} kind @param {number} [loss] the loss from printed figures
 */
export function showJudged(judged, kind, loss = judged.loss) {
  const { best, right, by_chance, why } = judged;
  for (const node of all(byId("hand"), "button")) {
    const mark = signOf(judged, node.dataset.card ?? "", node.getAttribute("aria-pressed") === "true", kind);
    node.setAttribute("aria-disabled", "true");
    node.classList.toggle("is-best", mark === "✓");
    if (mark) node.dataset.answer = mark;
  }
  const cost = costOf(by_chance, loss);
  const wrong = by_chance ? "practice.solve.wrong" : "practice.solve.wrong-points";
  const good = Number(cost) > 0 ? "practice.solve.near" : "practice.solve.right";
  const inHand = all(byId("hand"), "button").flatMap(({ dataset: { card = "" } }) =>
    best.includes(card) ? [card] : [],
  );
  const values = { mark: markOf(judged), best: listed(inHand.map((card) => cardSigns([card]))), cost };
  sayReply(
    SIGNS[judged.mark ?? "tiny"],
    text(right ? good : wrong, values),
    why.slice(0, 1).map((reason) => make("li", ...readableCards(reason))),
  );
}
