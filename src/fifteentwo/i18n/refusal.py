"""Refusals: one clear line that names the rule and says what can be done now."""

import errno
import os

from fifteentwo.i18n.cards import card_text
from fifteentwo.i18n.catalogue import has, text
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import (
    FifteenTwoError,
    IllegalAction,
    InvalidRules,
    NotationError,
    UnknownVariant,
)
from fifteentwo.rules.variants import Variant

_LONGEST = 60
_ERRORS = {os.strerror(number): name for number, name in errno.errorcode.items()}
"""The names of the system's errors, by its words for them."""


def refusal(error: FifteenTwoError, lang: str) -> str:
    """An error as a person should read it.

    >>> refusal(IllegalAction("count-past-31", "R53", 0, card="KS", count=35), "en")
    'K♠ would bring the count to 35, past 31 (R53). Play a smaller card.'
    """
    match error:
        case IllegalAction():
            return _illegal(error, lang)
        case InvalidRules(code=code, rule=rule):
            return _sentence(f"refusal.{code}", "refusal.other", lang, code=code, rule=rule)
        case NotationError():
            return _unreadable(error, lang)
        case UnknownVariant(name=name):
            return text("refusal.unknown-variant", lang, name=_short(name), variants=", ".join(Variant))
        case _:
            values = {name: _short(at) if isinstance(at, str) else at for name, at in vars(error).items()}
            values |= {name: ", ".join(at) for name, at in values.items() if isinstance(at, tuple)}
            values |= {"why": _of_the_system(str(values["why"]), lang)} if "why" in values else {}
            # What a program of a player did wrong has its words where the arena prints it.
            failure = f"failure.{error.code}"
            otherwise = failure if has(failure, lang) else "refusal.other"
            return _sentence(f"refusal.{error.code}", otherwise, lang, **{**values, "code": error.code})


def file_trouble(error: OSError, lang: str) -> str:
    """What the system says of a file, an address or a disk: in our words, or else in its own."""
    why = _of_the_system(error.strerror or " ".join(str(error).split()), lang)
    if not isinstance(error.filename, str):
        return why
    return text("refusal.file-error", lang, name=error.filename, why=why)


def _of_the_system(why: str, lang: str) -> str:
    key = f"system.{_ERRORS.get(why, '')}"
    return text(key, lang) if has(key, lang) else why


def _illegal(error: IllegalAction, lang: str) -> str:
    values = dict(error.values)
    if "card" in values:
        values["card"] = card_text(Card(str(values["card"])), lang)
    if "phase" in values:
        values["phase"] = text(f"phase.{values['phase']}", lang)
    values |= {"code": error.code, "rule": error.rule, "seat": error.seat}
    return _sentence(f"refusal.{error.code}", "refusal.other", lang, **values)


def _unreadable(error: NotationError, lang: str) -> str:
    cause = error.__cause__
    why = refusal(cause, lang) if isinstance(cause, FifteenTwoError) else ""
    values = {"code": error.code, "text": _short(error.text), "line": error.position, "why": why}
    return _sentence(f"unreadable.{error.code}", "unreadable.other", lang, **values).strip()


def _sentence(key: str, otherwise: str, lang: str, **values: object) -> str:
    return text(key if has(key, lang) else otherwise, lang, **values)


def _short(written: str) -> str:
    line = " ".join(written.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]}…{line[1 - _LONGEST // 2 :]}"
