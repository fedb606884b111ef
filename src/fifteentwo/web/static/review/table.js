// The table of a review: drawings of the table, with the pictures of a recorded game.

import { all, byId, find, make } from "../elements.js";
import { renderHandArea, renderHand } from "../play/hand/hand.js";
import { keepBoardFitted, renderScores, renderSeats, setBoard } from "../play/seats/seats.js";
import { renderStage } from "../play/stage/stage.js";
import { bubblesOf, newState } from "../play/state.js";
import { text } from "../text.js";
import { viewFrom } from "./story.js";

/**
 * Create a table that shows one picture after another.
 * @param {string[]} names @param {Review.Picture} first @param {Table.State["role"]} role
 */
export function reviewTable(names, first, role) {
  const { rules } = first;
  const state = newState("", role);
  Object.assign(state, {
    names,
    view: viewFrom(first, 0),
    levels: names.map(() => null),
    gains: Array(rules.sides).fill(0),
    settled: true,
  });
  setBoard(state, rules);
  keepBoardFitted(state);
  /** @type {{now: Review.Sight | null}} */
  const sight = { now: null };

  /** @type {Table.Actions} */
  const actions = { act() {}, send: () => false, render: () => sight.now && draw(sight.now) };

  /** @param {Review.Sight} next */
  function show(next) {
    const { picture, seat, moment } = next;
    sight.now = next;
    const view = viewFrom(picture, seat);
    const shown = picture.phase === "over" ? null : moment.counted;
    const bubbles = bubblesOf({ ...view, claim: null }, names);
    if (shown && typeof shown.claimed === "number") bubbles[shown.seat] = text("claim.bubble", { n: shown.claimed });
    Object.assign(state, {
      view,
      bubbles,
      // Without a claim none is shown.
      counting: shown ? { ...shown, claimed: shown.claimed ?? undefined } : null,
      open: next.open ? { hands: picture.hands, crib: picture.crib } : null,
    });
    state.board?.update({ front: picture.front, rear: picture.rear });
    draw(next);
  }

  /** @param {Review.Sight} sight */
  function draw({ moment, prompt, best, chosen, tag }) {
    const table = byId("table");
    table.dataset.phase = state.view.phase;
    table.dataset.turn = "other";
    byId("hand").hidden = false;
    renderScores(state);
    renderStage(state, actions);
    renderSeats(state);
    renderHand(state, actions);
    renderHandArea(state);
    for (const place of all(table, "#hand > li, .held > .card, .played-card:last-child", Element)) {
      const card = (find(place, "[data-card]", Element) ?? place).getAttribute("data-card") ?? "";
      const words = [best.includes(card) && text("review.best"), chosen.includes(card) && tag].filter(Boolean);
      place.classList.toggle("is-best", best.includes(card));
      if (words.length) place.setAttribute("data-tag", words.join("\n"));
      else place.removeAttribute("data-tag");
    }
    byId("latest").replaceChildren(
      ...moment.sentences
        .slice(-2)
        .reverse()
        .map((line) => make("p.flush.full-width.felt-quiet", line)),
    );
    if (byId("prompt").textContent !== prompt) byId("prompt").textContent = prompt;
  }

  return { show };
}
