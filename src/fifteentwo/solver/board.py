"""Win chances at the start of a deal for every score: solved strategies, near the end play that aims to win.

`solver.deal_counts` plays deals under the solved strategies and counts them; `solver.board_ends` says what
winning play adds where a side is in reach of the game hole. Here both go into one induction, from 120–120
backwards. Net games are the dealer's: 2 × win chance − 1 where a game is a game; a loser below 91 pays 2
games where the skunk counts, below 61 pays 4 where the double skunk does. A half game (61, skunk 31) is the
same race begun at 60–60.

    python -m fifteentwo.solver.board      makes the table that ships

Standard errors: everything is done in forty sets of deals that share nothing, and their boards are compared.
"""

import json
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifteentwo.book.board import NAME
from fifteentwo.book.files import data_file, write_tables
from fifteentwo.solver import board_ends
from fifteentwo.solver.deal_counts import DealCounts, count_deals, digests, summarise, together
from fifteentwo.solver.executor import get_executor, run_all

Floats = NDArray[np.float64]
Cell = tuple[int, int]
"""(dealer's score, pone's)."""

TARGET = 121
PAYOFFS = ("game", "skunk", "double")
SETS = 40
REACH = 96
"""A side with so many points is in reach of the end."""
SURE = 0.01
"""Boards that one side wins less often than this are left to the strategies by points."""
LIMIT, ROUNDS = 0.0005, 9
"""Boards with a larger standard error of the win chance are played again, so many times at most."""
SMOOTH = 112
"""Gains at boards of at most so many points to a side are smoothed over their neighbours."""


def loser_pays() -> Floats:
    """(3, 121) games that a loser with a score pays, by payoff (R18, R20)."""
    scores = np.arange(TARGET)
    skunk = np.where(scores <= 90, 2.0, 1.0)
    return np.stack([np.ones(TARGET), skunk, np.where(scores <= 60, 4.0, skunk)])


class Deals:
    """Chances of what one deal brings, for several sets of deals side by side."""

    def __init__(self, counts: Iterable[DealCounts]) -> None:
        """Each set of deals by itself; at least one."""
        sets = list(counts)
        number = np.array([one.final.sum() for one in sets], np.float64)[:, None, None]
        pone, dealer = np.argwhere(sum(one.final for one in sets)).max(axis=0)
        x, y = int(dealer) + 1, int(pone) + 1
        self.span = x, y
        # [set, dealer's points, pone's]: how deals end; where one side stands when the other gets so far.
        self.ended = np.stack([one.final[:y, :x].T for one in sets]) / number
        self.dealer_first = np.stack([one.dealer_reach[:x, :y] for one in sets]) / number
        self.pone_first = np.stack([one.pone_reach[:y, :x].T for one in sets]) / number

    def value(self, cell: Cell, net: Floats, pays: Floats) -> Floats:
        """Net games of the dealer at one board, the boards behind it known: (sets, payoffs).

        net: (sets, payoffs, 121, 121), [dealer's, pone's score]; pays: (payoffs, 121).
        """
        dealer, pone = cell
        far_x, far_y = self.span
        needed, pone_needed = TARGET - dealer, TARGET - pone
        x, y = min(needed, far_x), min(pone_needed, far_y)
        value = -np.einsum(
            "bxy,bkyx->bk", self.ended[:, :x, :y], net[:, :, pone : pone + y, dealer : dealer + x]
        )
        if needed < far_x:
            value += np.einsum("by,ky->bk", self.dealer_first[:, needed, :y], pays[:, pone : pone + y])
        if pone_needed < far_y:
            value -= np.einsum("bx,kx->bk", self.pone_first[:, :x, pone_needed], pays[:, dealer : dealer + x])
        return np.asarray(value)


def diagonals() -> Iterable[list[Cell]]:
    """All boards, those of equal sums together, from 120–120 backwards: no deal joins two of one sum."""
    for total in range(2 * TARGET - 2, -1, -1):
        yield [
            (dealer, total - dealer)
            for dealer in range(max(0, total - TARGET + 1), min(total, TARGET - 1) + 1)
        ]


def induct(
    counts: Iterable[DealCounts],
    pays: Floats | None = None,
    added: Callable[[Cell, int], Floats] | None = None,
) -> Floats:
    """Net games of the dealer for each set of deals by itself: (sets, payoffs, 121, 121).

    pays: (payoffs, 121), by default `loser_pays()`. added: what winning play adds at a board in a set,
    (payoffs,). About four seconds for forty sets of three payoffs.
    """
    pays = loser_pays() if pays is None else pays
    deals = Deals(counts)
    net = np.zeros((len(deals.ended), len(pays), TARGET, TARGET))
    for cells in diagonals():
        for cell in cells:
            value = deals.value(cell, net, pays)
            if added is not None:
                value += np.stack([added(cell, number) for number in range(len(value))])
            net[:, :, cell[0], cell[1]] = value
    return net


# ── Near the end ─────────────────────────────────────────────────────────────────────────────────────────


def in_reach(cell: Cell, win: float) -> bool:
    """Whether winning play is worth looking for at this board."""
    return max(cell) >= REACH and SURE < win < 1 - SURE


def ways_at(cell: Cell) -> tuple[int, int]:
    """What pone and dealer do for chances (numbers of board_ends.WAYS): saddle points of eighteen boards.

    The pone, who must not be pegged out before the first hand is counted, also plays cards for chances; the
    dealer at 120 wants a point of the play, and lays away by the book for it.
    """
    dealer, pone = cell
    if dealer == TARGET - 1 > pone:
        return (3 if pone >= 106 else 1), 2
    return (3 if min(cell) >= 106 else 1), (3 if min(cell) >= 117 else 1)


def deals_at(cell: Cell, deals: int, win: float) -> int:
    """How many deals of a board's own, `deals` for an even race: more where nothing is smoothed.

    Where a side is that near, the solved play of the same cards tells little, and only more deals help.
    """
    uncertain = max(4 * win * (1 - win), 0.2)
    return int(deals * uncertain) * (30 if max(cell) >= SMOOTH - 1 else 1)


@cache
def _pool(seed: int, deals: int) -> tuple[board_ends.Solved, board_ends.Pool]:
    known = board_ends.solved()
    return known, board_ends.Pool.of(known, deals, np.random.SeedSequence(seed, spawn_key=(1,)))


def gains_at(
    cells: list[Cell], points: Floats, net: Floats, seed: int, pool_deals: int, deals: int, again: int = 0
) -> Floats:
    """What winning play adds at boards, those behind known: (cells, sets, payoffs) net games of the dealer.

    points: (cells, payoffs) what they are worth by the solved strategies. net: (payoffs, 121, 121). again:
    draws other deals. The same for the same arguments; sets draw from their own part of the pool.
    """
    known, pool = _pool(seed, pool_deals)
    aims = board_ends.Aims.at((1 + net[0]) / 2, pool.points)
    pays = loser_pays()
    found = np.zeros((len(cells), SETS, len(pays)))
    share = pool_deals // SETS
    for n, cell in enumerate(cells):
        aiming = aims.policies(known, pool.points, cell)
        size = min(deals_at(cell, deals, (1 + points[n, 0]) / 2) // SETS, share)
        key = (2, *cell) if again == 0 else (2, *cell, again)
        chance = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
        made, before = np.zeros((SETS, size, len(pays))), np.zeros((SETS, size, len(pays)))
        for number in range(SETS):
            begin = number * share + int(chance.integers(0, share - size + 1))
            part = slice(begin, begin + size)
            drawn = int(chance.integers(0, 2**31))
            made[number], before[number] = board_ends.replayed(
                cell, ways_at(cell), aiming, net, pays, pool, part, drawn
            )
        # As much of the other play of the same cards is taken off as lessens the noise most.
        centred = before - before.mean(axis=(0, 1))
        spread = np.maximum((centred**2).sum(axis=(0, 1)), 1e-12)
        slope = np.clip((centred * made).sum(axis=(0, 1)) / spread, 0, 1)
        found[n] = made.mean(axis=1) - slope * before.mean(axis=1) - (1 - slope) * points[n]
    return found


def smoothed(gains: dict[Cell, Floats]) -> dict[Cell, Floats]:
    """Gains averaged over boards at most two points away to a side, nearer ones counting more.

    Boards with a side beyond SMOOTH are left as they are, for there each point matters.
    """
    found = {}
    for (dealer, pone), gain in gains.items():
        if max(dealer, pone) > SMOOTH:
            found[dealer, pone] = gain
            continue
        total = np.zeros_like(gain)
        weights = 0.0
        for x in range(-2, 3):
            for y in range(-2, 3):
                near = (dealer + x, pone + y)
                # Only whole pairs of opposite neighbours, lest a slope look like a gain.
                opposite = (dealer - x, pone - y)
                if max(*near, *opposite) <= SMOOTH and near in gains and opposite in gains:
                    weight = (3 - abs(x)) * (3 - abs(y))
                    total += weight * gains[near]
                    weights += weight
        found[dealer, pone] = total / weights
    return found


# ── The job ──────────────────────────────────────────────────────────────────────────────────────────────


def run(
    deals: int = 20_000_000,
    seed: int = 5,
    jobs: int | None = None,
    checkpoint: Path | None = None,
    *,
    end_deals: int = 60_000,
    pool_deals: int = 4_000_000,
    batches: int = 40,
    dask_address: str | None = None,
    out: Path | None = None,
    say: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Play the deals, work the board out and write it to `out`; returns its summary.

    deals: under the solved strategies, counted once for all boards. end_deals: more at each board in reach of
    the end (0: none). checkpoint: a folder; each batch and each board near the end is stored there when done,
    and a job with the same arguments goes on from it. About 5 µs and 10 µs a deal a core, and 0.4 GB a
    process. Raises DamagedTable, and ValueError where `batches` is no multiple of SETS.
    """
    if batches % SETS:
        raise ValueError(f"{batches} batches do not make {SETS} sets")
    began = time.monotonic()
    each = deals // batches
    versions = digests()
    stem = f"{seed}-{each}-" + "-".join(name[:8] for name in versions.values())
    if checkpoint is not None:
        checkpoint.mkdir(parents=True, exist_ok=True)
    counts: dict[int, DealCounts] = {}
    for number in range(batches):
        stored = _stored(checkpoint, f"deals-{stem}-{number}")
        if stored is not None:
            counts[number] = DealCounts(*(stored[name] for name in DealCounts._fields))

    def counted(number: int, found: DealCounts) -> None:
        counts[number] = found
        _store(checkpoint, f"deals-{stem}-{number}", found._asdict())
        say(f"{len(counts)} of {batches} batches of {each:,} deals, {time.monotonic() - began:.0f} s")

    todo = [(n, (each, seed * 1_000_003 + n)) for n in range(batches) if n not in counts]
    with get_executor(jobs, dask_address) as executor:
        run_all(executor, count_deals, todo, counted)
        whole = together([counts[n] for n in range(batches)])
        boards = EndBoards(executor, checkpoint, seed, pool_deals, end_deals, sorted(versions.values()))
        gains: dict[Cell, Floats] = {}
        if end_deals:
            rough = induct([whole])[0]
            played = Deals([whole])
            net = np.zeros_like(rough)[None]
            for cells in diagonals():
                here = [cell for cell in cells if in_reach(cell, (1 + rough[0][cell]) / 2)]
                if here:
                    gains |= boards.gains(here, played, net)
                    say(f"boards of {sum(here[0])} points: {len(here)}, {time.monotonic() - began:.0f} s")
                for cell in cells:
                    value = played.value(cell, net, loser_pays())
                    net[:, :, cell[0], cell[1]] = value + (gains[cell].mean(axis=0) if cell in gains else 0.0)
            gains = boards.refined([counts[n] for n in range(batches)], gains, played, net, say)
    summary, arrays = finished([counts[n] for n in range(batches)], gains)
    points = _pool(seed, pool_deals)[1].points
    arrays |= {"pone_hand": points.hands[0], "crib": points.crib, "dealer_show": points.dealer_show}
    if out is not None:
        about = {
            "made_by": "fifteentwo.solver.board.run",
            "deals": each * batches,
            "batches": batches,
            "seed": seed,
            "end_deals": end_deals,
            "pool_deals": pool_deals,
            "boards_near_the_end": len(gains),
            "largest_error_asked_for": LIMIT,
            "strategies": versions,
            "strategies_near_the_end": sorted(boards.played_by),
            "summary": summary,
        }
        write_tables(out, about, arrays)
    return summary


@dataclass(frozen=True)
class EndBoards:
    """Plays boards near the end, each a job of its own and stored when done."""

    executor: Executor
    checkpoint: Path | None
    seed: int
    pool_deals: int
    deals: int
    strategies: list[str]
    """Digests of the strategies that play."""
    played_by: set[str] = field(default_factory=set)
    """Those that played what was asked for so far, stored boards among it."""

    def gains(self, cells: list[Cell], played: Deals, net: Floats, again: int = 0) -> dict[Cell, Floats]:
        """`gains_at` of boards that do not depend on each other. net: (1, payoffs, 121, 121)."""
        found: dict[Cell, Floats] = {}
        todo = []
        for cell in cells:
            stored = _stored(self.checkpoint, self._name(cell, again))
            if stored is None:
                points = played.value(cell, net, loser_pays())
                todo.append((cell, ([cell], points, net[0], self.seed, self.pool_deals, self.deals, again)))
            else:
                found[cell] = stored["gain"]
                self.played_by.update(stored["strategies"].tolist())

        def done(cell: Cell, gain: Floats) -> None:
            found[cell] = gain[0]
            self.played_by.update(self.strategies)
            kept = {"gain": gain[0], "strategies": np.array(self.strategies)}
            _store(self.checkpoint, self._name(cell, again), kept)

        run_all(self.executor, gains_at, todo, done)
        return found

    def refined(
        self,
        counts: list[DealCounts],
        gains: dict[Cell, Floats],
        played: Deals,
        net: Floats,
        say: Callable[[str], None],
    ) -> dict[Cell, Floats]:
        """The same gains, with more deals at boards whose standard error came out above LIMIT."""
        found, times = dict(gains), dict.fromkeys(gains, 1)
        for again in range(1, ROUNDS + 1):
            error = finished(counts, found)[1]["game_error"].astype(np.float64) / 2
            cells = sorted(cell for cell in gains if error[cell] > LIMIT)
            if not cells:
                break
            for cell, more in self.gains(cells, played, net, again).items():
                found[cell] = (times[cell] * found[cell] + more) / (times[cell] + 1)
                times[cell] += 1
            say(f"{len(cells)} boards played again")
        return found

    def _name(self, cell: Cell, again: int) -> str:
        dealer, pone = cell
        return f"board-{self.seed}-{self.deals}-{self.pool_deals}-{dealer}-{pone}-{again}"


_NOTHING = np.zeros(len(PAYOFFS))


def evened(net: Floats) -> Floats:
    """Boards on which a point more never hurts: (payoffs, 121, 121), [dealer's, pone's score].

    Whoever has more points can play as with fewer. Where luck of the deals, or the edge of what counts as in
    reach, says otherwise, the mean of mending it upwards and downwards stands; the rest is left alone.
    """
    up = np.maximum.accumulate(np.maximum.accumulate(net, axis=1)[:, :, ::-1], axis=2)[:, :, ::-1]
    down = np.minimum.accumulate(np.minimum.accumulate(net[:, ::-1], axis=1)[:, ::-1], axis=2)
    mended: Floats = (up + down) / 2
    return mended


def finished(
    counts: list[DealCounts], gains: dict[Cell, Floats]
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """(summary, arrays to ship) from counted deals in batches and gains near the end by set."""
    gains = smoothed(gains)
    means = {cell: gain.mean(axis=0) for cell, gain in gains.items()}
    whole = together(counts)
    net = evened(induct([whole], added=lambda cell, _: means.get(cell, _NOTHING))[0])
    zeros = np.zeros((SETS, len(PAYOFFS)))
    sets = induct(
        [together(counts[number::SETS]) for number in range(SETS)],
        added=lambda cell, number: gains.get(cell, zeros)[number],
    )
    error = sets.std(axis=0, ddof=1) / np.sqrt(SETS)
    plain = induct([whole])[0]
    arrays: dict[str, NDArray[Any]] = {}
    for number, payoff in enumerate(PAYOFFS):
        arrays[payoff] = net[number].astype(np.float32)
        arrays[f"{payoff}_error"] = error[number].astype(np.float16)
    wins = error[0] / 2
    summary = {
        **summarise([whole]),
        "first_dealer_wins_by_points": float((1 + plain[0, 0, 0]) / 2),
        "first_dealer_wins": float((1 + net[0, 0, 0]) / 2),
        "first_dealer_error": float(wins[0, 0]),
        "median_error": float(np.median(wins)),
        "largest_error": float(wins.max()),
        "boards_above_0.05_percent": int((wins > 0.0005).sum()),
        "largest_gain": float(max((abs(gain[0]) / 2 for gain in means.values()), default=0.0)),
    }
    return summary, arrays


def _stored(checkpoint: Path | None, name: str) -> dict[str, Any] | None:
    path = None if checkpoint is None else checkpoint / f"{name}.npz"
    if path is None or not path.exists():
        return None
    with np.load(path) as stored:
        return {key: stored[key] for key in stored.files}


def _store(checkpoint: Path | None, name: str, arrays: dict[str, Any]) -> None:
    """Whole or not at all: a kill in the middle leaves no half file under this name."""
    if checkpoint is not None:
        part = checkpoint / f"{name}.part"
        with part.open("wb") as file:
            np.savez_compressed(file, **arrays)
        part.replace(checkpoint / f"{name}.npz")


if __name__ == "__main__":
    print(json.dumps(run(checkpoint=Path("board-checkpoint"), out=data_file(NAME)), indent=1))
