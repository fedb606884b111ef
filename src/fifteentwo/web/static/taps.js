// The second tap of a double tap does not press a button that has appeared under the finger since the first one.

import { all, pressed } from "./elements.js";

const BUTTONS = "button, a, summary";
/** Milliseconds after a tap, and pixels around it, in which a new button ignores taps. */
const BLIND = 400;
const NEAR = 40;

/** Return a name that a button keeps when the page draws it again. @param {HTMLElement} button */
const nameOf = ({ id, dataset }) => [id, dataset.action, dataset.card, dataset.at, dataset.key].join(" ");

/** Presses by key and single clicks of a mouse always count. */
export function ignoreTapsOnNewButtons() {
  const last = { at: Number.NEGATIVE_INFINITY, x: 0, y: 0, places: /** @type {Map<string, DOMRect>} */ (new Map()) };
  document.addEventListener(
    "click",
    (event) => {
      const { timeStamp: at, clientX: x, clientY: y, detail } = event;
      const button = pressed(event, BUTTONS);
      if (detail === 0) return;
      const repeated = detail > 1 || (event instanceof PointerEvent && event.pointerType === "touch");
      const soon = repeated && at - last.at < BLIND && Math.hypot(x - last.x, y - last.y) < NEAR;
      const before = button && last.places.get(nameOf(button));
      const wasHere = before && x >= before.left && x <= before.right && y >= before.top && y <= before.bottom;
      if (soon && button && !wasHere) {
        event.preventDefault();
        return event.stopImmediatePropagation();
      }
      const places = new Map(all(document, BUTTONS).map((one) => [nameOf(one), one.getBoundingClientRect()]));
      Object.assign(last, { at, x, y, places });
    },
    true,
  );
}
