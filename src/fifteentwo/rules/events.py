"""Events, named in the past tense.

For a seat that may not see cards, `view.see` returns the event without them.
"""

from enum import StrEnum

import msgspec

from fifteentwo.rules.cards import Card


class ScoreName(StrEnum):
    """Names of all scores."""

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
    """A scoring combination: its name, cards, points and rule number."""

    name: ScoreName
    cards: tuple[Card, ...]
    points: int
    rule: str
    """Number of the rule, for example "R81"."""


class PeggedFor(StrEnum):
    """Reasons for which a side scores points."""

    PLAY = "play"
    LAST_CARD = "last_card"
    HAND = "hand"
    CRIB = "crib"
    HEELS = "heels"
    THREE_FOR_LAST = "three_for_last"
    MUGGINS = "muggins"


class ForfeitedFor(StrEnum):
    """Reasons for which a game is forfeited."""

    RESIGNED = "resigned"
    TIME = "time"
    """The player's time for moves was used up."""
    AWAY = "away"
    """The player was away from the table for too long."""
    FAILED = "failed"
    """The program that played failed."""


class _Event(msgspec.Struct, frozen=True, gc=False, tag_field="type"):
    pass


class Picked(_Event, frozen=True, tag=True):
    """A seat took a card of the spread deck (R24)."""

    seat: int
    at: int
    """Index of the card in the spread deck, 0–51."""


class Drew(_Event, frozen=True, tag=True):
    """The card that a seat took was turned up for all to see (R24)."""

    seat: int
    card: Card


class DrawTied(_Event, frozen=True, tag=True):
    """These seats tied for the deciding place, and draw again (R27)."""

    seats: tuple[int, ...]


class PartnersMade(_Event, frozen=True, tag=True):
    """Partners were chosen by draw, and players change seats (R29)."""

    seating: tuple[int, ...]
    """Seat n now has the player of seat seating[n]."""


class DealerChosen(_Event, frozen=True, tag=True):
    """A seat was chosen as first dealer (R25, R28)."""

    dealer: int


class DeckCut(_Event, frozen=True, tag=True):
    """The deck was cut before the deal (R32)."""

    seat: int
    at: int
    """Number of cards lifted."""


class Dealt(_Event, frozen=True, tag=True):
    """Each seat received its cards (R33–R37)."""

    hands: tuple[tuple[Card, ...], ...]
    """Cards by seat; empty if the viewer may not see them."""
    crib: tuple[Card, ...]
    """Cards dealt to the crib."""


class Discarded(_Event, frozen=True, tag=True):
    """A seat discarded (R39, R40)."""

    seat: int
    cards: tuple[Card, ...]
    """Empty if the viewer may not see them."""


class StockCut(_Event, frozen=True, tag=True):
    """The stock was cut for the starter (R45)."""

    seat: int
    at: int
    """Number of cards lifted."""


class StarterTurned(_Event, frozen=True, tag=True):
    """The starter was turned up (R46)."""

    card: Card


class Played(_Event, frozen=True, tag=True):
    """A seat played a card (R51, R52)."""

    seat: int
    card: Card
    count: int
    """The running count, including this card."""


class WentGo(_Event, frozen=True, tag=True):
    """A seat that holds cards could not play any of them up to 31 (R55)."""

    seat: int


class CountCleared(_Event, frozen=True, tag=True):
    """A count ended, and its cards were turned down (R58, R63)."""

    count: int
    """The last value of the count."""


class Shown(_Event, frozen=True, tag=True):
    """A hand, or the crib, was shown to be counted (R78, R79)."""

    seat: int
    cards: tuple[Card, ...]
    crib: bool
    """Whether the cards are the crib."""


class Claimed(_Event, frozen=True, tag=True):
    """A seat claimed the points of its card, hand or crib."""

    seat: int
    points: int


class MugginsCalled(_Event, frozen=True, tag=True):
    """A seat challenged a claim (R97)."""

    seat: int


class Accepted(_Event, frozen=True, tag=True):
    """A seat accepted a claim."""

    seat: int


class ClaimSettled(_Event, frozen=True, tag=True):
    """A claim was settled (R94, R95)."""

    seat: int
    claimed: int
    """Points that the seat claimed."""
    right: int
    """The correct points."""
    scores: tuple[Score, ...]
    """The correct scores."""
    caller: int | None
    """Seat that scores for calling muggins."""


class Pegged(_Event, frozen=True, tag=True):
    """A side's front peg moved (C11)."""

    seat: int
    side: int
    points: int
    """All points scored, even those past the target."""
    score: int
    """The side's new score, at most the target."""
    reason: PeggedFor
    scores: tuple[Score, ...]
    """The scores behind the points; empty if a wrong claim was pegged."""


class DealEnded(_Event, frozen=True, tag=True):
    """The deal ended without a winner (R30, R92)."""

    dealer: int
    """The next dealer."""


class GameWon(_Event, frozen=True, tag=True, omit_defaults=True):
    """A side won the game (R13–R15)."""

    side: int
    scores: tuple[int, ...]
    lost: tuple[int, ...]
    """Games lost by each side, 0 for the winner (R18–R20)."""
    forfeited: int | None = None
    """Seat that forfeited the game; the target was not reached."""
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
"""Any event at a table."""


def is_called(called: bool, event: Event) -> bool:
    """Return whether muggins was called on the claim of an event; called: the result for the event before."""
    return isinstance(event, MugginsCalled) or (called and not isinstance(event, Claimed))
