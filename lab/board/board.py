"""The board values: win probabilities at the start of a deal for every score.

    python -m lab solve board --out FILE

`lab.board.deal_counts` plays and counts deals with the solved strategies. Near the end,
`lab.board.board_ends` computes the gain from play to win. An induction (`lab.board.induction`) from 120–120
backwards combines both. A half game is the same race from 60–60. For standard errors, the board values of
forty separate sets of deals are compared.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.contest.executor import get_executor, run_all
from fifteentwo.strategy.board import TARGET
from lab.board import board_ends
from lab.board.deal import Tally
from lab.board.deal_counts import add_tallies, count_deals, digests, summarise
from lab.board.induction import PAYOFFS, Cell, DealProbabilities, Floats, diagonals, induct, loser_pays
from lab.files import whole_file, write_tables

SETS = 40
"""Separate sets of deals; the spread of their board values gives the standard errors."""
MIN_SCORE_NEAR_END = 96
"""Deals are played to win only at boards where a side has at least this score."""
MIN_SUM_PONE_PEGS_TO_WIN = 213
"""The pone pegs to win if the sum of both scores is at least this."""
MIN_WIN_PROBABILITY = 0.01
"""Deals are played to win only at boards where both sides' win probability exceeds this."""
MAX_ERROR = 0.0005
"""Boards whose win probability has a larger standard error are played again with other deals."""
MAX_EXTRA_ROUNDS = 9
"""Largest number of times that a board is played again to reduce its standard error."""
UNSMOOTHED_FACTOR = 20
"""Boards whose gains are not smoothed get this many times as many deals."""
MAX_SMOOTHED_SCORE = 112
"""Gains are averaged over neighbouring boards if neither score is above this."""


# ── Near the end ─────────────────────────────────────────────────────────────────────────────────────────


def is_near_end(cell: Cell, win: float) -> bool:
    """Return whether deals at a board are also played to win. win: the dealer's win probability."""
    return max(cell) >= MIN_SCORE_NEAR_END and MIN_WIN_PROBABILITY < win < 1 - MIN_WIN_PROBABILITY


def play_styles_at(cell: Cell) -> tuple[int, int]:
    """Return how pone and dealer play at a board, as indices of `board_ends.PLAY_STYLES`.

    The rule comes from the saddle points of a hundred boards. Both sides discard to win. The pone pegs to
    win, to prevent that the dealer pegs out before the first hand counts; the dealer only if it needs 1 or 2
    points.
    """
    dealer, pone = cell
    pone_plays = sum(cell) >= MIN_SUM_PONE_PEGS_TO_WIN and not (dealer == TARGET - 1 and pone < TARGET - 2)
    dealer_plays = dealer == TARGET - 1 or (dealer == TARGET - 2 and pone >= TARGET - 4)
    return 3 if pone_plays else 1, 3 if dealer_plays else 1


def deal_count_at(cell: Cell, deals: int, win: float) -> int:
    """Return the number of deals at a board: `deals` for an even race, fewer for an uneven one.

    win: the dealer's win probability. Boards without smoothing get UNSMOOTHED_FACTOR times as many, in
    proportion to the variance, because the solved play of the same cards reduces the variance little there.
    """
    uncertain = 4 * win * (1 - win)
    if max(cell) >= MAX_SMOOTHED_SCORE - 1:
        return int(deals * UNSMOOTHED_FACTOR * uncertain)
    return int(deals * max(uncertain, 0.2))


@cache
def _solved_deals(seed: int, deals: int) -> board_ends.Pool:
    return board_ends.Pool.deal_and_play(deals, np.random.SeedSequence(seed, spawn_key=(1,)))


def gains_at(
    cells: list[Cell], points: Floats, net: Floats, seed: int, pool_deals: int, deals: int, repeat: int = 0
) -> Floats:
    """(cells, SETS, payoffs) how much play to win changes the dealer's expected net games at boards.

    points: (cells, payoffs) net games if both sides play for points. net: (payoffs, 121, 121) net games at
    the start of a deal, [payoff, dealer's score, pone's score], known for later boards. repeat: how often
    these boards have been played before; it selects other deals. Each set has its own part of the pool.
    """
    pool = _solved_deals(seed, pool_deals)
    pays = loser_pays()
    gains = np.zeros((len(cells), SETS, len(pays)))
    per_set = pool_deals // SETS
    for n, cell in enumerate(cells):
        plans = board_ends.plans_at(cell, play_styles_at(cell), net[0])
        size = min(deal_count_at(cell, deals, (1 + points[n, 0]) / 2) // SETS, per_set)
        key = (2, *cell) if repeat == 0 else (2, *cell, repeat)
        chance = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
        made, before = np.zeros((SETS, size, len(pays))), np.zeros((SETS, size, len(pays)))
        for number in range(SETS):
            begin = number * per_set + int(chance.integers(0, per_set - size + 1))
            drawn = pool.deals_between(begin, begin + size)
            made[number], before[number] = board_ends.both_outcomes(cell, plans, net, pays, drawn)
        # The solved play of the same cards is a control variate, with the best coefficient.
        centred = before - before.mean(axis=(0, 1))
        spread = np.maximum((centred**2).sum(axis=(0, 1)), 1e-12)
        slope = np.clip((centred * made).sum(axis=(0, 1)) / spread, 0, 1)
        gains[n] = made.mean(axis=1) - slope * before.mean(axis=1) - (1 - slope) * points[n]
    return gains


def smoothed(gains: dict[Cell, Floats]) -> dict[Cell, Floats]:
    """Return the gains averaged over boards that differ by up to two points a side, near ones weighted more.

    Boards with a score above MAX_SMOOTHED_SCORE are unchanged, because each point matters there.
    """
    even = {}
    for (dealer, pone), gain in gains.items():
        if max(dealer, pone) > MAX_SMOOTHED_SCORE:
            even[dealer, pone] = gain
            continue
        total = np.zeros_like(gain)
        weights = 0.0
        for x in range(-2, 3):
            for y in range(-2, 3):
                near = (dealer + x, pone + y)
                # Boards are used in opposite pairs; otherwise a slope would look like a gain.
                opposite = (dealer - x, pone - y)
                if max(*near, *opposite) <= MAX_SMOOTHED_SCORE and near in gains and opposite in gains:
                    weight = (3 - abs(x)) * (3 - abs(y))
                    total += weight * gains[near]
                    weights += weight
        even[dealer, pone] = total / weights
    return even


# ── The job ──────────────────────────────────────────────────────────────────────────────────────────────


class Job(NamedTuple):
    """Options of the computation of board values: numbers of deals, and the seed."""

    deals: int = 20_000_000
    """Deals played by the solved strategies; their counts serve all boards."""
    seed: int = 5
    end_deals: int = 60_000
    """Deals played to win at each board near the end; 0 to leave out play to win."""
    pool_deals: int = 4_000_000
    """Deals played once by the solved strategies, from which boards near the end take theirs."""
    batches: int = SETS
    """Batches into which `deals` are divided; a multiple of SETS."""


SHIPPED_JOB = Job()
"""The options with which the shipped board values were computed."""


def run(
    job: Job = SHIPPED_JOB,
    jobs: int | None = None,
    checkpoint: Path | None = None,
    *,
    dask_address: str | None = None,
    out: Path | None = None,
    progress: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Play the deals, compute the board values and write them to `out`; return the summary.

    jobs: processes, None for one a core. Each batch and each board near the end is stored in the folder
    `checkpoint`, from which a job with the same arguments continues. A deal takes 6 to 10 µs of a core, a
    process 0.4 GB. Raises DamagedTable, and ValueError if `batches` is no multiple of SETS.
    """
    if job.batches % SETS:
        raise ValueError(f"{job.batches} batches do not make {SETS} sets")
    began = time.monotonic()

    def clocked(text: str) -> None:
        progress(f"{text}, {time.monotonic() - began:.0f} s")

    versions = digests()
    store = Store(checkpoint)
    with get_executor(jobs, dask_address) as executor:
        counts = play_batches(executor, job, store, "-".join(name[:8] for name in versions.values()), clocked)
        boards = EndBoards(executor, store, job, sorted(versions.values()))
        gains = boards.all_gains(counts, clocked) if job.end_deals else {}
    summary, arrays = board_arrays(counts, gains)
    if out is not None:
        about = {
            "made_by": "lab.board.board.run",
            **job._asdict(),
            "deals": job.deals // job.batches * job.batches,
            "boards_near_the_end": len(gains),
            "largest_error_asked_for": MAX_ERROR,
            "strategies": versions,
            "strategies_near_the_end": sorted(boards.played_by),
            "summary": summary,
        }
        write_tables(out, about, arrays)
    return summary


def play_batches(
    executor: Executor | None, job: Job, store: "Store", versions: str, progress: Callable[[str], None]
) -> list[Tally]:
    """Play the deals by the solved strategies with digests `versions`; return the counts of each batch."""
    each = job.deals // job.batches

    def name(number: int) -> str:
        return f"tally-{job.seed}-{each}-{versions}-{number}"

    counts: dict[int, Tally] = {}
    for number in range(job.batches):
        stored = store.read(name(number))
        if stored is not None:
            counts[number] = Tally(**stored)
    todo = [(n, (each, job.seed * 1_000_003 + n)) for n in range(job.batches) if n not in counts]
    for number, tally in run_all(executor, count_deals, todo):
        counts[number] = tally
        store.write(name(number), tally._asdict())
        progress(f"{len(counts)} of {job.batches} batches of {each:,} deals")
    return [counts[number] for number in range(job.batches)]


@dataclass(frozen=True)
class EndBoards:
    """Computes the gains at boards near the end: each board is played by a separate job and then stored."""

    executor: Executor | None
    store: "Store"
    job: Job
    strategies: list[str]
    """Digests of the solved strategies in use."""
    played_by: set[str] = field(default_factory=set)
    """Digests of the strategies that have played boards, including stored boards."""

    def gains(
        self, cells: list[Cell], played: DealProbabilities, net: Floats, repeat: int = 0
    ) -> dict[Cell, Floats]:
        """Return gains (SETS, payoffs) at independent boards. net: (1, payoffs, 121, 121) of later boards."""
        seed, pool_deals, deals = self.job.seed, self.job.pool_deals, self.job.end_deals
        gains: dict[Cell, Floats] = {}
        todo = []
        for cell in cells:
            stored = self.store.read(self._store_name(cell, repeat))
            if stored is None:
                points = played.value(cell, net, loser_pays())
                todo.append((cell, ([cell], points, net[0], seed, pool_deals, deals, repeat)))
            else:
                gains[cell] = stored["gain"]
                self.played_by.update(stored["strategies"].tolist())
        for cell, (gain,) in run_all(self.executor, gains_at, todo):
            gains[cell] = gain
            self.played_by.update(self.strategies)
            self.store.write(
                self._store_name(cell, repeat), {"gain": gain, "strategies": np.array(self.strategies)}
            )
        return gains

    def all_gains(self, counts: list[Tally], progress: Callable[[str], None]) -> dict[Cell, Floats]:
        """Return the gains (SETS, payoffs) at every board near the end, computed from the end backwards."""
        whole = add_tallies(counts)
        rough = induct([whole])[0]
        played = DealProbabilities([whole])
        net = np.zeros_like(rough)[None]
        gains: dict[Cell, Floats] = {}
        for cells in diagonals():
            near = [cell for cell in cells if is_near_end(cell, (1 + rough[0][cell]) / 2)]
            if near:
                gains |= self.gains(near, played, net)
                progress(f"boards of {sum(near[0])} points: {len(near)}")
            for cell in cells:
                value = played.value(cell, net, loser_pays())
                net[:, :, cell[0], cell[1]] = value + (gains[cell].mean(axis=0) if cell in gains else 0.0)
        return self._refined(counts, gains, played, net, progress)

    def _refined(
        self,
        counts: list[Tally],
        gains: dict[Cell, Floats],
        played: DealProbabilities,
        net: Floats,
        progress: Callable[[str], None],
    ) -> dict[Cell, Floats]:
        """Return the gains after more deals at boards whose standard error is above MAX_ERROR."""
        refined, times = dict(gains), dict.fromkeys(gains, 1)
        for repeat in range(1, MAX_EXTRA_ROUNDS + 1):
            error = board_arrays(counts, refined)[1]["game_error"].astype(np.float64) / 2
            cells = sorted(cell for cell in gains if error[cell] > MAX_ERROR)
            if not cells:
                break
            for cell, more in self.gains(cells, played, net, repeat).items():
                refined[cell] = (times[cell] * refined[cell] + more) / (times[cell] + 1)
                times[cell] += 1
            progress(f"{len(cells)} boards played again")
        return refined

    def _store_name(self, cell: Cell, repeat: int) -> str:
        dealer, pone = cell
        job = self.job
        return f"board-{job.seed}-{job.end_deals}-{job.pool_deals}-{dealer}-{pone}-{repeat}"


_NO_GAIN = np.zeros(len(PAYOFFS))


def monotonic(net: Floats) -> Floats:
    """(payoffs, 121, 121) board values, [dealer's score, pone's score], changed so that a point never hurts.

    A side with more points can play as if it had fewer. If luck or the limits of play to win contradict this,
    the value becomes the mean of the smallest and the largest consistent values.
    """
    up = np.maximum.accumulate(np.maximum.accumulate(net, axis=1)[:, :, ::-1], axis=2)[:, :, ::-1]
    down = np.minimum.accumulate(np.minimum.accumulate(net[:, ::-1], axis=1)[:, ::-1], axis=2)
    middle: Floats = (up + down) / 2
    return middle


def board_arrays(
    counts: list[Tally], gains: dict[Cell, Floats]
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the summary and arrays of the board values, from counts by batch and gains by board and set."""
    gains = smoothed(gains)
    means = {cell: gain.mean(axis=0) for cell, gain in gains.items()}
    whole = add_tallies(counts)
    net = monotonic(induct([whole], added=lambda cell, _: means.get(cell, _NO_GAIN))[0])
    zeros = np.zeros((SETS, len(PAYOFFS)))
    sets = induct(
        [add_tallies(counts[number::SETS]) for number in range(SETS)],
        added=lambda cell, number: gains.get(cell, zeros)[number],
    )
    error = sets.std(axis=0, ddof=1) / np.sqrt(SETS)
    plain = induct([whole])[0]
    errors, arrays = add_errors(PAYOFFS, net, error, (0, 0))
    summary = {
        **summarise([whole]),
        "first_dealer_wins_by_points": float((1 + plain[0, 0, 0]) / 2),
        **errors,
        "boards_above_0.05_percent": int((error[0] / 2 > 0.0005).sum()),
        "largest_gain": float(max((abs(gain[0]) / 2 for gain in means.values()), default=0.0)),
    }
    return summary, arrays


def add_errors(
    names: Sequence[str], net: Floats, error: Floats, start: Cell
) -> tuple[dict[str, float], dict[str, NDArray[Any]]]:
    """Return figures of the first payoff, and arrays of the values and standard errors of all payoffs."""
    wins = error[0] / 2
    figures = {
        "first_dealer_wins": float((1 + net[0][start]) / 2),
        "first_dealer_error": float(wins[start]),
        "median_error": float(np.median(wins)),
        "largest_error": float(wins.max()),
    }
    arrays: dict[str, NDArray[Any]] = {}
    for name, values, errors in zip(names, net, error, strict=True):
        arrays[name], arrays[f"{name}_error"] = values.astype(np.float32), errors.astype(np.float16)
    return figures, arrays


class Store:
    """Finished parts of a job, stored by name in a folder; without a folder nothing is stored."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def read(self, name: str) -> dict[str, Any] | None:
        """Return the arrays of a part, or None if it is not stored."""
        path = None if self._folder is None else self._folder / f"{name}.npz"
        if path is None or not path.exists():
            return None
        with np.load(path) as stored:
            return {key: stored[key] for key in stored.files}

    def write(self, name: str, arrays: dict[str, Any]) -> None:
        """Store a part; a killed process leaves no incomplete file."""
        if self._folder is not None:
            with whole_file(self._folder / f"{name}.npz") as file:
                np.savez_compressed(file, **arrays)
