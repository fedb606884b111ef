"""Actions of seats and of chance, named in the imperative.

Chance is an action too (`TurnUp`, `Deal`) that is chosen outside the rules, so any position can be set up.
"""

import msgspec

from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import ForfeitedFor


class _Action(msgspec.Struct, frozen=True, gc=False, tag_field="type", forbid_unknown_fields=True):
    pass


class Draw(_Action, frozen=True, tag=True):
    """Take a card of the spread deck, for the first deal or for partners (R24, R29)."""

    seat: int
    at: int
    """Index of the card in the spread deck, 0–51."""


class TurnUp(_Action, frozen=True, tag=True):
    """Chance: turn up a card that was drawn or cut (R24, R45)."""

    card: Card


class NameDealer(_Action, frozen=True, tag=True):
    """Name the first dealer by agreement (R28)."""

    dealer: int


class Cut(_Action, frozen=True, tag=True):
    """Cut the deck before the deal (R32), or the stock for the starter (R45)."""

    seat: int
    at: int
    """Number of cards lifted."""


class Deal(_Action, frozen=True, tag=True):
    """Chance: deal the cards (R33–R37)."""

    cards: tuple[Card, ...]
    """Cards in dealing order from the dealer's left, then cards dealt to the crib."""


class Discard(_Action, frozen=True, tag=True):
    """Discard cards to the crib (R39, R40)."""

    seat: int
    cards: tuple[Card, ...]


class Play(_Action, frozen=True, tag=True):
    """Play a card (R51)."""

    seat: int
    card: Card


class Go(_Action, frozen=True, tag=True):
    """Say go. Always refused, because the table says go for a seat that cannot play (R54)."""

    seat: int


class Claim(_Action, frozen=True, tag=True):
    """Claim the points of a card, hand or crib, if players count for themselves (R93)."""

    seat: int
    points: int


class CallMuggins(_Action, frozen=True, tag=True):
    """Say that a claim is wrong (R94, R95)."""

    seat: int


class Accept(_Action, frozen=True, tag=True):
    """Accept a claim."""

    seat: int


class Forfeit(_Action, frozen=True, tag=True):
    """Forfeit the game, on turn or not; never among the listed choices."""

    seat: int
    why: ForfeitedFor


SeatAction = Draw | Cut | Discard | Play | Go | Claim | CallMuggins | Accept
"""Any action of a seat."""

ChanceAction = TurnUp | Deal
"""Any action of chance."""

Action = SeatAction | ChanceAction | NameDealer | Forfeit
"""Any action of a seat, of chance, or of the table."""
