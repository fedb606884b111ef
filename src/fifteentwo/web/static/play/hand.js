// Your own cards: chosen for the crib, or laid in the play.

import { byRank } from "../cards/deck.js";
import { byId, make, refresh } from "../elements.js";
import { cardName, say } from "../say.js";
import { stageOf } from "./desk.js";
import { leadOn } from "./lead.js";
import { fits, layAndSay, layCard, mayFollow } from "./saying.js";
import { summaryPanel } from "./summary.js";

/** @typedef {import("./desk.js").Desk} Desk */

/** By rank, then by suit. @param {Pick<Desk, "view">} desk */
export const handInOrder = ({ view }) =>
  [...view.hand].sort((one, other) => byRank(one, other) || one.charCodeAt(1) - other.charCodeAt(1));

/** Why a card cannot be pressed now, or "". @param {Desk} desk @param {string} card */
function hindrance(desk, card) {
  if (desk.may("Discard")) return "";
  if (mayFollow(desk)) return fits(desk.view, card) ? "" : "past31";
  if (!desk.may("Play")) return "wait";
  return desk.choices.some((choice) => choice.type === "Play" && choice.card === card) ? "" : "past31";
}

/** @param {Desk} desk */
export function renderHand(desk) {
  const { view } = desk;
  const cards = handInOrder(desk);
  desk.picked = desk.picked.filter((card) => cards.includes(card));
  const hindrances = cards.map((card) => hindrance(desk, card));
  const host = byId("hand");
  byId("near").style.setProperty("--dealt", String(view.rules.dealt));
  host.style.setProperty("--cards", String(Math.max(cards.length, 1)));
  const laying = desk.may("Discard");
  refresh(host, [cards, hindrances, desk.picked, laying, desk.face, view.deal], () =>
    cards.map((card, index) => {
      const why = hindrances[index];
      const name = cardName(card);
      return make(
        "li",
        null,
        make(
          `button.card-button${why === "past31" ? ".is-dim" : ""}`,
          {
            type: "button",
            "data-card": card,
            "data-index": index + 1,
            "aria-label": why === "past31" ? say("hand.past31", { card: name }) : name,
            "aria-pressed": laying ? String(desk.picked.includes(card)) : null,
            "aria-disabled": why ? "true" : null,
            title: why === "past31" ? say("hand.past31", { card: name }) : null,
            onclick: () => press(desk, card),
          },
          desk.card(card, "fill"),
        ),
        !why && !laying && layAndSay(desk, card),
      );
    }),
  );
}

/** What lies before you while you hold no cards: the hands counted, or room for the deal. @param {Desk} desk */
export function renderBeside(desk) {
  const { view } = desk;
  const host = byId("beside");
  const stage = stageOf(desk);
  const counted = desk.shows.length > 0 && (stage === "show" || stage === "over");
  const empty = (!view.hand.length || counted) && !desk.may("Claim");
  host.hidden = !empty;
  byId("hand").hidden ||= empty;
  if (!empty) return;
  if (desk.shows.length && stage !== "play")
    refresh(host, [stage, desk.shows, desk.names, desk.face], () => summaryPanel(desk));
  else if (stage === "cut")
    refresh(host, [stage, view.rules.dealt], () =>
      Array.from({ length: view.rules.dealt }, () => make("span.card-place")),
    );
  else refresh(host, [stage, "nothing"], () => []);
}

/**
 * Choose a card, or lay it; once enough are chosen by key, the keyboard goes on to the button.
 * @param {Desk} desk @param {string} card
 */
export function press(desk, card) {
  const why = hindrance(desk, card);
  if (why === "past31") return desk.warn(say("hand.past31", { card: cardName(card) }));
  if (why) return;
  if (!desk.may("Discard")) return layCard(desk, card);
  const most = desk.view.rules.discards;
  if (desk.picked.includes(card)) desk.picked = desk.picked.filter((other) => other !== card);
  else desk.picked = [...desk.picked, card].slice(-most);
  desk.render();
  if (desk.picked.length === most) leadOn();
}
