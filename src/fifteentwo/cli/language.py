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


def requested_language(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return the language that `--lang` names at any place of a command line, or the environment's.

    >>> requested_language(["score", "5H", "--lang", "ja"], {})
    'ja'
    """
    found = env_language(environment)
    for before, word in zip(("", *words), words, strict=False):
        if word == "--":
            break
        wanted = word.removeprefix("--lang=") if word.startswith("--lang=") else word
        if wanted in LANGUAGES and (before == "--lang" or wanted != word):
            found = wanted
    return found


def env_language(environment: Mapping[str, str]) -> str:
    """Return the language of environment variables, by the rules of gettext.

    LC_ALL, LC_MESSAGES or LANG names the locale. LANGUAGE lists preferred languages, but is ignored in the
    locales C and POSIX.

    >>> env_language({"LANG": "ja_JP.UTF-8"}), env_language({"LANG": "ja_JP.UTF-8", "LC_ALL": "C"})
    ('ja', 'en')
    >>> env_language({"LANG": "ja_JP.UTF-8", "LANGUAGE": "fr:en:ja"})
    'en'
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "C")
    if _language_tag(locale) in ("c", "posix"):
        return "en"
    preferred = [*environment.get("LANGUAGE", "").split(":"), locale]
    return next((_language_tag(one) for one in preferred if _language_tag(one) in LANGUAGES), "en")


def _language_tag(locale: str) -> str:
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
