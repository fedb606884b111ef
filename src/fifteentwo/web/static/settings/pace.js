// Speed: how long events and flying cards take. A press ends the running scene; a show is one scene.

import { prefersReducedMotion } from "../elements.js";

/** @type {Record<string, number>} */
const FACTORS = { instant: 0, fast: 0.45, normal: 1, slow: 1.9 };
export const SPEEDS = Object.keys(FACTORS);

/** @typedef {{ms: number, began: number, timer: ReturnType<typeof setTimeout>, end: () => void}} Wait */

const pace = {
  factor: 1,
  hurried: false,
  /** Milliseconds already waited for the next event. */
  spent: 0,
};
/** @type {Set<Wait>} */
const waits = new Set();

/** Set the speed; running waits continue at the new speed. @param {string} speed */
export function setSpeed(speed) {
  const before = pace.factor;
  pace.factor = FACTORS[speed] ?? 1;
  if (before === pace.factor) return;
  const now = performance.now();
  for (const wait of waits) {
    const done = before ? (now - wait.began) / before : wait.ms;
    wait.ms -= done;
    wait.began = now;
    clearTimeout(wait.timer);
    wait.timer = setTimeout(wait.end, Math.max(0, time(wait.ms)));
  }
}

/** Return the next slower or faster speed, if any. @param {string} speed @param {1 | -1} step */
export const besides = (speed, step) => SPEEDS[Math.min(Math.max(SPEEDS.indexOf(speed) - step, 0), SPEEDS.length - 1)];

/** Return the duration at the present speed. @param {number} ms */
export const time = (ms) => (pace.hurried ? 0 : ms * pace.factor);

/** @param {number} ms @returns {Promise<void>} */
export function pause(ms) {
  const length = time(ms);
  if (length <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(wait.timer);
      waits.delete(wait);
      resolve();
    };
    /** @type {Wait} */
    const wait = { ms, began: performance.now(), timer: setTimeout(end, length), end };
    waits.add(wait);
  });
}

/** The reader's card was shown before it was sent, so its answer needs no further wait. */
export function skipNextPause() {
  pace.spent = beat("Played", true).after + beat("Played").before;
}

/** Pause, less the time already waited. @param {number} ms */
export function rest(ms) {
  const left = Math.max(0, ms - pace.spent);
  pace.spent -= ms - left;
  return pause(left);
}

export const busy = () => waits.size > 0;

export function endScene() {
  pace.hurried = true;
  for (const { end } of [...waits]) end();
}

export function newScene() {
  pace.hurried = false;
}

// ── Flying cards ──────────────────────────────────────────────────

/** Return the duration of a motion; 0 with reduced motion. @param {number} ms */
export const motion = (ms) => (prefersReducedMotion() ? 0 : time(ms));

/**
 * Move an element from another place to its own.
 * @param {Element | null | undefined} node @param {DOMRect | undefined} from @param {number} [ms]
 * @param {number} [delay]
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

// ── Milliseconds of each event at normal speed ────────────────────────────────────────

/** @typedef {{before: number, after: number}} Beat before an event is seen, and after */

/** @type {Record<Wire.Event["type"], [other: Partial<Beat>, own?: Partial<Beat>]>} */
const BEATS = {
  Picked: [{ after: 200 }, { after: 100 }],
  Drew: [{ after: 450 }],
  DrawTied: [{ before: 1200 }],
  PartnersMade: [{ after: 1200 }],
  DealerChosen: [{ after: 900 }],
  DeckCut: [{ after: 300 }, { after: 120 }],
  Dealt: [{ after: 340 }],
  Discarded: [{ after: 180 }, { after: 150 }],
  StockCut: [{ after: 300 }, { after: 120 }],
  StarterTurned: [{ after: 340 }],
  Played: [{ before: 170, after: 120 }, { after: 100 }],
  WentGo: [{ before: 60, after: 190 }],
  CountCleared: [{ before: 160, after: 80 }],
  Shown: [{ after: 120 }],
  Claimed: [{ after: 240 }, { after: 80 }],
  MugginsCalled: [{ after: 600 }],
  Accepted: [{}],
  ClaimSettled: [{}],
  Pegged: [{ after: 100 }],
  DealEnded: [{}],
  GameWon: [{ before: 300 }],
};

/** @param {Wire.Event["type"]} type @param {boolean} own whether the reader caused the event @returns {Beat} */
export function beat(type, own = false) {
  const [other, mine] = BEATS[type];
  return { before: 0, after: 0, ...((own && mine) || other) };
}

/** Maximum milliseconds of a peg's walk. */
const WALK = 270;

/** Return the milliseconds per hole. @param {number} holes */
export const stride = (holes) => Math.min(80, WALK / Math.max(holes, 1));

/** From this deal on the show needs less time. */
const KNOWN = 3;

/** @typedef {{each: number, whole: number}} CountBeats each score of a hand, and the whole count after them */

/** @param {number} scores number of scores @param {number} deal @returns {CountBeats} */
export function countBeats(scores, deal) {
  const all = deal < KNOWN ? 900 : 600;
  return scores ? { each: Math.min(all / scores, 420), whole: 180 } : { each: 0, whole: 450 };
}

/** A wrong claim is not counted aloud, but needs time for reading. */
export const WRONG = 1000;

/** A summary that ends by itself needs time for reading. */
export const READ = 5000;

/** Whether an event pegs the hand or crib shown before it. @param {Wire.Event | null | undefined} event */
export const pegsShown = (event) => event?.type === "Pegged" && (event.reason === "hand" || event.reason === "crib");
