"""Games and matches of levels and of players that users write."""

import json
import random
import subprocess
import sys
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import fifteentwo as ft
from fifteentwo.cli import main
from fifteentwo.i18n import LANGUAGES, refusal
from fifteentwo.library import games
from fifteentwo.rules.record import last_state
from fifteentwo.rules.variants import Variant
from tests.library import user_program
from tests.support.errors import raises_code


class AtRandom:
    """A user's player that makes random choices."""

    def act(self, view: ft.View) -> ft.Action:
        return random.choice(ft.choices(view))


class Raises(AtRandom):
    """A player that raises an exception in the second deal."""

    def act(self, view: ft.View) -> ft.Action:
        if view.deal == 2:
            raise KeyError("nothing is there")
        return super().act(view)


class Cheats(AtRandom):
    """A player that plays cards that it does not hold."""

    name = "a cheat"

    def act(self, view: ft.View) -> ft.Action:
        if view.phase is ft.Phase.PLAY:
            return ft.Play(view.seat, next(card for card in ft.DECK if card not in view.hand))
        return super().act(view)


class Mumbles(AtRandom):
    """A player that returns no action."""

    def act(self, view: ft.View) -> ft.Action:
        return str(view.seat)  # type: ignore[return-value]


class Remembers(AtRandom):
    """A player with its own random generator that follows games and is closed."""

    def __init__(self) -> None:
        self.luck = random.Random(5)
        self.games = 0
        self.closed = False

    def act(self, view: ft.View) -> ft.Action:
        return self.luck.choice(ft.choices(view))

    def new_game(self, rules: ft.Rules) -> None:
        self.games += rules.seats == 2

    def game_over(self, won: object) -> None:
        self.games += 100 * (won is not None)

    def close(self) -> None:
        self.closed = True


def first_choice(view: ft.View) -> ft.Action:
    return ft.choices(view)[0]


def test_a_function_of_a_view_is_a_player() -> None:
    one = ft.play(first_choice, "random", seed=3)
    assert one.names == ("first_choice", "random")
    assert one == ft.play([first_choice, "random"], seed=3)
    assert ft.match(lambda view: ft.choices(view)[-1], first_choice, games=2).games == 2


def test_a_record_has_its_result(subtests: pytest.Subtests) -> None:
    for variant in ft.Variant:
        with subtests.test(variant=variant):
            players = ["random"] * ft.rules_for(variant).seats
            record = ft.play(players, variant=variant, seed=5)
            assert record.winner is not None
            assert record.scores[record.winner] == record.rules.target == max(record.scores)
            assert record.deals == sum(isinstance(action, ft.rules.Deal) for action in record.actions)
    record = ft.play("random", "random", seed=5)
    unfinished = ft.Record(rules=record.rules, names=record.names, actions=record.actions[:20])
    assert unfinished.winner is None


def test_a_game_starts_by_the_name_of_its_variant() -> None:
    assert ft.start("six-card", target=61) == ft.start(ft.rules_for("six-card", target=61))
    with raises_code(ft.InvalidArgument, "options-beside-rules"):
        ft.start(ft.rules_for("six-card"), target=61)
    with pytest.raises(ft.InvalidArgument, match=r"There is no option “taget”\. The options are target,"):
        ft.start("six-card", taget=61)  # type: ignore[call-arg]


def test_a_match_writes_its_progress_only_if_asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ft.match("random", "greedy", games=4)
    assert capsys.readouterr() == ("", "")
    seconds = count(0, 2)
    monkeypatch.setattr(games, "monotonic", lambda: float(next(seconds)))
    ft.match("random", "greedy", games=4, progress=True)
    assert "4" in capsys.readouterr().err


def test_a_game_is_played_to_its_end_in_every_variant(subtests: pytest.Subtests) -> None:
    for variant in list(Variant):
        with subtests.test(variant=variant):
            seats = ft.rules_for(variant).seats
            players = (AtRandom(), "greedy", AtRandom, "random")
            record = ft.play(players[:seats], variant=variant, seed=3)
            state = last_state(record)
            assert state.won is not None
            assert record.names == ("AtRandom", "greedy", "AtRandom", "random")[:seats]


def test_the_same_seed_gives_the_same_game() -> None:
    games = [ft.play(["greedy", AtRandom()], seed=seed) for seed in (7, 7, 8)]
    assert games[0] == games[1] != games[2]
    assert ft.play(["random", "random"]) != ft.play(["random", "random"])


def test_a_seed_leaves_the_programs_own_chance_alone() -> None:
    random.seed(1)
    expected = random.random()
    random.seed(1)
    ft.play([AtRandom(), AtRandom()], seed=7)
    assert random.random() == expected


def test_options_reach_the_rules() -> None:
    options: dict[str, Any] = {
        "target": 61,
        "counting": "claimed",
        "muggins": "missed",
        "first_dealer": "named",
    }
    record = ft.play([AtRandom(), "casual"], seed=1, **options)
    assert record.rules == ft.rules_for("six-card", **options)
    assert last_state(record).won is not None
    assert ft.play(["random", "random"], seed=1, first_dealer="named").actions[0] == ft.rules.NameDealer(0)


def test_a_faulty_player_is_named_with_its_seat_and_deal(subtests: pytest.Subtests) -> None:
    for player, code, name, says in (
        (Raises(), "player-raised", "Raises", "KeyError: 'nothing is there'"),
        (Cheats(), "player-not-allowed", "a cheat", "Play("),
        (Mumbles(), "player-not-allowed", "Mumbles", "'1'"),
    ):
        with subtests.test(player=player, code=code, name=name, says=says):
            with pytest.raises(ft.PlayerError) as caught:
                ft.play(["random", player], seed=2)
            error = caught.value
            assert (error.code, error.player, error.seat) == (code, name, 1)
            assert says in error.detail
            assert error.deal == (2 if code == "player-raised" else 1 if name == "a cheat" else 0)
            if code == "player-raised":
                assert isinstance(error.__cause__, KeyError)
            with pytest.raises(ft.PlayerError, match=name):
                ft.match("random", player, games=2, luck=False)


def test_a_long_reason_of_a_faulty_player_is_printed_whole() -> None:
    reason = " ".join(["the count of the hand is not known"] * 8)

    def fails(view: ft.View) -> ft.Action:
        raise ValueError(f"{reason}, seat {view.seat}")

    with pytest.raises(ft.PlayerError, match=f"{reason}, seat 0"):
        ft.play(fails, "random", seed=2)


def test_an_engine_that_fails_ends_the_game_with_its_reason() -> None:
    class Fails(AtRandom):
        def act(self, view: ft.View) -> ft.Action:
            raise ft.EngineError("time", f"no answer within {2 + 0 * view.seat} s")

    with pytest.raises(ft.PlayerError, match="no answer within 2 s"):
        ft.play(["random", Fails()], seed=2)
    result = ft.match("random", Fails, games=4, luck=False)
    assert result.wins == (4, 0)
    assert [(one.player, one.code, one.games) for one in result.failures] == [("Fails", "time", 4)]


def test_invalid_arguments_are_refused_with_a_code_and_a_sentence(subtests: pytest.Subtests) -> None:
    def two(**wrong: Any) -> object:
        return ft.match("greedy", "random", **{"games": 2, **wrong})

    untyped: Any = ft
    position = "partners 5-6 pone 5H6D7CJCKD"
    for call, code in (
        (partial(untyped.play, ["greedy"]), "number-of-players"),
        (partial(untyped.play, ["greedy"] * 3), "number-of-players"),
        (partial(untyped.play, "master"), "not-players"),
        (partial(untyped.play, 7), "not-players"),
        (partial(untyped.play, ["greedy", 7]), "not-a-player"),
        (partial(untyped.play, ["greedy", None]), "not-a-player"),
        (partial(untyped.play, ["greedy", "wizard"]), "unknown-level"),
        (partial(untyped.play, ["greedy", dict]), "not-a-player"),
        (partial(untyped.match, divmod, "greedy", games=2), "not-a-player"),
        (partial(two, variant="whist"), "unknown-variant"),
        (partial(two, variant=6), "unknown-variant"),
        (partial(two, target=100), "target-not-offered"),
        (partial(two, games=0), "number-too-small"),
        (partial(two, games=2.5), "not-a-number"),
        (partial(two, jobs=0), "number-too-small"),
        (partial(two, seed="one"), "not-a-number"),
        (partial(two, games=10**30), "number-too-large"),
        (partial(two, games=5), "odd-number"),
        (partial(two, jobs=10**9), "number-too-large"),
        (partial(untyped.play, ["random", "random"], seed="x"), "not-a-number"),
        (partial(untyped.win_probability, position, games=10**30), "number-too-large"),
        (partial(untyped.win_probability, position, games="9"), "not-a-number"),
        (partial(untyped.simulate, games=10**30), "number-too-large"),
        (partial(untyped.engine, None), "not-text"),
        (partial(untyped.Record.load, None), "not-text"),
        (partial(untyped.Position.load_all, 5), "not-text"),
        (partial(untyped.step, ft.start(ft.rules_for("six-card")), "play 5H"), "not-an-action"),
    ):
        with subtests.test(call=call, code=code):
            with pytest.raises(ft.FifteenTwoError) as caught:
                call()
            assert caught.value.code == code
            for lang in LANGUAGES:
                assert f"{code})" not in refusal(caught.value, lang)


def test_a_match_is_the_arena_of_the_command_line() -> None:
    result = ft.match("greedy", "random", games=30, seed=4, luck=False)
    done = CliRunner().invoke(
        main, ("arena", "greedy", "random", "--games", "30", "--seed", "4", "--jobs", "1", "--json")
    )
    printed = json.loads(done.stdout)
    mine = json.loads(json.dumps(result.to_dict()))
    assert {name: printed[name] for name in mine if name != "luck_adjusted"} == {
        name: value for name, value in mine.items() if name != "luck_adjusted"
    }
    assert str(result).startswith("Six-card: greedy against random, 30 games, seed 4\n")
    assert "30" in result.text("ja")


@pytest.mark.long
def test_luck_is_taken_out_of_the_result() -> None:
    result = ft.match("greedy", AtRandom(), games=8, seed=1, luck=True)
    assert result.luck_adjusted is not None
    low, high = result.luck_adjusted.ci95
    assert low <= result.luck_adjusted.win_rate <= high or result.luck_adjusted.win_rate > 1
    assert ft.match("greedy", AtRandom(), games=2).luck_adjusted is None
    for variant in Variant:
        found = ft.match("greedy", AtRandom(), games=2, variant=variant.value, luck=True).luck_adjusted
        assert found is not None
        assert 0 < found.win_rate < 2


@pytest.mark.long
def test_the_result_does_not_depend_on_processes_nor_on_where_a_player_is_defined() -> None:
    class Local(Remembers):
        """A class inside a function cannot be imported by name."""

    for player in (Local(), lambda: AtRandom()):
        alone = ft.match("greedy", player, games=54, seed=9, luck=False)
        assert ft.match("greedy", player, games=54, seed=9, luck=False, jobs=2) == alone


def test_players_follow_games_and_a_users_object_is_not_closed() -> None:
    one = Remembers()
    ft.play([one, "random"], seed=1)
    assert (one.games, one.closed) == (101, False)
    # A match plays with copies.
    ft.match(one, "random", games=2, luck=False)
    assert (one.games, one.closed) == (101, False)


def test_a_player_that_cannot_be_copied_plays_alone_only() -> None:
    class Holds(AtRandom):
        def __init__(self) -> None:
            self.opened = (number for number in range(3))

    assert ft.match("greedy", Holds(), games=2, luck=False).games == 2
    with pytest.raises(ft.FifteenTwoError) as caught:
        ft.match("greedy", Holds(), games=52, luck=False, jobs=2)
    assert caught.value.code == "player-not-sent"


@pytest.mark.long
def test_a_program_without_a_main_guard_may_use_processes(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import random\n"
        "import fifteentwo as ft\n"
        "class MyPlayer:\n"
        "    def act(self, view: ft.View) -> ft.Action:\n"
        "        return random.choice(ft.choices(view))\n"
        "print(ft.match('greedy', MyPlayer(), games=52, luck=False, jobs=2).wins)\n"
    )
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=120)
    assert done.stderr == ""
    assert done.stdout == f"{ft.match('greedy', AtRandom(), games=52, luck=False).wins}\n"


@pytest.mark.long
def test_a_users_program_runs(capsys: pytest.CaptureFixture[str]) -> None:
    user_program.main()
    assert capsys.readouterr().out.startswith("29 ")
