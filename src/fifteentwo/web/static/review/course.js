// The course of a game: the win probability after each action, and its turning points.

/** @typedef {import("./story.js").Point} Point */

/** Change of win probability that makes a turning point. */
const SWING = 0.25;

/**
 * Return the win probabilities for a seat, beginning with 0.5 before the first card; one per action.
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

/** @param {Point[]} course @param {number} step */
export const chanceAt = (course, step) => course.findLast((point) => point.step <= step)?.win ?? 0.5;

/**
 * Return the turning points: highs and lows at least one swing apart, without the end of the last swing.
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
    // A rise ends at its maximum once the probability has fallen by a swing, and the reverse.
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
