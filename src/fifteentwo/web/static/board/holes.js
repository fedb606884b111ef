// Positions of the holes of a cribbage board. Type A is one long track per side (R119); type B has sixty holes, walked
// twice (R120, R121). Street, lap, column and row are named as in rules/board.py.

export const STREET = 30;
export const PITCH = 10;
const FIVE_GAP = 5;
export const LENGTH = 29 * PITCH + 5 * FIVE_GAP;
export const GAMES_SHOWN = 10;
/** Rows of a street that are numbered. */
export const NUMBERED = [5, 10, 15, 20, 25, 30];

/**
 * Return the position of a score without coordinates. Type A: the column is the street (1–4), the row is the hole in
 * it. Type B: the row counts from the player's own end. A score of 0 is "start", the target is "game".
 * @param {"A" | "B"} type @param {number} score @param {number} [target] @returns {Pegboard.Hole}
 */
export function holePosition(type, score, target = 121) {
  if (score <= 0) return { lap: 0, column: "start", row: 0 };
  if (score >= target) return { lap: 0, column: "game", row: 0 };
  const street = Math.floor((score - 1) / STREET);
  const along = ((score - 1) % STREET) + 1;
  if (type === "A") return { lap: 1, column: street + 1, row: along };
  const inner = street % 2 === 1;
  return {
    lap: Math.floor(street / 2) + 1,
    column: inner ? "inner" : "outer",
    row: inner ? STREET + 1 - along : along,
  };
}

/** @param {number} target */
export const streetCount = (target) => Math.ceil((target - 1) / STREET);

/** Return the distance along a street of its hole 1–30. Holes are in groups of five. @param {number} row */
export const reach = (row) => (row - 1) * PITCH + Math.floor((row - 1) / 5) * FIVE_GAP;

/** @param {number} target @param {boolean} skunk @param {boolean} doubleSkunk @returns {Pegboard.SkunkLine[]} */
export function skunkLines(target, skunk, doubleSkunk) {
  if (target === 121)
    return [...(skunk ? [{ after: 90, mark: "S" }] : []), ...(skunk && doubleSkunk ? [{ after: 60, mark: "SS" }] : [])];
  return target === 61 && skunk ? [{ after: 30, mark: "S" }] : [];
}

/**
 * Return the two streets of a folded board: those of the leading pegs, or their common street and the next. `moving`
 * are the scores between which a peg will walk.
 * @param {number[]} front @param {number} target @param {number[]} [moving]
 */
export function foldedStreets(front, target, moving = []) {
  const last = streetCount(target);
  const streetOf = (/** @type {number} */ score) =>
    Math.min(Math.max(1, Math.ceil(Math.min(score, target - 1) / STREET)), last);
  const rising = (/** @type {number} */ a, /** @type {number} */ b) => a - b;
  const distinct = [...new Set([...front, ...moving].map(streetOf))].sort(rising);
  if (distinct.length > 1)
    return moving.length > 1
      ? [...new Set(moving.map(streetOf))].concat(distinct).slice(0, 2).sort(rising)
      : distinct.slice(-2);
  return distinct[0] === last ? [last - 1, last] : [distinct[0], distinct[0] + 1];
}

/** @param {Pegboard.Layout} layout @returns {Pegboard.Plan & Pegboard.Tracks} */
export function planA({ sides, target, tall, streets, spacing, centre, bend }) {
  const across = (sides - 1) * spacing;
  const gap = tall ? 23 : 19;
  const count = streetCount(target);
  const half = Math.floor(count / 2);
  const joint = (/** @type {number} */ street) => (streets.length === count && street === half ? centre : gap);
  const space = (/** @type {number} */ parity) =>
    Math.max(
      0,
      ...streets.map((street) =>
        street < count && street % 2 === parity ? bend(across * 2 + joint(street), joint(street)) : 0,
      ),
    ) + 14;
  const [near, far] = [Math.max(42, space(0)), Math.max(count % 2 ? 31 : 26, space(1))];
  const margin = tall ? 22 : 16;
  /** @type {Map<number, number>} */
  const starts = new Map();
  let v = margin;
  streets.forEach((street, index) => {
    if (index) v += joint(street - 1);
    starts.set(street, v);
    v += across;
  });
  const depth = v + margin;
  const span = near + LENGTH + far;
  const start = (/** @type {number} */ street) => starts.get(street) ?? NaN;
  const point = (/** @type {number} */ u, /** @type {number} */ w) =>
    tall ? { x: w, y: span - near - u } : { x: near + u, y: w };
  const lane = (/** @type {number} */ side, /** @type {number} */ street) =>
    (street % 2 ? side : sides - 1 - side) * spacing;
  const at = (/** @type {number} */ side, /** @type {number} */ score, second = 0) => {
    const hole = holePosition("A", score, target);
    if (hole.column === "start") return starts.has(1) ? point(-14 - second * PITCH, start(1) + lane(side, 1)) : null;
    if (hole.column === "game")
      return starts.has(count) ? point(count % 2 ? LENGTH + 19 : -19, start(count) + across / 2) : null;
    const street = Number(hole.column);
    if (!starts.has(street)) return null;
    const u = reach(hole.row);
    return point(street % 2 ? u : LENGTH - u, start(street) + lane(side, street));
  };
  const [width, height] = tall ? [depth, span] : [span, depth];
  const middle = half && streets.length === count ? (start(half) + across + start(half + 1)) / 2 : null;
  return { width, height, middle, at, point, streets, start, across, lane, joint };
}

/**
 * Lay out the board of sixty holes. The first side starts at the near end, the second at the far end (R121).
 * @param {Pick<Pegboard.Layout, "target" | "tall" | "spacing" | "centre">} layout
 * @returns {Pegboard.Plan & Pegboard.Columns}
 */
export function planB({ target, tall, spacing, centre }) {
  const margin = 18;
  const end = tall ? 44 : 51;
  const span = end * 2 + LENGTH;
  const columns = [margin, margin + spacing, margin + spacing + centre, margin + 2 * spacing + centre];
  const depth = columns[3] + margin;
  const point = (/** @type {number} */ u, /** @type {number} */ v) =>
    tall ? { x: v, y: span - end - u } : { x: end + u, y: depth - v };
  const own = (/** @type {number} */ side, /** @type {number} */ u, /** @type {boolean} */ inner) =>
    point(side ? LENGTH - u : u, side ? columns[inner ? 2 : 3] : columns[inner ? 1 : 0]);
  const at = (/** @type {number} */ side, /** @type {number} */ score, second = 0) => {
    const hole = holePosition("B", score, target);
    if (hole.column === "start") return own(side, -14 - second * PITCH, false);
    if (hole.column === "game") return own(side, -22, true);
    return own(side, reach(hole.row), hole.column === "inner");
  };
  const [width, height] = tall ? [depth, span] : [span, depth];
  return { width, height, middle: depth / 2, at, point, own, columns };
}

/**
 * Return points on half an ellipse from the end of one street to the beginning of the next.
 * @param {Pegboard.Plan} plan @param {number} u @param {number} outward @param {number} from @param {number} to
 * @param {number} depth
 */
export function turn(plan, u, outward, from, to, depth) {
  const [mid, radius] = [(from + to) / 2, (to - from) / 2];
  const square = depth < Math.abs(radius) * 0.7 ? 0.6 : 1;
  return Array.from({ length: 25 }, (_, i) => {
    const [sin, cos] = [Math.sin((Math.PI * i) / 24), Math.cos((Math.PI * i) / 24)];
    return plan.point(u + outward * depth * sin ** square, mid - radius * Math.sign(cos) * Math.abs(cos) ** square);
  });
}

/** One row per side in the middle of the board (R22). @param {Pegboard.Plan} plan @param {number} sides */
export function gamePlaces({ middle, point }, sides) {
  if (middle === null) return [];
  const pitch = 13;
  return Array.from({ length: sides }, (_, side) =>
    Array.from({ length: GAMES_SHOWN }, (_, i) =>
      point(LENGTH / 2 + (i - (GAMES_SHOWN - 1) / 2) * pitch, middle + (side - (sides - 1) / 2) * 11),
    ),
  );
}
