"""What people at a table are called, in each reader's language."""

from collections.abc import Sequence

from fifteentwo import i18n
from fifteentwo.server.table_log.rows import Person

MARK = " (guest)"
"""How a name is stored that is the username of another account; each page shows it in its own language."""


def shown(name: str, lang: str) -> str:
    """Return a name as a reader of this language sees it."""
    own = name.removesuffix(MARK)
    return name if own == name else i18n.text("name.as-guest", lang, name=own)


def called(people: Sequence[Person], lang: str) -> tuple[str, ...]:
    """Return people's names in the order they came; a computer without one is called by its level."""
    return tuple(
        shown(one.name, lang) or i18n.text("name.guest" if one.level is None else f"level.{one.level}", lang)
        for one in people
    )
