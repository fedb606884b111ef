"""What every level must keep, in every variant and with every way of counting."""

import random
from functools import cache
from itertools import product
from typing import Any

import pytest

from fifteentwo.analysis.rollouts import playouts
from fifteentwo.contest.table import Table
from fifteentwo.players import LEVELS, Player, UnknownLevel, player
from fifteentwo.rules.actions import Claim, SeatAction
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.variants import Rules, Variant, rules_for
from fifteentwo.rules.view import View, choices, view

COUNTING: tuple[dict[str, Any], ...] = (
    {},
    {"counting": "claimed"},
    {"counting": "claimed", "muggins": "missed"},
    {"counting": "claimed", "muggins": "missed-and-overclaims"},
)
MOST_ACTIONS = 20_000
SEED = 11


@pytest.fixture(autouse=True)
def _few_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return the same code with fewer sampled hands: these tests ask what is legal, not what is good."""
    monkeypatch.setattr(playouts, "CARDS", 12)


def play_game(
    rules: Rules, seed: int | str, players: list[Player]
) -> tuple[Table, list[tuple[View, SeatAction]]]:
    """Play a whole game, checking every action before the table takes it; return each View and its action."""
    table, done = Table(rules, seeded(seed)), list[tuple[View, SeatAction]]()
    for _ in range(MOST_ACTIONS):
        if table.over:
            return table, done
        seat = table.waiting[0]
        seen = view(table.state, seat)
        assert type(seen) is View
        action = players[seat].act(seen)
        assert action in choices(seen), (action, seen)
        done.append((seen, action))
        table.submit(seat, action)
    pytest.fail("the game does not end")


@cache
def game_of(level: str, variant: Variant, way: int) -> tuple[Table, list[tuple[View, SeatAction]]]:
    """Return a game of a level and its action at every View, made once for all tests."""
    rules = rules_for(variant, target=61, **COUNTING[way])
    levels = [level if rules.seats == 2 or seat % 2 else "greedy" for seat in range(rules.seats)]
    table, done = play_game(rules, f"{level}-{variant}", [player(name, SEED) for name in levels])
    return table, [(seen, action) for seen, action in done if levels[seen.seat] == level]


GAMES = list(enumerate(product(LEVELS, Variant)))


@pytest.mark.parametrize("others", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("level", LEVELS)
def test_a_level_finishes_every_variant_and_repeats_its_actions(
    level: str, others: bool, subtests: pytest.Subtests
) -> None:
    """Every variant has one of the four ways of counting here; `long` has all."""
    for (number, (name, variant)), way in product(GAMES, range(len(COUNTING))):
        if name == level and (way != number % len(COUNTING)) == others:
            with subtests.test(variant=variant.value, way=way):
                table, done = game_of(level, variant, way)
                assert table.over
                # A new player acts as the first did, whatever it was asked before.
                fresh = player(level, SEED)
                for seen, action in random.Random(1).sample(done, min(8, len(done))):
                    assert fresh.act(seen) == action


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 12))]
)
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


def test_seeds_change_the_cut() -> None:
    seen = view(Table(rules_for("six-card"), seeded(1)).state, 0)
    cuts = {level: {player(level, seed).act(seen) for seed in range(10)} for level in LEVELS}
    assert [level for level, places in cuts.items() if len(places) == 1] == []


@pytest.mark.parametrize(
    ("level", "way"),
    [
        pytest.param(level, number % len(COUNTING) or 1, id=level)
        for number, (level, variant) in GAMES
        if variant is Variant.SIX_CARD and level not in ("beginner", "casual")
    ],
)
def test_r93_levels_that_count_do_not_miss_a_point(level: str, way: int) -> None:
    table, _ = game_of(level, Variant.SIX_CARD, way)
    settled = [event for event in table.events if type(event).__name__ == "ClaimSettled"]
    assert len(settled) > 30
    assert any(isinstance(action, Claim) and action.points for action in table.actions)
    for event in settled:
        assert event.claimed == event.right  # type: ignore[union-attr]


def test_an_unknown_level_is_refused_by_name() -> None:
    with pytest.raises(UnknownLevel, match="grandmaster") as refused:
        player("grandmaster", 1)
    assert refused.value.level == "grandmaster"
