"""The lesson is short, and the rules count everything that it says."""

import re
from itertools import combinations, pairwise

import pytest

from fifteentwo.analysis.discards.discard import options
from fifteentwo.i18n import card_text, languages, named
from fifteentwo.rules import pegging, show
from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import Pegged, PeggedFor, ScoreName, Shown
from fifteentwo.server.study.lessons import (
    GOOD_ENOUGH_POINTS,
    PAUSES,
    deal_events,
    lesson_screens,
    moment,
)
from tests.measured.reading import MOST, MOST_IN_ALL, all_screens, on_the_way, size

EXPLAINED = 87
"""Answers of the lesson that are not the best ones."""


def test_nineteen_screens_of_few_words(subtests: pytest.Subtests) -> None:
    for lang in languages():
        with subtests.test(lang=lang):
            found = all_screens(lang)
            assert len(found) <= 19
            assert {
                name: size(words, lang) for name, words in found.items() if size(words, lang) > MOST[lang]
            } == {}
            read = [words for screen in lesson_screens(lang) for words in on_the_way(screen)]
            assert sum(size(words, lang) for words in read) <= MOST_IN_ALL[lang]


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
                offered = [*screen.choices, *(card.text for card in screen.cards if not screen.pick)]
                every |= {frozenset([one]) for one in offered if one != screen.right[0]}
                judged = [*screen.good, *screen.wrong]
                assert {frozenset(one.answer) for one in judged} == every
                reasons = {one.why for one in judged}
                assert len(reasons) == len(judged) == len(every), "each says something of its own"
                pages = [page.words for page in (*screen.before, *screen.after)]
                texts = {*reasons, *pages, screen.title, screen.text, screen.done, *screen.labels}
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
            assert (screen.played, screen.cards, screen.count) == (
                state.in_count,
                state.hands[0],
                state.count,
            )
    assert places == sorted(places)


def test_a_card_leaves_the_hand_of_the_lesson_only_when_it_is_played() -> None:
    pegged: dict[int, list[tuple[Card, ...]]] = {}
    for screen in lesson_screens("en"):
        told = [(page.held, page.shown) for page in screen.before if page.held is not None]
        told += [(page.held, page.shown) for page in screen.after if page.held is not None]
        if screen.counts:
            told.append((screen.cards, screen.played))
        elif screen.held is not None:
            told.append((screen.held, screen.played))
        for held, pile in told:
            assert not {*held} & {*pile}, screen.id
            pegged.setdefault(screen.lesson, []).append(held)
        if screen.id == "pair":
            assert told[0][0], screen.id
        if screen.id == "nobs":
            assert told[-1][0] == ()
    assert [*pegged] == [2, 3]
    for hands in pegged.values():
        assert all({*later} <= {*earlier} for earlier, later in pairwise(hands))


def test_right_choices_of_the_hand_dealt_are_counted_by_the_rules() -> None:
    """Every fifteen of two cards is right, and so is every run of three."""
    by_name = {screen.id: screen for screen in lesson_screens("en")}
    found = by_name["sum"]
    assert {*found.accept} == {two for two in combinations(found.cards, 2) if sum(c.value for c in two) == 15}
    assert len(found.accept) == 3
    for one in found.wrong:
        assert re.fullmatch(rf".* = {sum(Card(card).value for card in one.answer)}, not 15\.", one.why)
    run = by_name["row"]
    rows = [sorted(card.rank for card in three) for three in combinations(run.cards, 3)]
    assert [[*map(int, ranks)] for ranks in rows if ranks[2] - ranks[0] == 2] == [[4, 5, 6]]
    assert [[card.text for card in one] for one in run.accept] == [["4D", "5H", "6C"]]
    assert (found.points, run.points) == (2, 3)


def test_discards_are_explained_by_what_they_score() -> None:
    """The explanations name the points of the four cards kept, which the best discard beats or equals."""
    for name, most in (("pone", 7), ("crib", 6)):
        (screen,) = (one for one in lesson_screens("en") if one.id == name)
        for one in (*screen.good, *screen.wrong):
            kept = [card for card in screen.cards if card.text not in one.answer]
            points = _points_without_starter(kept)
            assert f"scores {points}" in one.why
            assert (points == most) == (one in screen.good)
            assert ("Good enough" in one.why) == (one in screen.good)
        assert str(most) in screen.hint
        assert f" {most}" in screen.better
        assert "4‑5‑6" not in screen.hint, "a hint does not name the answer"
        best = [card for card in screen.cards if card not in screen.accept[0]]
        assert _points_without_starter(best) == most
        assert sum(card.value for card in screen.accept[0]) == (19 if name == "pone" else 15)


def _points_without_starter(kept: list[Card]) -> int:
    """Return the points of four cards of four ranks."""
    groups = [some for number in (2, 3, 4) for some in combinations(kept, number)]
    ranks = sorted(card.rank for card in kept)
    runs = [n for n in (4, 3) for at in range(5 - n) if ranks[at + n - 1] - ranks[at] == n - 1]
    flush = 4 * (len({card.text[1] for card in kept}) == 1)
    return 2 * sum(sum(card.value for card in some) == 15 for some in groups) + max(runs, default=0) + flush


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
    assert lead.good == (), "a lead after which Ada can make fifteen is no right answer"
    assert [one.why for one in lead.wrong] == [
        "After 5, Ada makes 15 with 10, J, Q, K.",
        "After 6, Ada makes 15 with 9.",
        "After J, Ada makes 15 with 5.",
    ]
    heels = next(event for event, _ in deal_events() if isinstance(event, Pegged) and event.reason == "heels")
    assert by_name["heels"].right == ("own",)
    assert heels.seat == 0 == moment("heels")[0].dealer
    assert by_name["double"].labels[-1] == "8 points"
    assert by_name["order"].right == ("other", "own", "crib")
    board = by_name["board"]
    assert board.labels[-1] == f"Hole {board.pegs[0][0] + board.points}"


def test_hands_are_counted_up_to_the_points_of_the_deal() -> None:
    shown = [
        (event, state, deal_events()[at + 1][1])
        for at, (event, state) in enumerate(deal_events())
        if isinstance(event, Shown)
    ]
    by_name = {screen.id: screen for screen in lesson_screens("en")}
    pages = [page for name in ("double", "flush") for page in (*by_name[name].before, *by_name[name].after)]
    for event, before, after in shown:
        assert before.starter is not None
        told = [page for page in pages if page.shown == event.cards]
        assert told[-1].front == after.front
        assert told[-1].total == show.points(event.cards, before.starter, crib=event.crib)
        if event.seat == 0 and not event.crib:
            counted = named(show.scores(event.cards, before.starter), "en")
            assert [one.cards for one in told[-1].scores] == [score.cards for score in counted]
        else:
            counted = named(show.scores(event.cards, before.starter, crib=event.crib), "en")
            assert all(score.words in told[-1].words for score in counted)
            assert {*told[-1].cards} == {card for score in counted for card in score.cards}
    for page in (*by_name["pair"].after, *by_name["crib"].before):
        assert re.findall(r"\d+", page.words)[-1] == str(page.total)
    assert (by_name["pair"].after[0].total, by_name["crib"].before[0].total) == (12, 4)


def test_the_order_of_the_show_is_told_before_it_is_asked() -> None:
    terms = {"en": ("pone", "dealer", "crib"), "ja": ("ノンディーラー", "ディーラー（", "クリブ")}
    for lang, order in terms.items():
        told: list[str] = []
        for screen in lesson_screens(lang):
            told += [page.words for page in screen.before]
            if screen.id == "order":
                break
        places = [[words.find(term) for term in order] for words in told]
        assert any(-1 not in found and found == sorted({*found}) for found in places), lang


def test_an_answer_that_is_good_enough_names_the_cards_with_which_the_lesson_goes_on() -> None:
    for lang in languages():
        for screen in lesson_screens(lang):
            for one in screen.good:
                assert all(card_text(card, lang) in one.why for card in screen.accept[0])


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
