// The play of the short rules' example, card by card: what lies, what the count is, what was scored.

import { cardElement } from "./cards.js";
import { all, byId, find, make, pressed } from "./elements.js";

/** @type {Wire.Example} */
const { hands, steps } = JSON.parse(byId("play-data").textContent ?? "");
const opening = byId("play-told").textContent;
const joint = document.documentElement.lang === "ja" ? "" : " ";
const lines = all(byId("play-steps"), "li");
/** Steps done; 0 is the beginning. */
let at = 0;

/** @param {string} card @param {boolean} lit */
function face(card, lit) {
  const svg = cardElement(card, { size: "fill" });
  svg.classList.toggle("is-lit", lit);
  // The picker's cards alone are called that.
  delete svg.dataset.card;
  svg.dataset.shown = card;
  return svg;
}

function draw() {
  const done = steps.slice(0, at);
  const now = done.at(-1);
  const gone = new Set(done.map(({ step }) => step));
  hands.forEach((hand, seat) => {
    byId(`play-hand-${seat}`).replaceChildren(...hand.map((card) => (gone.has(card) ? make("span.card-place") : face(card, false))));
    byId(`play-score-${seat}`).textContent = String(now?.front[seat] ?? 0);
  });
  byId("play-count").textContent = String(now?.count ?? 0);
  byId("play-laid").replaceChildren(
    ...(now?.laid ?? []).map(([seat, card]) => make("span.play-card", { "data-by": seat }, face(card, now?.lit.includes(card) ?? false))),
  );
  byId("play-told").textContent = now ? now.told.join(joint) : opening;
  lines.forEach((line, index) => (index === at - 1 ? line.setAttribute("aria-current", "step") : line.removeAttribute("aria-current")));
  for (const button of all(byId("play-felt"), "[data-play]", HTMLButtonElement)) button.disabled = at === (button.dataset.play === "next" ? steps.length : 0);
}

byId("play-felt").addEventListener("click", (event) => {
  const name = pressed(event, "[data-play]")?.dataset.play;
  if (!name) return;
  at = name === "first" ? 0 : Math.min(Math.max(at + (name === "next" ? 1 : -1), 0), steps.length);
  draw();
  // A button that has just become useless passes the focus on.
  if (document.activeElement === document.body) find(byId("play-felt"), `[data-play="${at ? "back" : "next"}"]`)?.focus({ preventScroll: true });
});
lines.forEach((line, index) =>
  line.addEventListener("click", (event) => {
    if (pressed(event, "a")) return;
    at = index + 1;
    draw();
  }),
);
byId("play-felt").hidden = false;
draw();
