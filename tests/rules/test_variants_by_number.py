"""R99–R114, R125: the other variants, and the order of a deal; each rule by its number."""

import msgspec
import pytest

from fifteentwo.rules import show
from fifteentwo.rules.actions import Action, Cut, Deal, Discard, NameDealer, Play, TurnUp
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.events import (
    CountCleared,
    DealEnded,
    DealerChosen,
    Dealt,
    DeckCut,
    Discarded,
    Event,
    GameWon,
    Pegged,
    PeggedFor,
    Played,
    Shown,
    StarterTurned,
    StockCut,
    WentGo,
)
from fifteentwo.rules.game import legal, step, to_act
from fifteentwo.rules.state import Phase, start
from fifteentwo.rules.variants import (
    FIVE_CARD,
    FOUR_HANDED,
    HALF_GAME,
    PARTNERS,
    THREE_HANDED,
    Rules,
    rules_for,
)
from tests.rules.positions import (
    ALL,
    at_play,
    before_last_card,
    counts,
    discarded,
    do,
    drawing,
    every_variant,
    pegged,
    pegging_entries,
    plays,
    read,
)
from tests.rules.random_games import game
from tests.support.errors import raises_code

THREE = PeggedFor.THREE_FOR_LAST


def differing(rules: Rules, other: Rules) -> set[str]:
    return {name for name in Rules.__struct_fields__ if getattr(rules, name) != getattr(other, name)}


def test_r99_five_card_differs_from_six_card_only_as_listed() -> None:
    assert differing(FIVE_CARD, HALF_GAME) == {"variant", "dealt", "one_count", "three_for_last"}


def test_r100_three_for_last_goes_once_to_the_side_without_the_first_deal() -> None:
    for dealer in (0, 1):
        state, events = step(start(FIVE_CARD, named=True), NameDealer(dealer))
        assert pegged(events) == [(THREE, 1 - dealer, 3)]
        assert state.front[1 - dealer] == 3
        assert state.front[dealer] == 0
        assert isinstance(events[1], Pegged)
        assert events[1].scores[0].rule == "R100"
    _, events = drawing(FIVE_CARD, "0:9S", "1:4S")
    assert pegged(events) == [(THREE, 0, 3)]
    for number in range(10):
        moments = list(game(number, FIVE_CARD))
        moves = [made for moment in moments for made in pegged(moment.events) if made[0] is THREE]
        assert len(moves) == 1
        assert moments[-1].before.deal > 1
    for rules in ALL:
        if rules != FIVE_CARD:
            _, events = step(start(rules, named=True), NameDealer(0))
            assert pegged(events) == []
    # A half game has no three for last (C16).
    _, events = step(start(HALF_GAME, named=True), NameDealer(0))
    assert pegged(events) == []


def test_r102_five_card_plays_one_count_below_31() -> None:
    state, events = do(at_play(FIVE_CARD, ["KC 9C 4C", "KD 8D 5D"]), plays("0:KC", "1:KD", "0:9C"))
    assert pegging_entries(events)[-2:] == [[1, "go"], [0, "last", 1]]
    assert counts(events) == [29]
    shown = [event.cards for event in events if isinstance(event, Shown)]
    # All three cards count, also those not played (C16).
    assert shown[:2] == [read("KC 9C 4C"), read("KD 8D 5D")]
    assert state.deal == 1
    assert state.hands == ((), ())


def test_r102_five_card_plays_one_count_to_31() -> None:
    _, events = do(at_play(FIVE_CARD, ["KC 9C 4C", "KD 2D 5D"]), plays("0:KC", "1:KD", "0:9C", "1:2D"))
    assert pegging_entries(events) == [[0, "KC", 10, 0], [1, "KD", 20, 2], [0, "9C", 29, 0], [1, "2D", 31, 2]]
    assert [type(event) for event in events].count(CountCleared) == 1
    assert any(isinstance(event, Shown) for event in events)


def test_r102_five_card_the_other_goes_on_after_a_go() -> None:
    state, events = do(at_play(FIVE_CARD, ["KC 9C 8C", "KD 3D AD"]), plays("0:KC", "1:KD"))
    assert legal(state) == (Play(0, Card("9C")), Play(0, Card("8C")))
    state, events = do(state, plays("0:8C"))
    assert state.turn == 1
    state, events = do(state, plays("1:AD"))
    # 29: seat 0 cannot, seat 1's three does not fit either.
    assert pegging_entries(events) == [[1, "AD", 29, 0], [0, "go"], [1, "last", 1]]


def test_r103_flush_in_five_card(subtests: pytest.Subtests) -> None:
    for hand, starter, crib, points in (
        ("2H 4H 8H", "QC", False, 3),
        ("2H 4H 8H", "QH", False, 4),
        ("2H 4H 8C", "QH", False, 0),
        ("2C 4H 8H", "QH", False, 0),
        ("2H 4H 6H 8H", "QC", True, 0),
        ("2H 4H 6H 8H", "QH", True, 5),
    ):
        with subtests.test(hand=hand, starter=starter, crib=crib, points=points):
            scores = show.scores(read(hand), Card(starter), crib=crib)
            flushes = [score for score in scores if score.name.value == "flush"]
            assert sum(score.points for score in flushes) == points
            if points:
                assert flushes[0].rule == ("R86" if crib else "R103")
                assert len(flushes[0].cards) == points


def test_r103_flush_in_a_five_card_game() -> None:
    hands = ["2H 4H 8H", "2C 6D 9S"]
    state, last = before_last_card(FIVE_CARD, hands, starter="QC", crib="AD 3D 7D TD")
    _, events = step(state, last)
    made = {event.reason: event.points for event in events if isinstance(event, Pegged)}
    assert made[PeggedFor.HAND] in (3, 2)
    first = next(event for event in events if isinstance(event, Pegged) and event.reason is PeggedFor.HAND)
    assert (first.seat, first.points) == (0, 3)
    crib = [event for event in events if isinstance(event, Pegged) and event.reason is PeggedFor.CRIB]
    assert not [score for event in crib for score in event.scores if score.name.value == "flush"]


def test_r106_r107_three_handed_deal_cut_crib_lead_and_show() -> None:
    for dealer in range(3):
        eldest = (dealer + 1) % 3
        state, _ = step(start(THREE_HANDED, named=True), NameDealer(dealer))
        assert to_act(state) == (eldest,)
        state = discarded(THREE_HANDED, dealer)
        assert len(state.crib) == 4
        assert sum(len(cards_played) for cards_played in state.discarded) == 3
        assert to_act(state) == (eldest,)
        state, _ = do(state, [Cut(eldest, 10), TurnUp(Card("KC"))])
        assert to_act(state) == (eldest,)
        assert state.show_seats == (eldest, (dealer + 2) % 3, dealer, dealer)


def test_r108_the_count_runs_until_none_of_three_can_play() -> None:
    hands = [["KC", "QD"], ["KD", "AD", "2D"], ["6C", "AS", "QC"]]
    state, events = do(at_play(THREE_HANDED, hands), plays("0:KC", "1:KD", "2:6C"))
    # 26: seat 0 says go; the others continue in turn while they can play (C5).
    assert events[-1] == WentGo(0)
    state, events = do(state, plays("1:2D", "2:AS", "1:AD"))
    assert pegging_entries(events) == [
        [1, "2D", 28, 0],
        [2, "AS", 29, 0],
        [1, "AD", 30, 2],
        [2, "go"],
        [1, "last", 1],
    ]
    assert state.turn == 2


def test_r109_r113_the_rest_is_as_in_six_card() -> None:
    changed = {"variant", "seats", "sides", "dealt", "dealt_to_crib", "discards"}
    for rules in (THREE_HANDED, PARTNERS, FOUR_HANDED):
        assert differing(rules, rules_for("six-card")) <= changed
    assert differing(PARTNERS, THREE_HANDED) <= {"variant", "seats", "sides", "dealt_to_crib"}


def test_r110_partners_sit_opposite() -> None:
    assert [PARTNERS.side(seat) for seat in range(4)] == [0, 1, 0, 1]


def test_r114_four_for_themselves_have_four_scores() -> None:
    assert [FOUR_HANDED.side(seat) for seat in range(4)] == [0, 1, 2, 3]
    assert differing(FOUR_HANDED, PARTNERS) == {"variant", "sides"}
    state, _ = do(
        at_play(FOUR_HANDED, ["4C KH", "4D QH", "4S JH", "4H TC"]), plays("0:4C", "1:4D", "2:4S", "3:4H")
    )
    assert state.front == (0, 2, 6, 12)


@every_variant
def test_r125_the_order_of_a_deal(rules: Rules) -> None:
    order: list[type[Event]] = [
        DealerChosen,
        DeckCut,
        Dealt,
        Discarded,
        StockCut,
        StarterTurned,
        Played,
        Shown,
        DealEnded,
    ]
    for number in range(10):
        steps: list[int] = []
        for moment in game(number, rules):
            steps += [order.index(type(event)) for event in moment.events if type(event) in order]
            if any(isinstance(event, DealEnded) for event in moment.events):
                break
        assert steps == sorted(steps)
        played = rules.kept * rules.seats
        expected = [1, 1, 1, rules.seats, 1, 1, played, rules.seats + 1, 1]
        found = [steps.count(place) for place in range(len(order))]
        if rules.one_count:
            assert found[6] <= played
            found[6] = played
        assert found == expected


@every_variant
def test_r125_nothing_is_done_before_its_time(rules: Rules) -> None:
    state = discarded(rules)
    deck = state.hands[0][0]
    by_phase: dict[Phase, Action] = {
        Phase.NAME_DEALER: NameDealer(0),
        Phase.CUT: Cut(1 % rules.seats, 10),
        Phase.DEAL: Deal(()),
        Phase.DISCARD: Discard(0, (deck,)),
        Phase.CUT_STOCK: Cut(1 % rules.seats, 10),
        Phase.STARTER: TurnUp(Card("KC")),
        Phase.PLAY: Play(1 % rules.seats, state.hands[1][0]),
    }
    for phase in by_phase:
        waiting = msgspec.structs.replace(state, phase=phase)
        for other, action in by_phase.items():
            same = phase is other or {phase, other} == {Phase.CUT, Phase.CUT_STOCK}
            if not same:
                with raises_code(IllegalAction, "not-now"):
                    step(waiting, action)


def test_c17_each_hand_of_four_is_counted_in_seat_order() -> None:
    for rules in (PARTNERS, FOUR_HANDED):
        for number in range(3):
            for moment in game(number, rules):
                shown = [event.seat for event in moment.events if isinstance(event, Shown)]
                dealer = moment.before.dealer
                whole = [(dealer + place) % 4 for place in (1, 2, 3, 4, 4)]
                assert shown == whole[: len(shown)]
                if shown and not isinstance(moment.events[-1], GameWon):
                    assert len(shown) == 5
