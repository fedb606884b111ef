// The coach: a mark after each choice, words after a costly one, and the offer to take it back. Only at tables with
// hints, and if the reader has switched it on.

import { byId, make, refresh } from "../../elements.js";
import { cardName, listed, text } from "../../text.js";
import { likes } from "../../settings/settings.js";

/** @param {Table.State} state @param {Table.Actions} actions @param {boolean} [again] */
export function updateCoach(state, actions, again = false) {
  if (again) state.coached = false;
  const wanted = likes.coach && state.hints;
  if (wanted === state.coached) return;
  state.coached = wanted;
  if (!wanted) state.verdict = null;
  actions.send({ t: "coach", d: wanted });
}

/** @param {Table.State} state @param {Table.Actions} actions @param {Wire.Verdict} verdict */
export function takeVerdict(state, actions, verdict) {
  if (!likes.coach) return;
  state.verdict = { verdict, deal: state.view.deal };
  actions.render();
}

/** Whether the table waits until the reader has read the verdict. @param {Table.State} state */
export const isCoachWaiting = ({ verdict }) => verdict?.verdict.is_paused ?? false;

/** @param {Table.State} state */
export function dropVerdict(state) {
  if (!state.verdict) return;
  state.verdict = null;
  renderCoach(state);
}

/** @param {Table.State} state @param {Table.Actions} actions */
export const coachButtons = (state, actions) => [
  make("button.button", { "data-action": "go-on", onclick: () => letStand(state, actions) }, text("coach.go-on")),
  make(
    "button.button.button--primary",
    {
      "data-action": "take-back",
      "data-primary": true,
      onclick: () => actions.send({ t: "undo" }) && dropVerdict(state),
    },
    text("coach.take-back"),
  ),
];

/** @param {Table.State} state @param {Table.Actions} actions */
function letStand(state, actions) {
  if (!actions.send({ t: "continue" }) || !state.verdict) return;
  const { verdict, deal } = state.verdict;
  state.verdict = { verdict: { ...verdict, is_paused: false }, deal };
  actions.render();
}

/** @param {Table.State} state */
export function renderCoach(state) {
  if (state.verdict?.deal !== state.view.deal) state.verdict = null;
  refresh(byId("coach"), state.verdict, () => {
    if (!state.verdict) return [];
    const { mark, cost, best, reasons: why } = state.verdict.verdict;
    const costly = mark === "mistake" || mark === "blunder";
    const sign = make("span.coach-sign", { "aria-hidden": "true" }, costly ? "?" : mark ? "≈" : "✓");
    const words = costly
      ? text("coach.costly", { best: listed(best.map(cardName)), cost })
      : text(mark ? "coach.small" : "coach.best", { cost });
    return [
      make("p.coach-words", { "data-mark": mark ?? "best" }, sign, words),
      costly && why.length > 0 && make("p.coach-why.small", why[0]),
    ];
  });
}
