"""How long the pages of ratings take with many games: python -m tests.measured.people_speed [games]

A database with so many finished games between sixty people, at tables of ten games each. Milliseconds of
processor for the first look, which rates them all, for looks after nothing has changed, and after one game.
"""

import asyncio
import secrets
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from fifteentwo.rules.record import to_json
from fifteentwo.rules.variants import SIX_CARD
from fifteentwo.server.http.sessions import Named
from fifteentwo.server.people import ratings
from fifteentwo.server.people.ratings import Ratings
from fifteentwo.server.store.history import Finished, History, finished_games
from fifteentwo.server.store.schema import finished_game, history_progress, log_row, match, player
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person, Row, StoredTable
from tests.formats.written_games import written_game
from tests.support.named_tables import finished_table, named

PEOPLE, AT_A_TABLE = 60, 10
LOOKS = 20


def one_game() -> Finished:
    """A finished six-card game as it is listed."""
    acted = to_json({"actions": written_game(1, SIX_CARD).actions}).decode()
    began = to_json({"secret": "", "actions": ()}).decode()
    rows = (Row(1, "began", began, 1), Row(2, "acted", acted, 2))
    rules, options = to_json(SIX_CARD).decode(), to_json(Options()).decode()
    people = (Person(name="A", owner="a"), Person(name="B", owner="b"))
    return finished_games(StoredTable(id="x" * 16, rules=rules, options=options, people=people, rows=rows))[0]


async def fill(store: Store, games: int) -> list[Named]:
    """So many games, listed and not yet rated."""
    people = [await named(store, f"Player {number}") for number in range(PEOPLE)]
    body, rules, options = one_game(), to_json(SIX_CARD).decode(), to_json(Options()).decode()
    rows: dict[str, list[dict[str, object]]] = {
        "match": [],
        "player": [],
        "log_row": [],
        "history_progress": [],
        "finished_game": [],
    }
    for table in range(games // AT_A_TABLE):
        name = secrets.token_urlsafe(12)
        rows["match"].append({"id": name, "created_at": table, "rules": rules, "options": options})
        for number in (0, 1):
            owner = people[(table * (1 + 6 * number) + 7 * number) % PEOPLE].owner
            rows["player"].append({"match_id": name, "player_number": number, "name": "", "owner": owner})
        rows["log_row"].append(
            {"match_id": name, "seq": 1, "type": "began", "body": "{}", "created_at": table}
        )
        rows["history_progress"].append({"match_id": name, "seq": 1, "has_open_game": False})
        for number in range(1, AT_A_TABLE + 1):
            ended = msgspec.structs.replace(body, ended_at=AT_A_TABLE * table + number)
            rows["finished_game"].append(
                {
                    "match_id": name,
                    "game_number": number,
                    "is_rating_done": False,
                    "ended_at": ended.ended_at,
                    "body": msgspec.json.encode(ended).decode(),
                }
            )
    async with store.writing() as connection:
        for one in (match, player, log_row, history_progress, finished_game):
            await connection.execute(one.insert(), rows[one.name])
    return people


async def timed(work: Callable[[], Awaitable[object]], times: int = 1) -> str:
    began = time.process_time()
    for _ in range(times):
        await work()
    return f"{1000 * (time.process_time() - began) / times:.1f}"


async def measured(games: int, folder: Path) -> None:
    ratings.AGAIN = 0.0
    store = await Store.open(str(folder / "games.sqlite3"))
    people = await fill(store, games)
    rated = Ratings(store, History(store))
    every = lambda: rated.listed()  # noqa: E731
    print(f"| {games} games, first look | {await timed(every)} |")
    print(f"| /people, nothing new | {await timed(every, LOOKS)} |")
    own = people[0].owner
    print(f"| /account, nothing new | {await timed(lambda: rated.of(own), LOOKS)} |")
    seats = tuple(Person(name="", owner=one.owner) for one in people[:2])
    await finished_table(store, seats, rules=SIX_CARD, at=10**9)
    print(f"| /people, one game more | {await timed(every)} |")
    await store.close()


def main() -> None:
    """A table of milliseconds."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 12_000
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measured(games, Path(folder)))


if __name__ == "__main__":
    main()
