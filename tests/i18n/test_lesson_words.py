"""The lesson is short: at most seventeen screens, each of at most 40 words or 90 Japanese characters."""

from itertools import combinations

import pytest

from fifteentwo.analysis.discards.discard import options
from fifteentwo.i18n import languages
from fifteentwo.rules import pegging, show
from fifteentwo.rules.events import ScoreName
from fifteentwo.server.study.lessons import DISCARD_HAND, lesson_screens
from tests.measured.reading import MOST, all_screens, size


def test_seventeen_screens_of_few_words(subtests: pytest.Subtests) -> None:
    for lang in languages():
        with subtests.test(lang=lang):
            found = all_screens(lang)
            assert len(found) <= 17
            assert {
                name: size(words, lang) for name, words in found.items() if size(words, lang) > MOST[lang]
            } == {}


def test_every_wrong_answer_of_every_step_has_its_own_explanation(subtests: pytest.Subtests) -> None:
    for lang in languages():
        with subtests.test(lang=lang):
            explained = 0
            for screen in lesson_screens(lang):
                every = set[tuple[str, ...]]()
                if screen.pick and not screen.discards:
                    right = [set(cards) for cards in screen.accept]
                    every = {
                        tuple(card.text for card in chosen)
                        for chosen in combinations(screen.cards, screen.pick)
                        if set(chosen) not in right
                    }
                every |= {(choice,) for choice in screen.choices if choice != screen.right[0]}
                assert {wrong.answer for wrong in screen.wrong} == every
                reasons = {wrong.why for wrong in screen.wrong}
                assert len(reasons) == len(every), "each says something of its own"
                assert not any("{" in why or why.startswith("learn.") for why in reasons)
                explained += len(reasons)
            assert explained == 34


def test_right_answers_of_lessons_follow_the_rules() -> None:
    by_name = {screen.id: screen for screen in lesson_screens("en")}
    for name, kind in (("fifteen", ScoreName.FIFTEEN), ("pair", ScoreName.PAIR), ("run", ScoreName.RUN)):
        (right,) = by_name[name].accept
        made = show.scores(by_name[name].cards[1:], by_name[name].cards[0])
        assert [score.cards for score in made] == [right], "nothing else scores there"
        assert made[0].name is kind
    for name, points in (("count", 2), ("thirty-one", 2), ("go", 0)):
        screen = by_name[name]
        (right,) = screen.accept
        assert sum(score.points for score in pegging.scores((*screen.played, *right))) == points
        count = sum(card.value for card in screen.played)
        for card, count_after in zip(screen.cards, screen.counts, strict=True):
            assert count_after == (count + card.value if count + card.value <= 31 else None)
    assert [count_after for count_after in by_name["go"].counts if count_after is not None] == [29]
    last = by_name["show"]
    assert last.starter is not None
    assert show.points(last.cards, last.starter) == 12


def test_the_owner_of_the_crib_changes_the_best_discard_of_the_lesson() -> None:
    best = {}
    for screen in lesson_screens("ja"):
        if not screen.discards:
            continue
        found = options(DISCARD_HAND, own_crib=screen.id == "crib", pegging=lambda *_: 0.0)
        assert [one.discard for one in found] == [one_way.cards for one_way in screen.discards]
        assert screen.discards[0].net - screen.discards[1].net > 1, "a clear difference"
        sign = 1 if screen.id == "crib" else -1
        assert all(
            abs(one_way.hand + sign * one_way.crib - one_way.net) < 1e-9 for one_way in screen.discards
        )
        best[screen.id] = set(screen.discards[0].cards)
    assert best["crib"] != best["pone"]
