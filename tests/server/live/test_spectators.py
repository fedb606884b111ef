"""Attacks on spectating: no hidden card is sent, nothing is sent early, and spectators can do nothing."""

import asyncio
import contextlib
import json
import random
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from fifteentwo.contest.match import Length
from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import (
    ClaimSettled,
    DealEnded,
    Dealt,
    Drew,
    Event,
    GameWon,
    Pegged,
    Played,
    Shown,
    StarterTurned,
)
from fifteentwo.rules.record import to_json
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Rules, rules_for
from fifteentwo.rules.view import public
from fifteentwo.server.http import logs
from fifteentwo.server.live import spectator_view, spectators, wire
from fifteentwo.server.live.open_page import OpenPage
from fifteentwo.server.live.spectators import DelayedTable, SpectatorPage
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.live.wire import PROTOCOL
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.proposals import first_undoable_row
from fifteentwo.server.table_log.rows import Person as Seated
from fifteentwo.server.table_log.rows import Row, StoredTable, first_undone
from tests.rules.observer import swapped, with_other_cards
from tests.rules.random_games import rules_of
from tests.support.live_server import Live, Page, Person, cards_in
from tests.support.log_records import record
from tests.support.spectator_logs import NAMES, rows
from tests.support.stored import found

ONE_OF_EACH_VARIANT = (0, 1, 5, 8, 9), (10, 11, 15, 19, 20)
"""Games of people, and of one person among computers, with claimed and automatic counting."""
MANY = tuple(range(15)), tuple(range(7, 22))


class Clock:
    """The monotonic clock of the spectators, which the test sets."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = 1_000_000.0
        patch.setattr(spectators, "steady_clock", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def new_table(rules: Rules, *, alone: bool = False) -> StoredTable:
    """Return a table of people, or of one person among computers."""
    people = [
        Seated(
            name=name, level="random" if alone and number else None, owner=None if alone and number else name
        )
        for number, name in enumerate(NAMES[: rules.seats])
    ]
    options = Options(spectator_key="a" * 22)
    return StoredTable(
        id="x" * 16,
        rules_json=to_json(rules).decode(),
        options_json=to_json(options).decode(),
        people=tuple(people),
        rows=(),
    )


def past_of(kept: StoredTable, rules: Rules) -> DelayedTable:
    return DelayedTable(kept, Ledger(rules, length=Length.OPEN))


def known_to_all(events: Sequence[Event]) -> list[set[str]]:
    """Return after each event the cards of the present deal that every seat knows, and of the deal before.

    The functions `view`, `see` and `public` are not used. Hands and the crib are included once their deal is
    over.
    """
    drawn: set[str] = set()
    open_now: set[str] = set()
    of_show: set[str] = set()
    before: set[str] = set()
    now: set[str] = set()
    after: list[set[str]] = []
    for event in events:
        match event:
            case Drew(card=card):
                drawn.add(card.text)
            case Dealt():
                open_now, of_show = set(), set()
            case StarterTurned(card=card) | Played(card=card):
                open_now = open_now | {card.text}
            case Shown(cards=cards):
                of_show = of_show | {card.text for card in cards}
            case DealEnded() | GameWon():
                before = open_now | of_show
            case _:
                after.append(now)
                continue
        now = drawn | open_now | before
        after.append(now)
    return after


def message(ledger: Ledger, kept: StoredTable, lang: str = "en") -> bytes:
    options = Options(spectator_key="a" * 22)
    return spectator_view.table_message(ledger, kept.people, options, lang)


def test_stand_in_level_is_shown_to_spectators_after_the_delay(clock: Clock) -> None:
    rules = rules_of(0)
    kept, past = new_table(rules), past_of(new_table(rules), rules)
    ledger = Ledger(rules)
    made: list[Callable[[], Row]] = [
        lambda: proposals.new_game(ledger, bytes(32)),
        lambda: proposals.stand_in(ledger, 1, "club"),
    ]
    seen = []
    for row in made:
        one = msgspec.structs.replace(row(), at=int(clock.now))
        ledger.add(one)
        past.add_rows([one], seen_at=clock.now)
        clock.now += spectators.DELAY_SECONDS
        past.release()
        seen.append(json.loads(message(past.ledger, kept))["d"]["levels"])
    assert [levels[:2] for levels in seen] == [[None, None], [None, "club"]]


@pytest.mark.parametrize(
    "alone", [pytest.param(False, marks=pytest.mark.long), True], ids=["people", "computers"]
)
@pytest.mark.parametrize(
    "games", [ONE_OF_EACH_VARIANT, pytest.param(MANY, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_over_random_games_of_every_variant_no_hidden_card_is_sent(
    clock: Clock, games: tuple[tuple[int, ...], tuple[int, ...]], alone: bool
) -> None:
    """Sentences are checked in both languages after every event; undone cards count as hidden again."""
    variants, sent, undone = set(), 0, 0
    for number in games[alone]:
        rules = rules_of(number)
        variants.add(rules.variant)
        kept = new_table(rules, alone=alone)
        past = past_of(kept, rules)
        for row, now in rows(rules, number, undo=alone):  # noqa: B007
            undone += row.type == "undone"
            clock.now += 7
            past.add_rows([msgspec.structs.replace(row, at=int(clock.now))], seen_at=clock.now)
            if not past.release():
                continue
            sent += 1
            assert not past.ledger.table.state.shown or past.ledger.table.over, "in the middle of a show"
            _reveals_nothing_hidden(past.ledger, kept, "ja" if sent % 2 else "en")
        clock.now += 100
        past.release()
        _reveals_nothing_hidden(past.ledger, kept, "ja")
        assert past.ledger.table.over, "the end of a game is sent as well"
        assert past.ledger.v == now.v
    assert len(variants) == 5
    assert sent > 20 * len(games[alone])
    assert not alone or undone > 20


def _reveals_nothing_hidden(ledger: Ledger, kept: StoredTable, lang: str) -> None:
    whole = json.loads(message(ledger, kept, lang))["d"]
    events = ledger.table.events
    known = known_to_all(events)
    sentences = whole.pop("sentences")
    assert cards_in(json.dumps(whole, ensure_ascii=False)) <= (known[-1] if known else set())
    # Every sentence with cards belongs to an event, and names cards that were known by then or by the show.
    open_then: dict[str, set[str]] = {}
    lines = [
        line
        for line in ledger.entries[max(ledger.restart_version - ledger.dropped_events, 0) :]
        if line.event
    ]
    lines = lines[-wire.MAX_SENTENCES :]
    for line, by_then in zip(lines, known[len(known) - len(lines) :], strict=True):
        event = line.event
        sentence = wire.event_sentence(line, None, lang, NAMES, ledger.match.rules.sides)
        shown = by_then | {card.text for card in getattr(event, "cards", ())}
        shown |= {card.text for score in getattr(event, "scores", ()) for card in _of(score)}
        open_then[sentence] = shown if isinstance(event, Shown | Pegged | ClaimSettled) else by_then
    for sentence in sentences:
        if named := cards_in(sentence):
            assert named <= open_then.get(sentence, set()), sentence


def _of(score: object) -> tuple[Card, ...]:
    return getattr(score, "cards", ())


@pytest.mark.parametrize(
    "number", [*range(4), *(pytest.param(number, marks=pytest.mark.long) for number in range(4, 24))]
)
def test_spectator_message_does_not_depend_on_hidden_cards(number: int) -> None:
    rules = rules_of(number * 7 + 3)
    kept, rng, compared = new_table(rules), random.Random(number), 0
    for _, ledger in rows(rules, number):
        state = ledger.table.state
        if state.phase not in (Phase.DISCARD, Phase.PLAY, Phase.CUT_STOCK, Phase.CLAIM) or state.shown:
            continue
        lies_open = {card for _, card in state.played} | ({state.starter} if state.starter else set())
        other = with_other_cards(state, swapped(lies_open, rng))
        assert public(other) == public(state)
        before = message(ledger, kept)
        events = ledger.table.events
        ledger.table.state = other
        try:
            assert message(ledger, kept) == before
        finally:
            ledger.table.state = state
        assert ledger.table.events is events
        compared += 1
    assert compared > 10


def test_every_row_is_released_after_its_delay_and_none_before(clock: Clock) -> None:
    """The last row of a game waits like any other row."""
    rules = rules_of(4)
    kept = new_table(rules)
    past, written, last = past_of(kept, rules), dict[int, float](), 0
    for row, now in rows(rules, 4):  # noqa: B007
        clock.now += random.Random(row.seq).random() * 20
        written[row.seq], last = clock.now, row.seq
        past.add_rows([msgspec.structs.replace(row, at=int(clock.now))], seen_at=clock.now)
        past.release()
        for seq in range(max(1, past.ledger.seq - 3), past.ledger.seq + 1):
            assert clock.now - written[seq] >= spectators.DELAY_SECONDS
    assert now.table.over
    end = clock.now
    for _ in range(400):
        clock.now += 0.1
        past.release()
        assert past.ledger.seq < last or clock.now - end >= spectators.DELAY_SECONDS
    assert past.ledger.seq == last


class ReadStore:
    """A store that counts how often a log was read to its end."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.reads = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def rows(self, name: str, first: int, most: int) -> Sequence[Row]:
        found = await self._store.rows(name, first, most)
        self.reads += not found
        return found

    async def read_again(self) -> None:
        """Wait until the log has been read again and the released rows are sent."""
        reads = self.reads
        while self.reads < reads + 2:
            await asyncio.sleep(0.005)


def spectated(page: SpectatorPage) -> list[Any]:
    """Return the tables that a page was sent since the last call."""
    sent: list[Any] = [page.unsent.get_nowait() for _ in range(page.unsent.qsize())]
    return [found["d"] for found in map(json.loads, sent) if found["t"] == "spectator-table"]


@contextlib.asynccontextmanager
async def open_tables(folder: Path) -> AsyncIterator[tuple[Tables, Any]]:
    store: Any = ReadStore(await Store.open(f"sqlite+aiosqlite:///{folder / 'games.sqlite3'}"))
    tables = Tables(store)
    try:
        yield tables, store
    finally:
        await tables.close()
        await store.close()


@pytest.mark.parametrize("hours", [1, -1])
async def test_delay_ignores_steps_of_the_wall_clock(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, hours: int
) -> None:
    """The server was restarted, so that it knows only the rows' own times."""
    monkeypatch.setattr(spectators, "LOG_POLL_SECONDS", 0.001)
    rules = rules_of(2)
    then = int(time.time()) - 3600 * hours
    log = tuple(msgspec.structs.replace(row, at=then) for row, _ in rows(rules, 2))
    stored = msgspec.structs.replace(new_table(rules), rows=log)
    async with open_tables(tmp_path) as (tables, store):
        await store.create(stored)
        page = SpectatorPage("en")
        tables.spectators.join(stored, page)
        await store.read_again()
        clock.now += spectators.DELAY_SECONDS - 0.1
        await store.read_again()
        assert not spectated(page)
        clock.now += 0.1
        await store.read_again()
        assert spectated(page)[-1]["view"]["won"]


async def test_first_spectator_of_a_held_table_sees_it_at_once_after_the_delay(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(spectators, "LOG_POLL_SECONDS", 0.001)
    rules = rules_for("six-card", first_dealer="named")
    people = (Seated(name="Ada", owner="a"), Seated(name="Ben", owner="b"))
    async with open_tables(tmp_path) as (tables, store):
        name = await tables.create(rules, Options(spectator_key="a" * 22), people)
        table = await tables.open(name)
        table.join(OpenPage(0, "en", None))
        clock.now += spectators.DELAY_SECONDS
        await table.add_row(lambda: proposals.abandon(table.ledger))
        clock.now += spectators.DELAY_SECONDS - 0.1
        page = SpectatorPage("en")
        tables.spectators.join(await tables.spectators.table_of_link(name, "a" * 22), page)
        await store.read_again()
        assert [one["is_abandoned"] for one in spectated(page)] == [False]
        clock.now += 0.1
        await store.read_again()
        assert [one["is_abandoned"] for one in spectated(page)] == [True]


def test_undoable_rows_wait_and_undone_rows_are_never_sent(clock: Clock) -> None:
    """One person among computers undoes an action after a minute, which no spectator has seen."""
    held, taken_back = 0, 0
    for seed in range(30):
        rules = rules_of(seed * 5)
        if not rules.claimed and seed % 3:
            continue
        kept = new_table(rules, alone=True)
        past = past_of(kept, rules)
        seen_v: set[int] = set()
        for row, now in rows(rules, seed, undo=True):
            past.add_rows([msgspec.structs.replace(row, at=int(clock.now))], seen_at=clock.now)
            if row.type == "undone":
                taken_back += 1
                assert past.ledger.seq < first_undone(row), "it had been sent already"
            clock.now += 90
            past.release()
            seen_v.add(past.ledger.v)
            first = first_undoable_row(now, now.seat_of(0))
            if first is not None:
                held += 1
                assert past.ledger.seq < first
    assert held > 20
    assert taken_back > 20


# ── Over a real line ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> float:
    """Set a short delay, so that the test is fast."""
    monkeypatch.setattr(spectators, "DELAY_SECONDS", 2.0)
    monkeypatch.setattr(spectators, "LOG_POLL_SECONDS", 0.1)
    return 2.0


def link_of(player: Person, game: str) -> str:
    """Return the link for spectators from the page of the players."""
    page = player.browser.get(f"/game/{game}/spectate").text
    at = page.index(f"/game/{game}/spectate/")
    return page[at:].split('"')[0]


def looking(live: Live, path: str, player: Person | None = None, lang: str = "en") -> Page:
    cookies = {} if player is None else player.browser.cookies
    cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
    address = f"ws://127.0.0.1:{live.port}{path}/socket?protocol={PROTOCOL}&lang={lang}"
    return Page(
        connect(
            address, additional_headers={"Cookie": cookie} if cookie else {}, max_size=None, max_queue=None
        )
    )


def test_only_the_link_of_a_table_with_spectators_admits_them(
    live: Live, aiko: Person, stranger: Person
) -> None:
    game = aiko.new_game(spectators="yes")
    path = link_of(aiko, game)
    assert stranger.browser.get(path).status_code == 200
    assert stranger.browser.get(f"/game/{game}").status_code == 403
    assert stranger.browser.get(f"/game/{game}/spectate").status_code == 403
    wrong = path[:-1] + ("A" if path[-1] != "A" else "B")
    assert stranger.browser.get(wrong).status_code == 404
    closed = aiko.new_game()
    assert aiko.browser.get(f"/game/{closed}/spectate").status_code == 404
    for bad in (wrong, f"/game/{closed}/spectate/", f"/game/{closed}/spectate/{path[-22:]}"):
        if not bad.endswith("/"):
            with looking(live, bad) as page:
                assert page.until("refused")["d"]["code"] == "no-such-spectator-link"
    day = aiko.browser.post("/practice/daily").headers["location"]
    assert aiko.browser.get(f"{day}/spectate").status_code == 404, "never the day's deal"


@pytest.mark.usefixtures("soon")
def test_a_spectator_can_do_nothing_and_is_counted(live: Live, aiko: Person, ben: Person) -> None:
    game = aiko.new_game(spectators="yes", first_dealer="named")
    path = link_of(aiko, game)
    with aiko.open(game) as table:
        table.until("people")
        page, first = looking(live, path), looking(live, path)
        for expected, one in ((1, first), (2, page)):
            one.__enter__()
            while table.until("people")["d"]["spectators"] != expected:
                pass
        before = table.v
        for action in ({"type": "NameDealer", "dealer": 0}, None):
            page.send("act", action)
        for kind in ("undo", "hint", "next-game", "reveal", "coach", "lang", "uncover-screen"):
            page.send(kind, "x")
        codes = set()
        for _ in range(9):
            codes.add(page.until("refused")["d"]["code"])
        assert codes == {"spectators-cannot-act"}
        table.send("lang", "ja")
        table.until("table")
        assert table.v == before
        page.__exit__()
        while table.until("people")["d"]["spectators"] != 1:
            pass
    assert ben.browser.get(f"/game/{game}/record").status_code == 403


def test_spectators_beyond_the_maximum_are_refused(
    live: Live, aiko: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spectators, "MAX_SPECTATORS_PER_TABLE", 3)
    with contextlib.ExitStack() as open_pages:
        path = link_of(aiko, aiko.new_game(spectators="yes"))
        for _ in range(3):
            open_pages.enter_context(looking(live, path)).until("spectator-count")
        with looking(live, path) as one_more:
            assert one_more.until("refused")["d"]["code"] == "too-many-spectators"


def test_spectator_who_floods_messages_is_disconnected(live: Live, aiko: Person) -> None:
    path = link_of(aiko, aiko.new_game(spectators="yes"))
    with looking(live, path) as page:

        def talk() -> None:
            for _ in range(200):
                page.send("lang", "en")
                page.hear(5)

        with pytest.raises(ConnectionClosed):
            talk()


@pytest.mark.long
def test_socket_keeps_the_stated_delay_for_players_who_spectate_too(
    live: Live, aiko: Person, soon: float
) -> None:
    """The player's cookie changes no byte; every message has the stated age, until the end."""
    game = aiko.new_game("five-card", spectators="yes", counting="claimed")
    path = link_of(aiko, game)
    happened: dict[int, float] = {}
    with aiko.open(game) as table, looking(live, path) as stranger, looking(live, path, aiko) as own:
        rng, until = random.Random(5), time.monotonic() + 240
        sent_at = [time.monotonic()] * 3
        stranger_heard: list[tuple[float, str]] = []
        while time.monotonic() < until:
            _note(table, happened, rng, sent_at)
            _drain(stranger, stranger_heard)
            if table.view and table.view["won"] and any('"won":{' in text for _, text in stranger_heard):
                break
        tables = [(at, json.loads(text)) for at, text in stranger_heard if '"spectator-table"' in text]
        assert tables[-1][1]["d"]["view"]["won"]
        assert len(tables) > 3
        tried = [(at, sent) for at, sent in tables if sent["v"] in happened]
        assert len(tried) > 2
        for at, sent in tried:
            assert at - happened[sent["v"]] >= soon, "sooner than stated"
        own_heard: list[tuple[float, str]] = []
        _drain(own, own_heard)
        # The messages differ in the number of spectators, which is sent as it changes.
        texts = [
            [text for _, text in heard if '"spectator-table"' in text]
            for heard in (stranger_heard, own_heard)
        ]
        assert texts[1] == texts[0][-len(texts[1]) :]
    with looking(live, path) as again:
        whole = again.until("spectator-table")
        assert whole["d"]["view"]["won"], "the log, read again"


def _note(table: Page, happened: dict[int, float], rng: random.Random, sent_at: list[float]) -> None:
    """Store a lower bound for the time of each new version, the time of the last action but two; then act.

    Choices may come after another player's action, before the table has answered the last action but one.
    """
    with contextlib.suppress(TimeoutError):
        while True:
            heard = table.hear(0.02)
            if "v" in heard:
                happened.setdefault(heard["v"], sent_at[-3])
    if table.choices:
        sent_at.append(time.monotonic())
        table.send("act", rng.choice(table.choices))
        table.choices = []


def _drain(page: Page, heard: list[tuple[float, str]]) -> None:
    with contextlib.suppress(TimeoutError):
        while True:
            page.hear(0.005)
            heard.append((time.monotonic(), page.heard[-1]))


@pytest.mark.usefixtures("soon")
def test_spectating_does_not_load_a_table_into_memory(live: Live, aiko: Person, database: Path) -> None:
    """No computer and no clock runs, because only the log is read."""

    def tables_open() -> str:
        text = httpx.get(f"{live.http}/metrics", timeout=60).text
        return next(line for line in text.splitlines() if line.startswith("fifteentwo_tables_open "))

    game = aiko.new_game("four-handed", spectators="yes")
    [(options,)] = found(database, "SELECT options FROM match WHERE id=?", game)
    before = tables_open()
    with looking(live, f"/game/{game}/spectate/{json.loads(options)['spectator_key']}") as page:
        assert page.until("spectator-table")["d"]["is_awaiting_seeds"], (
            "the people of this table have not come yet"
        )
        assert tables_open() == before


@pytest.mark.usefixtures("soon")
def test_deleting_a_table_disconnects_its_spectators(live: Live, aiko: Person) -> None:
    path = link_of(aiko, aiko.new_game(spectators="yes"))
    with looking(live, path) as page:
        page.until("spectator-count")
        answer = aiko.browser.post("/account/delete", data={"sure": "yes"})
        assert answer.status_code in (200, 303), answer.text

        def listen() -> None:
            while True:
                page.hear(20)

        with pytest.raises(ConnectionClosed):
            listen()


def test_links_of_spectators_and_boards_are_not_logged() -> None:
    for kind in ("spectate", "board"):
        text = logs.PlainFormatter().format(
            record(f"GET /game/abcdefghijklmnop/{kind}/%s", "s3cret-s3cret-s3cret-22")
        )
        assert "s3cret" not in text
