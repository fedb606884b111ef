"""For both seats, mean win probability when pegging begins equals that after the starter."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace

from fifteentwo.analysis.pegging.beliefs import kept_by
from fifteentwo.analysis.pegging.look_ahead import LookAhead
from fifteentwo.analysis.pegging.look_ahead_search import SUIT_POINTS
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.shows import WAYS, suits_add
from fifteentwo.contest.table import Table
from fifteentwo.fast.hands import hands
from fifteentwo.players import player
from fifteentwo.rules import show
from fifteentwo.rules.actions import Play
from fifteentwo.rules.cards import DECK, Card, cards
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View, view
from fifteentwo.strategy.pegging import load_pegging_book
from fifteentwo.strategy.pegging_points import keeping
from tests.analysis.by_starter import points_by_starter

PONE, DEALER = 0, 1


def begun(board: int, seed: int) -> tuple[State, tuple[tuple[Card, ...], ...]]:
    """Return the state when pegging begins at equal scores, with discards of `expert`, and the deal."""
    deck = tuple([DECK[place] for place in np.random.default_rng(seed).permutation(52)])
    table = Table(rules_for("six-card", first_dealer="named"), lambda _: deck)
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
    way = WAYS.index(tuple(place for place, card in enumerate(six) if card in seen.discarded))
    assert seen.starter is not None
    prospects = win.prospects(six, seen.is_dealer).after_starter(way, seen.starter)
    return float(prospects.values(board, board)[0])


def leads(seen: View) -> dict[int, float]:
    """Return how often each rank is led, as the dealer can know it."""
    left = [4] * 13
    for card in (*seen.kept, *seen.discarded, *([seen.starter] if seen.starter else [])):
        left[card.index >> 2] -= 1
    often = np.zeros(13)
    book = load_pegging_book()
    for hand, weight in zip(hands(4), kept_by("pone", tuple(left), 0.001), strict=True):
        if weight > 0:
            for rank, chance in book.strategy([rank + 1 for rank in hand], (), "pone").items():
                often[rank - 1] += weight * chance
    return {rank: float(often[rank]) for rank in np.flatnonzero(often).tolist()}


def after_lead(state: State, rank: int) -> float:
    """Return the dealer's best value if the pone leads a card of this rank."""
    seen = view(state, DEALER)
    known = {*seen.kept, *seen.discarded, seen.starter}
    card = next(card for card in DECK if card.index >> 2 == rank and card not in known)
    held = (card, *[other for other in DECK if other not in known and other is not card][:3])
    lent = replace(state, hands=(held, state.hands[DEALER]), kept=(held, state.kept[DEALER]))
    table = Table(state.rules, lambda _: DECK)
    table.state = lent
    table.submit(PONE, Play(PONE, card))
    return max(LookAhead(view(table.state, DEALER)).chances(games=False).values())


def jumps(board: int, seeds: Sequence[int]) -> tuple[float, float]:
    """Return the mean gain of pone and dealer, in hundredths, when pegging begins."""
    pone, dealer = [], []
    for seed in seeds:
        state, six = begun(board, seed)
        best = max(LookAhead(view(state, PONE)).chances(games=False).values())
        pone.append(best - after_starter(view(state, PONE), six[PONE], board))
        seen = view(state, DEALER)
        mean = sum(often * after_lead(state, rank) for rank, often in leads(seen).items())
        dealer.append(mean - after_starter(seen, six[DEALER], board))
    return 50 * float(np.mean(pone)), 50 * float(np.mean(dealer))


@pytest.mark.parametrize(
    ("board", "deals", "most"),
    [
        (0, 8, 0.5),
        pytest.param(90, 8, 1.2, marks=pytest.mark.long),
        pytest.param(0, 100, 0.35, marks=pytest.mark.slow),
        pytest.param(60, 100, 0.45, marks=pytest.mark.slow),
        pytest.param(90, 100, 0.8, marks=pytest.mark.slow),
    ],
)
def test_pegging_begins_without_a_jump_for_either_seat(board: int, deals: int, most: float) -> None:
    """A best response to the equilibrium gains a little.

    Without nobs and flush the gain appeared to be 1.7 and 3.5.
    """
    # A jack as starter is new information.
    plain = [seed for seed in range(2 * deals + 8) if begun(board, seed)[0].front == (board, board)]
    pone, dealer = jumps(board, plain[:deals])
    assert -0.2 < pone < most
    assert -0.2 < dealer < most


def by_every_suit(
    ranks: tuple[int, ...], often: float, played: list[Card], starter: Card, seen: set[Card]
) -> list[float]:
    """Return probabilities of the points that suits add to four different ranks, by enumeration."""
    found = [0.0] * 5
    for suits in product(range(4), repeat=4):
        held = [DECK[4 * rank + suit] for rank, suit in zip(ranks, suits, strict=True)]
        if seen & set(held) or not set(played) <= set(held):
            continue
        more = show.points(held, starter) - points_by_starter(ranks)[starter.index >> 2]
        found[SUIT_POINTS.index(more)] += often / 4 if len(set(suits)) == 1 else (1 - often) / 252
    return [chance / sum(found) for chance in found]


def test_what_suits_add_is_what_every_choice_of_suits_adds(subtests: pytest.Subtests) -> None:
    for starter, played in product(("4H", "9S", "4C"), ("", "7H", "7H 8H", "7H 8C", "JC", "JH")):
        with subtests.test(starter=starter, played=played):
            turned, given = cards(starter)[0], list(cards(played)) if played else []
            mine = set(cards("2C 3H 8D TS JD KH"))
            unseen = np.array(
                [card not in mine and card is not turned and card not in given for card in DECK]
            )
            found = suits_add("dealer", given, turned, unseen.reshape(13, 4))
            assert found.sum(axis=1) == pytest.approx(np.ones(1820))
            flush = keeping("dealer").flush
            compared = 0
            for number, ranks in enumerate(hands(4)):
                if {card.index >> 2 for card in given} <= set(ranks) and len(set(ranks)) == 4:
                    if not 0.01 < flush[number] < 0.5 or number % 7:
                        continue
                    plain = by_every_suit(ranks, float(flush[number]), given, turned, {*mine, turned})
                    # Flushes are exact; nobs are assumed equally likely in hands of one suit and of several.
                    assert found[number, 2:] == pytest.approx(plain[2:], abs=1e-9)
                    assert found[number] == pytest.approx(plain, abs=0.05)
                    compared += 1
            assert compared > 3
