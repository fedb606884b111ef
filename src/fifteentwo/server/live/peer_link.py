"""One table's connection to the other server processes that have it open."""

from collections.abc import Container

from fifteentwo.server.live.audience import TRY_AGAIN, Audience
from fifteentwo.server.live.log import TableLog
from fifteentwo.server.live.seating import Seating
from fifteentwo.server.peers import Leases, Peers, Presence
from fifteentwo.server.signals import Signal


class PeerLink:
    """What one table and the other processes exchange."""

    def __init__(self, log: TableLog, audience: Audience, seating: Seating, peers: Peers) -> None:
        self.chat = Signal[[str]]()
        """Another process publishes a quick-chat message."""
        self.clock = Signal[[str]]()
        """Another process publishes the time that people have spent."""
        self.presence_changed = Signal[[bool]]()
        """People came to or left another process's pages; True: a process that had none before."""
        self.lease_taken = Signal[[]]()
        """Computers and clocks act here from now on."""
        self._log = log
        self._audience = audience
        self._seating = seating
        self._peers = peers
        audience.joined.triggers(self.announce)
        audience.left.triggers(self.announce)

    @property
    def presence(self) -> Presence:
        """Who has a page open in another process."""
        return self._peers.presence(self._log.id)

    def publish(self, kind: str, text: str) -> None:
        """Send the other processes something about this table."""
        self._peers.publish(kind, [f"{self._log.id}:{text}"])

    def publish_people(self) -> None:
        """Have the other processes read again who sits here."""
        self._peers.publish("people", [self._log.id])

    def announce(self) -> None:
        """Send the other processes who has a page open here, where that may concern them."""
        if not self._seating.alone:
            self._peers.announce(self._log.id, self.own_presence)

    # ── What the other processes ask for ─────────────────────────────────────────────────────────────────

    @property
    def seq(self) -> int:
        """The last row that is known here."""
        return self._log.ledger.seq

    @property
    def is_open(self) -> bool:
        """Whether anyone has a page open here."""
        return bool(self._audience)

    @property
    def own_presence(self) -> Presence:
        """Who has a page open in this process."""
        here: dict[int, bool] = {}
        for page in self._audience:
            for person in page.persons:
                here[person] = here.get(person, False) or page.commitment is not None
        return here

    @property
    def sessions(self) -> set[str]:
        """The sessions of accounts under which pages are open here."""
        return {page.session for page in self._audience if page.session is not None}

    def rows_added(self, seq: int) -> None:
        """Another process has appended rows, up to this one at least."""
        busy = bool(self._audience) or bool(self._log.tasks)
        self._log.appended_elsewhere(seq, read_now=busy)

    def end_sessions(self, ended: Container[str]) -> list[str]:
        """Close the pages of sessions that have ended; return whose they were."""
        pages = [page for page in self._audience if page.session in ended]
        for page in pages:
            page.close(TRY_AGAIN)
        return [self._seating.people[page.person].owner or "" for page in pages]


class LeaseHolder:
    """Keeps a table's lease while a page is open or work is under way here."""

    def __init__(self, log: TableLog, audience: Audience, leases: Leases) -> None:
        self._log = log
        self._audience = audience
        self._leases = leases
        audience.joined.triggers(self._want)
        audience.left.triggers(self._release)
        log.tasks.ended.triggers(self._release)

    def _want(self) -> None:
        self._leases.want(self._log.id)

    def _release(self) -> None:
        if not self._audience and not self._log.tasks:
            self._leases.give_up(self._log.id)
