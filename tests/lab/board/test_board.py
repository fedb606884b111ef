"""The board's induction against plain recursion, its parts near the end against sums, and the job."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fifteentwo.analysis.win.model import value_after
from fifteentwo.contest.executor import get_executor
from fifteentwo.strategy import board as race
from fifteentwo.strategy.files import read_tables
from lab.board import board, board_ends, induction
from lab.board.deal import DEALER, Tally, empty_tally
from lab.board.deal_choices import PEG_TO_WIN
from lab.board.deal_counts import add_tallies

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


def test_r14_the_board_equals_games_played_out_deal_by_deal() -> None:
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


def test_sets_of_deals_are_independent() -> None:
    one, other = counted(DEALS[:3]), counted(DEALS[2:])
    both = induction.induct([one, other])
    assert both[0] == pytest.approx(induction.induct([one])[0], abs=1e-12)
    assert both[1] == pytest.approx(induction.induct([other])[0], abs=1e-12)
    assert not np.allclose(both[0], both[1])


def test_a_gain_at_a_board_changes_earlier_boards() -> None:
    plain = induction.induct([counted(DEALS)])[0]
    more = induction.induct(
        [counted(DEALS)], added=lambda cell, _: np.full(3, 0.1) if cell == (119, 118) else np.zeros(3)
    )[0]
    assert more[:, 119, 118] == pytest.approx(plain[:, 119, 118] + 0.1)
    # ((0, 1),) leads there from 118–118, and nothing else does: the pone deals next, at 119.
    assert more[0, 118, 118] == pytest.approx(plain[0, 118, 118] - 0.1 / len(DEALS))
    assert (more[:, 120] == plain[:, 120]).all()


def test_r18_r20_losers_pay_for_skunks() -> None:
    _, skunk, double = induction.loser_pays()
    assert [skunk[s] for s in (60, 61, 90, 91)] == [2, 2, 2, 1]
    assert [double[s] for s in (60, 61, 90, 91)] == [4, 2, 2, 1]


def test_smoothing_reduces_noise_but_not_a_slope() -> None:
    cells = [(d, p) for d in range(90, 121) for p in range(90, 121)]
    slope = {cell: np.array([[0.01 * cell[0] - 0.02 * cell[1]]]) for cell in cells}
    evened = board.smoothed(slope)
    assert all(evened[cell] == pytest.approx(slope[cell]) for cell in cells)
    chance = np.random.default_rng(2)
    noise = {cell: chance.normal(size=(1, 1)) for cell in cells}
    evened = board.smoothed(noise)
    middle = [evened[d, p][0, 0] for d in range(94, 108) for p in range(94, 108)]
    assert np.std(middle) < 0.4
    assert all(evened[cell] is noise[cell] for cell in cells if max(cell) > board.MAX_SMOOTHED_SCORE)


def test_aims_use_the_values_of_later_boards() -> None:
    """A later board changes the choice; an earlier board does not."""
    net = race.board().game.astype(np.float64)
    cell = (117, 116)
    discard_values = board_ends.plans_at(cell, (1, 1), net)[1].discard_values
    assert discard_values is not None
    before, behind = net.copy(), net.copy()
    before[:116] = 0.9
    behind[118:] = 0.9
    for changed, same in ((before, True), (behind, False)):
        again = board_ends.plans_at(cell, (1, 1), changed)[1].discard_values
        assert again is not None
        assert np.allclose(discard_values.by_ranks, again.by_ranks, atol=1e-3) == same


def test_the_way_decides_who_discards_and_pegs_to_win() -> None:
    net = race.board().game.astype(np.float64)
    for ways in ((0, 3), (1, 2)):
        for plan, way in zip(board_ends.plans_at((118, 117), ways, net), ways, strict=True):
            discards, plays = board_ends.PLAY_STYLES[way]
            assert (plan.discard_values is not None) == discards
            assert (plan.policy.play_aim == PEG_TO_WIN) == plays


@pytest.mark.parametrize("dealer", [True, False])
def test_in_pegging_more_points_are_better_and_the_game_hole_is_the_end(dealer: bool) -> None:
    over = value_after(race.board().game.astype(np.float64), np.ones(121), dealt=dealer)
    values = board_ends.pegging_values((114, 112), over, dealer=dealer)
    assert (values[:, :, 7:, :9] == 1).all()
    assert (values[:, :, :7, 9:] == -1).all()
    assert (np.diff(values[:, :, :7, :9], axis=2) > -2e-3).all()
    assert (np.diff(values[:, :, :8, :9], axis=3) < 2e-3).all()
    assert (np.diff(values[:, :, 0, 0], axis=1) > -1e-3).all()


def test_deals_are_played_again_with_the_same_cards_and_luck() -> None:
    pool = board_ends.Pool.deal_and_play(60, np.random.SeedSequence(3))
    as_before = board_ends.plans_at((0, 0), (0, 0), np.zeros((121, 121)))
    for part in (pool, pool.deals_between(7, 31)):
        again = part.replay((0, 0), as_before)
        assert (again.events == part.played.events).all()
    assert (pool.deals_between(7, 31).deals_between(3, 9).dealt == pool.dealt[10:16]).all()


def test_play_to_win_gains_for_either_side() -> None:
    """On the same deals, with the other side's solved strategy."""
    net = np.stack([race.board().game]).astype(np.float64)
    pool = board_ends.Pool.deal_and_play(400, np.random.SeedSequence(4))
    cell = (113, 117)
    gains = []
    for ways in ((1, 0), (0, 1)):
        plans = board_ends.plans_at(cell, ways, net[0])
        made, before = board_ends.both_outcomes(cell, plans, net, induction.loser_pays()[:1], pool)
        gains.append(float((made - before).mean()))
    assert gains[0] < 0
    assert gains[1] > 0


def test_sides_peg_to_win_only_near_the_end() -> None:
    assert board.play_styles_at((100, 100)) == (1, 1)
    assert board.play_styles_at((110, 112)) == (3, 1)
    assert board.play_styles_at((120, 110)) == (1, 3)
    assert board.play_styles_at((120, 120)) == (3, 3)


def test_unsmoothed_boards_get_deals_by_their_variance() -> None:
    assert board.deal_count_at((100, 100), 1000, 0.5) == 1000
    assert board.deal_count_at((97, 60), 1000, 0.99) == 200
    assert board.deal_count_at((120, 120), 1000, 0.5) == 20 * board.deal_count_at((100, 100), 1000, 0.5)
    assert board.deal_count_at((120, 90), 1000, 0.02) == pytest.approx(
        board.deal_count_at((120, 120), 1000, 0.5) * 4 * 0.02 * 0.98, abs=1
    )


def test_only_boards_near_the_end_are_played_again() -> None:
    assert board.is_near_end((118, 60), 0.9)
    assert not board.is_near_end((95, 95), 0.5)
    assert not board.is_near_end((118, 20), 0.999)


# ── What ships ───────────────────────────────────────────────────────────────────────────────────────────


def test_board_values_rise_with_own_points_and_fall_with_the_others() -> None:
    win = (1 + race.board().game.astype(np.float64)) / 2
    worse_for_own, better_for_other = -np.diff(win, axis=0), np.diff(win, axis=1)
    assert max(worse_for_own.max(), better_for_other.max()) < 1e-6


def test_evened_changes_only_boards_where_a_point_hurts() -> None:
    even = np.add.outer(np.arange(5.0), -np.arange(6.0))[None]
    assert (board.monotonic(even) == even).all()
    rough = even.copy()
    rough[0, 2, 3] = 5
    found = board.monotonic(rough)
    assert (np.diff(found, axis=1) >= 0).all()
    assert (np.diff(found, axis=2) <= 0).all()
    assert (found[0, :2, 4:] == even[0, :2, 4:]).all()


def test_no_payoff_exceeds_what_a_loser_can_pay() -> None:
    table = race.board()
    for games, payoff in ((1, table.game), (2, table.skunk), (4, table.double)):
        assert abs(payoff).max() <= games + 1e-6


def test_the_shipped_board_matches_its_provenance() -> None:
    about = race.provenance()
    assert about["summary"]["first_dealer_wins"] == pytest.approx((1 + race.board().game[0, 0]) / 2, abs=1e-6)
    assert about["summary"]["largest_error"] == pytest.approx(race.board().game_error.max() / 2, rel=1e-3)
    assert about["deals"] >= 4_000_000


def test_first_dealers_advantage_is_the_known_one() -> None:
    # 55.5 % over one site's games, 56 % by hand; independent histograms give 54.6 %.
    assert 0.553 < (1 + race.board().game[0, 0]) / 2 < 0.570


@pytest.mark.slow
def test_a_job_continued_after_a_kill_gives_the_same_board(tmp_path: Path) -> None:
    lines: list[str] = []

    def go(out: str) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
        job = board.Job(20_000, 9, end_deals=0, pool_deals=2_000, batches=40)
        board.run(job, 2, tmp_path / "checkpoint", out=tmp_path / out, progress=lines.append)
        return dict(read_tables(tmp_path / out).arrays)

    whole = go("one.table")
    for path in sorted((tmp_path / "checkpoint").glob("tally-*.npz"))[::3]:
        path.unlink()
    lines.clear()
    again = go("two.table")
    assert len(lines) == 14
    for name, array in whole.items():
        assert (array == again[name]).all()


@pytest.mark.slow
def test_gains_are_the_same_in_any_process() -> None:
    net = np.stack([race.board().game, race.board().skunk, race.board().double]).astype(np.float64)
    cells = [(118, 119), (105, 105)]
    points = np.stack([net[:, dealer, pone] for dealer, pone in cells])
    both = board.gains_at(cells, points, net, 3, 2_000, 300)
    alone = board.gains_at(cells[1:], points[1:], net, 3, 2_000, 300)
    assert both.shape == (2, board.SETS, 3)
    assert (both[1] == alone[0]).all()


@pytest.mark.slow
def test_stored_boards_are_not_played_again(tmp_path: Path) -> None:
    shipped = race.board()
    net = np.stack([shipped.game, shipped.skunk, shipped.double]).astype(np.float64)[None]
    played = induction.DealProbabilities([counted(DEALS)])
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


def test_batches_that_do_not_make_forty_sets_are_refused() -> None:
    with pytest.raises(ValueError, match="do not make 40 sets"):
        board.run(board.Job(100, batches=12))


def test_together_counts_every_deal_once() -> None:
    assert add_tallies([counted(DEALS[:2]), counted(DEALS[2:])]).deals == len(DEALS)
