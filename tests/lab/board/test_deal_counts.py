"""Deals counted under the packed strategies: by seed alone, no point lost, part by part."""

from importlib import import_module

import numpy as np
import pytest

from fifteentwo.fast import layout
from lab.board import deal, deal_counts
from lab.board.deal import DEALER, PONE, Tally
from lab.board.deal_counts import add_tallies, count_deals, game_shape, summarise

DEALS = 150


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels as plain Python: the few deals here do not repay a compiler."""
    for module in (deal, deal_counts):
        monkeypatch.setattr(module, "compiled", import_module)
    monkeypatch.setattr(layout, "has_numba", lambda: False)
    # The parts under way together do not show.
    monkeypatch.setattr(deal_counts, "CHUNK_DEALS", 60)


def same(one: Tally, other: Tally) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_deals_depend_on_their_seed_alone_and_points_are_conserved() -> None:
    counts = count_deals(DEALS, 1000)
    assert same(counts, count_deals(DEALS, 1000))
    assert not same(counts, count_deals(DEALS, 1001))
    assert counts.deals == DEALS
    points = np.arange(len(counts.ended))
    assert counts.ended.sum(axis=0) @ points == counts.by_kind[PONE].sum() == counts.reached[PONE].sum()
    assert counts.ended.sum(axis=1) @ points == counts.by_kind[DEALER].sum() == counts.reached[DEALER].sum()
    # The dealer always pegs (C21).
    assert counts.ended[0].sum() == 0


def test_a_summary_is_made_of_its_parts() -> None:
    summary = summarise([count_deals(DEALS, 3), count_deals(DEALS, 4)])
    assert summary["deals"] == 2 * DEALS
    pone = summary["pone_pegs"] + summary["pone_hand"]
    dealer = summary["dealer_pegs"] + summary["heels"] + summary["dealer_hand"] + summary["crib"]
    assert summary["pone_total"] == pytest.approx(pone)
    assert summary["dealer_total"] == pytest.approx(dealer)
    # Far from exact with 300 deals: 10.1 and 16.2 points, 9.1 deals a game.
    assert pone == pytest.approx(10.1, abs=1.5)
    assert dealer == pytest.approx(16.2, abs=1.5)
    assert summary["deals_a_game"] == pytest.approx(9.1, abs=0.7)


def test_r18_r20_a_game_of_one_known_deal_has_a_known_length_and_skunks() -> None:
    # Every deal the pone makes 40 and then the dealer 1: 40 and 1 turn about, so 41 each after two deals.
    tally = deal.empty_tally()
    for point in range(1, 41):
        tally.reached[PONE, point, 0] += 1
    tally.reached[DEALER, 1, 40] += 1
    tally.ended[1, 40] += 1
    shape = game_shape(add_tallies([tally]))
    # 82 each after four; in the fifth the pone reaches 121 in passing: 82 is no double skunk.
    assert shape["deals_a_game"] == pytest.approx(5)
    assert (shape["skunks"], shape["double_skunks"]) == (1.0, 0.0)
