"""An evening: what was agreed, its people, and its state, which follows from the events of its log.

People are numbered in the order in which they joined. A record is what is counted: the games, byes and points
of a person, and of the substitutes who play on for that person. It has the person's number.
"""

import secrets
from collections.abc import Mapping

import msgspec

from fifteentwo.rules.variants import Rules
from fifteentwo.server.club.pairing import Pairing
from fifteentwo.server.club.scores import Outcome, Place, ScoreCard, score_cards
from fifteentwo.server.club.season import EveningCards
from fifteentwo.server.table_log.time_controls import TimeControl


class Joined(msgspec.Struct, frozen=True, tag="joined"):
    """A person joined, came back, or became the substitute who plays for a record."""

    number: int
    record: int


class Left(msgspec.Struct, frozen=True, tag="left"):
    """A person left; the open games of the record are forfeited."""

    number: int


class Began(msgspec.Struct, frozen=True, tag="began"):
    """A round began."""

    pairing: Pairing
    match_ids: tuple[str, ...]


class Entered(msgspec.Struct, frozen=True, tag="entered"):
    """A player of a table with real cards has entered its scores; they count once both players agree."""

    place: Place
    side: int
    """0 for the first player of the table, 1 for the second."""
    scores: tuple[int, int]


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """A match ended; or, with a reason, the director ended a table or corrected its result."""

    place: Place
    outcome: Outcome
    reason: str = ""


class Closed(msgspec.Struct, frozen=True, tag="closed"):
    """The director closed the evening, although rounds were left."""


class Reported(msgspec.Struct, frozen=True, tag="reported"):
    """The person `number` told the director something about the person `about`, in one sentence."""

    number: int
    about: int
    sentence: str


Event = Joined | Left | Began | Entered | Ended | Closed | Reported


class Player(msgspec.Struct, frozen=True):
    """A person's part in the evening: the record for which they play, or played before they left."""

    record: int
    has_left: bool = False


class Table(msgspec.Struct, frozen=True):
    """A table of a round: who plays, its match, and its result so far."""

    pair: tuple[int, int]
    """The two records; the first one deals first."""
    match_id: str
    """The match of the table, which is not played if the table has real cards."""
    entered: tuple[tuple[int, int] | None, ...] = (None, None)
    """The scores that each of the two has entered."""
    outcome: Outcome | None = None
    reasons: tuple[str, ...] = ()
    """The director's reasons for ending the table and for each correction."""


class State(msgspec.Struct, frozen=True):
    """An evening after `seq` events."""

    seq: int = 0
    players: tuple[Player, ...] = ()
    """By number of the person."""
    rounds: tuple[Pairing, ...] = ()
    tables: Mapping[Place, Table] = {}
    is_closed: bool = False
    reports: tuple[Reported, ...] = ()

    @property
    def present(self) -> list[int]:
        """The records that somebody plays for."""
        return sorted({one.record for one in self.players if not one.has_left})

    @property
    def outcomes(self) -> dict[Place, Outcome]:
        return {place: table.outcome for place, table in self.tables.items() if table.outcome is not None}

    def player_of(self, record: int) -> int | None:
        """Return the number of whoever plays for a record now; None if its player has left."""
        return self.players.index(Player(record)) if record in self.present else None


def evolve(state: State, event: Event) -> State:
    """Return the state after one more event."""
    players, tables, rounds = list(state.players), dict(state.tables), state.rounds
    match event:
        case Joined(number, record):
            players = [Player(one.record, one.has_left or one.record == record) for one in players]
            players[number : number + 1] = [Player(record)]
        case Left(number):
            record = players[number].record
            players[number] = Player(record, has_left=True)
            for place, table in tables.items():
                if table.outcome is None and record in table.pair:
                    forfeit = Outcome(has_left=(table.pair[0] == record, table.pair[1] == record))
                    tables[place] = msgspec.structs.replace(table, outcome=forfeit)
        case Began(pairing, match_ids):
            for number, one in enumerate(zip(pairing.pairs, match_ids, strict=True)):
                tables[len(rounds), number] = Table(*one)
            rounds = (*rounds, pairing)
        case Entered(place, side, scores):
            entered = (scores, tables[place].entered[1]) if side == 0 else (tables[place].entered[0], scores)
            outcome = Outcome(scores) if entered[0] == entered[1] else None
            tables[place] = msgspec.structs.replace(tables[place], entered=entered, outcome=outcome)
        case Ended(place, outcome, reason):
            reasons = (*tables[place].reasons, *([reason] if reason else ()))
            tables[place] = msgspec.structs.replace(tables[place], outcome=outcome, reasons=reasons)
    is_closed = state.is_closed or isinstance(event, Closed)
    reports = (*state.reports, event) if isinstance(event, Reported) else state.reports
    return State(state.seq + 1, tuple(players), rounds, tables, is_closed, reports)


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What the director decides before an evening."""

    name: str
    rules: Rules
    rounds: int = 9
    clock: TimeControl | None = None
    needs_account: bool = False
    has_real_cards: bool = False
    """Whether players may play with real cards, and enter the scores themselves."""
    season: str = ""
    """The name of the season, if the evening belongs to one."""
    seed: str = msgspec.field(default_factory=lambda: secrets.token_hex(8))
    """Decides what is drawn: places in the rotation, and who of equals has a bye or deals first."""


class EveningPerson(msgspec.Struct, frozen=True):
    """Somebody who has checked in, or a level that plays for somebody."""

    name: str
    owner: str | None = None
    """The account or session; None for a level, and after the person has deleted their data."""
    level: str | None = None
    is_member: bool = False
    """Whether the owner is an account."""


class Evening(msgspec.Struct, frozen=True, kw_only=True):
    """An evening as it is stored, with its people by number."""

    id: str
    code: str
    director: str
    settings: Settings
    state: State
    people: tuple[EveningPerson, ...]
    season_id: str | None = None
    opened_at: int = 0
    """Time when the evening was opened, in seconds since 1970."""

    @property
    def is_over(self) -> bool:
        """Whether no round can begin, and no table is open."""
        is_last = self.state.is_closed or len(self.state.rounds) >= self.settings.rounds
        return is_last and len(self.state.outcomes) == len(self.state.tables)

    def number_of(self, owner: str) -> int | None:
        return next((number for number, one in enumerate(self.people) if one.owner == owner), None)

    @property
    def cards(self) -> EveningCards:
        """The score cards of all who play or have played."""
        state = self.state
        records = {*state.present, *(one for pairing in state.rounds for one in pairing.people)}
        cards: dict[int, ScoreCard] = score_cards(records, state.rounds, state.outcomes)
        members = {one: self.people[one].owner or "" for one in records if self.people[one].is_member}
        return EveningCards(self.id, cards, members)
