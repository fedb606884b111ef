// A hint on request in three steps: a nudge, the idea, and the answer with its reasons, whose cards are marked.

import { choiceKey, keepAnswered } from "../../seen-answers.js";
import { all, byId, make, refresh } from "../../elements.js";
import { cardSigns, readableCards, text } from "../../text.js";
import { likes } from "../../settings/settings.js";
import { handInOrder, press } from "../hand/hand.js";
import { focusMainButton } from "../keyboard/focus.js";
import { canDo } from "../state.js";

/** Identify the hand and the cards played. @param {Table.State} state */
const picture = ({ view }) => JSON.stringify([view.deal, view.phase, view.hand, view.played.length]);

/** Whether the reader has a choice with hints. @param {Table.State} state */
const choosing = (state) => state.hints && (canDo(state, "Discard") || canDo(state, "Play"));

const STEPS = ["nudge", "idea", "answer"];
const ANSWER = STEPS.indexOf("answer");

/** Ask for the best choice, and why not the raised cards; then show the next step of the hint. @param {Table.State} state @param {Table.Actions} actions */
export function askHint(state, actions) {
  const of = picture(state);
  const raised = state.picked.join(" ");
  if (!choosing(state) || state.hintAsked === of) return;
  if (state.hint?.of === of && state.hint.raised === raised)
    return state.hint.step === ANSWER ? dropHint(state, actions) : showNextStep(state, actions);
  const picked = handInOrder(state).filter((card) => state.picked.includes(card));
  if (actions.send({ t: "hint", d: picked })) Object.assign(state, { hintAsked: of, hintRaised: raised });
}

/** @param {Table.State} state @param {Table.Actions} actions */
function showNextStep(state, actions) {
  if (state.hint) state.hint.step = Math.min(state.hint.step + 1, ANSWER);
  actions.render();
}

/** @param {Table.State} state @param {Table.Actions} actions @param {Wire.Advice} advice */
export function takeHint(state, actions, advice) {
  const shown = state.hint?.of === state.hintAsked ? state.hint.step : 0;
  // Without an idea between the nudge and the answer, the answer comes at once.
  const step = advice.nudge === advice.idea ? ANSWER : Math.max(0, STEPS.indexOf(likes.hint), shown);
  if (state.hintAsked === picture(state)) state.hint = { advice, of: state.hintAsked, raised: state.hintRaised, step };
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

/** Draw the button, and the hint as long as it fits the position. @param {Table.State} state @param {Table.Actions} actions */
export function renderHint(state, actions) {
  // The button is next to the cards, or among the tools if there is no space.
  for (const id of ["hint", "hint-tool"]) {
    const button = byId(id, HTMLButtonElement);
    button.hidden = !state.hints;
    button.disabled = !choosing(state);
  }
  if (state.hint && (state.hint.of !== picture(state) || !choosing(state))) state.hint = null;
  if (state.hintAsked !== picture(state)) state.hintAsked = "";
  const { advice, step = 0 } = state.hint ?? {};
  refresh(byId("note"), advice ? { advice, step } : null, () => (advice ? content(advice, step, state, actions) : []));
  const marked = (step === ANSWER && advice?.cards) || [];
  if (marked.length) keepAnswered(choiceKey(state.game, state.view));
  for (const card of all(byId("hand"), "button"))
    card.classList.toggle("is-hinted", marked.includes(card.dataset.card ?? ""));
}

/** @param {Wire.Advice} advice @param {number} step @param {Table.State} state @param {Table.Actions} actions */
function content({ nudge, idea, sentence, value, others, cards }, step, state, actions) {
  const close = noteButton("close", "×", () => dropHint(state, actions));
  close.setAttribute("aria-label", text("table.hint_close"));
  const number = make("b.note-step.small", text("table.hint_step", { n: step + 1 }));
  const words = make("p", number, [nudge, idea][step] ?? sentence);
  if (step < ANSWER) {
    const label = text(step === 0 ? "table.hint_idea" : "table.hint_answer");
    const more = noteButton("more", label, () => showNextStep(state, actions));
    return [words, make("div.note-foot.flex.gap-1", close, more)];
  }
  const lines = [text("table.hint_value", { value }), ...others];
  const figures = make("div.note-lines", { hidden: true }, ...lines.map((line) => make("p.small", line)));
  const swap = noteButton("figures", text("table.hint_figures"), () => {
    [words.hidden, figures.hidden] = [figures.hidden, words.hidden];
    swap.setAttribute("aria-pressed", String(words.hidden));
  });
  swap.setAttribute("aria-pressed", "false");
  const isPlay = canDo(state, "Play");
  const label = isPlay
    ? text("table.hint_play", { card: cardSigns(cards) })
    : text("table.hint_take", { n: cards.length });
  const take = noteButton("take", label, () => {
    Object.assign(state, { picked: cards, hint: null });
    if (isPlay) return press(state, actions, cards[0]);
    actions.render();
    focusMainButton(state);
  });
  return [words, figures, make("div.note-foot.flex.gap-1", close, swap, take)];
}

/** @param {"more" | "take" | "close" | "figures"} does @param {string} words @param {() => void} onclick */
const noteButton = (does, words, onclick) =>
  make(`button.button.note-${does}`, { type: "button", "data-action": `hint-${does}`, onclick }, readableCards(words));
