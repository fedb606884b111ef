"""What may be agreed before the game: one frozen record of values, and the named variants (R1–R5)."""

from enum import StrEnum
from typing import Any

import msgspec

from fifteentwo.rules.board import lines
from fifteentwo.rules.errors import InvalidArgument, InvalidRules, UnknownVariant, is_seat


class Variant(StrEnum):
    """The games the documents describe."""

    SIX_CARD = "six-card"
    FIVE_CARD = "five-card"
    THREE_HANDED = "three-handed"
    PARTNERS = "partners"
    FOUR_HANDED = "four-handed"


class FirstDealer(StrEnum):
    """Who deals first: the lowest or the highest card drawn (R25), or the one who is named (R28)."""

    LOW = "low"
    HIGH = "high"
    NAMED = "named"


class Starter(StrEnum):
    """Whether the stock is cut for the starter, or its top card turned (R45)."""

    CUT = "cut"
    TOP = "top"


class Counting(StrEnum):
    """Whether the table counts, or each player claims: what hands and cribs make, or cards too (R93–R98)."""

    AUTOMATIC = "automatic"
    HANDS = "claimed-hands"
    """The table counts pegging."""
    CLAIMED = "claimed"


class Muggins(StrEnum):
    """What an opponent may call: nothing, missed points (R94), or also points too many (R95)."""

    OFF = "off"
    MISSED = "missed"
    MISSED_AND_OVERCLAIMS = "missed-and-overclaims"


TARGETS = (121, 61)
"""The game, and the half game (R13)."""


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything agreed before the game. Make one with `rules_for`."""

    variant: Variant
    seats: int
    sides: int
    """2 in partnerships: seat 0 with 2, 1 with 3 (R110)."""
    dealt: int
    """Cards dealt to each seat (R34–R37)."""
    dealt_to_crib: int = 0
    """Cards dealt straight to the crib (R35)."""
    discards: int
    """Cards each seat discards (R39, R40)."""
    one_count: bool = False
    """The play is a single count (R102)."""
    three_for_last: bool = False
    """The side without the first deal starts with 3 (R100)."""
    target: int = 121
    first_dealer: FirstDealer = FirstDealer.LOW
    partners_by_draw: bool = False
    """The two highest cards drawn play the two lowest (R29)."""
    cut_before_deal: bool = True
    """The player on the dealer's left cuts the shuffled deck (R32)."""
    starter: Starter = Starter.CUT
    skunk: bool = False
    double_skunk: bool = False
    counting: Counting = Counting.AUTOMATIC
    muggins: Muggins = Muggins.OFF

    def __post_init__(self) -> None:
        if self.target not in TARGETS:
            raise InvalidRules("target-not-offered", "R13")
        if self.variant is Variant.FIVE_CARD and self.target != 61:
            raise InvalidRules("five-card-is-61", "R104")
        if self.double_skunk and not self.skunk:
            raise InvalidRules("double-skunk-needs-skunk", "R20")
        if self.double_skunk and self.target != 121:
            raise InvalidRules("double-skunk-needs-121", "R20")
        if self.muggins is not Muggins.OFF and not self.claimed:
            raise InvalidRules("muggins-needs-claims", "R98")
        if self.partners_by_draw and self.variant is not Variant.PARTNERS:
            raise InvalidRules("no-partners-to-draw", "R29")
        if self.partners_by_draw and self.first_dealer is FirstDealer.NAMED:
            raise InvalidRules("partners-draw-needs-draw", "R29")
        if self._fixed() != _FIXED[self.variant]:
            raise InvalidRules("variant-changed", "R2")

    def _fixed(self) -> tuple[int | bool, ...]:
        return (
            self.seats,
            self.sides,
            self.dealt,
            self.dealt_to_crib,
            self.discards,
            self.one_count,
            self.three_for_last,
        )

    @property
    def kept(self) -> int:
        """Cards in a hand after discarding (R41)."""
        return self.dealt - self.discards

    @property
    def claimed(self) -> bool:
        """Players say what their hands and cribs score; the table does not."""
        return self.counting is not Counting.AUTOMATIC

    @property
    def claims_pegging(self) -> bool:
        """Players say what they score in pegging, too."""
        return self.counting is Counting.CLAIMED

    @property
    def skunk_line(self) -> int | None:
        """A loser below this is skunked (R18, R19); None where skunks are not played."""
        return lines(self.target).get("skunk") if self.skunk else None

    @property
    def double_skunk_line(self) -> int | None:
        """A loser below this is double skunked (R20); None where that is not played."""
        return lines(self.target).get("double_skunk") if self.double_skunk else None

    def side(self, seat: int) -> int:
        """Return the side that a seat scores for (R105, R112); raise InvalidArgument if it is no seat."""
        if not is_seat(seat, self.seats):
            raise InvalidArgument("not-a-seat", "seat", seat)
        return seat % self.sides

    def games_lost(self, points: int) -> int:
        """What a loser with so many points loses: 1 game, 2 skunked, 4 double skunked (R18–R20)."""
        if self.double_skunk_line is not None and points < self.double_skunk_line:
            return 4
        if self.skunk_line is not None and points < self.skunk_line:
            return 2
        return 1


_FIXED: dict[Variant, tuple[int | bool, ...]] = {
    # seats, sides, dealt, dealt to the crib, discards, one count, three for last
    Variant.SIX_CARD: (2, 2, 6, 0, 2, False, False),
    Variant.FIVE_CARD: (2, 2, 5, 0, 2, True, True),
    Variant.THREE_HANDED: (3, 3, 5, 1, 1, False, False),
    Variant.PARTNERS: (4, 2, 5, 0, 1, False, False),
    Variant.FOUR_HANDED: (4, 4, 5, 0, 1, False, False),
}
_FIXED_NAMES = ("seats", "sides", "dealt", "dealt_to_crib", "discards", "one_count", "three_for_last")

OPTIONS = (
    "target",
    "first_dealer",
    "partners_by_draw",
    "cut_before_deal",
    "starter",
    "skunk",
    "double_skunk",
    "counting",
    "muggins",
)
"""The options that may be chosen; everything else belongs to the variant."""


def rules_for(variant: str, **options: Any) -> Rules:
    """The rules of a variant with these options; UnknownVariant or InvalidRules where there are none.

    >>> rules_for("six-card", target=61, skunk=True).skunk_line
    31
    """
    try:
        chosen = Variant(variant)
    except ValueError:
        raise UnknownVariant(str(variant)) from None
    for name in options:
        if name not in OPTIONS:
            raise UnknownVariant(name)
    values = dict(zip(_FIXED_NAMES, _FIXED[chosen], strict=True))
    if chosen is Variant.FIVE_CARD:
        values["target"] = 61
    try:
        return msgspec.convert({"variant": chosen, **values, **options}, Rules)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, InvalidRules):
            raise error.__cause__ from None
        raise UnknownVariant(str(error)) from None


def options_of(rules: Rules) -> dict[str, Any]:
    """The options by name, such that `rules_for(rules.variant, **options_of(rules)) == rules`."""
    return {name: getattr(rules, name) for name in OPTIONS}


SIX_CARD = rules_for("six-card")
HALF_GAME = rules_for("six-card", target=61)
FIVE_CARD = rules_for("five-card")
THREE_HANDED = rules_for("three-handed")
PARTNERS = rules_for("partners")
FOUR_HANDED = rules_for("four-handed")
