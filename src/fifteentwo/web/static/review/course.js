// The course of a game: the win probability after each action, and its turning points.

/** Change of win probability that makes a turning point. */
const SWING = 0.25;

/** One per action, after 0.5 before the first card. @param {Review.Point[]} points @param {number} seat */
export function courseOf(points, seat) {
  /** @type {Map<number, Review.Point>} */
  const byStep = new Map();
  for (const point of points) byStep.set(point.step, point);
  const course = [...byStep.values()].sort((one, other) => one.step - other.step);
  return [
    { step: -1, deal: 1, win: 0.5 },
    // The seat's own view, as in its decisions.
    ...course.map(({ step, deal, win, views }) => ({
      step,
      deal,
      win: views?.[seat] ?? (seat === 0 ? win : 1 - win),
    })),
  ];
}

/** @param {Review.Point[]} course @param {number} step */
export const chanceAt = (course, step) => course.findLast((point) => point.step <= step)?.win ?? 0.5;

/** Return highs and lows at least one swing apart. @param {Review.Point[]} course @returns {Review.Point[]} */
export function turningPoints(course) {
  /** @type {Review.Point[]} */
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
