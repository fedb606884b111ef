"""The daily deal: three tasks of a minute (a deal, a problem, a count), and one whole game.

All of them follow from the date. The game is played against the same computer by every user; its score is the
win probability lost by the user's decisions. The page also shows the scores of our levels. The server plays
and reviews their games in the background after the day's first request.
"""

import asyncio
import base64
import hashlib
from datetime import UTC, datetime
from itertools import combinations, product
from typing import Any

import msgspec
import sqlalchemy as sa

from fifteentwo.contest.match import play_out
from fifteentwo.contest.same_decks import new_record, without_cuts
from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.rules import show
from fifteentwo.rules.cards import Card
from fifteentwo.rules.record import Record, last_state
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import SIX_CARD
from fifteentwo.rules.view import View, view
from fifteentwo.server.background import log, start_task
from fifteentwo.server.errors import StoreError
from fifteentwo.server.store.schema import daily_discard, match
from fifteentwo.server.store.schema import player as player_row
from fifteentwo.server.store.store import Store
from fifteentwo.server.study import problems
from fifteentwo.server.study.mistakes import COSTLY_MARKS, StoredMistake
from fifteentwo.server.study.problems import JudgedAnswer, Problem
from fifteentwo.server.study.reviews import ReviewedGames
from fifteentwo.server.table_log.dealing import daily_computer_seed, daily_secret, decks_of_secret

OPPONENT_LEVEL = "expert"
COMPARED_LEVELS = ("beginner", "greedy", "casual", "club", "expert", "master")
GAMES_PER_LEVEL = 3
"""Games that each level plays of a daily deal, with different seeds."""
DAILY_RULES = without_cuts(SIX_CARD)
USER_SEAT = 0
MAX_CACHED_DAYS = 2
"""Days whose scores of levels are cached."""
MAX_CACHED_SCORES = 256


class DailyScore(msgspec.Struct, frozen=True):
    """The result of one game of the daily deal."""

    lost: float | None
    """Win probability lost by decisions; None if the game could not be reviewed."""
    decisions: int
    """Number of decisions that were reviewed."""
    front: tuple[int, ...]
    """Final scores by side."""
    won: bool
    deals: tuple[str | None, ...] = ()
    """For each deal the mark of its costliest decision (`analysis.review.rating`), or None."""


class LevelScore(msgspec.Struct, frozen=True):
    level: str
    score: DailyScore


def today() -> str:
    """Return today's date in Coordinated Universal Time."""
    return datetime.now(UTC).date().isoformat()


def game_id(owner: str, day: str, name: str = "daily") -> str:
    """Return the id of a user's daily table, which nobody else can guess."""
    digest = hashlib.sha256(f"{name} {day} {owner}".encode()).digest()
    return base64.urlsafe_b64encode(digest).decode()[:16]


async def table_played_as_guest(store: Store, owner: str, day: str) -> str | None:
    """Return the day's table that a user played as a guest before creating the account."""
    like = f'%"daily":"{day}"%'
    found = await store.first(
        sa.select(match.c.id)
        .join(player_row, player_row.c.match_id == match.c.id)
        .where(player_row.c.owner == owner, match.c.options.like(like))
        .order_by(match.c.created_at, match.c.id)
    )
    return None if found is None else str(found.id)


class DailyTasks(msgspec.Struct, frozen=True):
    """The three tasks of a day: a hand to discard from, a card to play, and a hand to count."""

    day: str
    deal: Problem
    problem: Problem
    hand: tuple[Card, ...]
    starter: Card


class DailyAnswers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A user's answers to the tasks of a day; the page itself judges the count."""

    day: str
    deal: tuple[Card, ...]
    problem: tuple[Card, ...] = ()
    """The card played; empty while only the deal is answered."""


class DiscardCount(msgspec.Struct, frozen=True):
    """A discard, and the number of users of this server who chose it."""

    cards: tuple[Card, ...]
    count: int


class DailyVerdict(msgspec.Struct, frozen=True):
    """The judged answers of a day."""

    deal: JudgedAnswer
    problem: JudgedAnswer | None
    """None while only the deal is answered."""
    discards: tuple[DiscardCount, ...] = ()
    """Everyone's first discards, the most frequent first; the user's own is included."""


def _positions(day: str) -> tuple[View, View, tuple[Card, ...], Card]:
    secret = hashlib.sha256(f"fifteentwo three {day}".encode()).digest()
    decks = decks_of_secret(secret)
    deal = view(last_state(new_record(DAILY_RULES, decks, secret[0] % 2)), USER_SEAT)
    sets = problems.problem_sets()
    plays = [one for theme in problems.THEMES for one in sets[theme] if one.phase is not Phase.DISCARD]
    *six, starter = decks("deal-2")[:7]
    hand = max(combinations(six, 4), key=lambda kept: show.points(kept, starter))
    return deal, plays[int.from_bytes(secret[1:5]) % len(plays)], hand, starter


def tasks(day: str) -> DailyTasks:
    deal, play, hand, starter = _positions(day)
    return DailyTasks(
        day, problems.make_problem("deal", deal), problems.make_problem("play", play), hand, starter
    )


def judge(answers: DailyAnswers, lang: str) -> DailyVerdict:
    """Return the results without everyone's discards. This takes 10 ms or more: run it in a thread."""
    deal, play, *_ = _positions(answers.day)
    problem = problems.judge_answer(play, answers.problem, lang) if answers.problem else None
    return DailyVerdict(problems.judge_answer(deal, answers.deal, lang), problem)


def costly_answers(answers: DailyAnswers, verdict: DailyVerdict) -> dict[int, StoredMistake]:
    """Return the mistakes of the answers by task."""
    deal, play, *_ = _positions(answers.day)
    given = (deal, verdict.deal, answers.deal), (play, verdict.problem, answers.problem)
    return {
        task: StoredMistake(view=seen, loss=one.loss if one.by_chance else one.loss / 100, chosen=cards)
        for task, (seen, one, cards) in enumerate(given)
        if one is not None and one.mark in COSTLY_MARKS
    }


async def count_discards(
    store: Store, owner: str, day: str, cards: tuple[Card, ...]
) -> tuple[DiscardCount, ...]:
    """Store a user's discard unless the user has one of this day, and return everyone's."""
    chosen = " ".join(sorted(card.text for card in cards))
    own = sa.select(daily_discard.c.cards).where(daily_discard.c.day == day, daily_discard.c.owner == owner)
    try:
        async with store.writing() as connection:
            if (await connection.execute(own)).first() is None:
                await connection.execute(daily_discard.insert().values(day=day, owner=owner, cards=chosen))
    except StoreError as error:
        # A simultaneous request has stored the discard.
        if error.code != "conflict":
            raise
    number = sa.func.count()
    found = await store.select(
        sa.select(daily_discard.c.cards, number.label("number"))
        .where(daily_discard.c.day == day)
        .group_by(daily_discard.c.cards)
        .order_by(number.desc(), daily_discard.c.cards)
    )
    return tuple(DiscardCount(tuple(map(Card, row.cards.split())), row.number) for row in found)


def opening(day: str) -> Record:
    """Return the day's game before the first decision."""
    secret = daily_secret(day)
    return new_record(DAILY_RULES, decks_of_secret(secret), secret[0] % 2)


def review_score(record: Record, games: ReviewedGames) -> DailyScore:
    """Return the score of a finished game. This takes about a second: run it in a thread."""
    found = games.report(record)
    end, front = found["seats"][USER_SEAT], last_state(record).front
    won = front[USER_SEAT] >= record.rules.target
    return DailyScore(end["lost"], end["decisions"], front, won, _marks_by_deal(found["decisions"]))


def _marks_by_deal(decisions: list[dict[str, Any]]) -> tuple[str | None, ...]:
    from fifteentwo.analysis.review.rating import MARKS_BY_CHANCE

    worst_first = [mark for mark, _ in MARKS_BY_CHANCE]
    marks: dict[int, set[str | None]] = {}
    for one in decisions:
        if one["seat"] == USER_SEAT:
            marks.setdefault(one["deal"], set()).add(one["mark"])
    return tuple(next((mark for mark in worst_first if mark in marks[deal]), None) for deal in sorted(marks))


def play_level(level: str, seed: int, day: str) -> Record:
    table = Table(DAILY_RULES, decks_of_secret(daily_secret(day)), actions=opening(day).actions)
    play_out(table, (player(level, seed), player(OPPONENT_LEVEL, daily_computer_seed(day))))
    return Record(rules=DAILY_RULES, names=(), actions=tuple(table.actions), named=True)


class DailyScores:
    """The cached scores of our levels and of users' finished games."""

    def __init__(self) -> None:
        self._levels: dict[str, list[LevelScore]] = {}
        self._work: dict[str, asyncio.Task[None]] = {}
        self._scores: dict[str, DailyScore] = {}
        self._one_at_a_time = asyncio.Lock()

    def play_levels(self, day: str) -> None:
        """Start the levels' games of a day in the background, unless they were started before."""
        if day in self._levels:
            return
        while len(self._levels) >= MAX_CACHED_DAYS:
            oldest = min(self._levels)
            self._work.pop(oldest).cancel()
            del self._levels[oldest]
        self._levels[day] = []
        self._work[day] = start_task(self._play_and_score_levels(day))

    def level_scores(self, day: str) -> tuple[LevelScore, ...]:
        return tuple(self._levels.get(day, ()))

    def is_playing(self, day: str) -> bool:
        return day in self._work and not self._work[day].done()

    async def user_score(self, game: str, record: Record, games: ReviewedGames) -> DailyScore:
        if game not in self._scores:
            async with self._one_at_a_time:
                try:
                    found = await asyncio.to_thread(review_score, record, games)
                except Exception:  # the page shows that the score is not known
                    log.exception("the daily deal at %s cannot be scored", game)
                    front = last_state(record).front
                    found = DailyScore(None, 0, front, front[USER_SEAT] >= record.rules.target)
            while len(self._scores) >= MAX_CACHED_SCORES:
                del self._scores[next(iter(self._scores))]
            self._scores[game] = found
        return self._scores[game]

    async def _play_and_score_levels(self, day: str) -> None:
        seen = set()
        try:
            for seed, level in product(range(GAMES_PER_LEVEL), COMPARED_LEVELS):
                record = await asyncio.to_thread(play_level, level, seed, day)
                if (level, record.actions) in seen:
                    continue
                seen.add((level, record.actions))
                async with self._one_at_a_time:
                    score = await asyncio.to_thread(review_score, record, ReviewedGames())
                self._levels[day].append(LevelScore(level, score))
        except Exception:
            log.exception("the levels' games of %s could not be played", day)
