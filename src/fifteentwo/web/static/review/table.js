// The table of a review: drawings of the table, with the pictures of a recorded game.

import { all, byId, make, refresh } from "../elements.js";
import { renderHandArea, renderHand } from "../play/hand/hand.js";
import { keepBoardFitted, renderScores, renderSeats, setBoard } from "../play/seats/seats.js";
import { renderStage } from "../play/stage/stage.js";
import { bubblesOf, newState } from "../play/state.js";
import { text } from "../text.js";
import { viewFrom } from "./story.js";

/**
 * Create a table that shows one picture after another.
 * @param {string[]} names @param {Review.Picture} first @param {Table.State["role"]} role
 * @param {{chosen: (cards: string[]) => void, reveal: () => void}} on
 */
export function reviewTable(names, first, role, { chosen, reveal }) {
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
  const actions = {
    act(action) {
      if (action.type === "Play") chosen([action.card]);
      if (action.type === "Discard") chosen(action.cards);
    },
    send: () => false,
    render: () => sight.now && draw(sight.now),
  };

  /** @param {Review.Sight} next */
  function show(next) {
    const { picture, seat, moment, asks, lifted } = next;
    const changed = asks !== sight.now?.asks || JSON.stringify(lifted) !== JSON.stringify(sight.now?.lifted);
    sight.now = next;
    const view = viewFrom(picture, seat);
    const shown = picture.phase === "over" ? null : !asks && moment.counted;
    const bubbles = bubblesOf({ ...view, claim: null }, names);
    if (shown && typeof shown.claimed === "number") bubbles[shown.seat] = text("claim.bubble", { n: shown.claimed });
    Object.assign(state, {
      view,
      bubbles,
      choices: asks ? choicesOf(asks, view) : [],
      // Without a claim none is shown.
      counting: shown ? { ...shown, claimed: shown.claimed ?? undefined } : null,
      open: next.open ? { hands: picture.hands, crib: picture.crib } : null,
    });
    if (changed || !asks) state.picked = lifted;
    state.board?.update({ front: picture.front, rear: picture.rear });
    draw(next);
  }

  /** @param {Review.Sight} sight */
  function draw({ asks, lit, moment, prompt }) {
    const table = byId("table");
    table.dataset.phase = state.view.phase;
    table.dataset.turn = asks ? "own" : "other";
    byId("hand").hidden = false;
    renderScores(state);
    renderStage(state, actions);
    renderSeats(state);
    renderHand(state, actions);
    renderHandArea(state, actions);
    for (const button of all(byId("hand"), "button"))
      button.classList.toggle("is-best", lit.includes(button.dataset.card ?? ""));
    byId("latest").replaceChildren(
      ...(asks ? [] : moment.sentences.slice(-2).reverse()).map((line) => make("p.flush.full-width.felt-quiet", line)),
    );
    if (byId("prompt").textContent !== prompt) byId("prompt").textContent = prompt;
    drawButtons(asks, lit);
  }

  /** Draw the button that confirms the discard. @param {Review.Decision | null} asks @param {string[]} lit */
  function drawButtons(asks, lit) {
    const { rules, seat } = state.view;
    const discards = asks?.kind === "discard";
    const enough = state.picked.length === rules.discards;
    const hidden = asks && !lit.length;
    refresh(byId("buttons"), [discards, enough, hidden], () => [
      hidden && make("button.button", { "data-action": "reveal", onclick: reveal }, text("review.show_answer")),
      discards &&
        make(
          "button.button.button--primary",
          {
            "data-action": "choose",
            "data-primary": true,
            disabled: !enough,
            onclick: () => actions.act({ type: "Discard", seat, cards: state.picked }),
          },
          text("review.discard"),
        ),
    ]);
  }

  return { state, actions, show };
}

/** @param {Review.Decision} decision @param {Wire.View} view @returns {Wire.Choice[]} */
function choicesOf({ kind, options }, { seat, hand }) {
  if (kind === "discard") return options.map(({ choice }) => ({ type: "Discard", seat, cards: choice.split(" ") }));
  return hand
    .filter(([rank]) => options.some(({ choice }) => choice === rank))
    .map((card) => ({ type: "Play", seat, card }));
}
