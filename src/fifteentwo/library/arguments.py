"""Conversion and checks of the arguments of public functions."""

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from fifteentwo.library.cards import Card, cards
from fifteentwo.rules.cards import show_text
from fifteentwo.rules.errors import InvalidArgument, NotationError
from fifteentwo.rules.variants import Rules, rules_for

Cards: TypeAlias = str | Sequence[Card] | Sequence[str] | AbstractSet[Card] | AbstractSet[str]
"""Text such as "5H 5S JC", or `Card` objects or texts of one card each; a set is read in the deck's order."""
Points: TypeAlias = str | Sequence[int]
"""Own and opponent's score, as "110-116" or (110, 116)."""

_SCORE = re.compile(r"\s*([0-9]{1,3})\s*[-–:]\s*([0-9]{1,3})\s*")


def read_cards(given: object, argument: str, number: int | None = None) -> tuple[Card, ...]:
    """Return different cards.

    Args:
        given: any form of `Cards`.
        argument: name of the argument for errors.
        number: required number of cards.

    Raises:
        NotationError: a card cannot be read or occurs twice, or their number is wrong.
        InvalidArgument: the argument is neither text nor cards.
    """
    if isinstance(given, str):
        held = cards(given)
    elif isinstance(given, Card):
        held = (given,)
    elif isinstance(given, Iterable) and not isinstance(given, bytes):
        held = tuple([card if isinstance(card, Card) else _to_card(card, argument) for card in given])
        # The order of a set differs from one process to the next.
        held = tuple(sorted(held)) if isinstance(given, AbstractSet) else held
        if len({*held}) < len(held):
            place = next(place for place, card in enumerate(held) if card in held[:place])
            raise NotationError("card-twice", held[place].text, place)
    else:
        raise InvalidArgument("not-cards", argument, given)
    if number is not None and len(held) != number:
        raise NotationError(
            "wrong-number-of-cards", given if isinstance(given, str) else show_text(held), len(held)
        )
    return held


def read_card(given: object, argument: str) -> Card:
    """Return one card; errors as `read_cards`."""
    if isinstance(given, Card):
        return given
    return read_cards(given, argument, 1)[0]


def read_rules(variant: object, target: int | None = None, **options: Any) -> Rules:
    """Return the rules of a variant with options; errors as `rules_for`."""
    if not isinstance(variant, str):
        raise InvalidArgument("not-text", "variant", variant)
    return rules_for(variant, **options) if target is None else rules_for(variant, target=target, **options)


def read_score(given: object, target: int) -> tuple[int, int]:
    """Return own and opponent's score, both below the target; raise InvalidArgument."""
    if isinstance(given, str):
        written = _SCORE.fullmatch(given)
        points: list[object] = [] if written is None else [int(written[1]), int(written[2])]
    elif isinstance(given, Iterable) and not isinstance(given, bytes):
        points = list(given)
    else:
        points = []
    try:
        own, other = (_to_int(one) for one in points)
    except (TypeError, ValueError):
        raise InvalidArgument("not-a-score", "score", given) from None
    if not (0 <= own < target and 0 <= other < target):
        raise InvalidArgument("score-out-of-range", "score", given)
    return own, other


MAX_GAMES = 10**9
MAX_JOBS = 1024


def whole_number(given: object, argument: str, least: int | None = None, most: int | None = None) -> int:
    """Return an integer within the bounds; raise InvalidArgument."""
    try:
        number = _to_int(given)
    except TypeError:
        raise InvalidArgument("not-a-number", argument, given) from None
    if least is not None and number < least:
        raise InvalidArgument("number-too-small", argument, given)
    if most is not None and number > most:
        raise InvalidArgument("number-too-large", argument, given)
    return number


def true_or_false(given: object, argument: str) -> bool:
    """Return a Python or NumPy bool as bool; raise InvalidArgument for other values."""
    if isinstance(given, bool):
        return given
    if type(given).__module__ == "numpy" and type(given).__name__ in ("bool", "bool_"):
        return bool(given)
    raise InvalidArgument("not-true-or-false", argument, given)


def file_path(given: object) -> Path:
    """Return a path; raise InvalidArgument if it is none."""
    if not isinstance(given, str | PathLike):
        raise InvalidArgument("not-text", "file", given)
    return Path(given)


def _to_card(card: object, argument: str) -> Card:
    if isinstance(card, Card):
        return card
    if isinstance(card, str):
        return Card(card)
    raise InvalidArgument("not-cards", argument, card)


def _to_int(number: object) -> int:
    """Return a Python or NumPy integer; raise TypeError for other values, also bools."""
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise TypeError
    return int(number)
