"""A match rebuilt from its log, and nothing else: rows in, the present table and every event so far out.

    began     {"secret": hex, "actions": […], "people": […]}
              a game begins: the server's last link, a named dealer, and who is asked for a seed; or, without
              "people", the secret of the whole game, and the actions that lead to where it goes on from
    began-3   the same with "people", by the rules by which people's draws and cuts follow from the seeds:
              a type of its own, so that no earlier program goes on with the game by its own rules
    committed {"person": n, "commitment": hex, "actions": […]}
              what somebody's page committed to, empty where it puts nothing in
    revealed  {"person": n, "seed": hex, "actions": […]}
              its seed; with whatever comes last, the chance that opens the game
    acted     {"actions": […]}   what a seat did, and the chance that followed it
    undone    {"back_to": seq}   that row and all later ones of this game count no more
    unseated  {"person": n, "asked": bool, "actions": […]}
              before the first card somebody's place was cleared: what their page committed to counts no
              more; asked: whether whoever sits there next is, which a computer is not
    closed    {}                 the game was abandoned: nobody goes on with it, and all of it may be told
    forfeited {"actions": […]}   somebody gave the game up, or had used up their time
    stood_in  {"person": n, "level": name, "actions": […]}
              from now on a level plays for somebody; with what computers draw at once
    came_back {"person": n}      they play themselves again
    away      {"person": n, "seconds": s}
              the table waited so long for somebody who was away, since it was last noted

`v` counts events from 1; a new game and an undo count as one each (`Line.event` is None), so v never falls.
"""

from collections.abc import Iterable

import msgspec

from fifteentwo.contest.match import Length, Match, NextDealer, begin
from fifteentwo.contest.same_decks import Tops, topped
from fifteentwo.contest.table import Decks, Table, Taken
from fifteentwo.i18n.events import is_called
from fifteentwo.rules.actions import Action, Cut, Deal, NameDealer, SeatAction
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.events import Event, GameWon, PartnersMade
from fifteentwo.rules.game import step
from fifteentwo.rules.record import ALL_PLACES, FREE_PLACES, ONE_SECRET, Record, from_json, to_json
from fifteentwo.rules.state import NOBODY, Phase
from fifteentwo.rules.variants import FirstDealer, Rules
from fifteentwo.server.errors import Refused
from fifteentwo.server.table_log import undo as taking_back
from fifteentwo.server.table_log.dealing import (
    LINKS,
    SeededDecks,
    and_draws,
    commitment,
    committed,
    computers_cut,
    going_on,
    link,
    pressed,
    sha256,
)
from fifteentwo.server.table_log.disconnects import (
    Absences,
    Asked,
    Away,
    CameBack,
    Playing,
    Unseated,
    asked_now,
)
from fifteentwo.server.table_log.rows import Row
from fifteentwo.server.table_log.seeds import Seeds, Stage


class Line(msgspec.Struct, frozen=True):
    """One event, and who sat where when it happened (people by number, listed by seat)."""

    event: Event | None
    seated: tuple[int, ...]
    called: bool = False
    """Somebody has called muggins on the claim it is about."""


class Result(msgspec.Struct, frozen=True):
    """How a game of the match ended, and who sat where then (people by number, listed by seat)."""

    won: GameWon
    seated: tuple[int, ...]
    ended_at: int = 0
    """Seconds since 1970; 0 where that was not written down."""


class Beginning(msgspec.Struct, frozen=True):
    """Where a game of the match begins and how the match stood then; it follows from the log."""

    match: Match
    seq: int
    """The row that begins the game."""
    v: int
    """Events before that row."""


class _Began(msgspec.Struct, frozen=True, omit_defaults=True):
    secret: str
    actions: tuple[Action, ...]
    people: tuple[int, ...] | None = None


class _Committed(msgspec.Struct, frozen=True):
    person: int
    commitment: str
    actions: tuple[Action, ...] = ()


class _Revealed(msgspec.Struct, frozen=True):
    person: int
    seed: str
    actions: tuple[Action, ...] = ()


class _Acted(msgspec.Struct, frozen=True):
    actions: tuple[Action, ...]


class _Undone(msgspec.Struct, frozen=True):
    back_to: int


class Ledger:
    """The log of one match and what it leads to. It changes by `add` alone."""

    table: Table

    def __init__(
        self,
        rules: Rules,
        *,
        next_dealer: NextDealer = NextDealer.LOSER,
        length: Length = Length.OPEN,
        rows: Iterable[Row] = (),
        tops: Tops = (),
        since: Beginning | None = None,
    ) -> None:
        """tops: what is known to lie on top of the decks of the first game; since: where the rows begin."""
        since = since or Beginning(begin(rules, next_dealer=next_dealer, length=length), 1, 0)
        self.beginning = since
        """Of the present game."""
        self.match: Match = since.match
        """The match before the present game."""
        self.secret = b""
        """What the present game's decks follow from: the server's last link, or one secret."""
        self.seeds: Seeds | None = None
        """Those of the present game's people; None where one secret decides it."""
        self.closed = False
        """The present game was abandoned."""
        self.absences = Absences()
        """Of the present game."""
        self.asked: dict[int, Asked] = {}
        """The people the table waits for, and since when."""
        self.lines: list[Line] = []
        """Events, of which the first is number `forgotten` + 1."""
        self.forgotten = since.v
        """Events of games that are left to the disk."""
        self.restarted = 0
        """The v from which on the present game's events count; earlier ones need the whole table."""
        self.seq = since.seq - 1
        """The last row."""
        self.finished: list[Record] = []
        """Games of this match before the present one, but for those left to the disk; nameless."""
        self._orders: list[tuple[int, ...]] = []
        self._results: list[Result] = []
        self._last_at = 0
        self._steps: list[tuple[int, Taken]] = []
        self._opening: tuple[Action, ...] = ()
        self._tops = tops
        self._is_begun = False
        for row in rows:
            self.add(row)

    @property
    def v(self) -> int:
        """How many events there have been."""
        return self.forgotten + len(self.lines)

    def line(self, v: int) -> Line:
        """An event by its number, from 1; of the present game, or of others that are not left to the disk."""
        if v <= self.forgotten:
            raise LookupError(f"event {v} is left to the disk")
        return self.lines[v - self.forgotten - 1]

    def forget(self) -> None:
        """Leave the finished games to the disk: from now on the present one alone is held."""
        del self.lines[: self.beginning.v - self.forgotten]
        self.forgotten = self.beginning.v
        for games in (self.finished, self._orders, self._results):
            games.clear()

    @property
    def seated(self) -> tuple[int, ...]:
        """Who sits at each seat now, by the number they came in."""
        seating = self.match.seating
        return tuple([seating[first] for first in self.table.state.seating])

    @property
    def standing(self) -> Match:
        """The match with the present game counted once it is won."""
        return self.match.after(self.table.state) if self.table.over else self.match

    @property
    def results(self) -> list[Result]:
        """How the finished games of the match ended, in order, but for those left to the disk."""
        won = self.table.state.won
        return self._results if won is None else [*self._results, Result(won, self.seated, self._last_at)]

    @property
    def commitment(self) -> str:
        """What the present game's dealing was committed to; nothing where it goes on from a position."""
        if self.seeds is not None:
            return commitment(link(self.secret, 0))
        return "" if self.goes_on else commitment(self.secret)

    @property
    def dealt_by(self) -> int:
        """Which rules of dealing the present game follows; 0 where nothing was committed to."""
        if self.seeds is not None:
            return self.seeds.rules
        return ONE_SECRET if self.commitment else 0

    @property
    def last_at(self) -> int:
        """When somebody last did something, in seconds since 1970; 0 where that was not written down."""
        return self._last_at

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that may act now; none while seeds are awaited, or once the game was abandoned."""
        return () if self.awaited or self.closed else self.table.waiting

    @property
    def awaited(self) -> tuple[int, ...]:
        """The people whose pages have to say something before the first card."""
        return () if self.seeds is None or self.naming else self.seeds.awaited

    @property
    def naming(self) -> bool:
        """Whether a dealer is to be named before the seeds are told: so nobody who names one knows a card."""
        seeds, phase = self.seeds, self.table.state.phase
        if seeds is None or seeds.rules < ALL_PLACES or phase is not Phase.NAME_DEALER:
            return False
        return seeds.stage is Stage.REVEALING

    @property
    def links(self) -> tuple[str, ...]:
        """What opens the draws and the deals that are over, and nothing of those to come."""
        told = [link(self.secret, self.opened - 1)] if self.opened else []
        for _ in range(self.opened - 1):
            told.append(sha256(told[-1]))
        return tuple([one.hex() for one in reversed(told)])

    @property
    def opened(self) -> int:
        """How many links are told: of the draws, once there is a dealer, and of each deal that is over."""
        if self.seeds is None or self.seeds.stage is not Stage.DEALING:
            return 0
        state, over = self.table.state, self.closed or self.table.over
        if state.dealer == NOBODY and not over:
            return 0
        deals = state.deal - (state.phase not in (Phase.CUT, Phase.DEAL, Phase.OVER) and not over)
        return 1 + min(deals, LINKS - 1 if over else LINKS - 2)

    @property
    def computers(self) -> tuple[int, ...]:
        """The seats that computers came to at the present game; none where one secret decides it."""
        if self.seeds is None:
            return ()
        people = self.seeds.people
        return tuple([seat for seat, person in enumerate(self.match.seating) if person not in people])

    def computers_cut(self) -> Cut | None:
        """The cut that is due now, unless whoever is to cut chooses where."""
        decks = self.table.decks
        if not isinstance(decks, SeededDecks):
            return None
        return computers_cut(self.table.state, decks, self.played_by_levels)

    @property
    def played_by_levels(self) -> tuple[int, ...]:
        """The seats that levels came to, or play at for somebody who is away: as `computers`."""
        if self.seeds is None:
            return ()
        return (*self.computers, *[self.match.seating.index(person) for person in self.absences.levels])

    @property
    def goes_on(self) -> bool:
        """Whether the present game went on from a position: it opens otherwise than its secret says."""
        if self.seeds is not None or not any(isinstance(action, Deal) for action in self._opening):
            return False
        # A dealer who is named and need not have the deck cut deals at once.
        return list(self._opening) != self.match.table(committed(self.secret)).actions

    def seat_of(self, person: int) -> int:
        """Where somebody sits now."""
        return self.seated.index(person)

    # ── What may be added ────────────────────────────────────────────────────────────────────────────────

    def new_game(self, secret: bytes, people: tuple[int, ...] | None = None) -> Row:
        """The row that begins the next game; Refused while one is being played.

        people: those asked for a seed before the first card; None: the secret alone decides all of it.
        """
        if self.seq and not self.table.over:
            raise Refused("game-not-over", "R14")
        match = self.standing.following if self.seq else self.match
        if people is not None:
            named = () if match.dealer == NOBODY else (NameDealer(match.dealer),)
            return self._row("began-3", _Began(secret.hex(), named, people))
        return self._row("began", _Began(secret.hex(), tuple(match.table(committed(secret)).actions)))

    def _row(self, kind: str, body: msgspec.Struct) -> Row:
        return Row(self.seq + 1, kind, to_json(body).decode())

    def go_on(self, secret: bytes, position: Record) -> Row:
        """The row that begins the first game at the position a record leads to.

        The cards of its deal stay; what was not turned up yet, and all later deals, follow from the secret.
        """
        return self._row("began", _Began(secret.hex(), position.actions))

    def commit(self, person: int, promised: str) -> Row:
        """The row of what somebody's page commits to; Refused as `Seeds.committed`."""
        seeds = self._asked.committed(person, promised)
        return self._row("committed", _Committed(person, promised, self._opened_by(seeds)))

    def reveal(self, person: int, seed: str) -> Row:
        """The row of somebody's seed; Refused as `Seeds.revealed`."""
        if self.naming:
            raise Refused("seed-not-awaited", status=409)
        seeds = self._asked.revealed(person, seed)
        return self._row("revealed", _Revealed(person, seed, self._opened_by(seeds)))

    def close(self) -> Row:
        """The row that ends an abandoned game; Refused where none is being played."""
        if self.table.over or self.closed:
            raise Refused("game-closed", status=409)
        return Row(self.seq + 1, "closed", "{}")

    @property
    def _asked(self) -> Seeds:
        if self.seeds is None:
            raise Refused("seed-not-awaited", status=409)
        return self.seeds

    def unseat(self, person: int, *, asked: bool) -> Row:
        """The row that clears somebody's place; Refused as `Seeds.without`."""
        seeds = self._asked.without(person, asked=asked)
        return self._row("unseated", Unseated(person, asked, self._opened_by(seeds)))

    def _opened_by(self, seeds: Seeds) -> tuple[Action, ...]:
        """What comes before anybody may act, once these seeds are complete."""
        if seeds.stage is not Stage.DEALING:
            return ()
        levels = [seat for seat, person in enumerate(self.match.seating) if person not in seeds.people]
        return and_draws(Taken(self.table.state, (), ()), self._seeded(seeds), levels).actions

    def act(self, seat: int, action: SeatAction | NameDealer) -> tuple[Row, Taken]:
        """The row of what a seat does now, and what it leads to; IllegalAction where it may not."""
        if self.awaited:
            raise Refused("seeds-awaited", status=409)
        if self.closed:
            raise Refused("game-closed", status=409)
        if isinstance(action, NameDealer):
            if self.table.state.phase is not Phase.NAME_DEALER:
                raise IllegalAction("not-now", "R28", phase=self.table.state.phase.value)
            taken = self._decided((action,)) if self.naming else self.table.name_dealer(action.dealer)
        else:
            if action.seat == seat:
                action = pressed(self.table.state, self.table.decks, action)
            taken = self.table.propose(seat, action)
        taken = and_draws(taken, self.table.decks, self.played_by_levels)
        return self._row("acted", _Acted(taken.actions)), taken

    def undo(self, seat: int) -> Row:
        """The row that takes back a seat's last action; Refused where a hidden card was learned since."""
        back_to = self.undoable(seat)
        if back_to is None:
            raise Refused("nothing-to-undo")
        return Row(self.seq + 1, "undone", to_json(_Undone(back_to)).decode())

    def undoable(self, seat: int) -> int | None:
        """The row of a seat's last action, where nothing has been learned by it or since it."""
        return None if self.closed else taking_back.last(self._steps, seat)

    def first_undoable(self, seat: int) -> int | None:
        """The first row that a seat may come to take back, one after another."""
        return None if self.closed else taking_back.first(self._steps, seat)

    @staticmethod
    def back_to(undone: Row) -> int:
        """The first of the rows that an undo takes back."""
        return from_json(undone.body, _Undone).back_to

    # ── Adding ───────────────────────────────────────────────────────────────────────────────────────────

    def add(self, row: Row, taken: Taken | None = None) -> None:
        """Make a kept row part of the match; `taken` saves deciding it again."""
        if row.seq != self.seq + 1:
            raise ValueError(f"row {row.seq} after row {self.seq}")
        match row.type:
            case "began" | "began-3":
                self._begin(row, from_json(row.body, _Began))
            case "acted" if self.naming:
                self._open(from_json(row.body, _Acted).actions)
            case "acted" | "forfeited":
                self._act(row, taken or self._decided(from_json(row.body, _Acted).actions))
            case "stood_in":
                self._stand_in(row, from_json(row.body, Playing))
            case "came_back":
                person = from_json(row.body, CameBack).person
                self.absences = self.absences.came_back(person, len(self.table.actions))
                self.asked.pop(person, None)
            case "away":
                noted = from_json(row.body, Away)
                self.absences = self.absences.noted(noted.person, noted.seconds)
            case "committed":
                self._commit(from_json(row.body, _Committed))
            case "revealed":
                self._reveal(from_json(row.body, _Revealed))
            case "unseated":
                left = from_json(row.body, Unseated)
                self.seeds = self._asked.without(left.person, asked=left.asked)
                self._open(left.actions)
            case "closed":
                self.closed = True
            case "undone":
                self._undo(from_json(row.body, _Undone).back_to)
            case _:
                raise ValueError(f"a row of type {row.type}")
        self.seq, self._last_at = row.seq, row.at
        self._ask(row)

    def _ask(self, row: Row) -> None:
        acted = None
        if row.type == "acted" and self._steps:
            acted = getattr(self._steps[-1][1].actions[0], "seat", None)
        seated = self.seated
        waiting = [seated[seat] for seat in self.waiting]
        actor = None if acted is None else seated[acted]
        self.asked = asked_now(self.asked, waiting, actor, Asked(row.seq, row.at))

    def _begin(self, row: Row, began: _Began) -> None:
        if self._is_begun:
            self.finished.append(self._record())
            self._orders.append(self.match.seating)
            self._results = self.results
            self.match = self.standing.following
        self.beginning, self._is_begun = Beginning(self.match, row.seq, self.v), True
        self.secret, self._opening, self._steps = bytes.fromhex(began.secret), began.actions, []
        rules = ALL_PLACES if row.type == "began-3" else FREE_PLACES
        self.seeds = None if began.people is None else Seeds(began.people, rules=rules)
        self.closed = False
        self.absences, self.asked = Absences(), {}
        self.table = self._fresh()
        if self.seq:
            self._restart()
        self._note(self.table.events)

    def _commit(self, said: _Committed) -> None:
        self.seeds = self._asked.committed(said.person, said.commitment)
        self._open(said.actions)

    def _reveal(self, said: _Revealed) -> None:
        self.seeds = self._asked.revealed(said.person, said.seed)
        self._open(said.actions)

    def _open(self, actions: tuple[Action, ...]) -> None:
        """Once all seeds are known the decks are; what then comes by itself is part of the opening."""
        self.table.decks = self._decks()
        taken = self._decided(actions)
        self.table.adopt(taken)
        self._opening = (*self._opening, *actions)
        self._note(taken.events)

    def _act(self, row: Row, taken: Taken) -> None:
        before = self.seated
        self.table.adopt(taken)
        self._steps.append((row.seq, taken))
        self._note(taken.events, before)

    def _stand_in(self, row: Row, began: Playing) -> None:
        self.absences = self.absences.stood_in(began.person, began.level, len(self.table.actions))
        if began.actions:
            self._act(row, self._decided(began.actions))

    def _undo(self, back_to: int) -> None:
        self._steps = [(seq, taken) for seq, taken in self._steps if seq < back_to]
        self.table = self._fresh()
        for _, taken in self._steps:
            self.table.adopt(taken)
        self._restart()

    def _restart(self) -> None:
        self.lines.append(Line(None, self.seated))
        self.restarted = self.v

    def _fresh(self) -> Table:
        return Table(self.match.next_rules, self._decks(), named=self._named, actions=self._opening)

    def _decks(self) -> Decks:
        if self.seeds is not None:
            return self._seeded(self.seeds) if self.seeds.stage is Stage.DEALING else _not_yet
        tops = () if self.match.played else self._tops
        return going_on(topped(committed(self.secret), tops), self._opening)

    def _seeded(self, seeds: Seeds) -> SeededDecks:
        secret, seating = self.secret, self.match.seating
        return SeededDecks(lambda number: link(secret, number), seeds.by_seat(seating), seeds.order(seating))

    @property
    def _named(self) -> bool:
        """Whether the first dealer was named, whatever the rules say of the draw."""
        return self.match.dealer != NOBODY or isinstance(next(iter(self._opening), None), NameDealer)

    def _decided(self, actions: tuple[Action, ...]) -> Taken:
        state, events = self.table.state, list[Event]()
        for action in actions:
            state, more = step(state, action)
            events.extend(more)
        return Taken(state, actions, tuple(events))

    def _note(self, events: Iterable[Event], seated: tuple[int, ...] | None = None) -> None:
        seated = seated or self.seated
        called = bool(self.lines) and self.lines[-1].called
        for event in events:
            if isinstance(event, PartnersMade):
                seated = self.seated
            called = is_called(called, event)
            self.lines.append(Line(event, seated, called))

    # ── Records ──────────────────────────────────────────────────────────────────────────────────────────

    def record(self, number: int, names: tuple[str, ...]) -> Record:
        """The record of a finished game, from 1; Refused while it is played.

        `names`: by the order people came to the match.
        """
        games = [*self.finished, *([self._record()] if self.table.over else [])]
        orders = [*self._orders, self.match.seating]
        place = self._place(number, len(games))
        return msgspec.structs.replace(games[place], names=tuple(names[person] for person in orders[place]))

    def result(self, number: int) -> Result:
        """How a finished game ended, from 1; Refused while it is played."""
        results = self.results
        return results[self._place(number, len(results))]

    def holds(self, number: int) -> bool:
        """Whether a game of the match is not left to the disk."""
        return number > self.match.played - len(self.finished)

    def _place(self, number: int, games: int) -> int:
        place = number - 1 - (self.match.played - len(self.finished))
        if not 0 <= place < games:
            raise Refused("record-not-open", "R14", status=409)
        return place

    def abandoned(self, names: tuple[str, ...]) -> Record:
        """The record of the present game as far as it was played; Refused unless it was abandoned."""
        if not self.closed:
            raise Refused("record-not-open", "R14", status=409)
        named = tuple(names[person] for person in self.match.seating)
        return msgspec.structs.replace(self._record(), names=named)

    def _record(self) -> Record:
        one_secret = self.seeds is None and not self.goes_on
        return Record(
            rules=self.match.next_rules,
            names=(),
            actions=tuple(self.table.actions),
            named=self._named or self.match.rules.first_dealer is FirstDealer.NAMED,
            commitment=self.commitment if self.secret else "",
            secret=self.secret.hex() if one_secret else "",
            dealing=self.dealt_by if self.dealt_by == ALL_PLACES else 0,
            committed=self.promised,
            seeds=self.told_seeds,
            links=self.links,
            stood_in=self.absences.told(self.match.seating, len(self.table.actions)),
        )

    @property
    def promised(self) -> tuple[str, ...]:
        """What each seat's page committed to, as in a record; empty where it has said nothing yet."""
        return () if self.seeds is None else self.seeds.promised(self.match.seating)

    @property
    def told_seeds(self) -> tuple[str, ...]:
        """Every seat's seed once all of them are known, as a record has them."""
        return () if self.seeds is None else self.seeds.told(self.match.seating)


def _not_yet(name: str) -> tuple[Card, ...]:
    raise ValueError(f"{name}: no card before all seeds are known")
