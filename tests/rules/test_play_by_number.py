"""R50–R76: pegging; each rule by its number, with clarifications C1–C8."""

from itertools import permutations, product

import msgspec
import pytest

from fifteentwo.rules import pegging
from fifteentwo.rules.actions import Go, Play
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.events import GameWon, Pegged, PeggedFor, Played, ScoreName, Shown, WentGo
from fifteentwo.rules.game import legal, step, to_act
from fifteentwo.rules.state import State
from fifteentwo.rules.variants import SIX_CARD, Rules
from fifteentwo.rules.view import view
from tests.rules.positions import (
    ALL,
    at_play,
    before_last_card,
    counts,
    discarded,
    do,
    every_variant,
    pegged,
    pegging_entries,
    plays,
    read,
    refused,
)
from tests.rules.second_scorer import play_points

HANDS = ["2S 4H 6D 8C", "2H 4D 6C 8S", "2D 4C 6S 8H", "2C 4S 6H 8D"]
MANY_SEATS = [rules for rules in ALL if rules.seats > 2]


def points(words: str) -> int:
    return sum(score.points for score in pegging.scores(read(words)))


def names(words: str) -> list[ScoreName]:
    return [score.name for score in pegging.scores(read(words))]


@every_variant
def test_r50_the_dealers_left_leads_the_dealer_comes_last(rules: Rules) -> None:
    for dealer in range(rules.seats):
        state = at_play(rules, HANDS[: rules.seats], dealer=dealer)
        order = [(dealer + 1 + place) % rules.seats for place in range(rules.seats)]
        for seat in order:
            assert to_act(state) == (seat,)
            for other in range(rules.seats):
                if other != seat:
                    refused(state, Play(other, state.hands[other][0]), "out-of-turn", "R50")
            refused(state, Play(rules.seats, DECK[0]), "no-such-seat", "R1")
            refused(state, Play(-1, DECK[0]), "no-such-seat", "R1")
            state, _ = step(state, Play(seat, state.hands[seat][0]))
        assert to_act(state) == (order[0],)


@every_variant
def test_r51_one_own_card_face_up(rules: Rules) -> None:
    state = at_play(rules, HANDS[: rules.seats])
    refused(state, Play(0, state.hands[1][0]), "card-not-held", "R51")
    refused(state, Play(0, state.crib[0]), "card-not-held", "R51")
    after, _ = step(state, Play(0, Card("6D")))
    assert after.hands[0] == read("2S 4H 8C")
    assert after.kept[0] == read("2S 4H 6D 8C")[: len(after.kept[0])]
    for seat in range(rules.seats):
        assert view(after, seat).played == ((0, Card("6D")),)
    later, _ = do(after, plays("1:2H"))
    refused(later, Play(later.turn, Card("6D")), "card-not-held", "R51")


def at_count(rules: Rules, count: int, hand: str) -> State:
    """Return a state in which seat 0 has `hand` and is on turn at this count; the others hold deuces."""
    tens, rest = divmod(count, 10)
    made = ["TS", "TD", "TC"][:tens] + ([f"{rest if rest > 1 else 'A'}C"] if rest else [])
    others = [["2S", "2D"], ["2C", "2H"], ["3C", "3H"]]
    state = at_play(rules, [hand, *others[: rules.seats - 1]])
    played = tuple((rules.seats - 1, Card(word)) for word in made)
    return msgspec.structs.replace(state, played=played, count=count)


@every_variant
def test_r53_exactly_31_is_allowed_32_is_not(rules: Rules) -> None:
    for count in range(21, 31):
        state = at_count(rules, count, "AS 4H 6S 7S 8S 9S KS")
        for card in state.hands[0]:
            total = count + card.value
            if total <= 31:
                assert Play(0, card) in legal(state)
                _, events = step(state, Play(0, card))
                assert events[0] == Played(0, card, total)
            else:
                refused(state, Play(0, card), "count-past-31", "R53")
                with pytest.raises(IllegalAction) as caught:
                    step(state, Play(0, card))
                assert caught.value.values == {"card": card.text, "count": total}
                assert caught.value.seat == 0


@every_variant
def test_r54_who_can_play_must_and_may_not_say_go(rules: Rules) -> None:
    state = at_play(rules, HANDS[: rules.seats])
    for seat in range(rules.seats):
        refused(state, Go(seat), "go-with-playable-card" if seat == 0 else "out-of-turn", "R54")
    refused(state, Go(rules.seats), "no-such-seat", "R1")
    thirty = at_count(rules, 30, "AS KH")
    refused(thirty, Go(0), "go-with-playable-card", "R54")
    assert legal(thirty) == (Play(0, Card("AS")),)
    refused(discarded(rules), Go(1), "not-now", "R54")


def test_r55_who_cannot_play_says_go_and_is_passed_until_the_reset(subtests: pytest.Subtests) -> None:
    hands = ["KC KD 3S", "QC AH AD", "JC AS AC", "TC 2C 2D"]
    for rules in ALL:
        with subtests.test(variant=rules.variant):
            if rules.seats == 2:
                state = at_play(rules, ["KC KD 3S", "QC 9H AD"])
                state, events = do(state, plays("0:KC", "1:QC", "0:3S", "1:AD"))
                # The count is 24: seat 0 holds only a king, seat 1 a nine.
                assert pegging_entries(events)[-2:] == [[0, "go"], [1, "last", 1]]
                continue
            state = at_play(rules, hands[: rules.seats])
            state, events = do(state, plays("0:KC", "1:QC", "2:JC"))
            if rules.seats == 3:
                # The count is 30: seat 0 cannot play, seats 1 and 2 hold aces.
                assert events[-1] == WentGo(0)
                state, events = do(state, plays("1:AH"))
                assert counts(events) == [31]
            else:
                # The count is 30: seat 3, which holds a ten, and seat 0 say go in turn.
                assert events[-2:] == (WentGo(3), WentGo(0))
                assert state.turn == 1


def test_r55_a_go_is_said_once_in_a_count() -> None:
    state = at_play(SIX_CARD, ["KC KD QH QS", "JC 9H AD AC"])
    _, events = do(state, plays("0:KC", "1:JC", "0:KD", "1:AD"))
    assert pegging_entries(events) == [[0, "KC", 10, 0], [1, "JC", 20, 0], [0, "KD", 30, 0], [1, "AD", 31, 2]]
    state = at_play(SIX_CARD, ["KC KD 5H QS", "JC 2H 2D AC"])
    _, events = do(state, plays("0:KC", "1:JC", "0:5H", "1:2H", "1:2D", "1:AC"))
    goes = [event for event in events if isinstance(event, WentGo)]
    assert goes == [WentGo(0)]
    # 25, then 27 (go), 29 with a pair (C2: the go breaks nothing), 30, last card.
    assert pegging_entries(events)[3:] == [
        [1, "2H", 27, 0],
        [0, "go"],
        [1, "2D", 29, 2],
        [1, "AC", 30, 0],
        [1, "last", 1],
    ]


@every_variant
def test_r57_after_the_others_go_on_alone(rules: Rules) -> None:
    hands = ["KC KD", "QC AH 2H 3H AD", "KS QS", "JS QD"][: rules.seats]
    lead = plays("0:KC", "1:QC", "2:KS")[: min(rules.seats, 3)]
    state, events = do(at_play(rules, hands), lead)
    if rules.seats == 2:
        # 20: seat 0 plays the second king.
        state, events = do(state, plays("0:KD"))
    # 30: only seat 1 can play, and it must, although all others have said go.
    assert state.count == 30
    assert state.turn == 1
    assert legal(state) == (Play(1, Card("AH")), Play(1, Card("AD")))
    goes = {event.seat for event in events if isinstance(event, WentGo)}
    assert goes == {seat for seat in range(rules.seats) if seat not in (1, 2) and rules.seats > 2}
    _, events = do(state, plays("1:AH"))
    assert counts(events) == [31]


def test_r59_31_is_two_with_or_without_a_go(subtests: pytest.Subtests) -> None:
    for gone in (False, True):
        with subtests.test(gone=gone):
            hands = ["KC 9C KH" if gone else "KC 9C AH", "QC AC AS"]
            cards_played = plays("0:KC", "1:QC", "0:9C", "1:AC", "1:AS" if gone else "0:AH")
            _, events = do(at_play(SIX_CARD, hands), cards_played)
            assert (WentGo(0) in events) is gone
            made = next(event for event in events if isinstance(event, Pegged))
            assert made.points == 4  # a pair of aces, and 2 for 31
            assert [score.name for score in made.scores] == [ScoreName.PAIR, ScoreName.THIRTY_ONE]
            assert made.seat == (1 if gone else 0)
            assert points("KC QC 9C 2H") == 2
            assert points("KC QC 9C AH") == 0


@every_variant
def test_r60_last_card_below_31_is_one(rules: Rules) -> None:
    hands = ["KC 8D", "QC 9D", "KD TD", "QD TH"][: rules.seats]
    state, events = do(at_play(rules, hands), plays("0:KC", "1:QC"))
    while not counts(events):
        state, more = step(state, legal(state)[0])
        events = (*events, *more)
    last = [event for event in events if isinstance(event, Played)][-1]
    ones = [event for event in events if isinstance(event, Pegged) and event.reason is PeggedFor.LAST_CARD]
    assert [(one.seat, one.points, [score.cards for score in one.scores]) for one in ones] == [
        (last.seat, 1, [(last.card,)])
    ]


def test_r62_the_very_last_card(subtests: pytest.Subtests) -> None:
    for words, last, reasons in (
        ("KC", "3D", [(PeggedFor.LAST_CARD, 1, 1)]),
        ("KC QC TS", "AD", [(PeggedFor.PLAY, 1, 2)]),
        ("KC QC 9S", "AD", [(PeggedFor.LAST_CARD, 1, 1)]),
    ):
        with subtests.test(words=words, last=last, reasons=reasons):
            state = at_play(SIX_CARD, ["2C 3C 4C 5C", "2D 4D 5D 6D"])
            on_the_table = read(words)
            state = msgspec.structs.replace(
                state,
                hands=((), read(last)),
                played=tuple((0, card) for card in on_the_table),
                count=sum(card.value for card in on_the_table),
                turn=1,
            )
            _, events = step(state, Play(1, Card(last)))
            first_shown = next(place for place, event in enumerate(events) if isinstance(event, Shown))
            assert pegged(events[:first_shown]) == reasons
            assert not [event for event in events if isinstance(event, WentGo)]


def test_r62_last_card_and_a_fifteen_add_up_in_two_moves() -> None:
    """C3: the last-card point is a move of its own, after what the card makes."""
    state, events = do(at_play(SIX_CARD, ["8D", "7C"]), plays("0:8D", "1:7C"))
    assert pegged(events)[:2] == [(PeggedFor.PLAY, 1, 2), (PeggedFor.LAST_CARD, 1, 1)]
    assert state.deal == 1


@every_variant
def test_r63_the_count_is_turned_down_but_stays_in_order(rules: Rules) -> None:
    hands = ["KC QS 9D", "QC JD 8D", "JC QD 7D", "TC 6D KS"][: rules.seats]
    third = (0, "QS") if rules.seats == 2 else (2, "JC")
    state, events = do(at_play(rules, hands), plays("0:KC", "1:QC"))
    assert state.in_count == read("KC QC")
    state, events = do(state, plays(f"{third[0]}:{third[1]}"))
    assert counts(events) == [30]
    if rules.one_count:
        return
    assert state.in_count == ()
    assert state.count == 0
    for seat in range(rules.seats):
        seen = view(state, seat)
        played = [(player, card.text) for player, card in seen.played]
        assert played == [(0, "KC"), (1, "QC"), third]
        assert seen.count_ends == (3,)
        assert seen.in_count == ()


def test_r64_the_next_count_starts_from_nothing() -> None:
    state, events = do(at_play(SIX_CARD, ["KC QD 7S", "QC AH 8S"]), plays("0:KC", "1:QC", "0:QD", "1:AH"))
    assert counts(events) == [31]
    assert state.count == 0
    _, events = do(state, plays("0:7S", "1:8S"))
    assert [event.count for event in events if isinstance(event, Played)] == [7, 15]


def test_r65_the_other_player_leads_whichever_said_go() -> None:
    # Seat 1 plays the last card after seat 0's go: seat 0 leads.
    state, events = do(at_play(SIX_CARD, ["KC KD 9S", "QC 7H 8H"]), plays("0:KC", "1:QC", "0:9S"))
    assert pegging_entries(events)[-2:] == [[1, "go"], [0, "last", 1]]
    assert state.turn == 1
    # 31 after the opponent's go: the opponent leads, not the maker of 31 (C4).
    state, events = do(
        at_play(SIX_CARD, ["KC KD 5S", "QC AH 9H 3C 2C"]), plays("0:KC", "1:QC", "0:5S", "1:3C")
    )
    assert state.turn == 1
    state, events = do(state, plays("1:2C", "1:AH"))
    assert counts(events) == [31]
    assert state.turn == 0


def test_r65_left_of_the_last_card_leads(subtests: pytest.Subtests) -> None:
    """C4 with three and four players, below 31 and at 31."""
    for rules in MANY_SEATS:
        with subtests.test(variant=rules.variant):
            hands = [["KC", "9C", "8S"], ["KD", "AS", "8D"], ["9D", "8H", "7S"], ["QS", "7C", "6C"]][
                : rules.seats
            ]
            state, events = do(at_play(rules, hands), plays("0:KC", "1:KD", "2:9D", "1:AS"))
            last = [event for event in events if isinstance(event, WentGo)]
            assert sorted(event.seat for event in last) == [seat for seat in range(rules.seats) if seat != 1]
            assert pegging_entries(events)[-1] == [1, "last", 1]
            assert state.turn == 2
            hands[0][1] = "2C"
            hands[1][1] = "7D"
            state, events = do(at_play(rules, hands), plays("0:KC", "1:KD", "2:9D", "0:2C"))
            assert counts(events) == [31]
            assert state.turn == 1


def test_r68_fifteen(subtests: pytest.Subtests) -> None:
    for words in ("7C 8D", "5C TD", "AC 4D KS", "9H 4S 2D"):
        with subtests.test(words=words):
            assert names(words).count(ScoreName.FIFTEEN) == 1
            assert points(words) == 2


def test_r70_pairs_and_runs_stay_within_a_count(subtests: pytest.Subtests) -> None:
    """C1: a seven and an eight after a reset make nothing with the 6 and 7 before it."""
    for rules in [rules for rules in ALL if not rules.one_count]:
        with subtests.test(variant=rules.variant):
            hands = ["8D 7S", "8H TC", "9H TD", "TH TS"][: rules.seats]
            state = at_play(rules, hands)
            before = ((0, Card("6H")), (1, Card("7D")))
            for card, within in (("7S", 2), ("8D", 3)):
                after_reset = msgspec.structs.replace(state, played=before, count_ends=(2,))
                _, events = step(after_reset, Play(0, Card(card)))
                assert pegged(events) == []
                same_count = msgspec.structs.replace(state, played=before, count=13)
                _, events = step(same_count, Play(0, Card(card)))
                assert pegged(events) == [(PeggedFor.PLAY, 0, within)]


def test_r72_runs_in_any_order() -> None:
    for size in (3, 4, 5, 6, 7):
        for cards_played in permutations("A234567"[:size]):
            words = " ".join(rank + "SHDC"[place % 4] for place, rank in enumerate(cards_played))
            runs = [s.points for s in pegging.scores(read(words)) if s.name is ScoreName.RUN]
            assert runs == [size]


def test_r72_every_four_ranks_that_fit_score_as_in_the_text() -> None:
    tried = 0
    for size in (1, 2, 3, 4, 5):
        for ranks in product("A234567T" if size > 3 else "A23456789TJQK", repeat=size):
            if any(ranks.count(rank) > 4 for rank in ranks):
                continue
            used = [rank + "SHDC"[ranks[:place].count(rank)] for place, rank in enumerate(ranks)]
            if sum(Card(card).value for card in used) <= 31:
                assert points(" ".join(used)) == play_points(used), used
                tried += 1
    assert tried > 20_000


def test_r74_no_flush_in_pegging() -> None:
    assert points("2H 4H 8H KH") == 0
    assert points("AH 4H 9H QH 6H") == 0


def test_r75_scores_of_one_card_are_added(subtests: pytest.Subtests) -> None:
    for words, made in (
        ("4C 5D 6S", {ScoreName.FIFTEEN: 2, ScoreName.RUN: 3}),
        ("5C 5D 5S", {ScoreName.FIFTEEN: 2, ScoreName.PAIR_ROYAL: 6}),
        ("9C 3D 3S", {ScoreName.FIFTEEN: 2, ScoreName.PAIR: 2}),
        ("KC 9D AH AS TS", {ScoreName.THIRTY_ONE: 2}),
        ("KC 9D TH AS AD", {ScoreName.PAIR: 2, ScoreName.THIRTY_ONE: 2}),
        ("9C TD JS AH", {}),
        ("9D KC 3C 4D 5S", {ScoreName.RUN: 3, ScoreName.THIRTY_ONE: 2}),
        ("7C 7D 5H 4S 4H 4D", {ScoreName.PAIR_ROYAL: 6, ScoreName.THIRTY_ONE: 2}),
        ("3C 2D AS 4H 5C", {ScoreName.FIFTEEN: 2, ScoreName.RUN: 5}),
        ("AC 2D 3S 4H 5C 6D 7C", {ScoreName.RUN: 7}),
    ):
        with subtests.test(words=words, made=made):
            assert {score.name: score.points for score in pegging.scores(read(words))} == made


@every_variant
def test_r76_points_of_the_play_are_pegged_at_once_and_can_win(rules: Rules) -> None:
    hands = ["KC 2D", "KD 3D", "KH 4D", "2S 5D"][: rules.seats]
    front = [rules.target - 1] * rules.sides
    state, events = do(at_play(rules, hands, front=front), plays("0:KC", "1:KD"))
    assert isinstance(events[-1], GameWon)
    assert events[-1].side == 1
    # The last-card point wins too, before the show.
    state, last = before_last_card(rules, HANDS, starter="QS", crib="QH QD KC KS", front=front)
    state, events = step(state, last)
    assert [type(event) for event in events] == [Played, Pegged, GameWon]
    front = [rules.target - 2] * rules.sides
    state, last = before_last_card(rules, HANDS, starter="QS", crib="QH QD KC KS", front=front)
    _, events = step(state, last)
    assert not isinstance(events[2], GameWon)
    assert isinstance(events[-1], GameWon)
