"""What a responder over whole five-card games gains from 3–0, in win chance.

    fifteentwo solve report --whole-game

The side it meets discards by the score and pegs by the table, near enough to `expert`, which looks at its
exact score, and near the end at a board that is played to win. A lower bound on what that can be exploited
by: the responder is real, and another may gain more.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.deal import empty_tally, scores_after
from fifteentwo.fast.deal_kernels import HAND, KIND, POINTS_AT
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.solver.board.induction import Deals
from fifteentwo.solver.five_card.chances import FIRST_SCORES, KERNELS, Solution, played, with_starter
from fifteentwo.solver.five_card.discards import mixed
from fifteentwo.solver.five_card.pegging import DEALER, PONE, Cells, FiveCardPegging
from fifteentwo.solver.five_card.responder import WEIGHTS, Way, WinDiscards, best_pegging, win_discards
from fifteentwo.solver.five_card.responder import played as with_way
from fifteentwo.strategy.board import FIVE_CARD_NAME, TARGET, five_card_board, provenance
from fifteentwo.strategy.files import data_file, read_tables
from fifteentwo.strategy.five_card import FILE

Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Events = npt.NDArray[np.int16]

LAST = 61
AHEAD = TARGET - LAST
"""Kernels score games to 121: a five-card game begins so many points ahead."""
SHOWS = np.array([2, 4, 6, 8, 10, 13])
"""Where the bins of the own hand's points begin, but for the first."""
BINS = len(SHOWS) + 1
EVEN = 200
"""So many deals of all bins together count in the choice for one."""
ZONES = (0, 20, 30, 40, 45, 50, 55, 61)
"""Where the gains are, by the higher of both scores."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class Job:
    """What is measured from; the same job gives the same figures."""

    deals: int = 20_000
    """On which the ways to peg are compared, with each rank of the starter and for each role."""
    games: int = 1_000_000
    """That the responder plays, half of them as first dealer."""
    seed: int = 7


class Responder(NamedTuple):
    """All that the responder and the side it meets play by."""

    solution: Solution
    cells: list[Cells]
    """The table's, by starter, in whole sevenths: 26 MB each."""
    ways: list[list[list[Way]]]
    """By starter, role and weight."""
    discards: WinDiscards
    way: npt.NDArray[np.int8]
    """(2, 61, 61, BINS) 0 for the table's pegging, else a weight's, by role, own and other's score, show."""


def own_show(events: Events, side: int) -> Ints:
    """(n,) the bin of a side's hand, which it knows before pegging: its cards and the starter."""
    each = events.astype(np.int64)
    hands = ((each >> KIND & 7) == HAND) & ((each & 1) == side)
    points = np.where(hands, each >> POINTS_AT & 63, 0).sum(axis=1)
    return np.asarray(np.searchsorted(SHOWS, points, side="right"))


def in_sevenths(cells: Cells) -> Cells:
    """Return cells of the table in a quarter of the memory."""
    rest: Any = np.rint(cells.rest).astype(np.uint8)
    return Cells(cells.lead, cells.reply, rest)


def respond(job: Job, progress: Say) -> Responder:
    """Make the responder: three core-minutes, 2 GB."""
    solution = Solution()
    ranges = solution.ranges()
    cells, ways = [], []
    tallies = [[[empty_tally() for _ in range(BINS)] for _ in (None, *WEIGHTS)] for _ in (PONE, DEALER)]
    for starter in range(13):
        chance = np.random.default_rng([job.seed, starter])
        table, game = solution.cells(starter), FiveCardPegging(starter, threads=1)
        best = [[best_pegging(game, side, one, ranges, table) for one in WEIGHTS] for side in (PONE, DEALER)]
        dealt, draws = with_starter(job.deals, starter, chance), chance.random((job.deals, 6))
        options = np.full((job.deals, 2), -1, np.int8)
        for side in (PONE, DEALER):
            for number, way in enumerate((None, *best[side])):
                now = table if way is None else with_way(table, side, way)
                events, _ = played(dealt, options, solution.strategies(now), chance, draws)
                bins = own_show(events, side)
                for one in range(BINS):
                    kernels = compiled("fifteentwo.fast.deal_kernels")
                    kernels.tally(np.ascontiguousarray(events[bins == one]), tallies[side][number][one])
        cells.append(in_sevenths(table))
        ways.append(best)
        progress(f"best pegging with {starter + 1} of 13 starters")
    progress("Discards by the chance of winning …")
    chosen = np.stack([_ways(tallies[side], side, 13 * job.deals) for side in (PONE, DEALER)])
    pone, dealer = (mixed(each.total) for each in solution.discards)
    return Responder(solution, cells, ways, win_discards((pone, dealer)), chosen)


def _ways(tallies: list[list[Any]], side: int, number: int) -> npt.NDArray[np.int8]:
    """(61, 61, BINS) the best way to peg, by own and other's score and own show."""
    deals = Deals([one for way in tallies for one in way], number)
    net = five_card_board().game_by_points.astype(np.float64)
    behind, paid = np.broadcast_to(net, (len(deals.ended), 1, LAST, LAST)), np.ones((1, LAST))
    best = np.zeros((LAST, LAST, BINS), np.int8)
    for dealer in range(LAST):
        for pone in range(LAST):
            values = deals.value((dealer, pone), behind, paid).reshape(-1, BINS)
            hoped = (1 if side == DEALER else -1) * values
            chosen = (hoped + EVEN / number * hoped.sum(axis=1, keepdims=True)).argmax(axis=0)
            best[(dealer, pone) if side == DEALER else (pone, dealer)] = chosen
    return best


class Results(NamedTuple):
    """What the responder makes of games."""

    plain: Doubles
    """(n,) 1 a game won, -1 one lost."""
    gained: Doubles
    """(n, zones) net games over what the same cards lead to, played by the table, by the board that ships."""
    first: Ints
    """(n,) whether the responder was PONE or DEALER in the first deal."""


def play_games(
    responder: Responder, number: int, chance: np.random.Generator, *, to_win: bool = True
) -> Results:
    """Play games, every other one with the responder as first dealer.

    to_win: against discards by the score; else these discards, with the table's pegging, are the responder's
    own, and the table is met. The same cards played by the table on both sides are the control variate.
    """
    first = np.arange(number) % 2
    scores = np.where(first[:, None] == DEALER, FIRST_SCORES, FIRST_SCORES[::-1]).astype(np.int64)
    gained = np.zeros((number, len(ZONES) - 1))
    going, deal = np.arange(number), 0
    while len(going):
        side = (first[going] + deal) % 2
        dealt, draws = random_deals(len(going), 11, chance), chance.random((len(going), 6))
        zone = np.searchsorted(ZONES, scores[going].max(axis=1), side="right") - 1
        own, table = _played(responder, dealt, draws, side, scores[going], to_win=to_win)
        gained[going, zone] += _net(own, 1 - side) - _net(table, 1 - side)
        scores[going] = own
        going = going[(own < LAST).all(axis=1)]
        deal += 1
    return Results(np.where(scores[:, 0] >= LAST, 1.0, -1.0), gained, first)


def _played(
    responder: Responder, dealt: Any, draws: Doubles, side: Ints, scores: Ints, *, to_win: bool
) -> tuple[Ints, Ints]:
    """Scores (responder's, other's) after a deal as they play, and with the same cards as the table does."""
    after = np.zeros_like(scores), np.zeros_like(scores)
    options = np.full((len(dealt), 2), -1, np.int8)
    usual = options.copy()
    index, discards = responder.solution.index, responder.discards
    other = (discards.by_score, 1 - side, scores[:, ::-1])
    own = (discards.choices, side, scores) if to_win else (discards.by_score, side, scores)
    for choices, seat, boards in (own, other) if to_win else (own,):
        for role in (PONE, DEALER):
            rows = np.flatnonzero(seat == role)
            which, chosen = discards.at[role][tuple(boards[rows].T)], options[rows]
            compiled(KERNELS).choose(dealt[rows], role, choices, which, index, chosen)
            options[rows] = chosen
    for starter in range(13):
        for role in (PONE, DEALER):
            rows = np.flatnonzero((side == role) & (dealt[:, 10] >> 2 == starter))
            args = dealt[rows], responder, starter, role, draws[rows]
            events, table = (_events(*args, each[rows]) for each in (options, usual))
            ways = responder.way[role][(*scores[rows].T, own_show(events, role))] * to_win
            for way in np.unique(ways[ways > 0]).tolist():
                part = np.flatnonzero(ways == way)
                again = dealt[rows[part]], responder, starter, role, draws[rows[part]], options[rows[part]]
                events[part] = _events(*again, way)
            dealer = 0 if role == DEALER else 1
            for made, all_events in zip(after, (events, table), strict=True):
                made[rows] = scores_after(scores[rows] + AHEAD, all_events, dealer) - AHEAD
    return after


def _events(
    dealt: Any, responder: Responder, starter: int, role: int, draws: Doubles, options: Any, way: int = 0
) -> Events:
    """Events of deals with a starter; way: the responder's to peg in this role, 0 for the table's."""
    cells = responder.cells[starter]
    if way:
        cells = with_way(cells, role, responder.ways[starter][role][way - 1])
    strategies = responder.solution.strategies(cells)
    return played(dealt, options, strategies, np.random.default_rng(0), draws)[0]


def _net(scores: Ints, side: Ints) -> Doubles:
    """(n,) net games at scores (own, other's) by the board that ships; side: one's own in the next deal."""
    net = five_card_board().game_by_points.astype(np.float64)
    own, other = np.minimum(scores, LAST - 1).T
    value = np.where(side == DEALER, net[own, other], -net[other, own])
    return np.where((scores < LAST).all(axis=1), value, np.where(scores[:, 0] >= LAST, 1.0, -1.0))


def run(job: Job | None = None, progress: Say = print) -> dict[str, Any]:
    """Make the responder and play its games."""
    job = job or Job()
    began = time.process_time()
    progress("Five-card cribbage: best responses in pegging …")
    responder = respond(job, progress)
    progress("Playing games …")
    results, by_score = (
        play_games(responder, job.games, np.random.default_rng([job.seed, stream]), to_win=to_win)
        for stream, to_win in ((99, True), (98, False))
    )
    over = {name: figures(by_score)[name] for name in ("gain", "standard_error")}
    spent = {"core_seconds": round(time.process_time() - began)}
    return {**figures(results), "over_points": over, **asdict(job), **spent, "digests": digests()}


def digests() -> dict[str, str]:
    """Digests of the table, and of the board that the discards and the responder are made from."""
    table = read_tables(data_file(FILE)).about
    return {FILE: table["digest"], FIVE_CARD_NAME: provenance(FIVE_CARD_NAME)["digest"]}


def figures(results: Results) -> dict[str, Any]:
    """The gain over 50 %, mean of both first roles, and where it is made; in win chance."""
    gained = results.gained.sum(axis=1) / 2
    plain = results.plain / 2
    by_first = {name: results.first == side for side, name in ((PONE, "pone"), (DEALER, "dealer"))}
    return {
        "gain": float(gained.mean()),
        "standard_error": float(gained.std(ddof=1) / len(gained) ** 0.5),
        "without_control_variates": float(plain.mean()),
        "error_without": float(plain.std(ddof=1) / len(plain) ** 0.5),
        "wins": {name: float(0.5 + plain[rows].mean()) for name, rows in by_first.items()},
        "by_highest_score": {
            f"{low}-{high - 1}": float(part / 2)
            for (low, high), part in zip(pairwise(ZONES), results.gained.mean(axis=0), strict=True)
        },
    }
