"""R24–R49: the draw, the deal, discarding, the starter; each by its number."""

from itertools import combinations

import msgspec
import pytest

from fifteentwo.rules import draw
from fifteentwo.rules.actions import Cut, Deal, Discard, Draw, NameDealer, Play, TurnUp
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.decks import chance, seeded
from fifteentwo.rules.errors import InvalidRules
from fifteentwo.rules.events import (
    DealEnded,
    DealerChosen,
    Dealt,
    DeckCut,
    Discarded,
    DrawTied,
    GameWon,
    PartnersMade,
    StarterTurned,
    StockCut,
)
from fifteentwo.rules.game import legal, step, to_act
from fifteentwo.rules.state import Phase, start
from fifteentwo.rules.variants import SIX_CARD, Rules, rules_for
from fifteentwo.rules.view import choices, see, view
from tests.rules.positions import (
    ALL,
    VARIANTS,
    at_play,
    before_last_card,
    dealing,
    dealt,
    discarded,
    do,
    drawing,
    every_variant,
    pegged,
    plays,
    read,
    refused,
)

# ── 1C First dealer and partners ─────────────────────────────────────────────────────────────────────────


@every_variant
def test_r24_each_takes_one_card_of_the_spread_deck(rules: Rules) -> None:
    state = start(rules)
    assert set(to_act(state)) == set(range(rules.seats))
    assert len(legal(state)) == 52 * rules.seats
    for at in (-1, 52, 1000):
        refused(state, Draw(0, at), "no-card-there", "R24")
    refused(state, Draw(rules.seats, 0), "no-such-seat", "R1")
    refused(state, Draw(-1, 0), "no-such-seat", "R1")
    state, _ = step(state, Draw(1, 51))
    assert to_act(state) == ()
    refused(state, Draw(0, 3), "not-now", "R24")
    assert len(legal(state)) == 52
    state, _ = step(state, TurnUp(Card("9H")))
    refused(state, Draw(0, 51), "no-card-there", "R24")
    refused(state, Draw(1, 3), "out-of-turn", "R24")
    state, _ = step(state, Draw(0, 0))
    refused(state, TurnUp(Card("9H")), "card-not-in-stock", "R24")
    assert Card("9H") in view(state, 0).drawn[1]


DRAWS = {2: ("0:9S", "1:TH"), 3: ("0:9S", "1:TH", "2:4D"), 4: ("0:9S", "1:TH", "2:4D", "3:QC")}


@every_variant
def test_r25_low_or_high_card_deals(rules: Rules) -> None:
    low, _ = drawing(rules_for(rules.variant, first_dealer="low"), *DRAWS[rules.seats])
    high, _ = drawing(rules_for(rules.variant, first_dealer="high"), *DRAWS[rules.seats])
    assert low.dealer == {2: 0, 3: 2, 4: 2}[rules.seats]
    assert high.dealer == {2: 1, 3: 1, 4: 3}[rules.seats]
    assert low.phase is high.phase is Phase.CUT


def test_r26_king_high_ace_low_whatever_the_suit(subtests: pytest.Subtests) -> None:
    for lower in range(12):
        with subtests.test(lower=lower):
            low, high = ("A23456789TJQK"[lower], "A23456789TJQK"[lower + 1])
            for one, other in (("S", "C"), ("C", "S")):
                draws = (f"0:{high}{one}", f"1:{low}{other}")
                assert drawing(rules_for("six-card", first_dealer="low"), *draws)[0].dealer == 1
                assert drawing(rules_for("six-card", first_dealer="high"), *draws)[0].dealer == 0


def test_r27_equal_cards_draw_again(subtests: pytest.Subtests) -> None:
    for first in ("low", "high"):
        with subtests.test(first=first):
            rules = rules_for("six-card", first_dealer=first)
            state, events = drawing(rules, "0:5H", "1:5S")
            assert events[-1] == DrawTied((0, 1))
            assert state.phase is Phase.DRAW
            assert set(to_act(state)) == {0, 1}
            # The deck is gathered: every place and every card may come again.
            assert len(legal(state)) == 104
            state, events = do(state, [Draw(1, 0), TurnUp(Card("5H")), Draw(0, 1), TurnUp(Card("5S"))])
            assert events[-1] == DrawTied((0, 1))
            state, events = do(state, [Draw(1, 0), TurnUp(Card("AC")), Draw(0, 1), TurnUp(Card("KC"))])
            assert events[-1] == DealerChosen(1 if first == "low" else 0)
            assert state.drawn == (read("5H 5S KC"), read("5S 5H AC"))


def test_r27_only_those_tied_for_the_deal_draw_again() -> None:
    for variant in ("three-handed", "four-handed", "partners"):
        extra = () if variant == "three-handed" else ("3:9S",)
        # A tie that does not decide anything is no tie.
        state, events = drawing(rules_for(variant), "0:KH", "1:KS", "2:4D", *extra)
        assert state.dealer == 2
        # Two tied lowest: the third is out of it, though its first card beats both second cards.
        state, events = drawing(rules_for(variant), "0:3H", "1:8S", "2:3D", *extra)
        assert events[-1] == DrawTied((0, 2))
        assert set(to_act(state)) == {0, 2}
        refused(state, Draw(1, 9), "out-of-turn", "R24")
        state, _ = do(state, [Draw(2, 0), TurnUp(Card("QC")), Draw(0, 1), TurnUp(Card("KC"))])
        assert state.dealer == 2


def test_r28_any_other_way_the_dealer_is_named() -> None:
    for variant in VARIANTS:
        rules = rules_for(variant, first_dealer="named")
        state = start(rules)
        assert state.phase is Phase.NAME_DEALER
        assert legal(state) == tuple(NameDealer(seat) for seat in range(rules.seats))
        refused(state, Draw(0, 0), "not-now", "R24")
        for no_seat in (-1, rules.seats):
            refused(state, NameDealer(no_seat), "no-such-seat", "R28")
        for seat in range(rules.seats):
            assert step(state, NameDealer(seat))[0].dealer == seat
        # The next game of a match may be named even where the first was drawn for (C14).
        assert start(rules_for(variant), named=True).phase is Phase.NAME_DEALER
    refused(start(SIX_CARD), NameDealer(0), "not-now", "R28")


def test_r29_the_higher_two_play_the_lower_two(subtests: pytest.Subtests) -> None:
    for first in ("low", "high"):
        with subtests.test(first=first):
            rules = rules_for("partners", partners_by_draw=True, first_dealer=first)
            ranks = ["3", "6", "9", "Q"]
            for a, b, c, d in (
                (0, 1, 2, 3),
                (3, 2, 1, 0),
                (0, 3, 1, 2),
                (2, 0, 3, 1),
                (1, 3, 0, 2),
                (3, 0, 2, 1),
            ):
                drawn = {0: ranks[a], 1: ranks[b], 2: ranks[c], 3: ranks[d]}
                state, events = drawing(rules, *(f"{seat}:{rank}S" for seat, rank in drawn.items()))
                made = next(event for event in events if isinstance(event, PartnersMade))
                assert state.seating == made.seating
                assert sorted(state.seating) == [0, 1, 2, 3]
                assert state.seating[0] == 0
                at = [drawn[person] for person in state.seating]
                high = {"9", "Q"}
                assert {at[0], at[2]} in (high, {"3", "6"})
                assert {at[1], at[3]} in (high, {"3", "6"})
                assert [cards_[0].text[0] for cards_ in state.drawn] == at
                assert at[state.dealer] == ("3" if first == "low" else "Q")


def test_r29_a_tie_between_the_pairs_is_drawn_again(subtests: pytest.Subtests) -> None:
    for first in ("low", "high"):
        with subtests.test(first=first):
            rules = rules_for("partners", partners_by_draw=True, first_dealer=first)
            state, events = drawing(rules, "0:3S", "1:8S", "2:8H", "3:QS")
            assert events[-1] == DrawTied((1, 2))
            state, events = do(state, [Draw(1, 0), TurnUp(Card("2C")), Draw(2, 1), TurnUp(Card("KC"))])
            assert isinstance(events[-2], PartnersMade)
            # 1 fell to the lower pair with 0: they sit opposite.
            assert state.seating == (0, 2, 1, 3)
            # Ties inside a pair decide nothing unless the deal hangs on them.
            _, events = drawing(rules, "0:3S", "1:3H", "2:QH", "3:QS")
            assert events[-1] == DrawTied((0, 1) if first == "low" else (2, 3))
            # Three alike across the border, and all four alike.
            _, events = drawing(rules, "0:3S", "1:8H", "2:8D", "3:8S")
            assert events[-1] == DrawTied((1, 2, 3))
            _, events = drawing(rules, "0:8C", "1:8H", "2:8D", "3:8S")
            assert events[-1] == DrawTied((0, 1, 2, 3))


def test_r29_partners_are_drawn_only_by_partners_and_only_by_a_draw() -> None:
    for variant in VARIANTS:
        if variant != "partners":
            with pytest.raises(InvalidRules) as caught:
                rules_for(variant, partners_by_draw=True)
            assert caught.value.code == "no-partners-to-draw"
    with pytest.raises(InvalidRules) as caught:
        rules_for("partners", partners_by_draw=True, first_dealer="named")
    assert caught.value.code == "partners-draw-needs-draw"


def test_r29_every_draw_of_four_ranks_ends_in_two_pairs_or_a_tie() -> None:
    rules = rules_for("partners", partners_by_draw=True)
    for a in range(1, 14):
        for b in range(1, 14):
            for c in (1, 5, 6, 13):
                for d in (1, 5, 6, 13):
                    drawn = tuple((DECK[(rank - 1) * 4 + seat],) for seat, rank in enumerate((a, b, c, d)))
                    ranks = [a, b, c, d]
                    order = sorted(ranks)
                    again = draw.tied_seats(rules, drawn)
                    decided = order[1] != order[2] and order[0] != order[1]
                    assert (again == ()) == decided, ranks
                    if decided:
                        seats = draw.seating(drawn)
                        pairs = [{ranks[seats[0]], ranks[seats[2]]}, {ranks[seats[1]], ranks[seats[3]]}]
                        assert set(order[2:]) in pairs


@every_variant
def test_r30_the_deal_passes_to_the_left(rules: Rules) -> None:
    hands = ["2S 4H 6D 8C", "2H 4D 6C 8S", "2D 4C 6S 8H", "2C 4S 6H 8D"][: rules.seats]
    state, last = before_last_card(rules, hands, starter="QS", crib="QH QD KC KS")
    state, events = step(state, last)
    assert events[-1] == DealEnded(0)
    assert state.dealer == 0
    assert state.phase is Phase.CUT
    assert to_act(state) == (1,)


# ── 1D Shuffle, cut, deal ────────────────────────────────────────────────────────────────────────────────


def test_r31_a_shuffled_deck_is_all_52_cards_and_not_in_order() -> None:
    for name in ("deal-1", "deal-2", "draw-1"):
        deck = seeded(1)(name)
        assert sorted(deck) == list(DECK)
        assert deck != DECK
    assert seeded(1)("deal-1") != seeded(1)("deal-2")
    assert seeded(1)("deal-1") == seeded(1)("deal-1")


@every_variant
def test_r32_the_player_on_the_dealers_left_cuts(rules: Rules) -> None:
    for dealer in range(rules.seats):
        state, _ = step(start(rules, named=True), NameDealer(dealer))
        cutter = (dealer + 1) % rules.seats
        assert to_act(state) == (cutter,)
        for seat in range(rules.seats):
            if seat != cutter:
                refused(state, Cut(seat, 20), "out-of-turn", "R32")
        for at in (-1, 0, 3, 49, 52):
            refused(state, Cut(cutter, at), "cut-too-thin", "R32")
        for at in (4, 48):
            after, events = step(state, Cut(cutter, at))
            assert events == (DeckCut(cutter, at),)
            assert after.phase is Phase.DEAL
        without, _ = step(
            start(rules_for(rules.variant, cut_before_deal=False), named=True), NameDealer(dealer)
        )
        assert without.phase is Phase.DEAL
        refused(without, Cut(cutter, 20), "not-now", "R32")


def test_r32_the_cut_moves_the_cards() -> None:
    decks = seeded("cut")
    state, _ = step(start(SIX_CARD, named=True), NameDealer(0))
    for at in (4, 20, 48):
        cut, _ = step(state, Cut(1, at))
        deal = chance(cut, decks)
        assert isinstance(deal, Deal)
        deck = decks("deal-1")
        assert deal.cards == (deck[at:] + deck[:at])[:12]


@every_variant
def test_r33_one_at_a_time_the_dealers_left_first(rules: Rules) -> None:
    for dealer in range(rules.seats):
        state = dealing(rules, dealer)
        number = rules.seats * rules.dealt + rules.dealt_to_crib
        after, events = step(state, Deal(DECK[:number]))
        for place in range(rules.seats):
            seat = (dealer + 1 + place) % rules.seats
            assert after.hands[seat] == tuple(DECK[place + rules.seats * row] for row in range(rules.dealt))
        # Face down: no player sees another hand.
        for seat in range(rules.seats):
            seen = see(events[0], seat)
            assert isinstance(seen, Dealt)
            assert seen.hands[seat] == after.hands[seat]
            assert all(not hand for other, hand in enumerate(seen.hands) if other != seat)
            assert seen.crib == ()
        assert see(events[0], None) == Dealt(((),) * rules.seats, ())


def test_r34_r35_r36_r37_r39_r40_r41_numbers_of_cards(subtests: pytest.Subtests) -> None:
    for variant, dealt_, crib, away, kept in (
        ("six-card", 6, 0, 2, 4),
        ("five-card", 5, 0, 2, 3),
        ("three-handed", 5, 1, 1, 4),
        ("partners", 5, 0, 1, 4),
        ("four-handed", 5, 0, 1, 4),
    ):
        with subtests.test(variant=variant, dealt_=dealt_, crib=crib, away=away, kept=kept):
            rules = rules_for(variant)
            assert (rules.dealt, rules.dealt_to_crib, rules.discards, rules.kept) == (
                dealt_,
                crib,
                away,
                kept,
            )
            state = dealing(rules)
            number = rules.seats * dealt_ + crib
            for wrong in (0, number - 1, number + 1, 52):
                refused(state, Deal(DECK[:wrong]), "wrong-number-of-cards", "R33")
            state, _ = step(state, Deal(DECK[:number]))
            assert [len(hand) for hand in state.hands] == [dealt_] * rules.seats
            assert len(state.crib) == crib
            state = discarded(rules)
            assert [len(hand) for hand in state.hands] == [kept] * rules.seats
            assert state.kept == state.hands
            assert len(state.crib) == 4


def test_r35_the_extra_card_goes_face_down_to_the_crib() -> None:
    rules = rules_for("three-handed")
    state, events = step(dealing(rules), Deal(DECK[:16]))
    assert state.crib == (DECK[15],)
    for seat in (0, 1, 2, None):
        seen = see(events[0], seat)
        assert isinstance(seen, Dealt)
        assert seen.crib == ()


def test_r38_the_stock_is_what_was_not_dealt() -> None:
    for rules in ALL:
        state = discarded(rules)
        state, _ = step(state, Cut(state.eldest, 4))
        number = rules.seats * rules.dealt + rules.dealt_to_crib
        assert {action.card for action in legal(state) if isinstance(action, TurnUp)} == set(DECK[number:])


# ── 1E The crib ──────────────────────────────────────────────────────────────────────────────────────────


@every_variant
def test_r39_r40_discarding(rules: Rules) -> None:
    rule = "R39" if rules.seats == 2 else "R40"
    state = dealt(rules)
    hand = state.hands[0]
    away = rules.discards
    for wrong in (0, away - 1, away + 1, rules.dealt):
        refused(state, Discard(0, hand[:wrong]), "wrong-number-of-cards", rule)
    if away == 2:
        refused(state, Discard(0, (hand[0], hand[0])), "wrong-number-of-cards", rule)
    refused(state, Discard(0, state.hands[1][:away]), "card-not-held", rule)
    refused(state, Discard(0, (*hand[: away - 1], DECK[51])), "card-not-held", rule)
    refused(state, Discard(rules.seats, hand[:away]), "no-such-seat", "R1")
    refused(state, Play(1, state.hands[1][0]), "not-now", "R50")
    # Everybody may, in any order (C19), and a discard is final.
    assert set(to_act(state)) == set(range(rules.seats))
    for chosen in combinations(hand, away):
        assert Discard(0, chosen) in legal(state)
    for seat in reversed(range(rules.seats)):
        played = Discard(seat, state.hands[seat][-away:])
        state, events = step(state, played)
        assert events == (Discarded(seat, played.cards),)
        for other in (*range(rules.seats), None):
            assert see(events[0], other) == Discarded(seat, played.cards if other == seat else ())
        assert state.phase is (Phase.CUT_STOCK if seat == 0 else Phase.DISCARD)
        if seat:
            refused(state, Discard(seat, state.hands[seat][:away]), "out-of-turn", rule)


# ── 1F The starter ───────────────────────────────────────────────────────────────────────────────────────


@every_variant
def test_r45_the_cut_for_the_starter_or_the_top_card(rules: Rules) -> None:
    for dealer in range(rules.seats):
        state = discarded(rules, dealer)
        cutter = (dealer + 1) % rules.seats
        stock = 52 - rules.seats * rules.dealt - rules.dealt_to_crib
        deck = seeded("starter")("deal-1")
        lifted = deck[20:] + deck[:20]
        assert to_act(state) == (cutter,)
        refused(state, Cut(dealer, 10), "out-of-turn", "R45")
        for at in (0, 3, stock - 3, stock):
            refused(state, Cut(cutter, at), "cut-too-thin", "R45")
        for at in (4, stock - 4):
            after, events = step(state, Cut(cutter, at))
            assert events == (StockCut(cutter, at),)
            turn = chance(after, seeded("starter"))
            assert isinstance(turn, TurnUp)
            assert turn.card is lifted[52 - stock + at]
        top = discarded(rules_for(rules.variant, starter="top"), dealer)
        assert top.phase is Phase.STARTER
        refused(top, Cut(cutter, 10), "not-now", "R32")
        turn = chance(top, seeded("starter"))
        assert isinstance(turn, TurnUp)
        assert turn.card is lifted[52 - stock]


@every_variant
def test_r46_the_starter_lies_open(rules: Rules) -> None:
    state = discarded(rules_for(rules.variant, starter="top"))
    refused(state, Deal(DECK[:12]), "not-now", "R33")
    state, events = step(state, TurnUp(Card("9C")))
    assert events == (StarterTurned(Card("9C")),)
    for seat in range(rules.seats):
        assert view(state, seat).starter is Card("9C")
        assert see(events[0], seat) == events[0]


@every_variant
def test_r47_heels_can_win(rules: Rules) -> None:
    for short, won in ((1, True), (2, True), (3, False)):
        ready = discarded(rules_for(rules.variant, starter="top"), dealer=1)
        front = tuple(rules.target - short for _ in range(rules.sides))
        state, events = step(msgspec.structs.replace(ready, front=front), TurnUp(Card("JC")))
        assert (state.won is not None) is won
        assert isinstance(events[-1], GameWon) is won
        if won:
            assert state.front[1] == rules.target
            refused(state, Play(state.eldest, state.hands[state.eldest][0]), "game-over", "R14")


@every_variant
def test_r48_the_starter_takes_no_part_in_pegging(rules: Rules) -> None:
    hands = ["7C 2H", "9D 3S", "KD 4S", "QD 5S"][: rules.seats]
    state = at_play(rules, hands, starter="8C")
    refused(state, Play(0, Card("8C")), "card-not-held", "R51")
    _, events = do(state, plays("0:7C", "1:9D"))
    assert pegged(events) == []


@every_variant
def test_r49_the_play_waits_for_the_starter(rules: Rules) -> None:
    state = discarded(rules)
    refused(state, Play(1, state.hands[1][0]), "not-now", "R50")
    state, _ = step(state, Cut(state.eldest, 10))
    assert state.phase is Phase.STARTER
    assert to_act(state) == ()
    refused(state, Play(1, state.hands[1][0]), "not-now", "R50")
    assert all(choices(view(state, seat)) == () for seat in range(rules.seats))


@every_variant
def test_r11_everybody_knows_who_deals(rules: Rules) -> None:
    for dealer in range(rules.seats):
        state = dealt(rules, dealer)
        seen = [view(state, seat) for seat in range(rules.seats)]
        assert [look.dealer for look in seen] == [dealer] * rules.seats
        assert [look.is_dealer for look in seen] == [seat == dealer for seat in range(rules.seats)]
