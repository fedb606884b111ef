// Review the remaining games one after another while the page is open.

import { byId, find } from "../elements.js";
import { text, wordsInPage } from "../text.js";

wordsInPage();
const form = find(document, "#to-review", HTMLFormElement);
if (form) prepare(form);

/** @param {HTMLFormElement} form */
function prepare(form) {
  const stop = byId("to-review-stop", HTMLButtonElement);
  let stopped = false;
  stop.addEventListener("click", () => {
    stopped = true;
    stop.disabled = true;
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    byId("to-review-go").hidden = true;
    byId("to-review-progress").hidden = stop.hidden = false;
    stop.focus();
    await reviewAll(form, () => stopped);
    location.reload();
  });
}

/** @param {HTMLFormElement} form @param {() => boolean} isStopped */
async function reviewAll(form, isStopped) {
  const all = Number(form.dataset.left);
  for (let left = all; left > 0 && !isStopped(); ) {
    const answer = await fetch(form.action, { method: "POST", headers: { Accept: "application/json" } }).catch(
      () => null,
    );
    if (!answer?.ok) {
      byId("to-review-status").textContent = text("statistics.review.failed");
      return;
    }
    left = (await answer.json()).left;
    byId("to-review-progress", HTMLProgressElement).value = all - left;
    byId("to-review-status").textContent = text("statistics.review.left", { n: left });
  }
}
