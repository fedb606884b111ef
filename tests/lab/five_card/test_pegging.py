"""Five-card pegging with all that a player knows, against a plain walk over the rules."""

import importlib.util
import random
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pytest

from fifteentwo.contest.table import Table
from fifteentwo.fast.five_card import fitting
from fifteentwo.fast.hands import place
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.events import Pegged, PeggedFor
from fifteentwo.rules.variants import rules_for
from lab.cfr import BEST_RESPONSE, DEALER, MEASURE, PONE, Cells
from lab.five_card.pegging import FiveCardPegging, payoffs, weights
from lab.five_card.types import DISCARDED, KEPT
from tests.lab.five_card import plain_walk
from tests.lab.five_card.plain_walk import Holding, Position
from tests.lab.five_card.stored_chances import card_chances

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="hours without numba"),
]

Doubles = npt.NDArray[np.float64]
Types = tuple[tuple[Holding, ...], tuple[Holding, ...]]
"""What pone and dealer may keep and discard."""


def held(kept: str, discarded: str) -> Holding:
    ranks = ["A23456789TJQK".index(rank) + 1 for rank in kept + discarded]
    return Holding(tuple(sorted(ranks[:3])), tuple(sorted(ranks[3:])))


def row(holding: Holding) -> tuple[int, int]:
    return (
        place(3)[tuple(rank - 1 for rank in holding.cards)],
        place(2)[tuple(rank - 1 for rank in holding.discarded)],
    )


# Few types of few ranks: goes, 31s, runs, pairs royal, and types that cannot be held together.
FIVES: Types = (
    (held("55J", "5K"), held("5JK", "55"), held("4JJ", "KK"), held("44K", "JJ"), held("A5K", "44")),
    (held("55K", "JJ"), held("5KK", "45"), held("JJK", "4A"), held("A4J", "55"), held("AAA", "KJ")),
)
SMALL: Types = (
    (held("A23", "2A"), held("223", "37"), held("378", "A8"), held("9TQ", "8A"), held("89T", "QQ")),
    (held("A22", "33"), held("A39", "TQ"), held("789", "8T"), held("9TT", "A2"), held("QQQ", "Q9")),
)
CASES = [(FIVES, 5), (FIVES, 11), (SMALL, 1), (SMALL, 13)]


def ranges(types: Types) -> tuple[Doubles, Doubles]:
    rng = random.Random(7)
    fractions = np.zeros((KEPT, DISCARDED)), np.zeros((KEPT, DISCARDED))
    for side in (PONE, DEALER):
        for holding in types[side]:
            fractions[side][row(holding)] = rng.uniform(0.2, 1)
    return fractions


def branches(types: Types) -> list[int]:
    leads, replies = ({rank - 1 for holding in side for rank in holding.cards} for side in types)
    return [13 * lead + reply for lead in sorted(leads) for reply in sorted(replies)]


def others(
    types: Types, fractions: tuple[Doubles, Doubles], side: int, own: Holding, starter: int
) -> dict[Holding, float]:
    """Return the other side's types with their weight times the ways to deal both types."""
    mine = own.cards + own.discarded
    return {
        other: plain_walk.ways(mine, other.cards + other.discarded, starter)
        * float(fractions[1 - side][row(other)])
        for other in types[1 - side]
    }


def check(game: FiveCardPegging, types: Types, cells: Cells) -> set[float]:
    """Compare values and best responses of every type with the plain walk; return the values."""
    fractions = ranges(types)
    ranged = weights(fractions[PONE]), weights(fractions[DEALER])

    def strategy(own: Holding, position: Position) -> Mapping[int, float]:
        mine = own.cards + tuple(rank for at, rank in enumerate(position.pile) if at % 2 == position.turn)
        if len(position.pile) > 3 or position.gone:
            (rank,) = plain_walk.fitting(own.cards, position.pile)
            return {rank: 1.0}
        ranks = ([rank - 1 for rank in part] for part in (mine, own.discarded, position.pile))
        return {rank + 1: chance for rank, chance in card_chances(cells, *ranks).items()}

    seen = set()
    for side in (PONE, DEALER):
        for mode in (MEASURE, BEST_RESPONSE):
            values = game.traverse(side, mode, ranged, cells, branches=branches(types))
            for own in types[side]:
                them = others(types, fractions, side, own, game.starter + 1)
                slow = plain_walk.value(side, own, them, Position(), strategy, mode == BEST_RESPONSE)
                # The kernels' values are for each order in which the own cards fall.
                fast = values[row(own)] * float((ranged[side] / np.maximum(fractions[side], 1e-9))[row(own)])
                mass = max(sum(them.values()), 1.0)
                assert fast / mass == pytest.approx(slow / mass, abs=1e-5), (side, mode, own)
                seen.add(round(slow / mass, 6))
    return seen


@pytest.mark.parametrize(("types", "starter"), CASES)
def test_values_and_best_responses_equal_a_plain_walk(types: Types, starter: int) -> None:
    game = FiveCardPegging(starter - 1)
    assert len(check(game, types, game.total)) > 8, "uniform play"
    fractions = ranges(types)
    for _ in range(2):
        game.step((weights(fractions[PONE]), weights(fractions[DEALER])))
    assert len(check(game, types, game.total)) > 8
    assert len(check(game, types, game.regret)) > 8


def test_pegging_is_zero_sum_and_learning_makes_it_safer() -> None:
    game = FiveCardPegging(4)
    fractions = ranges(FIVES)
    ranged = weights(fractions[PONE]), weights(fractions[DEALER])
    figures = [game.exploitability(ranged)]
    for _ in range(8):
        game.step(ranged)
    figures.append(game.exploitability(ranged))
    for figure in figures:
        assert abs(figure["imbalance"]) < 1e-5
        assert figure["pone_gain"] > -1e-6
        assert figure["dealer_gain"] > -1e-6
    assert figures[1]["exploitability"] < figures[0]["exploitability"] / 10


def test_the_deals_of_a_range_are_counted_as_the_deck_deals_them() -> None:
    game = FiveCardPegging(4)
    fractions = ranges(FIVES)
    ranged = weights(fractions[PONE]), weights(fractions[DEALER])
    expected = sum(
        float(fractions[PONE][row(own)]) * sum(others(FIVES, fractions, PONE, own, 5).values())
        for own in FIVES[PONE]
    )
    assert float((ranged[PONE] * game.type_ways(PONE, ranged)).sum()) == pytest.approx(expected, rel=1e-5)


def by_the_rules(kept: tuple[list[Card], list[Card]], order: list[tuple[int, Card]], deck: list[Card]) -> int:
    """Net points of the pone in pegging at a table, its cards played in this order as far as they go."""
    rules = rules_for("five-card", first_dealer="named", starter="top", cut_before_deal=False)
    table = Table(rules, lambda _: tuple(deck), named=True)
    table.adopt(table.name_dealer(1))
    for seat in (0, 1):
        table.submit(seat, Discard(seat, tuple(card for card in deck[seat:10:2] if card not in kept[seat])))
    plays = [[card for seat, card in order if seat == side] for side in (0, 1)]
    while table.state.phase.value == "play":
        (seat,) = table.waiting
        able = [card for card in plays[seat] if card.value + table.state.count <= 31]
        table.submit(seat, Play(seat, able[0]))
        plays[seat].remove(able[0])
    pegged = [event for event in table.events if isinstance(event, Pegged)]
    pegs = [event for event in pegged if event.reason in (PeggedFor.PLAY, PeggedFor.LAST_CARD)]
    return sum(event.points if event.seat == 0 else -event.points for event in pegs)


def test_r102_every_end_of_a_count_pays_as_at_a_table() -> None:
    rng = random.Random(3)
    table = payoffs()
    kinds = set()
    for _ in range(300):
        deck = rng.sample(DECK, 52)
        kept = deck[0:6:2], deck[1:6:2]
        order = [(at % 2, deck[at]) for at in range(6)]
        ranks = [card.index >> 2 for card in deck[:6]]
        at = 169 * ranks[0] + 13 * ranks[1] + ranks[2]
        able = fitting(sum(card.value for card in deck[:3]))
        net = by_the_rules(kept, order, deck)
        if ranks[3] < able:
            kinds.add("plays")
            assert table.plays[at, ranks[3], ranks[5], ranks[4]] == net
        elif ranks[5] < able:
            kinds.add("plays the other")
            assert table.plays[at, ranks[5], ranks[3], ranks[4]] == net
        else:
            kinds.add("goes")
            assert table.goes[at, ranks[4]] == net
    assert len(kinds) == 3
