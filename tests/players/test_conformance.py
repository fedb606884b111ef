"""What every level must keep, in every variant and with every way of counting."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from fifteentwo.analysis.rollouts import playouts
from fifteentwo.contest.table import Table, seeded
from fifteentwo.players import LEVELS, Player, UnknownLevel, player
from fifteentwo.rules.actions import Claim
from fifteentwo.rules.variants import Rules, Variant, rules_for
from fifteentwo.rules.view import View, choices, view

COUNTING: tuple[dict[str, Any], ...] = (
    {},
    {"counting": "claimed"},
    {"counting": "claimed", "muggins": "missed"},
    {"counting": "claimed", "muggins": "missed-and-overclaims"},
)
MOST_ACTIONS = 20_000


@pytest.fixture(autouse=True)
def _few_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same code with fewer sampled hands: these tests ask what is legal, not what is good."""
    monkeypatch.setattr(playouts, "CARDS", 12)


def play_game(rules: Rules, seed: int | str, players: list[Player]) -> tuple[Table, list[View]]:
    """A whole game, checking every action before the table takes it; and every View asked about."""
    table, asked = Table(rules, seeded(seed)), list[View]()
    for _ in range(MOST_ACTIONS):
        if table.over:
            return table, asked
        seat = table.waiting[0]
        seen = view(table.state, seat)
        assert type(seen) is View
        action = players[seat].act(seen)
        assert action in choices(seen), (action, seen)
        asked.append(seen)
        table.submit(seat, action)
    pytest.fail("the game does not end")


def _every_game() -> Iterator[Any]:
    """Each level at each variant with two of the four ways of counting; with the others, `long`."""
    for number, (level, variant) in enumerate(product(LEVELS, Variant)):
        for way, counting in enumerate(COUNTING):
            marks = [pytest.mark.long] if (number + way) % 2 else []
            name = "-".join([level, variant.value, *counting.values()])
            yield pytest.param(level, variant, counting, id=name, marks=marks)


@pytest.mark.parametrize(("level", "variant", "counting"), [*_every_game()])
def test_every_level_finishes_every_variant_with_legal_actions_only(
    level: str, variant: Variant, counting: dict[str, Any]
) -> None:
    rules = rules_for(variant, target=61, **counting)
    levels = [level if rules.seats == 2 or seat % 2 else "greedy" for seat in range(rules.seats)]
    table, _ = play_game(
        rules, f"{level}-{variant}", [player(name, seat) for seat, name in enumerate(levels)]
    )
    assert table.over


@pytest.mark.parametrize("seed", range(20))
def test_mixed_tables_with_any_options_finish(seed: int) -> None:
    luck = random.Random(seed)
    variant = luck.choice(list(Variant))
    options: dict[str, Any] = dict(luck.choice(COUNTING))
    options["first_dealer"] = luck.choice(["low", "high"])
    options["cut_before_deal"] = luck.random() < 0.5
    options["starter"] = luck.choice(["cut", "top"])
    options["skunk"] = luck.random() < 0.5
    if variant is Variant.PARTNERS:
        options["partners_by_draw"] = luck.random() < 0.5
    options["target"] = luck.choice([61, 121]) if variant is Variant.SIX_CARD else 61
    rules = rules_for(variant, **options)
    players = [player(luck.choice(LEVELS), luck.randrange(1000)) for _ in range(rules.seats)]
    table, _ = play_game(rules, seed, players)
    assert table.over


@pytest.mark.parametrize(("level", "variant"), list(product(LEVELS, Variant)))
def test_the_same_view_gets_the_same_action_whatever_was_asked_before(level: str, variant: Variant) -> None:
    rules = rules_for(variant, counting="claimed", muggins="missed-and-overclaims", target=61)
    levels = [level if rules.seats == 2 or seat % 2 else "random" for seat in range(rules.seats)]
    table, asked = play_game(rules, 7, [player(name, 11) for name in levels])
    asked = [seen for seen in asked if levels[seen.seat] == level]
    fresh = player(level, 11)
    for seen in random.Random(1).sample(asked, min(15, len(asked))):
        again = fresh.act(seen)
        assert again == player(level, 11).act(seen)
        assert again in table.actions


@pytest.mark.parametrize("level", LEVELS)
def test_seeds_change_the_cut(level: str) -> None:
    """Chance at the table is a player's own: two seeds do not always cut at the same place."""
    seen = view(Table(rules_for("six-card"), seeded(1)).state, 0)
    assert len({player(level, seed).act(seen) for seed in range(10)}) > 1


@pytest.mark.parametrize("level", [level for level in LEVELS if level not in ("beginner", "casual")])
def test_r93_levels_that_count_do_not_miss_a_point(level: str) -> None:
    rules = rules_for("six-card", counting="claimed", muggins="missed")
    table, _ = play_game(rules, 3, [player(level, 1), player(level, 2)])
    settled = [event for event in table.events if type(event).__name__ == "ClaimSettled"]
    assert len(settled) > 30
    assert any(isinstance(action, Claim) and action.points for action in table.actions)
    for event in settled:
        assert event.claimed == event.right  # type: ignore[union-attr]


def test_an_unknown_level_is_refused_by_name() -> None:
    with pytest.raises(UnknownLevel, match="grandmaster") as refused:
        player("grandmaster", 1)
    assert refused.value.level == "grandmaster"
