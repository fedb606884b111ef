"""A match as the store keeps it."""

from fifteentwo.server.table_log.rows import Person, Row, StoredTable

KEPT = StoredTable(
    id="AAAAAAAAAAAAAAAA",
    rules="{}",
    options="{}",
    people=(Person(name="Aiko", owner="o"), Person(name="", level="club"), Person(name="", invitation="i")),
    rows=(Row(1, "began", "{}"),),
)
