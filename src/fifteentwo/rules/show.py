"""Scores of a hand or crib in the show, in counting order (R80–R90, R93)."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from operator import attrgetter, itemgetter

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
    key = _key_of_ranks(hand, starter)
    together = sorted((*hand, starter), key=_by_index)
    patterns = _scores_by_ranks.get(key)
    if patterns is None:
        found = _count_ranks(together)
        patterns = _scores_by_ranks[key] = [
            (one.name, itemgetter(*map(together.index, one.cards)), one.points, one.rule) for one in found
        ]
    return (
        *[Score(name, cards(together), points, rule) for name, cards, points, rule in patterns],
        *_flush(hand, starter, crib),
        *_nobs(hand, starter),
    )


def points(hand: Sequence[Card], starter: Card, *, crib: bool = False) -> int:
    """Return the points of a hand or crib with the starter; arguments and errors as in `scores`."""
    key = _key_of_ranks(hand, starter)
    counted = _points_by_ranks.get(key)
    if counted is None:
        found = _count_ranks(sorted((*hand, starter), key=_by_index))
        counted = _points_by_ranks[key] = sum([score.points for score in found])
    for score in (*_flush(hand, starter, crib), *_nobs(hand, starter)):
        counted += score.points
    return counted


_JACK = Rank.JACK
_RANK_KEYS = [5 ** (card.rank - 1) for card in DECK]
"""Numbers by card index whose sum names the ranks of up to five cards, each rank with its number of cards."""
_points_by_ranks: dict[int, int] = {}
"""Points of fifteens, pairs and runs by the ranks of all cards, filled as hands are counted; 6,175 at most
with five cards."""
_scores_by_ranks: dict[int, list[tuple[ScoreName, Callable[[list[Card]], tuple[Card, ...]], int, str]]] = {}
"""These scores by the ranks of all cards: name, function that picks its cards from all in index order, points
and rule."""


def _key_of_ranks(hand: Sequence[Card], starter: Card) -> int:
    try:
        key: int = _RANK_KEYS[starter.index]
        for card in hand:
            key += _RANK_KEYS[card.index]
    except TypeError:
        raise InvalidArgument("text-not-cards", "hand", f"{hand}, {starter}") from None
    if len({*hand, starter}) <= len(hand):
        raise IllegalAction("card-twice", "R6")
    return key


def _count_ranks(together: list[Card]) -> tuple[Score, ...]:
    """Return the fifteens, pairs and runs of cards in index order."""
    by_rank: dict[Rank, list[Card]] = {}
    for card in together:
        by_rank.setdefault(card.rank, []).append(card)
    return (*_fifteens(together), *_pairs(by_rank), *_runs(by_rank))


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


def _flush(hand: Sequence[Card], starter: Card, crib: bool) -> tuple[Score, ...]:
    suit = hand[0].suit
    for card in hand:
        if card.suit is not suit:
            return ()
    if starter.suit is suit:
        return (Score(ScoreName.FLUSH, (*hand, starter), len(hand) + 1, _flush_rule(hand, crib)),)
    return () if crib else (Score(ScoreName.FLUSH, tuple(hand), len(hand), _flush_rule(hand, crib)),)


def _flush_rule(hand: Sequence[Card], crib: bool) -> str:
    if crib:
        return "R86"
    return "R85" if len(hand) == 4 else "R103"


def _nobs(hand: Sequence[Card], starter: Card) -> tuple[Score, ...]:
    for card in hand:
        if card.rank is _JACK and card.suit is starter.suit:
            return (Score(ScoreName.NOBS, (card,), 1, "R87"),)
    return ()


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
