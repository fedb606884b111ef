"""Before the first card of a game: every page commits to a seed, then tells it; all are told how that stands.

A person's commitment and seed are rows of the log like anything else. A page that does not take part says so
by the line it opens, and is not waited for; one that has committed is: nothing may take its seed's place.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from fifteentwo.rules.actions import Cut, Deal, Draw, NameDealer, TurnUp
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.rules.record import action_text
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live import wire
from fifteentwo.server.live.audience import Listener
from fifteentwo.server.table_log import forfeits, proposals
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.rows import Row
from fifteentwo.server.table_log.seeds import Stage

if TYPE_CHECKING:
    from fifteentwo.server.live.rooms import Room

ABANDONED_AFTER = 7 * 24 * 3600
"""Seconds without any action after which any of its people may end a game (POST to its record)."""

ASK_AGAIN = 1.0
"""Seconds until pages are asked again for what could not be kept."""


class Seeding:
    """The seeds of one table's games."""

    def __init__(self, room: "Room") -> None:
        self._room = room

    async def came(self, listener: Listener) -> None:
        """A page is about to open: it brings a commitment, or takes no part, or has committed before."""
        if listener.commitment:
            await self._offered(listener.person, listener.commitment)
        elif listener.commitment is None:
            for person in listener.persons:
                await self._offered(person, "")

    async def began(self) -> None:
        """A game has begun: people whose pages take no part are not waited for."""
        pages = list(self._room.listeners)
        elsewhere = self._room.neighbours.looking(self._room.id)
        taking_part = {person for person, takes_part in elsewhere.items() if takes_part}
        taking_part |= {person for page in pages if page.commitment is not None for person in page.persons}
        for person in {person for page in pages for person in page.persons} - taking_part:
            await self._offered(person, "")

    async def _offered(self, person: int, promised: str) -> None:
        seeds = self._room.ledger.seeds
        if seeds is None or person not in seeds.people or person in seeds.commitments:
            return
        # Another page of the same person may be faster: the first commitment stands.
        with contextlib.suppress(Refused):
            await self.commit(person, promised)

    async def commit(self, person: int, promised: str) -> None:
        """Keep what somebody's page commits to, and tell everyone; Refused as `Seeds.committed`.

        Saying the same twice is no error: a page that comes back, or two of them, repeat it.
        """
        seeds = self._room.ledger.seeds
        if promised and seeds is not None and seeds.commitments.get(person) == promised:
            return

        def made() -> Row:
            if self._room.people[person].owner is None:
                # The host has cleared this seat.
                raise Refused("not-your-table", status=403)
            return proposals.commit(self._room.ledger, person, promised)

        await self._kept(made)

    async def reveal(self, person: int, seed: str) -> None:
        """Keep somebody's seed; with the last of them the game opens. Refused as `Seeds.revealed`."""
        await self._kept(lambda: proposals.reveal(self._room.ledger, person, seed))

    async def _kept(self, made: Callable[[], Row]) -> None:
        """Put it on disk; where that cannot be done now, everyone is asked again a little later."""
        try:
            await self._room.add(made)
        except StoreError:
            self._room.start(self._ask_again())
            raise

    async def _ask_again(self) -> None:
        await asyncio.sleep(ASK_AGAIN)
        for listener in self._room.listeners:
            listener.dealing = None
            self.tell(listener)
        await self.began()

    async def close_abandoned(self) -> None:
        """End the present game if nobody has done anything for so long: then all of it may be told."""
        ledger = self._room.ledger
        playing = ledger.seeds is not None and not (ledger.table.over or ledger.closed)
        if playing and ledger.last_at and time.time() - ledger.last_at >= ABANDONED_AFTER:
            await self._room.add(self._abandoned)

    def _abandoned(self) -> Row:
        """Whoever alone was waited for among people has lost; else nobody has."""
        room, ledger = self._room, self._room.ledger
        people = [person for person in ledger.asked if room.people[person].level is None]
        if room.alone or len(people) != 1 or people[0] in ledger.absences.levels:
            return proposals.close(ledger)
        return forfeits.forfeit(ledger, people[0], ForfeitedFor.AWAY)

    def tell(self, listener: Listener) -> None:
        """Tell a page how the dealing of this game stands, if it does not know that yet.

        It is told before the events it belongs to: a deal ends for a page that has its link.
        """
        now = standing(self._room.ledger)
        if listener.dealing != now:
            listener.dealing = now
            listener.send(wire.dealing(of_game(self._room.ledger)))


def standing(ledger: Ledger) -> tuple[object, ...]:
    """What changes whenever something new can be told of the dealing."""
    seeds = ledger.seeds
    if seeds is None:
        return (ledger.match.game,)
    gathered = seeds.people, len(seeds.commitments), len(seeds.seeds)
    return ledger.match.game, *gathered, ledger.dealing.naming, ledger.dealing.opened


def of_game(ledger: Ledger) -> wire.Dealing:
    """All that may be told of the present game's dealing: nothing of the deal that is being played."""
    links = ledger.dealing.links
    stage = Stage.DEALING if ledger.seeds is None else ledger.seeds.stage
    if ledger.dealing.naming:
        # Seeds are told only once nobody can choose anything any more.
        stage = Stage.COMMITTING
    awaited = [ledger.match.seating.index(person) for person in ledger.awaited]
    return wire.Dealing(
        game=ledger.match.game,
        rules=ledger.dealing.rules,
        stage=stage.value,
        commitment=ledger.dealing.commitment,
        committed=ledger.dealing.promised,
        seeds=ledger.dealing.known_seeds,
        awaited=tuple(awaited),
        links=links,
        deals=tuple([tuple(lines) for lines in _lines(ledger)[: len(links)]]),
    )


def _lines(ledger: Ledger) -> list[list[str]]:
    """What was drawn, named, cut, dealt and turned up, as a record has it: the draws, then deal by deal."""
    actions = ledger.table.actions
    deals: list[list[str]] = [[]]
    for before, action, after in zip([None, *actions], actions, [*actions[1:], None], strict=False):
        if not isinstance(action, Cut | Deal | Draw | TurnUp | NameDealer):
            continue
        cut = isinstance(action, Cut) and isinstance(after, Deal)
        if cut or (isinstance(action, Deal) and not isinstance(before, Cut)):
            deals.append([])
        deals[-1].append(action_text(action))
    return deals
