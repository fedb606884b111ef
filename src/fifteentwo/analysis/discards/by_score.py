"""Discards by the score: the win probability of each discard that is not far below the best average."""

from fifteentwo.analysis.discards.by_averages import hand_and_crib
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.near_end import NEEDS
from fifteentwo.rules.cards import Card
from fifteentwo.rules.view import View

Cards = tuple[Card, ...]

MAX_AVERAGE_LOSS = 2.0
"""Discards further below the best average of hand and crib, in points, are not compared before the end."""


def is_near_end(view: View) -> bool:
    """Return whether a side needs so few points that averages say little."""
    return view.rules.target - max(view.front) <= NEEDS


def discard_values(view: View, usual: Cards | None = None) -> dict[Cards, float]:
    """Return the value of each discard that is compared, for two; -1 is a sure loss, 1 a sure win.

    Values are games won less games lost if skunks count. usual: a discard to compare in any case. Takes about
    10 ms, near the end 20.

    Raises:
        DamagedTable: A table that this needs is damaged.
    """
    averages = {way: sum(both) for way, both in hand_and_crib(view).items()}
    least = max(averages.values()) - MAX_AVERAGE_LOSS
    compared = [
        (place, way)
        for place, (way, average) in enumerate(averages.items())
        if average >= least or is_near_end(view) or way == usual
    ]
    own, other = view.front[view.side], view.front[1 - view.side]
    known = win.Prospects(view.hand, dealer=view.is_dealer, only=[place for place, _ in compared])
    values = known.values(own, other, win.payoff_of(view.rules), games=view.rules.skunk)
    return dict(zip([way for _, way in compared], values.tolist(), strict=True))


def discard_by_score(view: View, usual: Cards) -> Cards:
    """Return the discard by the score; `usual`, that of the equilibrium, unless another is clearly better.

    usual: two cards in the order of the hand. A discard drawn from a mixed strategy stays mixed.

    Raises:
        DamagedTable: A table that this needs is damaged.
    """
    values = discard_values(view, usual)
    # A value runs from -1 to 1, a win probability from 0 to 1.
    is_good = values[usual] >= max(values.values()) - 2 * win.TIE_MARGIN
    return usual if is_good else max(values, key=lambda way: values[way])
