// What was right in the last claim, and why: loaded when it is asked for.

import { byId, make } from "../../elements.js";
import { seenAndHeard, text } from "../../text.js";
import { scoreText } from "../../scores.js";

/** Show the reasons of the last claim. @param {Table.State} state */
export function explainClaim(state) {
  const last = state.lastClaim;
  if (!last) return;
  const { claimed, right } = last;
  const name = state.names[last.seat];
  const answer =
    claimed === right ? text("claim.agreed", { name, points: right }) : text("claim.answer", { name, claimed, right });
  byId("reason-text").replaceChildren(
    make("p", null, answer),
    make(
      "ol.reason-list",
      null,
      last.scores.map((score) =>
        make(
          "li",
          null,
          make("a", { href: `/rules#${score.rule}`, target: "_blank", rel: "noopener" }, scoreText(score)),
        ),
      ),
    ),
    ...last.nothing.map((words) => make("p", null, seenAndHeard(words))),
  );
  byId("reason", HTMLDialogElement).showModal();
}
