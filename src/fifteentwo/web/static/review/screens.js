// The story of a review: its screens and their sentences. Nothing here draws.

import { byRank } from "../cards/deck.js";
import { cardSigns, lang, listed, text } from "../text.js";
import { kindOf, textOf } from "./figures.js";
import { balanceWords, headline } from "./headline.js";
import { accuracyOf, cardsOf, choiceOf, cost, costliest, isOfCards, lossOf } from "./story.js";

/** @typedef {import("./reviewed.js").Reviewed} Reviewed */

/** Mistakes of a finished game, and of a first game. */
const [MAX_MISTAKES, FIRST_MISTAKES] = [2, 1];
/** A mistake that costs less win probability, or fewer points, is not asked for; nearly every game has a costlier one. */
const [ASKED_WIN, ASKED_POINTS] = [0.01, 0.3];
/** A choice is praised if the next best loses at least this much win probability, or these points. */
const [LEAST_WIN, LEAST_POINTS] = [0.01, 0.2];
/** The least loss that is printed as a figure. */
const SEEN_WIN = 0.0045;
/** The least that counts as a loss. */
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
      lines: [
        ...race(game),
        ...(game.onward ? [] : [...headline(game), balanceWords(game).join(lang === "ja" ? "" : " ")]),
        ...accuracy(game),
      ].filter(Boolean),
      decision: null,
    },
    ...mistakes.map((one) => asked(game, one)),
    { kind: "well", title: text("story.well"), ...praise(game, !mistakes.length) },
    last(game, costly),
  ];
  return screens.filter(({ lines }) => lines.length);
}

/** Return how many choices were practically best, if any was open. @param {Reviewed} game */
function accuracy({ decisions, seat }) {
  const { right, of } = accuracyOf(decisions, seat);
  return of ? [text("story.accuracy", { right, of })] : [];
}

/** @param {Reviewed} game @param {number} side */
export const namesOf = (game, side) => listed(game.names.filter((_, seat) => game.sideOf(seat) === side));

/** Return the points with which the story ends. @param {Reviewed} game */
export const frontOf = ({ pictures, race }) => (race.length ? race : pictures[pictures.length - 1].front);

/** Return who won the race of a first game. @param {Reviewed} game */
const race = (game) =>
  game.race.length ? [textOf("story.race", namesOf(game, game.race.indexOf(Math.max(...game.race))))] : [];

/** @param {Reviewed} game @param {number[]} points by side */
const scoresOf = (game, points) => points.map((n, side) => `${namesOf(game, side)} ${n}`).join(" – ");

/** Return the players and points. @param {Reviewed} game */
export const titleOf = (game) => scoresOf(game, frontOf(game));

/** Return the deal and the scores of a decision. @param {Reviewed} game @param {Review.Decision} decision */
const placeOf = (game, { deal, score }) => text("review.at", { deal, score: scoresOf(game, score) });

/**
 * Return the screen of a mistake; its words before the reader has chosen name no choice.
 * @param {Reviewed} game @param {Review.Decision} one @returns {Review.Screen}
 */
export const asked = (game, one) => ({
  kind: "mistake",
  title: text("story.now", { what: kindOf(one, game.ownCrib(one)) }),
  lines: [placeOf(game, one), text(one.kind === "discard" ? "review.prompt.discard" : "review.prompt.play")],
  decision: one,
});

/** Return the words after the answer: a verdict, the reason, both choices. @param {Reviewed} game @param {Review.Decision} one @param {string[]} tried the reader's choice, if any */
export function answered(game, one, tried) {
  const [best] = one.options;
  const own = choiceOf(one, tried);
  const chosen = one.options.find(({ choice }) => choice === one.chosen) ?? best;
  const values = { cards: signsOf(one, one.chosen), best: signsOf(one, one.best), cost: costOf(one, chosen) };
  const both = textOf(one.chosen === one.best ? "story.chose-best" : "story.chose", game.names[one.seat], values);
  const isOther = own && own !== best && own !== chosen;
  const reasons = isOther ? one.why_of?.[one.kind === "play" ? tried[0] : own.choice] : one.why;
  const [why, ...more] = (reasons ?? []).slice(0, 2);
  if (!own) return [why, both, ...more].filter(Boolean);
  if (own === best) return [`✓ ${text("story.tried.best")}`, why, both, ...more].filter(Boolean);
  if (own === chosen)
    return [`✗ ${text("story.tried.same")}`, why, text("story.best", values), ...more].filter(Boolean);
  const [now, before] = [lostBy(one, own), lostBy(one, chosen)];
  const how = now === before ? "level" : now > before ? "worse" : isFine(one, own) ? "better" : "closer";
  const verdict = `${{ level: "✗ ", worse: "✗ ", better: "✓ ", closer: "" }[how]}${text(`story.tried.${how}`)}`;
  const than = text("story.than", { best: values.best, cards: signsOf(one, own.choice), cost: costOf(one, own) });
  return [verdict, why, both, than, ...more].filter(Boolean);
}

/** Whether a choice needs no second try. @param {Review.Decision} one @param {Review.Option} own */
export function isFine(one, own) {
  const { win, points } = lossOf(one, own);
  return win === null ? points < ASKED_POINTS : win < ASKED_WIN;
}

/** Return a loss in words. @param {Review.Decision} one @param {Review.Option} option */
function lostBy(one, option) {
  const { win, points } = lossOf(one, option);
  return Number(win === null ? points.toFixed(1) : gamesLost(win));
}

/** Return the parts of a discard in which the best is visibly better, the largest first. @param {Reviewed} game @param {Review.Decision} one @param {Review.Option} own */
function partsOf(game, one, own) {
  const [best] = one.options;
  const isOwnCrib = game.ownCrib(one);
  return /** @type {const} */ (["hand", "crib", "play"])
    .map((part) => ({
      name: part === "crib" && !isOwnCrib ? "their-crib" : part,
      by: ((best[part] ?? 0) - (own[part] ?? 0)) * (part === "crib" && !isOwnCrib ? -1 : 1),
    }))
    .filter(({ by }) => by >= PRINTED_POINTS)
    .sort((part, other) => other.by - part.by);
}

/** Return a hint after a first choice that was not good. @param {Reviewed} game @param {Review.Decision} one @param {Review.Option} own */
export function nudge(game, one, own) {
  const rank = byRank(one.best, own.choice) < 0 ? "lower" : "higher";
  const [part] = partsOf(game, one, own);
  const idea = one.kind === "play" ? rank : (part?.name ?? "score");
  return text("story.nudge", { cards: signsOf(one, own.choice), idea: text(`story.idea.${idea}`) });
}

/** Return the counted hand with the most points, its cards in order. @param {Reviewed} game @param {(deal: number) => boolean} [counts] */
export const bestHand = ({ moments, seat }, counts = () => true) =>
  moments
    .flatMap(({ counted, deal }) =>
      counted && !counted.crib && counted.seat === seat && counted.points && counts(deal)
        ? [{ ...counted, cards: [...counted.cards].sort(byRank), deal }]
        : [],
    )
    .sort((one, other) => other.points - one.points)[0];

/** Return the best decision of the reader's own, how much better it was, and why. @param {Reviewed} game @param {boolean} flawless whether no mistake is asked for */
function praise(game, flawless) {
  const { decisions, seat, names, whole, onward } = game;
  const all = flawless
    ? [costliest(decisions, seat).length ? text("story.flawless") : textOf("story.flawless.all", names[seat])]
    : [];
  const clear = decisions
    .filter(
      (one) =>
        one.seat === seat &&
        isOfCards(one) &&
        (onward || !one.obvious) &&
        one.chosen === one.best &&
        one.options[1] &&
        // Without a reason that the game bears out, nothing is praised.
        one.why.length &&
        !game.wasTold(one),
    )
    .map((one) => ({ one, gain: lossOf(one, one.options[1]) }))
    .filter(({ gain }) => (whole?.by_chance ? (gain.win ?? 0) >= LEAST_WIN : gain.points >= LEAST_POINTS));
  const discardOf = (/** @type {number} */ deal) =>
    decisions.find(
      (one) => one.kind === "discard" && one.deal === deal && one.seat === seat && !one.mark && !game.wasTold(one),
    );
  const counted = bestHand(game, (deal) => Boolean(discardOf(deal)));
  const one = counted && discardOf(counted.deal);
  const told = decisions.filter(
    (one) => one.seat === seat && isOfCards(one) && one.chosen === one.best && game.wasTold(one),
  );
  const none = told.length ? text("story.well.told", { n: told.length }) : text("story.well.none");
  // Any hand is better than no praise.
  const most = one ? counted : bestHand(game);
  if (!clear.length && most) {
    const values = { kept: signs(most.cards), starter: signs([most.starter]), n: most.points };
    const good = one
      ? text("story.good.hand", { at: placeOf(game, one), cards: signsOf(one, one.chosen), ...values })
      : text("story.good.best-hand", values);
    return { lines: [...all, none, good], shown: { cards: most.cards, starter: most.starter }, decision: null };
  }
  const gains = clear.sort(
    (one, other) =>
      Number(one.one.obvious) - Number(other.one.obvious) ||
      (other.gain.win ?? other.gain.points) - (one.gain.win ?? one.gain.points),
  );
  if (!gains.length) return { lines: [...all, none], decision: null };
  const [{ one: good }] = gains;
  const at = placeOf(game, good);
  const values = { at, cards: signsOf(good, good.best), next: signsOf(good, good.options[1].choice) };
  const ahead = costOf(good, good.options[1]);
  return {
    lines: [...all, text(`story.good.${good.kind}`, { ...values, cost: ahead }), ...good.why.slice(0, 1)],
    decision: good,
  };
}

/**
 * Return the last screen: the next game, problems like the costliest mistake, the full review.
 * @param {Reviewed} game @param {Review.Decision[]} costly @returns {Review.Screen}
 */
function last(game, [worst, ...others]) {
  const theme = worst ? themeOf(game, worst) : "ladder";
  // The server repeats the reader's costlier mistakes.
  const isOwn = theme === "ladder" && worst?.seat === game.ownSeat && worst.mark !== "small";
  const key = isOwn ? "story.drill.why.own" : theme === "ladder" ? "story.drill.why.ladder" : "story.drill.why";
  const why = worst
    ? text(key, { what: kindOf(worst, game.ownCrib(worst)), cards: signsOf(worst, worst.best) })
    : text("story.drill.none");
  const more = others.length - (game.onward ? FIRST_MISTAKES : MAX_MISTAKES) + 1;
  return {
    kind: game.onward ? "onward" : "drill",
    title: text("story.drill"),
    lines: [why, ...(game.onward ? [text("first.done")] : [])],
    href: game.onward || ("table" in game.source ? `/game/${game.source.table}` : "/"),
    drill: {
      href: isOwn ? "/practice/errors" : `/practice/sets/${theme}`,
      words: text("story.practise", { theme: text(isOwn ? "practice.errors.title" : `practice.theme.${theme}`) }),
      full: more > 0 ? text("story.more", { n: more }) : text("story.full"),
    },
    decision: worst ?? null,
  };
}

/** @param {Reviewed} game @param {Review.Decision} one */
function themeOf(game, one) {
  const most = Math.max(...one.score);
  if (!game.race.length && most >= game.rules.target - 12) return "counting-out";
  if (most > 90) return "last-street";
  const chosen = one.options.find(({ choice }) => choice === one.chosen);
  if (one.kind === "discard" && chosen && partsOf(game, one, chosen)[0]?.name === "play") return "keeping";
  // No set has discards to the own crib.
  if (one.kind === "discard") return game.ownCrib(one) ? "ladder" : "crib";
  return one.count ? "traps" : "leads";
}

/** Return a loss against the best in words: games of 100, or points. @param {Review.Decision} decision @param {Review.Option} option */
function costOf(decision, option) {
  const { win, points } = lossOf(decision, option);
  if (win === null)
    return points < PRINTED_POINTS ? text("story.cost.none") : text("story.cost.points", { points: points.toFixed(1) });
  if (win < SEEN_WIN) return text(win < PRINTED_WIN ? "story.cost.none" : "story.cost.little");
  return text("story.cost.games", { n: gamesLost(win) });
}

/** Return a loss of win probability in games of 100; a small one has a decimal. @param {number} loss */
const gamesLost = (loss) => String(Number((100 * loss).toFixed(loss < 0.0195 ? 1 : 0)));

/** Return the cards of a choice in signs. @param {Review.Decision} decision @param {string} choice */
const signsOf = (decision, choice) => signs(cardsOf(decision, choice));

/** @param {string[]} cards */
const signs = (cards) =>
  cards.map((card) => cardSigns([card])).join(lang === "ja" ? (cards.length > 2 ? "、" : "と") : " ");
