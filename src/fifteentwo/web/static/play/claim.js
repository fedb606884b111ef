// Counting for yourself: say what your card, hand or crib makes, all at once or item by item; and muggins.

import { byId, make, refresh } from "../elements.js";
import { say } from "../say.js";
import { opened } from "./desk.js";
import { MOST, NOTHING, counting, itemsOf, saying, times, typing } from "./tally.js";

/** @typedef {import("./desk.js").Desk} Desk */

/** What has been put together so far. */
let tally = NOTHING;
/** The card, hand or crib it is for. */
let about = "";

/** @param {Desk} desk */
export function renderPad(desk) {
  const pad = byId("pad");
  const asked = desk.may("Claim");
  pad.hidden = !asked;
  byId("hand").hidden = asked;
  const { view } = desk;
  const show = opened(desk);
  const now = JSON.stringify([view.deal, view.hand.length, show]);
  if (about !== now) [about, tally] = [now, NOTHING];
  if (!asked) return;
  const { sum, items } = tally;
  refresh(pad, [about, sum, items, desk.face], () => [
    make(
      "div.pad-sum",
      { role: "group", "aria-label": say("claim.points") },
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
              "aria-label": say("claim.say", { n }),
              onclick: () => claim(desk, n),
            },
            String(n),
          ),
        ),
      ),
      make("p.pad-said", null, items.length ? items.map(said) : say("claim.hint")),
      make(
        "button.button.button--quiet.pad-clear",
        { type: "button", "data-action": "claim-clear", disabled: sum === 0, onclick: () => set(desk, NOTHING) },
        say("claim.clear"),
      ),
    ),
    make(
      "div.pad-items",
      { role: "group", "aria-label": say("claim.items") },
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
            onclick: () => set(desk, counting(tally, item)),
          },
          say(`score.${name}`),
          make("b", null, `+${points}`),
          counted > 0 && make("span.pad-times", null, `×${counted}`),
        );
      }),
    ),
  ]);
}

/** One item of the count so far. @param {import("./tally.js").Counted} counted @param {number} index */
const said = ({ item, sum }, index) =>
  make("span", null, (index ? say("list.comma") : "") + say("claim.item", { name: say(`score.${item[0]}`), n: sum }));

/** @param {Desk} desk @param {import("./tally.js").Tally} next */
function set(desk, next) {
  tally = next;
  desk.render();
}

export const claimed = () => tally.sum;

/** Say it for the card to be laid next. @param {Desk} desk @param {number} points */
export const arm = (desk, points) => set(desk, saying(points));

/** @param {Desk} desk @param {number} points */
const claim = (desk, points) => desk.act({ type: "Claim", seat: desk.view.seat, points });

/** @param {Desk} desk */
export const claimButton = (desk) =>
  make(
    "button.button.button--primary",
    { type: "button", "data-action": "claim", "data-primary": true, onclick: () => claim(desk, tally.sum) },
    say("claim.say", { n: tally.sum }),
  );

/** @param {Desk} desk @param {number} digit */
export const typeDigit = (desk, digit) => set(desk, typing(tally, digit));

/** @param {Desk} desk */
export function challengeButtons(desk) {
  const { view } = desk;
  return [
    desk.moment !== null &&
      make("span.countdown", { id: "countdown", role: "timer", "aria-label": say("claim.time_left") }),
    make(
      "button.button.button--primary",
      {
        type: "button",
        "data-action": "accept",
        "data-primary": true,
        onclick: () => desk.act({ type: "Accept", seat: view.seat }),
      },
      say("claim.accept"),
    ),
    make(
      "button.button",
      { type: "button", "data-action": "muggins", onclick: () => desk.act({ type: "CallMuggins", seat: view.seat }) },
      say("claim.muggins"),
      make("kbd", { "aria-hidden": "true" }, "M"),
    ),
  ];
}
