"""What a page that asks for a hint is told. What works it out is loaded with the first room of hints."""

import asyncio
from typing import TYPE_CHECKING

from fifteentwo import i18n
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View
from fifteentwo.server.errors import Refused
from fifteentwo.server.live import wire
from fifteentwo.server.live.audience import Listener
from fifteentwo.server.live.wire import Advice

if TYPE_CHECKING:
    from fifteentwo.server.live.rooms import Room


def prepare(rules: Rules) -> None:
    """Load what the first hint would else wait for; about a second, once in a process."""
    from fifteentwo.analysis.review import hint

    hint.prepare(rules)


def advice(seen: View, lang: str) -> Advice | None:
    """What is best for the seat of this View, and why; None where it has nothing to choose."""
    from fifteentwo.analysis.review import hint

    found = hint.hint(seen)
    if found is None:
        return None
    report = hint.report(found)
    return Advice(found.cards, i18n.hint_text(report, lang), i18n.hint_worth(report, lang))


async def give(room: "Room", listener: Listener) -> None:
    """Tell a page what is best now; Refused where hints are not given, or there is nothing to choose.

    Worked out beside the room, from what the seat sees; if the table has gone on meanwhile it is dropped.
    """
    if not room.hints:
        if room.options.daily is not None:
            raise Refused("not-in-the-daily-deal")
        raise Refused("hint-not-where-players-count" if room.alone else "hint-against-computers-only")
    seen = room.seen_by(listener.person)
    told = await asyncio.to_thread(advice, seen, listener.lang)
    if told is None:
        raise Refused("no-hint-now")
    now = room.seen_by(listener.person)
    # Others may have laid away meanwhile, which changes nothing.
    if (now.deal, now.phase, now.hand, now.played) == (seen.deal, seen.phase, seen.hand, seen.played):
        listener.send(wire.hint(told))
