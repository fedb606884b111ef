"""What a reader of an imported game should know."""

from collections.abc import Mapping
from typing import NamedTuple


class Notice(NamedTuple):
    """Something that was added to a game, or that its writer counted otherwise; `i18n` makes the sentence."""

    code: str
    line: int = 0
    """Of the file, from 1; 0 where it concerns all of it."""
    values: Mapping[str, str | int] = {}
