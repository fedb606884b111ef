"""Before the first card of a game: every page commits to a seed, then reveals it.

A person's commitment and seed are rows of the log like anything else. A page that does not take part says so
by the address it connects to, and is not waited for; one that has committed is: nothing may take the place of
its seed.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable

from fifteentwo.rules.actions import Cut, Deal, Draw, NameDealer, TurnUp
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.rules.record import action_text
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live import wire
from fifteentwo.server.live.audience import Audience, OpenPage
from fifteentwo.server.live.log import Change, TableLog
from fifteentwo.server.live.peer_link import PeerLink
from fifteentwo.server.live.seating import Seating
from fifteentwo.server.table_log import forfeits, proposals
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.rows import Row
from fifteentwo.server.table_log.seeds import Stage

ABANDONED_AFTER = 7 * 24 * 3600
"""Seconds without any action after which any of its people may end a game (POST to its record)."""

ASK_AGAIN = 1.0
"""Seconds until pages are asked again for what could not be stored."""


class Seeding:
    """The seeds of one table's games."""

    def __init__(self, log: TableLog, audience: Audience, seating: Seating, link: PeerLink) -> None:
        self._log = log
        self._audience = audience
        self._people = seating.people
        self._seating = seating
        self._link = link
        log.changed.subscribe(self._log_changed)
        audience.joined.subscribe(self._send)

    async def before_joining(self, page: OpenPage) -> None:
        """Append the commitment of a page that is about to join, unless it has committed before."""
        if page.commitment:
            await self._offer(page.person, page.commitment)
        elif page.commitment is None:
            for person in page.persons:
                await self._offer(person, "")

    async def game_began(self) -> None:
        """Commit to nothing for people whose pages take no part: they are not waited for."""
        pages, elsewhere = list(self._audience), self._link.presence
        taking_part = {person for person, takes_part in elsewhere.items() if takes_part}
        taking_part |= {person for page in pages if page.commitment is not None for person in page.persons}
        for person in {person for page in pages for person in page.persons} - taking_part:
            await self._offer(person, "")

    async def _offer(self, person: int, promised: str) -> None:
        seeds = self._log.ledger.seeds
        if seeds is None or person not in seeds.people or person in seeds.commitments:
            return
        # Another page of the same person may be faster: the first commitment stands.
        with contextlib.suppress(Refused):
            await self.commit(person, promised)

    async def commit(self, person: int, promised: str) -> None:
        """Append what a page commits to; Refused as `Seeds.committed`.

        Committing to the same twice is no error: a page that comes back, or two of them, repeat it.
        """
        seeds = self._log.ledger.seeds
        if promised and seeds is not None and seeds.commitments.get(person) == promised:
            return

        def made() -> Row:
            if self._people[person].owner is None:
                # The host has cleared this seat.
                raise Refused("not-your-table", status=403)
            return proposals.commit(self._log.ledger, person, promised)

        await self._append(made)

    async def reveal(self, person: int, seed: str) -> None:
        """Append a page's seed; with the last of them the game opens. Refused as `Seeds.revealed`."""
        await self._append(lambda: proposals.reveal(self._log.ledger, person, seed))

    async def _append(self, made: Callable[[], Row]) -> None:
        """Append a row; where that cannot be done now, every page is asked again a little later."""
        try:
            await self._log.add(made)
        except StoreError:
            self._log.tasks.begin(self._ask_again())
            raise

    async def _ask_again(self) -> None:
        await asyncio.sleep(ASK_AGAIN)
        for page in self._audience:
            page.dealing = None
            self._send(page)
        await self.game_began()

    async def close_abandoned(self) -> None:
        """End the present game if nothing has happened in it for so long: then all of it is public."""
        ledger = self._log.ledger
        playing = ledger.seeds is not None and not (ledger.table.over or ledger.closed)
        if playing and ledger.last_at and time.time() - ledger.last_at >= ABANDONED_AFTER:
            await self._log.add(self._abandoned)

    def _abandoned(self) -> Row:
        """Return the forfeit of the only person who was waited for; where there is none, no one loses."""
        ledger = self._log.ledger
        people = [person for person in ledger.asked if self._people[person].level is None]
        if self._seating.alone or len(people) != 1 or people[0] in ledger.disconnects.levels:
            return proposals.close(ledger)
        return forfeits.forfeit(ledger, people[0], ForfeitedFor.AWAY)

    def _log_changed(self, change: Change) -> None:
        for page in self._audience:
            self._send(page)
        if change.began:
            self._log.tasks.begin(self.game_began())

    def _send(self, page: OpenPage) -> None:
        """Send a page how the dealing of this game stands, if it does not know that yet.

        It comes before the events it belongs to: a deal ends for a page that has its link.
        """
        now = standing(self._log.ledger)
        if page.dealing != now:
            page.dealing = now
            page.send(message(self._log.ledger))


def standing(ledger: Ledger) -> tuple[object, ...]:
    """Return a value that changes whenever pages may know more of the dealing."""
    seeds = ledger.seeds
    if seeds is None:
        return (ledger.match.game,)
    gathered = seeds.people, len(seeds.commitments), len(seeds.seeds)
    return ledger.match.game, *gathered, ledger.dealing.naming, ledger.dealing.opened


def message(ledger: Ledger) -> bytes:
    """Return the message of how the dealing stands."""
    return wire.message(wire.DealingMessage(of_game(ledger)))


def of_game(ledger: Ledger) -> wire.Dealing:
    """Return what pages may know of the present game's dealing: nothing of the deal that is being played."""
    links = ledger.dealing.links
    stage = Stage.DEALING if ledger.seeds is None else ledger.seeds.stage
    if ledger.dealing.naming:
        # Seeds are sent only once no person can choose anything any more.
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
