"""Tables with finished games, stored without a server, and people with accounts to sit at them."""

import secrets

from fifteentwo.rules.record import to_json
from fifteentwo.rules.variants import Rules, rules_for
from fifteentwo.server.http import sessions
from fifteentwo.server.http.sessions import SignedInUser
from fifteentwo.server.people.usernames import look_key, similarity_key
from fifteentwo.server.store.schema import account
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person, Row, StoredTable
from tests.formats.written_games import written_game

FIVE = rules_for("five-card")


async def named(store: Store, name: str) -> SignedInUser:
    """Store an account without a passphrase, and return its user."""
    owner = secrets.token_hex(32)
    row = {"owner": owner, "name": name, "name_key": look_key(name), "passphrase_hash": "", "created_at": 1}
    row["similarity_key"] = similarity_key(name)
    async with store.writing() as connection:
        await connection.execute(account.insert(), row)
    return SignedInUser(owner, name, "")


def guest() -> str:
    """Return the owner of a browser without a name."""
    return sessions.owner_of_token(sessions.new_token())


async def finished_table(
    store: Store,
    people: tuple[Person, ...],
    *,
    rules: Rules = FIVE,
    number: int = 1,
    at: int = 100,
    options: Options | None = None,
    name: str = "",
) -> str:
    """Store a table where the game of this number was played; return its id. at: when the game ended."""
    name = name or secrets.token_urlsafe(12)
    played = to_json({"actions": written_game(number, rules).actions}).decode()
    rows = (
        Row(1, "began", to_json({"secret": "", "actions": ()}).decode(), at - 1),
        Row(2, "acted", played, at),
    )
    table = StoredTable(
        id=name,
        rules_json=to_json(rules).decode(),
        options_json=to_json(options or Options()).decode(),
        people=people,
        rows=rows,
    )
    await store.create(table)
    return name
