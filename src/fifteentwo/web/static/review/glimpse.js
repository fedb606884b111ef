// A small picture of a position next to the curve: both hands, the cards of the count, the event.

import { make } from "../elements.js";
import { playedNow } from "../play/events/follow.js";
import { cardElement } from "../cards/cards.js";
import { likes } from "../settings/settings.js";
import { text } from "../text.js";
import { chanceAt } from "./course.js";
import { percent } from "./figures.js";
import { viewFrom } from "./story.js";

/** @typedef {import("./reviewed.js").Reviewed} Reviewed */

/** @param {string} kind @param {(string | null)[]} cards */
const row = (kind, cards) =>
  make(
    `div.glimpse-row.flex.centred.shrinks.glimpse-${kind}`,
    cards.map((card) => cardElement(card, { size: "fill", fourColour: likes.four })),
  );

/** Return the position after a moment, seen from the chosen seat. @param {Reviewed} game @param {number} at */
export function glimpse(game, at) {
  const moment = game.moments[at];
  const picture = game.pictures[moment.after];
  const view = viewFrom(picture, game.seat);
  const { counted } = moment;
  const played = counted ? counted.cards : playedNow(view).map(([, card]) => card);
  const others = picture.hands.length === 2 ? picture.hands[1 - game.seat] : [];
  return [
    make(
      "p.glimpse-at.flex.between.gap-2",
      make(
        "span",
        moment.deal ? text("review.at", { deal: moment.deal, score: picture.front.join("–") }) : text("review.opening"),
      ),
      game.points.length > 0 && make("b", percent(chanceAt(game.course, moment.last))),
    ),
    make(
      "div.glimpse-felt.grid.gap-1.rounded",
      row("others", game.open ? others : others.map(() => null)),
      make(
        "div.glimpse-middle.aligned.centred.gap-2",
        view.starter && row("starter", [view.starter]),
        counted
          ? make("b.glimpse-count.nowrap", text("review.points", { points: counted.points }))
          : played.length > 0 && make("b.glimpse-count.nowrap", String(view.count)),
        row("played", played),
      ),
      row("own", view.hand),
    ),
    make("p.glimpse-words", moment.sentences.at(-1) ?? ""),
  ];
}
