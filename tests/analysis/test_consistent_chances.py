"""A win probability before a chance event is the mean of those after it, up to the last point of a game."""

import numpy as np
import pytest
from msgspec.structs import replace

from fifteentwo.analysis.review.hint import card_values
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.shows import WAYS
from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.rules.actions import Discard
from fifteentwo.rules.cards import DECK, Card, Rank
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import view
from fifteentwo.strategy.board import Payoff

PONE, DEALER = 0, 1
MAX_JUMP, MAX_JUMP_NEAR_END = 0.005, 0.05
"""Largest mean difference of two win probabilities (0–1) between which no card is turned."""
TO_61 = ((0, 0), (43, 60), (60, 43), (50, 58), (58, 50), (60, 60), (37, 37))
TO_121 = ((0, 0), (103, 120), (120, 103), (110, 116), (119, 119), (97, 97))
BOARDS = [*[(board, 61) for board in TO_61], *[(board, 121) for board in TO_121]]
"""The own and the other side's score, and the target."""


def payoff_to(target: int) -> Payoff:
    return win.race_of(rules_for("six-card", target=target))


def six_cards(seed: int) -> tuple[Card, ...]:
    return tuple([DECK[place] for place in np.random.default_rng(seed).choice(52, 6, replace=False)])


@pytest.mark.parametrize(("board", "target"), BOARDS)
@pytest.mark.parametrize("dealer", [False, True])
def test_the_chance_before_the_starter_is_the_mean_after_it(
    board: tuple[int, int], target: int, dealer: bool
) -> None:
    payoff, six = payoff_to(target), six_cards(sum(board) + dealer)
    prospects = win.Prospects(six, dealer=dealer)
    before = prospects.values(*board, payoff)
    way = int(before.argmax())
    starters = [card for card in DECK if card not in six]
    after = np.array([prospects.after_starter(way, card).values(*board, payoff)[0] for card in starters])
    assert after.min() >= -1 - 1e-9
    assert after.max() <= 1 + 1e-9
    assert after.mean() == pytest.approx(before[way], abs=5e-4)


def test_a_side_that_is_nearly_lost_stays_so_after_its_own_heels() -> None:
    """To 61, the dealer at 43 and the pone at 60: heels once raised the chance from 0 to 13 %."""
    for seed in range(6):
        prospects = win.Prospects(six_cards(seed), dealer=True)
        for card in DECK:
            if card.rank is Rank.JACK and card not in six_cards(seed):
                after = prospects.after_starter(0, card).values(43, 60, "half")[0]
                assert (1 + after) / 2 < 0.02


@pytest.mark.parametrize(("board", "target"), [BOARDS[1], BOARDS[3], BOARDS[6], BOARDS[10]])
def test_the_chance_before_a_deal_is_the_mean_of_the_best_discards(
    board: tuple[int, int], target: int
) -> None:
    payoff = payoff_to(target)
    for dealer in (False, True):
        before = (1 + win.after_deal(payoff, not dealer, False)[board]) / 2
        six = [six_cards(seed) for seed in range(60)]
        after = [win.chances(one, dealer=dealer, board=board, payoff=payoff).max() for one in six]
        assert np.mean(after) == pytest.approx(before, abs=0.01 + 3 * np.std(after) / np.sqrt(len(after)))


def begun(front: tuple[int, int], target: int, seed: int) -> tuple[State, int]:
    """Return the state when pegging begins after the best discards, and the index of the pone's discard."""
    deck = tuple([DECK[place] for place in np.random.default_rng(seed).permutation(52)])
    table = Table(rules_for("six-card", first_dealer="named", target=target), lambda _: deck)
    table.adopt(table.name_dealer(DEALER))
    table.state = replace(table.state, front=front, rear=front, phase=Phase.DEAL)
    table.adopt(table.chance_due())
    pone_way = 0
    for seat, board in ((DEALER, front[::-1]), (PONE, front)):
        six = table.state.hands[seat]
        chances = win.chances(six, dealer=seat == DEALER, board=board, payoff=payoff_to(target))
        pone_way = int(chances.argmax())
        table.submit(seat, Discard(seat, tuple([six[place] for place in WAYS[pone_way]])))
    players = [player("greedy", seat) for seat in (PONE, DEALER)]
    while table.state.phase is not Phase.PLAY and not table.state.won:
        seat = table.waiting[0]
        table.submit(seat, players[seat].act(view(table.state, seat)))
    return table.state, pone_way


@pytest.mark.parametrize(
    ("front", "target"),
    [
        ((0, 0), 121),
        ((60, 43), 61),
        pytest.param((50, 58), 61, marks=pytest.mark.long),
        pytest.param((110, 116), 121, marks=pytest.mark.long),
        pytest.param((112, 112), 121, marks=pytest.mark.long),
        pytest.param((52, 52), 61, marks=pytest.mark.long),
    ],
)
def test_the_pone_leads_with_the_chance_that_it_had_after_the_starter(
    front: tuple[int, int], target: int
) -> None:
    """No card is turned between both chances; near the end they come from two fitted models."""
    jumps = []
    for seed in range(20):
        state, way = begun(front, target, seed)
        if state.won or state.front != front:
            continue
        seen = view(state, PONE)
        assert seen.starter is not None
        six = tuple([card for card in DECK if card in (*seen.kept, *seen.discarded)])
        way = WAYS.index(tuple([place for place, card in enumerate(six) if card in seen.discarded]))
        turned = win.Prospects(six, dealer=False).after_starter(way, seen.starter)
        after = (1 + turned.values(*front, payoff_to(target))[0]) / 2
        jumps.append(max(one.win or 0.0 for one in card_values(seen).values.values()) - after)
    assert abs(np.mean(jumps)) < (MAX_JUMP_NEAR_END if max(front) else MAX_JUMP)
