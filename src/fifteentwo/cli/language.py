"""The language of the command line: the one asked for, or the terminal's."""

import gettext
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files

import click

from fifteentwo.i18n.catalogue import LANGUAGES


def language(ctx: click.Context | None = None) -> str:
    """Return the language of a call, without a context of the present one."""
    return str((ctx or click.get_current_context()).find_root().obj or "en")


def asked_for(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language of a command line: `--lang`, wherever it stands, or the environment's.

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
    """The language a system is set to, by gettext's rules: LC_ALL, LC_MESSAGES or LANG names the locale.

    LANGUAGE lists languages that are liked better, but does not count in a locale without one (C, POSIX).

    >>> of_environment({"LANG": "ja_JP.UTF-8"}), of_environment({"LANG": "ja_JP.UTF-8", "LC_ALL": "C"})
    ('ja', 'en')
    >>> of_environment({"LANG": "ja_JP.UTF-8", "LANGUAGE": "fr:en:ja"})
    'en'
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "C")
    if _tag(locale) in ("c", "posix"):
        return "en"
    liked = [*environment.get("LANGUAGE", "").split(":"), locale]
    return next((_tag(one) for one in liked if _tag(one) in LANGUAGES), "en")


def _tag(locale: str) -> str:
    return locale.replace("-", "_").split(".")[0].split("@")[0].split("_")[0].lower()


@contextmanager
def frame_words(lang: str) -> Iterator[None]:
    """click's own words (Usage, Options, Error, …) in this language, from our catalogue of them.

    click asks gettext, and gettext the environment: both are as they were afterwards.
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
