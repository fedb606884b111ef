// A hint on request: the best choice with reasons; its cards are marked until the next action.

import { all, byId, make, refresh } from "../../elements.js";
import { text } from "../../text.js";
import { canDo } from "../state.js";

/** Identify the hand and the cards played. @param {Table.State} state */
const picture = ({ view }) => JSON.stringify([view.deal, view.phase, view.hand, view.played.length]);

/** Whether the reader has a choice with hints. @param {Table.State} state */
const choosing = (state) => state.hints && (canDo(state, "Discard") || canDo(state, "Play"));

/** Ask for the best choice, and why not the raised cards. @param {Table.State} state @param {Table.Actions} actions */
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

/** Remove the hint. Return whether there was one. @param {Table.State} state @param {Table.Actions} actions */
export function dropHint(state, actions) {
  const was = state.hint !== null;
  state.hint = null;
  if (was) actions.render();
  return was;
}

/** Draw the button, and the hint as long as it fits the position. @param {Table.State} state */
export function renderHint(state) {
  // The button is next to the cards, or among the tools if there is no space.
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
          make("p.note-words", advice.sentence),
          make("p.note-value.small", text("table.hint_value", { value: advice.value })),
          ...advice.others.map((words) => make("p.note-other", words)),
        ]
      : [],
  );
  const marked = advice?.cards ?? [];
  for (const card of all(byId("hand"), "button"))
    card.classList.toggle("is-hinted", marked.includes(card.dataset.card ?? ""));
}
