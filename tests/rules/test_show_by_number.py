"""R77–R93: the show; each by its number."""

from collections import Counter

from fifteentwo.rules import show
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.events import DealEnded, GameWon, Pegged, PeggedFor, Score, ScoreName, Shown
from fifteentwo.rules.game import step
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import see, view
from tests.rules.positions import before_last_card, every_variant, pegged, read
from tests.rules.second_scorer import show_parts, show_points

HANDS = ["2S 4H 6D 8C", "2H 4D 6C 8S", "2D 4C 6S 8H", "2C 4S 6H 8D"]
SHOWN = ["5S 5H 6D 8C", "4H 5D 6C 8S", "3D 3C 9S TH", "7C 8D KH QH"]


def parts(hand: str, starter: str, *, crib: bool = False) -> dict[str, int]:
    """Return points by the name of the score."""
    found: Counter[str] = Counter()
    for score in show.scores(read(hand), Card(starter), crib=crib):
        found[score.name.value] += score.points
    return dict(found)


@every_variant
def test_r77_everybody_takes_back_the_cards_played(rules: Rules) -> None:
    state, last = before_last_card(rules, HANDS[: rules.seats], starter="QS", crib="QH QD KC KS")
    _, events = step(state, last)
    shown = [event for event in events if isinstance(event, Shown)]
    for event in shown[:-1]:
        assert event.cards == read(HANDS[event.seat])[: rules.kept]


@every_variant
def test_r78_r79_the_dealers_left_counts_first_the_dealer_then_the_crib_last(rules: Rules) -> None:
    state, last = before_last_card(rules, SHOWN[: rules.seats], starter="QS", crib="QD JD KC KS")
    _, events = step(state, last)
    shown = [(event.seat, event.crib) for event in events if isinstance(event, Shown)]
    dealer = rules.seats - 1
    assert shown == [*((seat, False) for seat in range(rules.seats)), (dealer, True)]
    # The points of a hand are pegged after it is shown and before the next one is shown.
    for place, event in enumerate(events):
        if isinstance(event, Pegged) and event.reason in (PeggedFor.HAND, PeggedFor.CRIB):
            before = events[place - 1]
            assert isinstance(before, Shown)
            assert (before.seat, before.crib) == (event.seat, event.reason is PeggedFor.CRIB)
            points = show_points([c.text for c in before.cards], "QS", crib=before.crib)
            assert event.points == points
    assert isinstance(events[-1], DealEnded)


@every_variant
def test_r80_the_starter_is_the_fifth_card_of_every_hand_and_of_the_crib(rules: Rules) -> None:
    hands = ["TS 2H 4D", "TH 2D 4C", "TD 2C 4S", "TC 2S 4H"]
    hands = [hand + f" 6{suit}" for hand, suit in zip(hands, "SHDC", strict=True)][: rules.seats]
    state, last = before_last_card(rules, hands, starter="5S", crib="KS QH 8D 7H")
    _, events = step(state, last)
    for event in events:
        if isinstance(event, Pegged) and event.reason in (PeggedFor.HAND, PeggedFor.CRIB):
            with_starter = [score for score in event.scores if Card("5S") in score.cards]
            assert with_starter, event


def test_r82_pairs_royals_and_double_royals_are_counted_once() -> None:
    assert parts("7H 7D 2C KS", "9C").get("pair") == 2
    assert parts("7H 7D 7C KS", "9C") == {"pair_royal": 6}
    assert parts("7H 7D 7C 7S", "9C") == {"double_pair_royal": 12}
    assert parts("7H 7D 9C 9S", "KC") == {"pair": 4}
    assert parts("7H 7D 9C 9S", "7C") == {"pair_royal": 6, "pair": 2}
    # Pairs are of equal rank, not of equal value (C8).
    assert "pair" not in parts("TH JD QC KS", "2C")


def test_r84_named_run_shapes() -> None:
    named = {
        "run_of_three": ([3, 4, 5, 9, 9], 3 + 2),
        "run_of_four": ([3, 4, 5, 6, 9], 4),
        "run_of_five": ([3, 4, 5, 6, 7], 5),
        "double_run_of_three": ([3, 4, 4, 5, 9], 8),
        "double_run_of_four": ([3, 4, 5, 6, 6], 10),
        "triple_run_of_three": ([11, 12, 13, 13, 13], 15),
        "quadruple_run_of_three": ([1, 1, 2, 3, 3], 16),
    }
    for name, (ranks, points) in named.items():
        assert show.run_shape(ranks) == name
        held = [DECK[(rank - 1) * 4 + ranks[:place].count(rank)] for place, rank in enumerate(ranks)]
        made = show_parts([card.text for card in held[:4]], held[4].text)
        assert made["runs"] + made["pairs"] == points
    for none in ([1, 2, 4, 5, 7], [12, 13, 1], [3, 3, 3, 3, 4], [], [5]):
        assert show.run_shape(none) is None


@every_variant
def test_r86_the_crib_in_the_game_is_counted_as_a_crib(rules: Rules) -> None:
    """C9: all five cards, in every variant."""
    for starter, flush in (("QS", False), ("QH", True)):
        state, last = before_last_card(rules, HANDS, starter=starter, crib="AH 3H 7H 9H")
        _, events = step(state, last)
        cribs = [event for event in events if isinstance(event, Pegged) and event.reason is PeggedFor.CRIB]
        names = {score.name for event in cribs for score in event.scores}
        assert (ScoreName.FLUSH in names) is flush


def test_r87_nobs_in_hand_or_crib_never_the_starter() -> None:
    """C10: in the crib too."""
    for crib in (False, True):
        assert parts("JH 7C 3D KS", "9H", crib=crib) == {"nobs": 1}
        assert parts("JH 7C 3D KS", "9C", crib=crib) == {}
        assert parts("QH 7C 3D 4S", "9H", crib=crib).get("nobs") is None
    assert parts("JH JC JD JS", "4H")["nobs"] == 1
    (nobs,) = [s for s in show.scores(read("JH JC JD JS"), Card("4H")) if s.name is ScoreName.NOBS]
    assert nobs == Score(ScoreName.NOBS, (Card("JH"),), 1, "R87")


@every_variant
def test_r91_the_first_to_get_there_in_the_show_wins(rules: Rules) -> None:
    """Everybody would get there; seat 0 counts first. The last card's 1 is not enough."""
    front = [rules.target - 2] * rules.sides
    front[(rules.seats - 1) % rules.sides] = rules.target - 4
    state, last = before_last_card(rules, SHOWN, starter="5C", crib="TD JD KC KS", front=front)
    state, events = step(state, last)
    won = events[-1]
    assert isinstance(won, GameWon)
    assert won.side == 0
    assert [event.seat for event in events if isinstance(event, Shown)] == [0]
    assert state.front[0] == rules.target
    assert [side for _, side, _ in pegged(events)] == [(rules.seats - 1) % rules.sides, 0]
    # Cards that were not shown stay hidden.
    for seat in range(rules.seats):
        seen = view(state, seat)
        assert [bool(hand) for hand in seen.open_hands] == [other == 0 for other in range(rules.seats)]
        assert seen.open_crib == ()


@every_variant
def test_r92_if_no_player_has_won_all_is_gathered_and_dealt_again(rules: Rules) -> None:
    state, last = before_last_card(rules, HANDS, starter="QS", crib="QH QD KC KS")
    after, events = step(state, last)
    assert isinstance(events[-1], DealEnded)
    assert after.phase is Phase.CUT
    assert after.deal == 1
    empty = ((),) * rules.seats
    assert (after.hands, after.kept, after.discarded) == (empty, empty, empty)
    assert (after.crib, after.starter, after.played, after.count_ends, after.said_go) == (
        (),
        None,
        (),
        (),
        (),
    )
    assert after.front != state.front
    for seat in range(rules.seats):
        assert view(after, seat).open_hands == empty


@every_variant
def test_the_show_is_open_to_all(rules: Rules) -> None:
    state, last = before_last_card(rules, SHOWN, starter="5C", crib="TD JD KC KS")
    _, events = step(state, last)
    for event in events:
        for seat in (*range(rules.seats), None):
            assert see(event, seat) == event
    assert pegged(events)
