// The map of all boards, fetched after the entry. Pressing a board opens it. Arrow keys move a ring from board to
// board, and the best discard at the board is read aloud.

import { all, find, isBrowserKey, make } from "../elements.js";

const WIDTH = 121;
const LEAP = 10;
/** Change of both scores by each arrow key. @type {Record<string, [number, number]>} */
const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** @typedef {{own: number, other: number}} Board */

/** Fetch the map of another page and put it in place of this one. @param {HTMLElement} place */
async function fetched(place) {
  const response = await fetch(place.dataset.from ?? "");
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const map = find(page, "#map");
  if (!map) return;
  const own = document.importNode(map, true);
  place.replaceWith(own);
  ready(own);
}

/** Handle the pointer and keys on the map. @param {HTMLElement} place */
function ready(place) {
  const map = find(place, "svg.map", SVGSVGElement);
  const status = find(place, "#map-status");
  if (!map || !status) return;
  const rows = (place.dataset.rows ?? "").split(" ");
  const target = rows.length;
  const marks = new Map(all(place, ".book-legend [data-letter]").map((mark) => [mark.dataset.letter, mark]));
  const empty = status.textContent;

  /** Describe the best discard at a board, as text and for screen readers. @param {Board} board */
  const describe = ({ own, other }) => {
    const mark = marks.get(rows[own][other]);
    const read = (place.dataset.at ?? "")
      .replace("{own}", String(own))
      .replace("{other}", String(other))
      .replace("{cards}", mark?.dataset.sentence ?? "");
    status.replaceChildren(
      make(
        "span",
        { "aria-hidden": "true" },
        `${own}–${other}  ${find(mark?.parentElement ?? place, "a")?.textContent ?? ""}`,
      ),
      make("span.visually-hidden", read),
    );
  };
  const open = (/** @type {Board} */ { own, other }) => location.assign(`${place.dataset.base}/${own}-${other}`);

  /** Return the board under the pointer. @param {PointerEvent | MouseEvent} event */
  const board = (event) => {
    const matrix = map.getScreenCTM();
    if (!matrix) return null;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const [own, other] = [at.x, at.y].map((along) => Math.floor((along * target) / WIDTH));
    const inside = own >= 0 && own < target && other >= 0 && other < target;
    return inside ? { own, other: target - 1 - other } : null;
  };
  map.addEventListener("pointermove", (event) => {
    const at = board(event);
    if (at) describe(at);
    else status.textContent = empty;
  });
  map.addEventListener("pointerleave", () => {
    status.textContent = empty;
  });
  map.addEventListener("click", (event) => {
    const at = board(event);
    if (at) open(at);
  });
  walkable(place, map, { target, describe, open });
  map.dataset.ready = "";
}

/**
 * Handle arrow keys and Enter.
 * @param {HTMLElement} place @param {SVGSVGElement} map
 * @param {{target: number, describe: (board: Board) => void, open: (board: Board) => void}} does
 */
function walkable(place, map, { target, describe, open }) {
  const walk = find(place, ".map-walk");
  const ring = find(place, ".map-at", SVGCircleElement);
  const keys = find(place, "#map-keys");
  if (!walk || !ring || !keys) return;
  const [own, other] = (place.dataset.board ?? "0-0").split("-").map(Number);
  const at = { own, other };
  const show = () => {
    ring.setAttribute("cx", String(((at.own + 0.5) * WIDTH) / target));
    ring.setAttribute("cy", String(((target - 0.5 - at.other) * WIDTH) / target));
    ring.removeAttribute("hidden");
    describe(at);
  };
  walk.tabIndex = 0;
  walk.setAttribute("role", "application");
  walk.setAttribute("aria-label", map.getAttribute("aria-label") ?? "");
  walk.setAttribute("aria-describedby", keys.id);
  map.setAttribute("aria-hidden", "true");
  keys.hidden = false;
  walk.addEventListener("focus", show);
  walk.addEventListener("blur", () => ring.setAttribute("hidden", ""));
  walk.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (isBrowserKey(event)) return;
    if (event.key === "Enter") open(at);
    if (!step) return;
    event.preventDefault();
    const far = event.shiftKey ? LEAP : 1;
    at.own = Math.min(Math.max(at.own + far * step[0], 0), target - 1);
    at.other = Math.min(Math.max(at.other + far * step[1], 0), target - 1);
    show();
  });
}

const place = find(document, "#map");
if (place?.dataset.from) fetched(place);
else if (place) ready(place);
