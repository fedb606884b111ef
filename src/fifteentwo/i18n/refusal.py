"""Refusals: one line that names the rule and says what to do."""

import errno
import os

from fifteentwo.i18n.cards import card_text
from fifteentwo.i18n.catalogue import has_text, text
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import (
    FifteenTwoError,
    IllegalAction,
    InvalidRules,
    NotationError,
    UnknownVariant,
)
from fifteentwo.rules.variants import Variant

_MAX_QUOTED = 60
_MAX_DETAIL = 400
"""Limit on characters of `detail`, an English sentence about a failure."""
_ERROR_NAMES = {os.strerror(number): name for number, name in errno.errorcode.items()}
"""Symbolic names of system errors, by the system's messages."""


def refusal(error: FifteenTwoError, lang: str) -> str:
    """Return an error as a sentence.

    >>> refusal(IllegalAction("count-past-31", "R53", 0, card="KS", count=35), "en")
    'K♠ would bring the count to 35, past 31 (R53). Play a smaller card.'
    """
    match error:
        case IllegalAction():
            return _illegal_action_text(error, lang)
        case InvalidRules(code=code, rule=rule):
            return _sentence(f"refusal.{code}", "refusal.other", lang, code=code, rule=rule)
        case NotationError():
            return _notation_error_text(error, lang)
        case UnknownVariant(name=name):
            return text("refusal.unknown-variant", lang, name=_shorten(name), variants=", ".join(Variant))
        case _:
            values = {name: _shorten(at) if isinstance(at, str) else at for name, at in vars(error).items()}
            if "detail" in values:
                values["detail"] = _shorten(str(vars(error)["detail"]), _MAX_DETAIL)
            values |= {name: ", ".join(at) for name, at in values.items() if isinstance(at, tuple)}
            values |= {"why": _system_text(str(values["why"]), lang)} if "why" in values else {}
            # The arena has its own sentences about failures of players.
            failure = f"failure.{error.code}"
            otherwise = failure if has_text(failure, lang) else "refusal.other"
            return _sentence(f"refusal.{error.code}", otherwise, lang, **{**values, "code": error.code})


def file_error_text(error: OSError, lang: str) -> str:
    """Return a system error of a file, address or disk in our words, or in the system's if there are none."""
    why = _system_text(error.strerror or " ".join(str(error).split()), lang)
    if not isinstance(error.filename, str):
        return why
    return text("refusal.file-error", lang, name=error.filename, why=why)


def _system_text(why: str, lang: str) -> str:
    key = f"system.{_ERROR_NAMES.get(why, '')}"
    return text(key, lang) if has_text(key, lang) else why


def _illegal_action_text(error: IllegalAction, lang: str) -> str:
    values = dict(error.values)
    if "card" in values:
        values["card"] = card_text(Card(str(values["card"])), lang)
    if "phase" in values:
        values["phase"] = text(f"phase.{values['phase']}", lang)
    values |= {"code": error.code, "rule": error.rule, "seat": error.seat}
    return _sentence(f"refusal.{error.code}", "refusal.other", lang, **values)


def _notation_error_text(error: NotationError, lang: str) -> str:
    cause = error.__cause__
    why = refusal(cause, lang) if isinstance(cause, FifteenTwoError) else ""
    values = {"code": error.code, "text": _shorten(error.text), "line": error.position, "why": why}
    return _sentence(f"unreadable.{error.code}", "unreadable.other", lang, **values).strip()


def _sentence(key: str, otherwise: str, lang: str, **values: object) -> str:
    return text(key if has_text(key, lang) else otherwise, lang, **values)


def _shorten(written: str, most: int = _MAX_QUOTED) -> str:
    line = " ".join(written.split())
    return line if len(line) <= most else f"{line[: most // 2]}…{line[1 - most // 2 :]}"
