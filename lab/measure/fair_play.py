"""False alarms and hits of the fair-play test (`analysis.review.fair_play`) with simulated people.

    python -m lab.measure.fair_play CHECKPOINT

Every pair of levels plays games, which are reviewed and stored in the checkpoint, so that a stopped run
resumes. The games of a simulated person are drawn from those of one level, with replacement, or of several.
"""

import random
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from fifteentwo.analysis.review.fair_play import CLUB_RATE, FALSE_ALARMS, clear_choices, largest_stake
from fifteentwo.analysis.review.fair_play import Game as Counted
from fifteentwo.analysis.review.review import review
from fifteentwo.contest.statistics import share_interval
from fifteentwo.server.club.fair_play import share_of, tested_rate
from lab.bench.rated_games import Game, play_game, rows

LEVELS = ("beginner", "casual", "club", "expert", "master")
GAMES_PER_PAIR = 63
"""Games of each pair of levels; a level plays four pairs."""
PEOPLE = 1000
"""Simulated people of each kind."""
HONEST_GAMES, HIT_GAMES = 60, 30
"""Games of an honest person, and games in which a program behind a person should be found."""
HISTORIES = (5, 10, 30, 60)
"""Numbers of earlier games of an honest person of level `expert`."""

Pool = Mapping[str, Sequence[Counted]]
Draw = Callable[[random.Random, int], list[Counted]]
"""A function that returns a number of games of one simulated person."""


def count_clear(game: Game) -> dict[str, Any]:
    """Play and review a game; return the JSON object that is stored for it. About a second."""
    decisions = review(play_game(game))["decisions"]
    clear = [clear_choices(decisions, seat) for seat in (0, 1)]
    return {"levels": list(game.levels), "number": game.number, "clear": clear}


def read_pool(checkpoint: Path, games: int = GAMES_PER_PAIR) -> Pool:
    """Return the games of each level, played and reviewed unless they are stored."""
    wanted = [Game(pair, number) for pair in combinations(LEVELS, 2) for number in range(games)]
    pool = defaultdict[str, list[Counted]](list)
    for row in rows(wanted, checkpoint, 1, count_clear):
        for level, (found, clear) in zip(row["levels"], row["clear"], strict=True):
            pool[level].append((found, clear))
    return pool


def people(pool: Pool) -> dict[str, Draw]:
    """Return the kinds of honest people, none stronger than `club`."""

    def of_level(level: str) -> Draw:
        return lambda rng, number: rng.choices(pool[level], k=number)

    def mixed(rng: random.Random, number: int) -> list[Counted]:
        """Draw each game from another level: good and bad days."""
        return [rng.choice(pool[rng.choice(LEVELS[:3])]) for _ in range(number)]

    def improving(rng: random.Random, number: int) -> list[Counted]:
        """Draw from `beginner` first and from `club` in the end."""
        return [rng.choice(pool[LEVELS[3 * game // number]]) for game in range(number)]

    return {**{level: of_level(level) for level in LEVELS[:3]}, "mixed": mixed, "improving": improving}


def marked(games: Sequence[Counted], rate: float = CLUB_RATE) -> bool:
    return largest_stake(games, rate) >= 1 / FALSE_ALARMS


def main(arguments: Sequence[str]) -> None:
    """Print the tables."""
    pool, rng = read_pool(Path(arguments[0])), random.Random("fair play")
    print("| level | games | clear choices a game | best % | 95 % |\n|---|---:|---:|---:|---:|")
    for level in LEVELS:
        found, clear = map(sum, zip(*pool[level], strict=True))
        low, high = share_interval(found, clear)
        print(
            f"| {level} | {len(pool[level])} | {clear / len(pool[level]):.1f} "
            f"| {100 * found / clear:.1f} | {100 * low:.1f}–{100 * high:.1f} |"
        )
    print(f"\nHonest people marked in {HONEST_GAMES} games, of {PEOPLE} each:")
    for name, draw in people(pool).items():
        print(f"{name}: {sum(marked(draw(rng, HONEST_GAMES)) for _ in range(PEOPLE))}")
    print(f"\nFound within {HIT_GAMES} games, of {PEOPLE} each (games until half are found):")
    for levels in (("expert",), ("master",), ("club", "expert")):
        games = [[rng.choice(pool[rng.choice(levels)]) for _ in range(HONEST_GAMES)] for _ in range(PEOPLE)]
        waits = sorted(map(first_marked, games))
        print(f"{' or '.join(levels)}: {sum(wait <= HIT_GAMES for wait in waits)} ({waits[PEOPLE // 2]})")
    print(f"\nHonest people of level expert marked in {HONEST_GAMES} games, of {PEOPLE} with earlier games:")
    for number in HISTORIES:
        counts = [0, 0]
        for _ in range(PEOPLE):
            rate = tested_rate(share_of(rng.choices(pool["expert"], k=number)))
            counts[0] += rate > CLUB_RATE
            counts[1] += marked(rng.choices(pool["expert"], k=HONEST_GAMES), rate)
        print(f"{number}: {counts[1]} marked, {counts[0]} compared with themselves")


def first_marked(games: Sequence[Counted]) -> int:
    """Return the number of games after which a person is first marked; one more than all if never."""
    return next((number for number in range(1, len(games) + 1) if marked(games[:number])), len(games) + 1)


if __name__ == "__main__":
    main(sys.argv[1:])
