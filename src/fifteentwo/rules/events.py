"""What happened, in the past tense.

A seat that may not see cards gets the event with those cards left out (`view.see`).
"""

from enum import StrEnum

import msgspec

from fifteentwo.rules.cards import Card


class ScoreName(StrEnum):
    """Everything that scores."""

    FIFTEEN = "fifteen"
    PAIR = "pair"
    PAIR_ROYAL = "pair_royal"
    DOUBLE_PAIR_ROYAL = "double_pair_royal"
    RUN = "run"
    FLUSH = "flush"
    NOBS = "nobs"
    THIRTY_ONE = "thirty_one"
    LAST_CARD = "last_card"
    HEELS = "heels"
    THREE_FOR_LAST = "three_for_last"
    MUGGINS = "muggins"


class Score(msgspec.Struct, frozen=True, gc=False):
    """One named combination, the cards that make it, its points and the rule that says so."""

    name: ScoreName
    cards: tuple[Card, ...]
    points: int
    rule: str


class PeggedFor(StrEnum):
    """What a move of the peg is for."""

    PLAY = "play"
    LAST_CARD = "last_card"
    HAND = "hand"
    CRIB = "crib"
    HEELS = "heels"
    THREE_FOR_LAST = "three_for_last"
    MUGGINS = "muggins"


class ForfeitedFor(StrEnum):
    """Why a game was given up before its end."""

    RESIGNED = "resigned"
    TIME = "time"
    """The time for a move was used up."""
    AWAY = "away"
    """The time to be away from the table was used up."""
    FAILED = "failed"
    """The program that played could not go on."""


class _Event(msgspec.Struct, frozen=True, gc=False, tag_field="type"):
    pass


class Picked(_Event, frozen=True, tag=True):
    """A seat took the card lying `at` in the spread deck (R24)."""

    seat: int
    at: int


class Drew(_Event, frozen=True, tag=True):
    """That card was turned up for all to see (R24)."""

    seat: int
    card: Card


class DrawTied(_Event, frozen=True, tag=True):
    """These seats tied for the decisive place and draw again (R27)."""

    seats: tuple[int, ...]


class PartnersMade(_Event, frozen=True, tag=True):
    """Who sat at `seating[n]` now sits at seat n (R29)."""

    seating: tuple[int, ...]


class DealerChosen(_Event, frozen=True, tag=True):
    """This seat deals first (R25, R28)."""

    dealer: int


class DeckCut(_Event, frozen=True, tag=True):
    """The deck was cut before the deal (R32)."""

    seat: int
    at: int


class Dealt(_Event, frozen=True, tag=True):
    """Each seat has its cards (R33–R37); hands that may not be seen are empty."""

    hands: tuple[tuple[Card, ...], ...]
    crib: tuple[Card, ...]


class Discarded(_Event, frozen=True, tag=True):
    """A seat discarded (R39, R40); cards that may not be seen are left out."""

    seat: int
    cards: tuple[Card, ...]


class StockCut(_Event, frozen=True, tag=True):
    """The stock was cut for the starter (R45)."""

    seat: int
    at: int


class StarterTurned(_Event, frozen=True, tag=True):
    """The starter lies face up (R46)."""

    card: Card


class Played(_Event, frozen=True, tag=True):
    """A card was played; `count` is the running total it made (R51, R52)."""

    seat: int
    card: Card
    count: int


class WentGo(_Event, frozen=True, tag=True):
    """A seat that holds cards cannot play any within 31 (R55)."""

    seat: int


class CountCleared(_Event, frozen=True, tag=True):
    """A count ended at `count`; its cards are turned down (R58, R63)."""

    count: int


class Shown(_Event, frozen=True, tag=True):
    """A hand, or the crib, was shown to be counted (R78, R79)."""

    seat: int
    cards: tuple[Card, ...]
    crib: bool


class Claimed(_Event, frozen=True, tag=True):
    """A seat said what its card, hand or crib makes."""

    seat: int
    points: int


class MugginsCalled(_Event, frozen=True, tag=True):
    """A seat challenged the claim (R97)."""

    seat: int


class Accepted(_Event, frozen=True, tag=True):
    """A seat let the claim stand."""

    seat: int


class ClaimSettled(_Event, frozen=True, tag=True):
    """The claim is closed: the claim, what was right and why, and who is paid for calling (R94, R95)."""

    seat: int
    claimed: int
    right: int
    scores: tuple[Score, ...]
    caller: int | None


class Pegged(_Event, frozen=True, tag=True):
    """A side's front peg moved; `points` in full, `score` stopped at the target (C11).

    `scores` is empty where a claim was pegged that was not right.
    """

    seat: int
    side: int
    points: int
    score: int
    reason: PeggedFor
    scores: tuple[Score, ...]


class DealEnded(_Event, frozen=True, tag=True):
    """The deal is over without a winner; the next dealer is `dealer` (R30, R92)."""

    dealer: int


class GameWon(_Event, frozen=True, tag=True, omit_defaults=True):
    """A side reached the target (R13–R15); `lost`: games each side loses, the winner 0 (R18–R20)."""

    side: int
    scores: tuple[int, ...]
    lost: tuple[int, ...]
    forfeited: int | None = None
    """The seat that gave up; the target was not reached."""
    why: ForfeitedFor | None = None


Event = (
    Picked
    | Drew
    | DrawTied
    | PartnersMade
    | DealerChosen
    | DeckCut
    | Dealt
    | Discarded
    | StockCut
    | StarterTurned
    | Played
    | WentGo
    | CountCleared
    | Shown
    | Claimed
    | MugginsCalled
    | Accepted
    | ClaimSettled
    | Pegged
    | DealEnded
    | GameWon
)
"""Something that happened at a table."""


def is_called(called: bool, event: Event) -> bool:
    """Return whether muggins was called on the claim an event is about; `called`: whether before it."""
    return isinstance(event, MugginsCalled) or (called and not isinstance(event, Claimed))
