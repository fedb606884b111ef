"""The documents, and the names in them."""

import re
from pathlib import Path

import click

import fifteentwo
from fifteentwo.cli import main
from lab.__main__ import main as lab

ROOT = Path(__file__).parents[2]


PACKAGE = Path(fifteentwo.__file__).parent


def check_command(line: str) -> bool:
    """Return whether the command and the options of a command line exist."""
    # Between quotes is another program's command.
    first, words = main, re.sub(r'"[^"]*"', "PROGRAM", line.removeprefix("fifteentwo "))
    if words.startswith("python -m lab "):
        first, words = lab, words.removeprefix("python -m lab ")
    if words == "record 1":
        return True  # How a record begins.
    command: click.Command = first
    for word in words.split():
        if isinstance(command, click.Group) and word in command.commands:
            command = command.commands[word]
    options = {name for parameter in command.params for name in parameter.opts}
    return command is not first and set(re.findall(r"--[a-z][a-z-]*", words)) <= options
