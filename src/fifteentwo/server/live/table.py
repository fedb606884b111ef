"""One table in memory: its log, its open pages, and everything that reacts to them, wired together.

Every part subscribes to the signals of the log and the audience, and is called in the order made here.
"""

from collections.abc import Callable, Mapping

import msgspec

from fifteentwo.rules.actions import NameDealer, SeatAction
from fifteentwo.rules.record import from_json
from fifteentwo.rules.variants import Rules
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live.audience import Audience, OpenPage
from fifteentwo.server.live.clocks import ChallengeClock, MoveClock
from fifteentwo.server.live.coach import Coach
from fifteentwo.server.live.computers import Computers
from fifteentwo.server.live.log import TableLog
from fifteentwo.server.live.page_updates import PageUpdates, TableView
from fifteentwo.server.live.pass_and_play import PassAndPlay
from fifteentwo.server.live.peer_link import LeaseHolder, PeerLink
from fifteentwo.server.live.quick_chat import QuickChat
from fifteentwo.server.live.seating import Seating, asked_for_seeds
from fifteentwo.server.live.seeding import Seeding
from fifteentwo.server.live.thinking import Thinking
from fifteentwo.server.peers import Peers
from fifteentwo.server.store import matches
from fifteentwo.server.store.store import Store
from fifteentwo.server.study import loading
from fifteentwo.server.table_log import dealing, proposals
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import StoredTable

MOST_GAMES = 10_000
"""Games of one match."""

NoteSeat = Callable[[int, str], Mapping[str, object]]
"""What is stored of where a person comes from, by the seat and what it was called."""


class LiveTable:
    """One match in memory."""

    def __init__(
        self,
        store: Store,
        stored: StoredTable,
        thinking: Thinking | None = None,
        ledger: Ledger | None = None,
        peers: Peers | None = None,
        spectators: Callable[[], int] = int,
    ) -> None:
        """ledger: that of the log, where it was read already; spectators: how many there are."""
        self.id = stored.id
        self.made_at = stored.made_at
        self.rules = from_json(stored.rules, Rules)
        self.options = from_json(stored.options, Options)
        self.spectators = spectators
        self.ledger = ledger or matches.ledger_of(self.rules, self.options, stored.rows)
        self._store = store
        peers = peers or Peers()
        leases = peers.leases
        self.log = log = TableLog(store, stored, self.ledger, leases)
        self.audience = audience = Audience(self.rules.seats)
        self.seating = seating = Seating(log, audience, self.rules, self.options, stored.people)
        self.people = seating.people
        self.link = link = PeerLink(log, audience, seating, peers)
        self.coach = Coach(log, audience, leases, seating)
        self.challenge_clock = ChallengeClock(log, audience, leases, seating)
        self.computers = Computers(log, audience, leases, seating, link, self.coach, thinking or Thinking())
        self.seeding = Seeding(log, audience, seating, link)
        view = TableView(log, seating, self.computers.trouble, self.challenge_clock.left)
        self.pass_and_play = PassAndPlay(view, audience)
        self.updates = PageUpdates(view, audience, link, spectators)
        self.move_clock = MoveClock(log, audience, leases, seating, link, self.updates)
        self.chat = QuickChat(audience, seating.people, link)
        self._lease = LeaseHolder(log, audience, leases)
        log.changed.triggers(self._log_changed)

    @property
    def played(self) -> int:
        """How many games of the match are finished."""
        return self.ledger.standing.played

    @property
    def idle(self) -> bool:
        """Whether no page is open and nothing is under way."""
        return not self.audience and not self.log.tasks

    # ── What people do ───────────────────────────────────────────────────────────────────────────────────

    async def act(self, person: int, action: SeatAction | NameDealer, seen: int | None = None) -> None:
        """Do what a person wants done, as `TableLog.act`; where it raises, nothing has changed."""
        await self.coach.prepare(person, action)
        await self.log.act(person, action, seen)

    async def undo(self, person: int) -> None:
        """Take back a person's last action against computers, where no hidden card was learned since."""
        if not self.seating.alone:
            raise Refused("undo-against-computers-only")
        if self.options.daily is not None:
            raise Refused("not-in-the-daily-deal")
        await self.log.add(lambda: proposals.undo(self.ledger, self.ledger.seat_of(person)))

    async def next_game(self) -> None:
        """Begin the next game of the match; Refused while one is being played."""
        if self.options.imported:
            raise Refused("imported-no-next")
        if self.played >= MOST_GAMES:
            raise Refused("match-long-enough", games=MOST_GAMES)
        people = asked_for_seeds(self.people)
        await self.log.add(lambda: proposals.new_game(self.ledger, dealing.new_secret(), people))
        await self.seeding.game_began()

    async def sit(self, invitation: str, owner: str, name: str = "", note: NoteSeat | None = None) -> int:
        """Sit down at the seat an invitation is for, under a name if one is given; Refused as `invited`."""
        seating = self.seating
        if self._store.is_shared:
            # They may have sat down through another process just now.
            seating.replace(await self._store.people(self.id))
        if (person := seating.person_of(owner)) is not None:
            return person
        number = seating.invited(invitation)
        before = self.people[number]
        seat = None if note is None else note(number, before.name)
        if not await self._store.sit(self.id, number, owner, name or before.name, seat):
            seating.replace(await self._store.people(self.id))
            if (person := seating.person_of(owner)) is not None:
                return person
            raise Refused("place-taken", status=409)
        self.people[number] = msgspec.structs.replace(before, owner=owner, name=name or before.name)
        self.link.publish_people()
        seating.changed.send(tuple(self.people))
        return number

    # ── Pages ────────────────────────────────────────────────────────────────────────────────────────────

    async def read_all(self) -> None:
        """Read what other processes have changed, before a page joins: it must not be sent less than there.

        StoreError where the database is away; where pages are open already they show what is known here.
        """
        if self._store.is_shared:
            try:
                await self.log.read()
                self.seating.replace(await self._store.people(self.id))
            except StoreError:
                if not self.audience:
                    raise

    def speak(self, page: OpenPage, lang: str) -> None:
        """Send a page the whole table in another language."""
        page.lang = lang
        self.updates.send_table(page)
        self.pass_and_play.update(page, whole=True)

    async def close(self) -> None:
        """Close every page and finish what is being written."""
        self.challenge_clock.stop()
        self.move_clock.stop()
        self.audience.close()
        self.computers.stop()
        await self.log.tasks.ended_within(2.0)

    def _log_changed(self) -> None:
        loading.near_the_end(self.ledger.table.state)
