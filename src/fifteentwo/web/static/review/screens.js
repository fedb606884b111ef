// The story of a review: its screens and their sentences. Nothing here draws.

import { lang, listed, text } from "../text.js";
import { kindOf, textOf } from "./figures.js";
import { headline } from "./headline.js";
import { accuracyOf, cardsOf, choiceOf, cost, costliest, isOfCards, lossOf } from "./story.js";

/** @typedef {import("./reviewed.js").Reviewed} Reviewed */

/** Mistakes of a finished game, and of a first game. */
const [MAX_MISTAKES, FIRST_MISTAKES] = [2, 1];
/** A mistake that costs less win probability, or fewer points, is not asked for; nearly every game has a costlier one. */
const [ASKED_WIN, ASKED_POINTS] = [0.01, 0.3];
/** A choice is praised if the next best loses at least this much win probability, or these points. */
const [LEAST_WIN, LEAST_POINTS] = [0.01, 0.2];
/** The least that is printed as a loss; a game has one thing done well if there is any. */
const [PRINTED_WIN, PRINTED_POINTS] = [0.0005, 0.05];

/** Return the screens of the chosen seat; none before the review is complete. @param {Reviewed} game */
export function screensOf(game) {
  if (!game.whole) return [];
  const costly = costliest(game.decisions, game.seat).filter(
    (one) => isOfCards(one) && cost(one) >= (one.loss_win === null ? ASKED_POINTS : ASKED_WIN),
  );
  const mistakes = costly.slice(0, game.onward ? FIRST_MISTAKES : MAX_MISTAKES);
  /** @type {Review.Screen[]} */
  const screens = [
    {
      kind: "result",
      title: titleOf(game),
      lines: game.onward ? [...race(game), ...headline(game)] : [...headline(game), ...accuracy(game)],
      decision: null,
    },
    ...mistakes.map((one) => asked(game, one)),
    { kind: "well", title: text("story.well"), ...praise(game, !mistakes.length) },
    game.onward ? onward(game, costly.slice(FIRST_MISTAKES)) : { kind: "drill", ...drill(game, mistakes[0] ?? null) },
  ];
  return screens.filter(({ lines }) => lines.length);
}

/** Return how many choices were practically best, if any was open. @param {Reviewed} game */
function accuracy({ decisions, seat }) {
  const { right, of } = accuracyOf(decisions, seat);
  return of ? [text("story.accuracy", { right, of })] : [];
}

/** @param {Reviewed} game @param {number} side */
const namesOf = (game, side) => listed(game.names.filter((_, seat) => game.sideOf(seat) === side));

/** Return the points with which the story ends. @param {Reviewed} game */
const frontOf = ({ pictures, race }) => (race.length ? race : pictures[pictures.length - 1].front);

/** Return who won the race of a first game. @param {Reviewed} game */
const race = (game) =>
  game.race.length ? [textOf("story.race", namesOf(game, game.race.indexOf(Math.max(...game.race))))] : [];

/** Return the players and points. @param {Reviewed} game */
export const titleOf = (game) =>
  frontOf(game)
    .map((points, side) => `${namesOf(game, side)} ${points}`)
    .join(" – ");

/**
 * Return the screen of a mistake; its words before the reader has chosen name no choice.
 * @param {Reviewed} game @param {Review.Decision} one @returns {Review.Screen}
 */
export const asked = (game, one) => ({
  kind: "mistake",
  title: text("story.now", { what: kindOf(one, game.ownCrib(one)) }),
  lines: [
    text("review.at", { deal: one.deal, score: one.score.join("–") }),
    text(one.kind === "discard" ? "review.prompt.discard" : "review.prompt.play"),
  ],
  decision: one,
});

/** Return the words after the answer: both choices, the cost, the reasons. @param {Reviewed} game @param {Review.Decision} one @param {string[]} tried the reader's choice, if any */
export function answered(game, one, tried) {
  const [best] = one.options;
  const own = choiceOf(one, tried);
  const chosen = one.options.find(({ choice }) => choice === one.chosen);
  const again = !own
    ? ""
    : own === best
      ? `✓ ${text("story.tried.best")}`
      : own === chosen
        ? `✗ ${text("story.tried.same")}`
        : compared(one, own, chosen ?? best);
  const values = { best: signsOf(one, one.best), cost: chosen ? costOf(one, chosen) : "" };
  const both =
    own && own === chosen
      ? own === best
        ? ""
        : text("story.best", values)
      : textOf("story.chose", game.names[one.seat], { cards: signsOf(one, one.chosen), ...values });
  return [again, both, ...one.why.slice(0, 2)].filter(Boolean);
}

/**
 * Compare the reader's new choice with that of the game.
 * @param {Review.Decision} one @param {Review.Option} own @param {Review.Option} chosen
 */
function compared(one, own, chosen) {
  const [now, before] = [lossOf(one, own), lossOf(one, chosen)];
  const lost = (/** @type {typeof now} */ { win, points }) => win ?? points;
  const [n, was] = [now, before].map(({ win, points }) => (win === null ? points.toFixed(1) : gamesLost(win)));
  if (n === was) return `✗ ${text("story.tried.level")}`;
  const isGood = lost(now) < (now.win === null ? ASKED_POINTS : ASKED_WIN);
  const [sign, how] = lost(now) >= lost(before) ? ["✗ ", "worse"] : isGood ? ["✓ ", "better"] : ["", "closer"];
  const values = { n, before: was };
  const said = now.win === null ? text(`story.tried.points.${how}`, values) : text(`story.tried.games.${how}`, values);
  return sign + said;
}

/** Return the best decision, how much better it was, and why. @param {Reviewed} game @param {boolean} flawless whether no mistake is asked for */
function praise(game, flawless) {
  const { decisions, seat, whole, onward } = game;
  const { right } = accuracyOf(decisions, seat);
  const all = flawless ? [text("story.flawless")] : [];
  if (right && onward) all.push(...accuracy(game));
  const best = decisions
    .filter(
      (one) =>
        one.seat === seat && isOfCards(one) && (onward || !one.obvious) && one.chosen === one.best && one.options[1],
    )
    .map((one) => ({ one, gain: lossOf(one, one.options[1]) }));
  const above = (/** @type {number} */ win, /** @type {number} */ points) =>
    best.filter(({ gain }) => (whole?.by_chance ? (gain.win ?? 0) >= win : gain.points >= points));
  const clear = onward ? [] : above(LEAST_WIN, LEAST_POINTS);
  const gains = (clear.length ? clear : above(PRINTED_WIN, PRINTED_POINTS)).sort(
    (one, other) =>
      Number(one.one.obvious) - Number(other.one.obvious) ||
      (other.gain.win ?? other.gain.points) - (one.gain.win ?? one.gain.points),
  );
  if (!gains.length) return { lines: onward && !right ? [text("story.well.all")] : all, decision: null };
  const [{ one }] = gains;
  const at = text("review.at", { deal: one.deal, score: one.score.join("–") });
  const values = { at, cards: signsOf(one, one.best), next: signsOf(one, one.options[1].choice) };
  const ahead = costOf(one, one.options[1]);
  return {
    lines: [...all, text(`story.good.${one.kind}`, { ...values, cost: ahead }), ...one.why.slice(0, 1)],
    decision: one,
  };
}

/**
 * Return the last screen of a first game, which leads back to its table.
 * @param {Reviewed} game @param {Review.Decision[]} more costly choices that were not asked for
 * @returns {Review.Screen}
 */
const onward = ({ onward }, more) => ({
  kind: "onward",
  title: text("first.on"),
  lines: [text("first.done")],
  href: onward,
  more,
  decision: null,
});

/** Return a set of problems like the costliest mistake. @param {Reviewed} game @param {Review.Decision | null} worst */
function drill(game, worst) {
  const theme = worst ? themeOf(game, worst) : "ladder";
  const why = worst
    ? text("story.drill.why", { what: kindOf(worst, game.ownCrib(worst)), theme: text(`practice.theme.${theme}`) })
    : text("story.drill.none");
  return { title: text("story.drill"), lines: [why], href: `/practice/sets/${theme}`, decision: worst };
}

/** @param {Reviewed} game @param {Review.Decision} one */
function themeOf(game, one) {
  if (Math.max(...one.score) > game.rules.target - 31) return "last-street";
  if (one.kind === "discard") return game.ownCrib(one) ? "keeping" : "crib";
  return one.count ? "traps" : "leads";
}

/** Return a loss against the best in words: games of 100, or points. @param {Review.Decision} decision @param {Review.Option} option */
function costOf(decision, option) {
  const { win, points } = lossOf(decision, option);
  if (win === null)
    return points < PRINTED_POINTS ? text("story.cost.none") : text("story.cost.points", { points: points.toFixed(1) });
  return win < PRINTED_WIN ? text("story.cost.none") : text("story.cost.games", { n: gamesLost(win) });
}

/** Return a loss of win probability in games of 100. @param {number} loss */
const gamesLost = (loss) => String(Number((100 * loss).toFixed(loss < 0.0995 ? 1 : 0)));

/** Return the cards of a choice in signs. @param {Review.Decision} decision @param {string} choice */
const signsOf = (decision, choice) =>
  cardsOf(decision, choice)
    .map(([rank, suit]) => [rank === "T" ? "10" : rank, "♣♦♥♠"["CDHS".indexOf(suit)]])
    .map((signs) => (lang === "ja" ? signs.reverse() : signs).join(""))
    .join(lang === "ja" ? "と" : " ");
