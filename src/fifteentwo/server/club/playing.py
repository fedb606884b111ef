"""The games of an evening: matches for the tables of each round, their results, and the next round.

All of it follows from the logs of the evening and of its matches. Any process may do it, several of them at a
time, and may be killed at any point: `resume` does it again every few seconds.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from operator import add
from typing import NamedTuple

import msgspec
import sqlalchemy as sa

from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.server.background import Tasks, log
from fifteentwo.server.club import decisions
from fifteentwo.server.club.decisions import Change
from fifteentwo.server.club.evening import Evening, Table
from fifteentwo.server.club.evenings import Evenings
from fifteentwo.server.club.scores import Outcome
from fifteentwo.server.club.season import EveningCards
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live.computers import Computers
from fifteentwo.server.live.table_state import TableState
from fifteentwo.server.live.tables import Tables, new_table
from fifteentwo.server.store.history import PlayedGame, SeatReview
from fifteentwo.server.store.schema import evening, evening_row, log_row
from fifteentwo.server.store.store import CONFLICT
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person, Row

RESUME_INTERVAL_SECONDS = 3.0
RECENT_SECONDS = 7 * 24 * 3600
"""Seconds after the last change of an evening in which `resume` looks at it."""


class Figures(NamedTuple):
    """Figures of a record beside its points; None if no game, or no reviewed one, has them."""

    adjusted: float | None = None
    """Games won with luck taken out, in percent of the reviewed games; it may be below 0 or above 100."""
    loss: float | None = None
    """Win probability lost by choices, in hundredths per 100 choices that were not obvious."""
    hand: float | None = None
    """Mean points of a hand."""


class EveningPlay:
    """Plays the evenings: tables of each round, results, the next round."""

    def __init__(self, tables: Tables, evenings: Evenings) -> None:
        self._tables = tables
        self._evenings = evenings
        self._one_at_a_time = asyncio.Lock()
        self._tasks = Tasks()
        self._waiting: dict[str, asyncio.Task[None]] = {}
        """The task that follows a change, by evening, until it begins; changes in the meantime share it."""
        self._reviewing: asyncio.Task[None] | None = None
        self._closed: set[str] = set()
        """Matches of tables that the director or a leaving player ended, after their games were closed."""
        self._last_rows: dict[str, int] = {}
        """The last row of each open match when `resume` was called last."""
        self._sums: dict[str, list[tuple[float, ...]]] = {}
        """The sums (`_sums_of`) of both people of each match whose game is reviewed."""
        tables.on_evening_game_ended = lambda table: self._tasks.start(self._end_table(table))

    async def change(self, evening_id: str, decide: Callable[[Evening], Change | None]) -> None:
        """Store a change, then update the matches, and begin the next round if all tables are done."""
        await self._evenings.change(evening_id, decide)
        # `resume` does what cannot be stored now.
        with contextlib.suppress(StoreError):
            if evening_id not in self._waiting:
                self._waiting[evening_id] = self._tasks.start(self._follow(evening_id))
            await asyncio.shield(self._waiting[evening_id])

    async def resume(self) -> None:
        """Create matches, store results and begin rounds of all recent evenings; then review their games."""
        last = sa.select(evening_row.c.created_at).where(evening_row.c.evening_id == evening.c.id)
        last_at = last.order_by(evening_row.c.seq.desc()).limit(1).scalar_subquery()
        recent = sa.select(evening.c.id).where(last_at > time.time() - RECENT_SECONDS)
        unreviewed = list[str]()
        for row in await self._tables.store.select(recent):
            try:
                unreviewed += await self._resume_one(row.id)
            except StoreError:
                raise
            except Exception:  # an error in one evening must not stop the others
                log.exception("evening %s cannot go on", row.id)
        if self._reviewing is None or self._reviewing.done():
            self._reviewing = self._tasks.start(self._review(unreviewed))

    async def _resume_one(self, evening_id: str) -> list[str]:
        """Do what follows for an evening; return the matches of its ended tables."""
        tables = _matches(await self._evenings.read(evening_id))
        now = [name for name, one in tables.items() if one.outcome is None]
        rows = sa.select(log_row.c.match_id, sa.func.max(log_row.c.seq)).where(log_row.c.match_id.in_(now))
        for name, seq in map(tuple, await self._tables.store.select(rows.group_by(log_row.c.match_id))):
            # Without a new row the game may be over, and its process was killed before it noticed that.
            if self._last_rows.get(name, seq) == seq:
                with _skipping_match():
                    await self._end_table(await self._tables.read(name))
            self._last_rows[name] = seq
        await self._follow(evening_id)
        return [name for name, one in tables.items() if one.outcome is not None]

    async def _end_table(self, table: TableState) -> None:
        if (outcome := outcome_of(table)) is not None:
            await self._tables.history.store_games(table.id)
            ending = partial(decisions.end, match_id=table.id, outcome=outcome)
            with contextlib.suppress(Refused):  # the evening was deleted
                await self.change(table.options.evening, ending)

    async def _follow(self, evening_id: str) -> None:
        """Update the matches of all tables, and begin the next round if all tables are done."""
        async with self._one_at_a_time:
            self._waiting.pop(evening_id, None)
            while True:
                now = await self._evenings.read(evening_id)
                await self._update_matches(now)
                state = now.state
                if not state.rounds or len(state.outcomes) < len(state.tables):
                    return
                try:
                    await self._evenings.change(
                        evening_id, partial(decisions.begin, number=len(state.rounds))
                    )
                except Refused:
                    return  # the evening is over, or nobody is left

    async def _update_matches(self, now: Evening) -> None:
        matches, options = _matches(now), Options(clock=now.settings.clock, evening=now.id)
        people = {
            name: tuple(_person(now, record) for record in one.pair)
            for name, one in matches.items()
            if one.outcome is None
        }
        seated = await self._tables.store.people_of(list(people))
        rules, missing = now.settings.rules, [name for name in people if not seated[name]]
        if missing:
            new = [new_table(name, rules, options, people[name]) for name in missing]
            with _skipping_match():
                await self._tables.store.create(*new)
        for name, one in matches.items():
            with _skipping_match():
                if name in people:
                    await self._seat(name, seated[name] or people[name], people[name])
                elif one.outcome and (one.reasons or any(one.outcome.has_left)):
                    await self._close(name, one.outcome)

    async def _seat(self, name: str, seated: tuple[Person, ...], people: tuple[Person, ...]) -> None:
        """Let a substitute take over a seat. Levels play by themselves."""
        if seated != people:
            await (await self._tables.open(name)).change_people(seated, people)
        if all(one.level is not None for one in people):
            table = await self._tables.open(name)
            table.part(Computers).start_turn(table)

    async def _close(self, name: str, outcome: Outcome) -> None:
        """Close the game of a table that the director or a leaving player ended."""
        if name in self._closed:
            return
        if outcome_of(await self._tables.read(name)) is None:
            table = await self._tables.open(name)
            await table.add_row(lambda: _last_row(table.ledger, outcome))
        self._closed.add(name)

    async def _review(self, matches: list[str]) -> None:
        """Review games one at a time, in a random order because other processes do so too."""
        games = await self._unreviewed(matches)
        for game in random.sample(games, len(games)):
            if await self._tables.history.findings(game.match_id, 1) is None:
                await self._tables.review_game(game)

    async def _unreviewed(self, matches: Iterable[str]) -> list[PlayedGame]:
        """Return the finished games of matches without a review; add up the others."""
        games = await self._tables.history.games_of_matches(one for one in matches if one not in self._sums)
        self._sums |= {one.match_id: _sums_of(one) for one in games if one.review}
        return [one for one in games if not one.review]

    async def _sums_by_record(self, now: Evening) -> dict[int, list[float]]:
        found, matches = {record: [0.0] * 6 for record in now.cards.cards}, _matches(now)
        sums = self._sums | {one.match_id: _sums_of(one) for one in await self._unreviewed(matches)}
        for name, table in matches.items():
            for record, more in zip(table.pair, sums.get(name, ()), strict=False):
                found[record] = [*map(add, found[record], more)]
        return found

    async def figures(self, evening: Evening) -> Mapping[int, Figures]:
        """Return the figures of each record."""
        sums = await self._sums_by_record(evening)
        pairs = {record: zip(one[::2], one[1::2], strict=True) for record, one in sums.items()}
        return {
            record: Figures(*(total / number if number else None for number, total in own))
            for record, own in pairs.items()
        }

    async def cards(self, evening: Evening) -> EveningCards:
        """Return an evening's score cards with the points of hands and the luck, as seasons count them."""
        sums = await self._sums_by_record(evening)
        hands = {record: (int(points), int(number)) for record, (*_, number, points) in sums.items()}
        adjusted = {record: (total, int(number)) for record, (number, total, *_) in sums.items()}
        return msgspec.structs.replace(evening.cards, hands=hands, adjusted=adjusted)

    async def close(self) -> None:
        if self._reviewing is not None:
            self._reviewing.cancel()
        await self._tasks.wait(2.0)


@contextlib.contextmanager
def _skipping_match() -> Iterator[None]:
    """Ignore what concerns one match: it has just ended, was deleted, is damaged, or another was faster."""
    try:
        yield
    except (Refused, IllegalAction):
        pass
    except StoreError as error:
        if error.code not in (CONFLICT, "game-damaged"):
            raise


def _matches(now: Evening) -> dict[str, Table]:
    """Return the tables of an evening by match id; none if its cards are real."""
    return {} if now.settings.has_real_cards else {one.match_id: one for one in now.state.tables.values()}


def _person(now: Evening, record: int) -> Person:
    """Return who plays for a record."""
    number = now.state.player_of(record)
    one = now.people[record if number is None else number]
    return Person(name=one.name, level=one.level, owner=one.owner)


def outcome_of(table: TableState) -> Outcome | None:
    """Return how the game of a table ended. Those whose seeds were missing forfeit an abandoned game."""
    ledger = table.ledger
    if ledger.is_abandoned:
        left = ledger.awaited_for_seeds or (0, 1)
        return Outcome(has_left=(0 in left, 1 in left))
    if not ledger.results:
        return None
    won, seats = ledger.results[-1].won, ledger.results[-1].person_by_seat
    one, other = seats.index(0), seats.index(1)
    return Outcome((won.scores[one], won.scores[other]), (won.forfeited == one, won.forfeited == other))


def _last_row(ledger: Ledger, outcome: Outcome) -> Row:
    """Return the row that ends a game: a forfeit if one of its people left, otherwise "abandoned"."""
    if sum(outcome.has_left) == 1 and not ledger.awaited_for_seeds:
        return proposals.forfeit(ledger, outcome.has_left.index(True), ForfeitedFor.RESIGNED)
    return proposals.abandon(ledger)


def _sums_of(game: PlayedGame) -> list[tuple[float, ...]]:
    """Return for each person the count and the sum behind each mean of `Figures`, in the same order.

    A game in which a level played for a person counts neither for their adjusted result nor for their loss.
    """
    sums = list[tuple[float, ...]]()
    for person in range(2):
        seat = game.summary.players.index(person)
        hands = [deal.hand for deal in game.summary.count.deals if deal.seat == seat]
        is_own = seat not in game.summary.stood_in_seats
        one = game.review[seat] if game.review and is_own else SeatReview()
        won, choices = one.luck_adjusted_result, one.counted * (one.rating is not None)
        reviewed = won is not None, 100 * (won or 0.0), choices, choices * (one.rating or 0.0)
        sums.append((*reviewed, len(hands), sum(hands)))
    return sums
