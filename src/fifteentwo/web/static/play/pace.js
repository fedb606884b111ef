// @ts-check
// How fast things happen. One tap ends the scene that is running; the next one has its time again.

const FACTORS = { instant: 0, fast: 0.45, normal: 1, slow: 1.9 };
export const SPEEDS = /** @type {const} */ (["instant", "fast", "normal", "slow"]);

let factor = 1;
let hurried = false;
/** @type {Set<() => void>} */
const waits = new Set();

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {string} speed */
export function setSpeed(speed) {
  factor = FACTORS[/** @type {keyof typeof FACTORS} */ (speed)] ?? 1;
}

/** How long something may take now. @param {number} ms */
export const time = (ms) => (hurried ? 0 : ms * factor);

/** The same for things that move. @param {number} ms */
export const motion = (ms) => (still.matches ? 0 : time(ms));

/** @param {number} ms @returns {Promise<void>} */
export function pause(ms) {
  const length = time(ms);
  if (length <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      waits.delete(end);
      resolve();
    };
    const timer = setTimeout(end, length);
    waits.add(end);
  });
}

/** Whether there is anything to hurry. */
export const busy = () => waits.size > 0;

/** End this scene at once. */
export function hurry() {
  hurried = true;
  for (const end of [...waits]) end();
}

export function newScene() {
  hurried = false;
}

/**
 * Let an element come from where something else was.
 * @param {Element | null | undefined} node @param {DOMRect | undefined} from @param {number} [ms] @param {number} [delay]
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
