// The coach: a mark after each choice, words after a costly one, and the offer to take it back. Only at tables with
// hints, and if the reader has switched it on.

import { isAnswered, keepAnswered } from "../../seen-answers.js";
import { byId, make, refresh } from "../../elements.js";
import { cardSigns, readableCards, text } from "../../text.js";
import { likes } from "../../settings/settings.js";

/** @param {Table.State} state @param {Table.Actions} actions @param {boolean} [again] */
export function updateCoach(state, actions, again = false) {
  if (again) state.coached = false;
  const wanted = state.hints && (likes.coach || state.advised);
  if (wanted === state.coached) return;
  state.coached = wanted;
  if (!wanted) state.verdict = null;
  actions.send({ t: "coach", d: wanted });
}

/** @param {Table.State} state @param {Table.Actions} actions @param {Wire.Verdict} verdict */
export function takeVerdict(state, actions, verdict) {
  // A choice that the hint named needs no praise.
  if (!state.coached || (!verdict.mark && verdict.reasons.length && isAnswered(state.chosenAt)))
    return void (verdict.is_paused && actions.send({ t: "continue" }));
  // The words name the better cards, which may now be chosen.
  if (verdict.mark && verdict.is_paused) keepAnswered(state.chosenAt);
  state.verdict = { verdict, deal: state.view.deal };
  actions.render();
}

/** Whether the table waits until the reader has read the verdict; notes on the choice are read first. @param {Table.State} state */
export const isCoachWaiting = ({ settled, verdict }) => settled && (verdict?.verdict.is_paused ?? false);

/** @param {Table.State} state */
export function dropVerdict(state) {
  if (!state.verdict) return;
  state.verdict = null;
  renderCoach(state);
}

/** @param {Table.State} state @param {Table.Actions} actions */
export const coachButtons = (state, actions) => {
  const praised = state.verdict?.verdict.mark === null;
  const does = { "data-action": "go-on", "data-primary": praised, onclick: () => letStand(state, actions) };
  return [
    make(`button.button${praised ? ".button--primary" : ""}`, does, text(praised ? "coach.next" : "coach.go-on")),
    !praised &&
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
};

/** @param {Table.State} state @param {Table.Actions} actions */
function letStand(state, actions) {
  if (!actions.send({ t: "continue" }) || !state.verdict) return;
  const { verdict, deal } = state.verdict;
  state.verdict = verdict.cost ? { verdict: { ...verdict, is_paused: false }, deal } : null;
  actions.render();
}

/** Draw words in the place of a hint, or a mark next to the latest event. @param {Table.State} state */
export function renderCoach(state) {
  if (state.verdict?.deal !== state.view.deal) state.verdict = null;
  const verdict = state.verdict?.verdict ?? null;
  const costly = verdict?.mark === "mistake" || verdict?.mark === "blunder" || verdict?.reasons.length;
  refresh(byId("coach"), costly && verdict, () => {
    if (!costly || !verdict) return [];
    const { mark, best, cost, reasons } = verdict;
    const [why] = reasons;
    // In a first game a reason says all.
    if (!cost) return [coachWords(verdict, mark ? "?" : "✓", mark ? why : text("coach.praise", { why }))];
    const words = text("coach.costly", { best: cardSigns(best), cost });
    return [coachWords(verdict, "?", words), why && make("p.small", readableCards(why))];
  });
  refresh(byId("coach-mark"), !costly && verdict, () => {
    if (costly || !verdict) return [];
    const { mark } = verdict;
    return [coachWords(verdict, mark ? "≈" : "✓", text(mark ? "coach.small" : "coach.best"))];
  });
}

/** @param {Wire.Verdict} verdict @param {string} sign @param {string} words */
const coachWords = ({ mark }, sign, words) =>
  make(
    "p.coach-words",
    { "data-mark": mark ?? "best" },
    make("span.coach-sign", { "aria-hidden": "true" }, sign),
    readableCards(words),
  );
