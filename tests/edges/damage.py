"""Change, truncate and extend backups: none may be restored."""

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path

from fifteentwo.server.errors import StoreError
from fifteentwo.server.store import copies
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.rows import Person, Row, StoredTable

ROWS = 200
CODES = {"backup-torn", "backup-changed", "backup-of-another-program"}
"""Error codes with which a damaged backup may be refused."""


def damaged(whole: bytes, number: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield a description of each damage, and the damaged copy."""
    luck = random.Random(seed)
    for _ in range(number):
        copy = bytearray(whole)
        at = luck.randrange(len(copy))
        way = luck.choice(("byte", "byte", "byte", "bit", "bytes", "block", "cut", "added", "end"))
        if way == "bit":
            copy[at] ^= 1 << luck.randrange(8)
        elif way == "block":
            copy[at : at + 4096] = luck.randbytes(len(copy[at : at + 4096]))
        elif way == "cut":
            del copy[at:]
        elif way == "added":
            copy[at:at] = luck.randbytes(luck.randint(1, 5000))
        elif way == "end":
            place = luck.randrange(max(0, len(copy) - 200), len(copy))
            copy[place] ^= luck.randrange(1, 256)
        else:
            for place in (at, *luck.choices(range(len(copy)), k=luck.randint(1, 5) * (way == "bytes"))):
                copy[place] = (copy[place] + luck.randrange(1, 256)) % 256
        if copy != whole:
            yield f"{way} at {at}", bytes(copy)


def made(folder: Path) -> Path:
    """Return a backup of a database that holds an unfinished game."""
    database, copy = folder / "games.sqlite3", folder / "copy.sqlite3"

    async def write() -> None:
        store = await Store.open(str(database))
        rows = [Row(seq, "acted", json.dumps({"actions": [["Aiko", seq]]})) for seq in range(1, ROWS + 1)]
        people = (Person(name="Aiko", owner="o" * 43), Person(name="club", level="club"))
        await store.create(
            StoredTable(id="game", rules_json="{}", options_json="{}", people=people, rows=tuple(rows))
        )
        await store.close()

    asyncio.run(write())
    copies.back_up(str(database), copy)
    return copy


def attack(copy: Path, number: int, seed: int, folder: Path) -> list[str]:
    """Restore damaged copies of a backup; return those accepted or refused with another code."""
    database, junk, wrong = folder / "restored.sqlite3", folder / "damaged", []
    for what, contents in damaged(copy.read_bytes(), number, seed):
        junk.write_bytes(contents)
        try:
            copies.restore(str(database), junk)
            wrong.append(f"{what}: restored")
        except StoreError as error:
            if error.code not in CODES:
                wrong.append(f"{what}: {error.code}")
        if database.exists():
            wrong.append(f"{what}: a database is left")
            database.unlink()
    return wrong
