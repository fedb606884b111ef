"""Hints over the socket: the best choice in the page's language, or a refusal if hints are not offered."""

import re
import threading
from functools import cache
from itertools import combinations, takewhile
from typing import Any

import pytest

from fifteentwo.analysis.review import hint
from fifteentwo.analysis.review.advice import advice, report
from fifteentwo.i18n import hint_text, hint_value, idea_text, nudge_text, others_text, text
from fifteentwo.rules import pegging, show
from fifteentwo.rules.actions import Play
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.events import Pegged, ScoreName, Shown
from fifteentwo.rules.game import step
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.view import View
from fifteentwo.server.live import coach
from fifteentwo.server.table_log.options import FIRST_GAME_GOAL
from tests.analysis.hint_positions import positions
from tests.support.live_server import Live, Page, Person, cards_in

BEGUN = {"first_dealer": "named", "cut_before_deal": "no", "starter": "top"}


def _hint(page: Page, raised: tuple[str, ...] = ()) -> dict[str, object]:
    page.send("hint", list(raised))
    hinted: dict[str, object] = page.until("hint")["d"]
    return hinted


@pytest.mark.parametrize(("lang", "variant"), [("en", "six-card"), ("ja", "three-handed")])
def test_hint_equals_the_analysis_of_the_view(aiko: Person, lang: str, variant: str) -> None:
    with aiko.at_table(variant, **BEGUN) as page:
        page.until("waiting")
        assert page.table["hints"] is True
        page.send("hint")
        assert page.until("refused")["d"]["code"] == "no-hint-now"
        page.act({"type": "NameDealer", "dealer": 0})
        asked = set()
        for _ in range(6):
            page.alone()
            if page.view["phase"] not in ("discard", "play"):
                break
            asked.add(page.view["phase"])
            hinted = _hint(page)
            seen = from_json(to_json(page.view).decode(), View)
            best = advice(seen)
            assert best is not None
            plain = report(best)
            assert hinted == {
                "nudge": nudge_text(plain, lang),
                "idea": idea_text(plain, lang),
                "cards": [card.text for card in best.hint.cards],
                "sentence": hint_text(plain, lang),
                "value": hint_value(plain["hint"], lang),
                "others": others_text(plain, lang),
            }
            assert cards_in(str(hinted)) <= set(page.view["hand"])
            if page.view["phase"] == "discard":
                hand = tuple(page.view["hand"])
                for raised in (hand[:2], hand[1:2], tuple(map(str, best.hint.cards))):
                    _says_why_not(page, seen, raised, lang)
            if page.view["phase"] == "discard":
                page.act({"type": "Discard", "seat": 0, "cards": hinted["cards"]})
            else:
                page.act({"type": "Play", "seat": 0, "card": hinted["cards"][0]})  # type: ignore[index]
        assert asked == {"discard", "play"}


def test_hints_of_a_race_give_points_and_those_after_it_win_probabilities(aiko: Person) -> None:
    asked = set[bool]()
    with aiko.at_table(**BEGUN, level_1="greedy", target="61", first_game="yes") as page:
        page.until("waiting")
        page.act({"type": "NameDealer", "dealer": 1})
        while asked != {True, False}:
            page.settle()
            if page.view["phase"] in ("discard", "play"):
                hinted, in_race = _hint(page), max(page.view["front"]) < FIRST_GAME_GOAL
                asked.add(in_race)
                assert ("%" in str(hinted["value"])) is not in_race
                assert not in_race or "Of 100 games" not in str(hinted["others"])
            page.act(page.choices[0])


def test_ping_is_answered_while_a_hint_is_computed(aiko: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    answered = threading.Event()

    def slow(*_: object) -> None:
        assert answered.wait(60)

    monkeypatch.setattr(coach, "make_advice", slow)
    with aiko.open(aiko.new_game()) as page:
        page.settle()
        page.send("hint")
        page.send("ping")
        try:
            assert page.until("pong") == {"t": "pong", "d": None}
        finally:
            answered.set()
        assert page.until("refused")["d"]["code"] == "no-hint-now"


def _says_why_not(page: Page, seen: View, raised: tuple[str, ...], lang: str) -> None:
    """Compare raised cards with the best cards if they are a choice."""
    found = advice(seen, tuple(Card(text) for text in raised))
    assert found is not None
    hinted = _hint(page, raised)
    assert hinted["others"] == others_text(report(found), lang)
    assert found.raised == (len(raised) == seen.rules.discards)
    if set(raised) == set(map(str, found.hint.cards)):
        assert hinted["others"] == [text("hint.raised-is-best", lang)]


def test_no_hints_between_people_or_with_claimed_counting(subtests: pytest.Subtests, live: Live) -> None:
    cases: list[tuple[dict[str, str], str]] = [
        ({"counting": "claimed"}, "hint-not-where-players-count"),
        ({"counting": "claimed", "muggins": "missed"}, "hint-not-where-players-count"),
        ({"variant": "three-handed", "level_2": "person"}, "hint-against-computers-only"),
        ({"level_1": "person"}, "hint-against-computers-only"),
    ]
    for chosen, code in cases:
        with (
            subtests.test(chosen=chosen, code=code),
            live.person("ja") as aiko,
            aiko.at_table(first_dealer="named", **{"variant": "six-card", **chosen}) as page,
        ):
            page.until("waiting")
            assert page.table["hints"] is False
            page.send("hint")
            refused = page.until("refused")["d"]
            assert refused["code"] == code
            assert not refused["message"].isascii()


@cache
def advised(variant: str) -> list[tuple[hint.Hint, dict[str, Any]]]:
    """Return the hints of some positions with all their sentences."""
    found = [advice(seen) for seen, _ in positions(variant, 4)]
    return [(one.hint, report(one)) for one in found if one is not None]


def test_every_hint_sentence_gives_a_reason(lang: str) -> None:
    """A hint gives a reason after its cards in a complete sentence, without a key or placeholder."""
    for variant in ("six-card", "five-card", "partners", "four-handed"):
        assert len(advised(variant)) == 4
        for best, plain in advised(variant):
            hinted = hint_text(plain, lang)
            whole = " ".join([hinted, *others_text(plain, lang)])
            assert len(whole) > 15, whole
            assert "hint." not in whole
            assert "why." not in whole
            assert not set(whole) & set("{}"), whole
            assert whole.endswith("." if lang == "en" else "。")
            assert "。。" not in whole
            assert hint_value(plain["hint"], lang)
            for fact in best.facts:
                if isinstance(fact, hint.Gives):
                    assert f"{fact.mean:.1f}" in hinted, "every hint about the crib names the expected crib"


def _claims(seen: View) -> dict[str, bool]:
    """Return what a nudge may say about a View, each with whether it is true."""
    keep = [card for card in seen.hand if card not in best_cards(seen)]
    names = {score.name for score in show.scores(keep[1:], keep[0])} if len(keep) > 1 else set()
    own_side = seen.rules.side(seen.dealer) == seen.side
    made = [card for card in seen.playable if pegging.scores((*seen.in_count, card))]
    return {
        "run": ScoreName.RUN in names,
        "pair": any("pair" in name for name in names),
        "fifteen": ScoreName.FIFTEEN in names,
        "flush": len({card.suit for card in keep}) == 1,
        "crib.own": seen.is_dealer,
        "crib.partner": own_side and not seen.is_dealer,
        "crib.other": not own_side,
        "wins": bool(made),
        "only": len({card.rank for card in seen.playable}) == 1 < len(seen.playable),
        "alone": len(seen.playable) == 1,
        "gives-up": bool(made),
    }


_COUNT = re.compile(r"\b(?:count of|count is|count,|leave|at|often on|on|than|after|from) (\d+)")
_TWO_COUNTS = re.compile(r"(?:of|on|,|after) (\d+) .*than (?:on |after |from )?(\d+)")
_NAMED = ("last card", "next card", "in your hand", "one rank", "one card", "practically", "score")
"""Things of a position without a count that a nudge may name."""


def _check_what_a_nudge_names(seen: View, nudge: str, idea: str, sentence: str) -> None:
    """Check that counts can be made, that the better one is that of the best card, and that one is named."""
    if len(seen.playable) == 1:
        assert nudge == idea == text("hint.nudge.alone", "en")
        assert text("hint.only-card", "en") in sentence
    else:
        assert text("hint.nudge.alone", "en") not in nudge
        assert len(sentence.split(": ")) > 1, "an answer has a reason"
    possible = {seen.count, *(seen.count + card.value for card in seen.playable)}
    named = {int(count) for count in _COUNT.findall(nudge)}
    assert named | {int(count) for count in _COUNT.findall(idea)} <= possible, (nudge, idea)
    assert named or any(words in nudge for words in _NAMED), nudge
    for better, worse in _TWO_COUNTS.findall(idea):
        assert int(better) == seen.count + best_cards(seen)[0].value != int(worse), idea


def best_cards(seen: View) -> tuple[Card, ...]:
    best = hint.hint(seen)
    assert best is not None
    return best.cards


VARIANTS = ("six-card", "five-card", "three-handed", "partners", "four-handed")
_RANK_WORDS = re.compile(
    r"\b(aces?|twos|threes|fours|(?<!run of )fives?|sixes|sevens|eights|nines|tens?(?!-card)|"
    r"jacks?|queens?|kings?)\b"
)


@pytest.mark.parametrize("number", [4, pytest.param(100, marks=pytest.mark.long)])
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_nudge_and_an_idea_are_true_and_do_not_give_the_answer_away(variant: str, number: int) -> None:
    for seen, _ in positions(variant, number):
        found = advice(seen)
        if found is None:
            continue
        plain = report(found)
        nudge, idea = nudge_text(plain, "en"), idea_text(plain, "en")
        claims = _claims(seen)
        said = [claim for claim in claims if text(f"hint.nudge.{claim}", "en") in nudge]
        assert all(claims[claim] for claim in said), (nudge, seen)
        assert nudge != idea or {"only", "alone"} & {*said} or text("hint.nudge.equal", "en") == nudge
        if seen.phase is Phase.PLAY:
            _check_what_a_nudge_names(seen, nudge, idea, hint_text(plain, "en"))
        for words in (nudge, idea, nudge_text(plain, "ja"), idea_text(plain, "ja")):
            assert not cards_in(words)
            assert not set(words) & set("♠♥♦♣{}"), words
            assert not _RANK_WORDS.search(words.lower()), words
            assert "hint." not in words
            assert "why." not in words


@pytest.mark.parametrize("number", [4, pytest.param(100, marks=pytest.mark.long)])
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_fact_of_an_answer_is_true(variant: str, number: int) -> None:
    """Points are compared with another counter, starters one by one, and pegs with the next events."""
    asked = 0
    for seen, state in positions(variant, number):
        found = advice(seen)
        if found is None:
            continue
        asked += 1
        best = found.hint
        assert set(best.cards) | set(best.keep) <= set(seen.hand)
        named = cards_in(hint_text(report(found), "en"))
        assert named >= {card.text for card in best.cards}, (named, best)
        for fact in best.facts:
            _check_fact(fact, best, seen, state)
        for other in found.others:
            assert set(other.cards) <= set(seen.hand)
            assert set(other.cards) != set(best.cards)
    assert asked >= number // 2, "most positions have a hint"


def _check_fact(fact: hint.Fact, best: hint.Hint, seen: View, state: State) -> None:
    match fact:
        case hint.Keeps(scores=scores, points=points):
            assert points == _points_without_starter(best.keep) > 0
            assert sum(kind.times for kind in scores) == len(hint.held_scores(best.keep))
        case hint.Helped(starters=starters, unseen=unseen):
            assert _points_without_starter(best.keep) == 0
            others = [card for card in DECK if card not in seen.hand]
            assert unseen == len(others)
            assert starters == sum(show.points(best.keep, card) > 0 for card in others)
        case hint.Gives(whose=whose, fives=fives, mean=mean):
            assert whose == ("own" if seen.is_dealer else "partner" if _is_own_crib(seen) else "other")
            assert fives == sum(card.text[0] == "5" for card in best.cards)
            assert 0 < mean < 29
        case hint.WinsMost(win=win, cards=cards, other_win=other_win):
            assert win > other_win
            assert win == best.win
            assert set(cards) != set(best.cards)
        case hint.Makes(points=points, wins=wins):
            _, events = step(state, Play(seen.seat, best.cards[0]))
            pegging_events = takewhile(lambda event: not isinstance(event, Shown), events)
            pegged = [one for one in pegging_events if isinstance(one, Pegged) and one.side == seen.side]
            assert points == sum(one.points for one in pegged)
            assert wins == (seen.front[seen.side] + points >= seen.rules.target)
        case hint.Equal():
            values = hint.card_values(seen).values
            assert len(values) > 1
            assert all(values[best.cards[0].index >> 2].is_near(one) for one in values.values())
        case hint.OnlyOne(alone=alone):
            assert len({card.rank for card in seen.playable}) == 1
            assert alone == (len(seen.playable) == 1)


def _is_own_crib(seen: View) -> bool:
    return seen.rules.side(seen.dealer) == seen.side


def _points_without_starter(cards: tuple[Card, ...]) -> int:
    """Count fifteens, pairs, runs and a flush by trying all subsets, without the rules' counter."""
    ranks = [int(card.rank) for card in cards]
    subsets = [one for size in range(2, len(ranks) + 1) for one in combinations(ranks, size)]
    points = 2 * sum(sum(min(rank, 10) for rank in one) == 15 for one in subsets)
    points += 2 * sum(len(one) == 2 and one[0] == one[1] for one in subsets)
    runs = [
        one for one in subsets if len(one) > 2 and max(one) - min(one) == len(one) - 1 == len(set(one)) - 1
    ]
    longest = max(map(len, runs), default=0)
    points += sum(len(one) for one in runs if len(one) == longest)
    return points + (len(cards) if len(cards) > 2 and len({card.suit for card in cards}) == 1 else 0)
