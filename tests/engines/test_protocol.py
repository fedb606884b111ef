"""A session of engine protocol 1: schema, hello, new games, and bots that only answer Views."""

import json
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import fifteentwo as ft
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table
from fifteentwo.engines.bot import Bot
from fifteentwo.engines.engine import Engine
from fifteentwo.engines.process import NoProgram
from fifteentwo.engines.protocol import SCHEMA, schema_text
from fifteentwo.players import EngineError, player
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.record import to_json
from fifteentwo.rules.variants import rules_for

PLAYS = """
import json, sys
from fifteentwo.players import player
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.view import View
greedy = player("greedy", 1)
def act(line):
    return to_json(greedy.act(from_json(line, View))).decode()
def put(text):
    print(text, flush=True)
"""


def bot(folder: Path, body: str) -> list[str]:
    file = folder / "bot.py"
    file.write_text(PLAYS + textwrap.dedent(body), encoding="utf-8")
    return [sys.executable, str(file)]


def game(engine: Engine, games: int = 1) -> Table:
    rules = rules_for("six-card", first_dealer="named", cut_before_deal=False, starter="top", target=61)
    table = Table(rules, seeded(0))
    for number in range(games):
        table = Table(rules, seeded(number))
        table.adopt(table.name_dealer(0))
        failed = play_out(table, [engine, player("greedy", 2)])
        assert failed is None, failed
    return table


def test_the_schema_in_the_package_is_that_of_the_messages() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == schema_text()


def test_every_ref_of_the_schema_is_defined() -> None:
    written = schema_text()
    defined = set(json.loads(written)["$defs"])
    named = {one.partition('"')[0] for one in written.split("#/$defs/")[1:]}
    assert named <= defined
    assert {"View", "Hello", "NewGame", "GameOver", "Quit", "Play", "Answer"} <= defined


def test_an_engine_is_sent_the_whole_session(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    command = bot(
        tmp_path,
        f"""
        log = open({str(seen)!r}, "w")
        for line in sys.stdin:
            print(line, end="", file=log, flush=True)
            message = json.loads(line)
            if message.get("type") == "hello":
                put('{{"type":"hello","name":"Ada","protocol":1,"options":["depth"],"new":1}}')
                put('{{"type":"ready"}}')
            elif message.get("type") == "quit":
                break
            elif "type" not in message:
                put('{{"type":"action","action":%s,"value":0.25,"comment":"hm"}}' % act(line))
        """,
    )
    with ft.engine(command, time=5, seed=9, options={"depth": 3}) as engine:
        assert engine.pid is None
        table = game(engine, 2)
        assert (engine.name, engine.value, engine.comment) == ("Ada", 0.25, "hm")
    sent: list[dict[str, Any]] = [json.loads(line) for line in seen.read_text().splitlines()]
    assert sent[0] == {"type": "hello", "protocol": 1, "time": 5.0, "seed": 9, "options": {"depth": "3"}}
    kinds = [one.get("type", "view") for one in sent]
    assert [kind for kind in kinds if kind != "view"] == [
        "hello",
        *("new-game", "game-over", "new-game", "game-over"),
        "quit",
    ]
    assert sent[-2]["won"] == json.loads(to_json(table.state.won))
    assert sent[1]["rules"]["target"] == 61


def test_only_an_engine_that_asks_gets_earlier_deals(subtests: pytest.Subtests, tmp_path: Path) -> None:
    for asks in (True, False):
        with subtests.test(asks=asks):
            seen = tmp_path / "seen"
            command = bot(
                tmp_path,
                f"""
        log = open({str(seen)!r}, "w")
        for line in sys.stdin:
            message = json.loads(line)
            if message.get("type") == "hello":
                put(json.dumps({{"type": "hello", "name": "Ada", "protocol": 1, "past": {asks}}}))
                put('{{"type":"ready"}}')
            elif "type" not in message:
                print(message["deal"], len(message.get("past", ())), "past" in message, file=log, flush=True)
                put(act(line))
        """,
            )
            with ft.engine(command, time=5) as engine:
                game(engine)
            # The first View may be sent before the engine has answered `hello`.
            lines = [line.split() for line in seen.read_text().splitlines()[1:]]
            assert int(lines[-1][0]) > 2
            for deal, past, is_there in lines:
                assert int(past) == (int(deal) - 1 if asks else 0)
                assert is_there == str(asks and int(deal) > 1)


def test_a_bot_asks_for_earlier_deals_if_its_level_learns_from_them() -> None:
    greeting = b'{"type":"hello","protocol":1}'
    asked = [json.loads(next(Bot(level, 1).responses([greeting]))) for level in ("master", "expert")]
    assert [one.get("past", False) for one in asked] == [True, False]


def test_a_bot_that_answers_views_alone_still_plays(subtests: pytest.Subtests, tmp_path: Path) -> None:
    for otherwise in (
        "continue",
        'put(\'{"type":"error","code":"not-readable"}\'); continue',
        "raise KeyError('hand')",
    ):
        with subtests.test(otherwise=otherwise):
            command = bot(
                tmp_path,
                f"""
        for line in sys.stdin:
            if line.strip() == "quit":
                break
            if "seat" not in json.loads(line):
                {otherwise}
            put(act(line))
        """,
            )
            with ft.engine(command) as engine:
                game(engine, 2)
                assert engine.introduction is None


def test_unrequested_output_is_refused(tmp_path: Path) -> None:
    command = bot(
        tmp_path,
        """
        for line in sys.stdin:
            if "type" not in json.loads(line):
                put(act(line) + "\\n" + act(line))
        """,
    )
    with ft.engine(command) as engine, pytest.raises(AssertionError, match="unasked"):
        game(engine)


def test_another_protocol_is_refused(tmp_path: Path) -> None:
    command = bot(tmp_path, 'put(\'{"type":"hello","name":"x","protocol":2}\')\nsys.stdin.read()\n')
    with ft.engine(command) as engine, pytest.raises(AssertionError, match="unasked"):
        game(engine)


def test_a_program_that_is_not_there_is_refused_at_once() -> None:
    for command in ("./nowhere", "", "python3 'bot.py"):
        with pytest.raises(NoProgram):
            ft.engine(command)


def test_our_settings_are_not_in_the_programs_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIFTEENTWO_DATABASE_URL", "postgresql://user:secret@db/x")
    command = bot(tmp_path, "import os\nsys.exit(os.environ.get('FIFTEENTWO_DATABASE_URL', 'none'))\n")
    with ft.engine(command) as engine, pytest.raises(AssertionError, match="1: none"):
        game(engine)


def test_a_failed_engine_plays_the_next_game(tmp_path: Path) -> None:
    flag = tmp_path / "once"
    command = bot(
        tmp_path,
        f"""
        import os
        for line in sys.stdin:
            if "type" in json.loads(line):
                continue
            put(act(line))
            if not os.path.exists({str(flag)!r}):
                open({str(flag)!r}, "w").close()
                sys.exit(3)
        """,
    )
    with ft.engine(command) as engine:
        with pytest.raises(AssertionError, match="crash"):
            game(engine)
        assert engine.pid is None
        game(engine)


def test_our_own_level_speaks_the_protocol() -> None:
    with ft.engine([sys.executable, "-m", "fifteentwo", "bot", "greedy"]) as engine:
        game(engine)
        assert engine.name == "greedy"


def test_not_readable_says_where_and_why() -> None:
    (answer,) = Bot("greedy", 1).responses([b'{"seat":"north"}'])
    assert json.loads(answer)["why"] == "Expected `int`, got `str` - at `$.seat`"
    (answer,) = Bot("greedy", 1).responses(['{"seat":0,"ルール"'.encode()])
    assert json.loads(answer)["why"].startswith("Input data was truncated")


def test_a_hello_sets_the_seed_of_a_level() -> None:
    greeting = b'{"type":"hello","protocol":1,"seed":5}'
    rules = rules_for("six-card")
    table = Table(rules, seeded(1))
    line = to_json(ft.view(table.state, 0))
    given = list(Bot("random", 1).responses([greeting, line]))
    assert json.loads(given[0]) == {"type": "hello", "name": "random", "protocol": 1}
    assert json.loads(given[1]) == {"type": "ready"}
    assert given[2] == next(iter(Bot("random", 5).responses([line])))
    assert len(given) == 3


def test_a_player_failure_is_pickled() -> None:
    import pickle

    error = pickle.loads(pickle.dumps(EngineError("time", "2")))
    assert (error.code, error.detail) == ("time", "2")
