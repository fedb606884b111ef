"""The messages of the WebSocket in both directions (docs/protocol.md): JSON envelopes {v, t, d}."""

from collections.abc import Iterable, Sequence
from typing import Generic, Literal, TypeVar, cast

import msgspec

from fifteentwo import i18n
from fifteentwo.contest.match import Length
from fifteentwo.rules.actions import NameDealer, SeatAction
from fifteentwo.rules.board import Board
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import FifteenTwoError, NotationError
from fifteentwo.rules.events import ClaimSettled, Event, Pegged, PeggedFor
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.view import View, choices, see, view
from fifteentwo.server.errors import Refused
from fifteentwo.server.table_log.ledger import Entry, Ledger

PROTOCOL = 1
"""Version of these messages. A page that was loaded with another version must be loaded again."""
MAX_PAGE_MESSAGE_BYTES = 2048
MAX_SENTENCES = 30
"""Events whose sentences are sent with the whole table."""
_HAND_OR_CRIB_SHOWN = (PeggedFor.HAND, PeggedFor.CRIB)


Choice = SeatAction | NameDealer
"""An action that a page may be offered and may send."""


T = TypeVar("T")


class MessageWithData(msgspec.Struct, Generic[T], frozen=True, tag_field="t"):
    """The base of messages that have data."""

    d: T
    """The data of the message, whose type the message's class states."""


class VersionedMessage(msgspec.Struct, Generic[T], frozen=True, tag_field="t"):
    """The base of messages about one version of the table."""

    v: int
    """Version of the table: the number of events that have led to it."""
    d: T
    """The data of the message, whose type the message's class states."""


# ── From the page ────────────────────────────────────────────────────────────────────────────────────────


class Act(MessageWithData[Choice], frozen=True, tag="act"):
    """An action of the page's person."""

    v: int | None = None
    """Version of the last event that the page had when the person acted."""


class Ping(msgspec.Struct, frozen=True, tag_field="t", tag="ping"):
    """A check of the connection, which `pong` answers."""


class NextGame(msgspec.Struct, frozen=True, tag_field="t", tag="next-game"):
    """A request to start the next game of the match, with the commitment to a seed for it."""

    d: str | None = None


class Commit(MessageWithData[str], frozen=True, tag="commit"):
    """The SHA-256 of the page's seed for this game."""


class Reveal(MessageWithData[str], frozen=True, tag="reveal"):
    """The page's seed, sent after everyone has committed."""


class Undo(msgspec.Struct, frozen=True, tag_field="t", tag="undo"):
    """A request to take back the person's last action."""


class AskHint(msgspec.Struct, frozen=True, tag_field="t", tag="hint"):
    """A request for the best choice and the reasons for it."""

    d: tuple[Card, ...] = ()
    """The cards that are raised on the page: the hint says why they are not the best."""


class Coach(MessageWithData[bool], frozen=True, tag="coach"):
    """A request to start (true) or stop (false) sending verdicts on the person's choices."""


class Continue(msgspec.Struct, frozen=True, tag_field="t", tag="continue"):
    """A notice that the person has read the coach's verdict."""


class Lang(MessageWithData[Literal["en", "ja"]], frozen=True, tag="lang"):
    """A request to send everything in this language from now on."""


class Resign(MessageWithData[int], frozen=True, tag="resign"):
    """A resignation from the game with this number; the page may still show an earlier game."""


class Absent(msgspec.Struct, frozen=True):
    """The seat of an absent person, and whether they forfeit the game or a level plays for them."""

    seat: int
    outcome: Literal["forfeit", "level"]


class ClaimAbsent(MessageWithData[Absent], frozen=True, tag="claim-absent"):
    """A claim that a person has been absent for long enough."""


class ComeBack(msgspec.Struct, frozen=True, tag_field="t", tag="come-back"):
    """A request to play again, in place of the level that plays for the person."""


Preset = Literal[
    "luck", "nice-hand", "nice-peg", "thanks", "sorry", "moment", "back", "good-game", "again", "leaving"
]
"""The preset messages of quick chat, which each page shows in its own language."""


class SendChat(MessageWithData[Preset], frozen=True, tag="chat"):
    """A preset message to the other people at the table."""


class UncoverScreen(MessageWithData[int], frozen=True, tag="uncover-screen"):
    """A request to show the cards of the person who was passed a shared screen; `d` is the pass's number."""


LogMessage = Act | NextGame | Commit | Reveal | Undo | Resign | ClaimAbsent | ComeBack
"""The messages that add a row to the log."""
Message = LogMessage | Ping | AskHint | Coach | Continue | Lang | SendChat | UncoverScreen


# ── From the server ──────────────────────────────────────────────────────────────────────────────────────


class MatchState(msgspec.Struct, frozen=True):
    """The state of the match: what each side has won, the number of the present game, and the length."""

    tally: tuple[int, ...]
    """Points of the match by side, for example games won."""
    game: int
    """Number of the present game within the match, from 1."""
    length: Length
    winners: tuple[int, ...]
    """The sides that have won the match; empty while it is in progress."""


class Fallback(msgspec.Struct, frozen=True):
    """A computer that plays below its own level, and the level that it plays at."""

    seat: int
    table: str | None
    """The solved table that is damaged; None if the computer's own level cannot choose now."""
    level: str


class Invitation(msgspec.Struct, frozen=True):
    seat: int
    path: str


class TableOptions(msgspec.Struct, frozen=True):
    """What pages show of the options of a table beside the rules."""

    board: Board
    challenge_seconds: float | None
    daily: str | None
    """The date of the daily deal; None for any other game."""
    evening: str
    """The evening whose table it is; empty for any other game."""


class TableExtras(msgspec.Struct, frozen=True):
    """The options of a table and the rights of its people, which pages show beside the game."""

    levels: tuple[str | None, ...]
    """The level of the computer at each seat; None for a person."""
    options: TableOptions
    undo: bool
    """Whether the person may take back their last action now."""
    hints: bool
    fallbacks: tuple[Fallback, ...]
    invitations: tuple[Invitation, ...]


class SettledTable(msgspec.Struct, frozen=True, kw_only=True):
    """The table between two actions: the view, the legal actions of the seat, and the match."""

    view: View
    choices: tuple[Choice, ...]
    match: MatchState
    undo: bool
    """Whether the person may take back their last action now."""
    hints: bool
    fallbacks: tuple[Fallback, ...]
    closed: bool
    """Whether the present game was ended because everyone had abandoned it."""


class WholeTable(SettledTable, frozen=True, kw_only=True):
    """Everything that a page needs to show a table."""

    names: tuple[str, ...]
    levels: tuple[str | None, ...]
    """The level of the computer at each seat; None for a person."""
    options: TableOptions
    commitment: str
    """The server's commitment to the secret of the present game."""
    sentences: tuple[str, ...]
    """The last events of the present game as sentences."""
    invitations: tuple[Invitation, ...]


class EventReport(msgspec.Struct, frozen=True):
    """An event, its sentence, and the words to be spoken, in order."""

    event: Event | None
    sentence: str
    spoken: tuple[str, ...] | None
    """The words that are spoken, in order: the scores of a hand, or the count; None for other events."""
    named: tuple[i18n.NamedScore, ...] | None = None
    """The scores of a hand or crib by name, for learners."""


class Awaited(msgspec.Struct, frozen=True):
    """The seats that the table waits for, and the seconds left to challenge a claim."""

    seats: tuple[int, ...]
    challenge_seconds_left: float | None


class People(msgspec.Struct, frozen=True):
    """The people at the table, by seat."""

    present: tuple[bool, ...]
    """Whether the person has a page open; true for computers."""
    open: tuple[bool, ...]
    """Whether nobody has taken the seat yet."""
    player_numbers: tuple[int, ...]
    """The person's number, which stays when seats change."""
    spectators: int = 0


class ScreenPass(msgspec.Struct, frozen=True, kw_only=True):
    """The pass of a shared screen to another of its people, without anything that is hidden from them."""

    number: int
    """Number of this pass, which `uncover-screen` repeats."""
    to_seat: int | None
    """The seat that receives the screen; None if none of its people must act yet."""
    is_covered: bool
    """Whether the person must press to see the table, because their cards are hidden from the others."""
    own_seats: tuple[int, ...]
    """The first seats of the people who share the screen."""
    names: tuple[str, ...]
    waiting_seats: tuple[int, ...]
    front: tuple[int, ...]
    """The position of each side's front peg, in points."""
    sentences: tuple[str, ...]
    """What has happened since the receiver last looked."""


class ChatLine(msgspec.Struct, frozen=True):
    """A quick-chat message and the number of the person who sent it."""

    person: int
    message: Preset


class SeatTime(msgspec.Struct, frozen=True):
    """A seat's clock: what runs, the seconds left, and the level that plays for the person."""

    running: Literal["move", "away"] | None
    seconds_left: float | None
    level: str | None
    """The level that plays for an absent person; None if none does."""


class Clock(msgspec.Struct, frozen=True):
    """The clocks of all seats, and the agreed times."""

    seats: tuple[SeatTime, ...]
    move_seconds: float | None
    away_seconds: float | None
    """Agreed seconds that a person may be absent in one game."""
    on_timeout: str
    """The level that plays on after a timeout; "forfeit"; or "claim": the others may claim the game."""


class Advice(msgspec.Struct, frozen=True):
    """A hint in three steps: a nudge, the idea, and the answer with its reason and value."""

    nudge: str
    """Where to look, without the answer."""
    idea: str
    """The idea of the answer, without its cards."""
    cards: tuple[Card, ...]
    """The cards that the hint recommends to discard or play."""
    sentence: str
    value: str
    """Text: expected points, and the win probability if it is known."""
    others: tuple[str, ...] = ()
    """Why the raised cards are worse, or the next best ones if no card is raised."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The cost of a choice that was just made."""

    mark: str | None
    """small, mistake or blunder; None if the choice was a best one."""
    cost: str
    """Text: the loss in win probability (percent) or in points; empty in a first game."""
    best: tuple[Card, ...]
    reasons: tuple[str, ...]
    """Why the choice was costly or, in a first game, good; otherwise empty."""
    is_paused: bool
    """Whether the table waits until the choice is taken back or `continue` arrives."""


class Dealing(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of the present game's dealing (docs/dealing.md). Lists are by people's first seats."""

    game: int
    stage: Literal["committing", "revealing", "dealing"]
    commitment: str
    """The server's commitment; empty if the game is dealt from one secret."""
    committed: tuple[str, ...]
    """Commitments as in a record, each empty until it is made; no entries if one secret decides the game."""
    seeds: tuple[str, ...]
    """The seeds of a game, as in a record; empty until all are known."""
    awaited: tuple[int, ...]
    """The seats whose page must commit or reveal."""
    links: tuple[str, ...]
    """The links of the hash chain revealed so far, in hexadecimal: of the draws and of each finished deal."""
    deals: tuple[tuple[str, ...], ...]
    """The draws, cuts, cards and starters under each link, as lines of a record."""


class Refusal(msgspec.Struct, frozen=True):
    """The reason why a request was refused and nothing has changed."""

    code: str
    rule: str | None
    """Number of the rule that the request breaks, for example R24; None if it breaks none."""
    message: str


class TableMessage(VersionedMessage[WholeTable], frozen=True, tag="table"):
    """The whole table at version `v`."""


class EventMessage(VersionedMessage[EventReport], frozen=True, tag="event"):
    """The event that led to version `v`."""


class ViewMessage(VersionedMessage[SettledTable], frozen=True, tag="view"):
    """The settled table after a batch of events."""


class WaitingMessage(MessageWithData[Awaited], frozen=True, tag="waiting"):
    """The seats that the table waits for."""


class PeopleMessage(MessageWithData[People], frozen=True, tag="people"):
    """The presence of each seat's person, and the open seats."""


class PassMessage(MessageWithData[ScreenPass], frozen=True, tag="pass-screen"):
    """The pass of a shared screen to another person."""


class QuickChatMessage(MessageWithData[ChatLine], frozen=True, tag="chat"):
    """A preset message from another person."""


class HintMessage(MessageWithData[Advice], frozen=True, tag="hint"):
    """The hint that the page has asked for."""


class CoachMessage(MessageWithData[Verdict], frozen=True, tag="coach"):
    """The cost of a choice, for a page that has asked for verdicts."""


class ClockMessage(MessageWithData[Clock], frozen=True, tag="clock"):
    """The clocks of all seats."""


class DealingMessage(MessageWithData[Dealing], frozen=True, tag="dealing"):
    """The public part of the commitments and seeds."""


class RefusedMessage(MessageWithData[Refusal], frozen=True, tag="refused"):
    """The refusal of a message from the page."""


class PongMessage(msgspec.Struct, frozen=True, tag_field="t", tag="pong"):
    """The answer to `ping`."""

    d: None = None


PING_TEXT = to_json(Ping()).decode()
PONG_BYTES = to_json(PongMessage())

GameMessage = TableMessage | EventMessage | ViewMessage | WaitingMessage | ClockMessage | DealingMessage
"""The messages about the game; spectators get those of the dealing too."""
MessageBesideGame = PeopleMessage | PassMessage | QuickChatMessage | HintMessage | CoachMessage
ServerMessage = GameMessage | MessageBesideGame | PongMessage | RefusedMessage


def read_message(text: str | bytes) -> Message:
    """Decode a message of a page. Raise Refused if it is too long or invalid."""
    if len(text) > MAX_PAGE_MESSAGE_BYTES:
        raise Refused("message-too-long", most=MAX_PAGE_MESSAGE_BYTES)
    try:
        return from_json(text, Message)  # type: ignore[arg-type]
    except (NotationError, RecursionError):
        raise Refused("message-unreadable") from None


def encode(message: ServerMessage) -> bytes:
    return to_json(message)


Names = Sequence[str]
"""People's names in a reader's language, by person number."""


def table_message(
    ledger: Ledger, person: int, lang: str, names: Names, extras: TableExtras, *, shared: bool = False
) -> bytes:
    """Return the whole table as a person may see it. shared: on a page that others see too."""
    settled = settled_table(ledger, person, extras, shared=shared)
    whole = WholeTable(
        **(msgspec.structs.asdict(settled) | msgspec.structs.asdict(extras)),
        names=tuple([names[other] for other in ledger.seated]),
        commitment=ledger.dealing.commitment,
        sentences=last_sentences(ledger, None if shared else person, lang, names),
    )
    return to_json(TableMessage(ledger.v, whole))


def last_sentences(ledger: Ledger, person: int | None, lang: str, names: Names) -> tuple[str, ...]:
    """Return the last events of the present game as sentences; see `event_sentence`."""
    began = max(ledger.restart_version, ledger.v - MAX_SENTENCES)
    entries = ledger.entries[began - ledger.dropped_events :]
    sentences = [event_sentence(entry, person, lang, names, ledger.match.rules.sides) for entry in entries]
    return tuple([one for one in sentences if one])


def match_state(ledger: Ledger) -> MatchState:
    now = ledger.match_so_far
    return MatchState(now.tally, ledger.match.number_in_match, now.length, now.winners)


def settled_table(ledger: Ledger, person: int, extras: TableExtras, *, shared: bool = False) -> SettledTable:
    """Return the table as a person may see it. shared: without discards, because others see the page."""
    seen = view(ledger.table.state, ledger.seat_of(person))
    nothing = ledger.awaited_for_seeds or ledger.is_abandoned or person in ledger.disconnects.levels_by_person
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
    return to_json(ViewMessage(ledger.v, settled_table(ledger, person, extras, shared=shared)))


def event_message(
    v: int, entry: Entry, person: int | None, lang: str, names: Names, sides: int, *, shared: bool = False
) -> bytes:
    """Return an event as a person may see it. shared: with a sentence that addresses nobody."""
    text = event_sentence(entry, None if shared else person, lang, names, sides)
    if entry.event is None:
        return to_json(EventMessage(v, EventReport(None, text, None)))
    seen = see(entry.event, _seat_at_event(entry, person))
    # A hand is spoken score by score, a card as the count.
    spoken, named = i18n.spoken_count(seen, lang), None
    words: tuple[str, ...] | None = None if spoken is None else (spoken,)
    if isinstance(seen, ClaimSettled) or (isinstance(seen, Pegged) and seen.reason in _HAND_OR_CRIB_SHOWN):
        words, named = tuple(i18n.spoken(seen.scores, lang)) or None, i18n.named(seen.scores, lang) or None
    return to_json(EventMessage(v, EventReport(seen, text, words, named)))


def _seat_at_event(entry: Entry, person: int | None) -> int | None:
    return None if person is None else entry.person_by_seat.index(person)


def event_sentence(entry: Entry, person: int | None, lang: str, names: Names, sides: int) -> str:
    """Return an event as a sentence for a person. None: for everyone, without hidden cards."""
    if entry.event is None:
        return ""
    seat = _seat_at_event(entry, person)
    seated = tuple(names[other] for other in entry.person_by_seat)
    seen = see(entry.event, seat)
    return i18n.event_text(seen, lang, seated, viewer=seat, sides=sides, called=entry.is_muggins_called)


def waiting_message(seats: Iterable[int], challenge_seconds_left: float | None) -> bytes:
    rounded = None if challenge_seconds_left is None else round(max(challenge_seconds_left, 0.0), 2)
    return to_json(WaitingMessage(Awaited(tuple(seats), rounded)))


def refused_message(error: FifteenTwoError, lang: str) -> bytes:
    return to_json(RefusedMessage(refusal(error, lang)))


def refusal(error: FifteenTwoError, lang: str) -> Refusal:
    return Refusal(error.code, getattr(error, "rule", None), i18n.refusal(error, lang))
