"""Advice: a hint before a choice, and its cost after it, sent before any computer plays on.

While a costly choice stands the computers wait: nothing is learned, so it may still be taken back.
"""

import asyncio
import logging

import msgspec

from fifteentwo import i18n
from fifteentwo.i18n.figures import percent
from fifteentwo.rules.actions import Discard, NameDealer, Play, SeatAction
from fifteentwo.rules.cards import Card
from fifteentwo.rules.state import State
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View, view
from fifteentwo.server.errors import Refused, ServerError
from fifteentwo.server.live import wire
from fifteentwo.server.live.audience import Audience, OpenPage
from fifteentwo.server.live.log import Change, TableLog
from fifteentwo.server.live.seating import Seating
from fifteentwo.server.peers import Leases
from fifteentwo.server.signals import Signal
from fifteentwo.server.study.problems import solved

log = logging.getLogger("fifteentwo.server")
COSTLY = ("mistake", "blunder")


class Coach:
    """The coach of one table."""

    def __init__(self, log: TableLog, audience: Audience, leases: Leases, seating: Seating) -> None:
        self.pauses = False
        """The computers wait until it has judged, and been read where a choice was costly."""
        self.released = Signal[[]]()
        """The computers need not wait any more."""
        self._log = log
        self._audience = audience
        self._leases = leases
        self._seating = seating
        self._before: State | None = None
        """The game before the last change."""
        self._are_hints_loaded = False
        audience.joined.triggers(self._joined)
        audience.left.triggers(self._left)
        log.changed.subscribe(self._log_changed)

    # ── Hints ────────────────────────────────────────────────────────────────────────────────────────────

    def hint(self, page: OpenPage, raised: tuple[Card, ...]) -> None:
        """Work out in the background what is best now, and why not what is raised; Refused without hints."""
        seating = self._seating
        if not seating.hints:
            if seating.options.daily is not None:
                raise Refused("not-in-the-daily-deal")
            raise Refused("hint-not-where-players-count" if seating.alone else "hint-against-computers-only")
        # The page's other messages are served meanwhile: without its pong it would give the connection up.
        self._log.tasks.begin(self._advise(page, raised))

    async def _advise(self, page: OpenPage, raised: tuple[Card, ...]) -> None:
        """Send a hint from what the seat sees; it is dropped where the table has gone on."""
        seen = self._seating.view_of(page.person)
        try:
            advice = await asyncio.to_thread(advise, seen, page.lang, raised)
        except Exception:
            log.exception("a hint could not be worked out")
            page.send(wire.refused(ServerError("went-wrong"), page.lang))
            return
        if advice is None:
            page.send(wire.refused(Refused("no-hint-now"), page.lang))
            return
        now = self._seating.view_of(page.person)
        # Others may have discarded meanwhile, which changes nothing.
        if (now.deal, now.phase, now.hand, now.played) == (seen.deal, seen.phase, seen.hand, seen.played):
            page.send(wire.message(wire.HintMessage(advice)))

    # ── Verdicts ─────────────────────────────────────────────────────────────────────────────────────────

    def listen(self, page: OpenPage, wanted: bool) -> None:
        """Send a page the cost of its choices from now on, or no longer; Refused without hints."""
        if wanted and not self._seating.hints:
            raise Refused("coach-not-here")
        page.coach = wanted
        self._left()

    def go_on(self) -> None:
        """Let the computers play on: the verdict has been read."""
        if self.pauses:
            self.pauses = False
            self.released.send()

    async def prepare(self, person: int, action: SeatAction | NameDealer) -> None:
        """Have the table's computers act here, so that none answers before the verdict. StoreError."""
        if self._judges(person, action):
            await self._leases.claim(self._log.id)

    def _judges(self, person: int | None, action: SeatAction | NameDealer | None) -> bool:
        wanted = any(page.coach and page.person == person for page in self._audience)
        return wanted and self._seating.hints and isinstance(action, Discard | Play)

    def _joined(self) -> None:
        self._before = self._log.ledger.table.state
        if self._seating.hints and not self._are_hints_loaded:
            self._are_hints_loaded = True
            self._log.tasks.begin(asyncio.to_thread(load_hints, self._seating.rules))

    def _left(self) -> None:
        if not any(page.coach for page in self._audience):
            self.go_on()

    def _log_changed(self, change: Change) -> None:
        before, self._before = self._before, self._log.ledger.table.state
        self.pauses = before is not None and self._judges(change.person, change.action)
        if self.pauses and before is not None and change.person is not None and change.action is not None:
            seat = change.action.seat if not isinstance(change.action, NameDealer) else 0
            seen = view(before, seat)
            self._log.tasks.begin(self._judge(change.person, seen, change.action))

    async def _judge(self, person: int, seen: View, action: SeatAction | NameDealer) -> None:
        """Send the cost of a choice; go on unless it was costly and can still be taken back."""
        restarts, costly = self._log.restarts, False
        try:
            for page in [one for one in self._audience if one.coach and one.person == person]:
                found = await asyncio.to_thread(verdict, seen, action, page.lang)
                if found is None or self._log.restarts != restarts:
                    continue
                held = found.mark in COSTLY and self.pauses and self._seating.may_undo(person)
                costly = costly or held
                page.send(wire.message(wire.CoachMessage(msgspec.structs.replace(found, held=held))))
        except Exception:
            log.exception("the coach could not judge")
        if not costly and self._log.restarts == restarts:
            self.go_on()


def load_hints(rules: Rules) -> None:
    """Load what the first hint would else wait for; about a second, once in a process."""
    from fifteentwo.analysis.review import hint

    hint.prepare(rules)


def advise(seen: View, lang: str, raised: tuple[Card, ...] = ()) -> wire.Advice | None:
    """Return what is best for the seat of this View, and why; None where it has nothing to choose."""
    from fifteentwo.analysis.review import advice

    found = advice.advice(seen, raised)
    if found is None:
        return None
    plain = advice.report(found)
    report = plain["hint"]
    return wire.Advice(
        found.hint.cards,
        i18n.hint_text(report, lang),
        i18n.hint_value(report, lang),
        tuple(i18n.others_text(plain, lang)),
    )


def verdict(seen: View, action: SeatAction | NameDealer, lang: str) -> wire.Verdict | None:
    """Return the cost of a choice by what the seat saw; None where it was the only one. It takes long."""
    if not isinstance(action, Discard | Play) or _only_one(seen, action):
        return None
    found = solved(seen, action.cards if isinstance(action, Discard) else (action.card,), lang)
    cost = percent(found.loss, 1, lang) if found.by_chance else f"{found.loss:.1f}"
    why = found.why if found.mark in COSTLY else ()
    return wire.Verdict(mark=found.mark, cost=cost, best=found.best, reasons=why, held=False)


def _only_one(seen: View, action: Discard | Play) -> bool:
    """Return whether no card of another rank fits."""
    if isinstance(action, Discard):
        return False
    fits = {card.rank for card in seen.playable}
    return len(fits) < 2
