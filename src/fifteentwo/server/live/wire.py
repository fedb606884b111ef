"""What goes over the socket, both ways (docs/protocol.md): envelopes {v, t, d}, one JSON text each."""

from collections.abc import Iterable, Sequence
from typing import Literal, cast

import msgspec

from fifteentwo import i18n
from fifteentwo.contest.match import Length
from fifteentwo.rules.actions import NameDealer, SeatAction
from fifteentwo.rules.board import Board
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import FifteenTwoError, NotationError
from fifteentwo.rules.events import ClaimSettled, Event, Pegged, PeggedFor, Score
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.view import View, choices, see, view
from fifteentwo.server.errors import Refused
from fifteentwo.server.table_log.ledger import Entry, Ledger

PROTOCOL = 1
"""The version of these messages; a page that was loaded with another has to be loaded again."""
MAX_MESSAGE_BYTES = 2048
"""The longest message a page may send."""
MAX_SENTENCES = 30
_SHOW_REASONS = (PeggedFor.HAND, PeggedFor.CRIB)


Choice = SeatAction | NameDealer
"""What a page may be offered, and may ask for."""


# ── From the page ────────────────────────────────────────────────────────────────────────────────────────


class Act(msgspec.Struct, frozen=True, tag_field="t", tag="act"):
    """Do this."""

    d: Choice
    v: int | None = None
    """The last event that the page had when it was pressed."""


class Ping(msgspec.Struct, frozen=True, tag_field="t", tag="ping"):
    """Is the connection still there?"""


class NextGame(msgspec.Struct, frozen=True, tag_field="t", tag="next-game"):
    """Begin the next game of the match; here is what I commit to in it."""

    d: str | None = None


class Commit(msgspec.Struct, frozen=True, tag_field="t", tag="commit"):
    """The SHA-256 of my seed for this game."""

    d: str


class Reveal(msgspec.Struct, frozen=True, tag_field="t", tag="reveal"):
    """My seed: I have seen what everyone committed to."""

    d: str


class Undo(msgspec.Struct, frozen=True, tag_field="t", tag="undo"):
    """Take back my last action."""


class AskHint(msgspec.Struct, frozen=True, tag_field="t", tag="hint"):
    """What would be best, and why; and why not these cards?"""

    d: tuple[Card, ...] = ()
    """The cards raised, where they are a choice."""


class Coach(msgspec.Struct, frozen=True, tag_field="t", tag="coach"):
    """From now on send me, or no longer, the cost of my choices."""

    d: bool


class Continue(msgspec.Struct, frozen=True, tag_field="t", tag="continue"):
    """The coach's comment has been read."""


class Lang(msgspec.Struct, frozen=True, tag_field="t", tag="lang"):
    """From now on in this language."""

    d: Literal["en", "ja"]


class Resign(msgspec.Struct, frozen=True, tag_field="t", tag="resign"):
    """I give this game up, by its number: a page may still ask about one that is over."""

    d: int


class Absent(msgspec.Struct, frozen=True):
    """A person who was away for long enough, and what is to become of their seat."""

    seat: int
    outcome: Literal["forfeit", "level"]


class ClaimAbsent(msgspec.Struct, frozen=True, tag_field="t", tag="claim-absent"):
    """A person was away for long enough: the game ends against them, or a level plays on."""

    d: Absent


class ComeBack(msgspec.Struct, frozen=True, tag_field="t", tag="come-back"):
    """From now on I play again myself, and no level for me."""


Preset = Literal[
    "luck", "nice-hand", "nice-peg", "thanks", "sorry", "moment", "back", "good-game", "again", "leaving"
]
"""The preset messages of quick chat: each page shows them in its own language."""


class SendChat(msgspec.Struct, frozen=True, tag_field="t", tag="chat"):
    """Say this to the other people at the table."""

    d: Preset


class UncoverScreen(msgspec.Struct, frozen=True, tag_field="t", tag="uncover-screen"):
    """The player whom the screen was passed to asks for their cards; `d` is the number of the pass."""

    d: int


Message = (
    Act
    | Ping
    | NextGame
    | Commit
    | Reveal
    | Undo
    | AskHint
    | Coach
    | Continue
    | Lang
    | SendChat
    | Resign
    | ClaimAbsent
    | ComeBack
    | UncoverScreen
)


# ── From the server ──────────────────────────────────────────────────────────────────────────────────────


class MatchState(msgspec.Struct, frozen=True):
    """How the match stands: what each side has won, the number of the present game, and how long it is."""

    tally: tuple[int, ...]
    game: int
    length: Length
    winners: tuple[int, ...]
    """The sides that have won the match; none while it goes on."""


class Fallback(msgspec.Struct, frozen=True):
    """A computer that plays below its level: which, and like whom."""

    seat: int
    table: str | None
    """The solved table that is damaged; None where the computer's own level cannot think just now."""
    level: str


class Invitation(msgspec.Struct, frozen=True):
    """A place still open, and the way in."""

    seat: int
    path: str


class TableOptions(msgspec.Struct, frozen=True):
    """What was chosen for a table in addition to the rules: the board, seconds for a challenge, the day."""

    board: Board
    challenge_seconds: float | None
    daily: str | None
    """The date of the day whose deal this is."""


class TableExtras(msgspec.Struct, frozen=True):
    """What the table adds to the game as a person may see it."""

    levels: tuple[str | None, ...]
    """The strength of each seat's computer; None for a person."""
    options: TableOptions
    undo: bool
    hints: bool
    fallbacks: tuple[Fallback, ...]
    invitations: tuple[Invitation, ...]


class SettledTable(msgspec.Struct, frozen=True, kw_only=True):
    """The table between two actions: the view, what the seat may do now, and how the match stands."""

    view: View
    choices: tuple[Choice, ...]
    match: MatchState
    undo: bool
    hints: bool
    """Whether hints may be asked for at this table."""
    fallbacks: tuple[Fallback, ...]
    closed: bool
    """The game was abandoned, or the table cancelled: no one goes on here."""


class WholeTable(SettledTable, frozen=True, kw_only=True):
    """Everything a page needs to begin with."""

    names: tuple[str, ...]
    levels: tuple[str | None, ...]
    options: TableOptions
    commitment: str
    sentences: tuple[str, ...]
    """The last sentences."""
    invitations: tuple[Invitation, ...]


class EventReport(msgspec.Struct, frozen=True):
    """One event, the sentence for it, and what is said aloud, in order."""

    event: Event | None
    sentence: str
    spoken: tuple[str, ...] | None
    named: tuple[i18n.NamedScore, ...] | None = None
    """A hand or crib as learners count it."""


class Awaited(msgspec.Struct, frozen=True):
    """The seats the table waits for, and the seconds left for a challenge."""

    seats: tuple[int, ...]
    challenge_seconds_left: float | None


class People(msgspec.Struct, frozen=True):
    """Who is at the table, by seat."""

    present: tuple[bool, ...]
    """The person of this seat has a page open; computers are always present."""
    open: tuple[bool, ...]
    """No person has sat down here yet."""
    player_numbers: tuple[int, ...]
    """The number of each player, which stays when seats change."""
    spectators: int = 0
    """How many spectators there are."""


class ScreenPass(msgspec.Struct, frozen=True, kw_only=True):
    """A screen that several people share goes on to another of them. Nothing in it is hidden from anyone."""

    number: int
    """Of this pass; `uncover-screen` repeats it."""
    to_seat: int | None
    """The seat that gets the screen; None if no player of this screen is to act yet."""
    is_covered: bool
    """Only that person's own press may open it: they hold cards that the others may not see."""
    own_seats: tuple[int, ...]
    """The seats that the people of this screen came to."""
    names: tuple[str, ...]
    waiting_seats: tuple[int, ...]
    """The seats that the table waits for."""
    front: tuple[int, ...]
    sentences: tuple[str, ...]
    """What has happened since that person last looked."""


class ChatLine(msgspec.Struct, frozen=True):
    """Who said what, by the number they came in."""

    person: int
    message: Preset


class SeatTime(msgspec.Struct, frozen=True):
    """A seat's clock: what runs, the seconds left of it, and the level that plays for the person there."""

    running: Literal["move", "away"] | None
    seconds_left: float | None
    level: str | None


class Clock(msgspec.Struct, frozen=True):
    """How long people still have, by seat."""

    seats: tuple[SeatTime, ...]
    move_seconds: float | None
    """Seconds for a move, as agreed."""
    away_seconds: float | None
    """Seconds that a person may be away, as agreed."""
    on_timeout: str
    """The level that plays on when a time is used up; "forfeit"; or "claim": then others may ask for it."""


class Advice(msgspec.Struct, frozen=True):
    """A hint: the cards to discard or to play, the sentence with the reason, and its value."""

    cards: tuple[Card, ...]
    sentence: str
    value: str
    """In words: mean points, and the chance of winning where it is known."""
    others: tuple[str, ...] = ()
    """Why not what was raised; else why not the next best, and where that is nearly as good the best of those
    that are not."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The cost of a choice just made."""

    mark: str | None
    """small, mistake or blunder; None for one as good as the best."""
    cost: str
    """In words: what it gave away."""
    best: tuple[Card, ...]
    reasons: tuple[str, ...]
    """Why, where it was costly."""
    is_paused: bool
    """The table waits until the choice is taken back or `continue` comes."""


class Dealing(msgspec.Struct, frozen=True, kw_only=True):
    """How the dealing of the present game stands (docs/dealing.md). Lists go by the seats people came to."""

    game: int
    """Its number in the match."""
    stage: Literal["committing", "revealing", "dealing"]
    commitment: str
    """The server's; empty where nothing was committed to."""
    committed: tuple[str, ...]
    """As in a record; empty for a page that has not committed yet; no entries where one secret decides."""
    seeds: tuple[str, ...]
    """None before all are known."""
    awaited: tuple[int, ...]
    """The seats whose page must commit or reveal."""
    links: tuple[str, ...]
    """What opens the draws and each deal that is over."""
    deals: tuple[tuple[str, ...], ...]
    """What was drawn, cut, dealt and turned up in each of them, line by line as in a record."""


class Refusal(msgspec.Struct, frozen=True):
    """Why something was not done; nothing has changed."""

    code: str
    rule: str | None
    message: str


class TableMessage(msgspec.Struct, frozen=True, tag_field="t", tag="table"):
    """The whole table at `v`."""

    v: int
    d: WholeTable


class EventMessage(msgspec.Struct, frozen=True, tag_field="t", tag="event"):
    """The event that made it `v`."""

    v: int
    d: EventReport


class ViewMessage(msgspec.Struct, frozen=True, tag_field="t", tag="view"):
    """The settled table after a batch of events."""

    v: int
    d: SettledTable


class WaitingMessage(msgspec.Struct, frozen=True, tag_field="t", tag="waiting"):
    """Whom the table waits for."""

    d: Awaited


class PeopleMessage(msgspec.Struct, frozen=True, tag_field="t", tag="people"):
    """Who has come, who is away, which places are open."""

    d: People


class PassMessage(msgspec.Struct, frozen=True, tag_field="t", tag="pass-screen"):
    """Pass the screen on."""

    d: ScreenPass


class QuickChatMessage(msgspec.Struct, frozen=True, tag_field="t", tag="chat"):
    """A quick-chat message."""

    d: ChatLine


class HintMessage(msgspec.Struct, frozen=True, tag_field="t", tag="hint"):
    """A hint that was asked for."""

    d: Advice


class CoachMessage(msgspec.Struct, frozen=True, tag_field="t", tag="coach"):
    """The cost of a choice, for a page that listens to the coach."""

    d: Verdict


class ClockMessage(msgspec.Struct, frozen=True, tag_field="t", tag="clock"):
    """How long people still have, at a table where that was agreed."""

    d: Clock


class DealingMessage(msgspec.Struct, frozen=True, tag_field="t", tag="dealing"):
    """Commitments and seeds, as far as they are public."""

    d: Dealing


class RefusedMessage(msgspec.Struct, frozen=True, tag_field="t", tag="refused"):
    """A message that led to nothing."""

    d: Refusal


class PongMessage(msgspec.Struct, frozen=True, tag_field="t", tag="pong"):
    """The connection is still there."""

    d: None = None


PING, PONG = to_json(Ping()).decode(), to_json(PongMessage())

ServerMessage = (
    TableMessage
    | PongMessage
    | EventMessage
    | ViewMessage
    | WaitingMessage
    | PeopleMessage
    | ClockMessage
    | PassMessage
    | QuickChatMessage
    | DealingMessage
    | HintMessage
    | CoachMessage
    | RefusedMessage
)


def check_protocol(version: str | None) -> None:
    """Raise Refused where a page was loaded with another version of the messages."""
    if version != str(PROTOCOL):
        raise Refused("page-outdated", status=409)


def read_message(text: str | bytes) -> Message:
    """A page's message; Refused where it is none."""
    if len(text) > MAX_MESSAGE_BYTES:
        raise Refused("message-too-long", most=MAX_MESSAGE_BYTES)
    try:
        return from_json(text, Message)  # type: ignore[arg-type]
    except (NotationError, RecursionError):
        raise Refused("message-unreadable") from None


def encode(one: ServerMessage) -> bytes:
    """Return a message as it goes over the socket."""
    return to_json(one)


Names = Sequence[str]
"""People's names in a reader's language, by the order they came."""


def table_message(
    ledger: Ledger, person: int, lang: str, names: Names, extras: TableExtras, *, shared: bool = False
) -> bytes:
    """Return the whole table as a person may see it. shared: on a page that others will look at too."""
    whole = WholeTable(
        **msgspec.structs.asdict(settled_table(ledger, person, extras, shared=shared)),
        names=tuple([names[other] for other in ledger.seated]),
        levels=extras.levels,
        options=extras.options,
        commitment=ledger.dealing.commitment,
        sentences=last_sentences(ledger, None if shared else person, lang, names),
        invitations=extras.invitations,
    )
    return to_json(TableMessage(ledger.v, whole))


def last_sentences(ledger: Ledger, person: int | None, lang: str, names: Names) -> tuple[str, ...]:
    """Return the last events of the present game as sentences, as `sentence`."""
    began = max(ledger.restart_version, ledger.v - MAX_SENTENCES)
    entries = ledger.entries[began - ledger.dropped_events :]
    sentences = [event_sentence(entry, person, lang, names, ledger.match.rules.sides) for entry in entries]
    return tuple([one for one in sentences if one])


def match_state(ledger: Ledger) -> MatchState:
    """How the match stands."""
    now = ledger.match_so_far
    return MatchState(now.tally, ledger.match.number_in_match, now.length, now.winners)


def settled_table(ledger: Ledger, person: int, extras: TableExtras, *, shared: bool = False) -> SettledTable:
    """The view, what the seat may do now, and how the match stands.

    shared: discards are left out: at the show others see the page too, before the crib is open.
    """
    seen = view(ledger.table.state, ledger.seat_of(person))
    nothing = ledger.awaited_for_seeds or ledger.is_abandoned or person in ledger.disconnects.levels
    if shared:
        seen = msgspec.structs.replace(seen, discarded=())
    return SettledTable(
        view=seen,
        choices=() if nothing else cast("tuple[Choice, ...]", choices(seen)),
        match=match_state(ledger),
        undo=extras.undo,
        hints=extras.hints,
        fallbacks=extras.fallbacks,
        closed=ledger.is_abandoned,
    )


def view_message(ledger: Ledger, person: int, extras: TableExtras, *, shared: bool = False) -> bytes:
    """The settled view after a batch of events."""
    return to_json(ViewMessage(ledger.v, settled_table(ledger, person, extras, shared=shared)))


def event_message(
    v: int, entry: Entry, person: int | None, lang: str, names: Names, sides: int, *, shared: bool = False
) -> bytes:
    """Return one event as a person may see it. shared: on a shared page, its sentence without a "you"."""
    seen = None if entry.event is None else see(entry.event, _seat(entry, person))
    text = event_sentence(entry, None if shared else person, lang, names, sides)
    if seen is None:
        return to_json(EventMessage(v, EventReport(seen, text, None)))
    return to_json(
        EventMessage(v, EventReport(seen, text, spoken_text(seen, lang), named_scores(seen, lang)))
    )


def _seat(entry: Entry, person: int | None) -> int | None:
    return None if person is None else entry.seated.index(person)


def spoken_text(seen: Event, lang: str) -> tuple[str, ...] | None:
    """Return what is spoken: a hand's count score by score, or the one word of pegging."""
    shown = _show_scores(seen)
    if shown is not None:
        return tuple(i18n.spoken(shown, lang)) or None
    count = i18n.spoken_count(seen, lang)
    return None if count is None else (count,)


def named_scores(seen: Event, lang: str) -> tuple[i18n.NamedScore, ...] | None:
    """Return a hand or crib by the names of its scores."""
    return i18n.named(_show_scores(seen) or (), lang) or None


def _show_scores(seen: Event) -> tuple[Score, ...] | None:
    if isinstance(seen, ClaimSettled) or (isinstance(seen, Pegged) and seen.reason in _SHOW_REASONS):
        return seen.scores
    return None


def event_sentence(entry: Entry, person: int | None, lang: str, names: Names, sides: int) -> str:
    """Return an event as a sentence for a person at the table; None: for no one, so without hidden cards."""
    if entry.event is None:
        return ""
    seat = _seat(entry, person)
    seated = tuple(names[other] for other in entry.seated)
    seen = see(entry.event, seat)
    return i18n.event_text(seen, lang, seated, viewer=seat, sides=sides, called=entry.is_muggins_called)


def waiting_message(seats: Iterable[int], challenge_seconds_left: float | None) -> bytes:
    """Whom the table waits for, and how many seconds at most."""
    rounded = None if challenge_seconds_left is None else round(max(challenge_seconds_left, 0.0), 2)
    return to_json(WaitingMessage(Awaited(tuple(seats), rounded)))


def refused_message(error: FifteenTwoError, lang: str) -> bytes:
    """Return the message that something was not done, and why."""
    return to_json(RefusedMessage(refusal(error, lang)))


def refusal(error: FifteenTwoError, lang: str) -> Refusal:
    """Return why something was not done."""
    return Refusal(error.code, getattr(error, "rule", None), i18n.refusal(error, lang))
