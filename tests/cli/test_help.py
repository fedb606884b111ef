"""The help of every command: whole sentences, an example that is right, cards, files and statuses."""

import re
import shlex

import click
import pytest
from click.testing import CliRunner

from fifteentwo.cli import main
from fifteentwo.cli.help import EXAMPLES, GROUPS
from fifteentwo.i18n.catalogue import text
from tests.support.commands import run
from tests.support.every_command import every_command

COMMANDS = dict(every_command(main))
every = pytest.mark.parametrize("names", COMMANDS, ids=" ".join)
both = pytest.mark.parametrize("lang", ["en", "ja"])


def help_of(names: tuple[str, ...], lang: str) -> str:
    """The help, its lines joined; spaces count for nothing, since Japanese is broken anywhere."""
    output = run(*names, "--help") if lang == "en" else run("--lang", "ja", *names, "--help")
    assert (output.exit_code, output.stderr) == (0, "")
    return output.stdout


def without_spaces(written: str) -> str:
    return re.sub(r"\s", "", written)


@both
@every
def test_help_is_whole_and_says_how_it_ends(names: tuple[str, ...], lang: str) -> None:
    output = help_of(names, lang)
    # The usage line has click's own dots: [OPTIONS] [HAND]...
    _, rest = output.split("\n\n", 1)
    assert "..." not in rest
    assert "…" not in rest
    assert without_spaces(text("help.note.statuses", lang)) in without_spaces(output)
    assert f"\n{text('help.example', lang)}:\n  {EXAMPLES[' '.join(names)]}\n" in output


@both
@every
def test_cards_files_and_defaults_are_explained(names: tuple[str, ...], lang: str) -> None:
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


@both
def test_every_command_stands_in_one_group_with_its_whole_sentence(lang: str) -> None:
    listed = [name for group in GROUPS.values() for name in group]
    assert sorted(listed) == sorted(main.commands)
    output = without_spaces(help_of((), lang))
    places = [output.index(without_spaces(text(f"help.group.{group}", lang)) + ":") for group in GROUPS]
    assert places == sorted(places)


@pytest.mark.parametrize("names", EXAMPLES)
def test_examples_are_command_lines(names: str) -> None:
    program, *words = shlex.split(EXAMPLES[names])
    assert program == "fifteentwo"
    command: click.Command = main
    while words and isinstance(command, click.Group) and words[0] in command.commands:
        command = command.commands[words.pop(0)]
    known = {option for param in command.params for option in param.opts}
    assert {word for word in words if word.startswith("--")} <= known


@pytest.mark.parametrize(
    "names",
    [
        name
        for name in EXAMPLES
        if name.startswith(("score", "discard")) or name in ("book", "book card", "book play")
    ],
)
def test_examples_about_cards_work(names: str) -> None:
    output = run(*shlex.split(EXAMPLES[names])[1:])
    assert (output.exit_code, bool(output.stdout)) == (0, True), output.stderr
