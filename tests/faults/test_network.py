"""Over a faulty network a page ends with the state of the log, and no action is done twice."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from fifteentwo.rules.view import see
from fifteentwo.server.live.wire import PROTOCOL
from tests.faults.network import Faults, Network
from tests.support.live_server import plain, run_apart, serving
from tests.support.stored import ledger_of

SILENCE = 1.0
"""Seconds without a message after which a page connects again, where it waits for its own action."""
FAULTS = {
    "lost": Faults(lost=0.05),
    "doubled": Faults(doubled=0.2),
    "swapped": Faults(swapped=0.1),
    "late": Faults(late=0.3),
    "cut": Faults(cut=0.03),
    "half-open": Faults(dumb=0.01),
    "everything": Faults(0.02, 0.05, 0.03, 0.05, 0.01, 0.005),
}


class Stubborn:
    """A page that follows docs/protocol.md: if `v` shows a gap, it connects again."""

    def __init__(self, port: int, game: str, cookie: str, seed: int) -> None:
        self.address = f"ws://127.0.0.1:{port}/game/{game}/socket?protocol={PROTOCOL}"
        self.cookie = cookie
        self.rng = random.Random(seed)
        self.v: int | None = None
        self.events: dict[int, Any] = {}
        self.view: dict[str, Any] = {}
        self.choices: list[dict[str, Any]] = []
        self.lines = 0

    async def play(self) -> None:
        """Wait until a player has won."""
        while not (self.view and self.view["won"]):
            self.lines += 1
            assert self.lines < 400, "it never gets there"
            known = "" if self.v is None else f"&v={self.v}"
            try:
                async with connect(
                    self.address + known, additional_headers={"Cookie": self.cookie}, max_size=None
                ) as line:
                    await self._listen(line)
            except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError):
                await asyncio.sleep(0.01)

    async def _listen(self, line: Any) -> None:
        while not (self.view and self.view["won"]):
            frame = await asyncio.wait_for(line.recv(), SILENCE)
            for message in map(json.loads, frame.split("\n")):
                if message["t"] == "refused":
                    # Done twice, or what was to come first was lost: ask for what is so.
                    await line.close()
                    return
                if not self._take(message):
                    return
            if self.choices:
                action = self.rng.choice(self.choices)
                self.choices = []
                await line.send(json.dumps({"t": "act", "d": action}))

    def _take(self, message: dict[str, Any]) -> bool:
        """Return whether no event is missing; repeated events are allowed."""
        if "v" not in message:
            return True
        v, known, d = message["v"], self.v, message["d"]
        match message["t"]:
            case "event":
                if known is None or v > known + 1:
                    return False
                if v == known + 1:
                    self.v, self.events[v] = v, d["event"]
            case "view":
                if known is None or v > known:
                    return False
                if v == known:
                    self.view, self.choices = d["view"], d["choices"]
            case "table":
                if known is None or v >= known:
                    self.v, self.view, self.choices = v, d["view"], d["choices"]
        return True


LONG = {"late", "half-open", "swapped", "everything"}


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.long] if kind in LONG else []) for kind in FAULTS]
)
def test_games_converge(tmp_path: Path, kind: str) -> None:
    database = tmp_path / "games.sqlite3"
    with serving(database) as live, live.person() as aiko:
        game = aiko.new_game(target="61", level_1="random")
        cookie = "; ".join(f"{name}={value}" for name, value in aiko.browser.cookies.items())

        async def run() -> tuple[Stubborn, Network]:
            network = Network(live.port, FAULTS[kind], seed=7)
            async with network.open() as port:
                page = Stubborn(port, game, cookie, seed=3)
                await asyncio.wait_for(page.play(), 240)
            return page, network

        page, network = run_apart(run())
    ledger = ledger_of(database, game)
    assert ledger.table.over
    assert page.v == ledger.v
    assert page.view["front"] == plain(ledger.table.state.front)
    assert page.view["won"] == plain(ledger.table.state.won)
    expected = {v: plain(see(line.event, 0)) for v, line in enumerate(ledger.entries, start=1) if line.event}
    assert all(expected[v] == event for v, event in page.events.items()), "what was sent is what happened"
    assert len(page.events) > ledger.v / 2
    for what, often in FAULTS[kind]._asdict().items():
        assert bool(network.happened[what]) == bool(often) or kind in ("everything", "half-open"), what
