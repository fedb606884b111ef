// @ts-check
// The play of the short rules' example, card by card: what lies, what the count is, what was scored.

import { cardElement } from "./cards.js";

/** @typedef {{seat: number, step: string, count: number, laid: [number, string][], points: number, lit: string[], told: string[], front: [number, number]}} Step */

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);
/** @type {{hands: string[][], steps: Step[]}} */
const { hands, steps } = JSON.parse(byId("play-data").textContent);
const opening = byId("play-told").textContent;
const joint = document.documentElement.lang === "ja" ? "" : " ";
const lines = /** @type {HTMLElement[]} */ ([...byId("play-steps").children]);
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
    byId(`play-hand-${seat}`).replaceChildren(
      ...hand.map((card) => {
        if (!gone.has(card)) return face(card, false);
        const place = document.createElement("span");
        place.className = "card-place";
        return place;
      }),
    );
    byId(`play-score-${seat}`).textContent = String(now?.front[seat] ?? 0);
  });
  byId("play-count").textContent = String(now?.count ?? 0);
  byId("play-laid").replaceChildren(
    ...(now?.laid ?? []).map(([seat, card]) => {
      const place = document.createElement("span");
      place.className = "play-card";
      place.dataset.by = String(seat);
      place.append(face(card, now?.lit.includes(card) ?? false));
      return place;
    }),
  );
  byId("play-told").textContent = now ? now.told.join(joint) : opening;
  lines.forEach((line, index) => (index === at - 1 ? line.setAttribute("aria-current", "step") : line.removeAttribute("aria-current")));
  for (const name of ["first", "back"]) button(name).disabled = at === 0;
  button("next").disabled = at === steps.length;
}

/** @param {string} name @returns {HTMLButtonElement} */
const button = (name) => byId("play-felt").querySelector(`[data-play="${name}"]`);

byId("play-felt").addEventListener("click", (/** @type {any} */ event) => {
  const name = event.target.closest("[data-play]")?.dataset.play;
  if (!name) return;
  at = name === "first" ? 0 : Math.min(Math.max(at + (name === "next" ? 1 : -1), 0), steps.length);
  draw();
  // A button that has just become useless passes the focus on.
  if (document.activeElement === document.body) button(at ? "back" : "next").focus({ preventScroll: true });
});
lines.forEach((line, index) =>
  line.addEventListener("click", (/** @type {any} */ event) => {
    if (event.target.closest("a")) return;
    at = index + 1;
    draw();
  }),
);
byId("play-felt").hidden = false;
draw();
