"""Tables that measure ratings, luck and reviews.

`python -m lab rating` stores reviewed games and arenas in its checkpoint, so that a second run resumes.
"""

import argparse
import math
import random
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.review.rating import LEVEL_BANDS, RATING_SCALE, band, predicted
from fifteentwo.contest.arena import Running, arena
from lab.bench.judged_decisions import Judged, judge_decisions, spearman
from lab.bench.rated_games import LEVELS, Game, luck_adjusted_row, rows
from lab.bench.table import machine

Floats = npt.NDArray[np.float64]
Row = dict[str, Any]

ADJUSTED_PAIR = ("casual", "club")
"""The pair of levels whose results are printed with and without luck."""
EXPERT_PAIRS = (("casual", "expert"), ("club", "expert"))
"""Pairs of a weaker level and the equilibrium strategy, which does not exploit weak play."""
FIT_STEPS = 400
"""Steps of the fit of `fit_weakness`."""
FIT_RATE = 0.2
"""Part of the least-squares step that each step of the fit takes."""
MIN_FIT_GAP = 0.0005
"""In the fit, gaps smaller than this share of games count as this large."""
RATED_GAMES = 20
"""Games from which a level is rated to test the order of the ratings."""
DRAWS = 100
"""Number of times that games are drawn to test the order of the ratings."""


class Sizes(NamedTuple):
    """Numbers of games, decisions and deals to measure; the fields are options of the command line."""

    pool: int
    """Reviewed games of every pair of levels."""
    adjusted: int
    """Games of `ADJUSTED_PAIR`."""
    compared: int
    """Games of each pair of `EXPERT_PAIRS`."""
    arena: int
    """Arena games of every pair; pairs with `master` play a tenth."""
    decisions: int
    """Decisions that are judged in deals played out."""
    deals: int
    """Deals played out for each decision."""


FULL = Sizes(pool=20, adjusted=2000, compared=240, arena=10_000, decisions=300, deals=20_000)
"""Sizes of the published tables."""
SMALL = Sizes(pool=1, adjusted=4, compared=2, arena=20, decisions=10, deals=500)
"""Sizes of a run of a minute."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print every table. arguments: of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoint", type=Path, default=Path(".rating"))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="a run of a minute with few games")
    for name, value in FULL._asdict().items():
        parser.add_argument(f"--{name}", type=int, default=None, help=f"default {value}")
    chosen = parser.parse_args(arguments)
    amounts = SMALL if chosen.small else FULL
    amounts = amounts._replace(
        **{name: getattr(chosen, name) for name in Sizes._fields if getattr(chosen, name) is not None}
    )
    chosen.checkpoint.mkdir(parents=True, exist_ok=True)
    print(f"{machine()}\n", flush=True)
    report(amounts, chosen.checkpoint, chosen.jobs)


def report(amounts: Sizes, checkpoint: Path, jobs: int) -> None:
    """Measure and print every table."""
    wanted = [Game(pair, number) for pair in combinations(LEVELS, 2) for number in range(amounts.pool)]
    wanted += [Game(ADJUSTED_PAIR, number) for number in range(amounts.pool, amounts.adjusted)]
    more = range(amounts.pool, amounts.compared)
    wanted += [Game(pair, number) for pair in EXPERT_PAIRS for number in more]
    reviewed = list(rows(wanted, checkpoint / "games.jsonl", jobs))
    # Ratings use the same number of games of every pair.
    pool = [row for row in reviewed if row["number"] < amounts.pool]
    print_table("Levels", levels_table(pool))
    print_table("Luck", luck_table(reviewed))
    for pair in (ADJUSTED_PAIR, *EXPERT_PAIRS):
        games = [row for row in reviewed if tuple(row["levels"]) == pair]
        print_table("Results without luck", adjusted_table(games))
    evened = [Game(ADJUSTED_PAIR, number) for number in range(amounts.adjusted)]
    kept = rows(evened, checkpoint / "even.jsonl", jobs, luck_adjusted_row)
    print_table("Luck-adjusted results", adjusted_table(list(kept), "even_result", "luck-adjusted"))
    print_table(f"Ranks from {RATED_GAMES} games", ranking(pool))
    print_table("Predicted and actual", pairs_table(pool, amounts.arena, checkpoint, jobs))
    decisions = list(judge_decisions(amounts.decisions, amounts.deals))
    print_table("Reviewed and dealt out", judged_table(decisions))


def print_table(heading: str, lines: Sequence[str]) -> None:
    """Print a heading and the lines of a table."""
    print(f"## {heading}\n", *lines, "", sep="\n", flush=True)


# ── Levels ───────────────────────────────────────────────────────────────────────────────────────────────


def level_losses(pool: Sequence[Row], level: str) -> Floats:
    """(games, 2) sums of the losses and of the weights of a level's decisions in each game."""
    losses = [
        np.array(seat["losses"]).reshape(-1, 2).sum(axis=0)
        for row in pool
        for name, seat in zip(row["levels"], row["seats"], strict=True)
        if name == level
    ]
    return np.array(losses)


def total_rating(games: Floats) -> float:
    """Return the rating over several games, from losses and weights (games, 2)."""
    lost, weight = games.sum(axis=0)
    return float(RATING_SCALE * lost / weight)


def levels_table(pool: Sequence[Row]) -> list[str]:
    """Return a table of every level's rating and the end of its band."""
    lines = ["| level | games | rating | ± | weight a game | band to |", "|---|---:|---:|---:|---:|---:|"]
    ends = dict(LEVEL_BANDS)
    for level in reversed(LEVELS):
        games = level_losses(pool, level)
        rating = total_rating(games)
        error = RATING_SCALE * math.sqrt(
            float(((games[:, 0] - rating / RATING_SCALE * games[:, 1]) ** 2).sum())
        )
        whole = games[:, 1].sum()
        right = "" if band(rating) == level else f" (NO: {band(rating)})"
        lines.append(
            f"| {level} | {len(games)} | {rating:.1f}{right} | {error / whole:.1f} "
            f"| {whole / len(games):.1f} | {ends[level]:g} |"
        )
    return lines


def ranking(pool: Sequence[Row]) -> list[str]:
    """Return a line: how often the ratings from a few games a level are in the order of the levels."""
    chance = random.Random("ranks")
    games = {level: level_losses(pool, level) for level in LEVELS}
    right = 0
    for _ in range(DRAWS):
        ratings = []
        for level in LEVELS:
            drawn = chance.sample(range(len(games[level])), min(RATED_GAMES, len(games[level])))
            ratings.append(total_rating(games[level][drawn]))
        right += ratings == sorted(ratings, reverse=True)
    fewest = min(len(one) for one in games.values())
    return [f"All six in order in {right} of {DRAWS} draws (at least 95), each from {fewest} games or more."]


# ── Luck ─────────────────────────────────────────────────────────────────────────────────────────────────


def luck_table(reviewed: Sequence[Row]) -> list[str]:
    """Return a table of the dealer's mean luck in a deal; the pone's is its negative."""
    deals = np.array([luck for row in reviewed for luck in row["luck"]])
    lines = [
        f"{len(deals):,} deals. Dealer {mean_and_error(deals)}; pone the opposite, deal by deal.",
        "",
        "| event, a deal | dealer | ± | pone | ± |",
        "|---|---:|---:|---:|---:|",
    ]
    for kind in ("deal", "starter", "cards", "show"):
        cells = []
        for role in ("dealer", "pone"):
            sums = np.array([row["kinds"].get(f"{kind} {role}", (0.0, 0.0)) for row in reviewed])
            mean, square = sums.sum(axis=0) / len(deals)
            cells.append(f"{100 * mean:+.3f} | {100 * math.sqrt((square - mean**2) / len(deals)):.3f}")
        lines.append(f"| {kind} | {' | '.join(cells)} |")
    return [
        *lines,
        "",
        "In points of win chance; all levels together, each dealing as often as its opponent.",
    ]


def mean_and_error(values: Floats) -> str:
    """Return a text: the mean with its standard error, in percent, and whether it is near 0."""
    mean, error = float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values)))
    within = "within" if abs(mean) <= 2 * error else "NOT within"
    return f"{100 * mean:+.3f} ± {100 * error:.3f} points of win chance ({within} 2 standard errors of 0)"


def adjusted_table(
    games: Sequence[Row], without_luck: str = "adjusted_result", name: str = "without luck"
) -> list[str]:
    """Return a table of results, and of results without luck (field `without_luck`, shown as `name`)."""
    seat = 1
    levels = games[0]["levels"]
    result, without = (
        np.array([row["seats"][seat][figure] for row in games], np.float64)
        for figure in ("result", without_luck)
    )
    ratio = float(without.var(ddof=1) / result.var(ddof=1))
    return [
        f"{levels[seat]} against {levels[0]}, {len(games):,} games.",
        "",
        "| | mean | ± | variance |",
        "|---|---:|---:|---:|",
        *(
            f"| {heading} | {values.mean():.4f} | {values.std(ddof=1) / math.sqrt(len(values)):.4f} "
            f"| {values.var(ddof=1):.4f} |"
            for heading, values in (("result", result), (name, without))
        ),
        "",
        f"Variance {name}: {ratio:.3f} of the results' (at most 1/3).",
        f"Difference, game by game: {mean_and_error(result - without)}.",
    ]


# ── Predictions by ratings ────────────────────────────────────────────────────────────────────────────────


class PairResult(NamedTuple):
    """The result of an arena of two levels."""

    strong: str
    weak: str
    games: int
    win_rate: float
    """Share of games that the strong level won."""
    error: float
    """Standard error of `win_rate`."""


def pairs_table(pool: Sequence[Row], games: int, checkpoint: Path, jobs: int) -> list[str]:
    """Return a table of how often each level beats each weaker level: predicted by ratings, and played."""
    ratings = {level: total_rating(level_losses(pool, level)) for level in LEVELS}
    lines = [
        "| pair | games | actual | ± | predicted | gap | by the other pairs | gap |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    met = [play_pair(strong, weak, games, checkpoint, jobs) for weak, strong in combinations(LEVELS, 2)]
    gaps = []
    for one in met:
        others = fit_weakness([other for other in met if other is not one])
        forecast = (
            predicted(ratings[one.strong], ratings[one.weak]),
            float(normal_cdf(others[one.weak] - others[one.strong])[0]),
        )
        gaps.append([100 * (chance - one.win_rate) for chance in forecast])
        lines.append(
            f"| {one.strong} – {one.weak} | {one.games:,} "
            f"| {100 * one.win_rate:.1f} | {100 * one.error:.1f} | "
            + " | ".join(
                f"{100 * chance:.1f} | {gap:+.1f}" for chance, gap in zip(forecast, gaps[-1], strict=True)
            )
            + " |"
        )
    worst, apart = np.abs(gaps).max(axis=0)
    return [
        *lines,
        "",
        f"In percent. Largest gap {worst:.1f} (at most 2); each pair predicted by the others, {apart:.1f}.",
        "Fitted to all: "
        + ", ".join(f"{level} {ratings[level]:.1f} {weak:.3f}" for level, weak in fit_weakness(met).items()),
    ]


def play_pair(strong: str, weak: str, games: int, checkpoint: Path, jobs: int) -> PairResult:
    """Play an arena of two levels, with a tenth of the games if one is `master`, which is slower."""
    number = max(games // 10, 2) if strong == "master" else games
    played = arena(strong, weak, number, 1, running=Running(jobs=jobs, checkpoint=checkpoint))
    low, high = played["ci95"]
    return PairResult(strong, weak, played["games"], played["win_rate"], (high - low) / 3.92)


def fit_weakness(met: Sequence[PairResult]) -> dict[str, float]:
    """Return the weakness of each level, master's being 0, in standard deviations of a game's result.

    The fit minimises the sum of the sixth powers of the gaps, because the largest gap is judged.
    """
    weakness = np.linspace(2.0, 0.0, len(LEVELS))
    for _ in range(FIT_STEPS):
        lead = np.array(
            [weakness[LEVELS.index(one.weak)] - weakness[LEVELS.index(one.strong)] for one in met]
        )
        gap = normal_cdf(lead) - [one.win_rate for one in met]
        slope = np.zeros((len(met), len(LEVELS)))
        for line, one in zip(slope, met, strict=True):
            line[LEVELS.index(one.weak)], line[LEVELS.index(one.strong)] = 1.0, -1.0
        weights = np.maximum(np.abs(gap), MIN_FIT_GAP) ** 2
        slope *= (weights * np.exp(-(lead**2) / 2) / math.sqrt(2 * math.pi))[:, None]
        weakness[:-1] -= FIT_RATE * np.linalg.lstsq(slope[:, :-1], weights * gap)[0]
    return dict(zip(LEVELS, weakness.tolist(), strict=True))


def normal_cdf(values: Floats | float) -> Floats:
    return np.array([(1 + math.erf(value / math.sqrt(2))) / 2 for value in np.atleast_1d(values)])


def judged_table(decisions: Sequence[Judged]) -> list[str]:
    """Return a table of the win probability that decisions lose, by the review and in deals played out."""
    lines = [
        "| decisions | number | review | dealt out | gap | absolute gap | by noise alone | Spearman |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    erred = [one for one in decisions if one.review > 0]
    for name, some in (
        ("all that count", decisions),
        ("not the best by review", erred),
        ("… discarding", [one for one in erred if one.kind == "discard"]),
        ("… in pegging", [one for one in erred if one.kind == "play"]),
    ):
        if len(some) > 1:
            review, dealt, noise = (
                100 * np.array(values) for values in zip(*(one[1:] for one in some), strict=True)
            )
            lines.append(
                f"| {name} | {len(some)} | {review.mean():.3f} | {dealt.mean():.3f} "
                f"| {(review - dealt).mean():+.3f} | {np.abs(review - dealt).mean():.3f} "
                f"| {noise.mean() * math.sqrt(2 / math.pi):.3f} | {spearman(review, dealt):.2f} |"
            )
    return [*lines, "", "Mean losses and gaps in points of win chance (mean gap at most 0.1)."]
