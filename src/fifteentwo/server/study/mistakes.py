"""A user's costliest mistakes, found in finished games and repeated at growing intervals.

The server reviews games in the background, one at a time and the newest first, when the user opens the page.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple, cast

import msgspec
import sqlalchemy as sa

from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import Record, from_json, replay, to_json
from fifteentwo.rules.state import start
from fifteentwo.rules.view import View, view
from fifteentwo.server.background import log, start_task
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.store import matches
from fifteentwo.server.store.history import History, PlayedGame
from fifteentwo.server.store.schema import match, mistake, player, searched_game
from fifteentwo.server.store.store import Store
from fifteentwo.server.study.problems import JudgedAnswer, NextProblem, Problem, judge_answer, make_problem
from fifteentwo.server.study.reviews import ReviewedGames, StoredReviews
from fifteentwo.server.table_log.options import FIRST_GAME_GOAL

MAX_MISTAKES_PER_GAME = 5
"""The costliest mistakes of a game are stored, at most this number."""
MAX_SEARCHED_GAMES = 12
"""Games that are searched for mistakes after one request."""
COSTLY_MARKS = ("mistake", "blunder")
DAY_SECONDS = 24 * 3600
FIRST_GAME_NUMBER = 0
"""Number of a first game that is searched while it is in progress, after its race to FIRST_GAME_GOAL."""
GOOD_GRADE, HARD_GRADE, AGAIN_GRADE = "good", "hard", "again"
GRADE_LOSSES = (0.003, 0.01)
"""Losses in win probability from which an answer is graded HARD and AGAIN."""
GRADE_LOSSES_IN_POINTS = (0.15, 0.5)
"""The same losses in points, for variants without win probabilities (`analysis.review.rating`)."""


class StoredMistake(msgspec.Struct, frozen=True, kw_only=True):
    """A decision as its seat saw it, its loss, and the history of answers."""

    view: View
    loss: float
    """Win probability lost if it is known, otherwise a hundredth of the points lost."""
    chosen: tuple[Card, ...]
    """Cards chosen in the game."""
    in_race: bool = False
    """Whether it was made in the race of a first game, which is judged by points."""
    memory: str | None = None
    """JSON of the scheduler's card; None before the first answer."""


class UnsearchedGame(NamedTuple):
    match_id: str
    game_number: int
    seat: int
    played: PlayedGame | None
    """None for a first game in progress."""


class OwnMistakes:
    """The stored mistakes of all users."""

    def __init__(self, store: Store, history: History, reviews: ReviewedGames) -> None:
        self._store = store
        self._history = history
        self._reviews = reviews
        self._kept = StoredReviews(history, reviews)
        self._work: dict[str, asyncio.Task[None]] = {}
        self._one_at_a_time = asyncio.Lock()

    async def next_problem(self, owner: str, put_last: str = "") -> NextProblem:
        """Return the mistake that is due to a user; `put_last` is shown only if no other is."""
        waiting = await self._unsearched_games(owner)
        if waiting and owner not in self._work:
            task = start_task(self._search_games(owner, waiting))
            self._work[owner] = task
            task.add_done_callback(lambda _: self._work.pop(owner, None))
        now = int(time.time())
        found = await self._store.select(
            sa.select(mistake).where(mistake.c.owner == owner).order_by(mistake.c.due_at).limit(1000)
        )
        today = [row for row in found if row.due_at <= now + DAY_SECONDS // 2]
        # The costliest first.
        today.sort(key=lambda row: (_mistake_id(row) == put_last, -from_json(row.body, StoredMistake).loss))
        later = [row for row in found if row not in today]
        shown = [_make_problem(row) for row in today[:1]]
        return NextProblem(
            problem=shown[0] if shown else None,
            now=len(today),
            later=sum(row.due_at <= later[0].due_at + DAY_SECONDS // 2 for row in later),
            waiting=min(len(waiting), MAX_SEARCHED_GAMES),
            days=None if today or not later else max(1, round((later[0].due_at - now) / DAY_SECONDS)),
        )

    async def count_due(self, owner: str) -> int:
        """Return the number of found mistakes due by the end of the day. Starts no search."""
        own = mistake.c.owner == owner, mistake.c.due_at <= int(time.time()) + DAY_SECONDS // 2
        count = sa.select(sa.func.count()).select_from(mistake)
        return int((await self._store.first(count.where(*own)))[0])

    async def judge_answer(self, owner: str, name: str, cards: tuple[Card, ...], lang: str) -> JudgedAnswer:
        game, number, step = _parse_mistake_id(name)
        here = sa.and_(
            mistake.c.owner == owner,
            mistake.c.match_id == game,
            mistake.c.game_number == number,
            mistake.c.step == step,
        )
        row = await self._store.first(sa.select(mistake).where(here))
        if row is None:
            raise Refused("no-such-problem", status=404)
        kept = from_json(row.body, StoredMistake)
        result = await asyncio.to_thread(judge_answer, kept.view, cards, lang, kept.in_race)
        result = msgspec.structs.replace(result, before=kept.chosen)
        now = int(time.time())
        if row.due_at > now + DAY_SECONDS // 2:
            return result
        grade = grade_answer(result.loss, GRADE_LOSSES if result.by_chance else GRADE_LOSSES_IN_POINTS)
        memory, due = schedule_repetition(kept.memory, grade, now)
        body = to_json(msgspec.structs.replace(kept, memory=memory)).decode()
        await self._store.execute(mistake.update().where(here).values(due_at=due, body=body))
        return msgspec.structs.replace(result, due=max(1, round((due - now) / DAY_SECONDS)))

    async def add(self, owner: str, name: str, mistakes: Mapping[int, StoredMistake]) -> None:
        """Store mistakes made outside a game under a name and a step, once; they are due tomorrow."""
        due = int(time.time()) + DAY_SECONDS
        key = {"owner": owner, "match_id": name, "game_number": 0, "due_at": due}
        there = sa.select(mistake.c.step).where(mistake.c.owner == owner, mistake.c.match_id == name)
        # A simultaneous request may store the same mistakes.
        with contextlib.suppress(StoreError):
            async with self._store.writing() as connection:
                known = (await connection.execute(there)).scalars().all()
                for step in mistakes.keys() - set(known):
                    row = {**key, "step": step, "body": to_json(mistakes[step]).decode()}
                    await connection.execute(mistake.insert(), row)

    async def _unsearched_games(self, owner: str) -> list[UnsearchedGame]:
        await self._history.store_games_of(owner)
        games = [one for one in await self._history.games_of(owner) if one.seat is not None]
        rows = await self._store.select(sa.select(searched_game).where(searched_game.c.owner == owner))
        done = {(row.match_id, row.game_number) for row in rows}
        found = [
            UnsearchedGame(one.match_id, one.game_number, one.seat or 0, one)
            for one in games
            if (one.match_id, one.game_number) not in done and not one.failure_code
        ]
        return [*await self._first_games(owner), *found]

    async def _first_games(self, owner: str) -> list[UnsearchedGame]:
        """Return the first games in progress whose race is over."""
        done = sa.select(searched_game.c.match_id).where(searched_game.c.owner == owner)
        own = (
            sa.select(match.c.id).join(player, player.c.match_id == match.c.id).where(player.c.owner == owner)
        )
        first = match.c.options.like('%"first_game":true%'), match.c.id.not_in(done)
        found = []
        for row in await self._store.select(own.where(*first).limit(MAX_SEARCHED_GAMES)):
            table = await self._store.load(row.id, with_rows=False)
            if table is None:
                continue
            ledger = await matches.load_game(self._store, table, 1)
            state, person = ledger.table.state, [one.owner for one in table.people].index(owner)
            if max(state.front) >= FIRST_GAME_GOAL and state.deal > 1 and not ledger.table.over:
                found.append(UnsearchedGame(row.id, FIRST_GAME_NUMBER, ledger.seat_of(person), None))
        return found

    async def _search_games(self, owner: str, games: list[UnsearchedGame]) -> None:
        for one in games[:MAX_SEARCHED_GAMES]:
            async with self._one_at_a_time:
                try:
                    try:
                        await self._store_mistakes(owner, one)
                    except Exception as error:  # an error in one game must not stop the search
                        if one.played is None:
                            raise
                        await self._history.save_failure(one.played, error)
                except StoreError as error:
                    log.warning("the search for mistakes has stopped: %s", error)
                    return

    async def _store_mistakes(self, owner: str, one: UnsearchedGame) -> None:
        table = await self._store.load(one.match_id, with_rows=False)
        if table is None:
            return
        ledger = await matches.load_game(self._store, table, max(one.game_number, 1))
        names = ("",) * len(table.people)
        in_progress = one.game_number == FIRST_GAME_NUMBER
        record = ledger.finished_deals(names) if in_progress else ledger.record(one.game_number, names)
        known = in_progress or await self._kept.load_into_cache(one.match_id, one.game_number, record)
        mistakes, report = await asyncio.to_thread(
            find_mistakes, record, one.seat, self._reviews, in_race=in_progress
        )
        now = int(time.time())
        key = {"owner": owner, "match_id": one.match_id, "game_number": one.game_number}
        rows = [
            {**key, "step": step, "due_at": now, "body": to_json(kept).decode()}
            for step, kept in mistakes.items()
        ]
        async with self._store.writing() as connection:
            own = player.c.match_id == one.match_id, player.c.owner == owner
            seat_of = sa.select(player.c.player_number).where(*own)
            if (await connection.execute(seat_of)).first() is None:
                # The seat was moved to an account, or its user has deleted everything.
                return
            await connection.execute(searched_game.insert(), key)
            # The whole game replaces what was found while it was in progress.
            before = mistake.c.match_id == one.match_id, mistake.c.game_number == FIRST_GAME_NUMBER
            await connection.execute(mistake.delete().where(mistake.c.owner == owner, *before))
            if rows:
                await connection.execute(mistake.insert(), rows)
        # Store the review for the history and the review page.
        if not known:
            with contextlib.suppress(FifteenTwoError):
                await self._kept.store_review(one.match_id, one.game_number, record, report)


def find_mistakes(
    record: Record, seat: int, games: ReviewedGames, *, in_race: bool = False
) -> tuple[dict[int, StoredMistake], dict[str, Any]]:
    """Return the costliest mistakes of a seat by step, and the report of the review. This takes seconds.

    in_race: search only the race of a first game, and judge it by points, as its review does.
    """
    from fifteentwo.analysis.review.review import Decision, by_points, report

    course = list(games.review_parts(record))
    own = [one for one in course if isinstance(one, Decision) and one.seat == seat and one.options]
    if in_race:
        own = [by_points(one) for one in own if max(one.score) < FIRST_GAME_GOAL]
    own = [one for one in own if one.mark in COSTLY_MARKS]
    own.sort(key=lambda one: -(one.loss_win if one.loss_win is not None else one.loss_points / 100))
    wanted = {one.step: one for one in own[:MAX_MISTAKES_PER_GAME]}
    mistakes = {}
    state = start(record.rules, named=record.named)
    for step, (action, after, _) in enumerate(replay(record)):
        if step in wanted and isinstance(action, Discard | Play):
            loss = wanted[step].loss_win
            mistakes[step] = StoredMistake(
                view=view(state, seat),
                loss=wanted[step].loss_points / 100 if loss is None else loss,
                chosen=action.cards if isinstance(action, Discard) else (action.card,),
                in_race=in_race,
            )
        state = after
    return mistakes, report(record, course)


def grade_answer(loss: float, marks: tuple[float, float]) -> str:
    """Return the grade of an answer by its loss. marks: losses from which it is HARD and AGAIN."""
    hard, again = marks
    return GOOD_GRADE if loss < hard else HARD_GRADE if loss < again else AGAIN_GRADE


def schedule_repetition(memory: str | None, grade: str, now: int) -> tuple[str, int]:
    """Return the memory of a mistake after an answer, and when it is due again: FSRS with whole days."""
    from fsrs import Card, Rating, Scheduler
    from fsrs.card import CardDict

    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    card = Card(card_id=1) if memory is None else Card.from_dict(cast("CardDict", json.loads(memory)))
    rating = {GOOD_GRADE: Rating.Good, HARD_GRADE: Rating.Hard, AGAIN_GRADE: Rating.Again}[grade]
    card, _ = scheduler.review_card(card, rating, datetime.fromtimestamp(now, UTC))
    return json.dumps(card.to_dict()), int(card.due.timestamp())


def _make_problem(row: sa.Row[tuple[object, ...]]) -> Problem:
    kept = from_json(row.body, StoredMistake)
    problem = make_problem(_mistake_id(row), kept.view)
    return msgspec.structs.replace(problem, target=FIRST_GAME_GOAL) if kept.in_race else problem


def _mistake_id(row: sa.Row[tuple[object, ...]]) -> str:
    return f"{row.match_id}.{row.game_number}.{row.step}"


def _parse_mistake_id(name: str) -> tuple[str, int, int]:
    words = name.split(".")
    numbers = [word for word in words[1:] if word.isascii() and word.isdecimal() and len(word) < 7]
    if len(words) != 3 or len(numbers) != 2 or "\0" in words[0]:
        raise Refused("no-such-problem", status=404)
    return words[0][:32], int(words[1]), int(words[2])
