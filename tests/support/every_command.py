"""Every command and group."""

from collections.abc import Iterator

import click


def every_command(group: click.Group, *names: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command with the words that call it, groups among them."""
    yield names, group
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from every_command(command, *names, name)
        else:
            yield (*names, name), command
