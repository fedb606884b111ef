"""Discards by the score: as the equilibrium, unless another discard clearly wins more often."""

from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.shows import WAYS_OF
from fifteentwo.rules.cards import Card
from fifteentwo.rules.view import View


def discard_by_score(view: View, usual: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the two cards to discard, for two players. usual: the discard of the equilibrium.

    The usual discard is kept if it is as good, so that play stays mixed. With skunks, values count games won
    and lost. About 20 ms; raise DamagedTable.
    """
    own, other = view.front[view.side], view.front[1 - view.side]
    known = win.prospects(view.hand, view.is_dealer)
    expected = known.values(own, other, win.payoff_of(view.rules), games=view.rules.skunk)
    ways = [tuple([view.hand[place] for place in way]) for way in WAYS_OF[len(view.hand)]]
    by_equilibrium = next(i for i, way in enumerate(ways) if set(way) == set(usual))
    # Values range from -1 to 1, probabilities from 0 to 1.
    good = expected[by_equilibrium] >= expected.max() - 2 * win.AS_GOOD
    return usual if good else ways[int(expected.argmax())]
