"""What a person or chance does, in the imperative.

Chance is an action too (`TurnUp`, `Deal`), chosen outside the rules: any position can be set up.
"""

import msgspec

from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import ForfeitedFor


class _Action(msgspec.Struct, frozen=True, gc=False, tag_field="type", forbid_unknown_fields=True):
    pass


class Draw(_Action, frozen=True, tag=True):
    """Take the card lying `at` (0–51) in the spread deck, for the deal or for partners (R24, R29)."""

    seat: int
    at: int


class TurnUp(_Action, frozen=True, tag=True):
    """Chance: the card just drawn or cut to turns out to be this one (R24, R45)."""

    card: Card


class NameDealer(_Action, frozen=True, tag=True):
    """The table agrees who deals first (R28)."""

    dealer: int


class Cut(_Action, frozen=True, tag=True):
    """Lift `at` cards: the deck before the deal (R32), the stock for the starter (R45)."""

    seat: int
    at: int


class Deal(_Action, frozen=True, tag=True):
    """Chance: the cards one at a time from the dealer's left, the crib's own last (R33–R37)."""

    cards: tuple[Card, ...]


class Discard(_Action, frozen=True, tag=True):
    """Give these cards to the crib (R39, R40)."""

    seat: int
    cards: tuple[Card, ...]


class Play(_Action, frozen=True, tag=True):
    """Play a card (R51)."""

    seat: int
    card: Card


class Go(_Action, frozen=True, tag=True):
    """Say go. Never needed, so always refused: the table says it for a seat that cannot play (R54)."""

    seat: int


class Claim(_Action, frozen=True, tag=True):
    """Say what your card, hand or crib makes, where players count for themselves (R93)."""

    seat: int
    points: int


class CallMuggins(_Action, frozen=True, tag=True):
    """Say that the claim is wrong (R94, R95)."""

    seat: int


class Accept(_Action, frozen=True, tag=True):
    """Let the claim stand."""

    seat: int


class Forfeit(_Action, frozen=True, tag=True):
    """Give the game up, whosever turn it is; never among the choices."""

    seat: int
    why: ForfeitedFor


SeatAction = Draw | Cut | Discard | Play | Go | Claim | CallMuggins | Accept
"""What a seat may do."""

ChanceAction = TurnUp | Deal
"""What chance does."""

Action = SeatAction | ChanceAction | NameDealer | Forfeit
"""Whatever may be done: by a seat, by chance, by the table."""
