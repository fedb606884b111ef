"""The language of the command line: the one `--lang` names, or the terminal's."""

import gettext
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files

import click

from fifteentwo.i18n.catalogue import LANGUAGES


def language(ctx: click.Context | None = None) -> str:
    """Return the language of a command's context; without `ctx`, of the running command."""
    return str((ctx or click.get_current_context()).find_root().obj or "en")


def asked_for(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return the language that `--lang` names at any place of a command line, or the environment's.

    >>> asked_for(["score", "5H", "--lang", "ja"], {})
    'ja'
    """
    found = of_environment(environment)
    for before, word in zip(("", *words), words, strict=False):
        if word == "--":
            break
        wanted = word.removeprefix("--lang=") if word.startswith("--lang=") else word
        if wanted in LANGUAGES and (before == "--lang" or wanted != word):
            found = wanted
    return found


def of_environment(environment: Mapping[str, str]) -> str:
    """Return the language of environment variables, by the rules of gettext.

    LC_ALL, LC_MESSAGES or LANG names the locale. LANGUAGE lists preferred languages, but is ignored in the
    locales C and POSIX.

    >>> of_environment({"LANG": "ja_JP.UTF-8"}), of_environment({"LANG": "ja_JP.UTF-8", "LC_ALL": "C"})
    ('ja', 'en')
    >>> of_environment({"LANG": "ja_JP.UTF-8", "LANGUAGE": "fr:en:ja"})
    'en'
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "C")
    if _tag(locale) in ("c", "posix"):
        return "en"
    preferred = [*environment.get("LANGUAGE", "").split(":"), locale]
    return next((_tag(one) for one in preferred if _tag(one) in LANGUAGES), "en")


def _tag(locale: str) -> str:
    return locale.replace("-", "_").split(".")[0].split("@")[0].split("_")[0].lower()


@contextmanager
def click_language(lang: str) -> Iterator[None]:
    """Translate click's own words (Usage, Options, Error, …) in this block.

    click calls gettext, which reads the environment: both are restored afterwards.
    """
    before, domain = os.environ.get("LANGUAGE"), gettext.textdomain()
    gettext.bindtextdomain("click", str(files("fifteentwo.i18n").joinpath("locale")))
    gettext.textdomain("click")
    os.environ["LANGUAGE"] = lang
    try:
        yield
    finally:
        gettext.textdomain(domain)
        if before is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before
