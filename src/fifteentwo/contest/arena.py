"""Arenas: two entrants (levels, programs, any player) on duplicate deals with the seats swapped.

Both games of a pair are dealt from the same decks: in the second game each entrant holds the cards that the
other held in the first. With three or four seats each pair is one arrangement of the two entrants and its
mirror image, so that equal players win half of all games in every variant.
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
from fifteentwo.contest.match import FailedPlayer, play_out
from fifteentwo.contest.table import Table
from fifteentwo.players import Closes, Player
from fifteentwo.rules.board import skunk_lines
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.record import MAX_NAME_LENGTH, Record, write
from fifteentwo.rules.state import State
from fifteentwo.rules.variants import Rules, Variant, rules_for

PAIRS_IN_A_BATCH = 25
"""Pairs of games that a process plays before it reports; the result does not depend on it."""
PAIRS_OF_PROGRAMS_IN_A_BATCH = 5
"""The same if one of the players is a program, whose games may take minutes."""

ReportProgress = Callable[[int, int], None]
"""Callback that receives the games played and the total of games after each batch."""

_ARRANGEMENTS: dict[Variant, tuple[str, ...]] = {
    Variant.SIX_CARD: ("AB",),
    Variant.FIVE_CARD: ("AB",),
    Variant.THREE_HANDED: ("ABB", "BAB", "BBA"),
    Variant.PARTNERS: ("ABAB",),
    Variant.FOUR_HANDED: ("AABB", "ABAB", "ABBA"),
}
"""Entrants by seat in the first game of a pair, for each pair in turn; the second game swaps them."""


class Failure(msgspec.Struct, frozen=True):
    """A game lost because a player could not finish it."""

    entrant: int
    game: int
    code: str
    detail: str


class Pair(msgspec.Struct, frozen=True):
    """The results of two games on the same decks. Tuples are for entrants A and B."""

    wins: tuple[int, int]
    points: tuple[float, float]
    """Points of each entrant in both games together; of several sides that an entrant plays, the mean."""
    skunks: tuple[int, int]
    """Games in which an entrant skunked a side of the other, even if the rules have no skunks."""
    double_skunks: tuple[int, int]
    deals: int
    failures: tuple[Failure, ...] = ()
    luck: float | None = None
    """Luck of the deck for A in both games, in games won; None if it was not measured."""


class Running(NamedTuple):
    """Settings for running an arena, which do not change its result."""

    jobs: int | None = 1
    """Number of processes; None for one for each core."""
    dask: str | None = None
    """Address of a running Dask scheduler, which then replaces processes."""
    checkpoint: Path | None = None
    """Folder of finished batches; the same arena continues from them."""
    report: ReportProgress | None = None
    records: Path | None = None
    """Folder for the record of each game, `1.txt` and so on."""


class Pairing(NamedTuple):
    """An arena's entrants, seed and rules, as its processes need them."""

    entrants: tuple[Entrant, Entrant]
    seed: int
    rules: Rules
    luck: bool = False
    """Whether the luck of the deck is measured."""


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
    """Play two entrants (or levels) against each other; the same seed gives the same result wherever it runs.

    A player that fails loses its game. A game of two-handed `club` takes about 10 ms. An odd number of
    `games` is rounded up to whole pairs. Cuts are off unless `options` has them, because they would change
    the cards of a pair. `luck` returns also the result less the luck of the deck; it takes 10 to 60 ms a
    game.

    Raises:
        UnknownLevel, UnknownVariant, InvalidRules: a name or option is unknown.
    """
    pairing = pairing_of(a, b, seed, variant=variant, options=options, luck=luck)
    return summarise(pairing, play_all_pairs(pairing, games, running))


def pairing_of(
    a: str | Entrant,
    b: str | Entrant,
    seed: int,
    *,
    variant: str = "six-card",
    options: Mapping[str, Any] | None = None,
    luck: bool = False,
) -> Pairing:
    """Return the pairing of an `arena`, with its errors."""
    chosen: dict[str, Any] = {"cut_before_deal": False, "starter": "top", **(options or {})}
    chosen["first_dealer"] = "named"
    chosen.pop("partners_by_draw", None)
    first, second = (Level(one) if isinstance(one, str) else one for one in (a, b))
    return Pairing((first, second), seed, rules_for(variant, **chosen), luck)


def play_all_pairs(pairing: Pairing, games: int, running: Running) -> list[Pair]:
    """Return the results of the pairs of an `arena` in order."""
    if games < 1:
        raise ValueError("an arena needs at least one game")
    pairs, size = (games + 1) // 2, _batch_size(pairing)
    batches = [range(first, min(first + size, pairs)) for first in range(0, pairs, size)]
    checkpoint = Checkpoint(running.checkpoint, pairing)
    todo = [batch for batch in batches if len(checkpoint.played.get(batch.start, ())) < len(batch)]
    if running.report is not None and todo:
        running.report(2 * sum(len(finished) for finished in checkpoint.played.values()), 2 * pairs)
    with get_executor(min(running.jobs or os.cpu_count() or 1, len(todo)), running.dask) as executor:
        for batch, played in run_all(
            executor, play_pairs, [(batch, (pairing, batch, running.records)) for batch in todo]
        ):
            checkpoint.keep(batch, played)
            if running.report is not None:
                running.report(2 * sum(len(finished) for finished in checkpoint.played.values()), 2 * pairs)
    return [pair for batch in batches for pair in checkpoint.played[batch.start][: len(batch)]]


def _batch_size(pairing: Pairing) -> int:
    are_levels = all(isinstance(one, Level) for one in pairing.entrants)
    return PAIRS_IN_A_BATCH if are_levels else PAIRS_OF_PROGRAMS_IN_A_BATCH


class Checkpoint:
    """The finished batches by their first pair; with a folder also stored in a file, one batch a line."""

    def __init__(self, folder: Path | None, pairing: Pairing) -> None:
        self.played: dict[int, list[Pair]] = {}
        self._file: Path | None = None
        if folder is None:
            return
        folder.mkdir(parents=True, exist_ok=True)
        names = [one.key for one in pairing.entrants]
        luck = {"luck": True} if pairing.luck else {}
        asked = msgspec.json.encode(
            ({"levels": names, "seed": pairing.seed, "rules": pairing.rules} | luck, _batch_size(pairing))
        )
        self._file = folder / f"arena-{hashlib.sha256(asked).hexdigest()[:16]}.jsonl"
        if self._file.exists():
            for line in self._file.read_bytes().splitlines():
                # A process killed while it wrote leaves a line that cannot be read.
                with suppress(msgspec.DecodeError):
                    first, pairs = msgspec.json.decode(line, type=tuple[int, list[Pair]])
                    self.played[first] = pairs

    def keep(self, batch: range, pairs: list[Pair]) -> None:
        """Add a batch, first to the file; raise OSError with the file's name if the disk is full."""
        if self._file is not None:
            try:
                with self._file.open("ab") as file:
                    file.write(b"\n" + msgspec.json.encode((batch.start, pairs)))
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(self._file)) from error
        self.played[batch.start] = pairs


def play_pairs(pairing: Pairing, numbers: Sequence[int], records: Path | None = None) -> list[Pair]:
    """Return the results of the pairs with these numbers. records: a folder for the records of the games."""
    seats = pairing.rules.seats
    players = [one.players(2 * pairing.seed + place, seats) for place, one in enumerate(pairing.entrants)]
    with ExitStack() as open_players:
        for one in {id(one): one for own in players for one in own}.values():
            if isinstance(one, Closes):
                open_players.callback(one.close)
        return [play_pair(pairing, number, players, records) for number in numbers]


def play_pair(
    pairing: Pairing, number: int, players: Sequence[Sequence[Player]], records: Path | None = None
) -> Pair:
    """Play two games on the same decks, with the seats swapped in the second; return the results.

    players: for each entrant a player for every seat. records: a folder for the records of the games.
    """
    rules = pairing.rules
    arrangements = _ARRANGEMENTS[rules.variant]
    seats = [int(entrant == "B") for entrant in arrangements[number % len(arrangements)]]
    # The first dealer changes after all arrangements were played, so that each occurs with each dealer.
    dealer = number // len(arrangements) % rules.seats
    wins, skunks, doubles, points, deals = [0, 0], [0, 0], [0, 0], [0.0, 0.0], 0
    failures: list[Failure] = []
    luck = 0.0 if pairing.luck else None
    for swapped in (0, 1):
        entrants = [seat ^ swapped for seat in seats]
        table = Table(rules, seeded(f"{pairing.seed}/{number}"))
        table.adopt(table.name_dealer(dealer))
        failed = play_out(table, [players[entrant][seat] for seat, entrant in enumerate(entrants)])
        if records is not None:
            names = [pairing.entrants[entrant].name[:MAX_NAME_LENGTH] for entrant in entrants]
            record = Record(rules=rules, names=tuple(names), actions=tuple(table.actions), named=True)
            (records / f"{2 * number + swapped + 1}.txt").write_text(write(record), encoding="utf-8")
        state = table.state
        sides = entrants[: rules.sides]
        winner = _winner(state, sides, failed, entrants)
        wins[winner] += 1
        deals += state.deal
        for entrant in (0, 1):
            own = [front for side, front in enumerate(state.front) if sides[side] == entrant]
            points[entrant] += sum(own) / len(own)
        if failed is None:
            skunked, doubled = _is_skunked(state, sides, winner)
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


def _winner(state: State, sides: Sequence[int], failed: FailedPlayer | None, entrants: Sequence[int]) -> int:
    """Return the entrant that won; if a player failed, the other entrant."""
    assert state.won is not None
    return sides[state.won.side] if failed is None else 1 - entrants[failed.player]


def _luck(table: Table, sides: Sequence[int]) -> float:
    """Return the luck of the deck for entrant 0, in games won. sides: the entrant of each side."""
    from fifteentwo.analysis.review.luck_adjusted import dealt_luck

    record = Record(rules=table.state.rules, names=("", ""), actions=tuple(table.actions))
    own = [side for side, entrant in enumerate(sides) if entrant == 0]
    return sum(lucks[side] for lucks in dealt_luck(record) for side in own)


def _is_skunked(state: State, sides: Sequence[int], winner: int) -> tuple[bool, bool]:
    """Return whether a side of the loser is below the skunk line, and the double one (R18–R20)."""
    below = skunk_lines(state.rules.target)
    lowest = min(front for side, front in enumerate(state.front) if sides[side] != winner)
    return lowest < below["skunk"], lowest < below.get("double_skunk", 0)


def summarise(pairing: Pairing, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return the result that `arena` returns for these pairs."""
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
        "ci95": confidence_interval([pair.wins[0] / 2 for pair in pairs]),
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
    """Return the share of wins less the luck of the deck, and its interval; None if luck was not measured."""
    lucks = [pair.luck for pair in pairs if pair.luck is not None]
    if len(lucks) < len(pairs):
        return None
    shares = [(pair.wins[0] - luck) / 2 for pair, luck in zip(pairs, lucks, strict=True)]
    return {"win_rate": sum(shares) / len(shares), "ci95": confidence_interval(shares)}


def _failures(pairing: Pairing, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
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


def confidence_interval(shares: Sequence[float]) -> list[float]:
    """Return the 95 % interval of the mean share won, over pairs: the games of a pair depend on each other.

    Two pairs won and two lost are added first (Agresti and Coull), so that the interval of a few pairs, or of
    a rout, is not too narrow.
    """
    widened = [*shares, 0.0, 0.0, 1.0, 1.0]
    mean = sum(widened) / len(widened)
    variance = sum((share - mean) ** 2 for share in widened) / (len(widened) - 1)
    reach = 1.96 * math.sqrt(variance / len(widened))
    return [max(0.0, mean - reach), min(1.0, mean + reach)]
