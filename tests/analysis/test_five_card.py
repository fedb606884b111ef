"""How often the solution of five-card cribbage plays each card."""

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest

from fifteentwo.analysis.pegging import five_card
from fifteentwo.fast.hands import PAIRS, place
from fifteentwo.rules.state import Phase
from fifteentwo.strategy import five_card as tables
from fifteentwo.strategy.pegging import ImpossiblePlay
from tests.analysis.hint_positions import positions
from tests.lab.five_card.plain_walk import Holding, Position, Ranks, Strategy, fitting, played, value, ways

PONE, DEALER = 0, 1


def test_every_playable_card_has_a_probability() -> None:
    seen = [view for view, _ in positions("five-card", 150) if view.phase is Phase.PLAY]
    for view in seen:
        often = five_card.play_frequencies(view)
        assert sum(often.values()) == pytest.approx(1)
        assert {*often} == {card.index >> 2 for card in view.playable}


def table(starter: int) -> Strategy:
    """Return what the table plays from the second cards on; ranks 1–13."""

    def strategy(holding: Holding, position: Position) -> dict[int, float]:
        able = fitting(holding.cards, position.pile)
        if len(able) == 1:
            return {able[0]: 1.0}
        pile = [rank - 1 for rank in position.pile]
        kept = sorted([*(rank - 1 for rank in holding.cards), *pile[len(pile) % 2 :: 2]])
        often = tables.card_frequencies(kept, [rank - 1 for rank in holding.discarded], starter - 1, pile)
        assert often is not None
        return {rank + 1: chance for rank, chance in often.items()}

    return strategy


def who_came_here(own: Holding, pile: Ranks, starter: int) -> dict[Holding, float]:
    """Return the possible types of the side that does not play next, by the table alone."""
    turn = len(pile) % 2
    role = tables.ROLES[1 - turn]
    fractions, all_own = tables.fractions(role), (*own.cards, *own.discarded, *pile[turn::2])
    pile_of_other = pile[1 - turn :: 2]
    zero_based = [rank - 1 for rank in pile]
    found = {}
    for rest in PAIRS.tolist() if len(pile_of_other) == 1 else [[rank] for rank in range(13)]:
        kept = sorted([*rest, *(rank - 1 for rank in pile_of_other)])
        for pair in PAIRS.tolist():
            weight = fractions[place(3)[tuple(kept)], place(2)[tuple(pair)]]
            every = tuple(rank + 1 for rank in (*kept, *pair))
            weight *= ways(all_own, every, starter)
            for at in range(1 - turn, len(pile), 2) if weight else ():
                often = tables.card_frequencies(kept, pair, starter - 1, zero_based[:at])
                weight *= 0 if often is None else often[zero_based[at]]
            if weight:
                held = tuple(rank + 1 for rank in rest)
                found[Holding(held, tuple(rank + 1 for rank in pair))] = float(weight)
    return found


@pytest.mark.parametrize(
    ("own", "pile", "starter"),
    [
        (Holding((4, 13), (9, 10)), (2, 10), 7),
        (Holding((5, 11), (1, 12)), (6, 4), 5),
        (Holding((3, 6), (1, 13)), (8, 7, 10), 3),
        (Holding((1, 9), (2, 2)), (4, 11, 4), 12),
    ],
)
def test_the_best_response_equals_a_plain_walk(
    monkeypatch: pytest.MonkeyPatch, own: Holding, pile: Ranks, starter: int
) -> None:
    """Own earlier cards count as played, even if the table never plays them."""
    monkeypatch.setattr(five_card, "NOISE", 0.0)
    five_card._weight_per_order.cache_clear()
    side = len(pile) % 2
    others = who_came_here(own, pile, starter)
    assert len(others) > 20
    expected = {}
    for rank in own.cards:
        after, points = played(Position(side, pile), rank)
        rest = own._replace(cards=tuple(other for other in own.cards if other != rank))
        later = value(side, rest, others, after, table(starter), best=True)
        expected[rank - 1] = points * sum(others.values()) + later
    found = responses(own, pile, starter)
    five_card._weight_per_order.cache_clear()
    low, high = expected
    assert found[low] / found[high] == pytest.approx(expected[low] / expected[high], rel=1e-6)


def responses(own: Holding, pile: Ranks, starter: int) -> dict[int, float]:
    known: Sequence[int] = (*own.cards, *own.discarded, *pile, starter)
    left = [4 - known.count(rank) for rank in range(1, 14)]
    able, so_far = [rank - 1 for rank in own.cards], [rank - 1 for rank in pile]
    work = five_card._second_card_values if len(pile) == 2 else five_card._third_card_values
    return work(able, so_far, starter - 1, np.array(left))


def test_cards_played_out_of_turn_are_refused() -> None:
    seen = next(
        view
        for view, _ in positions("five-card", 60)
        if len(view.played) == 2 and len({card.rank for card in view.playable}) == 2
    )
    (pone, lead), (dealer, reply) = seen.played
    for changed in (
        msgspec.structs.replace(seen, dealer=pone),
        msgspec.structs.replace(seen, played=((dealer, reply), (pone, lead))),
        msgspec.structs.replace(seen, played=(), hand=seen.kept, hand_sizes=(3, 3), count=0, seat=dealer),
    ):
        with pytest.raises(ImpossiblePlay):
            five_card.play_frequencies(changed)
