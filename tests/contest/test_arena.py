"""Arenas: duplicate deals, swapped seats, results that do not depend on processes, and correct intervals."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import fifteentwo as ft
from fifteentwo.contest import arena as contest_arena
from fifteentwo.contest.arena import Pair, Pairing, Running, arena, confidence_interval, play_pair, play_pairs
from fifteentwo.contest.entrants import Level
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table
from fifteentwo.players import UnknownLevel, player
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.errors import UnknownVariant
from fifteentwo.rules.events import Dealt, StarterTurned
from fifteentwo.rules.variants import Variant, rules_for


def test_a_level_against_itself_wins_exactly_half_of_every_variant(subtests: pytest.Subtests) -> None:
    """Equal players play each game twice, once from each side, because decks are dealt again."""
    for variant in Variant:
        with subtests.test(variant=variant):
            result = arena("greedy", "greedy", 6, 3, variant=variant.value)
            assert result["wins"] == [3, 3]
            assert result["points"][0] == result["points"][1]
            assert result["skunks"][0] == result["skunks"][1]


def test_both_games_of_a_pair_are_dealt_the_same_cards() -> None:
    """Greedy and random play differently, and still get the same hands and starters."""
    rules = rules_for("six-card", first_dealer="named", cut_before_deal=False, starter="top")
    cards: list[list[object]] = []
    for swapped in (0, 1):
        table = Table(rules, seeded("1/0"))
        table.adopt(table.name_dealer(0))
        seats = [player("greedy", 2), player("random", 3)]
        play_out(table, seats[::-1] if swapped else seats)
        cards.append([event for event in table.events if isinstance(event, Dealt | StarterTurned)])
    shared = min(map(len, cards))
    assert shared > 8
    assert cards[0][:shared] == cards[1][:shared]


def test_the_result_does_not_depend_on_the_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest_arena, "PAIRS_IN_A_BATCH", 5)
    alone = arena("greedy", "random", 12, 9)
    assert arena("greedy", "random", 12, 9, running=Running(jobs=2)) == alone
    assert arena("greedy", "random", 12, 10) != alone


def test_an_arena_is_the_sum_of_its_pairs() -> None:
    rules = rules_for("six-card", first_dealer="named", cut_before_deal=False, starter="top")
    pairing = Pairing((Level("greedy"), Level("random")), 4, rules)
    pairs = play_pairs(pairing, range(6))
    players = [[player("greedy", 8)] * 2, [player("random", 9)] * 2]
    assert pairs == [play_pair(pairing, number, players) for number in range(6)]
    result = arena("greedy", "random", 12, 4)
    assert result["wins"] == [sum(pair.wins[level] for pair in pairs) for level in (0, 1)]
    assert sum(result["wins"]) == result["games"] == 12


def test_swapping_the_names_swaps_the_result() -> None:
    one, other = arena("club", "greedy", 10, 2), arena("greedy", "club", 10, 2)
    assert one["wins"] == other["wins"][::-1]
    assert one["points"] == other["points"][::-1]


@pytest.mark.parametrize(
    ("stronger", "weaker", "games"),
    [
        ("beginner", "random", 40),
        ("casual", "beginner", 60),
        ("greedy", "random", 20),
        ("club", "casual", 100),
    ],
)
def test_a_stronger_level_beats_a_weaker_one(stronger: str, weaker: str, games: int) -> None:
    assert arena(stronger, weaker, games, 1)["ci95"][0] > 0.5


@pytest.mark.long
@pytest.mark.parametrize("variant", list(Variant))
def test_greedy_beats_random(variant: Variant) -> None:
    assert arena("greedy", "random", 50, 1, variant=variant.value)["ci95"][0] > 0.5


@pytest.mark.long
@pytest.mark.parametrize(("variant", "games"), [("five-card", 600), ("partners", 400)])
def test_club_beats_greedy(variant: str, games: int) -> None:
    assert arena("club", "greedy", games, 1, variant=variant)["ci95"][0] > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["three-handed", "four-handed"])
def test_club_beats_greedy_where_all_play_for_themselves(variant: str) -> None:
    assert arena("club", "greedy", 4_000, 1, running=Running(jobs=2), variant=variant)["ci95"][0] > 0.5


def test_an_odd_number_of_games_is_rounded_up_to_pairs() -> None:
    assert arena("random", "random", 5, 1)["games"] == 6


def test_r18_r20_skunks_are_counted_whether_or_not_they_are_played_for() -> None:
    plain = arena("greedy", "random", 40, 1)
    played = arena("greedy", "random", 40, 1, options={"skunk": True, "double_skunk": True})
    assert plain["skunks"] == played["skunks"]
    assert plain["skunks"][0] > 10
    assert plain["double_skunks"][0] <= plain["skunks"][0]


def test_options_reach_the_table() -> None:
    result = arena("random", "random", 10, 1, options={"target": 61, "counting": "claimed"})
    assert max(result["points"]) <= 61


def test_bad_names_are_refused_before_anything_is_played() -> None:
    with pytest.raises(UnknownLevel):
        arena("random", "champion", 10, 1)
    with pytest.raises(UnknownVariant):
        arena("random", "random", 10, 1, variant="seven-card")
    with pytest.raises(ValueError, match="at least one"):
        arena("random", "random", 0, 1)


def test_the_result_can_be_written_as_json() -> None:
    result = arena("greedy", "random", 10, 1)
    again: dict[str, Any] = json.loads(json.dumps(result))
    assert again == result


def test_the_interval_covers_the_truth_about_95_times_in_100() -> None:
    """Pairs as duplicate deals make them: often split, for the same cards win for either level."""
    luck = random.Random(5)
    weights = {1.0: 0.22, 0.5: 0.64, 0.0: 0.14}
    truth = sum(share * weight for share, weight in weights.items())
    covered = 0
    for _ in range(1_000):
        low, high = confidence_interval(luck.choices(list(weights), list(weights.values()), k=200))
        covered += low <= truth <= high
    assert 925 <= covered <= 975


def test_the_interval_of_a_rout_is_not_certain() -> None:
    low, high = confidence_interval([1.0] * 20)
    assert low < 0.95
    assert high <= 1.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stronger", "weaker", "variant", "games"),
    [
        ("expert", "club", "six-card", 3_000),
        ("master", "club", "six-card", 3_000),
        ("expert", "club", "five-card", 3_000),
        ("expert", "club", "three-handed", 2_000),
        ("expert", "club", "partners", 1_000),
        ("expert", "club", "four-handed", 3_000),
        ("expert", "greedy", "five-card", 1_000),
        ("expert", "greedy", "three-handed", 1_000),
        ("expert", "greedy", "partners", 600),
        ("expert", "greedy", "four-handed", 1_000),
    ],
)
def test_the_strongest_levels_beat_the_others(stronger: str, weaker: str, variant: str, games: int) -> None:
    assert arena(stronger, weaker, games, 3, running=Running(jobs=None), variant=variant)["ci95"][0] > 0.5


def test_an_arena_goes_on_from_what_was_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest_arena, "PAIRS_IN_A_BATCH", 5)
    whole = arena("greedy", "random", 24, 6)
    outcome: list[tuple[int, int]] = []

    def killed(played: int, games: int) -> None:
        outcome.append((played, games))
        if played:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        arena("greedy", "random", 24, 6, running=Running(checkpoint=tmp_path, report=killed))
    assert outcome == [(0, 24), (10, 24)]
    (kept,) = tmp_path.iterdir()
    # The process was killed while it wrote a line.
    kept.write_bytes(kept.read_bytes() + b'\n[10,[{"wins":[1,')
    played: list[Sequence[int]] = []
    inner = contest_arena.play_pairs

    def counted(pairing: Pairing, numbers: Sequence[int], records: Path | None = None) -> list[Pair]:
        played.append(numbers)
        return inner(pairing, numbers, records)

    monkeypatch.setattr(contest_arena, "play_pairs", counted)
    assert arena("greedy", "random", 24, 6, running=Running(checkpoint=tmp_path)) == whole
    assert [batch.start for batch in played if isinstance(batch, range)] == [5, 10]
    # A smaller arena of the same seed needs no new games; another seed starts again.
    played.clear()
    assert arena("greedy", "random", 20, 6, running=Running(checkpoint=tmp_path)) == arena(
        "greedy", "random", 20, 6
    )
    assert len(played) == 2
    arena("greedy", "random", 10, 7, running=Running(checkpoint=tmp_path))
    assert len(list(tmp_path.iterdir())) == 2


def test_every_arrangement_is_dealt_to_by_every_seat_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three arrangements and three first dealers give nine pairs of three-handed games."""
    rules = rules_for("three-handed", first_dealer="named", cut_before_deal=False, starter="top", target=61)
    pairing = Pairing((Level("random"), Level("random")), 1, rules)
    dealers: list[int] = []
    named = Table.name_dealer

    def traced(table: Table, dealer: int) -> Any:
        dealers.append(dealer)
        return named(table, dealer)

    monkeypatch.setattr(Table, "name_dealer", traced)
    play_pairs(pairing, range(9))
    assert dealers[::2] == dealers[1::2] == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_the_record_of_each_game_is_written(tmp_path: Path) -> None:
    reported: list[tuple[int, int]] = []
    running = Running(records=tmp_path, report=lambda played, games: reported.append((played, games)))
    result = arena("greedy", "random", 4, 1, running=running)
    records = [ft.Record.load(tmp_path / f"{number}.txt") for number in range(1, 5)]
    assert reported == [(0, 4), (4, 4)]
    assert sum(record.names[record.winner or 0] == "greedy" for record in records) == result["wins"][0]
