// The pad's game as a value: the settings, all entries, the result.

export const MOST_SIDES = 4;
export const MOST_TARGET = 999;

/**
 * Fixed settings of each variant.
 * @type {Record<string, {sides: number | null, target: number, teams?: boolean, unmarked?: boolean}>}
 */
export const FORMS = {
  "six-card": { sides: 2, target: 121 },
  "half-game": { sides: 2, target: 61 },
  "five-card": { sides: 2, target: 61 },
  "three-handed": { sides: 3, target: 121 },
  partners: { sides: 2, target: 121, teams: true },
  "four-handed": { sides: 4, target: 121 },
  other: { sides: null, target: 100, unmarked: true },
};

/** Every count that a hand of four and the starter can have. */
const HAND_COUNTS = Array.from({ length: 29 }, (_, i) => i + 1).filter((points) => ![19, 25, 26, 27].includes(points));

/** Return the buttons of a variant: score, points, key. @param {string} form */
export function buttons(form) {
  const plain = (/** @type {number} */ points) => ({ what: "points", points, key: "" });
  if (form === "other") return { play: [1, 2, 3, 5, 10].map(plain), whole: [], hand: [], other: [] };
  const five = form === "five-card";
  const run = (/** @type {number} */ points) => ({ what: "run", points, key: "" });
  return {
    play: [
      { what: "last_card", points: 1, key: "g" },
      { what: "fifteen", points: 2, key: "f" },
      { what: "thirty_one", points: 2, key: "t" },
      { what: "pair", points: 2, key: "p" },
      { what: "pair_royal", points: 6, key: "r" },
      { what: "double_pair_royal", points: 12, key: "d" },
      ...(five ? [3, 4, 5, 6] : [3, 4, 5, 6, 7]).map(run),
    ],
    whole: HAND_COUNTS.filter((points) => !five || points < 16 || points === 20).map(plain),
    hand: [
      { what: "fifteen", points: 2, key: "" },
      { what: "pair", points: 2, key: "" },
      { what: "pair_royal", points: 6, key: "" },
      { what: "double_pair_royal", points: 12, key: "" },
      ...(five ? [3, 4] : [3, 4, 5]).map(run),
      ...(five ? [3, 4, 5] : [4, 5]).map((points) => ({ what: "flush", points, key: "" })),
      { what: "nobs", points: 1, key: "n" },
    ],
    other: [{ what: "heels", points: 2, key: "h" }, ...(five ? [{ what: "three_for_last", points: 3, key: "l" }] : [])],
  };
}

/** Return the skunk lines of a target (R18–R20). @param {number} target */
export const lines = (target) =>
  target === 121
    ? { skunk: 91, doubleSkunk: 61 }
    : target === 61
      ? { skunk: 31, doubleSkunk: null }
      : { skunk: null, doubleSkunk: null };

/** @param {Scoring.Setup} setup @returns {Scoring.Pad} */
export const begin = (setup) => ({ setup, entries: [], undone: [] });

/** @param {Scoring.Pad} pad @param {Scoring.Entry} entry @returns {Scoring.Pad} */
export const enter = (pad, entry) => ({ ...pad, entries: [...pad.entries, entry], undone: [] });

/** @param {Scoring.Pad} pad @returns {Scoring.Pad} */
export function undo(pad) {
  const last = pad.entries.at(-1);
  return last ? { ...pad, entries: pad.entries.slice(0, -1), undone: [...pad.undone, last] } : pad;
}

/** @param {Scoring.Pad} pad @returns {Scoring.Pad} */
export function redo(pad) {
  const next = pad.undone.at(-1);
  return next ? { ...pad, entries: [...pad.entries, next], undone: pad.undone.slice(0, -1) } : pad;
}

/** Return the cost of a loser's points in games. @param {Scoring.Setup} setup @param {number} points */
function gamesLost(setup, points) {
  if (setup.doubleSkunk !== null && points < setup.doubleSkunk) return 4;
  return setup.skunk !== null && points < setup.skunk ? 2 : 1;
}

/**
 * Return the next game's first dealer: the side with the fewest points; among equals the one whose deal would come
 * first (C14).
 * @param {Scoring.Standing} now @param {number} dealer
 */
function loser({ front, won }, dealer) {
  const order = front.map((_, place) => (dealer + 1 + place) % front.length).filter((side) => side !== won?.side);
  return order.reduce((least, side) => (front[side] < front[least] ? side : least));
}

/** Add up all entries. Nothing counts once a side has reached the target (R14). @param {Scoring.Pad} pad */
export function standing({ setup, entries }) {
  const sides = setup.names.length;
  const zero = () => Array(sides).fill(0);
  /** @type {Scoring.Standing} */
  const now = {
    front: zero(),
    rear: zero(),
    games: zero(),
    game: 1,
    dealer: FORMS[setup.form].unmarked ? null : (setup.dealer ?? 0),
    won: null,
    log: [],
  };
  for (const entry of entries) {
    if (entry.kind === "next") {
      if (now.won) now.game += 1;
      if (now.won && now.dealer !== null) now.dealer = loser(now, now.dealer);
      [now.front, now.rear, now.won] = [zero(), zero(), null];
      continue;
    }
    if (now.won) continue;
    if (entry.kind === "deal") {
      if (now.dealer !== null) now.dealer = (now.dealer + 1) % sides;
      continue;
    }
    const before = now.front[entry.side];
    const score = Math.max(0, Math.min(before + entry.points, setup.target));
    now.rear[entry.side] = before;
    now.front[entry.side] = score;
    now.log.push({ side: entry.side, points: entry.points, what: entry.what, score, game: now.game });
    if (score === setup.target) {
      const lost = now.front.map((points, side) => (side === entry.side ? 0 : gamesLost(setup, points)));
      now.won = { side: entry.side, lost };
      now.games[entry.side] += Math.max(...lost);
    }
  }
  return now;
}

/** Read a stored pad, or return null. @param {string | null} kept @returns {Scoring.Pad | null} */
export function restore(kept) {
  try {
    const pad = JSON.parse(kept ?? "null");
    const { names, target, dealer = 0 } = pad.setup;
    const sides =
      Array.isArray(names) &&
      names.length >= 2 &&
      names.length <= MOST_SIDES &&
      names.every((name) => typeof name === "string");
    const entry = (/** @type {Scoring.Entry} */ one) =>
      one.kind === "next" ||
      one.kind === "deal" ||
      (one.kind === "points" && Number.isInteger(one.points) && one.side in names && typeof one.what === "string");
    const whole =
      Number.isInteger(target) &&
      target > 0 &&
      Number.isInteger(dealer) &&
      dealer in names &&
      pad.setup.form in FORMS &&
      [...pad.entries, ...pad.undone].every(entry);
    return sides && whole ? pad : null;
  } catch {
    return null;
  }
}
