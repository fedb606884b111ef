// The cribbage board: type A, one long winding track a side (R119), and type B, sixty holes twice round (R120, R121).
// Geometry is computed here from street, lap, column and row alone, as rules/board.py names them.

const SVG = "http://www.w3.org/2000/svg";
const STREET = 30;
const PITCH = 10;
const FIVE_GAP = 5;
const LENGTH = 29 * PITCH + 5 * FIVE_GAP;
const GAMES_SHOWN = 10;

/** Heads of the pegs, one shape a side, round the point 0,0. */
const HEADS = [
  "M-4.6 0a4.6 4.6 0 1 1 9.2 0a4.6 4.6 0 1 1-9.2 0Z",
  "M-3.2-4.2H3.2Q4.2-4.2 4.2-3.2V3.2Q4.2 4.2 3.2 4.2H-3.2Q-4.2 4.2-4.2 3.2V-3.2Q-4.2-4.2-3.2-4.2Z",
  "M0-5.4Q.7-5.4 1.1-4.7L5 2.5Q5.4 3.9 4 4H-4Q-5.4 3.9-5 2.5L-1.1-4.7Q-.7-5.4 0-5.4Z",
  "M0-5.8 5.2-.6Q5.6 0 5.2 .6L0 5.8-5.2 .6Q-5.6 0-5.2-.6Z",
];

/**
 * @typedef {object} BoardOptions
 * @property {"A" | "B"} [type]
 * @property {number} [sides] 2 to 4; type B seats two
 * @property {number} [target] 121, 61, or any other for the long track
 * @property {string[]} [names] one a side, for the spoken description
 * @property {boolean} [skunk] @property {boolean} [doubleSkunk]
 * @property {"auto" | "tall" | "wide"} [layout] auto: tall from 900 px of window width, wide and folded below
 * @property {{whole: string, fold: string}} [labels] what the fold button says
 * @property {(pegs: Pegs, names: string[]) => string} [describe] the picture's name for a screen reader
 *
 * @typedef {{front: number[], rear: number[], games: number[]}} Pegs
 * @typedef {{lap: number, column: string | number, row: number}} Hole
 */

/**
 * Where a score stands, free of coordinates. Type A: column is the street (1–4), row the hole in it.
 * Type B: row counts from the player's own end. Scores of 0 are "start", the target is "game".
 * @param {"A" | "B"} type @param {number} side @param {number} score @param {number} [target]
 * @returns {Hole}
 */
export function holePosition(type, side, score, target = 121) {
  if (score <= 0) return { lap: 0, column: "start", row: 0 };
  if (score >= target) return { lap: 0, column: "game", row: 0 };
  const street = Math.floor((score - 1) / STREET);
  const along = ((score - 1) % STREET) + 1;
  if (type === "A") return { lap: 1, column: street + 1, row: along };
  const inner = street % 2 === 1;
  return { lap: Math.floor(street / 2) + 1, column: inner ? "inner" : "outer", row: inner ? STREET + 1 - along : along };
}

/** Distance along the street of its hole 1–30: holes stand in fives. */
const reach = (/** @type {number} */ row) => (row - 1) * PITCH + Math.floor((row - 1) / 5) * FIVE_GAP;

/** @typedef {{width: number, height: number, at: (side: number, score: number, start?: number) => {x: number, y: number} | null, point: (u: number, v: number) => {x: number, y: number}}} Plan */

/** The long track: streets side by side, every other one running back. */
function planA({ sides, target, tall, streets, spacing, centre, bend }) {
  const across = (sides - 1) * spacing;
  const gap = tall ? 23 : 19;
  const count = Math.ceil((target - 1) / STREET);
  const half = Math.floor(count / 2);
  /** Room between the innermost tracks of a street and the next. */
  const joint = (/** @type {number} */ street) => (streets.length === count && street === half ? centre : gap);
  const room = (/** @type {number} */ parity) =>
    Math.max(0, ...streets.map((street) => (street < count && street % 2 === parity ? bend(across * 2 + joint(street), joint(street)) : 0))) + 14;
  const [near, far] = [Math.max(42, room(0)), Math.max(26, room(1))];
  const margin = tall ? 22 : 16;
  /** Start of each shown street across the board. @type {Map<number, number>} */
  const offset = new Map();
  let v = margin;
  streets.forEach((street, index) => {
    if (index) v += joint(street - 1);
    offset.set(street, v);
    v += across;
  });
  const depth = v + margin;
  const span = near + LENGTH + far;
  const point = (u, w) => (tall ? { x: w, y: span - near - u } : { x: near + u, y: w });
  const lane = (side, street) => (street % 2 ? side : sides - 1 - side) * spacing;
  const at = (side, score, start = 0) => {
    const hole = holePosition("A", side, score, target);
    if (hole.column === "start") return offset.has(1) ? point(-14 - start * PITCH, offset.get(1) + lane(side, 1)) : null;
    if (hole.column === "game") return offset.has(count) ? point(count % 2 ? LENGTH + 19 : -19, offset.get(count) + across / 2) : null;
    const street = Number(hole.column);
    if (!offset.has(street)) return null;
    const u = reach(hole.row);
    return point(street % 2 ? u : LENGTH - u, offset.get(street) + lane(side, street));
  };
  const [width, height] = tall ? [depth, span] : [span, depth];
  return { width, height, at, point, offset, across, gap, near, far, depth, lane, count, half, joint };
}

/** Twice round sixty: the first side's columns start at the near end, the second's at the far end (R121). */
function planB({ target, tall, spacing, centre }) {
  const margin = 18;
  const end = tall ? 44 : 51;
  const span = end * 2 + LENGTH;
  const columns = [margin, margin + spacing, margin + spacing + centre, margin + 2 * spacing + centre];
  const depth = columns[3] + margin;
  const point = (u, v) => (tall ? { x: v, y: span - end - u } : { x: end + u, y: depth - v });
  const own = (side, u, inner) => point(side ? LENGTH - u : u, side ? columns[inner ? 2 : 3] : columns[inner ? 1 : 0]);
  const at = (side, score, start = 0) => {
    const hole = holePosition("B", side, score, target);
    if (hole.column === "start") return own(side, -14 - start * PITCH, false);
    if (hole.column === "game") return own(side, -22, true);
    return own(side, reach(hole.row), hole.column === "inner");
  };
  const [width, height] = tall ? [depth, span] : [span, depth];
  return { width, height, at, point, own, columns, depth, span, end };
}

const dots = (/** @type {{x: number, y: number}[]} */ points, dx = 0, dy = 0) =>
  points.map((p) => `M${(p.x + dx).toFixed(1)} ${(p.y + dy).toFixed(1)}h.01`).join("");

/** Drilled holes: a lit lip below, the dark bore, a deeper shadow above. One path a layer, whatever the number. */
const holes = (points, kind = "") =>
  `<path class="hole-lip ${kind}" d="${dots(points, 0.5, 0.8)}"/><path class="hole-bore ${kind}" d="${dots(points)}"/>` +
  `<path class="hole-deep ${kind}" d="${dots(points, -0.3, -0.5)}"/>`;

const text = (p, words, kind = "number") => `<text class="${kind}" x="${p.x.toFixed(1)}" y="${p.y.toFixed(1)}">${words}</text>`;
const line = (a, b, kind) => `<path class="${kind}" d="M${a.x.toFixed(1)} ${a.y.toFixed(1)}L${b.x.toFixed(1)} ${b.y.toFixed(1)}"/>`;
const route = (points) => points.map((p, i) => `${i ? "L" : "M"}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join("");

/** Points of half an ellipse from one street's end to the next one's beginning. */
function turn(plan, u, outward, from, to, depth) {
  const [mid, radius] = [(from + to) / 2, (to - from) / 2];
  const square = depth < Math.abs(radius) * 0.7 ? 0.6 : 1;
  return Array.from({ length: 25 }, (_, i) => {
    const [sin, cos] = [Math.sin((Math.PI * i) / 24), Math.cos((Math.PI * i) / 24)];
    return plan.point(u + outward * depth * sin ** square, mid - radius * Math.sign(cos) * Math.abs(cos) ** square);
  });
}

function drawA(plan, { sides, target, streets, lines, tall, bend }) {
  const parts = [];
  const whole = streets.length === plan.count;
  for (let side = 0; side < sides; side += 1) {
    let points = [];
    const flush = () => {
      if (points.length) parts.push(`<path class="track track--${side + 1}" d="${route(points)}"/>`);
      points = [];
    };
    streets.forEach((street, index) => {
      const forward = street % 2 === 1;
      const v = plan.offset.get(street) + plan.lane(side, street);
      if (street === 1) points.push(plan.point(-14 - PITCH, v));
      points.push(plan.point(forward ? 0 : LENGTH, v), plan.point(forward ? LENGTH : 0, v));
      if (streets[index + 1] !== street + 1) return flush();
      const next = plan.offset.get(street + 1) + plan.lane(side, street + 1);
      points.push(...turn(plan, forward ? LENGTH : 0, forward ? 1 : -1, v, next, bend(next - v, plan.joint(street))));
    });
    flush();
  }
  const drilled = [];
  for (let side = 0; side < sides; side += 1) {
    for (const start of [0, 1]) drilled.push(plan.at(side, 0, start));
    for (let score = 1; score < target; score += 1) drilled.push(plan.at(side, score));
  }
  parts.push(holes(drilled.filter(Boolean)));
  const gameHole = plan.at(0, target);
  if (gameHole) parts.push(holes([gameHole], "hole-game"), text({ x: gameHole.x, y: gameHole.y + 13 }, target));
  for (const street of streets) {
    const forward = street % 2 === 1;
    const v = plan.offset.get(street) - (tall ? 11.5 : 9);
    const first = (street - 1) * STREET;
    for (const row of [5, 10, 15, 20, 25, 30]) {
      const score = first + row;
      if (score >= target) continue;
      const u = forward ? reach(row) : LENGTH - reach(row);
      parts.push(text(plan.point(u, v), score, row % 10 ? "number number--five" : "number"));
    }
  }
  for (const { after, mark } of lines) {
    const street = after / STREET;
    if (!plan.offset.has(street)) continue;
    const outward = street % 2 ? 1 : -1;
    const u = street % 2 ? LENGTH : 0;
    const joined = plan.offset.has(street + 1);
    const [from, to] = joined
      ? [plan.offset.get(street), plan.offset.get(street + 1) + plan.across]
      : [plan.offset.get(street), plan.offset.get(street) + plan.across];
    if (joined) {
      const v = (from + to) / 2;
      const least = plan.joint(street);
      const [inner, outer] = [bend(to - from - 2 * plan.across, least), bend(to - from, least)];
      parts.push(line(plan.point(u + outward * Math.max(inner - 6, 0), v), plan.point(u + outward * (outer + 5), v), "line"));
      parts.push(text(plan.point(u + outward * Math.max(inner - 6, 0) - outward * 7, v), mark, "mark"));
    } else {
      parts.push(line(plan.point(u + outward * 7, from - 5), plan.point(u + outward * 7, to + 5), "line"));
      parts.push(text(plan.point(u + outward * 15, (from + to) / 2), mark, "mark"));
    }
  }
  if (whole) parts.push(holes(gamePlaces(plan, sides).flat(), "hole-small"), engraving(plan, tall));
  return parts.join("");
}

/** The board's middle line, between the inner streets or columns. */
const middleOf = (plan) => (plan.columns ? plan.depth / 2 : (plan.offset.get(plan.half) + plan.across + plan.offset.get(plan.half + 1)) / 2);

/** The rows for games won lie in the middle of the board, one a side (R22). */
function gamePlaces(plan, sides) {
  const middle = middleOf(plan);
  const pitch = 13;
  return Array.from({ length: sides }, (_, side) =>
    Array.from({ length: GAMES_SHOWN }, (_, i) =>
      plan.point(LENGTH / 2 + (i - (GAMES_SHOWN - 1) / 2) * pitch, middle + (side - (sides - 1) / 2) * 11),
    ),
  );
}

/** The name of the game, burnt into the wood at either end of the games row. */
function engraving(plan, tall) {
  const v = middleOf(plan);
  return (tall ? [17, LENGTH - 27] : [36, LENGTH - 36]).map((u) => text(plan.point(u, v), "15·2", tall ? "engraving" : "engraving engraving--small")).join("");
}

function drawB(plan, { target, lines, tall }) {
  const parts = [];
  const drilled = [];
  for (const side of [0, 1]) {
    const { own, columns } = plan;
    const out = side ? -1 : 1;
    const [outer, inner] = side ? [columns[3], columns[2]] : [columns[0], columns[1]];
    const ends = side ? [LENGTH, 0] : [0, LENGTH];
    parts.push(
      `<path class="track track--${side + 1}" d="${route([
        own(side, -14 - PITCH, false),
        own(side, LENGTH, false),
        ...turn(plan, ends[1], out, outer, inner, 12),
        own(side, 0, true),
        ...(target > 61 ? turn(plan, ends[0], -out, inner, outer, 9) : [own(side, -22, true)]),
      ])}"/>`,
    );
    for (const start of [0, 1]) drilled.push(plan.at(side, 0, start));
    for (let score = 1; score <= 60; score += 1) drilled.push(plan.at(side, score));
    parts.push(holes([plan.at(side, target)], "hole-game"));
    const beside = outer + (side ? 10 : -10);
    const within = inner + (side ? -10 : 10);
    for (const row of [5, 10, 15, 20, 25, 30]) {
      const u = side ? LENGTH - reach(row) : reach(row);
      parts.push(text(plan.point(u, beside), row, row % 10 ? "number number--five" : "number"));
      const back = side ? LENGTH - reach(STREET + 1 - row) : reach(STREET + 1 - row);
      parts.push(text(plan.point(back, within), STREET + row, row % 10 ? "number number--five" : "number"));
    }
    parts.push(text(own(side, tall ? -35 : -38, true), target));
    for (const { after, mark } of lines) {
      const farEnd = (after / STREET) % 2 === 1;
      const u = farEnd ? ends[1] : ends[0];
      const way = farEnd ? out : -out;
      const v = (outer + inner) / 2;
      parts.push(line(plan.point(u - way * 3, v), plan.point(u + way * 16, v), "line"), text(plan.point(u - way * 11, v), mark, "mark"));
    }
  }
  parts.push(holes(drilled), holes(gamePlaces(plan, 2).flat(), "hole-small"), engraving(plan, tall));
  return parts.join("");
}

/** One peg seen from above; the shape and the colour say whose. */
function pegMarkup(side) {
  return (
    `<path class="peg-shadow" d="${HEADS[side]}" transform="translate(1.2 2.2) scale(1.08)"/><path class="peg-rim" d="${HEADS[side]}"/>` +
    `<path class="peg-head" d="${HEADS[side]}" transform="translate(-.2 -.4) scale(.86)"/><ellipse class="peg-shine" cx="-1.1" cy="-1.7" rx="1.7" ry="1"/>`
  );
}

/**
 * The mark of a side, for names and score panels: the same shape and colour as its pegs.
 * @param {number} side 0 to 3
 */
export function sideMark(side) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "-7 -7 14 14");
  svg.setAttribute("class", `side-mark side-${side + 1}`);
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML = `<path class="peg-rim" d="${HEADS[side]}"/><path class="peg-head" d="${HEADS[side]}" transform="scale(.86)"/>`;
  return svg;
}

/** The lines that judge skunks (R18–R20), each after a hole. */
function skunkLines(target, skunk, doubleSkunk) {
  if (target === 121) return [...(skunk ? [{ after: 90, mark: "S" }] : []), ...(skunk && doubleSkunk ? [{ after: 60, mark: "SS" }] : [])];
  return target === 61 && skunk ? [{ after: 30, mark: "S" }] : [];
}

/**
 * A whole board with its pegs.
 * @param {BoardOptions} options
 * @returns {HTMLDivElement & {update(pegs: Partial<Pegs>): void, animate(side: number, from: number, to: number, msPerHole?: number): Promise<void>, finish(): void, setCollapsed(folded: boolean): void, pegs: Pegs}}
 */
export function boardElement(options) {
  const { type = "A", sides = 2, target = 121, names = [], skunk = true, doubleSkunk = false, layout = "auto", labels, describe } = options;
  if (type === "B" && sides !== 2) throw new RangeError("board B has columns for two sides (R120)");
  const zero = () => Array(sides).fill(0);
  /** @type {Pegs} */
  let pegs = { front: zero(), rear: zero(), games: zero() };
  const lines = skunkLines(target, skunk, doubleSkunk);
  const streetsAll = Array.from({ length: Math.ceil((target - 1) / STREET) }, (_, i) => i + 1);
  const wideWindow = matchMedia("(min-width: 900px)");
  let chosenFold = /** @type {boolean | null} */ (null);
  let plan, shown, tall, folded;

  const box = /** @type {any} */ (document.createElement("div"));
  box.className = `board board--${type.toLowerCase()}`;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("role", "img");
  const ground = document.createElementNS(SVG, "g");
  const tops = document.createElementNS(SVG, "g");
  svg.append(ground, tops);
  box.append(svg);
  const toggle = document.createElement("button");
  toggle.type = "button";
  toggle.className = "board-toggle";
  toggle.addEventListener("click", () => box.setCollapsed(!folded));

  /** @type {Record<"front" | "rear", SVGGElement[]>} */
  const heads = { front: [], rear: [] };
  /** @type {SVGGElement[]} */
  const winners = [];
  for (let side = 0; side < sides; side += 1) {
    for (const which of /** @type {const} */ (["rear", "front"])) heads[which].push(pegNode(side, which));
    winners.push(pegNode(side, "games"));
  }
  function pegNode(side, which) {
    const node = document.createElementNS(SVG, "g");
    node.setAttribute("class", `peg side-${side + 1}`);
    node.dataset.side = String(side);
    node.dataset.peg = which;
    node.innerHTML = pegMarkup(side);
    tops.append(node);
    return node;
  }

  const streetOf = (score) => Math.min(Math.max(1, Math.ceil(Math.min(score, target - 1) / STREET)), streetsAll.length);
  /** Folded: the two streets where the leading pegs stand, or the one they share and the next. */
  function foldedStreets(also = []) {
    const distinct = [...new Set([...pegs.front, ...also].map(streetOf))].sort((a, b) => a - b);
    if (distinct.length > 1) return also.length > 1 ? [...new Set(also.map(streetOf))].concat(distinct).slice(0, 2).sort((a, b) => a - b) : distinct.slice(-2);
    const last = streetsAll.length;
    return distinct[0] === last ? [last - 1, last] : [distinct[0], distinct[0] + 1];
  }

  function draw(also = []) {
    tall = layout === "tall" || (layout === "auto" && wideWindow.matches);
    const foldable = type === "A" && streetsAll.length > 2;
    folded = foldable && (chosenFold ?? (layout === "auto" && !tall));
    const streets = folded ? foldedStreets(also) : streetsAll;
    const key = `${tall} ${folded} ${streets}`;
    if (key !== shown) {
      shown = key;
      const room = { sides, target, tall, streets, lines };
      if (type === "A") {
        const spacing = tall ? [0, 0, 15, 13, 12][sides] : folded ? [0, 0, 19, 14, 11.5][sides] : [0, 0, 12, 11, 10.5][sides];
        const centre = (tall ? 42 : 26) + sides * 11;
        // Tall boards have room for round bends; wide ones nest flat bends a track's breadth apart.
        const bend = (/** @type {number} */ d, /** @type {number} */ least) => (tall ? d * 0.42 : 7 + ((d - least) / (2 * spacing)) * 7.4);
        plan = planA({ ...room, spacing, centre, bend });
        ground.innerHTML = drawA(plan, { ...room, bend });
      } else {
        plan = planB({ ...room, spacing: tall ? 22 : 17, centre: tall ? 74 : 52 });
        ground.innerHTML = drawB(plan, room);
      }
      svg.setAttribute("viewBox", `0 0 ${plan.width.toFixed(1)} ${plan.height.toFixed(1)}`);
      box.dataset.layout = tall ? "tall" : "wide";
      box.dataset.folded = String(folded);
      if (foldable && !tall) {
        const words = folded ? labels?.whole : labels?.fold;
        toggle.setAttribute("aria-expanded", String(!folded));
        toggle.setAttribute("aria-label", words ?? (folded ? "+" : "−"));
        if (!toggle.isConnected) box.append(toggle);
      } else toggle.remove();
    }
    place();
  }

  const headScale = () => (tall ? 1.14 : folded && sides < 4 ? 1.25 : 1.06);
  function put(node, p, lift = 0) {
    node.setAttribute("visibility", p ? "visible" : "hidden");
    if (p) node.setAttribute("transform", `translate(${p.x.toFixed(2)} ${p.y.toFixed(2)}) scale(${(headScale() + lift).toFixed(3)})`);
  }

  function place() {
    const clamp = (score) => Math.min(score, target);
    const places = type === "B" || shown.endsWith(streetsAll.join()) ? gamePlaces(plan, sides) : null;
    for (let side = 0; side < sides; side += 1) {
      for (const which of /** @type {const} */ (["front", "rear"])) {
        const score = clamp(pegs[which][side]);
        const node = heads[which][side];
        node.dataset.hole = String(score);
        if (score === 0) node.dataset.start = which === "front" ? "1" : "2";
        else delete node.dataset.start;
        node.dataset.lap = String(holePosition(type, side, score, target).lap);
        put(node, plan.at(side, score, score === 0 && which === "rear" ? 1 : 0));
      }
      const won = Math.min(pegs.games[side], GAMES_SHOWN);
      winners[side].dataset.hole = String(pegs.games[side]);
      put(winners[side], won && places ? places[side][won - 1] : null);
    }
    const name = describe ? describe(pegs, names) : pegs.front.map((score, side) => `${names[side] ?? side + 1}: ${score}`).join(", ");
    svg.setAttribute("aria-label", name);
  }

  /** Walks in progress, to be ended at once by finish(). @type {Set<() => void>} */
  const walks = new Set();

  box.update = (/** @type {Partial<Pegs>} */ next) => {
    box.finish();
    pegs = { ...pegs, ...next };
    draw();
  };
  box.finish = () => [...walks].forEach((end) => end());
  box.setCollapsed = (/** @type {boolean} */ fold) => {
    box.finish();
    chosenFold = fold;
    draw();
  };
  Object.defineProperty(box, "pegs", { get: () => structuredClone(pegs) });

  /** The rear peg is set down beyond the front peg, counted hole by hole (R116). */
  box.animate = (side, from, to, msPerHole = 75) => {
    box.finish();
    const first = pegs.front[side] === 0 && pegs.rear[side] === 0;
    draw([from, to]);
    const moving = heads[first ? "front" : "rear"][side];
    const begin = plan.at(side, first ? 0 : pegs.rear[side], 0) ?? plan.at(side, from);
    const replaced = (/** @type {number[]} */ scores, /** @type {number} */ score) => scores.map((old, i) => (i === side ? score : old));
    const [front, rear] = [replaced(pegs.front, to), replaced(pegs.rear, from)];
    const end = () => {
      if (!first) [heads.front[side], heads.rear[side]] = [heads.rear[side], heads.front[side]];
      heads.front[side].dataset.peg = "front";
      heads.rear[side].dataset.peg = "rear";
      pegs = { ...pegs, front, rear };
      place();
    };
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches || msPerHole <= 0 || to <= from;
    if (still) {
      end();
      return Promise.resolve();
    }
    const stops = [begin];
    for (let score = from + 1; score <= Math.min(to, target); score += 1) stops.push(plan.at(side, score));
    tops.append(moving);
    return new Promise((resolve) => {
      let frame = 0;
      const started = performance.now();
      const done = () => {
        cancelAnimationFrame(frame);
        walks.delete(done);
        end();
        resolve();
      };
      walks.add(done);
      const tick = (/** @type {number} */ now) => {
        const t = Math.max(0, now - started) / msPerHole;
        const step = Math.floor(t);
        if (step >= stops.length - 1) return done();
        const [a, b] = [stops[step] ?? stops[step + 1], stops[step + 1] ?? stops[step]];
        const part = 1 - (1 - (t - step)) ** 2;
        if (a && b) put(moving, { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part }, 0.3 * Math.sin(Math.PI * (t - step)) + 0.12);
        frame = requestAnimationFrame(tick);
      };
      frame = requestAnimationFrame(tick);
    });
  };

  wideWindow.addEventListener("change", () => box.isConnected && draw());
  draw();
  return box;
}
