"""Luck and skill add up, reveal no hidden cards, and luck has mean 0."""

from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from fifteentwo.analysis.review.luck import PARTS, Luck, LuckTracker
from fifteentwo.analysis.review.review import Decision, report, reviewed
from fifteentwo.analysis.win import model as win
from fifteentwo.rules.actions import Claim, Deal, Discard, NameDealer, Play
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.events import DealEnded, DealerChosen
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.state import start
from fifteentwo.rules.variants import Variant, rules_for
from tests.support.recorded_games import course_of, played, report_of


def game(seed: int = 3, **options: Any) -> Record:
    return played(["club", "casual"], seed, **options)


def course(seed: int = 3, **options: Any) -> tuple[Decision | Luck, ...]:
    return course_of(game(seed, **options))


CLAIMED: dict[str, Any] = {"seed": 5, "target": 61, "counting": "claimed", "muggins": "missed-and-overclaims"}
GAMES: list[dict[str, Any]] = [{}, {"seed": 4, "target": 61, "skunk": True}, CLAIMED]


def exact(number: float) -> Decimal:
    """Return the printed decimal number, which readers add up."""
    return Decimal(repr(number))


@pytest.mark.parametrize("how", GAMES, ids=str)
def test_result_less_luck_equals_the_adjusted_result_exactly(how: dict[str, Any]) -> None:
    found = report_of(game(**how))
    seats = found["seats"]
    for seat, own in enumerate(seats):
        assert own["result"] in (0, 1)
        assert exact(own["result"]) - exact(own["luck"]) == exact(own["adjusted_result"])
        other = seats[1 - seat]
        assert exact(own["adjusted_result"]) == Decimal("0.5") - exact(own["lost"]) + exact(other["lost"])
        assert exact(own["result"]) - exact(own["dealt_luck"]) == exact(own["luck_adjusted_result"])
        assert exact(own["dealt_luck"]) + exact(other["dealt_luck"]) == 0
        assert sum(exact(one["luck"]) for one in found["luck"] if one["seat"] == seat) == exact(own["luck"])
        lost = [exact(one["loss_win"]) for one in found["decisions"] if one["seat"] == seat]
        assert sum(lost) == exact(own["lost"])
    assert sum(exact(own["luck"]) for own in seats) == 0
    assert sum(own["result"] for own in seats) == 1


def test_an_unfinished_game_has_luck_but_no_result() -> None:
    whole = game()
    actions = whole.actions
    deals = [at for at, action in enumerate(actions) if isinstance(action, Deal)]
    for end in (deals[0], deals[0] + 1, deals[1] + 4):
        part = Record(rules=whole.rules, names=whole.names, actions=actions[:end], named=whole.named)
        # Later events do not change earlier luck.
        found = list(reviewed(part))
        assert found == [one for one in course() if one.step < end]
        for seat in report(part, found)["seats"]:
            assert seat["result"] is None
            assert seat["adjusted_result"] is None
            assert seat["luck_adjusted_result"] is None
            assert seat["luck"] is not None
            assert seat["dealt_luck"] is not None


def test_luck_of_the_deal_owes_nothing_to_the_cards_of_the_other() -> None:
    whole = game()
    at = next(place for place, action in enumerate(whole.actions) if isinstance(action, Deal))
    deal = whole.actions[at]
    assert isinstance(deal, Deal)
    cards = list(deal.cards)
    unseen = [card for card in DECK if card not in cards]
    # The pone's cards lie first, third, …
    for place, card in zip(range(1, 12, 2), unseen, strict=False):
        cards[place] = card
    other = Record(rules=whole.rules, names=whole.names, actions=(*whole.actions[:at], Deal(tuple(cards))))
    lucks = [[one for one in judged if one.step == at] for judged in (course(), reviewed(other))]
    pone = [luck for luck in lucks[0] if luck in lucks[1]]
    assert len(pone) == 1
    assert len(lucks[0]) == len(lucks[1]) == 2


@pytest.mark.parametrize(
    ("dealer", "board"), [(False, (0, 0)), (True, (110, 116)), (False, (119, 119)), (True, (119, 119))]
)
def test_the_starter_is_neither_lucky_nor_unlucky_on_average(dealer: bool, board: tuple[int, int]) -> None:
    six = [DECK[place] for place in np.random.default_rng(sum(board)).choice(52, 6, replace=False)]
    prospects = win.Prospects(six, dealer=dealer)
    before = prospects.values(*board)
    for way in (0, 14):
        after = [prospects.after_starter(way, card).values(*board)[0] for card in DECK if card not in six]
        assert float(np.mean(after)) == pytest.approx(before[way], abs=1e-12)
        assert max(after) > min(after)


def test_a_deal_begins_with_the_chances_of_its_board() -> None:
    """Both probabilities sum to 1; the dealer at 0-0 and a side far ahead have more than one half."""
    tracker, before, ahead = LuckTracker(), start(game().rules), 0
    for number, (_, state, events) in enumerate(replay(game())):
        list(tracker.event_luck(number, before, events))
        before = state
        if any(isinstance(event, DealerChosen | DealEnded) for event in events) and state.won is None:
            chances = [now / PARTS for now in tracker.standings.now]
            assert sum(chances) == pytest.approx(1, abs=1e-6)
            lead = state.front[state.dealer] - state.front[1 - state.dealer]
            if abs(lead) > 15 or state.front == (0, 0):
                ahead += 1
                assert chances[state.dealer if lead >= 0 else 1 - state.dealer] > 0.5
    assert ahead > 1


def test_a_jack_for_a_starter_is_the_dealers_luck_and_wins_at_119() -> None:
    six = [DECK[place] for place in (0, 5, 10, 15, 20, 25)]
    jack = next(card for card in DECK if card.text == "JH")
    assert win.Prospects(six, dealer=True).after_starter(3, jack).values(119, 119)[0] == pytest.approx(1)
    assert win.Prospects(six, dealer=False).after_starter(3, jack).values(119, 119)[0] == pytest.approx(-1)


def test_every_step_is_the_action_that_was_judged() -> None:
    whole = game()
    for one in course():
        action = whole.actions[one.step]
        if isinstance(one, Luck):
            assert one.seat in (0, 1)
            continue
        assert isinstance(one, Decision)
        assert isinstance(action, Discard | Play)
        assert action.seat == one.seat
        if isinstance(action, Play):
            assert action.card.text == one.card
        else:
            assert sorted(map(str, action.cards)) == sorted(one.chosen.split())


def test_luck_comes_by_its_kind_where_the_cards_come() -> None:
    whole = game()
    before = {one.step: set[str]() for one in course()}
    for one in course():
        if isinstance(one, Luck):
            before[one.step].add(one.kind)
    for step, (action, _, events) in enumerate(replay(whole)):
        names = {type(event).__name__ for event in events}
        kinds = before.get(step, set())
        if isinstance(action, Deal):
            assert kinds == {"deal"}
        if "StarterTurned" in names:
            assert "starter" in kinds
        if "DealerChosen" in names or isinstance(action, NameDealer):
            assert kinds == {"cut"}
        if "Shown" in names:
            assert kinds <= {"cards", "show"}
            # If the first hand wins, no other hand is shown.
            assert "show" in kinds or [type(event).__name__ for event in events].count("Shown") == 1


def test_the_curve_ends_at_the_result_and_stays_between_0_and_1() -> None:
    found = report_of(game())
    chances = [point["win"] for point in found["curve"]]
    assert all(0 <= chance <= 1 for chance in chances)
    assert chances[-1] == found["seats"][0]["result"]
    steps = [point["step"] for point in found["curve"]]
    assert steps == sorted(set(steps))
    assert steps[-1] == len(game().actions) - 1


@pytest.mark.parametrize("variant", [Variant.THREE_HANDED, Variant.PARTNERS])
def test_where_no_chance_is_known_there_is_no_luck(variant: Variant) -> None:
    seats = rules_for(variant).seats
    found = report_of(played(["club", "random", "random", "random"][:seats], 4, variant.value))
    assert (found["luck"], found["curve"]) == ([], [])
    for seat in found["seats"]:
        unknown = ("luck", "lost", "rating", "rating_error", "result", "adjusted_result", "loss_win", "band")
        assert {seat[name] for name in (*unknown, "dealt_luck", "luck_adjusted_result")} == {None}
        assert seat["loss_points"] >= 0


@pytest.mark.parametrize(
    "options",
    [pytest.param({}, marks=pytest.mark.long), {"counting": "claimed", "muggins": "missed"}],
    ids=str,
)
def test_five_card_has_luck_that_adds_up_and_no_rating(options: dict[str, str]) -> None:
    """Unplayed cards stay hidden until the show."""
    found = report_of(played(["club", "random"], 4, "five-card", **options))
    assert found["by_chance"]
    assert found["seats"][0]["dealt_luck"] == -found["seats"][1]["dealt_luck"] != 0
    for seat, own in enumerate(found["seats"]):
        assert exact(own["result"]) - exact(own["luck"]) == exact(own["adjusted_result"])
        assert sum(exact(one["luck"]) for one in found["luck"] if one["seat"] == seat) == exact(own["luck"])
        assert exact(own["result"]) - exact(own["dealt_luck"]) == exact(own["luck_adjusted_result"])
        assert {own[name] for name in ("rating", "band")} == {None}
    assert found["seats"][0]["lost"] < found["seats"][1]["lost"]


def test_a_claim_that_was_not_right_costs_its_chance_of_winning() -> None:
    claims = [
        one for one in course(**CLAIMED) if isinstance(one, Decision) and one.kind in ("claim", "muggins")
    ]
    assert claims
    for one in claims:
        assert one.chosen != one.best
        assert one.kind == "muggins" or one.loss_points == max(int(one.best) - int(one.chosen), 0)
        assert one.loss_win is not None
        assert one.loss_win >= 0
        assert not one.obvious
    settled = sum(isinstance(action, Claim) for action in game(**CLAIMED).actions)
    assert len(claims) < settled
