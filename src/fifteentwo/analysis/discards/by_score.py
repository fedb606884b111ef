"""Discards by the score: the win probability of each discard that is not far below the best average."""

from fifteentwo.analysis.discards.by_averages import hand_and_crib
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.near_end import NEEDS
from fifteentwo.rules.cards import Card
from fifteentwo.rules.view import View

Cards = tuple[Card, ...]

MAX_AVERAGE_LOSS = 2.0
"""Largest loss of mean points (hand and crib) of a discard that is compared before the end."""


def is_near_end(view: View) -> bool:
    """Return whether a side needs so few points (at most NEEDS) that mean points are a poor guide."""
    return view.rules.target - max(view.front) <= NEEDS


def discard_values(view: View, usual: Cards | None = None) -> dict[Cards, float]:
    """Return the value of each discard that is not far below the best average, for two players.

    Values run from -1 (lost) to 1 (won); if skunks count, they are games won less games lost. usual: a
    discard to value in any case. Takes about 10 ms, near the end 20.

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
    """Return the discard that wins most at this score, but `usual` if that is equally good or nearly so.

    usual: the discard by the stored strategy, two cards in the order of the hand.

    Raises:
        DamagedTable: A table that this needs is damaged.
    """
    values = discard_values(view, usual)
    # A value runs from -1 to 1, a win probability from 0 to 1.
    is_good = values[usual] >= max(values.values()) - 2 * win.TIE_MARGIN
    return usual if is_good else max(values, key=lambda way: values[way])
