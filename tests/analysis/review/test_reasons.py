"""Reasons against a choice: every fact is recomputed card by card and explains the difference."""

import re
from itertools import chain

import msgspec
import pytest

from fifteentwo.analysis.pegging.look_ahead import PEOPLE, LookAhead
from fifteentwo.analysis.review import reasons
from fifteentwo.analysis.review.card_reasons import AtOnce, ScoredOn, SetsUp, replies_to
from fifteentwo.analysis.review.discard_reasons import Crib, Keeps, MakesNeed
from fifteentwo.analysis.review.reasons import Near, WinsMore, WinsNow, against, against_the_next
from fifteentwo.analysis.review.review import Decision, judged, reviewed
from fifteentwo.analysis.win.counting import points_at_once
from fifteentwo.i18n import languages
from fifteentwo.i18n.cards import card_text
from fifteentwo.i18n.reasons import choice_cards, reasons_text
from fifteentwo.rules.actions import Accept, Claim, Discard, Play
from fifteentwo.rules.cards import cards
from fifteentwo.rules.record import replay
from fifteentwo.rules.state import Phase, start
from fifteentwo.rules.view import view
from tests.analysis.hint_positions import positions
from tests.analysis.review.test_hint import dealt
from tests.measured.reasons import Stated, averages_only, hints, review_sentences, sentences, untrue
from tests.support.quick_records import played
from tests.support.recorded_games import course_of
from tests.support.recorded_games import played as recorded


@pytest.fixture(scope="module")
def stated() -> list[list[Stated]]:
    return [*hints(Phase.PLAY, 12), *hints(Phase.DISCARD, 12), *review_sentences(12)]


def test_every_reason_is_found_again_card_by_card(stated: list[list[Stated]]) -> None:
    assert [text for one in chain.from_iterable(stated) for text in untrue(one)] == []
    assert sum(averages_only(each) for each in stated) <= 2
    assert all(any(one.facts for one in each) for each in stated)


def test_a_wrong_figure_is_found(stated: list[list[Stated]]) -> None:
    changed = 0
    for one in chain.from_iterable(stated):
        for fact in one.facts:
            match fact:
                case ScoredOn() | SetsUp():
                    other: reasons.Reason = msgspec.structs.replace(fact, chance=fact.chance + 0.05)
                case Keeps():
                    other = msgspec.structs.replace(fact, chosen=fact.chosen + 1)
                case Near(win=float(win)):
                    other = msgspec.structs.replace(fact, win=win + 0.001)
                case _:
                    continue
            changed += 1
            assert list(untrue(one._replace(facts=(other,))))
    assert changed > 10


@pytest.mark.parametrize("variant", ["three-handed", "partners"])
def test_where_points_alone_are_known_reasons_are_true_too(variant: str) -> None:
    record = played(variant)
    states = [start(record.rules, named=record.named), *[state for _, state, _ in replay(record)]]
    checked = 0
    for one in reviewed(record):
        if isinstance(one, Decision) and one.mark and one.kind == "play" and checked < 12:
            seen = view(states[one.step], one.seat)
            facts = reasons.reasons(seen, one)
            assert facts
            assert list(untrue(Stated(seen, one, facts))) == []
            checked += 1
    assert checked > 4


def test_every_fact_is_a_sentence_in_both_languages(stated: list[list[Stated]]) -> None:
    met: set[str] = set()
    for one in chain.from_iterable(stated):
        for lang in languages():
            lines = sentences(one, lang)
            assert len(lines) == len(one.facts) <= 3
            for line in lines:
                assert line.endswith(("。", "."))
                assert "{" not in line
                assert "why." not in line
                assert "peg." not in line
            met.update(lines)
    assert len(met) > 40


def test_a_good_choice_is_compared_with_the_best_bad_one() -> None:
    for seen, _ in positions("six-card", 12):
        if seen.phase is not Phase.DISCARD:
            continue
        first = judged(seen, Discard(seen.seat, seen.hand[:2]))
        assert first is not None
        best = judged(seen, Discard(seen.seat, cards(first.best)))
        assert best is not None
        explained = against_the_next(best)
        assert explained is not None
        assert explained.best == best.best
        assert explained.chosen != best.best
        assert reasons.reasons(seen, explained)
        assert list(untrue(Stated(seen, explained, reasons.reasons(seen, explained)))) == []


def test_reasons_name_the_hand_that_makes_the_needed_points() -> None:
    """The pone needs 6 and shows first.

    A hand that makes 6 with every starter wins more than a hand with more points.
    """
    seen = dealt("4H 5H 6C 6S KD 2D", dealer=False, board=(115, 116))
    decision = judged(seen, Discard(seen.seat, cards("4H KD")))
    assert decision is not None
    facts = reasons.reasons(seen, decision)
    needed = next(fact for fact in facts if isinstance(fact, MakesNeed))
    assert (needed.need, needed.counts_first, needed.best) == (6, True, 46)
    assert needed.chosen < 46
    assert list(untrue(Stated(seen, decision, facts))) == []


def test_starters_that_win_a_game_won_anyway_are_no_reason() -> None:
    """Two starters of 46 make the 20 points needed, but the other discard wins 92 of 100 games."""
    seen = dealt("2S 5D 5S JD QD KH", dealer=False, board=(101, 81))
    decision = judged(seen, Discard(seen.seat, cards("5S JD")))
    assert decision is not None
    assert [type(fact) for fact in reasons.reasons(seen, decision)][:2] == [Keeps, Crib]


def test_a_five_for_the_other_crib_is_named_besides_the_hand() -> None:
    """The hand costs 5.0 points, and the crib another 3.3."""
    seen = dealt("6D JC KC TD QH 5H", dealer=False, board=(0, 0))
    decision = judged(seen, Discard(seen.seat, cards("6D 5H")))
    assert decision is not None
    facts = reasons.reasons(seen, decision)
    assert [type(fact) for fact in facts] == [Keeps, Crib]
    assert (
        "gives the opponent’s crib a five"
        in reasons_text(msgspec.to_builtins(decision), reasons.report(facts), "en")[1]
    )


def test_points_at_once_are_the_first_reason(stated: list[list[Stated]]) -> None:
    found = 0
    for one in chain.from_iterable(stated):
        held = {card.text[0]: card for card in one.seen.hand}
        if one.decision.kind == "play" and not isinstance(one.facts[0], Near | WinsMore | WinsNow):
            best, chosen = (
                points_at_once(one.seen, held[name]) for name in (one.decision.best, one.decision.chosen)
            )
            assert isinstance(one.facts[0], AtOnce) == (best > chosen), one
            found += best > chosen
    assert found


def test_the_best_choice_and_a_claim_need_no_reason() -> None:
    whole = played("five-card", counting="claimed", muggins="missed")
    claimed = next(
        place for place, one in enumerate(whole.actions) if isinstance(one, Claim) and one.points > 0
    )
    claim = whole.actions[claimed]
    assert isinstance(claim, Claim)
    missed = (*whole.actions[:claimed], Claim(claim.seat, 0), Accept(1 - claim.seat))
    record = msgspec.structs.replace(whole, actions=missed)
    seen = view(start(record.rules), 0)
    kinds = []
    for one in reviewed(record):
        if not isinstance(one, Decision):
            continue
        if one.kind in ("claim", "muggins") or one.chosen == one.best:
            kinds.append(one.kind)
            assert reasons.reasons(seen, one) == ()
            if one.options:
                assert against(one, one.options[-1]["choice"]).best == one.chosen
    assert {"claim", "muggins"} < set(kinds)


def test_people_reply_as_often_as_reasons_say() -> None:
    """Levels scored on 7 % of the cards that are safe against the solved strategies."""
    rare, often = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    for seed, levels in enumerate((["beginner", "club"], ["casual", "greedy"], ["club", "casual"]) * 3):
        record = recorded(levels, seed)
        states = [start(record.rules), *[state for _, state, _ in replay(record)]]
        for step, action in enumerate(record.actions):
            foe = 1 - action.seat if isinstance(action, Play) else 0
            if isinstance(action, Play) and states[step].hands[foe] and foe not in states[step].said_go:
                seen = view(states[step], action.seat)
                branches = replies_to(seen, LookAhead(seen, PEOPLE), action.card)
                chance = sum(one.chance for one in branches if one.reply_scores)
                scored = reasons.reply_scored(record, states, step, action.seat)
                assert chance or not scored
                of = rare if chance < 0.05 else often
                of[:] = of[0] + 1, of[1] + chance, of[2] + scored
    for number, expected, made in (rare, often):
        assert number > 40
        assert abs(made - expected) < 3 * expected**0.5 + 0.02 * number


def test_a_chance_about_hidden_cards_is_never_0_or_100_percent(stated: list[list[Stated]]) -> None:
    found = 0
    for one in chain.from_iterable(stated):
        for fact in one.facts:
            if isinstance(fact, ScoredOn | SetsUp):
                for lang in languages():
                    line = reasons_text(msgspec.to_builtins(one.decision), reasons.report([fact]), lang)[0]
                    shares = [int(share) for share in re.findall(r"(\d+)\s?%", line)]
                    assert shares
                    assert all(0 < share < 100 and not share % 5 for share in shares)
                    found += 1
    assert found > 4


def test_reasons_name_the_card_that_was_played() -> None:
    """Two queens are equal in pegging; the queen of hearts was played, and reasons named the other one."""
    named = 0
    for seen, _ in positions("six-card", 200):
        ranks = [card.text[0] for card in seen.playable] if seen.phase is Phase.PLAY else []
        twins = [card for card in seen.playable if ranks.count(card.text[0]) > 1] if ranks else []
        for card in twins if len(set(ranks)) > 1 else ():
            one = judged(seen, Play(seen.seat, card))
            assert one is not None
            explained = against_the_next(one) if one.chosen == one.best else one
            if explained is not None:
                which = "chosen" if explained is one else "best"
                assert choice_cards(msgspec.to_builtins(explained), which, "en") == card_text(card.text, "en")
                named += 1
    assert named > 3


def test_praise_needs_a_clear_gain_and_a_reason_that_the_game_bears_out() -> None:
    kinds: list[type] = []
    for seed in range(2):
        record = recorded(["casual", "club"], seed)
        states = [start(record.rules), *[state for _, state, _ in replay(record)]]
        praised: dict[tuple[int, bool], float] = {}
        for one in course_of(record):
            if isinstance(one, Decision) and not one.mark:
                before = praised.get((one.seat, one.obvious), 0.0)
                told = reasons.told(view(states[one.step], one.seat), one, praised, scored_on=True)
                if told is not None:
                    gain = one.options[0]["win"] - one.options[1]["win"]
                    assert gain >= 0.01
                    assert gain > before
                    kinds += [type(fact) for fact in told[1]]
    assert kinds
    assert ScoredOn not in kinds


def test_every_other_choice_has_reasons_of_its_own() -> None:
    record = recorded(["beginner", "club"], 4)
    states = [start(record.rules), *[state for _, state, _ in replay(record)]]
    marked = [one for one in course_of(record) if isinstance(one, Decision) and one.mark and one.options]
    assert {one.kind for one in marked} == {"discard", "play"}
    for one in marked[:12]:
        seen = view(states[one.step], one.seat)
        choices = {each["choice"] for each in one.options} - {one.best}
        cards_held = {card for card in one.hand if card[0] in choices}
        others = reasons.by_choice(seen, one)
        assert set(others) == (choices if one.kind == "discard" else cards_held)
        for name, (other, facts) in others.items():
            assert (other.card or other.chosen) == name
            assert list(untrue(Stated(seen, other, facts))) == []
