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
    """Points of both kept hands with one unseen card."""

    card: Card
    first: int
    second: int


class Part(msgspec.Struct, frozen=True):
    """Mean points of both discards from one source; `difference` is the first's advantage."""

    first: float
    second: float
    difference: float


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Two discards compared."""

    role: str
    """"dealer" if the own side has the crib, otherwise "pone"."""
    first: Option
    second: Option
    hand: Part
    crib: Part
    """Mean cribs; the difference is negative if the crib is the other side's."""
    pegging: Part | None
    net: Part
    win: Part | None
    """Win probabilities at the board; None without a board."""
    scores: dict[ScoreName, Part]
    """Mean points of the kept hands by kind of score; their sum is `hand`."""
    starters: tuple[Starter, ...]
    """Every unseen card, best for the first discard at the front."""


def explain(
    held: Sequence[Card],
    first: Sequence[Card],
    second: Sequence[Card],
    *,
    own_crib: bool,
    rules: Rules = SIX_CARD,
    board: tuple[int, int] | None = None,
) -> Explanation:
    """Compare discarding `first` with discarding `second`; NotationError where either is no choice.

    board: both scores, own first, from which to win.

    >>> from fifteentwo.rules.cards import cards
    >>> explanation = explain(cards("5H 5S 6D 7C JC KD"), cards("JC KD"), cards("6D 7C"), own_crib=True)
    >>> explanation.hand.difference < 0 < explanation.net.difference
    True
    >>> show_text(starter.card for starter in explanation.starters[:-3:-1])
    'QC KC'
    """
    choices = options(held, own_crib=own_crib, rules=rules, board=board)
    one, other = _chosen(choices, first), _chosen(choices, second)
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
        pegging=_part_known(one.pegging, other.pegging),
        net=_part(one.net, other.net),
        win=_part_known(one.win, other.win),
        scores=kinds,
        starters=tuple(
            sorted(starters, key=lambda turned: (turned.second - turned.first, turned.card.index))
        ),
    )


def report(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as plain values for JSON; starters by rank if suits make no difference.

    Starters that help the first discard most come first.
    """
    parts = {name: getattr(explanation, name) for name in ("hand", "crib", "pegging", "net", "win")}
    return {
        "role": explanation.role,
        "first": [card.text for card in explanation.first.discard],
        "second": [card.text for card in explanation.second.discard],
        **{name: None if part is None else _plain(part) for name, part in parts.items()},
        "scores": {name.value: _plain(part) for name, part in explanation.scores.items()},
        "starters": [
            {"cards": [card.text for card in together], "first": first, "second": second}
            for first, second, together in _together(explanation.starters)
        ],
    }


def _together(starters: Sequence[Starter]) -> list[tuple[int, int, tuple[Card, ...]]]:
    """Return starters merged by rank if they make the same points, in the order of the difference."""
    groups: dict[tuple[int, Rank, int], list[Starter]] = {}
    for turned in starters:
        groups.setdefault((turned.second - turned.first, turned.card.rank, turned.first), []).append(turned)
    return [
        (group[0].first, group[0].second, tuple(turned.card for turned in group)) for group in groups.values()
    ]


def _chosen(choices: Sequence[Option], discarded: Sequence[Card]) -> Option:
    wanted = set(discarded)
    for option in choices:
        if set(option.discard) == wanted and len(discarded) == len(option.discard):
            return option
    raise NotationError("card-not-held", show_text(discarded))


def _part_known(first: float | None, second: float | None) -> Part | None:
    return None if first is None or second is None else _part(first, second)


def _part(first: float, second: float, sign: int = 1) -> Part:
    return Part(first, second, sign * (first - second))


def _plain(part: Part) -> dict[str, float]:
    return {name: round(value, JSON_DECIMALS) for name, value in msgspec.structs.asdict(part).items()}
