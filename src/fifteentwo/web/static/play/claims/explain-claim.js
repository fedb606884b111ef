// The reasons for the last claim's right count, loaded on request.

import { byId, make } from "../../elements.js";
import { readableCards, text } from "../../text.js";
import { scoreText } from "../../scores.js";

/** @param {Table.State} state */
export function explainClaim(state) {
  const last = state.lastClaim;
  if (!last) return;
  const { claimed, right } = last;
  const name = state.names[last.seat];
  const answer =
    claimed === right ? text("claim.agreed", { name, points: right }) : text("claim.answer", { name, claimed, right });
  byId("reason-text").replaceChildren(
    make("p", answer),
    make(
      "ol.reason-list",
      last.scores.map((score) =>
        make("li", make("a", { href: `/rules#${score.rule}`, target: "_blank", rel: "noopener" }, scoreText(score))),
      ),
    ),
    ...last.nothing.map((words) => make("p", readableCards(words))),
  );
  byId("reason", HTMLDialogElement).showModal();
}
