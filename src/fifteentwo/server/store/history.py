"""Finished games as they are listed and counted, and the results of reviews: derived from the log.

A table's log is gone through once for each time it grew (`listed` says how far), in a thread; a review is
worked out once for each engine. Both could be deleted: they follow from the log.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fifteentwo.contest.statistics import GameCount, count_game
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.rules.record import from_json
from fifteentwo.rules.variants import Rules
from fifteentwo.server.background import start_task
from fifteentwo.server.errors import StoreError
from fifteentwo.server.store import matches
from fifteentwo.server.store.schema import finished_game, hidden_game, history_progress, match, player, review
from fifteentwo.server.store.store import Store, last_row_seq
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Row, StoredTable

log = logging.getLogger("fifteentwo.server")

MAX_TABLES_PER_PAGE = 40
"""Tables whose logs are gone through for one page; the rest wait for the next."""
MAX_GAMES_OF_A_PERSON = 20_000
"""Games of one person that are searched and counted, the last ones played."""
REVIEWED_GAMES_PER_READ = 100
"""Reviewed games read at once where the last few are looked for."""

REVIEW_METHOD_VERSION = 1
"""Raise it when reviews come to other figures than before."""


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game as it is stored for lists. People by seat."""

    ended_at: int
    """Seconds since 1970; of imported games, when the table was made."""
    variant: str
    target: int
    players: tuple[int, ...]
    names: tuple[str, ...]
    levels: tuple[str | None, ...]
    sides: int
    winner: int
    """The side that won."""
    scores: tuple[int, ...]
    games_lost: tuple[int, ...]
    """Games lost by each side: 2 skunked, 4 double skunked (R18–R20)."""
    imported: str = ""
    by_spectator: bool = False
    from_position: bool = False
    """The game went on from a position of another game: it is listed, but not counted."""
    forfeited_seat: int | None = None
    """The seat that gave it up."""
    forfeit_reason: ForfeitedFor | None = None
    daily: bool = False
    """A day's deal."""
    left_seats: tuple[int, ...] = ()
    """The seats that a level played to the end for a player who had left."""
    has_clock: bool = False
    """Whether the players agreed on a clock."""
    count: GameCount


class SeatReview(msgspec.Struct, frozen=True):
    """What a review says of one seat; figures in chances of winning."""

    decisions: int = 0
    counted: int = 0
    luck: float | None = None
    luck_adjusted_result: float | None = None
    lost: float | None = None
    rating: float | None = None
    rating_error: float | None = None
    failed: str = ""
    """The code of what this game could not be reviewed, or searched for errors, for; by this engine."""


class PlayedGame(msgspec.Struct, frozen=True):
    """A finished game, for one of its players."""

    match_id: str
    game_number: int
    seat: int | None
    """Where they sat; None in a game they only imported, and where several shared a screen."""
    summary: GameSummary
    review: tuple[SeatReview, ...] = ()
    """By seat; empty where it is not reviewed yet."""

    @property
    def side(self) -> int | None:
        """The side they scored for."""
        return None if self.seat is None else self.seat % self.summary.sides

    @property
    def failure_code(self) -> str:
        """Why this engine cannot review it; empty where nothing has gone wrong."""
        return self.review[0].failed if self.review else ""

    @property
    def is_won(self) -> bool:
        """Whether they won it."""
        return self.side == self.summary.winner


RateGame = Callable[[AsyncConnection, str, int, GameSummary], Awaitable[None]]
"""Rates a game of a match, by number, in the transaction that stores its result."""


async def _do_not_rate(*_: object) -> None:
    pass


class History:
    """Finished games, by person. It reads and writes through the store alone."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.rate_game: RateGame = _do_not_rate
        self._listings: dict[str, asyncio.Task[None]] = {}

    async def store_games_of(self, owner: str) -> int:
        """List what has been finished since it was last asked; how many tables still wait for it."""
        return await self.store_games_at(sa.select(player.c.match_id).where(player.c.owner == owner))

    async def store_games_at(self, match_ids: sa.Select[tuple[str]]) -> int:
        """The same for the tables that a query names."""
        waiting = await self._matches_to_list(match_ids)
        for name in waiting[:MAX_TABLES_PER_PAGE]:
            await self.store_games(name)
        return max(0, len(waiting) - MAX_TABLES_PER_PAGE)

    async def store_games(self, match_id: str) -> None:
        """Store the finished games of a match, once for all callers; what fails is stored at a later call."""
        task = self._listings.get(match_id)
        if task is None:
            task = start_task(self._store_new_games(match_id))
            self._listings[match_id] = task
            task.add_done_callback(lambda _: self._listings.pop(match_id))
        with contextlib.suppress(StoreError):
            await asyncio.shield(task)

    async def _matches_to_list(self, match_ids: sa.Select[tuple[str]]) -> list[str]:
        """Those tables whose log is longer than what was listed."""
        async with self._store.reading() as connection:
            rows = await connection.execute(
                sa.select(match.c.id, match.c.created_at)
                .where(match.c.id.in_(match_ids))
                .outerjoin(history_progress, history_progress.c.match_id == match.c.id)
                .where(sa.or_(history_progress.c.seq.is_(None), history_progress.c.seq != last_row_seq()))
                .order_by(match.c.created_at.desc(), match.c.id)
            )
            return [row.id for row in rows]

    async def _store_new_games(self, match_id: str) -> None:
        """List what was finished since: the log is read on from the first game that is not listed."""
        stored = await self._store.load(match_id, with_rows=False)
        if stored is None:
            return
        async with self._store.reading() as connection:
            asked = sa.select(sa.func.max(finished_game.c.game_number)).where(
                finished_game.c.match_id == match_id
            )
            before = (await connection.execute(asked)).scalar_one() or 0
        ledger = await matches.ledger_before_game(self._store, stored, before + 1)
        while rows := await self._store.rows(match_id, ledger.seq + 1, matches.ROWS_PER_READ):
            try:
                games = await matches.run_in_thread_if_many(
                    rows, _summarize_new_games, stored, ledger, rows, before
                )
            except (FifteenTwoError, ValueError, LookupError):
                log.exception("table %s cannot be rebuilt", match_id)
                await self._save_games(stored, {}, rows[-1].seq, has_open_game=False)
                return
            await self._save_games(
                stored, games, rows[-1].seq, has_open_game=not (ledger.table.over or ledger.is_abandoned)
            )

    async def _save_games(
        self, stored: StoredTable, games: Mapping[int, GameSummary], seq: int, *, has_open_game: bool
    ) -> None:
        name = stored.id
        people = sa.select(player.c.name, player.c.owner).where(player.c.match_id == name)
        own = sa.select(match.c.id).where(match.c.id == name)
        async with self._store.writing() as connection:
            # Others who store or delete games of this match wait here, and lock no row before.
            await connection.execute(own.with_for_update(key_share=True))
            # A player may have deleted their data meanwhile, lists included: no name is written again.
            now = await connection.execute(people.order_by(player.c.player_number).with_for_update())
            if [(one.name, one.owner) for one in now] != [(one.name, one.owner) for one in stored.people]:
                return
            await connection.execute(history_progress.delete().where(history_progress.c.match_id == name))
            if games:
                rows = [
                    {
                        "match_id": name,
                        "game_number": number,
                        "ended_at": one.ended_at,
                        "is_rating_done": False,
                        "body": _encode(one),
                    }
                    for number, one in games.items()
                ]
                await connection.execute(finished_game.insert(), rows)
            await connection.execute(
                history_progress.insert(), {"match_id": name, "seq": seq, "has_open_game": has_open_game}
            )
            for number, one in games.items():
                await self.rate_game(connection, name, number, one)

    async def games_of(
        self, owner: str, *, only_hidden: bool = False, reviewed_offset: int | None = None
    ) -> list[PlayedGame]:
        """A person's finished games, the last one ended first; those taken out are left out, or alone.

        reviewed_from: only reviewed ones, and of these no more than AT_A_LOOK after so many.
        """
        out = hidden_game
        some = reviewed_offset is not None
        async with self._store.reading() as connection:
            rows = await connection.execute(
                sa.select(
                    finished_game.c.match_id,
                    finished_game.c.game_number,
                    finished_game.c.body,
                    player.c.player_number.label("person"),
                    out.c.owner,
                    review.c.body.label("review"),
                )
                .join(player, sa.and_(player.c.match_id == finished_game.c.match_id, player.c.owner == owner))
                .outerjoin(out, _is_of_finished_game(out, out.c.owner == owner))
                .outerjoin(review, _is_of_finished_game(review, review.c.engine == review_engine()))
                .where(out.c.owner.is_not(None) if only_hidden else out.c.owner.is_(None))
                .where(review.c.body.is_not(None) if some else sa.true())
                .order_by(
                    finished_game.c.ended_at.desc(),
                    finished_game.c.match_id,
                    finished_game.c.game_number.desc(),
                )
                .offset(reviewed_offset or 0)
                .limit(REVIEWED_GAMES_PER_READ if some else MAX_GAMES_OF_A_PERSON)
            )
            found = rows.all()
        return await asyncio.to_thread(_played_games, found)

    async def count_of(self, owner: str) -> int:
        """How many games a person has finished, as far as they are listed."""
        async with self._store.reading() as connection:
            rows = await connection.execute(
                sa.select(sa.func.count())
                .select_from(finished_game)
                .where(
                    finished_game.c.match_id.in_(sa.select(player.c.match_id).where(player.c.owner == owner))
                )
            )
            return int(rows.scalar_one())

    async def hide(self, owner: str, match_id: str, game_number: int) -> None:
        """Leave a game out of a person's history from now on; nothing is taken from the log."""
        await self.unhide(owner, match_id, game_number)
        async with self._store.writing() as connection:
            await connection.execute(
                hidden_game.insert(), {"owner": owner, "match_id": match_id, "game_number": game_number}
            )

    async def has_hidden_games(self, owner: str) -> bool:
        """Whether a person has removed any finished game."""
        mine = sa.and_(hidden_game.c.owner == owner, hidden_game.c.game_number > 0)
        async with self._store.reading() as connection:
            return (
                await connection.execute(sa.select(hidden_game.c.match_id).where(mine))
            ).first() is not None

    async def unhide(self, owner: str, match_id: str, game_number: int) -> None:
        """Have a game in the history again."""
        async with self._store.writing() as connection:
            await connection.execute(
                hidden_game.delete().where(
                    hidden_game.c.owner == owner,
                    hidden_game.c.match_id == match_id,
                    hidden_game.c.game_number == game_number,
                )
            )

    async def save_review(
        self, match_id: str, game_number: int, seats: Iterable[SeatReview], findings: bytes | None = None
    ) -> None:
        """Store the results of a review and all that it found, in place of an older engine's."""
        body = msgspec.json.encode(tuple(seats)).decode()
        async with self._store.writing() as connection:
            # Its players may have deleted it meanwhile; and one of two reviews at once waits for the other.
            there = sa.select(match.c.id).where(match.c.id == match_id).with_for_update(key_share=True)
            if (await connection.execute(there)).first() is None:
                return
            await connection.execute(
                review.delete().where(review.c.match_id == match_id, review.c.game_number == game_number)
            )
            await connection.execute(
                review.insert(),
                {
                    "match_id": match_id,
                    "game_number": game_number,
                    "engine": review_engine(),
                    "body": body,
                    "findings": findings,
                },
            )

    async def findings(self, match_id: str, game_number: int) -> bytes | None:
        """Return all that a review of this engine found, as it was stored; None where there is none."""
        where = (
            review.c.match_id == match_id,
            review.c.game_number == game_number,
            review.c.engine == review_engine(),
        )
        async with self._store.reading() as connection:
            found = await connection.execute(sa.select(review.c.findings).where(*where))
            return found.scalar_one_or_none()

    async def save_failure(self, game: PlayedGame, error: Exception) -> None:
        """Note that a game cannot be reviewed, so that the others are; another engine tries it again.

        StoreError where the database is the trouble.
        """
        if isinstance(error, StoreError) and error.code != "game-damaged":
            raise error
        log.error("game %s/%d cannot be reviewed", game.match_id, game.game_number, exc_info=error)
        code = error.code if isinstance(error, FifteenTwoError) else "internal-error"
        known = game.review or (SeatReview(),) * len(game.summary.players)
        seats = [msgspec.structs.replace(seat, failed=code) for seat in known]
        await self.save_review(game.match_id, game.game_number, seats)


def _is_of_finished_game(table: sa.Table, condition: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    """Return that a row of another table is of the same finished game, and meets a condition."""
    return sa.and_(
        table.c.match_id == finished_game.c.match_id,
        table.c.game_number == finished_game.c.game_number,
        condition,
    )


def review_engine() -> str:
    """What worked a review out; figures of another one are worked out again."""
    from fifteentwo import __version__

    return f"{__version__}/{REVIEW_METHOD_VERSION}"


def seat_reviews(report: dict[str, Any]) -> tuple[SeatReview, ...]:
    """Return what is stored of a review."""
    fields = SeatReview.__struct_fields__
    return tuple(
        SeatReview(**{name: seat[name] for name in fields if seat.get(name) is not None})
        for seat in report["seats"]
    )


def _encode(one: GameSummary) -> str:
    return msgspec.json.encode(one).decode()


def without_names(body: str, persons: Iterable[int]) -> str:
    """A listed game in which these people, by the number they came in, have no name."""
    one = from_json(body, GameSummary)
    gone = [who in set(persons) for who in one.players]
    names = tuple("" if is_gone else name for is_gone, name in zip(gone, one.names, strict=True))
    return _encode(msgspec.structs.replace(one, names=names))


def _played_games(rows: Iterable[Any]) -> list[PlayedGame]:
    games = []
    by_game: dict[tuple[str, int], list[Any]] = {}
    for row in rows:
        by_game.setdefault((row.match_id, row.game_number), []).append(row)
    for row, *more in by_game.values():
        one = from_json(row.body, GameSummary)
        # Which of those at a shared screen the user was is not known: listed, and counted for none of them.
        seat = None if one.by_spectator or more else one.players.index(row.person)
        results = () if row.review is None else msgspec.json.decode(row.review, type=tuple[SeatReview, ...])
        games.append(PlayedGame(row.match_id, row.game_number, seat, one, results))
    return sorted(games, key=lambda one: (-one.summary.ended_at, one.match_id, -one.game_number))


def summarize_games(stored: StoredTable) -> list[GameSummary]:
    """The finished games of a table in order, by its log and nothing else."""
    rules, options = from_json(stored.rules, Rules), from_json(stored.options, Options)
    ledger = matches.ledger_of(rules, options)
    return list(_summarize_new_games(stored, ledger, stored.rows, 0).values())


def _summarize_new_games(
    stored: StoredTable, ledger: Ledger, rows: Iterable[Row], last_listed: int
) -> dict[int, GameSummary]:
    """The games that end with these rows and are not listed yet, by number."""
    games = {}
    for row in rows:
        ledger.add(row)
        ledger.drop_finished_games()
        number = ledger.match.game
        if ledger.table.over and number > last_listed and number not in games:
            games[number] = _summarize(stored, ledger, number)
    return games


def _summarize(stored: StoredTable, ledger: Ledger, number: int) -> GameSummary:
    rules, options = ledger.match.rules, from_json(stored.options, Options)
    record, result = ledger.record(number, ("",) * len(stored.people)), ledger.result(number)
    people = [stored.people[who] for who in result.seated]
    return GameSummary(
        ended_at=result.ended_at or stored.created_at,
        variant=rules.variant.value,
        target=rules.target,
        players=result.seated,
        names=tuple(one.name for one in people),
        levels=tuple(one.level for one in people),
        sides=rules.sides,
        winner=result.won.side,
        scores=result.won.scores,
        games_lost=result.won.lost,
        imported=options.imported,
        by_spectator=options.by_spectator,
        # Only the first game of a table can: the others follow it.
        from_position=number == 1 and ledger.dealing.is_from_position and options.daily is None,
        daily=options.daily is not None,
        forfeited_seat=result.won.forfeited,
        forfeit_reason=result.won.why,
        left_seats=tuple(result.seated.index(who) for who in ledger.disconnects.levels),
        has_clock=options.clock is not None,
        count=count_game(record),
    )
