"""The lesson is short, and the rules count everything that it says."""

from itertools import combinations

import pytest

from fifteentwo.analysis.discards.discard import options
from fifteentwo.i18n import languages, named
from fifteentwo.rules import pegging, show
from fifteentwo.rules.events import Pegged, PeggedFor, ScoreName, Shown, StarterTurned
from fifteentwo.server.study.lessons import (
    GOOD_ENOUGH_POINTS,
    PAUSES,
    deal_events,
    lesson_screens,
    moment,
)
from tests.measured.reading import MOST, all_screens, size

EXPLAINED = 60
"""Answers of the lesson that are not the best ones."""


def test_seventeen_screens_of_few_words(subtests: pytest.Subtests) -> None:
    for lang in languages():
        with subtests.test(lang=lang):
            found = all_screens(lang)
            assert len(found) <= 17
            assert {
                name: size(words, lang) for name, words in found.items() if size(words, lang) > MOST[lang]
            } == {}


def test_every_answer_of_every_step_that_is_not_right_has_its_own_explanation(
    subtests: pytest.Subtests,
) -> None:
    for lang in languages():
        with subtests.test(lang=lang):
            explained = 0
            for screen in lesson_screens(lang):
                every = set[frozenset[str]]()
                if screen.pick:
                    right = [set(cards) for cards in screen.accept]
                    every = {
                        frozenset(card.text for card in chosen)
                        for chosen in combinations(screen.cards, screen.pick)
                        if set(chosen) not in right
                    }
                every |= {frozenset([choice]) for choice in screen.choices if choice != screen.right[0]}
                judged = [*screen.good, *screen.wrong]
                assert {frozenset(one.answer) for one in judged} == every
                reasons = {one.why for one in judged}
                assert len(reasons) == len(judged) == len(every), "each says something of its own"
                texts = {*reasons, screen.title, screen.text, screen.done, *screen.labels}
                assert not any("{" in words or words.startswith("learn.") for words in texts)
                explained += len(reasons)
            assert explained == EXPLAINED


def test_each_score_is_pegged_once_in_the_two_deals() -> None:
    """The rules accept every action of the deals: `deal_events` raises an error otherwise."""
    pegged = [event for event, _ in deal_events() if isinstance(event, Pegged)]
    in_pegging = [
        score.name
        for event in pegged
        if event.reason in (PeggedFor.PLAY, PeggedFor.HEELS)
        for score in event.scores
    ]
    assert sorted(in_pegging) == sorted(
        (ScoreName.FIFTEEN, ScoreName.PAIR, ScoreName.THIRTY_ONE, ScoreName.HEELS, ScoreName.RUN)
    )
    shown = [score.name for event in pegged for score in event.scores if event.reason is PeggedFor.HAND]
    assert shown.count(ScoreName.NOBS) == shown.count(ScoreName.FLUSH) == 1
    assert [event.seat for event, _ in deal_events() if isinstance(event, Shown)] == [0, 1, 1, 1, 0, 0]


def test_every_step_stands_where_the_deals_are() -> None:
    """Scores, hand, cards played and starter of a step are those of the deal; the steps follow the events."""
    places = []
    for screen in lesson_screens("en"):
        if screen.id not in PAUSES:
            continue
        state, told = moment(screen.id)
        every = [event for event, _ in deal_events()]
        assert all(event in every for event in told)
        places.append([after for _, after in deal_events()].index(state))
        assert screen.front == state.front
        assert screen.lesson == 1 + state.deal
        if screen.counts:
            assert (screen.played, screen.cards) == (state.in_count, state.hands[0])
    assert places == sorted(places)


def test_right_answers_of_lessons_follow_the_rules() -> None:
    by_name = {screen.id: screen for screen in lesson_screens("en")}
    for name, kind in (
        ("fifteen", ScoreName.FIFTEEN),
        ("thirty-one", ScoreName.THIRTY_ONE),
        ("run", ScoreName.RUN),
    ):
        screen = by_name[name]
        (right,) = screen.accept
        for card, count_after in zip(screen.cards, screen.counts, strict=True):
            found = [score.name for score in pegging.scores((*screen.played, card))]
            assert found == ([kind] if card in right else []), "no other card scores there"
            count = sum(one.value for one in screen.played) + card.value
            assert count_after == (count if count <= 31 else None)
    go = by_name["go"]
    assert not pegging.playable(moment("go")[0].hands[0], sum(card.value for card in go.played))
    lead = by_name["lead"]
    assert all(card.value < 5 for (card,) in lead.accept)
    assert {one.answer for one in lead.wrong} == {("5H",)}
    heels = next(event for event, _ in deal_events() if isinstance(event, Pegged) and event.reason == "heels")
    assert by_name["heels"].right == ("own",)
    assert heels.seat == 0 == moment("heels")[0].dealer
    turned = [event.card for event, _ in deal_events() if isinstance(event, StarterTurned)]
    for name, starter in zip(("double", "flush"), turned, strict=True):
        hand = moment(name)[0].kept[0]
        assert by_name[name].counted == named(show.scores(hand, starter), "en")
        total = sum(score.points for score in by_name[name].counted)
        assert total == show.points(hand, starter)
    assert "double run of three is fourteen" in [score.words for score in by_name["double"].counted]
    assert by_name["double"].labels[-1] == "8 points"
    assert by_name["order"].right == ("other", "own", "crib")
    board = by_name["board"]
    assert board.labels[-1] == f"Hole {board.pegs[0][0] + board.points}"


def test_discards_of_the_lesson_are_judged_by_their_mean_points() -> None:
    for screen in lesson_screens("ja"):
        if not screen.discards:
            continue
        best, *others = options(screen.cards, own_crib=screen.id == "crib", pegging=lambda *_: 0.0)
        assert screen.accept == (best.discard,)
        assert best.net - others[0].net > 1, "a clear difference"
        good = {
            tuple(card.text for card in one.discard)
            for one in others
            if best.net - one.net <= GOOD_ENOUGH_POINTS
        }
        assert {one.answer for one in screen.good} == good
        assert {*best.discard} == {*screen.cards[4:]}, "the deals are played with the best discard"
