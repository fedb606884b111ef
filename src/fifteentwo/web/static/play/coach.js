// The coach: a quiet mark after each choice, a word after a costly one, and the way to take it back before anybody
// answers. Only where hints are given; switched on in the settings.

import { byId, make, refresh } from "../elements.js";
import { cardName, listed, say } from "../say.js";
import { likes } from "./settings.js";

/** @typedef {import("./desk.js").Desk} Desk */

/** What was said last, and of which deal. @type {{verdict: Wire.Verdict, deal: number} | null} */
let told = null;
let listening = false;

/**
 * Tell the server what is wanted: at a new line, and when the settings change.
 * @param {Desk} desk @param {boolean} [afresh]
 */
export function callCoach(desk, afresh = false) {
  if (afresh) listening = false;
  const wanted = likes.coach && desk.hints;
  if (wanted === listening) return;
  listening = wanted;
  if (!wanted) told = null;
  desk.send({ t: "coach", d: wanted });
}

/** @param {Desk} desk @param {Wire.Verdict} verdict */
export function takeVerdict(desk, verdict) {
  if (!likes.coach) return;
  told = { verdict, deal: desk.view.deal };
  desk.render();
}

/** Whether the table waits for the reader to hear the coach. */
export const coachHolds = () => told?.verdict.held ?? false;

/** @param {Desk} desk */
export function dropVerdict(desk) {
  if (!told) return;
  told = null;
  renderCoach(desk);
}

/** Take it back, or let it stand. @param {Desk} desk */
export const coachButtons = (desk) => [
  make("button.button", { type: "button", "data-action": "go-on", onclick: () => letStand(desk) }, say("coach.go-on")),
  make(
    "button.button.button--primary",
    {
      type: "button",
      "data-action": "take-back",
      "data-primary": true,
      onclick: () => desk.send({ t: "undo" }) && dropVerdict(desk),
    },
    say("coach.take-back"),
  ),
];

/** @param {Desk} desk */
function letStand(desk) {
  if (!desk.send({ t: "go-on" }) || !told) return;
  told = { ...told, verdict: { ...told.verdict, held: false } };
  desk.render();
}

/** @param {Desk} desk */
export function renderCoach(desk) {
  if (told && told.deal !== desk.view.deal) told = null;
  const { mark, cost, best, told: why } = told?.verdict ?? { mark: null, cost: "", best: [], told: [] };
  refresh(byId("coach"), told, () => {
    if (!told) return [];
    const costly = mark === "mistake" || mark === "blunder";
    const sign = make("span.coach-sign", { "aria-hidden": "true" }, costly ? "?" : mark ? "≈" : "✓");
    const words = costly
      ? say("coach.costly", { best: listed(best.map(cardName)), cost })
      : say(mark ? "coach.small" : "coach.best", { cost });
    return [
      make("p.coach-words", { "data-mark": mark ?? "best" }, sign, words),
      costly && why.length > 0 && make("p.coach-why", null, why[0]),
    ];
  });
}
