"""A recorded game as pictures: every card and point is shown, and no card is turned down too early."""

import itertools
from typing import Any

import pytest

from fifteentwo.rules.events import Played
from fifteentwo.rules.record import Record, replay, to_plain
from fifteentwo.rules.state import State, start
from fifteentwo.rules.variants import Variant
from fifteentwo.server.study.game_story import Story, tell_story
from tests.support.quick_records import played

CLAIMED = {"counting": "claimed", "muggins": "missed-and-overclaims"}


def _story(variant: str, **options: Any) -> tuple[Record, Story]:
    record = played(variant, **options)
    return record, tell_story(record, "en")


def _whole(found: Story) -> list[dict[str, object]]:
    """Return complete pictures from their changes."""
    now: dict[str, object] = {}
    return [now := now | change for change in found.pictures]


def test_moments_span_every_action_once_and_follow_each_other(subtests: pytest.Subtests) -> None:
    for options, variant in itertools.product([{}, CLAIMED], [variant.value for variant in Variant]):
        with subtests.test(options=options, variant=variant):
            record, found = _story(variant, **options)
            assert found.moments[0].first == 0
            assert found.moments[-1].last == len(record.actions) - 1
            for one, following in zip(found.moments, found.moments[1:], strict=False):
                assert one.first <= one.last <= following.first or (one.last == following.first)
                assert one.before <= one.after <= following.before
            pictures = _whole(found)
            assert pictures[-1]["front"] == to_plain(_states(record)[-1].front)


def test_moments_show_the_state_before_and_after_each_decision(subtests: pytest.Subtests) -> None:
    for options in [{}, CLAIMED]:
        with subtests.test(options=options):
            record, found = _story("six-card", **options)
            states, pictures = _states(record), _whole(found)
            seen = 0
            for step, action in enumerate(record.actions):
                if type(action).__name__ not in ("Discard", "Play"):
                    continue
                moment = next(one for one in found.moments if one.first == step)
                before = pictures[moment.before]
                assert before["hands"] == to_plain(states[step].hands)
                assert before["count"] == states[step].count
                assert before["front"] == to_plain(states[step].front)
                after = pictures[moment.after]
                if type(action).__name__ == "Play":
                    seen += 1
                    assert after["played"][-1] == to_plain((action.seat, action.card))  # type: ignore[index, union-attr]
                    assert after["count"] == _count_made(record, step), (
                        "a card that ends a count is still seen on it"
                    )
            assert seen > 20


def test_a_shown_hand_is_counted_and_sentences_add_up_to_its_points() -> None:
    for options in ({}, CLAIMED):
        _, found = _story("six-card", **options)
        counted = [moment.counted for moment in found.moments if moment.counted]
        assert len(counted) > 6
        for one in counted:
            assert one.points == sum(score.points for score in one.scores)
            assert len(one.spoken) == len(one.scores)
            assert sum(score.points for score in one.named) == one.points
            assert (one.claimed is None) == (not options)


def _states(record: Record) -> list[State]:
    return [start(record.rules, named=record.named), *[state for _, state, _ in replay(record)]]


def _count_made(record: Record, step: int) -> int:
    events = list(replay(record))[step][2]
    return next(event.count for event in events if isinstance(event, Played))


@pytest.mark.parametrize(("lang", "you"), [("en", "You discard"), ("ja", "あなた")])
def test_sentences_address_the_viewer_as_you(lang: str, you: str) -> None:
    record = played("five-card")
    own, others = (
        " ".join(line for moment in tell_story(record, lang, viewer).moments for line in moment.sentences)
        for viewer in (1, None)
    )
    assert you in own
    assert you not in others
    assert "Ken" not in own.replace("Ken's", ""), "the viewer's seat is not named"
    assert "Ken" in others
