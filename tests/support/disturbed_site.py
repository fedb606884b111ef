"""Two processes behind nginx on one PostgreSQL: killed, suspended and misdirected while people play."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import httpx
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from fifteentwo.rules.record import last_state, read
from fifteentwo.rules.view import see
from fifteentwo.server.table_log.proofs import verify_dealing
from tests.support.behind_nginx import ServedSite, served_site
from tests.support.live_server import PATIENCE, Live, Page, Person, plain
from tests.support.postgres import Cluster
from tests.support.stored import found, ledger_of, rows_of

THINKING_SECONDS = 0.2
"""Seconds a person thinks at most, so that a game is long enough to be disturbed."""
RECONNECT_SECONDS = 0.2
"""Seconds until a page that was closed is opened again."""
RETRY_SECONDS = 0.5
"""Seconds until a person tries again what was refused."""
SUSPENDED_SECONDS = 20.0

TABLES: tuple[tuple[int, dict[str, str]], ...] = (
    (2, {"variant": "six-card", "level_1": "person", "clock_away": "120", "clock_then": "forfeit"}),
    (1, {"variant": "four-handed", "level_1": "greedy", "level_2": "random", "level_3": "random"}),
    (2, {"variant": "three-handed", "level_1": "person", "level_2": "greedy", "counting": "claimed"}),
)
"""How many people sit at each table, and what is played there."""


class Player:
    """A person who plays at one table, and whose page is opened again whenever it was closed."""

    def __init__(self, person: Person, game: str, number: int, seed: int) -> None:
        self.person = person
        self.game = game
        self.number = number
        self.rng = random.Random(seed)
        self.seen: dict[int, object] = {}
        self.v: int | None = 0
        self.acted = 0
        self.misdirected: Live | None = None
        """The process that the next page is sent to, past nginx; None: where nginx sends it."""

    def play(self, site: ServedSite, is_over: threading.Event) -> None:
        """Play games at this table until the event is set."""
        while not is_over.is_set():
            self.person.live, self.misdirected = self.misdirected or site.live, None
            with suppress(ConnectionClosed, InvalidHandshake, OSError, EOFError, TimeoutError):
                self._serve_page(is_over)
            time.sleep(RECONNECT_SECONDS)

    def _serve_page(self, is_over: threading.Event) -> None:
        with self.person.open(self.game, v=self.v) as page:
            try:
                self._act_in_turn(page, is_over)
            finally:
                self.seen |= page.events
                self.v = max(self.seen, default=0)

    def _act_in_turn(self, page: Page, is_over: threading.Event) -> None:
        _await_answer(page)
        while not is_over.is_set() and self.misdirected is None:
            if page.view["won"]:
                if self.number == 0:
                    page.send("next-game")
                _await_answer(page)
                continue
            if not page.choices:
                _await_answer(page)
                continue
            time.sleep(self.rng.uniform(0, THINKING_SECONDS))
            page.send("act", self.rng.choice(page.choices))
            page.choices = []
            self.acted += _await_answer(page)


def _await_answer(page: Page) -> bool:
    """Listen until the table waits for somebody (True), or is sent again after a refusal (False)."""
    kind = _listen(page, "waiting", "refused")
    is_refused = kind == "refused"
    while kind == "refused":
        # The database is unavailable, or another player was faster, so ask for the whole table.
        time.sleep(RETRY_SECONDS)
        page.send("lang", "en")
        kind = _listen(page, "table", "refused")
    return not is_refused


def _listen(page: Page, *kinds: str) -> str:
    """Listen up to a message of one of these kinds, and return its kind; TimeoutError after ten seconds."""
    until = time.monotonic() + 10
    while (kind := str(page.hear(max(0.1, until - time.monotonic()))["t"])) not in kinds:
        if time.monotonic() > until:
            raise TimeoutError
    return kind


def seated(site: ServedSite, people: int, fields: dict[str, str], seed: int) -> list[Player]:
    """Return the players of a new table, who have sat down through nginx."""
    persons = [Person(site.live) for _ in range(people)]
    game = persons[0].new_game(**{"target": "121", "first_dealer": "low", **fields})
    with persons[0].open(game) as page:
        page.until("table")
        for guest, one in zip(persons[1:], page.table["invitations"], strict=True):
            guest.sit(one["path"], "Guest")
    return [Player(one, game, number, seed + number) for number, one in enumerate(persons)]


@contextmanager
def played(site: ServedSite, seed: int) -> Iterator[list[Player]]:
    """Have people play at every table of TABLES until the block ends; compare what they saw with the log."""
    everybody = [
        player
        for number, (people, fields) in enumerate(TABLES)
        for player in seated(site, people, fields, seed + 10 * number)
    ]
    is_over = threading.Event()
    threads = [threading.Thread(target=one.play, args=(site, is_over)) for one in everybody]
    for thread in threads:
        thread.start()
    try:
        yield everybody
        is_over.set()
        for thread in threads:
            thread.join(PATIENCE)
        assert not any(thread.is_alive() for thread in threads), "a player still waits"
        for one in everybody:
            saw_only_the_log(site, one)
    finally:
        is_over.set()
        for thread in threads:
            thread.join(PATIENCE)
        for one in everybody:
            one.person.browser.close()


def seconds_until_everyone_has_acted(everybody: list[Player], patience: float = 120.0) -> float:
    """Return how long it takes until at every table two more actions were sent and answered."""
    began, before = time.monotonic(), _acted(everybody)
    while time.monotonic() < began + patience:
        now = _acted(everybody)
        if all(now[game] >= before[game] + 2 for game in before):
            return time.monotonic() - began
        time.sleep(0.02)
    raise AssertionError(f"a table stands still: {before}, {_acted(everybody)}")


def _acted(everybody: list[Player]) -> Counter[str]:
    acted = Counter[str]()
    for one in everybody:
        acted[one.game] += one.acted
    return acted


def saw_only_the_log(site: ServedSite, one: Player) -> None:
    """Assert that all that was sent is in the log without a gap, and that nobody was forfeited."""
    rows = rows_of(site.database, one.game)
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    assert not {row.type for row in rows} & {"forfeited", "stood_in", "closed"}
    ledger = ledger_of(site.database, one.game)
    for v, event in one.seen.items():
        line = ledger.entries[v - 1]
        expected = (
            None if line.event is None else plain(see(line.event, line.person_by_seat.index(one.number)))
        )
        assert event == expected
    people = found(site.database, "SELECT count(*) FROM player WHERE match_id=?", one.game)[0][0]
    for number in range(1, len(ledger.finished) + ledger.table.over + 1):
        record = ledger.record(number, tuple("ABCD"[:people]))
        assert last_state(record).won
        assert verify_dealing(record) > 0
        address = f"{site.live.http}/game/{one.game}/record?game={number}"
        assert read(one.person.browser.get(address).text).actions == record.actions


# ── Disturbances ─────────────────────────────────────────────────────────────────────────────────────────


class Disturbed(NamedTuple):
    """A site, its database and its players, which a test disturbs."""

    site: ServedSite
    cluster: Cluster
    everybody: list[Player]
    rng: random.Random


def kill(at: Disturbed) -> float:
    """Kill one process; return the seconds until all play on at the other. Then start it again."""
    which = at.rng.randrange(len(at.site.processes))
    at.site.kill(which)
    seconds = seconds_until_everyone_has_acted(at.everybody)
    at.site.start(which)
    while not _is_ready(at.site.each[which]):
        time.sleep(0.05)
    return seconds


def _is_ready(live: Live) -> bool:
    """Return whether a process responds; one that starts without its database would end."""
    with suppress(httpx.HTTPError):
        return httpx.get(f"{live.http}/readyz", timeout=5).status_code == 200
    return False


def suspend(at: Disturbed) -> float:
    """Suspend one process for SUSPENDED_SECONDS; return the seconds from then on until all play on."""
    which = at.rng.randrange(len(at.site.processes))
    at.site.freeze(which)
    began = time.monotonic()
    time.sleep(SUSPENDED_SECONDS)
    at.site.thaw(which)
    seconds_until_everyone_has_acted(at.everybody)
    return time.monotonic() - began


def restart_database(at: Disturbed) -> float:
    """Kill PostgreSQL and start it again; return the seconds from its return until all play on."""
    at.cluster.kill()
    time.sleep(at.rng.uniform(0, 1.0))
    at.cluster.start()
    return seconds_until_everyone_has_acted(at.everybody)


def misdirect(at: Disturbed) -> float:
    """Send one page past nginx to a process at random; return the seconds until all play on."""
    at.rng.choice(at.everybody).misdirected = at.rng.choice(at.site.each)
    return seconds_until_everyone_has_acted(at.everybody)


Disturbance = Callable[[Disturbed], float]


def disturbed(
    cluster: Cluster, folder: Path, disturbances: Sequence[tuple[Disturbance, float]], seed: int
) -> dict[str, list[float]]:
    """Disturb a site of two processes while people play; return the seconds that each disturbance took.

    disturbances: each with the seconds within which everybody must play on.
    """
    rng, took = random.Random(seed), dict[str, list[float]]()
    with served_site(cluster.address, folder) as site, played(site, seed) as everybody:
        for disturb, within in disturbances:
            seconds_until_everyone_has_acted(everybody)
            seconds = disturb(Disturbed(site, cluster, everybody, rng))
            took.setdefault(disturb.__name__, []).append(seconds)
            assert seconds <= within, f"{disturb.__name__}: played on after {seconds:.1f} s"
        acted = sum(one.acted for one in everybody)
    for name, seconds_each in took.items():
        print(f"{len(seconds_each)} times {name}: played on after at most {max(seconds_each):.1f} s")
    print(f"{acted} actions sent; nothing lost, nothing twice, nobody forfeited", flush=True)
    return took
