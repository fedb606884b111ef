"""The help of every command: whole sentences, an example that is right, cards, files and statuses."""

import re
import shlex
from itertools import product
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from fifteentwo.cli import main
from fifteentwo.cli.help import EXAMPLES, GROUPS
from fifteentwo.i18n.catalogue import has_text, text
from fifteentwo.i18n.figures import display_width
from tests.support.commands import run
from tests.support.every_command import every_command

COMMANDS = dict(every_command(main))


def help_of(names: tuple[str, ...], lang: str) -> str:
    """Return the help with its lines joined and without spaces, because Japanese is broken anywhere."""
    output = run(*names, "--help") if lang == "en" else run("--lang", "ja", *names, "--help")
    assert (output.exit_code, output.stderr) == (0, "")
    return output.stdout


def without_spaces(written: str) -> str:
    return re.sub(r"\s", "", written)


def test_help_names_statuses_and_an_example(subtests: pytest.Subtests) -> None:
    for lang, names in product(("en", "ja"), COMMANDS):
        with subtests.test(lang=lang, names=names):
            output = help_of(names, lang)
            # The usage line has click's own dots: [OPTIONS] [HAND]...
            _, rest = output.split("\n\n", 1)
            assert "..." not in rest
            assert "…" not in rest
            assert without_spaces(text("help.note.statuses", lang)) in without_spaces(output)
            example = f"{text('help.example', lang)}{text('list.colon', lang).strip()}"
            assert f"\n{example}\n  {EXAMPLES[' '.join(names)]}\n" in output


def test_cards_files_and_defaults_are_explained(subtests: pytest.Subtests) -> None:
    for lang, names in product(("en", "ja"), COMMANDS):
        with subtests.test(lang=lang, names=names):
            command, output = COMMANDS[names], without_spaces(help_of(names, lang))
            words = {one.human_readable_name for one in command.params} | {one.name for one in command.params}
            takes_cards = not names or names == ("book",) or bool(words & {"HAND", "hand", "starter"})
            assert (without_spaces(text("help.note.cards", lang)) in output) is takes_cards
            dash = any(isinstance(one.type, click.Path) and one.type.allow_dash for one in command.params)
            assert (without_spaces(text("help.note.file", lang)) in output) is (dash or not names)
            for option in command.params:
                if isinstance(option, click.Option) and option.default not in (None, False, "", ()):
                    value = option.default
                    if isinstance(value, str | int) and not isinstance(value, bool):
                        assert without_spaces(str(value)) in output, option.name


def test_help_is_the_same_under_another_name_of_the_program() -> None:
    for words in ((), ("book", "play"), ("score",)):
        output = CliRunner().invoke(main, [*words, "-h"], prog_name="python -m fifteentwo")
        assert output.exit_code == 0
        assert EXAMPLES[" ".join(words)] in output.stdout


def test_every_command_is_in_one_group_of_the_help(subtests: pytest.Subtests) -> None:
    for lang in ("en", "ja"):
        with subtests.test(lang=lang):
            listed = [name for group in GROUPS.values() for name in group]
            assert sorted(listed) == sorted(main.commands)
            output = without_spaces(help_of((), lang))
            places = [
                output.index(
                    without_spaces(text(f"help.group.{group}", lang)) + text("list.colon", lang).strip()
                )
                for group in GROUPS
            ]
            assert places == sorted(places)


def test_examples_are_command_lines(subtests: pytest.Subtests) -> None:
    for names in EXAMPLES:
        with subtests.test(names=names):
            program, *words = shlex.split(EXAMPLES[names])
            assert program == "fifteentwo"
            command: click.Command = main
            while words and isinstance(command, click.Group) and words[0] in command.commands:
                command = command.commands[words.pop(0)]
            known = {option for param in command.params for option in param.opts}
            assert {word for word in words if word.startswith("--")} <= known


def test_examples_about_cards_work(subtests: pytest.Subtests) -> None:
    for names in [
        name
        for name in EXAMPLES
        if name.startswith(("score", "discard")) or name in ("book", "book card", "book play")
    ]:
        with subtests.test(names=names):
            output = run(*shlex.split(EXAMPLES[names])[1:])
            assert (output.exit_code, bool(output.stdout)) == (0, True), output.stderr


_NOT_SENTENCES = re.compile(
    r"https?:\S+|\S*[/~]\S*|--[a-z-]+|\b[a-z]+(?:[-_.][a-z*]+)+\b|[A-Z][A-Z_0-9]+|sqlite\S*"
)
"""Addresses, files, options and the names that a user types."""


def test_japanese_help_has_no_english_sentence(subtests: pytest.Subtests) -> None:
    for names in COMMANDS:
        with subtests.test(names=names):
            output = help_of(names, "ja")
            written = (
                "".join(output.split("\n\n例：")[0].split("\n\n", 1)[1:])
                + output.split("\n\n例：")[1].split("\n", 2)[2]
            )
            # Two English words side by side are the least of a sentence.
            left = re.findall(r"\b[A-Za-z][a-z]+ [a-z]+\b", _NOT_SENTENCES.sub("、", written))
            assert left == []


def test_every_option_is_explained_in_both_languages(subtests: pytest.Subtests) -> None:
    for names in COMMANDS:
        with subtests.test(names=names):
            for option in COMMANDS[names].params:
                if isinstance(option, click.Option):
                    assert option.help, option.name
                    assert has_text(option.help, "en"), option.help
                    assert has_text(option.help, "ja"), option.help


def test_japanese_help_fits_the_terminal_and_breaks_no_name(subtests: pytest.Subtests) -> None:
    for names in COMMANDS:
        with subtests.test(names=names):
            output = help_of(names, "ja")
            words = set(re.findall(r"[!-~]{2,}", output))
            for line in output.splitlines()[1:]:
                assert display_width(line) <= 80 or EXAMPLES[" ".join(names)] in line, line
            for sentence in re.findall(
                r"FIFTEENTWO_[A-Z_]+|~/\.pgpass|pg_dump|\*\.example", "".join(output.split())
            ):
                assert any(sentence in word for word in words), sentence


def test_japanese_errors_have_no_english_sentence(
    subtests: pytest.Subtests, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for words in (
        ("nothing",),
        ("score", "--nothing"),
        ("arena", "club"),
        ("arena", "club", "clbu"),
        ("arena", "club", "club", "--games"),
        ("arena", "club", "club", "--games", "many"),
        ("export", "nofile", "--as", "halscrib"),
        ("play", "--port", "70000"),
    ):
        with subtests.test(words=words):
            monkeypatch.chdir(tmp_path)
            result = run("--lang", "ja", *words)
            assert result.exit_code in (1, 2)
            message = re.sub(r"使い方： .*|「main .*?」", "", result.stderr)
            assert re.search("[ぁ-ん]", message)
            assert re.findall(r"\b[A-Za-z][a-z]+ [a-z]+\b", _NOT_SENTENCES.sub("、", message)) == []
            assert list(tmp_path.iterdir()) == []
