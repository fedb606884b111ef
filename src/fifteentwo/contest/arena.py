"""Two entrants against each other on duplicate deals with the seats swapped: levels, programs, any player.

Every pair of games is dealt from the same decks: what one entrant held in the first, the other holds in
the second. With three or four seats each pair is one arrangement of the two and its mirror image, so equal
players win half of all games in every variant.
"""

import hashlib
import math
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from fifteentwo.contest.entrants import Entrant, Level
from fifteentwo.contest.executor import get_executor, run_all
from fifteentwo.contest.match import Failed, play_out
from fifteentwo.contest.table import Table, seeded
from fifteentwo.players import LEVELS, Closes, Player, UnknownLevel
from fifteentwo.rules.board import lines
from fifteentwo.rules.record import Record
from fifteentwo.rules.state import State
from fifteentwo.rules.variants import Rules, Variant, rules_for

PAIRS_AT_ONCE = 25
"""Pairs of games a process plays before it reports; the result does not depend on it."""

Say = Callable[[int, int], None]
"""Called after each batch with the games played and the games in all."""

_ARRANGEMENTS: dict[Variant, tuple[str, ...]] = {
    Variant.SIX_CARD: ("AB",),
    Variant.FIVE_CARD: ("AB",),
    Variant.THREE_HANDED: ("ABB", "BAB", "BBA"),
    Variant.PARTNERS: ("ABAB",),
    Variant.FOUR_HANDED: ("AABB", "ABAB", "ABBA"),
}
"""Who sits where in the first game of a pair, pair after pair; in the second the two change places."""


class Failure(msgspec.Struct, frozen=True):
    """A game that was lost because a player could not finish it."""

    entrant: int
    game: int
    """The number of the game, from 1."""
    code: str
    detail: str


class Pair(msgspec.Struct, frozen=True):
    """The results of two games on the same decks; tuples are entrant A, entrant B."""

    wins: tuple[int, int]
    points: tuple[float, float]
    """Points a side of each, summed over the two games."""
    skunks: tuple[int, int]
    """Games in which one skunked a side of the other, whether or not skunks were played for."""
    double_skunks: tuple[int, int]
    deals: int
    failures: tuple[Failure, ...] = ()
    luck: float | None = None
    """What the deck did for A in both games, in games won; None where that was not asked for."""


class Running(NamedTuple):
    """Where an arena is played, and how progress is reported; the result does not depend on any of it."""

    jobs: int | None = 1
    """Processes; None for one a core."""
    dask: str | None = None
    """The address of a running scheduler, instead of processes."""
    checkpoint: Path | None = None
    """A folder where batches played are kept: the same arena goes on from them."""
    report: Say | None = None


class Pairing(NamedTuple):
    """What is played in an arena: all a process needs to know."""

    entrants: tuple[Entrant, Entrant]
    seed: int
    rules: Rules
    luck: bool = False
    """Whether what the deck did is measured."""


def arena(
    a: str | Entrant,
    b: str | Entrant,
    games: int,
    seed: int,
    *,
    variant: str = "six-card",
    options: Mapping[str, Any] | None = None,
    luck: bool = False,
    running: Running = Running(),  # noqa: B008 - a frozen value
) -> dict[str, Any]:
    """Play `a` against `b`, levels or entrants; the same seed gives the same result, wherever it runs.

    An odd number of games is rounded up to whole pairs. Cuts are left out unless `options` ask for them:
    they would deal the two games of a pair differently. A player that fails loses its game. `luck`: also
    give the result less what the deck did; 10 to 60 ms a game.
    Costs about 10 ms a game of two-handed `club`. UnknownLevel, UnknownVariant or InvalidRules where
    the names are not known.
    """
    return result_of(*played(a, b, games, seed, variant=variant, options=options, luck=luck, running=running))


def played(
    a: str | Entrant,
    b: str | Entrant,
    games: int,
    seed: int,
    *,
    variant: str = "six-card",
    options: Mapping[str, Any] | None = None,
    luck: bool = False,
    running: Running = Running(),  # noqa: B008 - a frozen value
) -> tuple[Pairing, list[Pair]]:
    """The pairs of games of an `arena`, one by one."""
    entrants = _entrant(a), _entrant(b)
    if games < 1:
        raise ValueError("an arena needs at least one game")
    chosen: dict[str, Any] = {"cut_before_deal": False, "starter": "top", **(options or {})}
    chosen["first_dealer"] = "named"
    chosen.pop("partners_by_draw", None)
    rules = rules_for(variant, **chosen)
    pairing = Pairing(entrants, seed, rules, luck)
    pairs = (games + 1) // 2
    batches = [range(first, min(first + PAIRS_AT_ONCE, pairs)) for first in range(0, pairs, PAIRS_AT_ONCE)]
    kept = Kept(running.checkpoint, pairing)
    todo = [batch for batch in batches if len(kept.played.get(batch.start, ())) < len(batch)]
    with get_executor(min(running.jobs or os.cpu_count() or 1, len(todo)), running.dask) as executor:
        for batch, played in run_all(executor, play_pairs, [(batch, (pairing, batch)) for batch in todo]):
            kept.keep(batch, played)
            if running.report is not None:
                running.report(2 * sum(len(finished) for finished in kept.played.values()), 2 * pairs)
    return pairing, [pair for batch in batches for pair in kept.played[batch.start][: len(batch)]]


def _entrant(one: str | Entrant) -> Entrant:
    if not isinstance(one, str):
        return one
    if one not in LEVELS:
        raise UnknownLevel(one)
    return Level(one)


class Kept:
    """Batches that were played, by their first pair; a line of a file each where a folder is given."""

    def __init__(self, folder: Path | None, pairing: Pairing) -> None:
        self.played: dict[int, list[Pair]] = {}
        self._file: Path | None = None
        if folder is None:
            return
        folder.mkdir(parents=True, exist_ok=True)
        names = [one.key for one in pairing.entrants]
        luck = {"luck": True} if pairing.luck else {}
        asked = msgspec.json.encode(
            ({"levels": names, "seed": pairing.seed, "rules": pairing.rules} | luck, PAIRS_AT_ONCE)
        )
        self._file = folder / f"arena-{hashlib.sha256(asked).hexdigest()[:16]}.jsonl"
        if self._file.exists():
            for line in self._file.read_bytes().splitlines():
                # A kill in the middle of a line leaves one that cannot be read.
                with suppress(msgspec.DecodeError):
                    first, pairs = msgspec.json.decode(line, type=tuple[int, list[Pair]])
                    self.played[first] = pairs

    def keep(self, batch: range, pairs: list[Pair]) -> None:
        """Remember a batch, on disk first; OSError names the file where the disk is full."""
        if self._file is not None:
            try:
                with self._file.open("ab") as file:
                    file.write(b"\n" + msgspec.json.encode((batch.start, pairs)))
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(self._file)) from error
        self.played[batch.start] = pairs


def play_pairs(pairing: Pairing, numbers: Sequence[int]) -> list[Pair]:
    """The pairs of games with these numbers, one after another."""
    seats = pairing.rules.seats
    players = [one.players(2 * pairing.seed + place, seats) for place, one in enumerate(pairing.entrants)]
    with ExitStack() as open_players:
        for one in {id(one): one for own in players for one in own}.values():
            if isinstance(one, Closes):
                open_players.callback(one.close)
        return [play_pair(pairing, number, players) for number in numbers]


def play_pair(pairing: Pairing, number: int, players: Sequence[Sequence[Player]]) -> Pair:
    """Two games on the same decks, the entrants in each other's seats the second time.

    players: of each entrant, one for every seat.
    """
    rules = pairing.rules
    arrangements = _ARRANGEMENTS[rules.variant]
    seats = [int(entrant == "B") for entrant in arrangements[number % len(arrangements)]]
    # The first deal goes round once the arrangements have, so that each has it from every seat.
    dealer = number // len(arrangements) % rules.seats
    wins, skunks, doubles, points, deals = [0, 0], [0, 0], [0, 0], [0.0, 0.0], 0
    failures: list[Failure] = []
    luck = 0.0 if pairing.luck else None
    for swapped in (0, 1):
        who = [seat ^ swapped for seat in seats]
        table = Table(rules, seeded(f"{pairing.seed}/{number}"))
        table.adopt(table.name_dealer(dealer))
        failed = play_out(table, [players[entrant][seat] for seat, entrant in enumerate(who)])
        state = table.state
        sides = who[: rules.sides]
        winner = _winner(state, sides, failed, who)
        wins[winner] += 1
        deals += state.deal
        for entrant in (0, 1):
            own = [front for side, front in enumerate(state.front) if sides[side] == entrant]
            points[entrant] += sum(own) / len(own)
        if failed is None:
            skunked, doubled = _skunked(state, sides, winner)
            skunks[winner] += skunked
            doubles[winner] += doubled
        else:
            error = failed.error
            failures.append(Failure(1 - winner, 2 * number + swapped + 1, error.code, error.detail))
        if luck is not None:
            luck += _luck(table, sides)
    return Pair(
        (wins[0], wins[1]),
        (points[0], points[1]),
        (skunks[0], skunks[1]),
        (doubles[0], doubles[1]),
        deals,
        tuple(failures),
        luck,
    )


def _winner(state: State, sides: Sequence[int], failed: Failed | None, who: Sequence[int]) -> int:
    """Which entrant won; of a game that one could not finish, the other."""
    assert state.won is not None
    return sides[state.won.side] if failed is None else 1 - who[failed.player]


def _luck(table: Table, sides: Sequence[int]) -> float:
    """What the deck did for the first entrant, in games won. sides: which entrant each belongs to."""
    from fifteentwo.analysis.review.luck_adjusted import dealt_luck

    record = Record(rules=table.state.rules, names=("", ""), actions=tuple(table.actions))
    own = [side for side, entrant in enumerate(sides) if entrant == 0]
    return sum(lucks[side] for lucks in dealt_luck(record) for side in own)


def _skunked(state: State, sides: Sequence[int], winner: int) -> tuple[bool, bool]:
    """Whether a side of the loser stayed below the skunk line, and the double one (R18–R20)."""
    below = lines(state.rules.target)
    lowest = min(front for side, front in enumerate(state.front) if sides[side] != winner)
    return lowest < below["skunk"], lowest < below.get("double_skunk", 0)


def result_of(pairing: Pairing, pairs: Sequence[Pair]) -> dict[str, Any]:
    """What `arena` returns of these pairs of games."""
    games = 2 * len(pairs)

    def both(name: str) -> list[Any]:
        return [sum(getattr(pair, name)[level] for pair in pairs) for level in (0, 1)]

    return {
        "levels": [one.name for one in pairing.entrants],
        "variant": pairing.rules.variant.value,
        "seed": pairing.seed,
        "games": games,
        "wins": both("wins"),
        "win_rate": both("wins")[0] / games,
        "ci95": interval([pair.wins[0] / 2 for pair in pairs]),
        "seat_shares": [2 * wins / games / pairing.rules.sides for wins in both("wins")],
        "even_share": 1 / pairing.rules.sides,
        "luck_adjusted": _luck_adjusted(pairs),
        "points": [round(total / games, 3) for total in both("points")],
        "skunks": both("skunks"),
        "double_skunks": both("double_skunks"),
        "deals_per_game": round(sum(pair.deals for pair in pairs) / games, 3),
        "failures": _failures(pairing, pairs),
    }


def _luck_adjusted(pairs: Sequence[Pair]) -> dict[str, Any] | None:
    """The share won less what the deck did, with its interval; None where luck was not measured."""
    lucks = [pair.luck for pair in pairs if pair.luck is not None]
    if len(lucks) < len(pairs):
        return None
    shares = [(pair.wins[0] - luck) / 2 for pair, luck in zip(pairs, lucks, strict=True)]
    return {"win_rate": sum(shares) / len(shares), "ci95": interval(shares)}


def _failures(pairing: Pairing, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """Games lost because a player could not finish them, by player and reason: how many, and the first."""
    found: dict[tuple[int, str], list[Failure]] = {}
    for failure in (failure for pair in pairs for failure in pair.failures):
        found.setdefault((failure.entrant, failure.code), []).append(failure)
    return [
        {
            "player": pairing.entrants[entrant].name,
            "place": entrant,
            "code": code,
            "games": len(those),
            "first": those[0].game,
            "detail": those[0].detail,
        }
        for (entrant, code), those in sorted(found.items())
    ]


def interval(shares: Sequence[float]) -> list[float]:
    """The 95 % interval of the mean share won, over pairs: games of a pair are not independent.

    Two pairs won and two lost are added first (Agresti and Coull), so that a handful of pairs, or a rout,
    does not claim to be certain.
    """
    widened = [*shares, 0.0, 0.0, 1.0, 1.0]
    mean = sum(widened) / len(widened)
    variance = sum((share - mean) ** 2 for share in widened) / (len(widened) - 1)
    reach = 1.96 * math.sqrt(variance / len(widened))
    return [max(0.0, mean - reach), min(1.0, mean + reach)]
