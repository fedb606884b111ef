// Cards that fly from where they were to where they are.

import { wantsStill } from "../elements.js";
import { time } from "./pace.js";

/** How long something that moves may take now. @param {number} ms */
export const motion = (ms) => (wantsStill() ? 0 : time(ms));

/**
 * Let an element come from where something else was.
 * @param {Element | null | undefined} node @param {DOMRect | undefined} from @param {number} [ms] @param {number}
 *   [delay]
 */
export function flyFrom(node, from, ms = 220, delay = 0) {
  const duration = motion(ms);
  if (!node || !from?.width || duration < 30) return;
  const to = node.getBoundingClientRect();
  if (!to.width) return;
  const dx = from.left + from.width / 2 - (to.left + to.width / 2);
  const dy = from.top + from.height / 2 - (to.top + to.height / 2);
  node.animate([{ transform: `translate(${dx}px, ${dy}px) scale(${from.width / to.width})` }, { transform: "none" }], {
    duration,
    delay: motion(delay),
    easing: "cubic-bezier(.2,.7,.3,1)",
    fill: "backwards",
  });
}
