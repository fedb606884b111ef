"""Arguments of the public functions, read as people write them, and refused with a code."""

import re
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from fifteentwo.library.cards import Card, cards
from fifteentwo.rules.cards import show_text
from fifteentwo.rules.errors import InvalidArgument, NotationError
from fifteentwo.rules.variants import Rules, rules_for

Cards: TypeAlias = str | Sequence[Card] | Sequence[str]
"""Cards as the library takes them: text such as "5H 5S JC", `Card` objects, or texts of one card each."""
Points: TypeAlias = str | Sequence[int]
"""A score: own and opponent's points, as "110-116" or (110, 116)."""

_JOINED = re.compile(r"(?:(?:10|[2-9AJQKT])[SHDC♠♥♦♣])+", re.IGNORECASE)
_CARD = re.compile(r"(?:10|.).", re.IGNORECASE)
_BOARD = re.compile(r"\s*([0-9]{1,3})\s*[-–:]\s*([0-9]{1,3})\s*")


def read_cards(given: object, argument: str, number: int | None = None) -> tuple[Card, ...]:
    """Return different cards; NotationError or InvalidArgument says which is none or there twice.

    number: so many, or NotationError.
    """
    if isinstance(given, str):
        joined = "".join(given.split())
        held = cards(" ".join(_CARD.findall(joined)) if _JOINED.fullmatch(joined) else given)
        written = given
    elif isinstance(given, Card):
        held, written = (given,), given.text
    elif isinstance(given, Iterable) and not isinstance(given, bytes):
        held = tuple([_one(card, argument) for card in given])
        written = show_text(held)
    else:
        raise InvalidArgument("not-cards", argument, given)
    for place, card in enumerate(held):
        if card in held[:place]:
            raise NotationError("card-twice", card.text, place)
    if number is not None and len(held) != number:
        raise NotationError("wrong-number-of-cards", written, len(held))
    return held


def read_card(given: object, argument: str) -> Card:
    """Return one card."""
    return read_cards(given, argument, 1)[0]


def read_rules(variant: object, target: int | None = None, **options: object) -> Rules:
    """Return the rules of a variant with these options; UnknownVariant, InvalidRules."""
    if not isinstance(variant, str):
        raise InvalidArgument("not-text", "variant", variant)
    return rules_for(variant, **options) if target is None else rules_for(variant, target=target, **options)


def read_score(given: object, target: int) -> tuple[int, int]:
    """Return own and opponent's points, both short of the target; InvalidArgument."""
    if isinstance(given, str):
        written = _BOARD.fullmatch(given)
        points: list[object] = [] if written is None else [int(written[1]), int(written[2])]
    elif isinstance(given, Iterable) and not isinstance(given, bytes):
        points = list(given)
    else:
        points = []
    try:
        own, other = (_whole(one) for one in points)
    except (TypeError, ValueError):
        raise InvalidArgument("not-a-score", "score", given) from None
    if not (0 <= own < target and 0 <= other < target):
        raise InvalidArgument("score-out-of-range", "score", given)
    return own, other


MOST_GAMES, MOST_JOBS = 10**9, 1024
"""More of them is a slip."""


def whole_number(given: object, argument: str, least: int | None = None, most: int | None = None) -> int:
    """Return a whole number within these bounds; InvalidArgument."""
    try:
        number = _whole(given)
    except TypeError:
        raise InvalidArgument("not-a-number", argument, given) from None
    if least is not None and number < least:
        raise InvalidArgument("number-too-small", argument, given)
    if most is not None and number > most:
        raise InvalidArgument("number-too-large", argument, given)
    return number


def true_or_false(given: object, argument: str) -> bool:
    """Return True or False, NumPy's among them; InvalidArgument where it is neither."""
    if isinstance(given, bool):
        return given
    if type(given).__module__ == "numpy" and type(given).__name__ in ("bool", "bool_"):
        return bool(given)
    raise InvalidArgument("not-true-or-false", argument, given)


def file_path(given: object) -> Path:
    """Return the path of a file; InvalidArgument where it is none."""
    if not isinstance(given, str | PathLike):
        raise InvalidArgument("not-text", "file", given)
    return Path(given)


def _one(card: object, argument: str) -> Card:
    if isinstance(card, Card):
        return card
    if isinstance(card, str):
        return Card(card)
    raise InvalidArgument("not-cards", argument, card)


def _whole(number: object) -> int:
    """Return a whole number, NumPy's among them; TypeError for all else, True among it."""
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise TypeError
    return int(number)
