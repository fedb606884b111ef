"""Why another choice was better: every fact holds by the rules, or is a figure of the options."""

import msgspec
import pytest

from fifteentwo.analysis.review import reasons
from fifteentwo.analysis.review.reasons import (
    Against,
    AtOnce,
    Better,
    Gives,
    Keeps,
    Leaves,
    Reason,
    Replies,
    WinsMore,
)
from fifteentwo.analysis.review.review import Decision, reviewed
from fifteentwo.i18n import languages
from fifteentwo.i18n.reasons import reasons_text
from fifteentwo.rules import pegging
from fifteentwo.rules.actions import Accept, Claim
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.state import State, start
from fifteentwo.rules.view import View, view
from tests.support.quick_records import played

Explained = list[tuple[View, Decision, tuple[Reason, ...]]]


def _explained(record: Record, deals: int) -> Explained:
    """The decisions of the first deals that were not the best, with their reasons."""
    states: list[State] = [start(record.rules, named=record.named)]
    states += [state for _, state, _ in replay(record)]
    found = []
    for one in reviewed(record):
        if one.deal > deals:
            break
        if isinstance(one, Decision) and one.options and one.chosen != one.best:
            seen = view(states[one.step], one.seat)
            found.append((seen, one, reasons.reasons(seen, one)))
    return found


@pytest.fixture(scope="module")
def explained() -> Explained:
    games = ((played("six-card", 3), 3), (played("three-handed"), 4), (played("partners"), 4))
    return [one for record, deals in games for one in _explained(record, deals)]


def _of(decision: Decision, choice: str) -> dict[str, float]:
    return next(option for option in decision.options if option["choice"] == choice)


def test_facts_hold_only_figures_of_the_options(explained: Explained) -> None:
    kinds = set()
    for seen, decision, facts in explained:
        best, own = _of(decision, decision.best), _of(decision, decision.chosen)
        assert len(facts) <= 2
        for fact in facts:
            kinds.add(type(fact))
            match fact:
                case Better(part=part, best=more, chosen=less, own_crib=own_crib):
                    assert (more, less) == (best[part], own[part])
                    assert (more < less) == (part == "crib" and not own_crib)
                    assert own_crib == (seen.rules.side(seen.dealer) == seen.side)
                case Against(part=part, gain=gain):
                    assert gain == pytest.approx(abs(best[part] - own[part]))
                    gained = next(one for one in facts if isinstance(one, Better))
                    assert gain < abs(gained.best - gained.chosen), "what is outweighed is less"
                case WinsMore(points=points, win=win, chosen_win=chosen_win):
                    assert points == pytest.approx(own["points"] - best["points"])
                    assert points > 0
                    assert win == best["win"] >= chosen_win == own["win"]
                case Leaves(best=more, chosen=less):
                    assert (more, less) == (best["points"], own["points"])
                    assert more > less
                case Keeps(best=more, chosen=less):
                    assert more > less
                case _:
                    pass
    assert {Better, Leaves, Replies} <= kinds


def test_cards_that_score_at_once_and_replies_are_those_of_the_rules(explained: Explained) -> None:
    checked = 0
    for seen, decision, facts in explained:
        cards = {card.text[0]: card for card in seen.hand}
        for fact in facts:
            if isinstance(fact, Replies):
                checked += 1
                chosen, best = cards[decision.chosen], cards[decision.best]
                assert fact.count == seen.count + chosen.value
                assert fact.chosen == _replies(seen, chosen) > fact.best == _replies(seen, best)
                assert fact.unseen == len(_unseen(seen))
            if isinstance(fact, AtOnce):
                checked += 1
                made = sum(score.points for score in pegging.scores((*seen.in_count, cards[decision.best])))
                assert fact.points in (made, made + 1)  # with the last card
                assert fact.points > fact.chosen
            if isinstance(fact, Gives):
                checked += 1
                assert seen.rules.side(seen.dealer) != seen.side
                discard = [Card(text) for text in decision.chosen.split()]
                assert fact.fives == sum(card.rank == 5 for card in discard) or fact.scores
                own = next(one for one in decision.options if one["choice"] == decision.chosen)
                assert fact.mean == own["crib"]
    assert checked > 5


def _unseen(seen: View) -> list[Card]:
    known = {*seen.hand, *seen.discarded, seen.starter, *(card for _, card in seen.played)}
    return [card for card in DECK if card not in known]


def _replies(seen: View, card: Card) -> int:
    count = seen.count + card.value
    if count == 31:
        return 0
    pile = (*seen.in_count, card)
    return sum(count + one.value <= 31 and bool(pegging.scores((*pile, one))) for one in _unseen(seen))


def test_every_fact_is_a_sentence_in_both_languages(explained: Explained) -> None:
    sentences: set[str] = set()
    for _, decision, facts in explained:
        plain = msgspec.to_builtins(decision)
        for lang in languages():
            lines = reasons_text(plain, reasons.report(facts), lang)
            assert len(lines) == len(facts)
            for line in lines:
                assert line.endswith(("。", "."))
                assert "{" not in line
                assert "why." not in line
            sentences.update(lines)
    assert len(sentences) > 20


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
        assert isinstance(one, Decision)
        if one.kind in ("claim", "muggins") or one.chosen == one.best:
            kinds.append(one.kind)
            assert reasons.reasons(seen, one) == ()
    assert {"claim", "muggins"} < set(kinds)
