"""`fifteentwo bot check`: good programs pass, and the faults of others are named."""

import json
import sys
from pathlib import Path

import pytest

from fifteentwo.contest.view_consistency import check_view
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.record import from_json
from fifteentwo.rules.view import View, allows
from tests.engines.test_protocol import bot
from tests.support.commands import run

LEVEL = f"{sys.executable} -m fifteentwo bot greedy"
GOOD = """
for line in sys.stdin:
    try:
        kind = json.loads(line).get("type") if line.startswith("{") else line.strip()
        if kind == "quit":
            break
        if kind == "hello":
            put('{"type":"hello","name":"Ada","protocol":1}')
            put('{"type":"ready"}')
        elif kind is None:
            put(act(line))
        elif kind not in ("new-game", "game-over"):
            put('{"type":"error","code":"unknown"}')
    except Exception:
        put('{"type":"error","code":"unknown"}')
"""


def checked(folder: Path, body: str, *words: str) -> dict[str, dict[str, str]]:
    result = run("bot", "check", " ".join(bot(folder, body)), "--json", *words)
    report = json.loads(result.stdout)
    failed = {one["name"]: one for one in report["checks"] if not one["passed"]}
    assert result.exit_code == (1 if failed else 0)
    assert report["passed"] is not bool(failed)
    return failed


@pytest.mark.long
def test_our_own_level_keeps_to_the_protocol() -> None:
    result = run("bot", "check", LEVEL)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "greedy: engine protocol 1"
    assert "FAILED" not in result.stdout
    assert "same actions again" in result.stdout
    assert run("bot", "check", LEVEL, "--lang", "ja").stdout.splitlines()[-1].endswith("守っています。")


@pytest.mark.long
def test_what_is_wrong_is_named(subtests: pytest.Subtests, tmp_path: Path) -> None:
    for before, after, found in (
        ('        put(\'{"type":"error","code":"unknown"}\')\n', "        sys.exit(0)\n", "garbage"),
        ("            break\n", "            continue\n", "quit"),
        (
            'elif kind not in ("new-game", "game-over")',
            "elif kind.startswith('from') and sys.exit(3)",
            "unknown-message",
        ),
    ):
        with subtests.test(before=before, after=after, found=found):
            assert GOOD.count(before) >= 1
            head, _, tail = GOOD.rpartition(before)
            assert found in checked(tmp_path, head + after + tail)


@pytest.mark.long
def test_a_bot_that_knows_one_variant_alone_fails_the_others(tmp_path: Path) -> None:
    body = GOOD.replace("put(act(line))", "put(act(line)) if '\"six-card\"' in line else sys.exit(4)")
    failed = checked(tmp_path, body)
    assert set(failed) == {"five-card", "three-handed", "partners", "four-handed", "memory", "garbage"}
    assert {one["code"] for one in failed.values()} == {"crash"}


@pytest.mark.long
def test_a_slow_bot_fails_by_its_time(tmp_path: Path) -> None:
    body = "import time\n" + GOOD.replace("put(act(line))", "time.sleep(0.3); put(act(line))")
    assert {one["code"] for one in checked(tmp_path, body, "--time", "0.1").values()} == {"time"}


def test_levels_play_as_before_and_take_no_command() -> None:
    assert json.loads(run("bot", "greedy", given="engine\n").stdout)["level"] == "greedy"
    assert run("bot", "greedy", LEVEL).exit_code == 2
    assert run("bot", "check").exit_code == 2
    assert run("bot", "check", "./nowhere").exit_code == 2


def test_a_failed_check_says_what_was_sent_and_expected(tmp_path: Path) -> None:
    """A bot that takes every phase for the discard: the report shows the View and a legal response."""
    body = GOOD.replace("put(act(line))", 'put(\'{"type":"Discard","seat":0,"cards":[]}\')')
    failed = checked(tmp_path, body)
    first = failed["hello"]
    assert json.loads(first["sent"])["phase"] == "draw"
    assert json.loads(first["expected"])["type"] == "Draw"


def test_the_manual_shows_a_whole_deal_of_legal_responses() -> None:
    """Every response in the transcript of docs/engine.md is legal in the View before it."""
    page = (Path(__file__).parents[2] / "docs" / "engine.md").read_text(encoding="utf-8")
    fields: dict[str, object] = {}
    phases = set()
    for line in page.partition("### A whole deal")[2].partition("## The check")[0].splitlines():
        if line.startswith("> "):
            fields |= json.loads(line[2:])
            phases.add(fields["phase"])
        elif line.startswith("< "):
            seen = from_json(json.dumps(fields), View)
            check_view(seen)
            assert allows(seen, from_json(line[2:], SeatAction)), line  # type: ignore[arg-type]
    assert phases >= {"draw", "discard", "play", "claim", "challenge", "cut"}
