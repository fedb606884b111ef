// Claimed counting: claim the points of a card, hand or crib, as a number or by choosing the cards that score; call
// muggins.

import { byId, make, pressed, refresh } from "../../elements.js";
import { text } from "../../text.js";
import { canDo, opened } from "../state.js";
import { MOST, NOTHING, choosing, counting, tallyOf, typing } from "./tally.js";
import { faces, likes } from "../../settings/settings.js";

/** @param {Table.State} state @param {Table.Actions} actions */
export function renderPad(state, actions) {
  const pad = byId("pad");
  const asked = canDo(state, "Claim");
  pad.hidden = !asked;
  byId("hand").hidden = asked;
  const { view } = state;
  const now = JSON.stringify([view.deal, view.hand.length, opened(state)]);
  if (state.tallyFor !== now) Object.assign(state, { tallyFor: now, tally: NOTHING });
  byId("stage").onclick = asked ? (event) => choose(state, actions, event) : null;
  if (!asked) return;
  const { sum, items, no } = state.tally;
  refresh(pad, [now, sum, items, no, faces()], () => [
    make(
      "div.pad-sum.aligned.centred",
      { role: "group", "aria-label": text("claim.points") },
      make("output.count", { "data-claim": sum, "aria-live": "polite" }, String(sum)),
      make(
        "p.pad-counted.felt-quiet.flush.small",
        { role: "status" },
        no ? text(`claim.no.${no}`) : items.length ? items.map(itemText) : opened(state) ? text("claim.hint") : "",
      ),
      make(
        "button.button.button--quiet.pad-clear",
        {
          "data-action": "claim-clear",
          disabled: sum === 0,
          onclick: () => set(state, actions, NOTHING),
        },
        text("claim.clear"),
      ),
    ),
    make(
      "div.pad-numbers.grid",
      { role: "group", "aria-label": text("claim.points") },
      Array.from({ length: MOST + 1 }, (_, n) =>
        make(
          "button.button.pad-number",
          {
            "data-action": "claim-number",
            "data-n": n,
            "aria-label": text("claim.say", { n }),
            onclick: () => (likes.confirm ? set(state, actions, tallyOf(n)) : claim(state, actions, n)),
          },
          String(n),
        ),
      ),
    ),
  ]);
}

/** @param {Table.State} state @param {Table.Actions} actions @param {Event} event */
function choose(state, actions, event) {
  const card = pressed(event, ".show-cards button")?.dataset.card;
  if (card) set(state, actions, choosing(state.tally, card));
}

/** @param {Claims.Counted} counted @param {number} index */
const itemText = ({ item, sum }, index) =>
  make("span", (index ? text("list.comma") : "") + text("claim.item", { name: text(`score.${item[0]}`), n: sum }));

/** @param {Table.State} state @param {Table.Actions} actions @param {Claims.Tally} next */
function set(state, actions, next) {
  state.tally = next;
  actions.render();
}

/** @param {Table.State} state */
export const claimed = ({ tally }) => tally.sum;

/** Set the claim for the next card. @param {Table.State} state @param {Table.Actions} actions @param {number} points */
export const arm = (state, actions, points) => set(state, actions, tallyOf(points));

/** @param {Table.State} state @param {Table.Actions} actions @param {number} points */
const claim = (state, actions, points) => actions.act({ type: "Claim", seat: state.view.seat, points });

/** Count the chosen cards, or claim the sum. @param {Table.State} state @param {Table.Actions} actions */
export function claimButton(state, actions) {
  const { tally, view } = state;
  const show = opened(state);
  const counts = show && tally.chosen.length > 0;
  return make(
    "button.button.button--primary",
    {
      "data-action": counts ? "count" : "claim",
      "data-primary": true,
      onclick: () =>
        counts
          ? set(state, actions, counting(tally, show, view.starter ?? ""))
          : claim(state, actions, state.tally.sum),
    },
    counts ? text("claim.count") : text("claim.say", { n: tally.sum }),
  );
}

/** @param {Table.State} state @param {Table.Actions} actions @param {number} digit */
export const typeDigit = (state, actions, digit) => set(state, actions, typing(state.tally, digit));

/** @param {Table.State} state @param {Table.Actions} actions */
export function challengeButtons(state, actions) {
  const { view } = state;
  return [
    state.challengeSeconds !== null &&
      make("span.countdown.text-end.nowrap.bold", {
        id: "countdown",
        role: "timer",
        "aria-label": text("claim.time_left"),
      }),
    make(
      "button.button.button--primary",
      {
        "data-action": "accept",
        "data-primary": true,
        onclick: () => actions.act({ type: "Accept", seat: view.seat }),
      },
      text("claim.accept"),
    ),
    make(
      "button.button",
      {
        "data-action": "muggins",
        onclick: () => actions.act({ type: "CallMuggins", seat: view.seat }),
      },
      text("claim.muggins"),
      make("kbd", { "aria-hidden": "true" }, "M"),
    ),
  ];
}
