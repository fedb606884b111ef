// The state of the review page: the data received, the moment shown, and the last drawing.

import { choiceKey, isAnswered } from "../seen-answers.js";
import { chanceAt, courseOf, turningPoints } from "./course.js";
import { cost, momentOf, unfold, viewFrom } from "./story.js";

export class Reviewed {
  /** The source: a record, or an own game. @type {{record: string} | {table: string, number: number}} */
  source = { record: "" };
  /** The part of the address after "#" with the record, or "". */
  link = "";
  /** Aborts the review that is arriving. */
  arriving = new AbortController();
  open = true;
  /** @type {ReturnType<typeof import("./table.js").reviewTable> | null} */
  table = null;
  /** @type {{course: Review.Course, size: {width: number, height: number}, svg: SVGSVGElement} | null} */
  drawn = null;
  /** Timer of the next drawing, or 0. */
  due = 0;
  /** Timer of the next change of the address, or 0. */
  addressDue = 0;
  /** @type {Review.Picture[]} */
  pictures = [];
  /** @type {Review.Moment[]} */
  moments = [];
  /** @type {string[]} */
  names = [];
  /** @type {Review.Decision[]} */
  decisions = [];
  /** @type {Review.Luck[]} */
  luck = [];
  /** @type {Review.Point[]} */
  points = [];
  /** @type {Review.Whole | null} */
  whole = null;
  /** Number of reviews queued before this one. */
  ahead = 0;
  /** The seat from which the game is seen. */
  seat = 0;
  /** The reader's own seat if this is a game of the reader's. @type {number | null} */
  ownSeat = null;
  /** The scores by side with which the race of a first game ended, or none. @type {number[]} */
  race = [];
  at = 0;
  /** Return the signal that aborts its review. @param {Reviewed["source"]} source @param {number} seat */
  begin(source, seat) {
    this.arriving.abort();
    const ownSeat = "table" in source ? seat : null;
    Object.assign(this, new Reviewed(), { source, seat, ownSeat, open: this.open, due: this.due, race: this.race });
    return this.arriving.signal;
  }

  /** @param {Review.Line} line */
  take(line) {
    const isTold = (/** @type {{step: number}} */ { step }) => step < this.length;
    if (line.t === "story") this.takeStory(line.d);
    else if (line.t === "ahead") this.ahead = line.d;
    else if (line.t === "decision") this.decisions.push(...[line.d].filter(isTold));
    else if (line.t === "luck") this.luck.push(line.d);
    else if (line.t === "point") this.points.push(...[line.d].filter(isTold));
    else if (line.t === "whole") Object.assign(this, { whole: line.d, points: line.d.curve.filter(isTold) });
  }

  /** Take the pictures; a race ends with the point that wins it, at the last hole of its board. @param {Review.Story} story */
  takeStory({ pictures, moments, names }) {
    Object.assign(this, { names, moments, pictures: unfold(pictures) });
    const { race } = this;
    if (!race.length) return;
    const goal = Math.max(...race);
    const upTo = (/** @type {number[]} */ scores) => scores.map((points) => Math.min(points, goal));
    this.pictures = this.pictures.map(({ rules, front, rear, ...rest }) => ({
      ...{ ...rest, rules: { ...rules, target: goal }, front: upTo(front), rear: upTo(rear) },
    }));
    const won = moments.findIndex(({ after }) => this.pictures[after].front.every((n, side) => n >= race[side]));
    if (won < 0) return;
    this.moments = moments.slice(0, won + 1);
    this.pictures = this.pictures.slice(0, moments[won].after + 1);
  }

  get rules() {
    return this.pictures[0].rules;
  }

  /** The address of the table if its game is in progress: a first game, reviewed at 31 points. Otherwise "". */
  get onward() {
    return "table" in this.source && !this.pictures.at(-1)?.won ? `/game/${this.source.table}` : "";
  }

  get moment() {
    return this.moments[this.at];
  }

  get length() {
    return (this.moments.at(-1)?.last ?? 0) + 1;
  }

  /** The last action up to which everything has been received. */
  get done() {
    return this.whole ? this.length : (this.decisions.at(-1)?.step ?? 0);
  }

  /** @param {number} seat */
  sideOf(seat) {
    return seat % this.rules.sides;
  }

  /** Whether the crib belonged to the side that decided. @param {Review.Decision} decision */
  ownCrib(decision) {
    return this.sideOf(this.before(decision).dealer) === this.sideOf(decision.seat);
  }

  /** Return the picture at a decision. @param {Review.Decision} decision */
  before(decision) {
    return this.pictures[this.moments[momentOf(this.moments, decision.step)].before];
  }

  /** Whether the reader was told the best cards before the choice. @param {Review.Decision} decision */
  wasTold(decision) {
    if (!("table" in this.source)) return false;
    return isAnswered(choiceKey(this.source.table, viewFrom(this.before(decision), decision.seat)));
  }

  /** The decision shown: the costliest of this moment. */
  get decision() {
    const here = this.decisions.filter(({ step }) => momentOf(this.moments, step) === this.at);
    return here.sort((one, other) => cost(other) - cost(one))[0] ?? null;
  }

  /** @returns {Review.Point[]} */
  get course() {
    return courseOf(this.points, this.sideOf(this.seat));
  }

  get turns() {
    return turningPoints(this.course);
  }

  get chance() {
    return this.points.length ? chanceAt(this.course, this.moment.last) : null;
  }

  /** @param {number} at */
  go(at) {
    this.at = Math.min(Math.max(at, 0), this.moments.length - 1);
  }

  /** @param {Review.Decision} decision */
  goTo(decision) {
    this.go(momentOf(this.moments, decision.step));
  }

  /** Return the next or previous marked decision of this seat. @param {1 | -1} way */
  nextMark(way) {
    const marked = this.decisions
      .filter(({ mark, seat }) => mark && seat === this.seat)
      .map((one) => ({ one, at: momentOf(this.moments, one.step) }));
    return (way > 0 ? marked.find(({ at }) => at > this.at) : marked.findLast(({ at }) => at < this.at))?.one ?? null;
  }
}
