// Reviews that are still missing, one after another, while the page is open.
// @ts-check

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("to-review"));
const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}");

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

if (form) {
  const progress = /** @type {HTMLProgressElement} */ (part("to-review-progress"));
  const go = /** @type {HTMLButtonElement} */ (part("to-review-go"));
  const stop = /** @type {HTMLButtonElement} */ (part("to-review-stop"));
  const said = part("to-review-said");
  let stopped = false;

  stop.addEventListener("click", () => {
    stopped = true;
    stop.disabled = true;
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const all = Number(form.dataset.left);
    go.hidden = true;
    progress.hidden = stop.hidden = false;
    stop.focus();
    let left = all;
    while (left > 0 && !stopped) {
      const answer = await fetch(form.action, { method: "POST", headers: { Accept: "application/json" } }).catch(() => null);
      if (!answer?.ok) {
        said.textContent = words["statistics.review.failed"];
        break;
      }
      left = (await answer.json()).left;
      progress.value = all - left;
      said.textContent = words["statistics.review.left"].replace("{n}", String(left));
    }
    location.reload();
  });
}
