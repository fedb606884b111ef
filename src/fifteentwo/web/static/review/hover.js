// Point at the curve with pointer, finger or keyboard to see the position; press to go to it.

import { byId } from "../elements.js";
import { acrossAt, stepAt } from "./curve.js";
import { glimpse } from "./glimpse.js";
import { momentOf } from "./story.js";

/** @typedef {import("./reviewed.js").Reviewed} Reviewed */

/** Return the moment under the pointer, or null without a curve. @param {Reviewed} game @param {number} x */
function momentAt(game, x) {
  if (!game.drawn) return null;
  const { left } = byId("course").getBoundingClientRect();
  return momentOf(game.moments, Math.max(0, stepAt(game.drawn.course, game.drawn.size, x - left)));
}

/** @param {Reviewed} game @param {number} at number of the moment */
function showGlimpse(game, at) {
  const { drawn } = game;
  const host = byId("glimpse");
  if (!drawn || !game.moments[at]) return;
  if (host.hidden || host.dataset.at !== String(at) || !host.childElementCount)
    host.replaceChildren(...glimpse(game, at));
  host.dataset.at = String(at);
  host.hidden = false;
  const place = byId("course").getBoundingClientRect();
  const x = acrossAt(drawn.course, drawn.size, game.moments[at].last);
  // Within the panel; above the curve if there is space, because a finger hides what is below.
  const most = Math.max(0, place.width - host.offsetWidth);
  host.style.insetInlineStart = `${Math.min(Math.max(x - host.offsetWidth / 2, 0), most)}px`;
  host.dataset.side = place.top > host.offsetHeight + 8 ? "above" : "below";
  byId("course").style.setProperty("--hover", `${x}px`);
}

const hideGlimpse = () => {
  byId("glimpse").hidden = true;
};

/** @param {Reviewed} game @param {(at: number) => void} stepTo */
export function followCurve(game, stepTo) {
  const course = byId("course");
  const slider = byId("at", HTMLInputElement);
  for (const kind of /** @type {const} */ (["pointerdown", "pointermove"]))
    course.addEventListener(kind, ({ buttons, clientX }) => {
      const at = momentAt(game, clientX);
      if (at === null) return;
      if (buttons) stepTo(at);
      showGlimpse(game, at);
    });
  // A finger leaves when it is raised.
  course.addEventListener("pointerleave", hideGlimpse);
  for (const kind of ["focus", "input"])
    slider.addEventListener(kind, () => slider.matches(":focus-visible") && showGlimpse(game, Number(slider.value)));
  slider.addEventListener("blur", hideGlimpse);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hideGlimpse());
}
