"""Rules as values: the named variants, and the options that players agree (R1–R5)."""

from enum import StrEnum
from typing import Any, TypedDict, Unpack

import msgspec

from fifteentwo.rules.board import skunk_lines
from fifteentwo.rules.errors import InvalidArgument, InvalidRules, UnknownVariant, is_seat


class Variant(StrEnum):
    """Variants of the game, as in the rule documents."""

    SIX_CARD = "six-card"
    FIVE_CARD = "five-card"
    THREE_HANDED = "three-handed"
    PARTNERS = "partners"
    FOUR_HANDED = "four-handed"


class FirstDealer(StrEnum):
    """The first dealer: the seat with the lowest or the highest card drawn (R25), or a named one (R28)."""

    LOW = "low"
    HIGH = "high"
    NAMED = "named"


class Starter(StrEnum):
    """How the starter is found: by cutting the stock, or from its top (R45)."""

    CUT = "cut"
    TOP = "top"


class Counting(StrEnum):
    """Who counts points (R93–R98)."""

    AUTOMATIC = "automatic"
    """The table counts all points."""
    HANDS = "claimed-hands"
    """Players count hands and cribs; the table counts pegging."""
    CLAIMED = "claimed"
    """Players count hands, cribs and pegging."""


class Muggins(StrEnum):
    """What opponents may call: nothing, missed points (R94), or also overclaimed points (R95)."""

    OFF = "off"
    MISSED = "missed"
    MISSED_AND_OVERCLAIMS = "missed-and-overclaims"


TARGETS = (121, 61)
"""Allowed targets, in points: the game and the half game (R13)."""


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of a game. Create them with `rules_for`."""

    variant: Variant
    seats: int
    sides: int
    """Number of sides; 2 in partnerships: seats 0 and 2, 1 and 3 (R110)."""
    dealt: int
    """Cards dealt to each seat (R34–R37)."""
    dealt_to_crib: int = 0
    """Cards dealt to the crib (R35)."""
    discards: int
    """Cards that each seat discards (R39, R40)."""
    one_count: bool = False
    """Whether pegging is a single count (R102)."""
    three_for_last: bool = False
    """Whether the side without the first deal starts with 3 points (R100)."""
    target: int = 121
    """Points that win the game."""
    first_dealer: FirstDealer = FirstDealer.LOW
    partners_by_draw: bool = False
    """Whether the two highest cards drawn play the two lowest (R29)."""
    cut_before_deal: bool = True
    """Whether the player on the dealer's left cuts the deck (R32)."""
    starter: Starter = Starter.CUT
    """How the starter is found."""
    skunk: bool = False
    """Whether a loser below the skunk line loses two games (R18, R19)."""
    double_skunk: bool = False
    """Whether a loser below the double-skunk line loses four games (R20)."""
    counting: Counting = Counting.AUTOMATIC
    """Who counts points: the table or the players."""
    muggins: Muggins = Muggins.OFF
    """Which wrong claims opponents may call."""

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
        if tuple([getattr(self, name) for name in _FIXED_NAMES]) != _FIXED[self.variant]:
            raise InvalidRules("variant-changed", "R2")

    @property
    def kept(self) -> int:
        """Cards in each hand after discarding (R41)."""
        return self.dealt - self.discards

    @property
    def claimed(self) -> bool:
        """Whether players claim the points of their hands and cribs."""
        return self.counting is not Counting.AUTOMATIC

    @property
    def claims_pegging(self) -> bool:
        """Whether players also claim their points in pegging."""
        return self.counting is Counting.CLAIMED

    @property
    def skunk_line(self) -> int | None:
        """Score below which a loser is skunked (R18, R19); None without skunks."""
        return skunk_lines(self.target).get("skunk") if self.skunk else None

    @property
    def double_skunk_line(self) -> int | None:
        """Score below which a loser is double skunked (R20); None without double skunks."""
        return skunk_lines(self.target).get("double_skunk") if self.double_skunk else None

    def side(self, seat: int) -> int:
        """Return the side for which a seat scores (R105, R112); raise InvalidArgument if it is no seat."""
        if not is_seat(seat, self.seats):
            raise InvalidArgument("not-a-seat", "seat", seat)
        return seat % self.sides

    def games_lost(self, points: int) -> int:
        """Return the games lost by a loser with this score: 1, skunked 2, double skunked 4 (R18–R20)."""
        if self.double_skunk_line is not None and points < self.double_skunk_line:
            return 4
        if self.skunk_line is not None and points < self.skunk_line:
            return 2
        return 1


_FIXED_NAMES = ("seats", "sides", "dealt", "dealt_to_crib", "discards", "one_count", "three_for_last")
"""Fields of `Rules` that the variant determines."""
_FIXED: dict[Variant, tuple[int | bool, ...]] = {
    Variant.SIX_CARD: (2, 2, 6, 0, 2, False, False),
    Variant.FIVE_CARD: (2, 2, 5, 0, 2, True, True),
    Variant.THREE_HANDED: (3, 3, 5, 1, 1, False, False),
    Variant.PARTNERS: (4, 2, 5, 0, 1, False, False),
    Variant.FOUR_HANDED: (4, 4, 5, 0, 1, False, False),
}
"""Values of these fields for each variant."""


class RuleOptions(TypedDict, total=False):
    """Options of `rules_for`, which type checkers know; the fields of `Rules` describe them."""

    target: int
    first_dealer: str
    partners_by_draw: bool
    cut_before_deal: bool
    starter: str
    skunk: bool
    double_skunk: bool
    counting: str
    muggins: str


OPTIONS = tuple(RuleOptions.__annotations__)
"""Options that players choose; all other fields of `Rules` follow from the variant."""


def rules_for(variant: str, **options: Unpack[RuleOptions]) -> Rules:
    """Return the rules of a variant with options.

    Args:
        variant: name of the variant.
        options: any of OPTIONS.

    Raises:
        UnknownVariant: the variant does not exist.
        InvalidArgument: an option does not exist, or does not have this value.
        InvalidRules: the options are not allowed together.

    >>> rules_for("six-card", target=61, skunk=True).skunk_line
    31
    """
    try:
        chosen = Variant(variant)
    except ValueError:
        raise UnknownVariant(str(variant)) from None
    for name, value in options.items():
        _check_option(name, value)
    values = dict(zip(_FIXED_NAMES, _FIXED[chosen], strict=True))
    if chosen is Variant.FIVE_CARD:
        values["target"] = 61
    try:
        return msgspec.convert({"variant": chosen, **values, **options}, Rules)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, InvalidRules):
            raise error.__cause__ from None
        raise


def _check_option(name: str, value: object) -> None:
    if name not in OPTIONS:
        raise InvalidArgument("unknown-option", name, name, OPTIONS)
    kind = Rules.__annotations__[name]
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        allowed = TARGETS if kind is int else ("True", "False") if kind is bool else tuple(kind)
        raise InvalidArgument("option-value", name, value, allowed) from None


def options_of(rules: Rules) -> dict[str, Any]:
    """Return the options by name, so that `rules_for(rules.variant, **options_of(rules)) == rules`."""
    return {name: getattr(rules, name) for name in OPTIONS}


SIX_CARD = rules_for("six-card")
HALF_GAME = rules_for("six-card", target=61)
FIVE_CARD = rules_for("five-card")
THREE_HANDED = rules_for("three-handed")
PARTNERS = rules_for("partners")
FOUR_HANDED = rules_for("four-handed")
