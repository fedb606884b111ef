"""The board's induction against plain recursion, its parts near the end against sums, and the job."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fifteentwo.book import board as race
from fifteentwo.book.files import read_tables
from fifteentwo.contest.executor import get_executor
from fifteentwo.fast.deal import DEALER, Tally, empty_tally
from fifteentwo.solver import board, board_ends, induction
from fifteentwo.solver.deal_counts import together

Path_ = tuple[tuple[int, int], ...]
"""A deal as (side, points), side 1 the dealer."""

DEALS: tuple[Path_, ...] = (
    ((1, 2), (0, 3), (1, 1), (0, 8), (1, 12), (1, 4)),
    ((0, 2), (1, 6), (0, 1), (1, 1), (0, 20), (1, 9)),
    ((0, 6), (1, 12), (0, 24), (1, 28)),
    ((1, 1), (0, 2)),
    ((0, 1),),
)


def counted(deals: tuple[Path_, ...]) -> Tally:
    """Point by point, as slowly as it is plain."""
    tally = empty_tally()
    for deal in deals:
        at = [0, 0]
        for side, points in deal:
            for _ in range(points):
                at[side] += 1
                tally.reached[side, at[side], at[1 - side]] += 1
        tally.ended[at[DEALER], at[1 - DEALER]] += 1
    return tally


@cache
def by_recursion(dealer: int, pone: int, payoff: int) -> float:
    """Net games of the dealer, one deal after another."""
    total = 0.0
    for deal in DEALS:
        at = [pone, dealer]
        for side, points in deal:
            at[side] += points
            if at[side] >= 121:
                loser = at[1 - side]
                pays = 1 if payoff == 0 else 4 if payoff == 2 and loser < 61 else 2 if loser < 91 else 1
                total += pays if side else -pays
                break
        else:
            total -= by_recursion(at[0], at[1], payoff)
    return total / len(DEALS)


def test_r14_the_board_is_what_deals_played_out_one_after_another_give() -> None:
    net = induction.induct([counted(DEALS)])[0]
    for dealer, pone in (
        (120, 120),
        (119, 120),
        (120, 113),
        (100, 97),
        (90, 91),
        (61, 118),
        (121 - 57, 30),
        (59, 60),
    ):
        for payoff in range(3):
            assert net[payoff, dealer, pone] == pytest.approx(by_recursion(dealer, pone, payoff), abs=1e-12)


def test_sets_of_deals_side_by_side_do_not_touch() -> None:
    one, other = counted(DEALS[:3]), counted(DEALS[2:])
    both = induction.induct([one, other])
    assert both[0] == pytest.approx(induction.induct([one])[0], abs=1e-12)
    assert both[1] == pytest.approx(induction.induct([other])[0], abs=1e-12)
    assert not np.allclose(both[0], both[1])


def test_what_is_added_at_a_board_reaches_those_before_it() -> None:
    plain = induction.induct([counted(DEALS)])[0]
    more = induction.induct(
        [counted(DEALS)], added=lambda cell, _: np.full(3, 0.1) if cell == (119, 118) else np.zeros(3)
    )[0]
    assert more[:, 119, 118] == pytest.approx(plain[:, 119, 118] + 0.1)
    # ((0, 1),) leads there from 118–118, and nothing else does: the pone deals next, at 119.
    assert more[0, 118, 118] == pytest.approx(plain[0, 118, 118] - 0.1 / len(DEALS))
    assert (more[:, 120] == plain[:, 120]).all()


def test_r18_r20_what_a_loser_pays() -> None:
    _, skunk, double = induction.loser_pays()
    assert [skunk[s] for s in (60, 61, 90, 91)] == [2, 2, 2, 1]
    assert [double[s] for s in (60, 61, 90, 91)] == [4, 2, 2, 1]


def test_smoothing_leaves_a_slope_as_it_is_and_evens_out_noise() -> None:
    cells = [(d, p) for d in range(90, 121) for p in range(90, 121)]
    slope = {cell: np.array([[0.01 * cell[0] - 0.02 * cell[1]]]) for cell in cells}
    evened = board.smoothed(slope)
    assert all(evened[cell] == pytest.approx(slope[cell]) for cell in cells)
    chance = np.random.default_rng(2)
    noise = {cell: chance.normal(size=(1, 1)) for cell in cells}
    evened = board.smoothed(noise)
    middle = [evened[d, p][0, 0] for d in range(94, 108) for p in range(94, 108)]
    assert np.std(middle) < 0.4
    assert all(evened[cell] is noise[cell] for cell in cells if max(cell) > board.SMOOTH)


def spread() -> board_ends.Spread:
    chance = np.random.default_rng(4)

    def some(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        found = chance.random(shape)
        return np.asarray(found / found.sum())

    rest = np.zeros((9, 40, 32))
    for laid in range(8):
        rest[laid, :10, :8] = some(10, 8)
    rest[8, 0, 0] = 1
    return board_ends.Spread(rest, np.stack([some(30), some(30)]), some(30), some(60))


def after_play(
    win: np.ndarray[tuple[int, ...], np.dtype[np.float64]], points: board_ends.Spread
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return race.after_play_chances(win, points.hands[0], points.crib, points.dealer_show)


def test_r78_after_the_play_pone_counts_then_dealer_then_the_crib() -> None:
    points = spread()
    win = np.random.default_rng(5).random((121, 121))
    after = after_play(win, points)
    for own, other in ((110, 100), (120, 119), (125, 90), (90, 118)):
        # Pone's own hand is in `own`; the dealer's hand and crib come together.
        expected = (
            1.0
            if own >= 121
            else sum(
                share * win[own, other + shown]
                for shown, share in enumerate(points.dealer_show)
                if other + shown < 121
            )
        )
        assert after[0, own, other] == pytest.approx(expected)
        expected = 0.0
        for hand, share in enumerate(points.hands[0]):
            if other + hand >= 121:
                continue
            for crib, weight in enumerate(points.crib):
                stands = own + crib
                expected += share * weight * (1.0 if stands >= 121 else 1 - win[other + hand, stands])
        assert after[1, own, other] == pytest.approx(expected)


def test_before_the_play_pegging_out_ends_it() -> None:
    points = spread()
    after = after_play(np.full((121, 121), 0.5), points)
    play = points.rest[0]
    sure_for_pone = board_ends.before_play(after, points, (60, 120))[0, 29, 4]
    # At 120 the pone wins by any point of the play, and by any hand.
    assert sure_for_pone == pytest.approx(1.0)
    none = board_ends.before_play(after, points, (60, 120))[0, 0, 4]
    pegs = float(play[:, 1:].sum())
    assert pegs < none < 1


def test_tables_during_the_play_end_where_the_show_begins() -> None:
    points = spread()
    after = after_play(np.random.default_rng(6).random((121, 121)), points)
    tables, outs = board_ends.during_play(after, points)
    assert tables[:, 8] == pytest.approx(after, abs=1e-6)
    assert outs[:, 8, 1:].max() == 0
    assert (outs[:, :, 0] == 1).all()
    assert ((tables >= 0) & (tables <= 1 + 1e-6)).all()


def test_boards_near_the_end_only_are_played_again() -> None:
    assert board.in_reach((118, 60), 0.9)
    assert not board.in_reach((95, 95), 0.5)
    assert not board.in_reach((118, 20), 0.999)


# ── What ships ───────────────────────────────────────────────────────────────────────────────────────────


def test_the_shipped_board_rises_with_own_points_and_falls_with_the_others() -> None:
    win = (1 + race.board().game.astype(np.float64)) / 2
    worse_for_own, better_for_other = -np.diff(win, axis=0), np.diff(win, axis=1)
    assert max(worse_for_own.max(), better_for_other.max()) < 1e-6


def test_evening_mends_what_hurts_and_leaves_the_rest() -> None:
    even = np.add.outer(np.arange(5.0), -np.arange(6.0))[None]
    assert (board.evened(even) == even).all()
    rough = even.copy()
    rough[0, 2, 3] = 5
    mended = board.evened(rough)
    assert (np.diff(mended, axis=1) >= 0).all()
    assert (np.diff(mended, axis=2) <= 0).all()
    assert (mended[0, :2, 4:] == even[0, :2, 4:]).all()


def test_no_payoff_exceeds_what_a_loser_can_pay() -> None:
    table = race.board()
    for games, payoff in ((1, table.game), (2, table.skunk), (4, table.double)):
        assert abs(payoff).max() <= games + 1e-6


def test_the_shipped_board_is_what_its_provenance_says() -> None:
    about = race.provenance()
    assert about["summary"]["first_dealer_wins"] == pytest.approx(
        race.win_chance(0, 0, dealer=True), abs=1e-6
    )
    assert about["summary"]["largest_error"] == pytest.approx(race.board().game_error.max() / 2, rel=1e-3)
    assert about["deals"] >= 4_000_000


def test_first_dealers_advantage_is_the_known_one() -> None:
    # 55.5 % over one site's games, 56 % by hand; independent histograms give 54.6 %.
    assert 0.553 < race.win_chance(0, 0, dealer=True) < 0.570


@pytest.mark.slow
def test_a_job_killed_and_begun_again_gives_the_same_board(tmp_path: Path) -> None:
    said: list[str] = []

    def go(out: str) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
        job = board.Job(20_000, 9, end_deals=0, pool_deals=2_000, batches=40)
        board.run(job, 2, tmp_path / "checkpoint", out=tmp_path / out, say=said.append)
        return dict(read_tables(tmp_path / out).arrays)

    whole = go("one.table")
    for path in sorted((tmp_path / "checkpoint").glob("tally-*.npz"))[::3]:
        path.unlink()
    said.clear()
    again = go("two.table")
    assert len(said) == 14
    for name, array in whole.items():
        assert (array == again[name]).all()


@pytest.mark.slow
def test_what_winning_play_adds_is_the_same_whoever_reckons_it() -> None:
    net = np.stack([race.board().game, race.board().skunk, race.board().double]).astype(np.float64)
    cells = [(118, 119), (105, 105)]
    points = np.stack([net[:, dealer, pone] for dealer, pone in cells])
    both = board.gains_at(cells, points, net, 3, 2_000, 300)
    alone = board.gains_at(cells[1:], points[1:], net, 3, 2_000, 300)
    assert both.shape == (2, board.SETS, 3)
    assert (both[1] == alone[0]).all()


@pytest.mark.slow
def test_boards_near_the_end_are_stored_one_by_one_and_not_played_again(tmp_path: Path) -> None:
    shipped = race.board()
    net = np.stack([shipped.game, shipped.skunk, shipped.double]).astype(np.float64)[None]
    played = induction.Deals([counted(DEALS)])
    cells = [(118, 119), (119, 118)]

    def gains(folder: Path | None, strategies: list[str]) -> tuple[dict[induction.Cell, Any], set[str]]:
        with get_executor(1) as executor:
            job = board.Job(seed=3, end_deals=300, pool_deals=2_000)
            boards = board.EndBoards(executor, board.Store(folder), job, strategies)
            return boards.gains(cells, played, net), boards.played_by

    whole, by = gains(tmp_path, ["one"])
    assert by == {"one"}
    assert len(list(tmp_path.glob("board-*.npz"))) == 2
    next(iter(sorted(tmp_path.glob("board-*.npz")))).unlink()
    again, by = gains(tmp_path, ["two"])
    assert by == {"one", "two"}
    plain, _ = gains(None, ["three"])
    for cell in cells:
        assert (whole[cell] == again[cell]).all()
        assert (whole[cell] == plain[cell]).all()


def test_batches_must_make_forty_sets() -> None:
    with pytest.raises(ValueError, match="do not make 40 sets"):
        board.run(board.Job(100, batches=12))


def test_together_counts_every_deal_once() -> None:
    assert together([counted(DEALS[:2]), counted(DEALS[2:])]).deals == len(DEALS)
