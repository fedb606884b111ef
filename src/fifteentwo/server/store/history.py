"""Summaries of finished games for lists and statistics, and results of reviews. All follow from the log."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fifteentwo.analysis.review.fair_play import clear_choices
from fifteentwo.contest.statistics import GameCount, count_game
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.rules.record import from_json
from fifteentwo.rules.variants import Variant
from fifteentwo.server.background import log, start_task
from fifteentwo.server.errors import StoreError
from fifteentwo.server.store import matches
from fifteentwo.server.store.schema import finished_game, hidden_game, history_progress, match, player, review
from fifteentwo.server.store.store import Store, last_row_seq
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Row, StoredTable
from fifteentwo.strategy.files import tables_digest

MAX_LOGS_READ_PER_PAGE = 40
"""Tables whose logs are read for one page; the others are read for the next."""
MAX_GAMES_PER_PERSON = 20_000
"""Games of one person that are listed and counted: the last ones played."""
REVIEWED_GAMES_PER_READ = 100
"""Reviewed games read at a time to find the last few."""

REVIEW_METHOD_VERSION = 3
"""Version of how reviews compute their figures. If it changes, games are reviewed again."""


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A stored summary of a finished game, for lists. People are listed by seat."""

    ended_at: int
    """Seconds since 1970; of an imported game, when it was imported."""
    variant: str
    target: int
    players: tuple[int, ...]
    """Person numbers by seat."""
    names: tuple[str, ...]
    levels: tuple[str | None, ...]
    """Level of the computer at each seat; None for a person."""
    sides: int
    winner: int
    """Number of the side that has won."""
    scores: tuple[int, ...]
    games_lost: tuple[int, ...]
    """Games lost by each side: 2 if skunked, 4 if double skunked (R18–R20)."""
    imported: str = ""
    """Notation of the file from which the game was imported; empty if it was played here."""
    by_spectator: bool = False
    """Whether the importing user did not play the game."""
    from_position: bool = False
    """Whether the game continued from a position of another game: then it is listed, but not counted."""
    forfeited_seat: int | None = None
    forfeit_reason: ForfeitedFor | None = None
    daily: bool = False
    left_seats: tuple[int, ...] = ()
    """The seats that a level played to the end because the player had left."""
    stood_in_seats: tuple[int, ...] = ()
    """The seats for which a level acted at any time, even if the player returned."""
    has_clock: bool = False
    count: GameCount
    """Figures of the game for statistics."""


class SeatReview(msgspec.Struct, frozen=True):
    """The review of one seat; figures are win probabilities."""

    decisions: int = 0
    counted: int = 0
    """Decisions that count for the rating: all that are not obvious."""
    luck: float | None = None
    """Luck with the cards: win probability that chance gave (positive) or took."""
    luck_adjusted_result: float | None = None
    lost: float | None = None
    """Win probability lost by choices that were not the best, summed over the decisions."""
    rating: float | None = None
    rating_error: float | None = None
    clear: tuple[int, int] | None = None
    """The seat's clear decisions (`analysis.review.fair_play`); None if not counted: with other variants than
    six-card, and in reviews of earlier versions."""
    failed: str = ""
    """The error code, if this engine could not review the game or find its mistakes; otherwise empty."""


class PlayedGame(msgspec.Struct, frozen=True):
    """A finished game, for one of its players."""

    match_id: str
    game_number: int
    seat: int | None
    """The player's seat; None if they only imported the game, or shared a screen."""
    summary: GameSummary
    review: tuple[SeatReview, ...] = ()
    """The review of each seat; empty if the game is not reviewed yet."""

    @property
    def side(self) -> int | None:
        """The player's side; None if `seat` is None."""
        return None if self.seat is None else self.seat % self.summary.sides

    @property
    def failure_code(self) -> str:
        """The code of the error with which this engine failed to review the game; empty without one."""
        return self.review[0].failed if self.review else ""

    @property
    def is_won(self) -> bool:
        return self.side == self.summary.winner


RateGame = Callable[[AsyncConnection, str, int, GameSummary], Awaitable[None]]
"""Function that rates a game in the transaction that stores it: connection, match id, number, summary."""


class History:
    """The finished games of each person."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.rate_game: RateGame | None = None
        self._listings: dict[str, asyncio.Task[None]] = {}

    async def all_games_of(self, owner: str | None) -> list[PlayedGame]:
        """Store a person's new finished games, and return all; none for a stranger."""
        if owner is None:
            return []
        await self.store_games_of(owner)
        return await self.games_of(owner)

    async def store_games_of(self, owner: str) -> int:
        """Store a person's new finished games. Return how many tables still have to be read."""
        has_grown = sa.or_(history_progress.c.seq.is_(None), history_progress.c.seq != last_row_seq())
        rows = await self._store.select(
            sa.select(match.c.id)
            .where(match.c.id.in_(sa.select(player.c.match_id).where(player.c.owner == owner)), has_grown)
            .outerjoin(history_progress, history_progress.c.match_id == match.c.id)
            .order_by(match.c.created_at.desc(), match.c.id)
        )
        for row in rows[:MAX_LOGS_READ_PER_PAGE]:
            await self.store_games(row.id)
        return max(0, len(rows) - MAX_LOGS_READ_PER_PAGE)

    async def store_games(self, match_id: str) -> None:
        """Store a match's finished games, once for all callers; after an error, a later call does it."""
        task = self._listings.get(match_id)
        if task is None:
            task = start_task(self._store_new_games(match_id))
            self._listings[match_id] = task
            task.add_done_callback(lambda _: self._listings.pop(match_id))
        with contextlib.suppress(StoreError):
            await asyncio.shield(task)

    async def _store_new_games(self, match_id: str) -> None:
        stored = await self._store.load(match_id, with_rows=False)
        if stored is None:
            return
        last = sa.select(sa.func.max(finished_game.c.game_number)).where(finished_game.c.match_id == match_id)
        before = (await self._store.first(last))[0] or 0
        ledger = await matches.ledger_before_game(self._store, stored, before + 1)
        while rows := await self._store.rows(match_id, ledger.seq + 1, matches.ROWS_PER_READ):
            work = partial(_summarize_new_games, stored, ledger, rows, before)
            try:
                games = await matches.run_in_thread_if_many(rows, work)
            except (FifteenTwoError, ValueError, LookupError):
                log.exception("the log of table %s cannot be replayed", match_id)
                await self._save_games(stored, {}, rows[-1].seq, has_open_game=False)
                return
            is_over = ledger.table.over or ledger.is_abandoned
            await self._save_games(stored, games, rows[-1].seq, has_open_game=not is_over)

    async def _save_games(
        self, stored: StoredTable, games: Mapping[int, GameSummary], seq: int, *, has_open_game: bool
    ) -> None:
        name = stored.id
        people = sa.select(player.c.name, player.c.owner).where(player.c.match_id == name)
        own = sa.select(match.c.id).where(match.c.id == name)
        async with self._store.writing() as connection:
            # Other transactions on this match's games wait here, before they lock any row.
            await connection.execute(own.with_for_update(key_share=True))
            # A player may have deleted their data since: their name must not be stored again.
            now = await connection.execute(people.order_by(player.c.player_number).with_for_update())
            if [(one.name, one.owner) for one in now] != [(one.name, one.owner) for one in stored.people]:
                return
            await connection.execute(history_progress.delete().where(history_progress.c.match_id == name))
            new = {"match_id": name, "is_rating_done": False}
            rows = [
                {**new, "game_number": number, "ended_at": one.ended_at, "body": _summary_json(one)}
                for number, one in games.items()
            ]
            if rows:
                await connection.execute(finished_game.insert(), rows)
            progress = {"match_id": name, "seq": seq, "has_open_game": has_open_game}
            await connection.execute(history_progress.insert(), progress)
            if self.rate_game is not None:
                for number, one in games.items():
                    await self.rate_game(connection, name, number, one)

    async def games_of(
        self, owner: str, *, only_hidden: bool = False, reviewed_offset: int | None = None
    ) -> list[PlayedGame]:
        """Return finished games, latest first. reviewed_offset: only reviewed ones, after this many."""
        out, last_game_first = hidden_game, finished_game.c.game_number.desc()
        some = reviewed_offset is not None
        found = await self._store.select(
            sa.select(
                finished_game.c.match_id,
                finished_game.c.game_number,
                finished_game.c.body,
                player.c.player_number.label("person"),
                out.c.owner,
                review.c.body.label("review"),
            )
            .join(player, sa.and_(player.c.match_id == finished_game.c.match_id, player.c.owner == owner))
            .outerjoin(out, _joins_finished_game(out, out.c.owner == owner))
            .outerjoin(review, _joins_finished_game(review, review.c.engine == review_engine()))
            .where(out.c.owner.is_not(None) if only_hidden else out.c.owner.is_(None))
            .where(review.c.body.is_not(None) if some else sa.true())
            .order_by(finished_game.c.ended_at.desc(), finished_game.c.match_id, last_game_first)
            .offset(reviewed_offset or 0)
            .limit(REVIEWED_GAMES_PER_READ if some else MAX_GAMES_PER_PERSON)
        )
        return await asyncio.to_thread(_read_played_games, found)

    async def games_of_matches(self, match_ids: Iterable[str]) -> list[PlayedGame]:
        """Return the finished games of matches, with the seat of the first person of each."""
        person, reviewed = sa.literal(0).label("person"), review.c.body.label("review")
        found = (
            sa.select(finished_game, person, reviewed)
            .outerjoin(review, _joins_finished_game(review, review.c.engine == review_engine()))
            .where(finished_game.c.match_id.in_(list(match_ids)))
        )
        return await asyncio.to_thread(_read_played_games, await self._store.select(found))

    async def count_games(self, owner: str) -> int:
        own = sa.select(player.c.match_id).where(player.c.owner == owner)
        count = sa.select(sa.func.count()).select_from(finished_game)
        return int((await self._store.first(count.where(finished_game.c.match_id.in_(own))))[0])

    async def hide_game(self, owner: str, match_id: str, game_number: int) -> None:
        """Hide a game from a person's history. The log keeps it."""
        await self.unhide_game(owner, match_id, game_number)
        hidden = {"owner": owner, "match_id": match_id, "game_number": game_number}
        await self._store.execute(hidden_game.insert().values(hidden))

    async def has_hidden_games(self, owner: str) -> bool:
        mine = sa.and_(hidden_game.c.owner == owner, hidden_game.c.game_number > 0)
        return await self._store.first(sa.select(hidden_game.c.match_id).where(mine)) is not None

    async def unhide_game(self, owner: str, match_id: str, game_number: int) -> None:
        own = hidden_game.c.owner == owner, hidden_game.c.match_id == match_id
        await self._store.execute(hidden_game.delete().where(*own, hidden_game.c.game_number == game_number))

    async def save_review(
        self, match_id: str, game_number: int, seats: Iterable[SeatReview], findings: bytes | None = None
    ) -> None:
        """Store the results of a review and its findings, in place of an older engine's."""
        body = msgspec.json.encode(tuple(seats)).decode()
        async with self._store.writing() as connection:
            # The players may have deleted the game since; and a simultaneous review waits here.
            there = sa.select(match.c.id).where(match.c.id == match_id).with_for_update(key_share=True)
            if (await connection.execute(there)).first() is None:
                return
            old = review.c.match_id == match_id, review.c.game_number == game_number
            await connection.execute(review.delete().where(*old))
            row = {"match_id": match_id, "game_number": game_number, "engine": review_engine()}
            await connection.execute(review.insert(), {**row, "body": body, "findings": findings})

    async def findings(self, match_id: str, game_number: int) -> bytes | None:
        """Return the stored findings of this engine's review; None if there is none."""
        own = review.c.match_id == match_id, review.c.game_number == game_number
        found = await self._store.first(review.select().where(*own, review.c.engine == review_engine()))
        return None if found is None else found.findings

    async def save_failure(self, game: PlayedGame, error: Exception) -> None:
        """Store that a game cannot be reviewed, or raise the error again if the database caused it."""
        if isinstance(error, StoreError) and error.code != "game-damaged":
            raise error
        log.error("game %s/%d cannot be reviewed", game.match_id, game.game_number, exc_info=error)
        code = error.code if isinstance(error, FifteenTwoError) else "internal-error"
        known = game.review or (SeatReview(),) * len(game.summary.players)
        seats = [msgspec.structs.replace(seat, failed=code) for seat in known]
        await self.save_review(game.match_id, game.game_number, seats)


def _joins_finished_game(table: sa.Table, condition: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    """Return the SQL condition that a row is of the game of `finished_game`, and another condition."""
    return sa.and_(
        table.c.match_id == finished_game.c.match_id,
        table.c.game_number == finished_game.c.game_number,
        condition,
    )


def review_engine() -> str:
    """Return the version of program and tables that make reviews. Reviews of another are made again."""
    from fifteentwo import __version__

    return f"{__version__}/{REVIEW_METHOD_VERSION}/{tables_digest()}"


def seat_reviews(report: dict[str, Any]) -> tuple[SeatReview, ...]:
    fields = SeatReview.__struct_fields__
    is_counted = report["variant"] == Variant.SIX_CARD and report["by_chance"]
    return tuple(
        SeatReview(
            **{name: seat[name] for name in fields if seat.get(name) is not None},
            clear=clear_choices(report["decisions"], number) if is_counted else None,
        )
        for number, seat in enumerate(report["seats"])
    )


def _summary_json(summary: GameSummary) -> str:
    return msgspec.json.encode(summary).decode()


def summary_without_names(body: str, persons: Iterable[int]) -> str:
    """Return a stored game in which these people, by person number, have no name."""
    one = from_json(body, GameSummary)
    gone = [who in set(persons) for who in one.players]
    names = tuple("" if is_gone else name for is_gone, name in zip(gone, one.names, strict=True))
    return _summary_json(msgspec.structs.replace(one, names=names))


def _read_played_games(rows: Iterable[Any]) -> list[PlayedGame]:
    games = []
    by_game: dict[tuple[str, int], list[Any]] = {}
    for row in rows:
        by_game.setdefault((row.match_id, row.game_number), []).append(row)
    for row, *more in by_game.values():
        one = from_json(row.body, GameSummary)
        # Nobody knows which sharer of a screen the user was: the game counts for none of them.
        seat = None if one.by_spectator or more else one.players.index(row.person)
        results = () if row.review is None else msgspec.json.decode(row.review, type=tuple[SeatReview, ...])
        games.append(PlayedGame(row.match_id, row.game_number, seat, one, results))
    return sorted(games, key=lambda one: (-one.summary.ended_at, one.match_id, -one.game_number))


def _summarize_new_games(
    stored: StoredTable, ledger: Ledger, rows: Iterable[Row], last_listed: int
) -> dict[int, GameSummary]:
    """Return the games that end with these rows and are not stored yet, by number."""
    games = {}
    for row in rows:
        ledger.add(row)
        ledger.drop_finished_games()
        number = ledger.match.game
        if ledger.table.over and number > last_listed and number not in games:
            games[number] = _summarize_game(stored, ledger, number)
    return games


def _summarize_game(stored: StoredTable, ledger: Ledger, number: int) -> GameSummary:
    rules, options = ledger.match.rules, from_json(stored.options_json, Options)
    record, result = ledger.record(number, ("",) * len(stored.people)), ledger.result(number)
    people = [stored.people[who] for who in result.person_by_seat]
    stood_in = sorted({ledger.match.seating[one.seat] for one in record.stood_in})
    return GameSummary(
        ended_at=result.ended_at or stored.created_at,
        variant=rules.variant.value,
        target=rules.target,
        players=result.person_by_seat,
        names=tuple(one.name for one in people),
        levels=tuple(one.level for one in people),
        sides=rules.sides,
        winner=result.won.side,
        scores=result.won.scores,
        games_lost=result.won.lost,
        imported=options.imported,
        by_spectator=options.by_spectator,
        # Only the first game of a table can start from a position.
        from_position=number == 1 and ledger.dealing.is_from_position and options.daily is None,
        daily=options.daily is not None,
        forfeited_seat=result.won.forfeited,
        forfeit_reason=result.won.why,
        left_seats=tuple(result.person_by_seat.index(who) for who in ledger.disconnects.levels_by_person),
        stood_in_seats=tuple(result.person_by_seat.index(who) for who in stood_in),
        has_clock=options.clock is not None,
        count=count_game(record),
    )
