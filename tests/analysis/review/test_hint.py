"""A hint is the best choice of the analysis, and every fact in it is true by the rules."""

import random
from itertools import combinations
from time import perf_counter, process_time

import numpy as np
import pytest
from msgspec.structs import replace

from fifteentwo.analysis.discards.discard import options
from fifteentwo.analysis.pegging.look_ahead import LookAhead
from fifteentwo.analysis.review import hint
from fifteentwo.analysis.review.advice import advice as advised
from fifteentwo.analysis.review.review import _card_choices, _discard_choices, by_points, judged
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.shows import WAYS
from fifteentwo.players import player
from fifteentwo.rules import show
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import DECK, RANK_TEXT, Card, Rank, cards
from fifteentwo.rules.events import Pegged, PeggedFor, ScoreName
from fifteentwo.rules.game import step
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.view import View, allows, view
from tests.analysis.hint_positions import positions

OTHERS = ("five-card", "three-handed", "partners", "four-handed")
OF_A_CARD = (PeggedFor.PLAY, PeggedFor.LAST_CARD)
MOST = 0.3
"""Seconds that a hint may take."""


def _is_best(seen: View, advice: hint.Hint) -> None:
    """Check that a discard has the best win probability, or a card the best one to the end of the deal."""
    if seen.phase is Phase.DISCARD:
        board = (seen.front[seen.side], seen.front[1 - seen.side])
        best = options(seen.hand, own_crib=seen.is_dealer, rules=seen.rules, board=board)[0]
        assert advice.cards == best.discard
        assert (advice.win, advice.points) == (best.win, best.net)
        return
    search = LookAhead(seen)
    chances = search.chances(games=False)
    # Two certain wins may differ in the last bit.
    assert chances[advice.cards[0].index >> 2] == pytest.approx(max(chances.values()), abs=1e-12)
    assert advice.win == pytest.approx(max(search.wins(chances).values()), abs=1e-12)


def dealt(held: str, *, dealer: bool, board: tuple[int, int]) -> View:
    """Return the View of seat 0 with these cards at this score, before any discard."""
    seen = next(one for one, _ in positions("six-card", 16) if one.phase is Phase.DISCARD)
    seat = seen.seat
    front = board if seen.side == 0 else board[::-1]
    rules = replace(seen.rules, target=121)
    hand = cards(held)
    return replace(seen, rules=rules, hand=hand, dealer=seat if dealer else 1 - seat, front=front, rear=front)


def test_the_score_is_named_only_if_it_is_the_reason() -> None:
    """At 0-0 a discard that wins more but makes less does so by its spread of points, not by the score."""
    apart = "2D 2C 3D 7H 7C KH"
    seen = dealt(apart, dealer=False, board=(0, 0))
    values = {discard: value for discard, (value, _) in hint.discard_values(seen).items()}
    most = max(values.values(), key=lambda value: value.points or 0.0)
    best = max(values.values(), key=lambda value: value.win or 0.0)
    assert (best.win or 0) > (most.win or 0) + hint.CLEAR_WIN
    for board in ((0, 0), (30, 30)):
        advice = hint.hint(dealt(apart, dealer=False, board=board))
        assert advice is not None
        assert not any(isinstance(fact, hint.WinsMost) for fact in advice.facts)
    needed = hint.hint(dealt("4H AH JH 5S 5H 4S", dealer=False, board=(110, 116)))
    assert needed is not None
    assert any(isinstance(fact, hint.WinsMost) for fact in needed.facts)


@pytest.mark.parametrize("number", [16, pytest.param(1000, marks=pytest.mark.slow)])
def test_hints_equal_what_analysis_finds_best(number: int) -> None:
    for seen, _ in positions("six-card", number):
        advice = hint.hint(seen)
        assert advice is not None
        _is_best(seen, advice)


@pytest.mark.timed
def test_of_a_hundred_hints_nearly_all_take_less_than_most() -> None:
    hint.prepare(positions("six-card", 1)[0][0].rules)
    waited, worked = [], []
    for seen, _ in positions("six-card", 100):
        began, begun = perf_counter(), process_time()
        advice = hint.hint(seen)
        waited.append(perf_counter() - began)
        worked.append(process_time() - begun)
        assert advice is not None
    for name, times in (("by the clock", waited), ("of processor time", worked)):
        p50, p99 = np.percentile(times, [50, 99])
        most = max(times)
        print(f"100 hints, ms {name}: median {1e3 * p50:.1f}, p99 {1e3 * p99:.1f}, most {1e3 * most:.1f}")
    assert np.percentile(worked, 99) <= MOST


@pytest.mark.parametrize("variant", ["six-card", "five-card"])
def test_a_hint_is_what_a_review_calls_best(variant: str) -> None:
    for seen, _ in positions(variant, 16):
        advice = hint.hint(seen)
        assert advice is not None
        assert advice.win is not None
        found = _discard_choices(seen) if seen.phase is Phase.DISCARD else _card_choices(seen)
        best = max(found, key=lambda one: one.value.merit)
        if seen.phase is Phase.DISCARD:
            assert best.name == " ".join(map(str, advice.cards))
        else:
            own = next(one for one in found if one.name == RANK_TEXT[advice.cards[0].index >> 2])
            assert own.value.merit == pytest.approx(best.value.merit)


def test_a_hint_by_points_is_what_the_review_of_a_race_calls_best() -> None:
    differing = 0
    for seen, _ in positions("six-card", 60):
        best = hint.hint(seen, by_points=True)
        assert best is not None
        assert best.win is None
        is_discard = seen.phase is Phase.DISCARD
        action = Discard(seen.seat, best.cards) if is_discard else Play(seen.seat, best.cards[0])
        decision = judged(seen, action)
        if decision is not None:
            assert by_points(decision).loss_points <= hint.SEEN_POINTS
            differing += (decision.loss_win or 0) > 0
    assert differing, "in some position fewer points win more often"


@pytest.mark.parametrize("variant", OTHERS[1:])
def test_hints_of_other_variants_maximise_points(variant: str) -> None:
    """`expert` plays by the score, which hints for three and four sides do not."""
    asked = [seen for seen, _ in positions(variant, 60) if seen.phase is Phase.DISCARD]
    assert asked
    for seen in asked:
        advice = hint.hint(seen)
        assert advice is not None
        discard = player("expert", 1).act(seen)
        assert isinstance(discard, Discard)
        points = {cards: value.points for cards, (value, _) in hint.discard_values(seen).items()}
        assert points[advice.cards] == max(points.values()) == advice.points
        assert points[discard.cards] > advice.points - 1


def test_a_hint_depends_on_the_view_alone() -> None:
    luck = random.Random(1)
    for seen, state in positions("six-card", 12):
        unknown = [
            card for card in DECK if card not in {*seen.kept, *seen.hand, *seen.discarded, seen.starter}
        ]
        played = {card for _, card in seen.played}
        free = [card for card in unknown if card not in played]
        luck.shuffle(free)
        hands = [
            hand if seat == seen.seat else tuple(free[seat * 6 : seat * 6 + len(hand)])
            for seat, hand in enumerate(state.hands)
        ]
        other = _with(state, hands)
        assert view(other, seen.seat) == seen
        assert hint.hint(view(other, seen.seat)) == hint.hint(seen)


def _with(state: State, hands: list[tuple[Card, ...]]) -> State:
    return replace(state, hands=tuple(hands), crib=())


def test_there_is_no_hint_where_there_is_nothing_to_choose() -> None:
    for seen, state in positions("three-handed", 30):
        for seat in range(3):
            advice = hint.hint(view(state, seat))
            assert (advice is None) == (seat not in seen.to_act)


# ── Every fact, by the rules ─────────────────────────────────────────────────────────────────────────────


def _pegs(seen: View, state: State, card: Card) -> list[Pegged]:
    """Return what the rules peg for this side when the card is played, before any other action."""
    _, events = step(state, Play(seen.seat, card))
    return [
        one for one in events if isinstance(one, Pegged) and one.side == seen.side and one.reason in OF_A_CARD
    ]


def _counted(held: tuple[Card, ...]) -> int:
    """Return fifteens, pairs, runs and a flush of three or more, counted independently."""
    points = 0
    for size in range(2, len(held) + 1):
        for some in combinations(held, size):
            points += 2 * (sum(card.value for card in some) == 15)
            points += 2 * (size == 2 and some[0].rank is some[1].rank)
    ranks = [int(card.rank) for card in held]
    for low in range(1, 14):
        length = 0
        while low + length in ranks:
            length += 1
        if length >= 3 and low - 1 not in ranks:
            points += length * int(np.prod([ranks.count(low + step) for step in range(length)]))
    return points + (len(held) if len(held) > 2 and len({card.suit for card in held}) == 1 else 0)


def _kept_is_true(seen: View, advice: hint.Hint, fact: hint.Keeps | hint.Helped) -> None:
    assert sorted((*advice.keep, *advice.cards)) == sorted(seen.hand)
    if isinstance(fact, hint.Keeps):
        assert fact.points == _counted(advice.keep) > 0
        assert sum(kind.times for kind in fact.scores) >= 1
        return
    assert _counted(advice.keep) == 0
    unseen = [card for card in DECK if card not in seen.hand]
    assert fact.unseen == len(unseen) == 52 - seen.rules.dealt
    assert fact.starters == sum(show.points(advice.keep, card) > 0 for card in unseen)


def _gives_is_true(seen: View, advice: hint.Hint, fact: hint.Gives) -> None:
    own = seen.rules.side(seen.dealer) == seen.side
    assert (fact.whose == "other") == (not own)
    assert (fact.whose == "own") == seen.is_dealer
    points = _counted(advice.cards) if len(advice.cards) == 2 else 0
    assert bool(fact.scores) == (points > 0)
    assert fact.fives == sum(card.rank is Rank.FIVE for card in advice.cards)
    assert 0 < fact.mean < 29


def _made_is_true(seen: View, state: State, advice: hint.Hint, fact: hint.Makes) -> None:
    """Check everything that the card makes by itself.

    Last card only if the View shows that no one can follow.
    """
    pegged = _pegs(seen, state, advice.cards[0])
    last = any(kind.name is ScoreName.LAST_CARD for kind in fact.scores)
    counted = [one for one in pegged if one.reason is PeggedFor.PLAY or last]
    assert sum(one.points for one in counted) == fact.points > 0
    made = sorted(score.name.value for one in counted for score in one.scores)
    assert sorted(name for kind in fact.scores for name in [kind.name.value] * kind.times) == made
    others = [seat for seat in range(seen.rules.seats) if seat != seen.seat and seat not in seen.said_go]
    if last:
        assert any(one.reason is PeggedFor.LAST_CARD for one in pegged)
        assert not any(seen.hand_sizes[seat] for seat in others)
    assert fact.wins == (seen.front[seen.side] + fact.points >= seen.rules.target)


def _losses(seen: View) -> list[tuple[float, float]]:
    """Return how much every card but the best loses, and the least loss that is not practically nothing."""
    best, *others = sorted(hint.card_values(seen).values.values(), key=lambda one: one.merit, reverse=True)
    return [
        (best.points - one.points, 0.105)
        if best.win is None or one.win is None
        else (best.win - one.win, 0.003)
        for one in others
    ]


def _is_true(seen: View, state: State, advice: hint.Hint, fact: hint.Fact) -> None:
    fitting = {card.rank: card for card in seen.hand if seen.count + card.value <= 31}
    match fact:
        case hint.Keeps() | hint.Helped():
            _kept_is_true(seen, advice, fact)
        case hint.Gives():
            _gives_is_true(seen, advice, fact)
        case hint.WinsMost():
            values = {discard: value for discard, (value, _) in hint.discard_values(seen).items()}
            best, other = values[advice.cards], values[fact.cards]
            assert (best.win, other.win) == (fact.win, fact.other_win)
            assert fact.win == max(value.win or 0.0 for value in values.values())
            assert other.points == max(value.points or 0.0 for value in values.values())
            assert fact.other_win <= fact.win
        case hint.OnlyOne():
            assert len(fitting) == 1
        case hint.Equal():
            assert _losses(seen)
            assert all(loss < least for loss, least in _losses(seen))
        case hint.Makes():
            _made_is_true(seen, state, advice, fact)


@pytest.mark.parametrize(
    ("variant", "number"),
    [
        ("six-card", 30),
        ("five-card", 20),
        *[(variant, 40) for variant in OTHERS[1:]],
        *[pytest.param(variant, 700, marks=pytest.mark.slow) for variant in ("six-card", *OTHERS)],
    ],
)
def test_every_fact_is_true(variant: str, number: int) -> None:
    met: set[type[hint.Fact]] = set()
    for seen, state in positions(variant, number):
        advice = hint.hint(seen)
        assert advice is not None
        given = advised(seen)
        assert given is not None
        assert given.hint == advice
        assert advice.facts or given.others, "never a card without its reason"
        action = Discard(seen.seat, advice.cards) if advice.keep else Play(seen.seat, advice.cards[0])
        assert allows(seen, action)
        for fact in advice.facts:
            met.add(type(fact))
            _is_true(seen, state, advice, fact)
    assert number < 700 or {hint.Keeps, hint.Helped, hint.Gives, hint.OnlyOne, hint.Makes} <= met


@pytest.mark.parametrize(("gained", "is_named"), [(0.0031, True), (0.0029, False)])
def test_points_are_given_up_for_a_chance_of_three_thousandths(
    gained: float, is_named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = dealt("4H AH JH 5S 5H 4S", dealer=False, board=(110, 116))
    now = np.full(15, 0.4)
    now[1] += gained
    even = np.full(15, 0.5)

    def chances(*_: object, board: tuple[int, int], **__: object) -> object:
        return even if board == (0, 0) else now

    monkeypatch.setattr(win, "chances", chances)
    first, second = (tuple(seen.hand[at] for at in WAYS[way]) for way in (1, 0))
    assert hint.by_the_score(seen, first, second) is is_named
