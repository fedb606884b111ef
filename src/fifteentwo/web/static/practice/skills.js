// The last answers of each skill in all exercises: discards to either crib, leads, pegging, the last street, counting.

import { make } from "../elements.js";
import { store, readStoredObject } from "../storage.js";
import { text } from "../text.js";

const STORAGE_KEY = "fifteentwo.practice.skills";
/** Number of latest answers that the browser stores for each skill: "1" for a right one. */
const LAST = 20;
/** Answers from which on a skill is called the weakest. */
const ENOUGH = 5;
/** Points to go at which the last street begins. */
const LAST_STREET = 30;
/** The exercise of each skill. @type {Record<string, string>} */
const EXERCISES = {
  "own-crib": "/practice/sets/keeping",
  "other-crib": "/practice/sets/crib",
  leads: "/practice/sets/leads",
  pegging: "/practice/sets/traps",
  "last-street": "/practice/sets/last-street",
  counting: "/practice/count",
};

/** @param {Pick<Wire.Problem, "kind" | "own" | "other" | "target" | "own_crib" | "in_count">} problem */
export function skillOf({ kind, own, other, target, own_crib, in_count }) {
  // The race of a first game is judged by points, not by the score.
  if (target > LAST_STREET + 1 && target - Math.max(own, other) <= LAST_STREET) return "last-street";
  if (kind === "discard") return own_crib ? "own-crib" : "other-crib";
  return in_count.length ? "pegging" : "leads";
}

/** @param {string} skill @param {boolean} isRight */
export function noteAnswer(skill, isRight) {
  const stored = readStoredObject(STORAGE_KEY);
  store(STORAGE_KEY, JSON.stringify({ ...stored, [skill]: `${stored[skill] ?? ""}${Number(isRight)}`.slice(-LAST) }));
}

/** Return how many of the last answers of each skill were right, for skills with answers. */
export function skillShares() {
  const stored = readStoredObject(STORAGE_KEY);
  return Object.entries(EXERCISES).flatMap(([skill, href]) => {
    const last = String(stored[skill] ?? "");
    const n = last.replaceAll("0", "").length;
    return last ? [{ name: text(`practice.skill.${skill}`), href, n, of: last.length, share: n / last.length }] : [];
  });
}

/** Name the next exercise: it trains the skill with the smallest share of right answers, if enough are known. @param {string} done the address of this exercise */
export function workOn(done) {
  const [weakest] = skillShares()
    .filter(({ href, n, of }) => href !== done && of >= ENOUGH && n < of)
    .sort((one, other) => one.share - other.share);
  const { href, name } = weakest ?? { href: "/practice/sets/ladder", name: text("practice.theme.ladder") };
  return [
    text("practice.solve.work-on"),
    make("a", { href }, name),
    text(weakest ? "practice.last" : "practice.last.none", weakest),
  ];
}
