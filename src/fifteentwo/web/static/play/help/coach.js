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

/** Draw words in the place of a hint, or a mark next to the latest event. @param {Table.State} state */
export function renderCoach(state) {
  if (state.verdict?.deal !== state.view.deal) state.verdict = null;
  const verdict = state.verdict?.verdict ?? null;
  const costly = verdict?.mark === "mistake" || verdict?.mark === "blunder";
  refresh(byId("coach"), costly && verdict, () =>
    costly
      ? [
          coachWords(
            verdict,
            "?",
            text("coach.costly", { best: listed(verdict.best.map(cardName)), cost: verdict.cost }),
          ),
          verdict.reasons[0] && make("p.small", verdict.reasons[0]),
        ]
      : [],
  );
  refresh(byId("coach-mark"), !costly && verdict, () => {
    if (costly || !verdict) return [];
    const { mark, cost } = verdict;
    return [coachWords(verdict, mark ? "≈" : "✓", text(mark ? "coach.small" : "coach.best", { cost }))];
  });
}

/** @param {Wire.Verdict} verdict @param {string} sign @param {string} words */
const coachWords = ({ mark }, sign, words) =>
  make(
    "p.coach-words",
    { "data-mark": mark ?? "best" },
    make("span.coach-sign", { "aria-hidden": "true" }, sign),
    words,
  );
