// The board as SVG text: tracks, holes, numbers, skunk lines and pegs.

import { LENGTH, NUMBERED, PITCH, STREET, gamePlaces, reach, turn } from "./holes.js";

/** One peg head shape per side, centred at 0,0. */
const HEADS = [
  "M-4.6 0a4.6 4.6 0 1 1 9.2 0a4.6 4.6 0 1 1-9.2 0Z",
  "M-3.2-4.2H3.2Q4.2-4.2 4.2-3.2V3.2Q4.2 4.2 3.2 4.2H-3.2Q-4.2 4.2-4.2 3.2V-3.2Q-4.2-4.2-3.2-4.2Z",
  "M0-5.4Q.7-5.4 1.1-4.7L5 2.5Q5.4 3.9 4 4H-4Q-5.4 3.9-5 2.5L-1.1-4.7Q-.7-5.4 0-5.4Z",
  "M0-5.8 5.2-.6Q5.6 0 5.2 .6L0 5.8-5.2 .6Q-5.6 0-5.2-.6Z",
];

const dots = (/** @type {Pegboard.Point[]} */ points, dx = 0, dy = 0) =>
  points.map((p) => `M${(p.x + dx).toFixed(1)} ${(p.y + dy).toFixed(1)}h.01`).join("");

/** Each layer of the holes (lip, bore, shadow) is one path. @param {Pegboard.Point[]} points */
const holes = (points, kind = "") =>
  `<path class="hole-lip ${kind}" d="${dots(points, 0.5, 0.8)}"/><path class="hole-bore ${kind}" d="${dots(points)}"/>` +
  `<path class="hole-deep ${kind}" d="${dots(points, -0.3, -0.5)}"/>`;

/** @param {Pegboard.Point} p @param {string | number} words */
const text = (p, words, kind = "number") =>
  `<text class="${kind}" x="${p.x.toFixed(1)}" y="${p.y.toFixed(1)}">${words}</text>`;
/** @param {Pegboard.Point} p @param {number} score @param {number} row */
const number = (p, score, row) => text(p, score, row % 10 ? "number number--five" : "number");
/** @param {Pegboard.Point} a @param {Pegboard.Point} b */
const line = (a, b) =>
  `<path class="line" d="M${a.x.toFixed(1)} ${a.y.toFixed(1)}L${b.x.toFixed(1)} ${b.y.toFixed(1)}"/>`;
/** @param {number} side @param {Pegboard.Point[]} points */
const track = (side, points) =>
  `<path class="track track--${side + 1}" d="${points.map((p, i) => `${i ? "L" : "M"}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join("")}"/>`;

/** @param {Pegboard.Plan} plan @param {number} sides @param {boolean} tall */
function games(plan, sides, tall) {
  const { middle } = plan;
  if (middle === null) return "";
  const kind = tall ? "engraving" : "engraving engraving--small";
  const names = (tall ? [17, LENGTH - 27] : [36, LENGTH - 36]).map((u) => text(plan.point(u, middle), "15·2", kind));
  return holes(gamePlaces(plan, sides).flat(), "hole-small") + names.join("");
}

/** Two start holes, then one per score. @param {Pegboard.Plan} plan @param {number} side @param {number} last */
const drilled = (plan, side, last) =>
  [
    plan.at(side, 0, 0),
    plan.at(side, 0, 1),
    ...Array.from({ length: last }, (_, score) => plan.at(side, score + 1)),
  ].filter((hole) => hole !== null);

/** Draw the long track. @param {Pegboard.PlanA} plan @param {Pegboard.Drawn} drawn */
export function drawA(plan, { sides, target, streets, lines, tall, bend }) {
  const every = Array.from({ length: sides }, (_, side) => side);
  const [game, below] = [plan.at(0, target), tall || streets.length > 1 ? 13 : -11];
  return [
    ...every.flatMap((side) => tracksA(plan, side, bend)),
    holes(every.flatMap((side) => drilled(plan, side, target - 1))),
    ...(game ? [holes([game], "hole-game"), text({ x: game.x, y: game.y + below }, target, "number--game")] : []),
    ...streets.flatMap((street) => numbersA(plan, street, target, tall ? (street === 2 ? 10 : 11.5) : 9)),
    ...lines.filter(({ after }) => streets.includes(after / STREET)).map((skunk) => skunkLineA(plan, skunk, bend)),
    games(plan, sides, tall),
  ].join("");
}

/** @param {Pegboard.PlanA} plan @param {number} side @param {Pegboard.Drawn["bend"]} bend */
function tracksA(plan, side, bend) {
  const parts = [];
  /** @type {Pegboard.Point[]} */
  let points = [];
  for (const [index, street] of plan.streets.entries()) {
    const forward = street % 2 === 1;
    const v = plan.start(street) + plan.lane(side, street);
    if (street === 1) points.push(plan.point(-14 - PITCH, v));
    points.push(plan.point(forward ? 0 : LENGTH, v), plan.point(forward ? LENGTH : 0, v));
    if (plan.streets[index + 1] === street + 1) {
      const next = plan.start(street + 1) + plan.lane(side, street + 1);
      points.push(...turn(plan, forward ? LENGTH : 0, forward ? 1 : -1, v, next, bend(next - v, plan.joint(street))));
    } else {
      parts.push(track(side, points));
      points = [];
    }
  }
  return parts;
}

/** @param {Pegboard.PlanA} plan @param {number} street @param {number} target @param {number} gap */
function numbersA(plan, street, target, gap) {
  const first = (street - 1) * STREET;
  const place = (/** @type {number} */ row) =>
    plan.point(street % 2 ? reach(row) : LENGTH - reach(row), plan.start(street) - gap);
  return NUMBERED.filter((row) => first + row < target).map((row) => number(place(row), first + row, row));
}

/** @param {Pegboard.PlanA} plan @param {Pegboard.SkunkLine} skunk @param {Pegboard.Drawn["bend"]} bend */
function skunkLineA(plan, { after, mark }, bend) {
  const street = after / STREET;
  const outward = street % 2 ? 1 : -1;
  const u = street % 2 ? LENGTH : 0;
  const from = plan.start(street);
  if (!plan.streets.includes(street + 1)) {
    const to = from + plan.across;
    return (
      line(plan.point(u + outward * 7, from - 5), plan.point(u + outward * 7, to + 5)) +
      text(plan.point(u + outward * 15, (from + to) / 2), mark, "mark")
    );
  }
  const to = plan.start(street + 1) + plan.across;
  const v = (from + to) / 2;
  const least = plan.joint(street);
  const [inner, outer] = [bend(to - from - 2 * plan.across, least), bend(to - from, least)];
  const begins = u + outward * Math.max(inner - 6, 0);
  return (
    line(plan.point(begins, v), plan.point(u + outward * (outer + 5), v)) +
    text(plan.point(begins - outward * 7, v), mark, "mark")
  );
}

/** @param {Pegboard.PlanB} plan @param {Pick<Pegboard.Drawn, "target" | "lines" | "tall">} drawn */
export function drawB(plan, { target, lines, tall }) {
  return [
    ...[0, 1].map((side) => columnsB(plan, side, target, lines, tall)),
    holes([0, 1].flatMap((side) => drilled(plan, side, 60))),
    games(plan, 2, tall),
  ].join("");
}

/**
 * @param {Pegboard.PlanB} plan @param {number} side @param {number} target @param {Pegboard.SkunkLine[]} lines
 * @param {boolean} tall
 */
function columnsB(plan, side, target, lines, tall) {
  const { own, columns } = plan;
  const out = side ? -1 : 1;
  const [outer, inner] = side ? [columns[3], columns[2]] : [columns[0], columns[1]];
  const ends = side ? [LENGTH, 0] : [0, LENGTH];
  const goingHome = target > 61 ? turn(plan, ends[0], -out, inner, outer, 9) : [own(side, -22, true)];
  const parts = [
    track(side, [
      own(side, -14 - PITCH, false),
      own(side, LENGTH, false),
      ...turn(plan, ends[1], out, outer, inner, 12),
      own(side, 0, true),
      ...goingHome,
    ]),
    holes([own(side, -22, true)], "hole-game"),
  ];
  for (const row of NUMBERED) {
    const along = (/** @type {number} */ hole) => (side ? LENGTH - reach(hole) : reach(hole));
    parts.push(number(plan.point(along(row), outer + (side ? 10 : -10)), row, row));
    parts.push(number(plan.point(along(STREET + 1 - row), inner + (side ? -10 : 10)), STREET + row, row));
  }
  parts.push(text(own(side, tall ? -35 : -38, true), target));
  for (const { after, mark } of lines) {
    const farEnd = (after / STREET) % 2 === 1;
    const u = farEnd ? ends[1] : ends[0];
    const way = farEnd ? out : -out;
    const v = (outer + inner) / 2;
    parts.push(
      line(plan.point(u - way * 3, v), plan.point(u + way * 16, v)),
      text(plan.point(u - way * 11, v), mark, "mark"),
    );
  }
  return parts.join("");
}

/** Return a peg seen from above. Its shape and colour show the side. @param {number} side */
export const pegMarkup = (side) =>
  `<path class="peg-shadow" d="${HEADS[side]}" transform="translate(1.2 2.2) scale(1.08)"/><path class="peg-rim" d="${HEADS[side]}"/>` +
  `<path class="peg-head" d="${HEADS[side]}" transform="translate(-.2 -.4) scale(.86)"/><ellipse class="peg-shine" cx="-1.1" cy="-1.7" rx="1.7" ry="1"/>`;

/** @param {number} side */
export const markMarkup = (side) =>
  `<path class="peg-rim" d="${HEADS[side]}"/><path class="peg-head" d="${HEADS[side]}" transform="scale(.86)"/>`;
