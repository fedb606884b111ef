"""What `--help` shows besides options: groups of commands, an example, notes on cards, files and statuses."""

from collections.abc import Iterator

import click

from fifteentwo.cli.language import language
from fifteentwo.i18n.catalogue import text

GROUPS = {
    "play": ("play",),
    "analyse": ("score", "discard", "book", "review", "stats"),
    "records": ("replay", "verify", "import", "export"),
    "serve": ("serve", "backup", "restore", "prepare", "paths"),
    "develop": ("arena", "bot"),
}
"""The commands of each group, in the order in which the help lists them."""

EXAMPLES = {
    "": "fifteentwo play --no-browser",
    "play": "fifteentwo play --port 8160",
    "serve": "fifteentwo serve --host 0.0.0.0 --allowed-host cards.example",
    "backup": "fifteentwo backup monday.sqlite3",
    "restore": "fifteentwo restore monday.sqlite3",
    "score": "fifteentwo score 5H 5S 5D JC --starter 5C",
    "discard": "fifteentwo discard 5H 5S 6D 7C JC KD --dealer --board 100-95",
    "book": "fifteentwo book 5H 5S 6D 7C JC KD --pone --board 110-116",
    "book play": "fifteentwo book play 5H 5S 6D 7C JC KD --pone --discarded 6D,7C --starter 4S",
    "book card": "fifteentwo book card 5H 5S 6D 7C JC KD",
    "replay": "fifteentwo replay game.txt",
    "verify": "fifteentwo verify game.txt",
    "review": "fifteentwo review game.txt --json",
    "stats": "fifteentwo stats game.txt --player Aiko",
    "import": "fifteentwo import forum.txt --out game.txt",
    "export": "fifteentwo export game.txt --as transcript --out forum.txt",
    "arena": "fifteentwo arena master club --games 100 --seed 1",
    "bot": "fifteentwo bot club",
    "prepare": "fifteentwo prepare --all",
    "paths": "fifteentwo paths --json",
}
"""One command line for each command, by the command's name; "" is the program without a command."""

_CARD_PARAMETERS = {"hand", "starter"}


def write_commands(group: click.Group, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    """Write the program's commands, group by group, each with the first sentence of its help."""
    for name, commands in GROUPS.items():
        with formatter.section(text(f"help.group.{name}", language(ctx))):
            formatter.write_dl([(one, group.commands[one].get_short_help_str()) for one in commands])


def write_example_and_notes(
    command: click.Command, ctx: click.Context, formatter: click.HelpFormatter
) -> None:
    """Write a command's example and the notes on cards, files and exit statuses that concern it."""
    lang = language(ctx)
    with formatter.section(text("help.example", lang)):
        formatter.write(f"{' ' * formatter.current_indent}{EXAMPLES[_command_name(ctx)]}\n")
    for note in _notes_on_command(command, ctx):
        formatter.write_paragraph()
        formatter.write_text(text(f"help.note.{note}", lang))


def _command_name(ctx: click.Context) -> str:
    """Return a command's name, such as "book play", without the name of the program."""
    names: list[str] = []
    while ctx.parent is not None:
        names.insert(0, ctx.info_name or "")
        ctx = ctx.parent
    return " ".join(names)


def _notes_on_command(command: click.Command, ctx: click.Context) -> Iterator[str]:
    is_all = ctx.parent is None
    if is_all or command.name == "book" or any(one.name in _CARD_PARAMETERS for one in command.params):
        yield "cards"
    if is_all or any(isinstance(one.type, click.Path) and one.type.allow_dash for one in command.params):
        yield "file"
    yield "statuses"
    if is_all:
        yield "all"
