"""docs/json.md: every command with --json has a section that names exactly the fields it prints."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fifteentwo as ft
from fifteentwo.cli import main
from fifteentwo.prepare import Prepared
from fifteentwo.rules.record import write
from fifteentwo.server.store.store import Store
from tests.dealing.games import played
from tests.formats.other_programs import HISTORIES
from tests.formats.test_unknown_cards import WHOLE
from tests.support.commands import run
from tests.support.every_command import every_command

SIX = ["5H", "5S", "6D", "7C", "JC", "KD", "--pone"]
SECTIONS: dict[str, list[list[str]]] = {
    "score": [["5H", "5S", "5D", "JC", "5C"], ["--all", "hands"]],
    "discard": [[*SIX, "--board", "110-116"], [*SIX[:5], "--dealer", "--variant", "partners"]],
    "discard --why": [["--board", "110-116", *SIX]],
    "discard --all": [["positions"]],
    "book": [SIX, [*SIX[:5], "--pone"]],
    "book play": [[*SIX, "--discarded", "6D 7C", "--starter", "4S", "--played", "JC TS"]],
    "book card": [SIX[:6]],
    "review": [["game"], ["game", "game", "--jobs", "1"]],
    "stats": [["game", "--jobs", "1"]],
    "verify": [["dealt"]],
    "import": [["part"], ["history"]],
    "arena": [["greedy", "/bin/false", "--games", "2", "--jobs", "1"]],
    "arena --ladder": [["ladder", "--games", "2", "--jobs", "1"]],
    "bot check": [["/bin/false"]],
    "backup": [["copy"]],
    "restore": [["copy"]],
    "prepare": [[]],
    "paths": [[]],
}
"""Arguments after the words of each section, which together print every field."""


def documented() -> dict[str, list[str]]:
    """Return the fields that each section of the page names."""
    page = (Path(__file__).parents[2] / "docs/json.md").read_text("utf-8")
    _, *sections = re.split("(?m)^## ", page)
    return {
        section.partition("\n")[0]: [
            name for row in re.findall("(?m)^\\| (`.*?) \\|", section) for name in re.findall("`(.*?)`", row)
        ]
        for section in sections
    }


def fields_of(value: Any, prefix: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from fields_of(inner, f"{prefix}.{name}" if prefix else name)
    elif isinstance(value, list) and any(isinstance(one, dict) for one in value):
        for one in value:
            yield from fields_of(one, f"{prefix}[]")
    else:
        yield prefix


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FIFTEENTWO_DATABASE_URL", f"sqlite:///{tmp_path / 'games.sqlite3'}")
    monkeypatch.setattr("fifteentwo.prepare.run", lambda **_: Prepared(1, 1, 1.0, "there"))
    ft.play("greedy", "random", seed=1, cut_before_deal=False, target=61).save("game")
    before, _, last = WHOLE.rpartition("cut: ")
    written = {
        "hands": "5H 5S 5D JC 5C\n# nothing\n",
        "positions": "110-116 pone 5H5S6D7CJCKD\n110-116 pone 5H5SJCKD/6D7C 4S JCTS\n",
        "dealt": write(played(0)),
        "part": f"{before}cut: ?{last[2:]}",
        "history": next(one.history for one in HISTORIES if "counting-order" in one.notices),
        "ladder": "greedy\nrandom\n",
    }
    for name, text in written.items():
        Path(name).write_text(text, "utf-8")
    asyncio.run(_make_database("games.sqlite3"))


async def _make_database(file: str) -> None:
    await (await Store.open(file)).close()


@pytest.mark.usefixtures("files")
def test_each_section_names_the_fields_that_its_command_prints(subtests: pytest.Subtests) -> None:
    sections = documented()
    assert list(sections) == list(SECTIONS)
    for section, names in sections.items():
        with subtests.test(section=section):
            printed = set()
            for words in SECTIONS[section]:
                lines = run(*section.split(), *words, "--json").stdout.splitlines()
                assert lines
                for line in map(json.loads, lines):
                    assert line.pop("version") == 1
                    printed |= set(fields_of(line))
            patterns = [re.escape(name).replace(r"\*", ".*") for name in names]
            for field in printed:
                is_parent = any(name.startswith((f"{field}.", f"{field}[].")) for name in names)
                assert is_parent or any(re.fullmatch(one, field) for one in patterns), field
            for pattern in patterns:
                assert any(re.fullmatch(pattern, field) for field in printed), pattern


def test_every_command_with_json_has_a_section() -> None:
    with_json = {
        " ".join(names)
        for names, command in every_command(main)
        if any("--json" in one.opts for one in command.params)
    }
    assert with_json - {"bot"} == {name.partition(" --")[0] for name in SECTIONS} - {"bot check"}
