"""Scores of a hand or crib in the show, in counting order (R80–R90, R93)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from operator import attrgetter

from fifteentwo.rules.cards import DECK, Card, Rank
from fifteentwo.rules.errors import IllegalAction, InvalidArgument
from fifteentwo.rules.events import Score, ScoreName

_by_index = attrgetter("index")
_PAIRS = {2: (ScoreName.PAIR, 2), 3: (ScoreName.PAIR_ROYAL, 6), 4: (ScoreName.DOUBLE_PAIR_ROYAL, 12)}
"""Name and points of two, three and four cards of one rank."""


def scores(hand: Sequence[Card], starter: Card, *, crib: bool = False) -> tuple[Score, ...]:
    """Return all scores of a hand or crib with the starter, in counting order (R93, C20).

    Args:
        hand: four cards; three cards are a hand of five-card cribbage, with its own flush (R103).
        starter: the starter.
        crib: whether the cards are a crib, whose flush needs the starter (R86).

    Raises:
        IllegalAction: a card occurs twice.
        InvalidArgument: there is text in place of cards.

    >>> from fifteentwo.rules.cards import Card, cards
    >>> [score.points for score in scores(cards("5H 5S 6D JC"), Card("7C"))]
    [2, 2, 2, 3, 3, 1]
    """
    try:
        together = sorted((*hand, starter), key=_by_index)
    except TypeError:
        raise InvalidArgument("text-not-cards", "hand", f"{hand}, {starter}") from None
    if len({*together}) < len(together):
        raise IllegalAction("card-twice", "R6")
    by_rank: dict[Rank, list[Card]] = {}
    for card in together:
        by_rank.setdefault(card.rank, []).append(card)
    return (
        *_fifteens(together),
        *_pairs(by_rank),
        *_runs(by_rank),
        *_flush(hand, starter, crib),
        *_nobs(hand, starter),
    )


def points(hand: Sequence[Card], starter: Card, *, crib: bool = False) -> int:
    """Return the points of a hand or crib with the starter; arguments and errors as in `scores`."""
    try:
        ranks = _RANK_KEYS[starter.index]
        for card in hand:
            ranks += _RANK_KEYS[card.index]
    except TypeError:
        raise InvalidArgument("text-not-cards", "hand", f"{hand}, {starter}") from None
    if len({*hand, starter}) <= len(hand):
        raise IllegalAction("card-twice", "R6")
    counted = _points_by_ranks.get(ranks)
    if counted is None:
        alike = [score.points for score in scores(hand, starter) if score.name not in _NAMES_BY_SUIT]
        counted = _points_by_ranks[ranks] = sum(alike)
    suit = starter.suit
    for card in hand:
        if card.rank is Rank.JACK and card.suit is suit:
            counted += 1
    return counted + sum([score.points for score in _flush(hand, starter, crib)])


_RANK_KEYS = [5 ** (card.rank - 1) for card in DECK]
"""Numbers by card index whose sum names the ranks of up to five cards, each rank with its number of cards."""
_NAMES_BY_SUIT = (ScoreName.FLUSH, ScoreName.NOBS)
_points_by_ranks: dict[int, int] = {}
"""Points of fifteens, pairs and runs by the ranks of all cards, filled as hands are counted; 6,175 at most
with five cards."""


def _fifteens(together: Sequence[Card]) -> Iterator[Score]:
    sums: list[tuple[int, tuple[Card, ...]]] = [(0, ())]
    for card in together:
        value = card.value
        sums += [(total + value, (*chosen, card)) for total, chosen in sums if total + value <= 15]
    for chosen in sorted([chosen for total, chosen in sums if total == 15], key=len):
        yield Score(ScoreName.FIFTEEN, chosen, 2, "R81")


def _pairs(by_rank: dict[Rank, list[Card]]) -> Iterator[Score]:
    for alike in by_rank.values():
        if len(alike) > 1:
            name, points = _PAIRS[len(alike)]
            yield Score(name, tuple(alike), points, "R82")


def _runs(by_rank: dict[Rank, list[Card]]) -> Iterator[Score]:
    if len(by_rank) < 3:
        return
    follow: list[list[Card]] = []
    expected = 0
    for rank, alike in (*by_rank.items(), (0, [])):
        if rank != expected:
            if len(follow) >= 3:
                for chosen in product(*follow):
                    yield Score(ScoreName.RUN, chosen, len(follow), "R83")
            follow = []
        follow.append(alike)
        expected = rank + 1


def _flush(hand: Sequence[Card], starter: Card, crib: bool) -> Iterator[Score]:
    suit = hand[0].suit
    for card in hand:
        if card.suit is not suit:
            return
    if starter.suit is suit:
        yield Score(ScoreName.FLUSH, (*hand, starter), len(hand) + 1, _flush_rule(hand, crib))
    elif not crib:
        yield Score(ScoreName.FLUSH, tuple(hand), len(hand), _flush_rule(hand, crib))


def _flush_rule(hand: Sequence[Card], crib: bool) -> str:
    if crib:
        return "R86"
    return "R85" if len(hand) == 4 else "R103"


def _nobs(hand: Sequence[Card], starter: Card) -> Iterator[Score]:
    for card in hand:
        if card.rank is Rank.JACK and card.suit is starter.suit:
            yield Score(ScoreName.NOBS, (card,), 1, "R87")


def run_shape(ranks: Sequence[int]) -> str | None:
    """Return the name of the run in these ranks with its pairs (R84); None if there is no run.

    >>> run_shape([3, 3, 4, 4, 5])
    'quadruple_run_of_three'
    """
    copies = Counter(ranks)
    for length in (5, 4, 3):
        for lowest in range(1, 15 - length):
            inside = sorted(copies[rank] for rank in range(lowest, lowest + length))
            if inside[0] > 0:
                return _SHAPES.get((length, tuple(number for number in inside if number > 1)))
    return None


_SHAPES = {
    (3, ()): "run_of_three",
    (4, ()): "run_of_four",
    (5, ()): "run_of_five",
    (3, (2,)): "double_run_of_three",
    (4, (2,)): "double_run_of_four",
    (3, (3,)): "triple_run_of_three",
    (3, (2, 2)): "quadruple_run_of_three",
}
"""Names of runs, by (length, number of cards of each repeated rank)."""
