// @ts-check
// Counting for yourself: say what your card, hand or crib makes, all at once or item by item; and muggins.

import { byId, make, refresh } from "./element.js";
import { opened } from "./show.js";
import { cardName, say } from "./words.js";

/** @typedef {import("./desk.js").Desk} Desk */

const MOST = 29;
// Short names first, so that the buttons fill their rows.
const ROYALS = [["pair_royal", 6], ["double_pair_royal", 12]];
const IN_PLAY = [["fifteen", 2], ["thirty_one", 2], ["pair", 2], ["run", 3], ["run", 4], ["run", 5], ["run", 6], ["run", 7], ...ROYALS];
const IN_HAND = [["fifteen", 2], ["pair", 2], ["run", 3], ["run", 4], ["run", 5], ["nobs", 1], ["flush", 4], ["flush", 5], ...ROYALS];
const IN_SHORT_HAND = [["fifteen", 2], ["pair", 2], ["run", 3], ["run", 4], ["nobs", 1], ["flush", 3], ["flush", 4], ...ROYALS];
const IN_CRIB = [["fifteen", 2], ["pair", 2], ["run", 3], ["run", 4], ["run", 5], ["nobs", 1], ["flush", 5], ...ROYALS];

/** What has been put together so far: each item, its points and the sum with it. @type {{sum: number, items: [string, number, number][], for: string}} */
const claim = { sum: 0, items: [], for: "" };

/** @param {Desk} desk */
export function renderPad(desk) {
  const pad = byId("pad");
  const asked = desk.may("Claim");
  pad.hidden = !asked;
  byId("hand").hidden = asked;
  if (!asked) {
    claim.for = "";
    return;
  }
  const { view } = desk;
  const show = opened(desk);
  const about = JSON.stringify([view.deal, view.played.length, show]);
  if (claim.for !== about) Object.assign(claim, { sum: 0, items: [], for: about });
  const kinds = !show ? IN_PLAY : show.crib ? IN_CRIB : show.cards.length === 3 ? IN_SHORT_HAND : IN_HAND;
  refresh(pad, [about, claim.sum, claim.items, desk.face], () => [
    make(
      "div.pad-sum",
      { role: "group", "aria-label": say("claim.points") },
      make("button.button.pad-step", { type: "button", "data-action": "claim-less", "aria-label": say("claim.less"), disabled: claim.sum === 0, onclick: () => set(desk, claim.sum - 1) }, "−"),
      make("output.count", { "data-claim": claim.sum, "aria-live": "polite" }, String(claim.sum)),
      make("button.button.pad-step", { type: "button", "data-action": "claim-more", "aria-label": say("claim.more"), disabled: claim.sum === MOST, onclick: () => set(desk, claim.sum + 1) }, "+"),
      make("p.pad-said", null, claim.items.length ? claim.items.map(said) : say("claim.hint")),
      make("button.button.button--quiet.pad-clear", { type: "button", "data-action": "claim-clear", disabled: claim.sum === 0, onclick: () => set(desk, 0) }, say("claim.clear")),
    ),
    make(
      "div.pad-items",
      { role: "group", "aria-label": say("claim.items") },
      kinds.map(([name, points]) =>
        make(
          "button.button.pad-item",
          { type: "button", "data-action": "claim-item", "data-item": `${name}-${points}`, disabled: claim.sum + Number(points) > MOST, onclick: () => add(desk, String(name), Number(points)) },
          say(`score.${name}`),
          make("b", null, `+${points}`),
          timesOf(name, points),
        ),
      ),
    ),
  ]);
}

/** One item of the count so far. @param {[string, number, number]} item @param {number} index */
const said = ([name, , at], index) => make("span", null, (index ? say("list.comma") : "") + say("claim.item", { name: say(`score.${name}`), n: at }));

/** How often an item has been counted, beside its button. @param {string | number} name @param {string | number} points */
function timesOf(name, points) {
  const times = claim.items.filter((item) => item[0] === name && item[1] === points).length;
  return times > 0 && make("span.pad-times", null, `×${times}`);
}

/** @param {Desk} desk @param {number} sum */
function set(desk, sum) {
  Object.assign(claim, { sum: Math.min(Math.max(sum, 0), MOST), items: [] });
  desk.render();
}

/** @param {Desk} desk @param {string} name @param {number} points */
function add(desk, name, points) {
  claim.sum += points;
  claim.items = [...claim.items, [name, points, claim.sum]];
  desk.render();
}

export const claimed = () => claim.sum;

/** @param {Desk} desk */
export const claimButton = (desk) =>
  make("button.button.button--primary", { type: "button", "data-action": "claim", "data-primary": true, onclick: () => desk.act({ type: "Claim", seat: desk.view.seat, points: claim.sum }) }, say("claim.say", { n: claim.sum }));

/** Digits typed one after the other make the number. @param {Desk} desk @param {number} digit */
export function typeDigit(desk, digit) {
  const longer = claim.items.length ? digit : claim.sum * 10 + digit;
  set(desk, longer > MOST ? digit : longer);
}

/** @param {Desk} desk */
export function challengeButtons(desk) {
  const { view } = desk;
  return [
    desk.moment !== null && make("span.countdown", { id: "countdown", role: "timer", "aria-label": say("claim.time_left") }),
    make("button.button.button--primary", { type: "button", "data-action": "accept", "data-primary": true, onclick: () => desk.act({ type: "Accept", seat: view.seat }) }, say("claim.accept")),
    make("button.button", { type: "button", "data-action": "muggins", onclick: () => desk.act({ type: "CallMuggins", seat: view.seat }) }, say("claim.muggins"), make("kbd", { "aria-hidden": "true" }, "M")),
  ];
}

/** What was right, and why, for whoever asks. @param {Desk} desk */
export function explainClaim(desk) {
  const last = desk.lastClaim;
  if (!last) return;
  byId("reason-text").replaceChildren(
    make("p", null, say("claim.answer", { name: desk.names[last.seat], said: last.claimed, right: last.right })),
    make(
      "ol.reason-list",
      null,
      last.scores.map((/** @type {any} */ score) =>
        make("li", null, make("a", { href: `/rules#${score.rule}`, target: "_blank", rel: "noopener" }, say(`score.${score.name}`)), `${say("list.colon")}${score.cards.map(cardName).join(say("list.comma"))} `, make("b", null, `+${score.points}`)),
      ),
    ),
    last.scores.length === 0 ? make("p", null, say("show.nothing")) : "",
  );
  byId("reason").showModal();
}
