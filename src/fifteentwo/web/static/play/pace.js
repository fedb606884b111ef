// How fast things happen. One tap ends the scene that is running; the next one has its time again.

/** @type {Record<string, number>} */
const FACTORS = { instant: 0, fast: 0.45, normal: 1, slow: 1.9 };
export const SPEEDS = Object.keys(FACTORS);

let factor = 1;
let hurried = false;
/** @type {Set<() => void>} */
const waits = new Set();

/** @param {string} speed */
export function setSpeed(speed) {
  factor = FACTORS[speed] ?? 1;
}

/** How long something may take now. @param {number} ms */
export const time = (ms) => (hurried ? 0 : ms * factor);

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
