"""Why one discard beats another, as data: both means of hand, crib and pegging, and helpful starters."""

from collections.abc import Sequence
from typing import Any

import msgspec

from fifteentwo.analysis.discards.discard import Option, options
from fifteentwo.analysis.win.model import JSON_DECIMALS
from fifteentwo.rules import show
from fifteentwo.rules.cards import DECK, Card, Rank, show_text
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.events import ScoreName
from fifteentwo.rules.variants import SIX_CARD, Rules


class Starter(msgspec.Struct, frozen=True):
    """The show points of both kept hands with one starter."""

    card: Card
    first: int
    """Points of the hand kept by the first discard."""
    second: int
    """Points of the hand kept by the second discard."""


class Part(msgspec.Struct, frozen=True):
    """A figure of both discards, in mean points or win probability."""

    first: float
    """The figure of the first discard."""
    second: float
    """The figure of the second discard."""
    difference: float
    """How much better the first discard is; negative if it is worse."""


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """A first and a second discard from one hand, compared."""

    role: str
    """"dealer" if the own side has the crib, otherwise "pone"."""
    first: Option
    second: Option
    hand: Part
    crib: Part
    """Mean points of the crib; a richer crib is worse if it is the other side's."""
    pegging: Part | None
    """Mean pegging points, own less the other side's; None if unknown."""
    net: Part
    """Mean points of hand, crib and pegging together."""
    win: Part | None
    """Win probabilities (0–1); None if no scores were given or they are unknown."""
    scores: dict[ScoreName, Part]
    """Mean points of the kept hands by kind of score (fifteen, pair …); their sum is `hand`."""
    starters: tuple[Starter, ...]
    """Every unseen card as a starter; those that help the first discard most come first."""


def explain(
    held: Sequence[Card],
    first: Sequence[Card],
    second: Sequence[Card],
    *,
    own_crib: bool,
    rules: Rules = SIX_CARD,
    board: tuple[int, int] | None = None,
) -> Explanation:
    """Compare discarding `first` with discarding `second`; NotationError if `held` does not allow either.

    board: (own, other's) score before the deal, for win probabilities.

    >>> from fifteentwo.rules.cards import cards
    >>> explanation = explain(cards("5H 5S 6D 7C JC KD"), cards("JC KD"), cards("6D 7C"), own_crib=True)
    >>> explanation.hand.difference < 0 < explanation.net.difference
    True
    >>> show_text(starter.card for starter in explanation.starters[:-3:-1])
    'QC KC'
    """
    choices = options(held, own_crib=own_crib, rules=rules, board=board)
    one, other = _option_of(choices, first), _option_of(choices, second)
    seen = set(held)
    unseen = [card for card in DECK if card not in seen]
    counted = [(show.scores(one.keep, card), show.scores(other.keep, card)) for card in unseen]
    starters = [
        Starter(card, sum(score.points for score in mine), sum(score.points for score in theirs))
        for card, (mine, theirs) in zip(unseen, counted, strict=True)
    ]
    kinds: dict[ScoreName, Part] = {}
    for name in ScoreName:
        totals = [
            sum(score.points for both in counted for score in both[side] if score.name is name)
            for side in (0, 1)
        ]
        if any(totals):
            kinds[name] = _part(totals[0] / len(unseen), totals[1] / len(unseen))
    sign = 1 if own_crib else -1
    return Explanation(
        role="dealer" if own_crib else "pone",
        first=one,
        second=other,
        hand=_part(one.hand.mean, other.hand.mean),
        crib=_part(one.crib.mean, other.crib.mean, sign),
        pegging=_part_if_known(one.pegging, other.pegging),
        net=_part(one.net, other.net),
        win=_part_if_known(one.win, other.win),
        scores=kinds,
        starters=tuple(
            sorted(starters, key=lambda turned: (turned.second - turned.first, turned.card.index))
        ),
    )


def report(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as plain values for JSON; starters are merged by rank if suits do not matter."""
    parts = {name: getattr(explanation, name) for name in ("hand", "crib", "pegging", "net", "win")}
    return {
        "role": explanation.role,
        "first": [card.text for card in explanation.first.discard],
        "second": [card.text for card in explanation.second.discard],
        **{name: None if part is None else _part_report(part) for name, part in parts.items()},
        "scores": {name.value: _part_report(part) for name, part in explanation.scores.items()},
        "starters": [
            {"cards": [card.text for card in together], "first": first, "second": second}
            for first, second, together in _merge_by_rank(explanation.starters)
        ],
    }


def _merge_by_rank(starters: Sequence[Starter]) -> list[tuple[int, int, tuple[Card, ...]]]:
    """Return (points of first, of second, starters) for starters of one rank with equal points."""
    groups: dict[tuple[int, Rank, int], list[Starter]] = {}
    for turned in starters:
        groups.setdefault((turned.second - turned.first, turned.card.rank, turned.first), []).append(turned)
    return [
        (group[0].first, group[0].second, tuple(turned.card for turned in group)) for group in groups.values()
    ]


def _option_of(choices: Sequence[Option], discarded: Sequence[Card]) -> Option:
    wanted = set(discarded)
    for option in choices:
        if set(option.discard) == wanted and len(discarded) == len(option.discard):
            return option
    raise NotationError("card-not-held", show_text(discarded))


def _part_if_known(first: float | None, second: float | None) -> Part | None:
    return None if first is None or second is None else _part(first, second)


def _part(first: float, second: float, sign: int = 1) -> Part:
    """Return two figures compared. sign: -1 if a lower figure is better."""
    return Part(first, second, sign * (first - second))


def _part_report(part: Part) -> dict[str, float]:
    return {name: round(value, JSON_DECIMALS) for name, value in msgspec.structs.asdict(part).items()}
