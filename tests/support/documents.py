"""The documents, and what they name."""

import re
from pathlib import Path

import click

import fifteentwo
from fifteentwo.cli import main

ROOT = Path(__file__).parents[2]


PACKAGE = Path(fifteentwo.__file__).parent


def check_command(line: str) -> bool:
    """Whether a command line names a command that there is, and options that it has."""
    # Between quotes is another program's command.
    words = re.sub(r'"[^"]*"', "PROGRAM", line.removeprefix("fifteentwo "))
    if words == "record 1":
        return True  # How a record begins.
    command: click.Command = main
    for word in words.split():
        if isinstance(command, click.Group) and word in command.commands:
            command = command.commands[word]
    options = {name for parameter in command.params for name in parameter.opts}
    return command is not main and set(re.findall(r"--[a-z][a-z-]*", words)) <= options
