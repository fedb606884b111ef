"""Every error of this package has a code, and a sentence in each language."""

import importlib
import json
import pickle
import pkgutil
import re
from collections.abc import Iterator
from unittest.mock import Mock

import pytest
from click.testing import CliRunner

import fifteentwo
from fifteentwo.cli import files, main
from fifteentwo.contest.ladder import NameTwice
from fifteentwo.contest.view_consistency import ImpossibleView
from fifteentwo.engines.process import NoProgram
from fifteentwo.formats.deals import CannotBeWritten
from fifteentwo.i18n import languages, refusal, text
from fifteentwo.library.entrants import PlayerError
from fifteentwo.players import EngineError, UnknownLevel
from fifteentwo.prepare import CannotPrepare
from fifteentwo.rules.errors import (
    FifteenTwoError,
    IllegalAction,
    InvalidArgument,
    InvalidRules,
    NotationError,
    NotInstalled,
    UnknownVariant,
)
from fifteentwo.server.errors import DealingRefuted, PortTaken, Refused, ServerError, StoreError
from fifteentwo.server.live import wire
from fifteentwo.strategy.board import ImpossibleScore
from fifteentwo.strategy.files import DamagedTable
from fifteentwo.strategy.pegging import ImpossiblePlay

EXAMPLES: tuple[tuple[FifteenTwoError, str], ...] = (
    (IllegalAction("count-past-31", "R53", 0, card="KS", count=35), "35"),
    (InvalidRules("double-skunk-needs-skunk", "R20"), "R20"),
    (NotationError("not-a-card", "11X"), "11X"),
    (InvalidArgument("not-a-score", "score", "12"), "12"),
    (InvalidArgument("text-not-cards", "hand", "5H"), "5H"),
    (InvalidArgument("not-a-state", "state", "View"), "View"),
    (UnknownVariant("whist"), "whist"),
    (NotInstalled("cluster"), "fifteentwo[cluster]"),
    (NotInstalled("", "numpy"), "pip install numpy"),
    (UnknownLevel("wizard"), "wizard"),
    (EngineError("time", "2.5"), "2.5"),
    (NoProgram("no-such-program", "./mybot"), "./mybot"),
    (NoProgram("not-executable", "mybot.js"), "node mybot.js"),
    (NameTwice("Aiko"), "Aiko"),
    (PlayerError("player-raised", "MyPlayer", 1, 2, "KeyError: 'x'"), "MyPlayer"),
    (CannotPrepare("no-folder-for-compiled-code"), ""),
    (ImpossibleView("starter"), "R45"),
    (DamagedTable("pegging.book", "it cannot be read"), "pegging.book"),
    (ImpossiblePlay("13 is no rank."), ""),
    (ImpossibleScore("121–121: both sides at 121 or past it"), ""),
    (Refused("message-too-long", most=2048), "2048"),
    (ServerError("host-unknown", host="nowhere"), "nowhere"),
    (StoreError("no-such-folder", folder="there"), "there"),
    (PortTaken(8152), "8152"),
    (DealingRefuted("not-as-committed", 12), "12"),
    (CannotBeWritten("format-claim", 7), "7"),
)
"""An error of each class, and a value that its sentence contains."""
JAPANESE = re.compile("[ぁ-ん]")


def kinds(kind: type[FifteenTwoError] = FifteenTwoError) -> Iterator[type[FifteenTwoError]]:
    """Yield the public classes of errors below a class."""
    for below in kind.__subclasses__():
        if below.__module__.startswith("fifteentwo.") and not below.__name__.startswith("_"):
            yield below
        yield from kinds(below)


def test_every_class_of_error_has_an_example() -> None:
    for module in pkgutil.walk_packages(fifteentwo.__path__, "fifteentwo."):
        if not module.name.endswith(("__main__", "migrations.env")) and ".versions." not in module.name:
            importlib.import_module(module.name)
    assert set(kinds()) == {type(error) for error, _ in EXAMPLES}


def test_every_error_has_a_code(subtests: pytest.Subtests) -> None:
    for error, value in EXAMPLES:
        with subtests.test(error=error, value=value):
            assert re.fullmatch("[a-z]+(-[a-z0-9]+)*", error.code), value


def test_every_error_has_its_own_sentence(subtests: pytest.Subtests) -> None:
    for error, value in EXAMPLES:
        with subtests.test(error=error, value=value):
            for lang in languages():
                sentence = refusal(error, lang)
                assert sentence != text("refusal.other", lang, code=error.code)
                assert value in sentence
                assert bool(JAPANESE.search(sentence)) == (lang == "ja")
                assert not re.search(r"[{}\n]|refusal\.|unreadable\.", sentence)


def test_every_error_can_be_sent_to_a_page(subtests: pytest.Subtests) -> None:
    for error, value in EXAMPLES:
        with subtests.test(error=error, value=value):
            for lang in languages():
                message = json.loads(wire.refused_message(error, lang))
                assert message["t"] == "refused"
                assert message["d"]["code"] == error.code
                assert message["d"]["message"] == refusal(error, lang), value


def test_every_error_is_printed_by_the_command_line(
    subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error, value in EXAMPLES:
        with subtests.test(error=error, value=value):
            monkeypatch.setattr(files, "read_bytes", Mock(side_effect=error))
            for lang in languages():
                result = CliRunner().invoke(main, ("replay", "-", "--lang", lang), input="")
                assert result.exit_code == 1, value
                assert result.stdout == ""
                assert result.stderr == f"fifteentwo: {refusal(error, lang)}\n"


def test_every_error_can_be_pickled(subtests: pytest.Subtests) -> None:
    for error, value in EXAMPLES:
        with subtests.test(error=error, value=value):
            again = pickle.loads(pickle.dumps(error))
            assert type(again) is type(error)
            assert vars(again) == vars(error), value
            assert [refusal(again, lang) for lang in languages()] == [
                refusal(error, lang) for lang in languages()
            ]


def test_quoted_input_cannot_break_the_line() -> None:
    for lang in languages():
        sentence = refusal(UnknownLevel("wiz\nard " * 500), lang)
        assert "\n" not in sentence
        assert len(sentence) < 200
