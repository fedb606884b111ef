"""Completion scripts for shells, and manual pages. Both are made from the commands."""

from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from fifteentwo.cli.options import option
from fifteentwo.i18n import languages

SHELLS = ("bash", "zsh", "fish")


def _print_completion(ctx: click.Context, _: click.Parameter, shell: str | None) -> None:
    if shell is None or ctx.resilient_parsing:
        return
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(ctx.command, {}, "fifteentwo", "_FIFTEENTWO_COMPLETE").source())
    ctx.exit()


completion_option = option(
    "--completion",
    type=click.Choice(SHELLS),
    callback=_print_completion,
    expose_value=False,
    is_eager=True,
    help="help.completion",
)


def manual_page(name: str, written: str) -> str:
    r"""Return the help of a command as a manual page (roff, section 1).

    >>> manual_page("fifteentwo score", "Usage: fifteentwo score\n\n  Count a hand.").splitlines()[0]
    '.TH FIFTEENTWO-SCORE 1'
    """
    title, (usage, *rest) = name.replace(" ", "-"), written.split("\n\n")
    summary = " ".join(rest[0].split()) if rest else name
    lines = [f".TH {title.upper()} 1", ".SH NAME", f"{_roff(title)} \\- {_roff(summary)}", ".SH SYNOPSIS"]
    lines.append(_roff(" ".join(usage.partition(":")[2].split())))
    for part in rest:
        head, _, body = part.partition("\n")
        if not head.startswith(" ") and head.endswith((":", "：")) and body:
            lines.append(f".SH {_roff(head.rstrip(':：')).upper()}")
            part = body
        else:
            lines.append(".SH DESCRIPTION" if part is rest[0] else ".PP")
        lines += [".nf", *(_roff(line) for line in part.splitlines()), ".fi"]
    return "\n".join(lines) + "\n"


def _roff(line: str) -> str:
    """Escape a line, so that roff neither reads escapes in it nor takes it for a request."""
    safe = line.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{safe}" if safe.startswith((".", "'")) else safe


def _commands_below(command: click.Command, ctx: click.Context) -> Iterator[tuple[str, str]]:
    """Yield the command line and the help of a command and of all commands below it."""
    yield ctx.command_path, command.get_help(ctx)
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            inner = below.context_class(below, info_name=name, parent=ctx, obj=ctx.obj)
            with inner:
                yield from _commands_below(below, inner)


def write_manual_pages(main: click.Command, folder: Path) -> int:
    """Write the manual pages of all commands in both languages below `folder`. Return their number."""
    from fifteentwo.cli.language import click_language

    written = 0
    for lang in languages():
        place = folder / ("man1" if lang == "en" else f"{lang}/man1")
        place.mkdir(parents=True, exist_ok=True)
        settings = {"info_name": "fifteentwo", "obj": lang, "help_option_names": ["-h", "--help"]}
        with click_language(lang), main.context_class(main, **settings) as ctx:  # type: ignore[arg-type]
            for name, text in _commands_below(main, ctx):
                file = place / f"{name.replace(' ', '-')}.1"
                file.write_text(manual_page(name, text), "utf-8")
                written += 1
    return written
