"""The chance of winning when pegging begins is, on average, the one after the starter; so for both seats."""

import numpy as np
import pytest
from msgspec.structs import replace

from fifteentwo.analysis import win
from fifteentwo.analysis.beliefs import kept_by
from fifteentwo.analysis.look_ahead import Answers
from fifteentwo.analysis.shows import WAYS, suits_add
from fifteentwo.book.laying_away import Role
from fifteentwo.book.play import load_pegging_book
from fifteentwo.book.play_points import keeping
from fifteentwo.contest.table import Table
from fifteentwo.fast.hands import FOURS, copies, hands
from fifteentwo.players import player
from fifteentwo.rules import show
from fifteentwo.rules.actions import Play
from fifteentwo.rules.cards import PACK, Card
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.variants import variant
from fifteentwo.rules.view import View, view

PONE, DEALER = 0, 1


def begun(board: int, seed: int) -> tuple[State, tuple[tuple[Card, ...], ...]]:
    """The state when pegging begins at so many points each, discards by `expert`, and the cards dealt."""
    pack = tuple([PACK[place] for place in np.random.default_rng(seed).permutation(52)])
    table = Table(variant("six-card", first_dealer="named"), lambda _: pack)
    table.adopt(table.name_dealer(DEALER))
    table.state = replace(table.state, front=(board,) * 2, rear=(board,) * 2, phase=Phase.DEAL)
    table.adopt(table.chance_due())
    six = table.state.hands
    players = [player("expert", seed + seat) for seat in (PONE, DEALER)]
    while table.state.phase is not Phase.PLAY:
        seat = table.waiting[0]
        table.submit(seat, players[seat].act(view(table.state, seat)))
    return table.state, six


def after_starter(seen: View, six: tuple[Card, ...], board: int) -> float:
    way = WAYS.index(tuple(place for place, card in enumerate(six) if card in seen.laid_away))
    assert seen.starter is not None
    prospects = win.prospects(six, seen.is_dealer).after_starter(way, seen.starter)
    return float(prospects.values(board, board)[0])


def leads(seen: View) -> dict[int, float]:
    """How often each rank is led to the dealer, by what it can know."""
    left = np.full(13, 4)
    for card in (*seen.kept, *seen.laid_away, *([seen.starter] if seen.starter else [])):
        left[card.index >> 2] -= 1
    often = np.zeros(13)
    book = load_pegging_book()
    for hand, weight in zip(hands(4), kept_by("pone", left, 0.001), strict=True):
        if weight > 0:
            for rank, share in book.strategy([rank + 1 for rank in hand], (), "pone").items():
                often[rank - 1] += weight * share
    return {rank: float(often[rank]) for rank in np.flatnonzero(often).tolist()}


def after_lead(state: State, rank: int) -> float:
    """The dealer's best, should the pone lead a card of this rank."""
    seen = view(state, DEALER)
    known = {*seen.kept, *seen.laid_away, seen.starter}
    card = next(card for card in PACK if card.index >> 2 == rank and card not in known)
    held = (card, *[other for other in PACK if other not in known and other is not card][:3])
    lent = replace(state, hands=(held, state.hands[DEALER]), kept=(held, state.kept[DEALER]))
    table = Table(state.rules, lambda _: PACK)
    table.state = lent
    table.submit(PONE, Play(PONE, card))
    return max(Answers(view(table.state, DEALER)).chances(games=False).values())


def jumps(board: int, seeds: range) -> tuple[float, float]:
    """How much more both seats win, in hundredths, as pegging begins: pone's and dealer's mean."""
    pone, dealer = [], []
    for seed in seeds:
        state, six = begun(board, seed)
        best = max(Answers(view(state, PONE)).chances(games=False).values())
        pone.append(best - after_starter(view(state, PONE), six[PONE], board))
        seen = view(state, DEALER)
        mean = sum(often * after_lead(state, rank) for rank, often in leads(seen).items())
        dealer.append(mean - after_starter(seen, six[DEALER], board))
    return 50 * float(np.mean(pone)), 50 * float(np.mean(dealer))


@pytest.mark.parametrize(
    ("board", "deals", "most"),
    [
        (0, 2, 0.5),
        pytest.param(0, 40, 0.35, marks=pytest.mark.slow),
        pytest.param(60, 40, 0.5, marks=pytest.mark.slow),
        pytest.param(90, 40, 0.9, marks=pytest.mark.slow),
    ],
)
def test_pegging_begins_without_a_jump_for_either_seat(board: int, deals: int, most: float) -> None:
    """Best answers to the equilibrium gain a little; hands without nobs and flush gained 1.7 and 3.5."""
    # A jack for a starter is the dealer's news.
    plain = [seed for seed in range(2 * deals + 4) if begun(board, seed)[0].front == (board, board)][:deals]
    pone, dealer = jumps(board, range(0)) if not plain else np.mean([jumps(board, range(n, n + 1)) for n in plain], axis=0)
    assert -0.2 < pone < most
    assert -0.2 < dealer < most


def by_suits(ranks: tuple[int, ...], role: Role, laid: tuple[Card, ...], starter: Card) -> np.ndarray:
    return np.zeros(5)
