"""The messages to the spectators of a table, made only from what every seat knows.

The ledger they are made from is delayed (`spectators`). A hand or crib is included once the deal is over.
"""

from collections.abc import Sequence

import msgspec

from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import DealEnded, Dealt, GameWon, Shown, StarterTurned
from fifteentwo.rules.record import to_json
from fifteentwo.rules.view import PublicView, public
from fifteentwo.server.live import wire
from fifteentwo.server.live.table_state import display_names
from fifteentwo.server.table_log.ledger import Entry, Ledger
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person


class LastDeal(msgspec.Struct, frozen=True, kw_only=True):
    """The last finished deal: hands by seat, the crib, the starter; without cards that were not shown."""

    hands: tuple[tuple[Card, ...], ...]
    """A hand is empty if it was not shown because the game was won before."""
    crib: tuple[Card, ...]
    starter: Card | None
    dealer: int
    """The seat that had the crib, in the present seating."""


class SpectatorTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table as spectators may see it."""

    view: PublicView
    match: wire.MatchState
    names: tuple[str, ...]
    levels: tuple[str | None, ...]
    """The level of a computer, or of the level that plays for an absent person; None for a person."""
    options: wire.TableOptions
    commitment: str
    """The server's commitment to the secret of the present game."""
    sentences: tuple[str, ...]
    """The last events of the present game as sentences."""
    last_deal: LastDeal | None
    is_abandoned: bool
    is_awaiting_seeds: bool
    """Whether pages must still commit or reveal before the first card."""


class SpectatorCount(msgspec.Struct, frozen=True):
    """The delay in seconds, and the number of spectators."""

    delay_seconds: float
    count: int


class SpectatorTableMessage(wire.VersionedMessage[SpectatorTable], frozen=True, tag="spectator-table"):
    """The whole table at version `v`, after the delay."""


class SpectatorCountMessage(wire.MessageWithData[SpectatorCount], frozen=True, tag="spectator-count"):
    """The number of spectators."""


MessageAlsoToPlayers = wire.DealingMessage | wire.RefusedMessage | wire.PongMessage
SpectatorMessage = SpectatorTableMessage | SpectatorCountMessage | MessageAlsoToPlayers


def table_message(ledger: Ledger, people: Sequence[Person], options: Options, lang: str) -> bytes:
    names, state, away = display_names(people, lang), ledger.table.state, ledger.disconnects.levels_by_person
    now = SpectatorTable(
        view=public(state),
        match=wire.match_state(ledger),
        names=tuple([names[person] for person in ledger.seated]),
        levels=tuple([people[person].level or away.get(person) for person in ledger.seated]),
        options=wire.TableOptions(options.board, options.challenge_seconds, options.daily, options.evening),
        commitment=ledger.dealing.commitment,
        sentences=wire.last_sentences(ledger, None, lang, names),
        last_deal=_last_deal(ledger.entries, state.rules.seats, state.dealer),
        is_abandoned=ledger.is_abandoned,
        is_awaiting_seeds=bool(ledger.awaited_for_seeds),
    )
    return to_json(SpectatorTableMessage(ledger.v, now))


def count_message(delay_seconds: float, spectator_count: int) -> bytes:
    return to_json(SpectatorCountMessage(SpectatorCount(delay_seconds, spectator_count)))


def _last_deal(entries: Sequence[Entry], seat_count: int, dealer: int) -> LastDeal | None:
    """Return the last finished deal among these events; None if there is none, or if it was taken back."""
    restarts = [place for place, entry in enumerate(entries, 1) if entry.event is None]
    events = [entry.event for entry in entries[restarts[-1] if restarts else 0 :] if entry.event is not None]
    ends = [place for place, event in enumerate(events) if isinstance(event, DealEnded | GameWon)]
    if not ends:
        return None
    ended = events[ends[-1]]
    hands: list[tuple[Card, ...]] = [()] * seat_count
    crib: tuple[Card, ...] = ()
    starter = None
    for event in reversed(events[: ends[-1]]):
        match event:
            case Dealt():
                break
            case Shown(crib=True):
                crib = event.cards
            case Shown():
                hands[event.seat] = event.cards
            case StarterTurned():
                starter = event.card
    before = (ended.dealer - 1) % seat_count if isinstance(ended, DealEnded) else dealer
    return LastDeal(hands=tuple(hands), crib=crib, starter=starter, dealer=before)
