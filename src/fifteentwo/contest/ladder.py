"""Ladders: arenas between all pairs of several players, and their ratings."""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from fifteentwo.contest.arena import Pair, Running, pairing_of, play_all_pairs, summarise
from fifteentwo.contest.entrants import Entrant
from fifteentwo.rules.errors import FifteenTwoError

MEAN_RATING = 1500.0
"""Mean of all ratings of a ladder."""
ELO_SCALE = 400.0
"""Difference in rating at which a player wins ten games for each one it loses."""
STANDARD_ERRORS = 1.959964


class NameTwice(FifteenTwoError, ValueError):
    code = "ladder-name-twice"

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"two players are called {name!r}")


class _Meeting(NamedTuple):
    """The result of an arena between two players, who are indices in the list of players."""

    first: int
    second: int
    number: float
    """Number of pairs of games, and four more for the interval (`confidence_interval`)."""
    won: float
    """Pairs that the first player won, including two of the four."""
    variance: float
    """Variance of the share that the first player wins of a pair."""


def ladder(
    entrants: Sequence[str | Entrant],
    games: int,
    seed: int,
    *,
    variant: str = "six-card",
    running: Running = Running(),  # noqa: B008 - a frozen value
) -> dict[str, Any]:
    """Play an arena of `games` games between any two players, and rate all of them.

    Ratings are Bradley and Terry's on Elo's scale. Their intervals take into account that games on the same
    deals depend on each other. NameTwice is raised if two players have the same name.

    Returns:
        `players`, the best first, with `rating`, `interval` (95 %), `games`, `wins` and `failures`; and
        `arenas`, each as `arena` returns it.
    """
    names = [one if isinstance(one, str) else one.name for one in entrants]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise NameTwice(name)
    if len(names) < 2:
        raise ValueError("a ladder needs at least two players")
    meetings, arenas = list[_Meeting](), list[dict[str, Any]]()
    pairings = list(combinations(range(len(names)), 2))
    for number, (first, second) in enumerate(pairings):
        pairing = pairing_of(entrants[first], entrants[second], seed, variant=variant)
        report = _ladder_progress(running, number, len(pairings))
        pairs = play_all_pairs(pairing, games, running._replace(report=report))
        meetings.append(_meeting(first, second, pairs))
        arenas.append(summarise(pairing, pairs))
    ratings = compute_ratings(len(names), meetings)
    players = [_player(name, place, *ratings[place], arenas) for place, name in enumerate(names)]
    players.sort(key=lambda one: -one["rating"])
    return {
        "variant": variant,
        "seed": seed,
        "games": arenas[0]["games"],
        "players": players,
        "arenas": arenas,
    }


def _ladder_progress(running: Running, number: int, arenas: int) -> Any:
    report = running.report
    if report is None:
        return None
    return lambda games, of: report(number * of + games, arenas * of)


def _meeting(first: int, second: int, pairs: Sequence[Pair]) -> _Meeting:
    # Two pairs won and two lost are added, as in `arena.confidence_interval`, so that ratings stay finite.
    shares = [*(pair.wins[0] / 2 for pair in pairs), 0.0, 0.0, 1.0, 1.0]
    mean = sum(shares) / len(shares)
    variance = sum((share - mean) ** 2 for share in shares) / (len(shares) - 1)
    return _Meeting(first, second, len(shares), sum(shares), variance)


def compute_ratings(players: int, meetings: Sequence[_Meeting]) -> list[tuple[float, float]]:
    """Return each player's rating, and half the width of its 95 % interval."""
    import numpy as np

    strength = np.zeros(players)
    inverse: Any = np.zeros((players, players))
    spread: Any = inverse
    for _ in range(50):
        slope, curve, spread = np.zeros(players), np.zeros((players, players)), np.zeros((players, players))
        for one in meetings:
            chance = 1 / (1 + math.exp(strength[one.second] - strength[one.first]))
            side = np.zeros(players)
            side[one.first], side[one.second] = 1.0, -1.0
            slope += (one.won - one.number * chance) * side
            curve += one.number * chance * (1 - chance) * np.outer(side, side)
            spread += one.number * one.variance * np.outer(side, side)
        inverse = np.linalg.pinv(curve)
        step = inverse @ slope
        strength += step
        if np.abs(step).max() < 1e-9:
            break
    errors = np.sqrt(np.diag(inverse @ spread @ inverse))
    scale = ELO_SCALE / math.log(10)
    centred = (strength - strength.mean()) * scale
    return [
        (MEAN_RATING + float(at), STANDARD_ERRORS * scale * float(error))
        for at, error in zip(centred, errors, strict=True)
    ]


def _player(
    name: str, place: int, rating: float, margin: float, arenas: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    own = [(one, one["levels"].index(name)) for one in arenas if name in one["levels"]]
    failures = sum(
        failure["games"] for one, seat in own for failure in one["failures"] if failure["place"] == seat
    )
    games = sum(one["games"] for one, _ in own)
    return {
        "name": name,
        "place": place,
        "rating": round(rating, 1),
        "interval": [round(rating - margin, 1), round(rating + margin, 1)],
        "games": games,
        "wins": sum(one["wins"][seat] for one, seat in own),
        "failures": failures,
    }
