"""A match rebuilt from its log alone: rows are added, and the present table and all events follow from them.

`v` counts events from 1. A new game and an undo count as one each (`Entry.event` is None), so `v` never
falls.
"""

from collections.abc import Iterable

import msgspec

from fifteentwo.contest.match import Length, Match, NextDealer, new_match
from fifteentwo.contest.same_decks import DeckTops
from fifteentwo.contest.table import Outcome, Table
from fifteentwo.rules.actions import Action
from fifteentwo.rules.events import DealEnded, Event, GameWon, PartnersMade, Pegged, is_called
from fifteentwo.rules.game import step
from fifteentwo.rules.record import Record, from_json, replay
from fifteentwo.rules.state import State
from fifteentwo.rules.variants import FirstDealer, Rules
from fifteentwo.server.errors import Refused
from fifteentwo.server.table_log import rows as bodies
from fifteentwo.server.table_log.disconnects import Disconnects, WaitingSince
from fifteentwo.server.table_log.game_dealing import GameDealing, Seeds
from fifteentwo.server.table_log.rows import Row


class Entry(msgspec.Struct, frozen=True):
    """One event, and the number of the person at each seat when it happened."""

    event: Event | None
    """The event; None for the start of another game and for an undo."""
    person_by_seat: tuple[int, ...]
    is_muggins_called: bool = False
    """Whether muggins has been called on the claim that the event is about."""


class Result(msgspec.Struct, frozen=True):
    """How a game of the match ended, and the number of the person at each seat then."""

    won: GameWon
    person_by_seat: tuple[int, ...]
    ended_at: int = 0
    """Seconds since 1970; 0 if unknown."""


class FinishedGame(msgspec.Struct, frozen=True):
    """A game of the match before the present one."""

    record: Record
    person_by_first_seat: tuple[int, ...]
    """The number of the person who sat at each seat before partners were drawn."""
    result: Result


class GameStart(msgspec.Struct, frozen=True):
    """The start of a game of the match, and the match before it. All of it follows from the log."""

    match_before: Match
    seq: int
    """Number of the row that starts the game."""
    version: int


class Ledger:
    """The log of one match and everything that follows from it. Rows are added by `add` alone."""

    table: Table

    def __init__(
        self,
        rules: Rules,
        *,
        next_dealer: NextDealer = NextDealer.LOSER,
        length: Length = Length.OPEN,
        rows: Iterable[Row] = (),
        deck_tops: DeckTops = (),
        start: GameStart | None = None,
    ) -> None:
        """Create the ledger of a match from `start` on. deck_tops: known cards on top of the first decks."""
        start = start or GameStart(new_match(rules, next_dealer=next_dealer, length=length), 1, 0)
        self.game_start = start
        self.match: Match = start.match_before
        """The match before the present game."""
        self.seeds: Seeds | None = None
        """The seeds of the present game's people; None if one secret decides the game."""
        self.is_abandoned = False
        self.disconnects = Disconnects()
        self.waiting_since: dict[int, WaitingSince] = {}
        self.entries: list[Entry] = []
        """Events, of which the first has the number `dropped_events` + 1."""
        self.dropped_events = start.version
        """Number of events of finished games that are not in memory."""
        self.restart_version = 0
        """Version at which the present game began or was rebuilt. Older pages need the whole table."""
        self.seq = start.seq - 1
        self.last_row_at = 0
        """Time of the last row, in seconds since 1970; 0 if unknown."""
        self.finished: list[FinishedGame] = []
        """The games before the present one that are in memory."""
        self.steps: list[tuple[int, Outcome]] = []
        """The rows of the present game in which seats acted, each with what it led to."""
        self._secret = b""
        self._opening: tuple[Action, ...] = ()
        self._deck_tops = deck_tops
        self._is_begun = False
        for row in rows:
            self.add(row)

    @property
    def v(self) -> int:
        """The version of the table: the number of its last event."""
        return self.dropped_events + len(self.entries)

    def entry(self, v: int) -> Entry:
        """Return an event by its number, from 1. Raise LookupError if it is not in memory."""
        if v <= self.dropped_events:
            raise LookupError(f"event {v} is not in memory")
        return self.entries[v - self.dropped_events - 1]

    def drop_finished_games(self) -> None:
        """Drop everything before the present game from memory; it is in the database."""
        del self.entries[: self.game_start.version - self.dropped_events]
        self.dropped_events = self.game_start.version
        self.finished.clear()

    @property
    def seated(self) -> tuple[int, ...]:
        """The number of the person at each seat now."""
        seating = self.match.seating
        return tuple([seating[first] for first in self.table.state.seating])

    def seat_of(self, person: int) -> int:
        return self.seated.index(person)

    @property
    def match_so_far(self) -> Match:
        """The match, with the present game counted if it is won."""
        if not self.table.over:
            return self.match
        left = [self.seat_of(one) for one in self.disconnects.levels_by_person]
        return self.match.after(self.table.state, left)

    @property
    def dealing(self) -> GameDealing:
        given = self.match, self._secret, self.seeds, self._opening, self._deck_tops
        state = self.table.state if self._is_begun else None
        return GameDealing(*given, state, self.is_abandoned, tuple(self.disconnects.levels_by_person))

    @property
    def awaited_for_seeds(self) -> tuple[int, ...]:
        """The people whose pages must commit or reveal before the first card."""
        return () if self.seeds is None else self.dealing.awaited_people

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that may act now; none while seeds are awaited or after the game was abandoned."""
        return () if self.awaited_for_seeds or self.is_abandoned else self.table.waiting

    def add(self, row: Row, taken: Outcome | None = None) -> None:
        """Add a stored row to the match. taken: what its actions lead to, if that is known."""
        if row.seq != self.seq + 1:
            raise ValueError(f"row {row.seq} after row {self.seq}")
        body = row.body
        match row.type:
            case "began":
                self._start_game(row, from_json(body, bodies.BeganBody))
            case "acted" if self.dealing.is_naming_dealer:
                self._apply_opening(from_json(body, bodies.ActedBody).actions)
            case "acted" | "forfeited":
                taken = taken or apply_actions(self.table.state, from_json(body, bodies.ActedBody).actions)
                self._apply_step(row, taken)
            case "stood_in":
                played = from_json(body, bodies.StandInBody)
                actions = len(self.table.actions)
                self.disconnects = self.disconnects.with_stand_in(played.person, played.level, actions)
                if played.actions:
                    self._apply_step(row, apply_actions(self.table.state, played.actions))
            case "came_back":
                person = from_json(body, bodies.CameBackBody).person
                self.disconnects = self.disconnects.without_stand_in(person, len(self.table.actions))
                self.waiting_since.pop(person, None)
            case "away":
                noted = from_json(body, bodies.AwayBody)
                self.disconnects = self.disconnects.with_absence(noted.person, noted.seconds)
            case "committed" | "revealed" | "unseated" if self.seeds is not None:
                self._add_seed_row(row, self.seeds)
            case "closed":
                self.is_abandoned = True
            case "undone":
                back_to = from_json(body, bodies.UndoneBody).back_to
                self.steps = [(seq, taken) for seq, taken in self.steps if seq < back_to]
                self._rebuild_game()
            case _:
                raise ValueError(f"unknown row type {row.type}")
        self.seq, self.last_row_at = row.seq, row.at
        self._update_waiting_since(row)

    def _update_waiting_since(self, row: Row) -> None:
        seated, who, now = self.seated, None, WaitingSince(row.seq, row.at)
        if row.type == "acted" and self.steps:
            seat = getattr(self.steps[-1][1].actions[0], "seat", None)
            who = None if seat is None else seated[seat]
        waiting = [seated[seat] for seat in self.waiting]
        self.waiting_since = {one: now if one == who else self.waiting_since.get(one, now) for one in waiting}

    def _start_game(self, row: Row, began: bodies.BeganBody) -> None:
        if self._is_begun:
            result = self.results[-1]
            self.finished.append(FinishedGame(self._present_record(), self.match.seating, result))
            self.match = self.match_so_far.next_match
        self.game_start = GameStart(self.match, row.seq, self.v)
        self._secret, self._opening, self.steps = bytes.fromhex(began.secret), began.actions, []
        self.seeds = None if began.people is None else Seeds(began.people)
        self.is_abandoned = False
        self.disconnects, self.waiting_since = Disconnects(), {}
        self._rebuild_game(count_as_event=bool(self.seq))
        self._is_begun = True
        self._add_entries(self.table.events)

    def _add_seed_row(self, row: Row, seeds: Seeds) -> None:
        body: bodies.CommittedBody | bodies.RevealedBody | bodies.UnseatedBody
        match row.type:
            case "committed":
                body = from_json(row.body, bodies.CommittedBody)
                self.seeds = seeds.with_commitment(body.person, body.commitment)
            case "revealed":
                body = from_json(row.body, bodies.RevealedBody)
                self.seeds = seeds.with_seed(body.person, body.seed)
            case _:
                body = from_json(row.body, bodies.UnseatedBody)
                self.seeds = seeds.without_person(body.person, is_next_asked=body.asked)
        self._apply_opening(body.actions)

    def _apply_opening(self, actions: tuple[Action, ...]) -> None:
        """Apply the chance actions of the opening, with the decks that the seeds decide."""
        self.table.decks = self.dealing.decks
        taken = apply_actions(self.table.state, actions)
        self.table.adopt(taken)
        self._opening = (*self._opening, *actions)
        self._add_entries(taken.events)

    def _apply_step(self, row: Row, taken: Outcome) -> None:
        before = self.seated
        self.table.adopt(taken)
        self.steps.append((row.seq, taken))
        self._add_entries(taken.events, before)

    def _rebuild_game(self, *, count_as_event: bool = True) -> None:
        """Replay the present game up to the last step. count_as_event: pages need the whole table."""
        dealing = self.dealing
        self.table = Table(
            self.match.next_rules, dealing.decks, named=dealing.is_dealer_named, actions=self._opening
        )
        for _, taken in self.steps:
            self.table.adopt(taken)
        if count_as_event:
            self.entries.append(Entry(None, self.seated))
            self.restart_version = self.v

    def _add_entries(self, events: Iterable[Event], seated: tuple[int, ...] | None = None) -> None:
        seated = seated or self.seated
        called = bool(self.entries) and self.entries[-1].is_muggins_called
        for event in events:
            if isinstance(event, PartnersMade):
                seated = self.seated
            called = is_called(called, event)
            self.entries.append(Entry(event, seated, called))

    @property
    def results(self) -> list[Result]:
        """The results of the finished games that are in memory, in order."""
        results = [one.result for one in self.finished]
        won = self.table.state.won
        return results if won is None else [*results, Result(won, self.seated, self.last_row_at)]

    def has_game(self, number: int) -> bool:
        return number > self.match.played - len(self.finished)

    def result(self, number: int) -> Result:
        """Return the result of a game, numbered from 1. Raise Refused while it is in progress."""
        return self.results[self._index_of_game(number)]

    def record(self, number: int, names: tuple[str, ...]) -> Record:
        """Return the record of a game with names by person; raise Refused while it is in progress."""
        place = self._index_of_game(number)
        if place == len(self.finished):
            return _with_names(self._present_record(), names, self.match.seating)
        return _with_names(self.finished[place].record, names, self.finished[place].person_by_first_seat)

    def abandoned_record(self, names: tuple[str, ...]) -> Record:
        """Return the record of the present game. Raise Refused unless it was abandoned."""
        if not self.is_abandoned:
            raise Refused("record-not-open", "R14", status=409)
        return _with_names(self._present_record(), names, self.match.seating)

    def finished_deals(self, names: tuple[str, ...]) -> Record:
        """Return the record of the present game up to its last finished deal; raise Refused if none is."""
        record = _with_names(self._present_record(), names, self.match.seating)
        ends = [
            index
            for index, (_, _, events) in enumerate(replay(record), 1)
            if any(isinstance(event, DealEnded) for event in events)
        ]
        if not ends:
            raise Refused("record-not-open", "R14", status=409)
        return msgspec.structs.replace(record, actions=record.actions[: ends[-1]])

    def scores_at(self, points: int) -> tuple[int, ...]:
        """Return the scores by side when a side of the present game first has `points`; () before that."""
        front = [0] * self.match.next_rules.sides
        for _, _, events in replay(self._present_record()):
            for event in events:
                if isinstance(event, Pegged):
                    front[event.side] = event.score
                    if event.score >= points:
                        return tuple(front)
        return ()

    def _index_of_game(self, number: int) -> int:
        place = number - 1 - (self.match.played - len(self.finished))
        if not 0 <= place < len(self.finished) + self.table.over:
            raise Refused("record-not-open", "R14", status=409)
        return place

    def _present_record(self) -> Record:
        dealing = self.dealing
        return Record(
            rules=self.match.next_rules,
            names=(),
            actions=tuple(self.table.actions),
            named=dealing.is_dealer_named or self.match.rules.first_dealer is FirstDealer.NAMED,
            commitment=dealing.commitment,
            committed=dealing.recorded_commitments,
            seeds=dealing.recorded_seeds,
            links=dealing.public_links,
            stood_in=self.disconnects.recorded_stand_ins(self.match.seating, len(self.table.actions)),
        )


def apply_actions(state: State, actions: tuple[Action, ...]) -> Outcome:
    """Return what actions lead to from a state. Raise IllegalAction if one of them is illegal."""
    events: list[Event] = []
    for action in actions:
        state, more = step(state, action)
        events.extend(more)
    return Outcome(state, actions, tuple(events))


def _with_names(record: Record, names: tuple[str, ...], seating: tuple[int, ...]) -> Record:
    return msgspec.structs.replace(record, names=tuple([names[person] for person in seating]))
