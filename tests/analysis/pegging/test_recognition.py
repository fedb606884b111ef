"""`master` recognises the levels from the deals that lie open."""

import numpy as np
import pytest
from msgspec.structs import replace

from fifteentwo.analysis.pegging.look_ahead import PEOPLE
from fifteentwo.analysis.pegging.opponents import BEGINNER, BOOK, CASUAL, CLUB
from fifteentwo.analysis.pegging.recognition import likelihood, opponent_belief
from fifteentwo.contest.table import Table
from fifteentwo.contest.view_consistency import ImpossibleView, check_view
from fifteentwo.players import player
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.past import replay
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View, view

KINDS = {"expert": BOOK, "club": CLUB, "casual": CASUAL, "beginner": BEGINNER}


def after_deals(level: str, seed: int, deals: int) -> View:
    """Return the View of seat 0 after a number of deals against a level."""
    table = Table(rules_for("six-card"), seeded(f"recognised/{seed}"))
    players = [player("club", 1), player(level, 2)]
    while table.state.deal <= deals:
        seat = table.waiting[0]
        table.submit(seat, players[seat].act(view(table.state, seat)))
    return view(table.state, 0, past=True)


@pytest.mark.parametrize("level", list(KINDS))
def test_a_level_is_recognised_within_five_deals(level: str) -> None:
    chances = np.mean([opponent_belief(after_deals(level, seed, 5)).prior for seed in range(4)], axis=0)
    assert chances[KINDS[level]] == max(chances)
    # `casual` and `beginner` discard much alike.
    assert sum(chances[[CASUAL, BEGINNER] if KINDS[level] >= CASUAL else [KINDS[level]]]) > 0.9


@pytest.mark.parametrize("level", ["club", "casual", "beginner"])
def test_likelihood_equals_the_frequency_of_the_level(level: str) -> None:
    seen, seeds, apart = after_deals(level, 5, 6), 200, []
    players = [player(level, seed) for seed in range(seeds)]
    for deal in seen.past:
        states = replay(deal, seen.rules, 0)
        dealt = view(next(state for state in states if len(state.hands[1]) == 6), 1)
        given = {*deal.crib} - {*deal.discarded[0]}
        done = [one.act(dealt) for one in players]
        hits = [isinstance(one, Discard) and {*one.cards} == given for one in done]
        expected = 0.97 * np.mean(hits) + 0.03 / 15
        for state in states:
            if state.phase is Phase.PLAY and state.turn == 1:
                now, rank = view(state, 1), deal.played[len(state.played)][1].rank
                ranks = {card.rank for card in now.playable}
                if len(ranks) > 1:
                    done = [one.act(now) for one in players]
                    hits = [isinstance(one, Play) and one.card.rank == rank for one in done]
                    expected *= 0.97 * np.mean(hits) + 0.03 / len(ranks)
        apart.append(np.log(likelihood(deal, seen.rules, 0)[KINDS[level]] / expected))
    assert len(apart) == 6
    # Frequencies over 200 seeds have sampling errors; `club` is deterministic.
    assert np.abs(apart).mean() < (1e-6 if level == "club" else 0.3)


def test_belief_is_the_prior_times_every_likelihood() -> None:
    seen = after_deals("casual", 3, 4)
    product = np.array(PEOPLE.prior)
    for deal in seen.past:
        product *= likelihood(deal, seen.rules, 0)
    assert opponent_belief(seen).prior == pytest.approx(product / product.sum(), abs=0.02)
    reversed_deals = opponent_belief(replace(seen, past=seen.past[::-1]))
    assert reversed_deals.prior == pytest.approx(opponent_belief(seen).prior, abs=1e-12)


def test_without_earlier_deals_people_are_believed_in() -> None:
    seen = after_deals("club", 1, 0)
    assert seen.past == ()
    assert opponent_belief(seen).prior == pytest.approx(PEOPLE.prior)


def test_a_view_hides_what_the_other_seat_gave() -> None:
    seen = after_deals("club", 1, 3)
    assert len(seen.past) == 3
    for deal in seen.past:
        assert len(deal.discarded[0]) == 2
        assert deal.discarded[1] == ()
        assert {*deal.discarded[0]} < {*deal.crib}


def test_a_view_with_earlier_deals_survives_json() -> None:
    seen = after_deals("casual", 2, 2)
    assert from_json(to_json(seen), View) == seen
    assert b'"past"' not in to_json(replace(seen, past=()))


def test_a_past_that_no_deal_can_have_is_refused() -> None:
    seen = after_deals("club", 1, 2)
    check_view(seen)
    first = seen.past[0]
    wrong = [
        replace(first, starter=first.crib[0]),
        replace(first, kept=first.kept[::-1]),
        replace(first, dealer=2),
        replace(first, played=first.played[::-1]),
        replace(first, count_ends=(3,)),
        replace(first, crib=first.crib[:3]),
        replace(first, discarded=first.discarded[::-1]),
        replace(first, played=first.played[:5]),
    ]
    for deal in wrong:
        with pytest.raises(ImpossibleView) as refused:
            check_view(replace(seen, past=(deal, seen.past[1])))
        assert refused.value.field == "past"
    with pytest.raises(ImpossibleView):
        check_view(replace(seen, past=seen.past * 2))
