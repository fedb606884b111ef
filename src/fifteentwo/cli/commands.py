"""Commands that speak the asked language, and end with one clear line and a status whatever happens."""

import copy
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from gettext import gettext
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

from fifteentwo.cli import terminal
from fifteentwo.cli.help import write_commands, write_rest
from fifteentwo.cli.language import asked_for, frame_words, language
from fifteentwo.cli.stopping import stoppable
from fifteentwo.cli.wrapping import Context
from fifteentwo.i18n.catalogue import has_text, text
from fifteentwo.rules.errors import FifteenTwoError


def wrong_usage(key: str, **values: object) -> NoReturn:
    """Refuse a command line whose options do not go together."""
    raise click.UsageError(text(f"usage.{key}", language(), **values))


def _in_words(written: str | None, lang: str) -> str:
    """A help text by its key, with the levels and variants there are; what is no key stays as it is."""
    if written is None or not has_text(written, lang):
        return written or ""
    sentence = text(written, lang)
    if "{" not in sentence:
        return sentence
    from fifteentwo.players import LEVELS
    from fifteentwo.rules.variants import Variant

    return sentence.format(levels=", ".join(LEVELS), variants=", ".join(Variant))


class Option(click.Option):
    """An option whose help is a key of the catalogue."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        translated = copy.copy(self)
        translated.help = _in_words(self.help, language(ctx))
        return super(Option, translated).get_help_record(ctx)


class Command(click.Command):
    """A command whose help stands in the catalogue under `help.` and its name, or else in its docstring."""

    context_class = Context

    def help_key(self) -> str:
        """The key of its help."""
        return f"help.{self.name}"

    def _help(self, ctx: click.Context) -> str:
        key = self.help_key()
        return _in_words(key if has_text(key, "en") else self.help, language(ctx))

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        translated = copy.copy(self)
        translated.help = self._help(ctx)
        super(Command, translated).format_help_text(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_rest(self, ctx, formatter)

    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002 - click's limit cuts sentences
        """The whole first sentence, for the list of commands."""
        return re.split(r"\n|(?<=。)|(?<=\.)\s", self._help(click.get_current_context()))[0]

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """What may stand here, for a shell: help in words, and not by its key."""
        with ctx.scope(cleanup=False):
            found = super().shell_complete(ctx, incomplete)
        for one in found:
            one.help = _in_words(one.help, language(ctx)) or None
        return found

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        found = super().get_help_option(ctx)
        if found is not None:
            found.help = text("help.help", language(ctx))
        return found


class Group(Command, click.Group):
    """Commands under one name."""

    command_class = Command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and self.no_args_is_help:
            # click would make one long error of the whole help.
            choices = gettext("Choose from:\n\t{choices}").format(choices=", ".join(self.list_commands(ctx)))
            raise click.UsageError(f"{gettext('Missing command.')} {choices}", ctx)
        return super().parse_args(ctx, args)


class Commands(Group):
    """All commands: runs one, and turns whatever is refused into one clear line."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_commands(self, ctx, formatter)

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any) -> Any:  # type: ignore[override]
        """Run the command line and leave with its status."""
        words = list(sys.argv[1:] if args is None else args)
        lang = asked_for(words, os.environ)
        terminal.make_ready()
        if lang == "ja" and not terminal.has_signs("あ"):
            lang = "en"
        try:
            with stoppable(lambda: terminal.refuse(text("usage.stopped", lang))), frame_words(lang):
                status = self._status(words, prog_name, lang, extra)
        finally:
            terminal.drop_output()
        sys.exit(status)

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        with _past_click():
            return super().make_context(*args, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        with _past_click():
            return super().invoke(ctx)

    def _status(self, words: list[str], prog_name: str | None, lang: str, extra: dict[str, Any]) -> int:
        extra |= {"standalone_mode": False, "obj": lang}
        extra.setdefault("help_option_names", ["-h", "--help"])
        try:
            left = super().main(words, prog_name, **extra)
            terminal.finish()
        except click.ClickException as error:
            _explain(error)
            return error.exit_code
        except click.Abort:
            terminal.refuse(text("usage.stopped", lang))
        except FifteenTwoError as error:
            _refuse(error, lang)
        except ModuleNotFoundError as error:
            from fifteentwo.extras import missing

            if error.name is None or error.name.startswith("fifteentwo"):
                raise
            _refuse(missing(error.name), lang)
        except (BrokenPipeError, _ReaderGone):
            # The reader has seen enough.
            return 0
        except OSError as error:
            from fifteentwo.i18n.refusal import file_error_text

            terminal.refuse(file_error_text(error, lang))
        else:
            return left if isinstance(left, int) else 0
        return 1


def _refuse(error: FifteenTwoError, lang: str) -> None:
    from fifteentwo.i18n import refusal

    terminal.refuse(refusal(error, lang))


class _ReaderGone(Exception):
    """The reader of the output is gone. click would make status 1 of a BrokenPipeError."""


@contextmanager
def _past_click() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise _ReaderGone from error


def _explain(error: click.ClickException) -> None:
    """What was wrong with the command line, in three lines."""
    context = getattr(error, "ctx", None)
    if context is not None:
        help_ = context.help_option_names[-1]
        terminal.write_error(context.get_usage())
        hint = gettext("Try '{command} {option}' for help.")
        terminal.write_error(hint.format(command=context.command_path, option=help_))
    terminal.write_error(gettext("Error: {message}").format(message=error.format_message()))
