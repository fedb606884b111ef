"""A responder's choice at every board against plain recursion; its games; what is printed of it."""

import importlib.util
from functools import cache
from typing import Any

import numpy as np
import pytest

from fifteentwo.analysis import win
from fifteentwo.analysis.discards.by_score import discard_by_score
from fifteentwo.analysis.discards.shows import WAYS
from fifteentwo.fast.deal import DEALER, PONE, Played, Tally, add, empty_tally
from fifteentwo.fast.deal_kernels import MOST_EVENTS
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.library.position import Position
from fifteentwo.rules.cards import DECK
from fifteentwo.solver.board.deal_counts import strategies
from fifteentwo.solver.board.induction import Deals
from fifteentwo.solver.checks import report
from fifteentwo.solver.discards.discard_book import ROLES
from fifteentwo.solver.whole_game import games, measure, policy, responder, trials
from fifteentwo.solver.whole_game.policy import DECIDED, Policy, for_points
from fifteentwo.solver.whole_game.responder import Way
from fifteentwo.solver.whole_game.trials import BINS, USUAL, Plan, Trial
from fifteentwo.strategy import pegging_by_score
from fifteentwo.strategy.board import TARGET

HAND = 3
Pegs = tuple[tuple[int, int], ...]
"""(side, points) of a deal in order."""
USUAL_DEALS: tuple[Pegs, ...] = (((DEALER, 12), (PONE, 9), (DEALER, 8)), ((PONE, 14), (DEALER, 15)))
BETTER: dict[int, tuple[Pegs, ...]] = {
    PONE: (((DEALER, 12), (PONE, 12), (DEALER, 8)), ((PONE, 11), (DEALER, 7))),
    DEALER: (((DEALER, 26), (PONE, 20)), ((PONE, 10), (DEALER, 16))),
}
"""What another way to peg makes of the same two deals."""


def played(deals: tuple[Pegs, ...]) -> Played:
    events = np.zeros((len(deals), MOST_EVENTS), np.int16)
    for row, pegs in enumerate(deals):
        events[row, : len(pegs)] = [points << 4 | HAND << 1 | side for side, points in pegs]
    none = np.zeros((len(deals), 2), np.int16)
    return Played(events, none, np.zeros((len(deals), 8), np.uint8), none.astype(np.int8))


def tally(deals: tuple[Pegs, ...]) -> Tally:
    counted = empty_tally()
    add(counted, played(deals))
    return counted


def trial_of(ways: tuple[tuple[Pegs, ...], ...]) -> Trial:
    """Both deals of every way, the first in bin 2, the second in bin 5."""
    sets = []
    for deals in ways:
        for one in range(BINS):
            shown = deals[:1] if one == 2 else deals[1:] if one == 5 else ()
            sets.append(tally(shown))
    counted = Deals(sets, 2)
    return Trial(len(ways), (counted, counted), Deals([tally(USUAL_DEALS)] * 2), 2)


def planned_on(tried: list[Trial]) -> Plan:
    """The plan where one cell stands for every board; tried: the pone's only trial and the dealer's."""
    everywhere = for_points()._replace(cells=((0, 0),), of=np.zeros((TARGET, TARGET), np.int16))
    usual = Deals([tally(USUAL_DEALS)])
    return trials.plan(everywhere, [([tried[PONE]], [tried[DEALER]])], [usual, usual])


@cache
def net_games(side: int, dealer: int, pone: int) -> float:
    """The responder's net games at a board by plain recursion, its best way for each of the two deals."""
    total = 0.0
    for one, other in zip(USUAL_DEALS, BETTER[side], strict=True):
        total += max(after(side, dealer, pone, one), after(side, dealer, pone, other)) / 2
    return total


def after(side: int, dealer: int, pone: int, pegs: Pegs) -> float:
    scores = {DEALER: dealer, PONE: pone}
    for who, points in pegs:
        scores[who] += points
        if scores[who] >= TARGET:
            return 1.0 if who == side else -1.0
    return net_games(1 - side, scores[PONE], scores[DEALER])


def test_the_best_way_is_chosen_at_every_board_for_every_show(monkeypatch: pytest.MonkeyPatch) -> None:
    # Each deal for itself: what it brings on the whole does not count.
    monkeypatch.setattr(trials, "EVEN", 0)
    monkeypatch.setattr(trials, "SURE", 2)
    tried = [trial_of((USUAL_DEALS, BETTER[side])) for side in (PONE, DEALER)]
    found = planned_on(tried)
    ways = set()
    for dealer, pone in ((120, 120), (118, 101), (100, 113), (97, 95), (93, 108), (60, 71), (0, 0)):
        assert found.net[DEALER, dealer, pone] == pytest.approx(net_games(DEALER, dealer, pone))
        assert found.net[PONE, dealer, pone] == pytest.approx(-net_games(PONE, dealer, pone))
        ways |= {tuple(found.way[side, dealer, pone, [2, 5]]) for side in (PONE, DEALER)}
    # The choice is no foregone one.
    assert len(ways) >= 3


def test_a_responder_without_other_ways_gains_nothing() -> None:
    tried = [trial_of((USUAL_DEALS,)) for _ in (PONE, DEALER)]
    found = planned_on(tried)
    assert (found.net == found.usual).all()
    assert (found.net[PONE] == found.net[DEALER]).all()
    assert (found.aim == USUAL).all()


def test_shows_fall_into_their_bins() -> None:
    shows = played((((PONE, 2), (DEALER, 4)), ((PONE, 3), (DEALER, 17)), ((DEALER, 29),))).events
    assert trials.own_show(shows, PONE).tolist() == [0, 1, 0]
    assert trials.own_show(shows, DEALER).tolist() == [1, BINS - 1, BINS - 1]


@cache
def by_what_ships() -> Plan:
    """A plan that chooses nothing, its values those of deals that were counted."""
    cells = np.full(400, DECIDED, np.int16)
    dealt = trials.deal(for_points(), cells, np.random.default_rng(3))
    usual = trials.usual_play(for_points(), DECIDED, dealt)
    return trials.plan(for_points(), [], [usual])


@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="a minute without numba")
def test_luck_is_taken_off_wholly_where_the_responder_plays_by_the_policy() -> None:
    planned = by_what_ships()
    for first, sign in ((DEALER, 1), (PONE, -1)):
        against = games.Against(for_points(), [], planned)
        results = games.play_games(200, against, first, np.random.default_rng(4))
        assert set(results.plain) == {-1.0, 1.0}
        assert results.adjusted == pytest.approx(np.full(200, sign * planned.usual[first, 0, 0]))
        assert not results.gained.any()


def test_the_nearest_board_of_the_grid_stands_for_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "discards_by_ranks", lambda board, *_, **__: board)
    found = policy.by_score(lambda _: None, (20, 100, 112, 118))
    for dealer, pone, cell in ((95, 100, (100, 100)), (107, 104, (112, 100)), (120, 113, (118, 112))):
        assert found.cells[found.of[dealer, pone]] == cell
    values: Any = found.values[found.cells.index((112, 100))]
    assert values == ((100, 112), (112, 100))
    around = [found.cells[one] for one in found.around(found.cells.index((112, 112)))]
    assert sorted(around) == [(100, 112), (112, 100), (112, 118), (118, 112)]
    # The pone cannot lose any more, but for one game of a hundred.
    assert found.of[10, 119] == DECIDED
    assert (20, 118) not in found.cells


def test_pegging_in_bulk_is_by_the_book_of_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every board, since that is what `expert` plays by; and all books are used."""
    monkeypatch.setattr(policy, "discards_by_ranks", lambda board, *_, **__: board)
    found = policy.by_score(lambda _: None)
    by_board = np.vectorize(pegging_by_score.number_at)(*np.indices((TARGET, TARGET)))
    assert np.array_equal(found.pegging[found.of], by_board)
    assert set(found.pegging) == set(range(len(found.books)))


@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="a minute without numba")
def test_deals_of_several_boards_are_played_each_by_its_book() -> None:
    books = pegging_by_score.books()[:2]
    empty, pegging = (None, None), np.array([0, 1, 0])
    two = for_points()._replace(books=books, cells=((0, 0), (1, 1)), pegging=pegging, values=empty)
    cells = np.array([0, 1] * 200, np.int16)
    dealt = trials.deal(two, cells, np.random.default_rng(5))
    events = trials.pegged_by(two, dealt, cells)
    for number in (0, 1):
        alone = trials.pegged(dealt, Way(two.with_book(number).policies(0))).events
        assert np.array_equal(events[number::2], alone[number::2])
        assert not np.array_equal(events[1 - number :: 2], alone[1 - number :: 2])


@pytest.mark.long
@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="an hour without numba")
def test_a_sided_book_has_one_sides_cards_from_another_book() -> None:
    """Lead and reply are of the sides they belong to, and deals go as both books say."""
    net, other = pegging_by_score.books()[:2]
    pone, dealer = (found[1] for found in responder.sided((net, other)))
    leads = 13 * 455
    for top, lead, reply in ((pone[4], other, net), (dealer[4], net, other)):
        assert bytes(top[:leads]) == lead.top[:leads]
        assert bytes(top[leads:]) == reply.top[leads:]


@cache
def by_score_at_90() -> Policy:
    return policy.by_score(lambda _: None, (90,))


@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="slow without numba")
@pytest.mark.parametrize("side", [PONE, DEALER])
def test_discards_by_the_score_are_near_those_of_expert(side: int) -> None:
    """At a board of the grid: the same pair in nine of ten deals, and the others lose little."""
    number = 40
    found, cards = by_score_at_90(), random_deals(number, 13, np.random.default_rng(2))
    options = strategies().discard(cards, np.random.default_rng(3))
    usual = options.copy()
    found.discard(cards, np.zeros(number, np.int16), options)
    six, same, losses = np.sort(cards[:, 6 * side : 6 * side + 6], axis=1), 0, []
    for row in range(number):
        hand = [DECK[card] for card in six[row].tolist()]
        view = Position(f"90-90 {ROLES[side]} {''.join(map(str, hand))}").view()
        own, theirs = ([hand[n] for n in divmod(int(one[row, side]), 6)] for one in (options, usual))
        expert = discard_by_score(view, tuple(theirs))
        same += {*own} == {*expert}
        by_way = win.chances(hand, dealer=side == DEALER, board=(90, 90))
        losses.append(by_way.max() - by_way[WAYS.index(divmod(int(options[row, side]), 6))])
    assert same >= 0.9 * number
    assert (options[:, side] != usual[:, side]).any()
    assert np.mean(losses) < 0.002


def test_figures_are_means_of_both_first_roles() -> None:
    planned = by_what_ships()
    gained = np.zeros((TARGET, TARGET))
    gained[0, 0], gained[118, 3] = 8.0, 2.0
    one = games.Results(np.array([1.0, -1.0]), np.array([0.1, -0.3]), gained)
    other = games.Results(np.array([1.0, 1.0]), np.array([0.3, 0.3]), gained)
    figures = measure.figures([one, other], planned)
    assert figures["gain"] == pytest.approx((-0.1 + 0.3) / 4)
    assert figures["standard_error"] == pytest.approx(0.2 / 4)
    assert figures["wins"] == pytest.approx({"pone": 0.45, "dealer": 0.65})
    assert figures["without_control_variates"] == pytest.approx(0.25)
    zones = figures["by_highest_score"]
    assert zones["0-59"] == pytest.approx(16 / 8)
    assert zones["113-120"] == pytest.approx(4 / 8)
    assert sum(zones.values()) == pytest.approx(20 / 8)


def test_the_report_says_what_the_figure_was_measured_on() -> None:
    found = report.run()
    figures = found[report.WHOLE_GAME]
    assert figures["digests"] == found["digests"]
    assert figures["standard_error"] < 0.001
