// A hint on request: the best choice and why, in words, and its cards marked until something is done.

import { all, byId, make, refresh } from "../../elements.js";
import { text } from "../../text.js";
import { may } from "../state.js";

/** A hand and how far the play has come. @param {Table.State} state */
const picture = ({ view }) => JSON.stringify([view.deal, view.phase, view.hand, view.played.length]);

/** Whether there is something to choose. @param {Table.State} state */
const choosing = (state) => state.hints && (may(state, "Discard") || may(state, "Play"));

/** What is best; and why not the cards that are raised. @param {Table.State} state @param {Table.Actions} actions */
export function askHint(state, actions) {
  const of = picture(state);
  const raised = state.picked.join(" ");
  if (!choosing(state) || state.hintAsked === of || (state.hint?.of === of && state.hint.raised === raised)) return;
  if (actions.send({ t: "hint", d: state.picked })) Object.assign(state, { hintAsked: of, hintRaised: raised });
}

/** @param {Table.State} state @param {Table.Actions} actions @param {Wire.Advice} advice */
export function takeHint(state, actions, advice) {
  if (state.hintAsked === picture(state)) state.hint = { advice, of: state.hintAsked, raised: state.hintRaised };
  state.hintAsked = "";
  actions.render();
}

/** Whether there was one to put away. @param {Table.State} state @param {Table.Actions} actions */
export function dropHint(state, actions) {
  const was = state.hint !== null;
  state.hint = null;
  if (was) actions.render();
  return was;
}

/**
 * The button where hints are given; the words and the marks as long as the picture stands.
 * @param {Table.State} state
 */
export function renderHint(state) {
  // Next to the cards, or among the tools where it does not fit.
  for (const id of ["hint", "hint-tool"]) {
    const button = byId(id, HTMLButtonElement);
    button.hidden = !state.hints;
    button.disabled = !choosing(state);
  }
  if (state.hint && (state.hint.of !== picture(state) || !choosing(state))) state.hint = null;
  if (state.hintAsked !== picture(state)) state.hintAsked = "";
  const advice = state.hint?.advice;
  refresh(byId("note"), advice ?? null, () =>
    advice
      ? [
          make("p.note-words", null, advice.sentence),
          make("p.note-value", null, text("table.hint_value", { value: advice.value })),
          ...advice.others.map((words) => make("p.note-other", null, words)),
        ]
      : [],
  );
  const marked = advice?.cards ?? [];
  for (const card of all(byId("hand"), "button"))
    card.classList.toggle("is-hinted", marked.includes(card.dataset.card ?? ""));
}
