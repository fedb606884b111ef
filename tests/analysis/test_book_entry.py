"""The Book: every discard, board and card agrees with an independent computation."""

import json
import random
from itertools import combinations

import numpy as np
import pytest

from fifteentwo.analysis.book.entry import count_alike, entry, error_of, in_order, joined, measured, report
from fifteentwo.analysis.book.play import Asked, address, position
from fifteentwo.analysis.book.zones import bands_of, zones
from fifteentwo.analysis.discards import discard
from fifteentwo.analysis.pegging.look_ahead import LookAhead
from fifteentwo.analysis.pegging.one_count import OneCount
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.all_boards import chances
from fifteentwo.analysis.win.shows import WAYS
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import DECK, Card, cards
from fifteentwo.rules.errors import IllegalAction, NotationError
from fifteentwo.rules.record import replay
from fifteentwo.rules.state import Phase, start
from fifteentwo.rules.variants import FIVE_CARD
from fifteentwo.rules.view import view
from fifteentwo.strategy import five_card
from fifteentwo.strategy.discards import Role, discard_frequencies
from fifteentwo.strategy.files import data_file
from tests.support.errors import raises_code
from tests.support.recorded_games import played

HANDS = ("5H 5S 6D 7C JC KD", "JS JH JD JC 5S 5H", "AS 2S 3S 4S 5S 6S", "2H 4S 7D 8C QC KD")
FIVES = ("5H 5S 6D JC KD", "JH JD JC JS 5S", "AS 2S 3S 4S 9S")
ROLES: tuple[Role, ...] = ("pone", "dealer")


# ── All boards at once ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("hand", HANDS)
def test_all_boards_at_once_equal_single_boards(hand: str, role: Role) -> None:
    """Boards far from the target, at either edge, and where both sides may win in pegging."""
    known = win.prospects(in_order(cards(hand)), role == "dealer")
    found = chances(known)
    luck = random.Random(hand + role)
    boards = [(luck.randrange(low, 121), luck.randrange(high, 121)) for low in (0, 95) for high in (0, 95)]
    boards += [(0, 0), (0, 120), (120, 0), (120, 120), (119, 120), (120, 119), (96, 95), (103, 97)]
    for own, other in boards:
        assert np.abs(found[:, own, other] - (1 + known.values(own, other)) / 2).max() < 1e-12, (own, other)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("hand", FIVES)
def test_r104_all_boards_to_61_at_once_equal_single_boards(hand: str, role: Role) -> None:
    known = win.prospects(in_order(cards(hand)), role == "dealer")
    found = chances(known)
    assert found.shape == (10, 61, 61)
    luck = random.Random(hand + role)
    boards = [(luck.randrange(low, 61), luck.randrange(high, 61)) for low in (0, 45) for high in (0, 45)]
    for own, other in [*boards, (0, 3), (3, 0), (0, 60), (60, 0), (60, 60), (59, 60), (48, 47)]:
        value = known.values(own, other, "five-card")
        assert np.abs(found[:, own, other] - (1 + value) / 2).max() < 1e-12, (own, other)


# ── Six cards ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("hand", HANDS)
def test_an_entry_says_what_discard_says_and_the_equilibrium(hand: str, role: Role) -> None:
    held, board = cards(hand), (97, 104)
    page = report(entry(held, dealer=role == "dealer", board=board))
    figures = discard.report(in_order(held), own_crib=role == "dealer", board=board)["options"]
    for one, other in zip(page["options"], figures, strict=True):
        for name in ("discard", "keep"):
            assert one[name] == other[name]
        for name in ("hand", "crib", "pegging", "net", "win"):
            assert one[name] == pytest.approx(other[name], abs=1e-6)
    frequencies = {
        frozenset(map(str, pair)): frequency for pair, frequency in discard_frequencies(held, role).items()
    }
    for one in page["options"]:
        assert one["frequency"] == pytest.approx(frequencies.get(frozenset(one["discard"]), 0), abs=1e-6)
    assert json.loads(json.dumps(page)) == page


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("hand", FIVES)
def test_r99_five_cards_are_of_five_card_cribbage(hand: str, role: Role) -> None:
    held, board, dealer = in_order(cards(hand)), (41, 52), role == "dealer"
    page = entry(held, dealer=dealer, board=board)
    plain = report(page)
    figures = discard.report(held, own_crib=dealer, board=board, variant="five-card")["options"]
    assert plain["five"] == [card.text for card in held]
    assert len(plain["options"]) == 10
    for one, other in zip(plain["options"], figures, strict=True):
        assert {name: one[name] for name in other} == other
    frequencies = {
        frozenset(pair): often for pair, often in five_card.discard_frequencies(held, role).items()
    }
    for one in page.discards:
        for points in (one.hand_points, one.crib_points, one.play_points, one.deal_points):
            assert sum(points.chances) == pytest.approx(1)
        assert one.play_points.mean == pytest.approx(one.pegging, abs=1e-3)
        assert one.frequency == frequencies.get(frozenset(one.discard), 0.0)
    assert error_of((0, 3), 0.5, FIVE_CARD) < error_of(board, 0.5, FIVE_CARD) == page.error


@pytest.mark.parametrize("role", ROLES)
def test_an_entry_does_not_know_the_names_of_suits_nor_the_order(role: Role) -> None:
    held = cards("3C 5C 6C 8D JH QD")
    renamed = {"C": "S", "D": "H", "H": "C", "S": "D"}
    again = [Card(card.text[0] + renamed[card.text[1]]) for card in reversed(held)]
    one, other = (entry(six, dealer=role == "dealer", board=(90, 80)) for six in (held, again))
    by_ranks = [
        sorted((sorted(card.rank for card in one.discard), round(one.win, 9)) for one in page.discards)
        for page in (one, other)
    ]
    assert by_ranks[0] == by_ranks[1]
    assert one.deals == other.deals == 24


def test_classes_of_hands_sum_to_all_hands() -> None:
    small = DECK[:12]
    by_class: dict[tuple[tuple[int, ...], ...], tuple[Card, ...]] = {}
    for six in combinations(small, 6):
        suits = sorted(tuple(int(card.rank) for card in six if card.suit == suit) for suit in "SHDC")
        by_class.setdefault(tuple(suits), six)
    assert sum(count_alike(six) for six in by_class.values()) == 924


def test_errors_are_those_measured_at_such_a_board() -> None:
    stored = json.loads(data_file("win_rollouts.json").read_text(encoding="utf-8"))
    ends = json.loads(data_file("win_rollouts_end.json").read_text(encoding="utf-8"))
    name = "root_mean_square_without_noise"
    assert error_of((40, 60), 0.5) == stored[name] / 100
    assert error_of((40, 100), 0.5) == error_of((97, 120), 0.99) == stored[f"{name}_near"] / 100
    assert error_of((97, 120), 0.5) == ends[name] / 100
    assert 0 < measured().anywhere < measured().near < measured().end < 0.03
    assert stored["digests"] == ends["digests"]


@pytest.mark.parametrize("held", ["5H 5S 6D 7C", "5H 5S 6D 7C JC KD 2C"])
def test_r33_other_than_six_cards_or_five_are_refused(held: str) -> None:
    with pytest.raises(NotationError):
        entry(cards(held), dealer=True, board=(0, 0))
    with pytest.raises(NotationError):
        entry([*cards(held)[:4], Card("5H")], dealer=True, board=(0, 0))


# ── The map ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("role", ROLES)
def test_the_map_gives_every_board_a_discard_as_good_as_the_best(role: Role) -> None:
    six = in_order(cards(HANDS[0]))
    found = zones(six, dealer=role == "dealer")
    wins = chances(win.prospects(six, role == "dealer"))
    ways = np.array([zone.way for zone in found.zones])
    lost = wins.max(axis=0) - np.take_along_axis(wins, ways[found.best][None], axis=0)[0]
    assert lost.max() <= win.TIE_MARGIN
    assert lost[found.clear].max() == 0
    assert sum(zone.boards for zone in found.zones) == 121**2
    assert sum(zone.clearly for zone in found.zones) == found.clear.sum()
    assert [six[place] for place in WAYS[found.zones[0].way]] == list(found.zones[0].discard)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("hand", "target"), [(HANDS[3], 121), (FIVES[0], 61)])
def test_bands_cover_all_boards_and_say_what_their_discard_costs(hand: str, target: int, role: Role) -> None:
    dealt = in_order(cards(hand))
    bands = bands_of(dealt)
    needs = [need for band in bands for need in range(band[0], band[1] + 1)]
    assert needs == list(range(1, target + 1))
    found = zones(dealt, dealer=role == "dealer")
    wins = chances(win.prospects(dealt, role == "dealer"))
    assert sum(zone.boards for zone in found.zones) == target**2
    for row, own in zip(found.bands, bands, strict=True):
        for band, other in zip(row, bands, strict=True):
            assert (band.own, band.other) == (own, other)
            columns = slice(target - other[1], target + 1 - other[0])
            box = wins[:, target - own[1] : target + 1 - own[0], columns]
            lost = (box.max(axis=0) - box).mean(axis=(1, 2))
            assert band.loses == pytest.approx(lost[found.zones[band.zone].way])
            assert band.loses <= lost.min() + 1e-4


# ── The play ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("seed", "variant", "number"), [(3, "six-card", 20), (8, "six-card", 20), (8, "five-card", 6)]
)
def test_r51_book_values_of_cards_equal_those_at_the_table(seed: int, variant: str, number: int) -> None:
    """The address contains what the seat knew, and nothing else is used."""
    record = played(["club", "greedy"], seed, variant)
    state, began = start(record.rules, named=record.named), (0, 0)
    compared = 0
    for action, after, _ in replay(record):
        if isinstance(action, Discard) and not any(state.discarded):
            began = state.front[0], state.front[1]
        if isinstance(action, Play) and state.phase is Phase.PLAY and compared < number:
            seen = view(state, action.seat)
            assert seen.starter is not None
            asked = Asked(
                dealt=in_order((*seen.kept, *seen.discarded)),
                dealer=seen.is_dealer,
                board=(began[seen.seat], began[1 - seen.seat]),
                discard=seen.discarded,
                starter=seen.starter,
                played=tuple(card for _, card in seen.played),
            )
            found = position(asked)
            assert found.turn == "own"
            assert found.score == (seen.front[seen.side], seen.front[1 - seen.side])
            assert (found.count, found.hand) == (seen.count, in_order(seen.hand))
            if variant == "five-card":
                chances_of = {rank: chance for rank, (_, chance) in OneCount(seen).values().items()}
            else:
                chances_of = LookAhead(seen).wins(LookAhead(seen).chances(games=False))
            wins = {one.card.index >> 2: one.win for one in found.options}
            assert wins == pytest.approx(chances_of, abs=1e-12)
            assert sum(one.frequency for one in found.options) == pytest.approx(1)
            assert address(asked).endswith(joined(asked.played))
            compared += 1
        state = after
    assert compared == number


BASE = Asked(
    dealt=cards("5H 5S 6D 7C JC KD"), dealer=False, board=(90, 96), discard=cards("6D 7C"), starter=Card("4S")
)


def asked(played: str, **changed: object) -> Asked:
    from msgspec.structs import replace

    return replace(BASE, played=cards(played), **changed)


def test_r54_goes_follow_from_the_rules() -> None:
    """At 25 after the five of the pone, either the dealer said go, or it played a six or lower."""
    found = position(asked("JC TS 5H"))
    assert (found.turn, found.went_go, found.count) == ("own", True, 25)
    assert {card.value for card in found.might_play} == set(range(1, 7))
    assert position(asked("JC TS 5H 6H")).score == (90, 98)
    # After a go in a count the other side is not asked again.
    assert not position(asked("JC TS 5H 5S")).went_go


def test_r102_the_single_count_ends_unless_the_other_side_plays() -> None:
    """At 24 after the dealer's second five.

    The pone said go and the jack does not fit, or it played a low card.
    """
    five = {"dealt": cards("5H 5S 6D JC KD"), "discard": cards("6D KD"), "dealer": True, "board": (30, 30)}
    found = position(asked("KC 5H 4C 5S", **five))
    # Fifteen two and the last card; no hand is counted.
    assert (found.turn, found.went_go, found.score) == ("over", True, (33, 30))
    assert {card.value for card in found.might_play} == set(range(1, 8))
    assert position(asked("KC 5H 4C 5S 2C", **five)).score == (32, 31)
    assert not position(asked("KC 5H 4C 5S 7C", **five)).went_go
    with pytest.raises(NotationError):
        position(asked("AC 2C 3C 4C", **five))


def test_r51_a_card_is_played_by_the_side_that_holds_it() -> None:
    found = position(asked("JC"))
    assert (found.turn, found.options, len(found.might_play)) == ("other", (), 45)
    assert position(asked("", dealer=True)).turn == "other"
    for given, rule in (("JC TS JD", "R50"), ("JC 5H", "R50"), ("JC TS 5H KD", "R53")):
        with pytest.raises(IllegalAction, match=rule):
            position(asked(given))


@pytest.mark.parametrize(
    ("played", "changed"),
    [
        ("JC 4S", {}),
        ("JC 6D", {}),
        ("", {"starter": Card("5H")}),
        ("", {"discard": cards("6D 8C")}),
        ("", {"discard": cards("6D")}),
        ("AC 2C 3C AD 2D", {}),
    ],
)
def test_r6_cards_that_cannot_be_there_are_refused(played: str, changed: dict[str, object]) -> None:
    with pytest.raises(NotationError):
        position(asked(played, **changed))


def test_r44_heels_may_end_the_game_before_a_card_is_played() -> None:
    found = position(asked("", dealer=True, board=(119, 0), starter=Card("JS")))
    assert (found.turn, found.score[0]) == ("over", 121)
    with raises_code(IllegalAction, "game-over"):
        position(asked("8H", dealer=True, board=(119, 0), starter=Card("JS")))
