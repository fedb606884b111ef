"""Two servers on one PostgreSQL of which either is killed or frozen while people play on."""

import random
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

import httpx
from websockets.exceptions import ConnectionClosed, InvalidMessage

from fifteentwo.rules.record import last_state, read
from fifteentwo.rules.view import see
from fifteentwo.server.table_log.proofs import verify
from tests.support.busy import busy
from tests.support.killed_servers import ended, started
from tests.support.live_server import PATIENCE, Live, Page, Person, plain
from tests.support.stored import found, ledger_of, rows_of

PACE = 0.3
"""Seconds at most that a person waits with an action, so that a game is long enough to be disturbed."""
BACK_WITHIN = 5.0
"""Seconds after which a table goes on whose process is gone, on a machine that does nothing else."""


def wait_for(condition: Callable[[], object]) -> None:
    """Return once it holds."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, "too late"
        time.sleep(0.05)


class Two:
    """Two servers of the command line on one database, each at a port of its own."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.processes: list[subprocess.Popen[str]] = []
        self.lives: list[Live] = []
        for _ in range(2):
            process, live = started(address)
            self.processes.append(process)
            self.lives.append(live)

    def kill(self, which: int) -> None:
        """Kill one of them, as no program can prevent."""
        ended(self.processes[which])

    def start(self, which: int) -> None:
        """Start another in its place."""
        self.processes[which], self.lives[which] = started(self.address)

    def freeze(self, which: int) -> None:
        """Let one of them do nothing, and know nothing of it."""
        self.processes[which].send_signal(signal.SIGSTOP)

    def thaw(self, which: int) -> None:
        """Let it go on."""
        self.processes[which].send_signal(signal.SIGCONT)


@contextmanager
def two(address: str) -> Iterator[Two]:
    pair = Two(address)
    try:
        yield pair
    finally:
        for process in pair.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                ended(process)


def holder_of(address: str, game: str) -> tuple[str, int]:
    """The process that has a table's computers act, once there is one, and its epoch."""
    asked, rows = "SELECT worker, epoch FROM lease WHERE match_id=?", list[tuple[str, int]]()

    def is_held() -> bool:
        rows[:] = found(address, asked, game)
        return bool(rows)

    wait_for(is_held)
    return rows[0]


def computers_to_act(page: Page) -> None:
    """Act until the table waits for a computer."""
    for _ in range(200):
        page.settle()
        assert not page.view["won"]
        page.send("act", page.choices[0])
        page.choices = []
        page.until("waiting")
        if page.view["seat"] not in page.waiting["seats"]:
            return
    raise AssertionError("no computer ever has to act")


def killed_while_computers_are_to_act(address: str, kills: int, seed: int) -> list[float]:
    """Who comes back through the other process sees the computers act; how many seconds each time took."""
    rng, took = random.Random(seed), list[float]()
    with two(address) as pair, Person(pair.lives[0]) as aiko:
        for kill in range(kills):
            holding = kill % 2
            aiko.live = pair.lives[holding]
            game = new_game(aiko, variant="four-handed", target="61")
            with suppress(ConnectionClosed), aiko.open(game) as page:
                page.until("waiting")
                for _ in range(rng.randrange(3)):
                    page.settle()
                    page.act(page.choices[0])
                computers_to_act(page)
                worker, epoch = holder_of(address, game)
                pair.kill(holding)
            began = time.monotonic()
            aiko.live = pair.lives[1 - holding]
            with aiko.open(game, v=page.v) as again:
                again.alone()
                took.append((time.monotonic() - began) / busy())
                other, raised = holder_of(address, game)
                assert (other != worker) == (raised > epoch)
            pair.start(holding)
    print(f"killed {kills} times: back after {', '.join(f'{one:.2f}' for one in took)} s")
    return took


def new_game(person: Person, **fields: str) -> str:
    """Return the id of a new table, created through the process that the person is at now."""
    person.browser.base_url = httpx.URL(person.live.http)
    return person.new_game(**fields)


def frozen_and_thawed(address: str, times: int, seed: int) -> None:
    """A process that slept past its lease adds nothing, and sends its pages what has happened meanwhile."""
    rng, holding, slept = random.Random(seed), 0, 0
    with two(address) as pair, Person(pair.lives[0]) as aiko, ExitStack() as stack:
        game = new_game(aiko, variant="four-handed", target="121")
        both = []
        for live in pair.lives:
            aiko.live = live
            both.append(stack.enter_context(aiko.open(game)))
            both[-1].until("waiting")
            holder_of(address, game)
        while slept < times:
            before, page = holder_of(address, game), both[1 - holding]
            computers_to_act(page)
            time.sleep(rng.uniform(0, 0.03))
            pair.freeze(holding)
            page.alone()
            rows, after = rows_of(address, game), holder_of(address, game)
            pair.thaw(holding)
            catch_up(both[holding], page)
            time.sleep(1.0)
            assert rows_of(address, game) == rows, "no player has acted, so nothing is added"
            if after != before:
                # Else its computers were faster than the frost.
                assert (after[0] != before[0], after[1]) == (True, before[1] + 1)
                assert holder_of(address, game) == after
                holding, slept = 1 - holding, slept + 1
    print(f"frozen past the lease {slept} times, at {ledger_of(address, game).v} events: nothing added")


def catch_up(page: Page, other: Page) -> None:
    """Listen until both pages know the same."""
    while page.v < other.v:
        page.until("waiting")


class Wandering:
    """One person at one table, who comes back through any process that answers."""

    def __init__(self, person: Person, game: str, number: int, seed: int) -> None:
        self.person = person
        self.game = game
        self.number = number
        self.rng = random.Random(seed)
        self.seen: dict[int, object] = {}
        self.v: int | None = 0
        self.acted = 0
        self.is_over = False

    def play(self, pair: Two, over: threading.Event) -> None:
        """Play until the game is over."""
        while not (self.is_over or over.is_set()):
            self.person.live = self.rng.choice(pair.lives)
            with suppress(ConnectionClosed, InvalidMessage, OSError, EOFError):
                self._come(over)
            time.sleep(0.05)

    def _come(self, over: threading.Event) -> None:
        with self.person.open(self.game, v=self.v) as page:
            try:
                self._turns(page, over)
            finally:
                self.seen |= page.events
                self.v = max(self.seen, default=0)

    def _turns(self, page: Page, over: threading.Event) -> None:
        until = time.monotonic() + self.rng.uniform(0.5, 4)
        while not over.is_set():
            page.settle()
            if page.view["won"]:
                self.is_over = True
                return
            if time.monotonic() > until:
                # To the other process, perhaps, for no reason.
                return
            time.sleep(self.rng.uniform(0, PACE))
            page.send("act", self.rng.choice(page.choices))
            self.acted += 1
            page.choices = []
            while (message := page.hear())["t"] not in ("waiting", "refused"):
                pass
            if message["t"] == "refused":
                time.sleep(0.05)
                page.send("lang", "en")
                page.until("table")


TABLES: Sequence[tuple[int, dict[str, str]]] = (
    (2, {"variant": "six-card", "level_1": "person", "target": "61"}),
    (
        4,
        {
            "variant": "partners",
            "level_1": "person",
            "level_2": "person",
            "level_3": "person",
            "target": "61",
        },
    ),
    (
        1,
        {
            "variant": "four-handed",
            "level_1": "greedy",
            "level_2": "random",
            "level_3": "random",
            "target": "61",
        },
    ),
    (
        2,
        {
            "variant": "three-handed",
            "level_1": "person",
            "level_2": "greedy",
            "counting": "claimed",
            "target": "61",
        },
    ),
)
"""How many people, and what is played."""


def seated(pair: Two, people: int, fields: dict[str, str], seed: int) -> list[Wandering]:
    """A table at which they have sat down, each through one of the processes."""
    everybody = [Person(pair.lives[number % 2]) for number in range(people)]
    game = new_game(everybody[0], **fields)
    with everybody[0].open(game) as page:
        page.until("table")
        for guest, one in zip(everybody[1:], page.table["invitations"], strict=True):
            guest.sit(one["path"], "Guest")
    return [Wandering(one, game, number, seed + number) for number, one in enumerate(everybody)]


def whole_games_with_kills(address: str, rounds: int, kills: int, seed: int) -> None:
    """Whole games by people at both processes, who wander between them while either is killed at random."""
    rng, acted, killed = random.Random(seed), 0, 0
    with two(address) as pair:
        for number in range(rounds):
            everybody = [
                one
                for place, (people, fields) in enumerate(TABLES)
                for one in seated(pair, people, fields, seed + 1000 * number + 10 * place)
            ]
            over = threading.Event()
            threads = [threading.Thread(target=one.play, args=(pair, over)) for one in everybody]
            for thread in threads:
                thread.start()
            for _ in range(kills):
                time.sleep(rng.uniform(0.3, 3))
                if all(one.is_over for one in everybody):
                    break
                which, killed = rng.randrange(2), killed + 1
                pair.kill(which)
                pair.start(which)
            for thread in threads:
                thread.join(240)
            over.set()
            for thread in threads:
                thread.join(60)
                assert not thread.is_alive(), "a thread plays on"
            assert all(one.is_over for one in everybody), "a table stands"
            for one in everybody:
                one.person.live = pair.lives[0]
                saw_only_the_log(address, one)
                acted += one.acted
                one.person.browser.close()
    print(
        f"{rounds} times {len(TABLES)} games, one process of two killed {killed} times: {acted} actions sent"
    )
    assert killed >= rounds


def saw_only_the_log(address: str, one: Wandering) -> None:
    """Assert that all that was sent is in the log; and that referee and proof accept the game."""
    ledger = ledger_of(address, one.game)
    # While a player is away a new page may be sent the whole table instead.
    for v, event in one.seen.items():
        line = ledger.entries[v - 1]
        expected = None if line.event is None else plain(see(line.event, line.seated.index(one.number)))
        assert event == expected
    people = found(address, "SELECT count(*) FROM player WHERE match_id=?", one.game)[0][0]
    record = ledger.record(1, tuple("ABCD"[:people]))
    assert last_state(record).won
    assert verify(record) > 0
    text = one.person.browser.get(f"{one.person.live.http}/game/{one.game}/record").text
    assert read(text).actions == record.actions
