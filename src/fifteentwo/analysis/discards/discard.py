"""Every discard of a hand: mean hand, crib and pegging, and the chance of winning.

For two players all of them are what `win.Prospects` holds: both sides discard and peg as the strategies that
ship, and the other side's cards come from those not seen. In the other forms, and where
opponents are given as a chart, the crib is exact for opponents who discard by that chart, whatever the
starter. The hand is exact over all unseen starters everywhere.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from fifteentwo.analysis.win import model as win
from fifteentwo.fast import discards
from fifteentwo.rules.cards import Card
from fifteentwo.rules.variants import SIX_CARD, Rules, rules_for
from fifteentwo.strategy.means import Chart, averages

Floats = NDArray[np.float64]


class Spread(msgspec.Struct, frozen=True):
    """How often each number of points: `weights[points]`, whole numbers where cases are counted."""

    weights: tuple[float, ...]

    @property
    def total(self) -> float:
        """The number of cases, by weight."""
        return sum(self.weights)

    @property
    def mean(self) -> float:
        """Mean points."""
        return sum(points * weight for points, weight in enumerate(self.weights)) / self.total


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One way to discard, and what it brings."""

    discard: tuple[Card, ...]
    keep: tuple[Card, ...]
    hand: Spread
    crib: Spread
    pegging: float | None
    """Mean points of the play, own less the opponent's, heels left out; None without an estimate."""
    net: float
    """Mean hand, plus or minus the mean crib, plus pegging."""
    win: float | None = None
    """Chance to win the game; None without a board or an estimate."""


PeggingEstimate = Callable[[Sequence[Card], bool], float]
"""What a kept hand pegs on average, own points less the opponent's; the second argument: whose crib it is."""


class Means(NamedTuple):
    """Mean points by hand and way to discard, ways in the order of `fast.discards.ways`."""

    hand: Floats
    crib: Floats
    net: Floats
    """hand ± crib, the play left out."""


def options(
    held: Sequence[Card],
    *,
    own_crib: bool,
    rules: Rules = SIX_CARD,
    board: tuple[int, int] | None = None,
    opponents: ArrayLike | None = None,
    pegging: PeggingEstimate | None = None,
) -> tuple[Option, ...]:
    """Every way to discard these cards, best first: by chance to win where estimated, else by net points.

    own_crib: the crib counts for one's own side. board: own and opponent's points. opponents: where two cards
    are discarded, a (13, 13) chart as `crib_weights.pair_crib_weights` takes it; for one card (13,) rates
    by rank. pegging: instead of the figure of `analysis.win`. Defaults, for two players: as
    `analysis.win` has the other side play; in the other forms any card alike, and no pegging. 20 ms for six
    cards not asked for shortly before.
    held: different cards, as many as are dealt.

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
    if known is not None and opponents is None:
        cribs = known.cribs
    else:
        cribs = _crib_counts(indices, rules, opponents)[0]
    pegged = None if known is None else pegs_of(known)
    chances = None if board is None else _chances(held, own_crib, rules, board)
    choices: list[Option] = []
    for number, way in enumerate(places.tolist()):
        keep = tuple(card for place, card in enumerate(held) if place not in way)
        hand, crib = Spread(tuple(hands[number].tolist())), Spread(tuple(cribs[number].tolist()))
        pegs = None if pegged is None else float(pegged[number, 0] - pegged[number, 1])
        if pegging is not None:
            pegs = pegging(keep, own_crib)
        option = Option(
            discard=tuple(held[place] for place in way),
            keep=keep,
            hand=hand,
            crib=crib,
            pegging=pegs,
            net=hand.mean + (crib.mean if own_crib else -crib.mean) + (pegs or 0.0),
            win=None if chances is None else float(chances[number]),
        )
        choices.append(option)
    return tuple(sorted(choices, key=_rating, reverse=True))


def means(hands: ArrayLike, *, own_crib: bool, opponents: ArrayLike | None = None, workers: int = 1) -> Means:
    """Mean hand, crib and both together for many six-card hands against a chart of discards: (n, 15) each.

    hands: (n, 6) card indices. opponents: a (13, 13) chart; default `usual_discards`, whose cribs are nearly
    those of `options`. About 20 µs a hand.
    ValueError names the first row that is no hand of six.
    """
    rows = np.asarray(hands)
    chart = usual_discards(own_crib) if opponents is None else opponents
    hand = discards.kept_sums(_six(rows), workers=workers) / 46
    sums, weight = discards.crib_sums(_six(rows), np.asarray(chart, np.float64), workers=workers)
    crib = sums / weight[:, None]
    return Means(hand, crib, hand + crib if own_crib else hand - crib)


def usual_discards(own_crib: bool) -> Chart:
    """How the other side discards for points: the chart of `crib_averages`, six cards."""
    tables = averages()
    return tables.pone_discards if own_crib else tables.dealer_discards


def pegs_of(known: win.Prospects) -> Floats:
    """(15, 2) mean points of the play, own and the other's, heels left out."""
    joint = known.pegging()
    own, other = (np.arange(size) for size in joint.shape[1:])
    return np.stack([joint.sum(axis=2) @ own, joint.sum(axis=1) @ other], axis=1)


def _chances(held: Sequence[Card], own_crib: bool, rules: Rules, board: tuple[int, int]) -> Floats | None:
    """The chance of winning by each way, in the order of `fast.discards.ways`; None where no one knows it."""
    if not win.known(rules):
        return None
    return win.chances(held, dealer=own_crib, board=board, payoff=win.race_of(rules))


def _rating(option: Option) -> tuple[float, float]:
    return (option.net if option.win is None else option.win, option.net)


def _crib_counts(indices: NDArray[np.uint8], rules: Rules, opponents: ArrayLike | None) -> Floats:
    if rules.discards == 2:
        chart = discards.UNIFORM if opponents is None else np.asarray(opponents, np.float64)
        return discards.crib_counts(indices, chart)
    frequencies = np.ones(13) if opponents is None else opponents
    weights = discards.singles(frequencies, dealt_to_crib=rules.dealt_to_crib > 0)
    return discards.crib_counts_of_singles(indices, weights)


def _six(rows: NDArray[Any]) -> NDArray[Any]:
    if rows.size and (rows.ndim != 2 or rows.shape[1] != 6):
        raise ValueError(f"hands: expected shape (n, 6), got {rows.shape}")
    return rows if rows.size else np.empty((0, 6), np.uint8)


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
    """`options` as plain values for JSON: {"options": [{"discard": […], "keep": […], "hand": x, …}, …], …}.

    "role": "dealer" where the crib is one's own, else "pone". spread: add the chance of each number of
    points from 0 to 29, of hand and crib. target: where it is not the variant's own.
    """
    rules = rules_for(variant) if target is None else rules_for(variant, target=target)
    choices = options(held, own_crib=own_crib, rules=rules, board=board)
    return {
        "role": "dealer" if own_crib else "pone",
        "options": [_plain(option, spread) for option in choices],
    }


def _plain(option: Option, spread: bool) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "discard": [card.text for card in option.discard],
        "keep": [card.text for card in option.keep],
        "hand": round(option.hand.mean, 6),
        "crib": round(option.crib.mean, 6),
        "pegging": None if option.pegging is None else round(option.pegging, 6),
        "net": round(option.net, 6),
        "win": None if option.win is None else round(option.win, win.PLACES),
    }
    if spread:
        for name in ("hand", "crib"):
            cases: Spread = getattr(option, name)
            plain[f"{name}_chances"] = [round(weight / cases.total, 9) for weight in cases.weights]
    return plain
