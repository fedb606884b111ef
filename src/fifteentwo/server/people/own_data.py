"""All data of a user: exported in one file, and deleted.

Tables where no other user has a seat are deleted with their logs. At other tables the user's name becomes
empty, and the seat has no owner; the log stays, because it contains no names.
"""

import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fifteentwo.rules import record
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.server.http.sessions import SignedInUser
from fifteentwo.server.live.table_state import persons_of_owner
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.people.accounts import Accounts, delete_account
from fifteentwo.server.people.blocking import blocked_by
from fifteentwo.server.people.ratings import read_ratings
from fifteentwo.server.store import matches
from fifteentwo.server.store.history import PlayedGame, summary_without_names
from fifteentwo.server.store.schema import (
    blocked_person,
    daily_discard,
    evening,
    evening_player,
    evening_row,
    finished_game,
    guest_seat,
    hidden_game,
    match,
    mistake,
    player,
    searched_game,
    shared_review,
    tables_of_a_match,
    taken_seat,
    waiting_player,
)
from fifteentwo.server.store.store import Store
from fifteentwo.server.study.mistakes import StoredMistake
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Row, StoredTable

_MATCHES_PER_BATCH = 400


class DataOwner(msgspec.Struct, frozen=True):
    """The user whose data is exported or deleted: the owner id, and the account if signed in."""

    tables: Tables
    accounts: Accounts
    owner: str
    user: SignedInUser | None


async def export_data(whose: DataOwner) -> AsyncIterator[bytes]:
    """Yield all data of a user in parts of a JSON object, without hidden cards of unfinished games."""
    store = whose.tables.store
    head: dict[str, Any] = {"format": "fifteentwo-own-data", "version": 1, "written_at": int(time.time())}
    head |= {"name": None, "sessions": [], "ratings": []}
    if whose.user is not None:
        account = await whose.accounts.account(whose.owner)
        sessions = await whose.accounts.sessions_of(whose.user)
        await whose.tables.history.store_games_of(whose.owner)
        own = await read_ratings(store, whose.owner)
        head["name"] = {"name": account.name, "made_at": account.created_at}
        head["sessions"] = [msgspec.structs.asdict(one) for one in sessions]
        head["ratings"] = [
            {"variant": one.variant, "mu": one.mu, "sigma": one.sigma, "games": one.games} for one in own
        ]
    reviews = {(one.match_id, one.game_number): one for one in await _all_finished_games(whose)}
    own_seats = sa.select(player.c.match_id).where(player.c.owner == whose.owner)
    tables = [row.match_id for row in await store.select(own_seats.distinct().order_by(player.c.match_id))]
    yield to_json(head)[:-1] + b',"tables":['
    comma = b""
    for name in tables:
        kept = await store.load(name, with_rows=False)
        # The user may have deleted everything since the list was read.
        if kept is not None and any(one.owner == whose.owner for one in kept.people):
            yield comma
            async for part in _export_table(store, kept, whose.owner, reviews):
                yield part
            comma = b","
    yield b"]"
    for key, stored in (await _export_other_rows(store, whose.owner)).items():
        yield b"," + to_json(key) + b":" + to_json(stored)
    yield b"}\n"


async def _all_finished_games(whose: DataOwner) -> list[PlayedGame]:
    history = whose.tables.history
    left = -1
    # Games that cannot be listed now, because the disk is full, are omitted.
    while (waiting := await history.store_games_of(whose.owner)) not in (0, left):
        left = waiting
    return [*await history.games_of(whose.owner), *await history.games_of(whose.owner, only_hidden=True)]


async def _export_table(
    store: Store, kept: StoredTable, owner: str, reviews: Mapping[tuple[str, int], PlayedGame]
) -> AsyncIterator[bytes]:
    own, ledger = persons_of_owner(kept.people, owner), None
    people = [{"name": one.name, "level": one.level} for one in kept.people]
    found: dict[str, Any] = {"table": kept.id, "created_at": kept.created_at}
    found |= {"rules": msgspec.Raw(kept.rules_json.encode()), "options": None, "people": people}
    found["own_player"] = _number_or_list(own)
    try:
        # The prepared decks may be cards of an unfinished game.
        found["options"] = msgspec.structs.replace(from_json(kept.options_json, Options), deck_tops=())
        ledger = await matches.ledger_before_game(store, kept, 1)
    except (FifteenTwoError, ValueError, LookupError):
        # A damaged table is exported without its games.
        pass
    yield to_json(found)[:-1] + b',"games":['
    comma, ended = b"", dict[int, bytes]()
    while ledger is not None and (rows := await store.rows(kept.id, ledger.seq + 1, matches.ROWS_PER_READ)):
        try:
            games = await matches.run_in_thread_if_many(rows, _export_games, kept, ledger, rows, own, reviews)
        except (FifteenTwoError, ValueError, LookupError):
            ledger = None
            break
        ended |= games
        # The end of the current game can be undone.
        for number in sorted(ended.keys() - {ledger.match.game}):
            yield comma + ended.pop(number)
            comma = b","
    going_on = ledger is None or not ledger.seq or not (ledger.table.over or ledger.is_abandoned)
    if not going_on:
        yield b"".join(comma + game for game in ended.values())
    yield b'],"going_on":' + to_json(going_on) + b"}"


def _export_games(
    kept: StoredTable,
    ledger: Ledger,
    rows: Iterable[Row],
    own: Sequence[int],
    reviews: Mapping[tuple[str, int], PlayedGame],
) -> dict[int, bytes]:
    names = tuple(one.name for one in kept.people)
    found = {}
    for row in rows:
        ledger.add(row)
        ledger.drop_finished_games()
        if not ledger.table.over:
            continue
        number = ledger.match.game
        result, review = ledger.result(number), reviews.get((kept.id, number))
        game = {
            "number": number,
            "ended_at": result.ended_at,
            "seat": _number_or_list([result.person_by_seat.index(one) for one in own]),
            "record": record.write(ledger.record(number, names)),
            "review": (review and review.review) or None,
        }
        found[number] = to_json(game)
    return found


def _number_or_list(numbers: Sequence[int]) -> int | Sequence[int]:
    return numbers[0] if len(numbers) == 1 else numbers


async def _export_other_rows(store: Store, owner: str) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for key, table in (("hidden_games", hidden_game), ("searched_games", searched_game)):
        rows = await store.select(table.select().where(table.c.owner == owner))
        found[key] = [{"table": row.match_id, "number": row.game_number} for row in rows]
    seat = sa.tuple_(taken_seat.c.match_id, taken_seat.c.player_number)
    own = sa.select(player.c.match_id, player.c.player_number).where(player.c.owner == owner)
    found["seats"] = [
        {"table": row.match_id, "browser": row.browser, "address": row.address, "taken_at": row.taken_at}
        for row in await store.select(taken_seat.select().where(seat.in_(own)))
    ]
    shared = await store.select(shared_review.select().where(shared_review.c.owner == owner))
    found["shared_reviews"] = [
        {"path": f"/r/{row.id}", "expires_at": row.expires_at, "link": f"/review#record={row.record}"}
        for row in shared
    ]
    discards = await store.select(daily_discard.select().where(daily_discard.c.owner == owner))
    found["daily_discards"] = [{"day": row.day, "cards": row.cards} for row in discards]
    joined = await store.select(evening_player.select().where(evening_player.c.owner == owner))
    found["evenings"] = [
        {"evening": row.evening_id, "number": row.number, "name": row.name} for row in joined
    ]
    directed = await store.select(evening.select().where(evening.c.director == owner))
    found["directed_evenings"] = [
        {"evening": row.id, "created_at": row.created_at, "settings": msgspec.Raw(row.settings.encode())}
        for row in directed
    ]
    waited = await store.select(waiting_player.select().where(waiting_player.c.owner == owner))
    columns = ("name", "length", "move_seconds", "points", "since")
    found["play_now"] = [{name: row._mapping[name] for name in columns} for row in waited]
    found["blocked"] = [{"name": one["name"]} for one in await blocked_by(store, owner)]
    found["practice"] = []
    for row in await store.select(mistake.select().where(mistake.c.owner == owner)):
        place = {"table": row.match_id, "number": row.game_number, "step": row.step, "due_at": row.due_at}
        found["practice"].append({**place, "mistake": from_json(row.body, StoredMistake)})
    return found


class OwnTables(msgspec.Struct, frozen=True):
    """The tables of a user: those where no other user has a seat, and those shared with others."""

    unshared: tuple[str, ...]
    shared: tuple[str, ...]


async def own_tables(store: Store, owner: str) -> OwnTables:
    async with store.reading() as connection:
        return await _own_tables(connection, owner)


async def delete_data(whose: DataOwner) -> None:
    """Delete a user's tables, and their name, sessions and ratings at the tables of others."""
    store, owner = whose.tables.store, whose.owner
    if whose.user is not None:
        # Games against the user are rated before the account is deleted.
        await whose.tables.history.store_games_of(owner)
    seats = await own_tables(store, owner)
    whose.tables.close_pages(owner)
    await whose.tables.close_tables(seats.unshared)
    # The second round deletes seats that the user took in another window during the first.
    for _ in range(2):
        async with store.writing() as connection:
            seats = await _own_tables(connection, owner)
            replayed = await _anonymise_replays(connection, owner, seats)
            await _delete_rows(connection, owner, seats)
            if whose.user is not None:
                await delete_account(connection, owner)
        whose.accounts.forget_cached_sessions(owner)
        await whose.tables.read_people((*seats.unshared, *seats.shared))
        await whose.tables.close_tables(replayed)


async def _own_tables(connection: AsyncConnection, owner: str) -> OwnTables:
    own = sa.select(player.c.match_id).where(player.c.owner == owner)
    others = sa.and_(player.c.match_id.in_(own), player.c.owner.is_not(None), player.c.owner != owner)
    shared = set((await connection.execute(sa.select(player.c.match_id).where(others))).scalars())
    every = set((await connection.execute(own)).scalars())
    return OwnTables(tuple(sorted(every - shared)), tuple(sorted(shared)))


async def _delete_rows(connection: AsyncConnection, owner: str, seats: OwnTables) -> None:
    for table in (mistake, searched_game, hidden_game, shared_review, daily_discard, waiting_player):
        await connection.execute(table.delete().where(table.c.owner == owner))
    met = waiting_player.update().where(waiting_player.c.opponent == owner)
    await connection.execute(met.values(opponent=""))
    either = sa.or_(blocked_person.c.owner == owner, blocked_person.c.blocked == owner)
    await connection.execute(blocked_person.delete().where(either))
    await _delete_evenings(connection, owner)
    for table in (taken_seat, guest_seat):
        own_seat = (
            player.c.match_id == table.c.match_id,
            player.c.player_number == table.c.player_number,
            player.c.owner == owner,
        )
        await connection.execute(table.delete().where(sa.exists().where(*own_seat)))
    for few in _batches(seats.unshared):
        # With PostgreSQL, a process that would append a row waits, and then finds no table.
        await connection.execute(sa.select(match.c.id).where(match.c.id.in_(few)).with_for_update())
        for table in tables_of_a_match():
            await connection.execute(table.delete().where(table.c.match_id.in_(few)))
        await connection.execute(match.delete().where(match.c.id.in_(few)))
    nameless: defaultdict[str, list[int]] = defaultdict(list)
    for row in await connection.execute(player.select().where(player.c.owner == owner)):
        nameless[row.match_id].append(row.player_number)
    empty = player.update().where(player.c.owner == owner)
    await connection.execute(empty.values(owner=None, name="", invitation=None))
    for name, numbers in nameless.items():
        # Stored results contain names. A process that stores a result locks the rows of its players.
        games = await connection.execute(finished_game.select().where(finished_game.c.match_id == name))
        for one in games.all():
            own = finished_game.c.match_id == name, finished_game.c.game_number == one.game_number
            body = summary_without_names(one.body, numbers)
            await connection.execute(finished_game.update().where(*own).values(body=body))


async def _delete_evenings(connection: AsyncConnection, owner: str) -> None:
    """Delete the evenings of a director that nobody else joined, and the user's name from all others."""
    other = evening_player.c.evening_id == evening.c.id, evening_player.c.owner != owner
    own = sa.select(evening.c.id).where(evening.c.director == owner, ~sa.exists().where(*other))
    gone = (await connection.execute(own)).scalars().all()
    for table in (evening_row, evening_player):
        await connection.execute(table.delete().where(table.c.evening_id.in_(gone)))
    await connection.execute(evening.delete().where(evening.c.id.in_(gone)))
    await connection.execute(evening.update().where(evening.c.director == owner).values(director=""))
    nameless = evening_player.update().where(evening_player.c.owner == owner)
    await connection.execute(nameless.values(owner=None, name=""))


async def _anonymise_replays(connection: AsyncConnection, owner: str, seats: OwnTables) -> list[str]:
    """Remove the user's name from games that others replayed with the same cards; return the tables."""
    own = sa.select(player.c.name).where(player.c.owner == owner, player.c.name != "")
    names = set((await connection.execute(own)).scalars())
    changed = []
    for few in _batches(seats.shared):
        others = sa.select(player.c.owner).where(player.c.match_id.in_(few), player.c.owner != owner)
        theirs = sa.select(player.c.match_id).where(player.c.owner.in_(others))
        named = match.c.id.in_(theirs), match.c.options.like('%"replayed":{%')
        for row in (await connection.execute(match.select().where(*named))).all():
            options = from_json(row.options, Options)
            if options.replayed is not None and options.replayed.name in names:
                nameless = msgspec.structs.replace(options.replayed, name="")
                body = to_json(msgspec.structs.replace(options, replayed=nameless)).decode()
                await connection.execute(match.update().where(match.c.id == row.id).values(options=body))
                changed.append(row.id)
    return changed


def _batches(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [names[first : first + _MATCHES_PER_BATCH] for first in range(0, len(names), _MATCHES_PER_BATCH)]
