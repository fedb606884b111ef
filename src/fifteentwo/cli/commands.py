"""Click commands with help in two languages, which report every refusal in one line and an exit status."""

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
from fifteentwo.cli.help import write_commands, write_example_and_notes
from fifteentwo.cli.language import click_language, language, requested_language
from fifteentwo.cli.stopping import stoppable
from fifteentwo.cli.wrapping import Context
from fifteentwo.i18n.catalogue import has_text, text
from fifteentwo.rules.errors import FifteenTwoError


def wrong_usage(key: str, **values: object) -> NoReturn:
    """Raise UsageError with the sentence "usage.KEY" of the catalogue."""
    raise click.UsageError(text(f"usage.{key}", language(), **values))


def _translate_help(key: str | None, lang: str) -> str:
    """Return a help text, with levels and variants filled in. Return a `key` without a text unchanged."""
    if key is None or not has_text(key, lang):
        return key or ""
    sentence = text(key, lang)
    if "{" not in sentence:
        return sentence
    from fifteentwo.players import LEVELS
    from fifteentwo.rules.variants import Variant

    return sentence.format(levels=", ".join(LEVELS), variants=", ".join(Variant))


class Option(click.Option):
    """An option whose help is a key of the catalogue."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        translated = copy.copy(self)
        translated.help = _translate_help(self.help, language(ctx))
        return super(Option, translated).get_help_record(ctx)


class Command(click.Command):
    """A command whose help has the key "help.NAME" in the catalogue, or is the docstring without that key."""

    context_class = Context

    def help_key(self) -> str:
        return f"help.{self.name}"

    def _help(self, ctx: click.Context) -> str:
        key = self.help_key()
        return _translate_help(key if has_text(key, "en") else self.help, language(ctx))

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        translated = copy.copy(self)
        translated.help = self._help(ctx)
        super(Command, translated).format_help_text(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_example_and_notes(self, ctx, formatter)

    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002 - click's limit cuts sentences
        """Return the first sentence of the help, for the list of commands."""
        return re.split(r"\n|(?<=。)|(?<=\.)\s", self._help(click.get_current_context()))[0]

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return click's completions, with the text of each help instead of its key."""
        with ctx.scope(cleanup=False):
            items = super().shell_complete(ctx, incomplete)
        for item in items:
            item.help = _translate_help(item.help, language(ctx)) or None
        return items

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        found = super().get_help_option(ctx)
        if found is not None:
            found.help = text("help.help", language(ctx))
        return found


class Group(Command, click.Group):
    """A command that has commands of its own."""

    command_class = Command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and self.no_args_is_help:
            # click would print the whole help as one long error.
            choices = gettext("Choose from:\n\t{choices}").format(choices=", ".join(self.list_commands(ctx)))
            raise click.UsageError(f"{gettext('Missing command.')} {choices}", ctx)
        return super().parse_args(ctx, args)


class Commands(Group):
    """The program: runs the command that its arguments name, and reports every refusal in one line."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_commands(self, ctx, formatter)

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any) -> Any:  # type: ignore[override]
        """Run the command line and exit with its status."""
        words = list(sys.argv[1:] if args is None else args)
        lang = requested_language(words, os.environ)
        terminal.spell_missing_signs()
        if lang == "ja" and not terminal.can_show("あ"):
            lang = "en"
        try:
            with stoppable(lambda: terminal.refuse(text("usage.stopped", lang))), click_language(lang):
                status = self._exit_status(words, prog_name, lang, extra)
        finally:
            terminal.drop_output()
        sys.exit(status)

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        """Return the context; raise `_OutputClosed` instead of BrokenPipeError."""
        with _rename_broken_pipes():
            return super().make_context(*args, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; raise `_OutputClosed` instead of BrokenPipeError."""
        with _rename_broken_pipes():
            return super().invoke(ctx)

    def _exit_status(self, words: list[str], prog_name: str | None, lang: str, extra: dict[str, Any]) -> int:
        extra |= {"standalone_mode": False, "obj": lang}
        extra.setdefault("help_option_names", ["-h", "--help"])
        try:
            result = super().main(words, prog_name, **extra)
            terminal.flush()
        except click.ClickException as error:
            _report_usage_error(error)
            return error.exit_code
        except click.Abort:
            terminal.refuse(text("usage.stopped", lang))
        except FifteenTwoError as error:
            _print_refusal(error, lang)
        except ModuleNotFoundError as error:
            from fifteentwo.extras import missing

            if error.name is None or error.name.startswith("fifteentwo"):
                raise
            _print_refusal(missing(error.name), lang)
        except (BrokenPipeError, _OutputClosed):
            # The reader of the output, such as `head`, has ended: no error.
            return 0
        except OSError as error:
            from fifteentwo.i18n.refusal import file_error_text

            terminal.refuse(file_error_text(error, lang))
        else:
            return result if isinstance(result, int) else 0
        return 1


def _print_refusal(error: FifteenTwoError, lang: str) -> None:
    from fifteentwo.i18n import refusal

    terminal.refuse(refusal(error, lang))


class _OutputClosed(Exception):
    """A BrokenPipeError under another name: click catches that error itself and exits with status 1."""


@contextmanager
def _rename_broken_pipes() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise _OutputClosed from error


def _report_usage_error(error: click.ClickException) -> None:
    context = getattr(error, "ctx", None)
    if context is not None:
        terminal.write_error(context.get_usage())
        hint = gettext("Try '{command} {option}' for help.")
        terminal.write_error(hint.format(command=context.command_path, option=context.help_option_names[-1]))
    terminal.write_error(gettext("Error: {message}").format(message=error.format_message()))
