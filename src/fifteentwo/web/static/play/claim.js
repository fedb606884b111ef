// Counting for yourself: say what your card, hand or crib makes, all at once or item by item; and muggins.

import { byId, make, refresh } from "../elements.js";
import { text } from "../text.js";
import { may, opened } from "./state.js";
import { MOST, NOTHING, counting, itemsOf, tallyOf, times, typing } from "./tally.js";
import { faces } from "./settings.js";

/** @param {Table.State} state @param {Table.Actions} actions */
export function renderPad(state, actions) {
  const pad = byId("pad");
  const asked = may(state, "Claim");
  pad.hidden = !asked;
  byId("hand").hidden = asked;
  const { view } = state;
  const show = opened(state);
  const now = JSON.stringify([view.deal, view.hand.length, show]);
  if (state.tallyFor !== now) Object.assign(state, { tallyFor: now, tally: NOTHING });
  if (!asked) return;
  const { tally } = state;
  const { sum, items } = tally;
  refresh(pad, [now, sum, items, faces()], () => [
    make(
      "div.pad-sum",
      { role: "group", "aria-label": text("claim.points") },
      make("output.count", { "data-claim": sum, "aria-live": "polite" }, String(sum)),
      make(
        "div.pad-numbers",
        null,
        Array.from({ length: MOST + 1 }, (_, n) =>
          make(
            "button.button.pad-number",
            {
              type: "button",
              "data-action": "claim-number",
              "data-n": n,
              "aria-label": text("claim.say", { n }),
              onclick: () => claim(state, actions, n),
            },
            String(n),
          ),
        ),
      ),
      make("p.pad-counted", null, items.length ? items.map(itemText) : text("claim.hint")),
      make(
        "button.button.button--quiet.pad-clear",
        {
          type: "button",
          "data-action": "claim-clear",
          disabled: sum === 0,
          onclick: () => set(state, actions, NOTHING),
        },
        text("claim.clear"),
      ),
    ),
    make(
      "div.pad-items",
      { role: "group", "aria-label": text("claim.items") },
      itemsOf(show).map((item) => {
        const [name, points] = item;
        const counted = times(tally, item);
        return make(
          "button.button.pad-item",
          {
            type: "button",
            "data-action": "claim-item",
            "data-item": `${name}-${points}`,
            disabled: sum + points > MOST,
            onclick: () => set(state, actions, counting(tally, item)),
          },
          text(`score.${name}`),
          make("b", null, `+${points}`),
          counted > 0 && make("span.pad-times", null, `×${counted}`),
        );
      }),
    ),
  ]);
}

/** One item of the count so far. @param {import("./tally.js").Counted} counted @param {number} index */
const itemText = ({ item, sum }, index) =>
  make(
    "span",
    null,
    (index ? text("list.comma") : "") + text("claim.item", { name: text(`score.${item[0]}`), n: sum }),
  );

/** @param {Table.State} state @param {Table.Actions} actions @param {import("./tally.js").Tally} next */
function set(state, actions, next) {
  state.tally = next;
  actions.render();
}

/** The points claimed with the next card, hand or crib. @param {Table.State} state */
export const claimed = ({ tally }) => tally.sum;

/**
 * Claim for the card to be played next.
 * @param {Table.State} state @param {Table.Actions} actions @param {number} points
 */
export const arm = (state, actions, points) => set(state, actions, tallyOf(points));

/** @param {Table.State} state @param {Table.Actions} actions @param {number} points */
const claim = (state, actions, points) => actions.act({ type: "Claim", seat: state.view.seat, points });

/** @param {Table.State} state @param {Table.Actions} actions */
export const claimButton = (state, actions) =>
  make(
    "button.button.button--primary",
    {
      type: "button",
      "data-action": "claim",
      "data-primary": true,
      onclick: () => claim(state, actions, state.tally.sum),
    },
    text("claim.say", { n: state.tally.sum }),
  );

/** @param {Table.State} state @param {Table.Actions} actions @param {number} digit */
export const typeDigit = (state, actions, digit) => set(state, actions, typing(state.tally, digit));

/** @param {Table.State} state @param {Table.Actions} actions */
export function challengeButtons(state, actions) {
  const { view } = state;
  return [
    state.moment !== null &&
      make("span.countdown", { id: "countdown", role: "timer", "aria-label": text("claim.time_left") }),
    make(
      "button.button.button--primary",
      {
        type: "button",
        "data-action": "accept",
        "data-primary": true,
        onclick: () => actions.act({ type: "Accept", seat: view.seat }),
      },
      text("claim.accept"),
    ),
    make(
      "button.button",
      {
        type: "button",
        "data-action": "muggins",
        onclick: () => actions.act({ type: "CallMuggins", seat: view.seat }),
      },
      text("claim.muggins"),
      make("kbd", { "aria-hidden": "true" }, "M"),
    ),
  ];
}
