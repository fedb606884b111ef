"""Tables at which nothing was ever done end; what anybody played is kept."""

import asyncio
import sqlite3
from pathlib import Path

from fifteentwo.server.live.tables import Tables
from fifteentwo.server.people.expiry import A_DAY, tidy
from fifteentwo.server.store.store import Store
from tests.support.live_server import serving


def ids(database: Path) -> set[str]:
    connection = sqlite3.connect(database)
    try:
        return {row[0] for row in connection.execute("SELECT id FROM match")}
    finally:
        connection.close()


def older(database: Path, days: int) -> None:
    connection = sqlite3.connect(database)
    connection.execute("UPDATE match SET created_at = created_at - ?", (days * A_DAY,))
    connection.commit()
    connection.close()


def test_only_what_was_never_played_is_removed_and_only_when_it_is_old(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite3"
    with serving(database) as live, live.person() as aiko:
        begun, empty, looked_at, open_to_a_friend = (
            aiko.new_game(level_1=level) for level in ("random", "random", "random", "person")
        )
        with aiko.open(begun) as page:
            page.alone()
            page.act(page.choices[0])

    async def run() -> tuple[int, int, int]:
        store = await Store.open(str(database))
        tables = Tables(store)
        try:
            young = await tidy(tables, 7)
            older(database, 8)
            await tables.open(looked_at)
            first = await tidy(tables, 7)
            return young, first, await tidy(tables, 7)
        finally:
            await tables.close()
            await store.close()

    assert asyncio.run(run()) == (0, 2, 0)
    assert ids(database) == {begun, looked_at}
    assert not {empty, open_to_a_friend} & ids(database)
    older(database, 10_000)
    with serving(database) as live, live.person() as stranger:
        assert stranger.browser.get(f"/game/{empty}").status_code == 404
        assert stranger.browser.get(f"/game/{begun}").status_code == 403
