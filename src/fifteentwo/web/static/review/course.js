// The course of a game: the chance of winning after each action, and where it turned.

/** @typedef {import("./story.js").Point} Point */

/** A move of the chance by so much, up or down, is a swing of the game. */
const SWING = 0.25;

/**
 * The chances as a seat sees them, from the even one before the first card; the last point of each action.
 * @param {Point[]} points @param {number} seat @returns {Point[]}
 */
export function courseOf(points, seat) {
  /** @type {Map<number, Point>} */
  const byStep = new Map();
  for (const point of points) byStep.set(point.step, point);
  const course = [...byStep.values()].sort((one, other) => one.step - other.step);
  return [
    { step: -1, deal: 1, win: 0.5 },
    ...course.map(({ step, deal, win }) => ({ step, deal, win: seat === 0 ? win : 1 - win })),
  ];
}

/** The chance at an action: that of the last point before it. @param {Point[]} course @param {number} step */
export const chanceAt = (course, step) => course.findLast((point) => point.step <= step)?.win ?? 0.5;

/**
 * Where the game turned: the heights and depths between which the chance swung by so much, the last swing's end left
 *   out.
 * @param {Point[]} course @returns {Point[]}
 */
export function turningPoints(course) {
  /** @type {Point[]} */
  const turns = [];
  if (!course.length) return turns;
  let [low, high] = [course[0], course[0]];
  let way = 0;
  for (const point of course) {
    if (point.win > high.win) high = point;
    if (point.win < low.win) low = point;
    // A way up ends at its height once the chance has come down from there by a swing, and the other way round.
    if (way >= 0 && high.win - point.win >= SWING) {
      if (way > 0 || high !== course[0]) turns.push(high);
      [way, low, high] = [-1, point, point];
    } else if (way <= 0 && point.win - low.win >= SWING) {
      if (way < 0 || low !== course[0]) turns.push(low);
      [way, low, high] = [1, point, point];
    }
  }
  return turns;
}
