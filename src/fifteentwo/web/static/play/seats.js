// Who sits where, who deals, who is to act, and how far each side has to go.

import { cardElement } from "../cards.js";
import { sideMark } from "../board.js";
import { byId, make, refresh } from "../elements.js";
import { say } from "../say.js";
import { others, sideOf } from "./follow.js";

/** @typedef {import("./desk.js").Desk} Desk */

/** The dealer's disc. */
const dealerMark = () => make("span.dealer", { title: say("table.dealer") }, make("span", { "aria-hidden": "true" }, say("table.dealer_mark")), make("span.visually-hidden", null, say("table.dealer")));

/** @param {Desk} desk @param {number} seat */
function plate(desk, seat) {
  const { view } = desk;
  const active = desk.settled && view.to_act.includes(seat);
  return make(
    "div.plate",
    { "data-turn": String(active) },
    sideMark(sideOf(view, seat)),
    make("span.plate-name", null, desk.names[seat]),
    levelOf(desk, seat),
    view.dealer === seat && dealerMark(),
    desk.says[seat] && make("span.bubble", { "data-says": desk.says[seat] }, desk.says[seat]),
  );
}

/** How strong a computer is; with a word where it cannot be as strong as it should. @param {Desk} desk @param {number} seat */
function levelOf(desk, seat) {
  const hurt = desk.trouble.find((one) => one.seat === seat);
  if (hurt) return make("small.plate-level.plate-level--hurt", { "data-trouble": hurt.table }, say("trouble.level", { level: say(`level.${hurt.level}`) }));
  return desk.levels[seat] && make("small.plate-level", null, say(`level.${desk.levels[seat]}`));
}

/** @param {Desk} desk */
export function renderSeats(desk) {
  const { view } = desk;
  const place = byId("seats");
  place.dataset.opponents = String(view.rules.seats - 1);
  const drawn = view.phase.startsWith("draw") || desk.scene === "drawn";
  const key = [view.seat, view.held, view.dealer, desk.names, desk.trouble, desk.says, desk.settled && view.to_act, drawn && view.drawn, desk.face];
  refresh(place, key, () =>
    others(view).map((seat) =>
      make(
        "div.seat",
        { "data-seat": seat },
        plate(desk, seat),
        drawn ? drawnCards(desk, seat) : make("div.held", { "data-held": seat, role: "img", "aria-label": say("table.holds", { name: desk.names[seat], n: view.held[seat] }) }, Array.from({ length: view.held[seat] }, () => cardElement(null, { size: "s" }))),
      ),
    ),
  );
  refresh(byId("own"), [view.seat, view.dealer, desk.names, desk.says, desk.settled && view.to_act], () => [plate(desk, view.seat)]);
}

/** @param {Desk} desk @param {number} seat */
const drawnCards = (desk, seat) => make("div.held.held--open", { "data-held": seat }, desk.view.drawn[seat].map((card) => desk.card(card, "s")));

/** @param {Desk} desk */
export function renderScores(desk) {
  const { view } = desk;
  const sides = Array.from({ length: view.rules.sides }, (_, i) => (sideOf(view, view.seat) + i) % view.rules.sides);
  const tally = desk.match?.tally ?? [];
  refresh(byId("scores"), [sides, view.front, desk.names, tally, view.rules.target, desk.gains], () =>
    sides.map((side) =>
      make(
        "li.score",
        { "data-side": side, "data-score": view.front[side] },
        sideMark(side),
        make("span.score-name", null, desk.names.filter((_, seat) => sideOf(view, seat) === side).join(say("table.partners"))),
        make("b.score-points", null, String(view.front[side])),
        make("span.score-rest", null, say("table.to_go", { n: view.rules.target - view.front[side] })),
        tally.some((games) => games > 0) && make("span.score-games", null, say("table.games", { n: tally[side] })),
        desk.gains[side] > 0 && make("span.gain", { "aria-hidden": "true" }, `+${desk.gains[side]}`),
      ),
    ),
  );
}

/** Places still open, each with its way in to pass on. @param {Desk} desk */
export function renderInvitations(desk) {
  const open = desk.invitations;
  byId("invite-button").hidden = open.length === 0;
  byId("invite-list").replaceChildren(
    ...open.map(({ path }) => {
      const address = new URL(path, location.href).href;
      const field = make("input", { readonly: true, value: address, "aria-label": say("invite.link"), onfocus: () => field.select() });
      const copy = make("button.button", { type: "button" }, say("invite.copy"));
      copy.addEventListener("click", async () => {
        field.select();
        await navigator.clipboard?.writeText(address);
        copy.textContent = say("invite.copied");
      });
      return make("li.row", null, field, copy);
    }),
  );
}
