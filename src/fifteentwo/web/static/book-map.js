// The map of all boards: fetched after the entry, in the entry's place for it; a board pressed is opened.

import { all, find } from "./elements.js";

const BOARDS = 121;

/** The map of another page in this one's place. @param {HTMLElement} place */
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

/** What a pointer says and does on the map. @param {HTMLElement} place */
function ready(place) {
  const map = find(place, "svg.map", SVGSVGElement);
  const said = find(place, "#map-said");
  if (!map || !said) return;
  const rows = (place.dataset.rows ?? "").split(" ");
  const names = new Map(all(place, ".book-legend [data-letter]").map((mark) => [mark.dataset.letter, find(mark.parentElement ?? mark, "a")?.textContent ?? ""]));
  const empty = said.textContent;
  map.dataset.ready = "";

  /** The board under the pointer. @param {PointerEvent | MouseEvent} event */
  const board = (event) => {
    const matrix = map.getScreenCTM();
    if (!matrix) return null;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const [own, other] = [Math.floor(at.x), BOARDS - 1 - Math.floor(at.y)];
    return own >= 0 && own < BOARDS && other >= 0 && other < BOARDS ? { own, other } : null;
  };
  map.addEventListener("pointermove", (event) => {
    const at = board(event);
    said.textContent = at ? `${at.own}–${at.other}  ${names.get(rows[at.own][at.other]) ?? ""}` : empty;
  });
  map.addEventListener("pointerleave", () => {
    said.textContent = empty;
  });
  map.addEventListener("click", (event) => {
    const at = board(event);
    if (at) location.assign(`${place.dataset.base}/${at.own}-${at.other}`);
  });
}

const place = find(document, "#map");
if (place?.dataset.from) fetched(place);
else if (place) ready(place);
