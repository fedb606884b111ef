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

from fifteentwo.analysis.review.rating import BANDS, SCALE, band, predicted
from fifteentwo.contest.arena import Running, arena
from lab.bench.judged_decisions import Judged, judged, spearman
from lab.bench.rated_games import LEVELS, Game, even_row, rows
from lab.bench.table import machine

Floats = npt.NDArray[np.float64]
Row = dict[str, Any]

ADJUSTED = ("casual", "club")
"""The pair of levels whose results are printed with and without luck."""
COMPARED = (("casual", "expert"), ("club", "expert"))
"""More such pairs, against the equilibrium, which does not exploit weak play."""
FIT_STEPS = 400
"""Steps of the fit of `fitted`."""
FIT_RATE = 0.2
"""Part of a least-squares solution that each step takes."""
MIN_GAP = 0.0005
"""Smallest gap that weighs in a fit, as a share of games."""
GAMES = 20
"""Games from which a level is rated."""
DRAWS = 100
"""Draws of such games."""


class Amounts(NamedTuple):
    """Numbers of games, decisions and deals to measure."""

    pool: int
    """Reviewed games of every pair of levels."""
    adjusted: int
    """Games of `ADJUSTED`."""
    compared: int
    """Games of each pair of `COMPARED`."""
    arena: int
    """Arena games of every pair; pairs with `master` play a tenth."""
    decisions: int
    deals: int
    """Rollouts of each decision."""


FULL = Amounts(pool=20, adjusted=2000, compared=240, arena=10_000, decisions=300, deals=20_000)
SMALL = Amounts(pool=1, adjusted=4, compared=2, arena=20, decisions=10, deals=500)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print every table once it is measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoint", type=Path, default=Path(".rating"))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="a run of a minute with few games")
    for name, value in FULL._asdict().items():
        parser.add_argument(f"--{name}", type=int, default=None, help=f"default {value}")
    chosen = parser.parse_args(arguments)
    amounts = SMALL if chosen.small else FULL
    amounts = amounts._replace(
        **{name: getattr(chosen, name) for name in Amounts._fields if getattr(chosen, name) is not None}
    )
    chosen.checkpoint.mkdir(parents=True, exist_ok=True)
    print(f"{machine()}\n", flush=True)
    report(amounts, chosen.checkpoint, chosen.jobs)


def report(amounts: Amounts, checkpoint: Path, jobs: int) -> None:
    """Print every table."""
    wanted = [Game(pair, number) for pair in combinations(LEVELS, 2) for number in range(amounts.pool)]
    wanted += [Game(ADJUSTED, number) for number in range(amounts.pool, amounts.adjusted)]
    wanted += [Game(pair, number) for pair in COMPARED for number in range(amounts.pool, amounts.compared)]
    reviewed = list(rows(wanted, checkpoint / "games.jsonl", jobs))
    # Ratings use the same number of games of every pair.
    pool = [row for row in reviewed if row["number"] < amounts.pool]
    write("Levels", levels(pool))
    write("Luck", luck(reviewed))
    for pair in (ADJUSTED, *COMPARED):
        write("Results without luck", adjusted([row for row in reviewed if tuple(row["levels"]) == pair]))
    evened = [Game(ADJUSTED, number) for number in range(amounts.adjusted)]
    kept = rows(evened, checkpoint / "even.jsonl", jobs, even_row)
    write("Luck-adjusted results", adjusted(list(kept), "even_result", "luck-adjusted"))
    write(f"Ranks from {GAMES} games", ranked(pool))
    write("Predicted and actual", pairs(pool, amounts.arena, checkpoint, jobs))
    write("Reviewed and dealt out", dealt_out(list(judged(amounts.decisions, amounts.deals))))


def write(heading: str, lines: Sequence[str]) -> None:
    """Print a section."""
    print(f"## {heading}\n", *lines, "", sep="\n", flush=True)


# ── Levels ───────────────────────────────────────────────────────────────────────────────────────────────


def of_level(pool: Sequence[Row], level: str) -> Floats:
    """Return (games, 2): the losses and the weights of a level's decisions, summed over each game."""
    losses = [
        np.array(seat["losses"]).reshape(-1, 2).sum(axis=0)
        for row in pool
        for name, seat in zip(row["levels"], row["seats"], strict=True)
        if name == level
    ]
    return np.array(losses)


def rating_of(games: Floats) -> float:
    """Return the rating of several games together."""
    lost, weight = games.sum(axis=0)
    return float(SCALE * lost / weight)


def levels(pool: Sequence[Row]) -> list[str]:
    """Return a Markdown table of every level's rating and the end of its band."""
    lines = ["| level | games | rating | ± | weight a game | band to |", "|---|---:|---:|---:|---:|---:|"]
    ends = dict(BANDS)
    for level in reversed(LEVELS):
        games = of_level(pool, level)
        rating = rating_of(games)
        error = SCALE * math.sqrt(float(((games[:, 0] - rating / SCALE * games[:, 1]) ** 2).sum()))
        whole = games[:, 1].sum()
        right = "" if band(rating) == level else f" (NO: {band(rating)})"
        lines.append(
            f"| {level} | {len(games)} | {rating:.1f}{right} | {error / whole:.1f} "
            f"| {whole / len(games):.1f} | {ends[level]:g} |"
        )
    return lines


def ranked(pool: Sequence[Row]) -> list[str]:
    """Return how often the ratings from 20 games a level are in the order of the levels."""
    chance = random.Random("ranks")
    games = {level: of_level(pool, level) for level in LEVELS}
    right = 0
    for _ in range(DRAWS):
        ratings = []
        for level in LEVELS:
            drawn = chance.sample(range(len(games[level])), min(GAMES, len(games[level])))
            ratings.append(rating_of(games[level][drawn]))
        right += ratings == sorted(ratings, reverse=True)
    fewest = min(len(one) for one in games.values())
    return [f"All six in order in {right} of {DRAWS} draws (at least 95), each from {fewest} games or more."]


# ── Luck ─────────────────────────────────────────────────────────────────────────────────────────────────


def luck(reviewed: Sequence[Row]) -> list[str]:
    """Return a table of the dealer's mean luck in a deal; the pone's is its negative."""
    deals = np.array([luck for row in reviewed for luck in row["luck"]])
    lines = [
        f"{len(deals):,} deals. Dealer {with_error(deals)}; pone the opposite, deal by deal.",
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


def with_error(values: Floats) -> str:
    """Return a mean with its standard error, in points, and whether it is within two of them of 0."""
    mean, error = float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values)))
    within = "within" if abs(mean) <= 2 * error else "NOT within"
    return f"{100 * mean:+.3f} ± {100 * error:.3f} points of win chance ({within} 2 standard errors of 0)"


def adjusted(
    games: Sequence[Row], without_luck: str = "adjusted_result", name: str = "without luck"
) -> list[str]:
    """Return a table of results and of adjusted results; without_luck: the field of the latter."""
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
        f"Difference, game by game: {with_error(result - without)}.",
    ]


# ── Predictions by ratings ────────────────────────────────────────────────────────────────────────────────


class Met(NamedTuple):
    """The result of an arena of two levels: games, share of wins, and its standard error."""

    strong: str
    weak: str
    games: int
    win_rate: float
    error: float


def pairs(pool: Sequence[Row], games: int, checkpoint: Path, jobs: int) -> list[str]:
    """Return a table of how often each level beats each weaker one, predicted by ratings and played."""
    ratings = {level: rating_of(of_level(pool, level)) for level in LEVELS}
    lines = [
        "| pair | games | actual | ± | predicted | gap | by the other pairs | gap |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    met = [one_pair(strong, weak, games, checkpoint, jobs) for weak, strong in combinations(LEVELS, 2)]
    gaps = []
    for one in met:
        others = fitted([other for other in met if other is not one])
        forecast = (
            predicted(ratings[one.strong], ratings[one.weak]),
            float(normal(others[one.weak] - others[one.strong])[0]),
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
        + ", ".join(f"{level} {ratings[level]:.1f} {weak:.3f}" for level, weak in fitted(met).items()),
    ]


def one_pair(strong: str, weak: str, games: int, checkpoint: Path, jobs: int) -> Met:
    """Play an arena of two levels, with a tenth of the games if one is `master`, which is slower."""
    number = max(games // 10, 2) if strong == "master" else games
    played = arena(strong, weak, number, 1, running=Running(jobs=jobs, checkpoint=checkpoint))
    low, high = played["ci95"]
    return Met(strong, weak, played["games"], played["win_rate"], (high - low) / 3.92)


def fitted(met: Sequence[Met]) -> dict[str, float]:
    """Return the weakness of each level, master's being 0, in standard errors of a game.

    The fit minimises the sum of the sixth powers of the gaps, because the largest gap is judged.
    """
    weakness = np.linspace(2.0, 0.0, len(LEVELS))
    for _ in range(FIT_STEPS):
        lead = np.array(
            [weakness[LEVELS.index(one.weak)] - weakness[LEVELS.index(one.strong)] for one in met]
        )
        gap = normal(lead) - [one.win_rate for one in met]
        slope = np.zeros((len(met), len(LEVELS)))
        for line, one in zip(slope, met, strict=True):
            line[LEVELS.index(one.weak)], line[LEVELS.index(one.strong)] = 1.0, -1.0
        weights = np.maximum(np.abs(gap), MIN_GAP) ** 2
        slope *= (weights * np.exp(-(lead**2) / 2) / math.sqrt(2 * math.pi))[:, None]
        weakness[:-1] -= FIT_RATE * np.linalg.lstsq(slope[:, :-1], weights * gap)[0]
    return dict(zip(LEVELS, weakness.tolist(), strict=True))


def normal(values: Floats | float) -> Floats:
    """Return the cumulative normal distribution of each value."""
    return np.array([(1 + math.erf(value / math.sqrt(2))) / 2 for value in np.atleast_1d(values)])


def dealt_out(decisions: Sequence[Judged]) -> list[str]:
    """Return a table of the losses of decisions by review and by rollouts."""
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
