"""Whether solving the sets of practice helps: a level taught by their solutions. python -m lab.bench.taught

The level is `casual` without its slips: a weight for what it goes by, none for other things a player may look
at. Half of each set teaches it: it learns what every choice of a problem loses, and shifts its weights until
it would lose least, but not far from where they were. The other half, and every decision of fresh games of
`casual` against `club`, are decided before and after.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.review.review import judged
from fifteentwo.analysis.win.counting import VALUES, held_points, mean_points, played_points, unseen
from fifteentwo.fast.play import playable
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import RANK_TEXT, Card
from fifteentwo.rules.record import replay
from fifteentwo.rules.state import Phase, start
from fifteentwo.rules.view import View, choices, view
from fifteentwo.server.study.problems import problem_sets
from lab.bench.rated_games import Game, played

Floats = npt.NDArray[np.float64]

FIRM = (0.0003, 0.001, 0.003, 0.01, 0.03)
"""How hard weights are held where they were; which, is found within the half that teaches."""
STEPS, RATE, SHARP = 400, 8.0, 0.7
"""How often all weights are shifted, how far, and by how many points choices are distinguished meanwhile."""
PARTS = 4
OUT, LAST = 12, 30
"""Points to the hole from which a side may count out, and of the last street (`practice_sets`)."""


class Problem(NamedTuple):
    """A decision as the level sees it."""

    discards: bool
    looks: Floats
    """(choices, things) what it looks at; the first is what `casual` goes by."""
    losses: Floats
    """(choices,) in chances of winning."""


def problem(seen: View) -> Problem | None:
    """What a decision looks like and what its choices lose; None where there is only one."""
    if seen.phase is Phase.DISCARD:
        decision = judged(seen, Discard(seen.seat, seen.hand[:2]))
    else:
        decision = judged(seen, next(one for one in choices(seen) if isinstance(one, Play)))
    if decision is None:
        return None
    wins = np.array([option["win"] for option in decision.options], np.float64)
    looks = [
        _discard(seen, tuple(Card(text) for text in option["choice"].split()))
        if decision.kind == "discard"
        else _card(seen, RANK_TEXT.index(option["choice"]))
        for option in decision.options
    ]
    return Problem(decision.kind == "discard", np.array(looks, np.float64), wins.max() - wins)


def _discard(seen: View, discard: tuple[Card, ...]) -> list[float]:
    kept = [card for card in seen.hand if card not in discard]
    sign = 1.0 if seen.is_dealer else -1.0
    fives = sum(card.value == 5 for card in discard)
    apart = abs((discard[0].index >> 2) - (discard[1].index >> 2))
    left = seen.rules.target - max(seen.front)
    now = held_points(kept)
    return [
        mean_points([kept], unseen(seen))[0] + sign * (held_points(discard) + fives),
        sign * (held_points(discard) + fives),
        sign * (apart in (1, 2)),
        sum(card.value < 5 for card in kept),
        len({card.value for card in kept}),
        now * (left <= LAST),
        min(now, seen.rules.target - seen.front[seen.seat]) * (left <= OUT),
        sign * held_points(discard) * (left <= LAST),
    ]


def _card(seen: View, rank: int) -> list[float]:
    ranks = tuple(card.index >> 2 for card in seen.in_count)
    count, points = seen.count + VALUES[rank], played_points(ranks, seen.count, rank)
    others = [card for card in seen.hand if card.index >> 2 != rank]
    last = ranks[-1] if ranks else None
    left = seen.rules.target - max(seen.front)
    return [
        points - (count in (5, 21)),
        VALUES[rank] / 10,
        len(seen.hand) - len(others) - 1,
        count <= 4,
        last is not None and 1 <= abs(last - rank) <= 2 and count <= 28,
        any(count + card.value == 31 for card in others),
        any(count + card.value == 15 for card in others),
        last == rank and playable(count, VALUES[rank]),
        count >= 22,
        points * (left <= OUT),
    ]


def taught(problems: Sequence[Problem], firm: float) -> Floats:
    """The weights after the solutions: those that lose least, held where they were by `firm`."""
    begin = untaught(problems)
    weights = begin.copy()
    for _ in range(STEPS):
        slope = firm * (weights - begin)
        for _, looks, losses in problems:
            merits = looks @ weights / SHARP
            policy = np.exp(merits - merits.max())
            policy /= policy.sum()
            slope += looks.T @ (policy * (losses - policy @ losses)) / SHARP / len(problems)
        weights -= RATE * slope
    return weights


def untaught(problems: Sequence[Problem]) -> Floats:
    """The weights of `casual`."""
    weights = np.zeros(problems[0].looks.shape[1])
    weights[0] = 1.0
    return weights


def lost(problems: Sequence[Problem], weights: Floats) -> Floats:
    """(problems,) what each choice loses; those that look alike to it have the mean."""
    losses = []
    for _, looks, loss in problems:
        merits = looks @ weights
        losses.append(loss[merits >= merits.max() - 1e-9].mean())
    return np.array(losses)


def held(problems: Sequence[Problem]) -> float:
    """How hard to hold: what would lose least in each part of these, taught by the other parts."""
    parts = [problems[place::PARTS] for place in range(PARTS)]

    def loses(firm: float) -> float:
        total = 0.0
        for part in parts:
            others = [one for other in parts if other is not part for one in other]
            total += float(lost(part, taught(others, firm)).sum())
        return total

    return min(FIRM, key=loses)


def halves(seed: int) -> tuple[list[Problem], list[Problem]]:
    """The sets, half and half by theme."""
    luck, first, second = Random(seed), list[Problem](), list[Problem]()
    for views in problem_sets().values():
        mixed = [found for seen in luck.sample(views, len(views)) if (found := problem(seen)) is not None]
        first += mixed[::2]
        second += mixed[1::2]
    return first, second


def fresh(games: int) -> Iterator[list[Problem]]:
    """The decisions of `casual` in games that were not practised, game by game."""
    for number in range(games):
        record = played(Game(("casual", "club"), 500_000 + number))
        state = start(record.rules, named=record.named)
        found = []
        for action, after, _ in replay(record):
            if isinstance(action, Discard | Play) and action.seat == 0:
                one = problem(view(state, 0))
                found += [] if one is None else [one]
            state = after
        yield found


def main() -> None:
    """The table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    teaching, rest = halves(asked.seed)
    games = list(fresh(asked.games))
    print(f"{len(teaching)} problems teach, {len(rest)} are held out; {asked.games} fresh games.\n")
    print("| decisions | number | loses before | after | difference | ± |")
    print("|---|---:|---:|---:|---:|---:|")
    for discards, name in ((True, "discards"), (False, "pegging")):
        lessons = [one for one in teaching if one.discards is discards]
        before, after = untaught(lessons), taught(lessons, held(lessons))
        groups = {
            "that taught": [[one] for one in lessons],
            "held out": [[one] for one in rest if one.discards is discards],
            "of fresh games": [[one for one in game if one.discards is discards] for game in games],
        }
        for which, some in groups.items():
            print(f"| {name}, {which} | {_row(some, before, after)} |", flush=True)


def _row(groups: Sequence[Sequence[Problem]], before: Floats, after: Floats) -> str:
    """In points of win chance a decision; the error over problems, or over games."""
    sums = np.array([[lost(some, weights).sum() for weights in (before, after)] for some in groups if some])
    number = sum(map(len, groups))
    was, now = 100 * sums.sum(axis=0) / number
    gains = 100 * (sums[:, 1] - sums[:, 0]) / number
    error = math.sqrt(len(gains)) * float(gains.std(ddof=1))
    return f"{number} | {was:.2f} | {now:.2f} | {now - was:+.2f} | {error:.2f}"


if __name__ == "__main__":
    main()
