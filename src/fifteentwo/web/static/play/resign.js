// Resign a game after a second question.

import { byId, make } from "../elements.js";
import { text } from "../text.js";
import { loadMoreWords } from "../lazy.js";

/** @param {Table.State} state @param {Table.Actions} actions */
export async function askResign(state, actions) {
  const game = state.match?.game ?? 1;
  await loadMoreWords("clock");
  const dialog = make(
    "dialog.resign",
    { "aria-labelledby": "resign-title", onclose: () => dialog.remove() },
    make("h2", { id: "resign-title" }, text("clock.resign.title")),
    make("p", text("clock.resign.words")),
    make(
      "form.dialog-actions",
      { method: "dialog" },
      make(
        "button.button",
        {
          type: "submit",
          value: "yes",
          "data-action": "give-up",
          onclick() {
            actions.send({ t: "resign", d: game });
            // The summary of a deal holds back what follows.
            state.resume?.();
          },
        },
        text("clock.resign.do"),
      ),
      make(
        "button.button.button--primary",
        { type: "submit", value: "no", autofocus: true },
        text("clock.resign.keep"),
      ),
    ),
  );
  byId("table").after(dialog);
  dialog.showModal();
}
