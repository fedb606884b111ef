// Move the own pegs by tap, drag or keys (R118), if the setting is on.

import { find, isBrowserKey, make } from "../../elements.js";
import { text } from "../../text.js";
import { sideOf } from "../events/follow.js";
import { hasTimeLimit } from "../state.js";
import { loadStyleSheet, loadMoreWords } from "../../lazy.js";

/** Largest distance between a tap and its hole, in units of the drawing. */
const NEAR = 24;
const ready = { asked: false };

/** With a time limit pegs move by themselves; the settings say so. @param {Table.State} state @param {number} side */
export function movesPegs(state, side) {
  const { view, levels, role } = state;
  const mine = (/** @type {number} */ seat) => (role === "shared" ? levels[seat] === null : seat === view.seat);
  return !hasTimeLimit(state) && levels.some((_, seat) => mine(seat) && sideOf(view, seat) === side);
}

/** @param {Table.State} state @param {Table.Actions} actions @param {Wire.Pegged} event */
export async function movePeg(state, actions, { side, points, score }) {
  const { board, view } = state;
  if (!board || !movesPegs(state, side)) return false;
  if (!ready.asked) loadStyleSheet("play/seats/own-pegs");
  ready.asked = true;
  await loadMoreWords("pegs");
  const from = view.front[side];
  const most = Math.min(view.rules.target, from + 31);
  const peg = board.movingPeg(side, from, score);
  const slider = make("input.peg-slider.flush", {
    type: "range",
    min: from,
    max: most,
    value: from,
    "aria-label": text("pegs.slider"),
    oninput: () => show(Number(slider.value)),
  });
  const asked = { at: from, end: () => {} };

  /** @param {string} words */
  function ask(words) {
    state.question = { words, buttons: () => controls };
    actions.render();
  }
  /** @param {number} hole */
  function show(hole) {
    asked.at = Math.min(Math.max(hole, from), most);
    slider.value = String(asked.at);
    slider.setAttribute("aria-valuetext", text("pegs.hole", { n: asked.at }));
    peg.put(asked.at);
  }
  /** Set the peg down and say whether it is right, or how far it is wrong. */
  function put() {
    if (asked.at === score) return asked.end();
    const n = Math.abs(asked.at - score);
    ask(text(asked.at < score ? "pegs.short" : "pegs.over", { at: asked.at, n }));
  }
  /** @param {PointerEvent} event */
  function follow(event) {
    const hole = nearest(peg, event, from, most);
    if (hole !== null) show(hole);
    return hole !== null;
  }
  const controls = [
    slider,
    make("button.button", { "data-action": "peg-alone", onclick: () => asked.end() }, text("pegs.alone")),
    make(
      "button.button.button--primary",
      { "data-action": "peg", "data-primary": true, onclick: put },
      text("pegs.put"),
    ),
  ];
  const stop = new AbortController();
  listen(board, stop.signal, { follow, put, step: (by) => show(asked.at + by), within: slider });
  board.classList.add("is-moved");
  peg.node.classList.add("is-moved");
  show(from);
  await new Promise((/** @type {(done: void) => void} */ resolve) => {
    // A new picture of the whole table ends the move.
    asked.end = state.resume = resolve;
    ask(text("pegs.prompt", { n: points }));
  });
  stop.abort();
  for (const node of [board, peg.node]) node.classList.remove("is-moved");
  state.question = state.resume = null;
  actions.render();
  return asked.at === score;
}

/**
 * Listen to the pointer on the board, and to arrow keys everywhere.
 * @param {Pegboard.Element} board @param {AbortSignal} signal
 * @param {{follow: (event: PointerEvent) => boolean, put: () => void, step: (by: number) => void, within: Element}} does
 */
function listen(board, signal, { follow, put, step, within }) {
  const svg = find(board, "svg", SVGSVGElement);
  svg?.addEventListener(
    "pointerdown",
    (event) => {
      if (!follow(event)) return;
      event.preventDefault();
      svg.setPointerCapture(event.pointerId);
    },
    { signal },
  );
  svg?.addEventListener("pointermove", (event) => svg.hasPointerCapture(event.pointerId) && follow(event), { signal });
  svg?.addEventListener("pointerup", (event) => svg.hasPointerCapture(event.pointerId) && put(), { signal });
  document.addEventListener(
    "keydown",
    (event) => {
      const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!by || isBrowserKey(event) || event.target === within || find(document, "dialog[open]")) return;
      event.preventDefault();
      step(by);
    },
    { signal },
  );
}

/**
 * Return the hole nearest to the pointer.
 * @param {Pegboard.MovingPeg} peg @param {PointerEvent} event @param {number} from @param {number} most
 */
function nearest({ node, at }, { clientX, clientY }, from, most) {
  const toDrawing = node.ownerSVGElement?.getScreenCTM()?.inverse();
  if (!toDrawing) return null;
  const finger = new DOMPoint(clientX, clientY).matrixTransform(toDrawing);
  const far = (/** @type {number} */ hole) => {
    const point = at(hole);
    return point ? Math.hypot(point.x - finger.x, point.y - finger.y) : Infinity;
  };
  const holes = Array.from({ length: most - from + 1 }, (_, n) => from + n);
  const best = holes.reduce((one, other) => (far(other) < far(one) ? other : one));
  return far(best) <= NEAR ? best : null;
}
