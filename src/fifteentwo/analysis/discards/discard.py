"""Every discard of a hand: mean hand, crib and pegging, and the win probability.

For two players all figures come from `win.Prospects`: both sides discard and peg by the stored strategies,
and the other side's cards come from the unseen ones. In the other variants the crib is exact if the others
are equally likely to discard any card. The hand is always exact over all unseen starters.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from fifteentwo.analysis.win import model as win
from fifteentwo.fast import discards
from fifteentwo.rules.cards import Card
from fifteentwo.rules.variants import SIX_CARD, Rules, rules_for

Floats = NDArray[np.float64]


class Spread(msgspec.Struct, frozen=True):
    """A distribution of points."""

    weights: tuple[float, ...]
    """Probability of 0, 1, … points, or the number of cases with these points."""

    @property
    def total(self) -> float:
        """The sum of the weights: 1, or the number of cases."""
        return sum(self.weights)

    @property
    def mean(self) -> float:
        return sum(points * weight for points, weight in enumerate(self.weights)) / self.total


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One discard from a hand, and what it brings."""

    discard: tuple[Card, ...]
    keep: tuple[Card, ...]
    hand: Spread
    """Show points of the kept hand over all starters."""
    crib: Spread
    """Points of the crib of either side."""
    pegging: float | None
    """Mean pegging points, own less the other's, without heels; None if unknown."""
    net: float
    """Mean points of the hand, plus the own crib or minus the other side's, plus pegging."""
    win: float | None = None
    """Win probability (0–1); None if it is unknown or no scores were given."""


PeggingEstimate = Callable[[Sequence[Card], bool], float]
"""A function of a kept hand, and of whether the crib is the own side's, that returns mean pegging points, own
less the opponent's."""


def options(
    held: Sequence[Card],
    *,
    own_crib: bool,
    rules: Rules = SIX_CARD,
    board: tuple[int, int] | None = None,
    pegging: PeggingEstimate | None = None,
) -> tuple[Option, ...]:
    """Return every discard of these cards, best first: by win probability if known, otherwise by net points.

    held: different cards, as many as are dealt. own_crib: whether the crib is the own side's. board: own and
    opponent's score. pegging: replaces the figure of `analysis.win`. Two players discard and peg as in
    `analysis.win`; in the other variants any discard is equally likely, without pegging. 13 ms for new cards,
    18 without numba.

    >>> from fifteentwo.rules.cards import cards, show_text
    >>> best = options(cards("5H 5S 6D 7C JC KD"), own_crib=False)[0]
    >>> show_text(best.discard), round(best.hand.mean, 2)
    ('6D 7C', 12.41)
    """
    if board is not None and not all(0 <= points < rules.target for points in board):
        raise ValueError(f"board: expected two scores from 0 to {rules.target - 1}, got {board}")
    board = None if board is None else (board[0], board[1])
    indices = np.array([[card.index for card in held]], np.uint8)
    places, _ = discards.ways(rules.dealt, rules.discards)
    known = win.prospects(tuple(held), own_crib) if rules.seats == 2 else None
    hands = discards.kept_counts(indices, rules.discards)[0]
    cribs = discards.crib_counts_of_singles(indices)[0] if known is None else known.cribs
    pegged = None if known is None else pegs_of(known)
    chances = None if board is None else _chances(held, own_crib, rules, board)
    choices: list[Option] = []
    for number, way in enumerate(places.tolist()):
        keep = tuple(card for place, card in enumerate(held) if place not in way)
        hand, crib = Spread(tuple(hands[number].tolist())), Spread(tuple(cribs[number].tolist()))
        pegs = None if pegged is None else float(pegged[number, 0] - pegged[number, 1])
        if pegging is not None:
            pegs = pegging(keep, own_crib)
        net = hand.mean + (crib.mean if own_crib else -crib.mean) + (pegs or 0.0)
        option = Option(
            discard=tuple(held[place] for place in way),
            keep=keep,
            hand=hand,
            crib=crib,
            pegging=pegs,
            net=round(net, win.EXACT_DECIMALS),
            win=None if chances is None else float(chances[number]),
        )
        choices.append(option)
    choices.sort(key=lambda one: (one.net if one.win is None else one.win, one.net), reverse=True)
    return tuple(choices)


def pegs_of(known: win.Prospects) -> Floats:
    """Return (15, 2) mean pegging points by discard: own side's, other side's, without heels."""
    joint = known.pegging()
    own, other = (np.arange(size) for size in joint.shape[1:])
    return np.stack([joint.sum(axis=2) @ own, joint.sum(axis=1) @ other], axis=1)


def _chances(held: Sequence[Card], own_crib: bool, rules: Rules, board: tuple[int, int]) -> Floats | None:
    """Return win probabilities by discard in the order of `fast.discards.ways`; None if they are unknown."""
    if not win.has_win_probability(rules):
        return None
    return win.chances(held, dealer=own_crib, board=board, payoff=win.race_of(rules))


# ── As plain values ──────────────────────────────────────────────────────────────────────────────────────


def report(
    held: Sequence[Card],
    *,
    own_crib: bool,
    board: tuple[int, int] | None = None,
    variant: str = "six-card",
    spread: bool = False,
    target: int | None = None,
) -> dict[str, Any]:
    """Return `options` as plain values for JSON: {"role": …, "options": [{"discard": […], …}, …]}.

    "role" is "dealer" if the own side has the crib, otherwise "pone". spread: whether to add the
    probabilities of 0 to 29 points of hand and crib. target: the target score, if it is not the variant's
    usual one.
    """
    rules = rules_for(variant) if target is None else rules_for(variant, target=target)
    choices = options(held, own_crib=own_crib, rules=rules, board=board)
    return {
        "role": "dealer" if own_crib else "pone",
        "options": [_option_report(option, spread) for option in choices],
    }


def _option_report(option: Option, spread: bool) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "discard": [card.text for card in option.discard],
        "keep": [card.text for card in option.keep],
        "hand": round(option.hand.mean, 6),
        "crib": round(option.crib.mean, 6),
        "pegging": None if option.pegging is None else round(option.pegging, 6),
        "net": round(option.net, 6),
        "win": None if option.win is None else round(option.win, win.JSON_DECIMALS),
    }
    if spread:
        for name in ("hand", "crib"):
            cases: Spread = getattr(option, name)
            plain[f"{name}_chances"] = [round(weight / cases.total, 9) for weight in cases.weights]
    return plain
