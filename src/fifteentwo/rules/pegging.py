"""Scores of one card in pegging (R59, R68–R75)."""

from collections.abc import Iterable, Sequence
from typing import cast

from fifteentwo.rules.cards import Card, cards
from fifteentwo.rules.errors import IllegalAction, InvalidArgument
from fifteentwo.rules.events import Score, ScoreName

LIMIT = 31
"""Highest count (R53)."""

_PAIRS = {2: (ScoreName.PAIR, 2), 3: (ScoreName.PAIR_ROYAL, 6), 4: (ScoreName.DOUBLE_PAIR_ROYAL, 12)}
"""Name and points of two, three and four cards of one rank."""


def playable(cards: Iterable[Card], count: int) -> tuple[Card, ...]:
    """Return the cards that can be played on a count without passing 31 (R53)."""
    return tuple([card for card in cards if count + card.value <= LIMIT])


def scores(played: Sequence[Card] | Sequence[str]) -> tuple[Score, ...]:
    """Return the scores of the last card of a count: fifteen, pairs, run and thirty-one (R75).

    Args:
        played: the cards of the count in order, also as text ("4C 5D 6S").

    Raises:
        NotationError: a text is no card.
        InvalidArgument: no card was played.
        IllegalAction: the count passes 31 (R53), or a card occurs twice (R6).

    >>> [(score.name.value, score.points) for score in scores("4C 5D 6S")]
    [('fifteen', 2), ('run', 3)]
    """
    if not played:
        raise InvalidArgument("no-card-played", "played", "()")
    if isinstance(played[0], str):
        played = cards(played if isinstance(played, str) else " ".join(map(str, played)))
    return _scores(cast("Sequence[Card]", played))


def _scores(played: Sequence[Card]) -> tuple[Score, ...]:
    count = 0
    for card in played:
        count += card.value
    if count > LIMIT:
        raise IllegalAction("count-past-31", "R53", card=played[-1].text, count=count)
    if len(played) == 1:
        return ()
    if len({*played}) < len(played):
        raise IllegalAction("card-twice", "R6")
    scored: list[Score] = []
    if count == 15:
        scored.append(Score(ScoreName.FIFTEEN, tuple(played), 2, "R68"))
    alike = _equal_ranks(played)
    if alike > 1:
        name, points = _PAIRS[alike]
        scored.append(Score(name, tuple(played[-alike:]), points, "R69"))
    run = _run(played)
    if run:
        scored.append(Score(ScoreName.RUN, tuple(played[-run:]), run, "R72"))
    if count == LIMIT:
        scored.append(Score(ScoreName.THIRTY_ONE, tuple(played), 2, "R59"))
    return tuple(scored)


def _equal_ranks(played: Sequence[Card]) -> int:
    """Return how many of the last cards have the same rank."""
    rank = played[-1].rank
    alike = 1
    while alike < len(played) and played[-1 - alike].rank is rank:
        alike += 1
    return alike


def _run(played: Sequence[Card]) -> int:
    """Return the length of the longest run that the last cards make, or 0; a repeated rank ends it (C7)."""
    seen = 0
    lowest, highest = 14, 0
    longest = 0
    for length, card in enumerate(reversed(played), start=1):
        rank = card.rank
        bit = 1 << rank
        if seen & bit:
            break
        seen |= bit
        if rank < lowest:
            lowest = rank
        if rank > highest:
            highest = rank
        if length >= 3 and highest - lowest == length - 1:
            longest = length
    return longest
