"""A whole evening on a server that is killed: python -m tests.measured.evening [postgres].

Sixty people in sockets of their own play nine rounds at random. Two leave, one comes late, one is
substituted, and the server is killed twice. The standings must equal a count from the logs alone. Prints the
seconds between rounds, and the seconds of a move.
"""

import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from statistics import median
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from fifteentwo.rules.variants import rules_for
from fifteentwo.server.club import decisions
from fifteentwo.server.club.evening import Evening, EveningPerson, Settings
from fifteentwo.server.club.evenings import Evenings
from fifteentwo.server.club.scores import standings
from fifteentwo.server.http.sessions import new_token, owner_of_token
from fifteentwo.server.live.wire import PROTOCOL
from fifteentwo.server.store.schema import evening_row
from fifteentwo.server.store.store import Store
from tests.support import postgres
from tests.support.killed_games import ended, started
from tests.support.live_server import Live
from tests.support.stored import ledger_of

DIRECTOR = "the director"
LOOK_SECONDS = 0.05
"""Seconds between two looks of a player at the evening, as of a page that refreshes itself."""
Steps = Mapping[tuple[int, int], Callable[["Simulation"], Any]]
"""What happens in a round, numbered from 0, when this number of its tables have ended."""


class Player:
    """A person with a browser, who plays where the evening says."""

    def __init__(self, number: int) -> None:
        self.token, self.rng = new_token(), random.Random(number)
        self.person = EveningPerson(f"Player {number}", owner_of_token(self.token))
        self.played: set[str] = set()

    def match(self, now: Evening) -> tuple[int, str] | None:
        """Return the round and the match that the person must play."""
        number = now.number_of(self.person.owner or "")
        if number is None or now.state.players[number].has_left:
            return None
        record = now.state.players[number].record
        open_now = (
            (place[0], one.match_id)
            for place, one in now.state.tables.items()
            if one.outcome is None and record in one.pair and one.match_id not in self.played
        )
        return next(open_now, None)


class Simulation:
    """An evening, its players, and what was measured."""

    def __init__(self, database: str, people: int, rounds: int, variant: str) -> None:
        self.database, self.rounds = database, rounds
        self.servers: list[tuple[subprocess.Popen[str], Live]] = []
        """Two processes if the database is PostgreSQL."""
        self.settings = Settings(name="Wednesday", rules=rules_for(variant), rounds=rounds)
        self.players = [Player(number) for number in range(people)]
        self.name = ""
        self.now: Evening
        self.move_seconds: list[float] = []
        self.last_end: dict[int, float] = {}
        """Time when the last game of each round ended for its players, in seconds."""
        self.first_cards: dict[int, list[float]] = defaultdict(list)
        """Times when the players of each round saw their first cards, in seconds."""
        self.kills: dict[int, float] = {}
        """Time of the kill in each round in which the server was killed."""
        self._tasks: list[asyncio.Task[None]] = []

    async def run(self, steps: Steps) -> None:
        """Play the evening to its end."""
        left = dict(steps)
        self.store = await Store.open(self.database)
        self.evenings = Evenings(self.store)
        self.name = await self.evenings.open(DIRECTOR, self.settings)
        try:
            for _ in range(1 + self.database.startswith("postgresql")):
                self.servers.append(await asyncio.to_thread(started, self.database))
            for one in self.players:
                await self.change(decisions.join, person=one.person)
            await self.change(decisions.begin, number=0, director=DIRECTOR)
            self.now = await self.evenings.read(self.name)
            self._tasks = [asyncio.create_task(self._play(one)) for one in self.players]
            while not self.is_over:
                await asyncio.sleep(LOOK_SECONDS)
                self.now = await self.evenings.read(self.name)
                for task in self._tasks:
                    if task.done():
                        task.result()
                now = len(self.now.state.rounds) - 1
                done = sum(place[0] == now for place in self.now.state.outcomes)
                for at in [one for one in left if one <= (now, done)]:
                    await left.pop(at)(self)
            assert not left
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            for process, _ in self.servers:
                await asyncio.to_thread(ended, process)
            await self.store.close()

    @property
    def is_over(self) -> bool:
        state = self.now.state
        return len(state.rounds) == self.rounds and len(state.outcomes) == len(state.tables)

    async def change(self, decide: Any, **given: Any) -> None:
        """Change the evening in this process, so that the server learns of it from the database alone."""
        await self.evenings.change(self.name, partial(decide, **given))

    async def kill(self) -> None:
        """Kill a server and start another."""
        self.kills[len(self.now.state.rounds) - 1] = time.perf_counter()
        await asyncio.to_thread(ended, self.servers.pop()[0])
        self.servers.append(await asyncio.to_thread(started, self.database))

    def playing(self) -> int:
        """Return the number of a person whose table is open."""
        open_now = [one for one in self.now.state.tables.values() if one.outcome is None]
        number = self.now.state.player_of(open_now[0].pair[1])
        assert number is not None
        return number

    async def leave(self) -> None:
        await self.change(decisions.leave, owner=DIRECTOR, number=self.playing())

    async def arrive(self) -> None:
        self._add(late := Player(len(self.players)))
        await self.change(decisions.join, person=late.person)

    async def substitute(self) -> None:
        record = self.now.state.players[self.playing()].record
        self._add(new := Player(len(self.players)))
        await self.change(decisions.substitute, owner=DIRECTOR, record=record, person=new.person)

    def _add(self, one: Player) -> None:
        self.players.append(one)
        self._tasks.append(asyncio.create_task(self._play(one)))

    async def _play(self, one: Player) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if (found := one.match(self.now)) is not None:
                # The server is killed, the game was closed, or another person plays here now.
                with suppress(WebSocketException, OSError, EOFError):
                    await self._play_game(one, *found)

    async def _play_game(self, one: Player, number: int, match_id: str) -> None:
        if not self.servers:
            raise ConnectionRefusedError
        # A proxy sends all people of a match to one process; to the other one if that was killed.
        port = self.servers[zlib.crc32(match_id.encode()) % len(self.servers)][1].port
        address = f"ws://127.0.0.1:{port}/game/{match_id}/socket?protocol={PROTOCOL}&lang=en"
        cookie = {"Cookie": f"fifteentwo={one.token}"}
        async with connect(address, additional_headers=cookie, max_queue=None, max_size=None) as line:
            choices: list[Any] = []
            sent, is_dealt = 0.0, False
            async for frame in line:
                for message in map(json.loads, str(frame).split("\n")):
                    data = message["d"]
                    match message["t"]:
                        case "table" | "view":
                            choices, now = data["choices"], time.perf_counter()
                            if data["view"].get("hand") and not is_dealt:
                                is_dealt = True
                                self.first_cards[number].append(now)
                            if data["view"]["won"] or data["closed"]:
                                one.played.add(match_id)
                                self.last_end[number] = now
                                return
                        case "event" if sent and (data["event"] or {}).get("seat") is not None:
                            self.move_seconds.append(time.perf_counter() - sent)
                            sent = 0.0
                        case "waiting" if choices and not sent:
                            sent = await _act(line, one.rng.choice(choices))
                            choices = []
                        case "refused":
                            sent = 0.0
                            await asyncio.sleep(LOOK_SECONDS)
                            await line.send('{"t": "lang", "d": "en"}')

    async def check(self) -> dict[int, tuple[int, int, int]]:
        """Compare the standings with a count from the logs alone, and return it."""
        self.store = await Store.open(self.database)
        now = await Evenings(self.store).read(self.name)
        query = evening_row.select().where(evening_row.c.evening_id == self.name).order_by(evening_row.c.seq)
        rows = [json.loads(row.body) for row in await self.store.select(query)]
        await self.store.close()
        found = await asyncio.to_thread(count_from_logs, self.database, rows)
        assert {card.record: card.order for _, card in standings(now.cards.cards.values())} == found
        assert len(now.state.rounds) == self.rounds
        return found

    def report(self) -> str:
        """Return what was measured, as lines of a table."""
        gaps = {
            number: (min(seen) - self.last_end[number - 1], max(seen) - self.last_end[number - 1])
            for number, seen in self.first_cards.items()
            if number and number not in self.kills
        }
        first, last = zip(*gaps.values(), strict=True)
        moves = sorted(self.move_seconds)
        lines = (
            f"{len(self.players)} people, {self.rounds} rounds, {len(self.kills)} kills, {len(moves)} moves",
            f"next round's first card: median {median(first):.2f} s, most {max(first):.2f} s",
            f"next round's last table has cards: median {median(last):.2f} s, most {max(last):.2f} s",
            *(
                f"a move, {share:.0%}: {1000 * moves[int(share * len(moves))]:.0f} ms"
                for share in (0.5, 0.99)
            ),
        )
        return "\n".join(lines)


async def _act(line: ClientConnection, action: Any) -> float:
    sent = time.perf_counter()
    await line.send(json.dumps({"t": "act", "d": action}))
    return sent


def count_from_logs(database: str, rows: list[dict[str, Any]]) -> dict[int, tuple[int, int, int]]:
    """Return points, games won and spread of each record, from the rows of the evening and of its matches.

    Of the evening's own rows it takes who plays for whom, the pairs, byes, and who left when.
    """
    lines = defaultdict[int, list[int]](lambda: [0, 0, 0])
    records: dict[int, int] = {}
    open_now: dict[tuple[int, int], tuple[str, list[int]]] = {}
    rounds = 0

    def add_result(pair: list[int], winner: int, spread: int) -> None:
        for side, record in enumerate(pair):
            is_won = side == winner
            more = (2 + (spread > 30)) * is_won, int(is_won), spread if is_won else -spread
            lines[record] = [before + now for before, now in zip(lines[record], more, strict=True)]

    for row in rows:
        match row["type"]:
            case "joined":
                records[row["number"]] = row["record"]
                lines[row["record"]][0] += 0
            case "began":
                for table, one in enumerate(zip(row["match_ids"], row["pairing"]["pairs"], strict=True)):
                    open_now[rounds, table] = one
                rounds += 1
                if (bye := row["pairing"]["bye"]) is not None:
                    lines[bye][0] += 2
            case "left":
                gone = records[row["number"]]
                for place, (_, pair) in list(open_now.items()):
                    if gone in pair:
                        del open_now[place]
                        add_result(pair, 1 - pair.index(gone), 0)
            case "ended":
                # Only the match's own log says how it ended.
                name, pair = open_now.pop(tuple(row["place"]))
                [result] = ledger_of(database, name).results
                ahead = abs(result.won.scores[0] - result.won.scores[1])
                spread = ahead if result.won.forfeited is None else 0
                add_result(pair, result.person_by_seat[result.won.side], spread)
    assert not open_now
    return {record: (line[0], line[1], line[2]) for record, line in lines.items()}


def whole_steps() -> Steps:
    """Return what happens in the evening of sixty people."""
    return {
        (1, 5): Simulation.leave,
        (2, 12): Simulation.kill,
        (3, 3): Simulation.arrive,
        (4, 4): Simulation.substitute,
        (4, 9): Simulation.leave,
        (6, 27): Simulation.kill,
    }


async def measure(database: str) -> None:
    evening = Simulation(database, 60, 9, "five-card")
    await evening.run(whole_steps())
    await evening.check()
    print(evening.report())


if __name__ == "__main__":
    if sys.argv[1:] == ["postgres"]:
        with postgres.cluster() as address:
            asyncio.run(measure(address))
    else:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(measure(f"{folder}/games.sqlite3"))
