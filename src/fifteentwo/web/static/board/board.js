// The cribbage board with its pegs as an element. board/holes.js computes where the holes are.

import { drawA, drawB, markMarkup, pegMarkup } from "./drawing.js";
import {
  GAMES_SHOWN,
  PITCH,
  foldedStreets,
  gamePlaces,
  holePosition,
  planA,
  planB,
  skunkLines,
  streetCount,
} from "./holes.js";
import { make, makeSvg, prefersReducedMotion } from "../elements.js";

/** Return the mark of a side, with the shape and colour of its pegs. @param {number} side 0 to 3 */
export function sideMark(side) {
  const svg = makeSvg("svg", { viewBox: "-7 -7 14 14", class: `side-mark side-${side + 1}`, "aria-hidden": "true" });
  svg.innerHTML = markMarkup(side);
  return svg;
}

/** @param {number} side @param {keyof Pegboard.Pegs} which */
function pegNode(side, which) {
  const node = makeSvg("g", { class: `peg side-${side + 1}` });
  node.dataset.side = String(side);
  node.dataset.peg = which;
  node.innerHTML = pegMarkup(side);
  return node;
}

/** Show the whole board if its holes are this many pixels apart, or nearly as far apart as on the folded board. */
const PLAIN = { apart: 7.5, ratio: 0.85 };

/** The drawing on the page, null before the first one. @typedef {{plan: Pegboard.Plan} & Pegboard.Lie} Picture */

/**
 * Lay out the board: tall or wide, whole or folded to some streets.
 * @param {Required<Pick<Pegboard.Options, "type" | "sides" | "target">>} board @param {Pegboard.SkunkLine[]} lines
 * @param {Pegboard.Lie} lie @param {number[]} streets @returns {Pegboard.Plan & {draw: () => string}}
 */
function planned({ type, sides, target }, lines, { tall, folded }, streets) {
  if (type === "B") {
    const plan = planB({ target, tall, spacing: tall ? 22 : 17, centre: tall ? 74 : 52 });
    return { ...plan, draw: () => drawB(plan, { target, lines, tall }) };
  }
  const spacing = (tall ? [0, 0, 15, 13, 12] : folded ? [0, 0, 19, 14, 11.5] : [0, 0, 12, 11, 10.5])[sides];
  const centre = (tall ? 42 : 26) + sides * 11;
  // Tall boards have space for round bends. On wide boards the bends are flat, one track width apart.
  const bend = (/** @type {number} */ d, /** @type {number} */ least) =>
    tall ? d * 0.42 : 7 + ((d - least) / (2 * spacing)) * 7.4;
  const layout = { sides, target, tall, streets, spacing, centre, bend };
  const plan = planA(layout);
  return { ...plan, draw: () => drawA(plan, { ...layout, lines }) };
}

/** The board of one game: its pegs and its present layout. */
class Board {
  /** @type {Pegboard.Pegs} */
  pegs;
  /** @type {Picture} */
  #now;
  #shown = "";
  /** Available pixels if the board fills its parent. @type {{width: number, height: number} | null} */
  #space = null;
  /** Whether the user folded the board; null before the user chooses. @type {boolean | null} */
  #chosenFold = null;
  /** Running walks of pegs, which finish() ends. @type {Set<() => void>} */
  #walks = new Set();
  #svg = makeSvg("svg", { role: "img" });
  #ground = makeSvg("g", { "aria-hidden": "true" });
  #tops = makeSvg("g", { "aria-hidden": "true" });
  #toggle = make("button.board-toggle", { onclick: () => this.setCollapsed(!this.#now.folded) });
  /** @type {Record<keyof Pegboard.Pegs, SVGGElement[]>} */
  #heads = { front: [], rear: [], games: [] };
  #wideWindow = matchMedia("(min-width: 900px)");

  /** @param {Pegboard.Options} options */
  constructor({
    type = "A",
    sides = 2,
    target = 121,
    names = [],
    skunk = true,
    doubleSkunk = false,
    layout = "auto",
    labels,
    describe,
  }) {
    if (type === "B" && sides !== 2) throw new RangeError("board B has columns for two sides (R120)");
    this.options = { type, sides, target, names, layout, labels, describe };
    const zero = () => Array(sides).fill(0);
    this.pegs = { front: zero(), rear: zero(), games: zero() };
    this.lines = skunkLines(target, skunk, doubleSkunk);
    this.streets = Array.from({ length: streetCount(target) }, (_, i) => i + 1);
    this.foldable = type === "A" && this.streets.length > 2;
    for (let side = 0; side < sides; side += 1) {
      for (const which of /** @type {const} */ (["rear", "front", "games"])) {
        const node = pegNode(side, which);
        this.#heads[which].push(node);
        this.#tops.append(node);
      }
    }
    this.#svg.append(this.#ground, this.#tops);
    this.element = make(`div.board.board--${type.toLowerCase()}`, this.#svg);
    this.#wideWindow.addEventListener("change", () => this.element.isConnected && this.#draw());
    this.#now = this.#draw();
  }

  /** Choose the layout. @returns {Pegboard.Lie & {offered: boolean}} */
  #lie() {
    const { layout } = this.options;
    if (layout !== "fit") {
      const tall = layout === "tall" || (layout === "auto" && this.#wideWindow.matches);
      return {
        tall,
        folded: this.foldable && (this.#chosenFold ?? (layout === "auto" && !tall)),
        offered: this.foldable && !tall,
      };
    }
    const [whole, part] = [false, true].map((folded) => this.#largest(folded));
    const plain = whole.apart >= PLAIN.apart || whole.apart >= part.apart * PLAIN.ratio;
    const folded = this.foldable && (this.#chosenFold ?? !plain);
    return { tall: (folded ? part : whole).tall, folded, offered: this.foldable && !plain };
  }

  /** Return the layout with the largest distance between holes, and that distance. @param {boolean} folded */
  #largest(folded) {
    const { width, height } = this.#space ?? { width: 320, height: 640 };
    const streets = folded ? this.streets.slice(0, 2) : this.streets;
    const ways = [true, false].map((tall) => {
      const plan = planned(this.options, this.lines, { tall, folded }, streets);
      return { tall, apart: Math.min(width / plan.width, height / plan.height) * PITCH };
    });
    return ways[0].apart >= ways[1].apart ? ways[0] : ways[1];
  }

  /** @param {number[]} [moving] scores between which a peg is about to walk */
  #draw(moving = []) {
    const { tall, folded, offered } = this.#lie();
    const streets = folded ? foldedStreets(this.pegs.front, this.options.target, moving) : this.streets;
    const key = `${tall} ${folded} ${streets}`;
    if (key !== this.#shown) {
      this.#shown = key;
      const { draw, ...plan } = planned(this.options, this.lines, { tall, folded }, streets);
      this.#now = { plan, tall, folded };
      this.#ground.innerHTML = draw();
      this.#svg.setAttribute("viewBox", `0 0 ${plan.width.toFixed(1)} ${plan.height.toFixed(1)}`);
      this.element.style.setProperty("--ratio", (plan.width / plan.height).toFixed(4));
      this.element.dataset.layout = tall ? "tall" : "wide";
      this.element.dataset.folded = String(folded);
    }
    this.#offerFold(folded, offered);
    this.#place();
    return this.#now;
  }

  /** @param {boolean} folded @param {boolean} offered */
  #offerFold(folded, offered) {
    const { labels } = this.options;
    if (!offered) return this.#toggle.remove();
    this.#toggle.setAttribute("aria-expanded", String(!folded));
    this.#toggle.setAttribute("aria-label", (folded ? labels?.whole : labels?.fold) ?? (folded ? "+" : "−"));
    if (!this.#toggle.isConnected) this.element.append(this.#toggle);
  }

  #place() {
    const { type, sides, target, names, describe } = this.options;
    const { plan } = this.#now;
    const games = gamePlaces(plan, sides);
    for (let side = 0; side < sides; side += 1) {
      for (const which of /** @type {const} */ (["front", "rear"])) {
        const score = Math.min(this.pegs[which][side], target);
        const node = this.#heads[which][side];
        node.dataset.hole = String(score);
        if (score === 0) node.dataset.start = which === "front" ? "1" : "2";
        else delete node.dataset.start;
        node.dataset.lap = String(holePosition(type, score, target).lap);
        this.#put(node, plan.at(side, score, score === 0 && which === "rear" ? 1 : 0));
      }
      const won = this.pegs.games[side];
      this.#heads.games[side].dataset.hole = String(won);
      this.#put(this.#heads.games[side], games[side]?.[Math.min(won, GAMES_SHOWN) - 1] ?? null);
    }
    const name = describe
      ? describe(this.pegs, names)
      : this.pegs.front.map((score, side) => `${names[side] ?? side + 1}: ${score}`).join(", ");
    this.#svg.setAttribute("aria-label", name);
  }

  /** @param {SVGGElement} node @param {Pegboard.Point | null} p @param {number} [lift] */
  #put(node, p, lift = 0) {
    const scale = this.#now.tall ? 1.14 : this.#now.folded && this.options.sides < 4 ? 1.25 : 1.06;
    node.setAttribute("visibility", p ? "visible" : "hidden");
    if (p)
      node.setAttribute(
        "transform",
        `translate(${p.x.toFixed(2)} ${p.y.toFixed(2)}) scale(${(scale + lift).toFixed(3)})`,
      );
  }

  /** @param {Partial<Pegboard.Pegs>} next */
  update(next) {
    this.finish();
    this.pegs = { ...this.pegs, ...next };
    this.#draw();
  }

  finish() {
    for (const end of [...this.#walks]) end();
  }

  /** @param {number} width @param {number} height */
  fit(width, height) {
    if (width <= 0 || height <= 0 || (width === this.#space?.width && height === this.#space.height)) return;
    this.#space = { width, height };
    this.finish();
    this.#draw();
  }

  /** @param {boolean} fold */
  setCollapsed(fold) {
    this.finish();
    this.#chosenFold = fold;
    this.#draw();
  }

  /** @param {number} side @param {number} from @param {number} to @param {number} msPerHole */
  async animate(side, from, to, msPerHole) {
    this.finish();
    const { front, rear } = this.pegs;
    const first = front[side] === 0 && rear[side] === 0;
    const { plan } = this.#draw([from, to]);
    const stops = [plan.at(side, first ? 0 : rear[side]) ?? plan.at(side, from)];
    for (let score = from + 1; score <= Math.min(to, this.options.target); score += 1) stops.push(plan.at(side, score));
    const end = () => {
      const heads = this.#heads;
      if (!first) [heads.front[side], heads.rear[side]] = [heads.rear[side], heads.front[side]];
      heads.front[side].dataset.peg = "front";
      heads.rear[side].dataset.peg = "rear";
      this.pegs = { ...this.pegs, front: front.with(side, to), rear: rear.with(side, from) };
      this.#place();
    };
    if (prefersReducedMotion() || msPerHole <= 0 || to <= from) return end();
    await this.#walk(this.#heads[first ? "front" : "rear"][side], stops, msPerHole, end);
  }

  /** @param {number} side @param {number} from @param {number} to @returns {Pegboard.MovingPeg} */
  movingPeg(side, from, to) {
    this.update({});
    this.#draw([from, to]);
    const first = this.pegs.front[side] === 0 && this.pegs.rear[side] === 0;
    const node = this.#heads[first ? "front" : "rear"][side];
    this.#tops.append(node);
    const at = (/** @type {number} */ score) => this.#now.plan.at(side, score);
    return { node, at, put: (score) => this.#put(node, at(score), 0.2) };
  }

  /**
   * @param {SVGGElement} node @param {(Pegboard.Point | null)[]} stops @param {number} msPerHole
   * @param {() => void} end @returns {Promise<void>}
   */
  #walk(node, stops, msPerHole, end) {
    this.#tops.append(node);
    return new Promise((resolve) => {
      let frame = 0;
      const started = performance.now();
      const done = () => {
        cancelAnimationFrame(frame);
        this.#walks.delete(done);
        end();
        resolve();
      };
      this.#walks.add(done);
      const tick = (/** @type {number} */ now) => {
        const t = Math.max(0, now - started) / msPerHole;
        const step = Math.floor(t);
        if (step >= stops.length - 1) return done();
        const [a, b] = [stops[step] ?? stops[step + 1], stops[step + 1] ?? stops[step]];
        const part = 1 - (1 - (t - step)) ** 2;
        if (a && b)
          this.#put(
            node,
            { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part },
            0.3 * Math.sin(Math.PI * (t - step)) + 0.12,
          );
        frame = requestAnimationFrame(tick);
      };
      frame = requestAnimationFrame(tick);
    });
  }
}

/** Create a whole board with its pegs. @param {Pegboard.Options} options @returns {Pegboard.Element} */
export function boardElement(options) {
  const board = new Board(options);
  /** @type {Pegboard.Moves} */
  const moves = {
    update: (next) => board.update(next),
    animate: (side, from, to, msPerHole = 75) => board.animate(side, from, to, msPerHole),
    finish: () => board.finish(),
    movingPeg: (side, from, to) => board.movingPeg(side, from, to),
    setCollapsed: (fold) => board.setCollapsed(fold),
    fit: (width, height) => board.fit(width, height),
  };
  return /** @type {Pegboard.Element} */ (
    Object.defineProperty(Object.assign(board.element, moves), "pegs", { get: () => structuredClone(board.pegs) })
  );
}
