"""Matches of many games in a store."""

from fifteentwo.rules.record import to_json
from fifteentwo.rules.variants import Rules
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person, Row, StoredTable

NAMES = ("Aiko", "Ken", "Mei", "Taro")


def kept(rules: Rules, rows: list[Row], name: str = "AAAAAAAAAAAAAAAA") -> StoredTable:
    people = tuple(Person(name=one, owner=one) for one in NAMES[: rules.seats])
    return StoredTable(
        id=name,
        rules=to_json(rules).decode(),
        options=to_json(Options()).decode(),
        people=people,
        rows=tuple(rows),
    )
