"""Who meets whom in the next round of an evening, who has the bye, and who deals first.

Rules, the stronger first:

1. With an odd number of people, the bye goes to somebody who has had the fewest.
2. As many tables as possible have two people who have not met. The number is exact, because the pairs are a
   largest matching (`matching`) in the graph of those who have not met. The others meet for the second time
   if possible, then for the third, and so on.
3. Later rounds need few repeated meetings too. Largest matchings alone would get stuck: after five rounds of
   ten people, two groups of five may be left. Each round therefore starts from a rotation (the circle method)
   in which ten people meet in nine rounds, a person who arrives takes an empty place, and the place of one
   who has left is a bye. A few plans for all remaining rounds are compared, the rotation first.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import count
from random import Random

import msgspec

from fifteentwo.server.club.matching import FREE, complete_matching

MAX_PLANS = 24
"""Plans for the remaining rounds that are compared, until one repeats no meeting."""
Pair = tuple[int, int]


class Pairing(msgspec.Struct, frozen=True):
    """The tables of a round. People are numbers, which a substitute takes over."""

    pairs: tuple[Pair, ...]
    """The two players of each table; the first one deals first."""
    bye: int | None = None

    @property
    def people(self) -> set[int]:
        return {one for pair in (*self.pairs, (self.bye,)) for one in pair if one is not None}


class _Past:
    """Counts of the meetings, byes and first deals of some rounds."""

    def __init__(self, rounds: Iterable[Pairing] = ()) -> None:
        self.met: Counter[frozenset[int]] = Counter()
        self.byes: Counter[int] = Counter()
        self.first_deals: Counter[int] = Counter()
        for one in rounds:
            self.add(one)

    def add(self, one: Pairing) -> int:
        """Count a round; return its cost: the sum of the squared numbers of earlier meetings."""
        cost = sum(self.met[frozenset(pair)] ** 2 for pair in one.pairs)
        self.met.update(map(frozenset, one.pairs))
        self.first_deals.update(first for first, _ in one.pairs)
        self.byes.update(() if one.bye is None else (one.bye,))
        return cost


def pair_round(present: Iterable[int], earlier: Sequence[Pairing], rounds: int, seed: str) -> Pairing:
    """Return the next round's tables.

    present: who plays in it; rounds: how many the evening has; seed: decides what is drawn.
    """
    people = sorted(set(present))
    rng = Random(f"{seed} {len(earlier)}")
    places = _places(people, earlier, seed)
    best: tuple[int, Pairing] | None = None
    for _ in range(MAX_PLANS):
        past, total, plan = _Past(earlier), 0, list[Pairing]()
        for _ in range(max(rounds - len(earlier), 1)):
            plan.append(_match(people, _rotation(places, people, past, rng), past, rng))
            total += past.add(plan[-1])
        if best is None or total < best[0]:
            best = total, plan[0]
        if total == 0:
            break
        rng.shuffle(places)
    assert best is not None
    deals = _Past(earlier).first_deals
    draw = {person: (deals[person], rng.random()) for person in people}
    pairs = tuple(
        (min(pair, key=draw.__getitem__), max(pair, key=draw.__getitem__)) for pair in best[1].pairs
    )
    return Pairing(pairs, best[1].bye)


def _places(people: Sequence[int], earlier: Sequence[Pairing], seed: str) -> list[int]:
    """Return the people by place in the rotation; a place that nobody takes has FREE or who left it."""
    places: list[int] = []
    for here in [*(one.people for one in earlier), set(people)]:
        new = sorted(here - set(places))
        Random(f"{seed} places {len(places)}").shuffle(new)
        empty = [place for place, person in enumerate(places) if person not in here]
        for place, person in zip(empty, new, strict=False):
            places[place] = person
        places += new[len(empty) :]
        places += [FREE] * (len(places) % 2)
    return places


def _rotation(places: Sequence[int], people: Sequence[int], past: _Past, rng: Random) -> list[Pair]:
    """Return the new meetings in that turn of the rotation which has the most; FREE is the bye."""
    here, turns, best = set(people), len(places) - 1, list[Pair]()
    for turn in rng.sample(range(turns), turns):
        circle = [places[0], *(places[1 + (turn + step) % turns] for step in range(turns))]
        circle = [person if person in here else FREE for person in circle]
        opposite = zip(circle[: len(circle) // 2], reversed(circle), strict=False)
        pairs = [pair for pair in opposite if pair[0] != pair[1] and not past.met[frozenset(pair)]]
        best = max(best, pairs, key=len)
        if len(best) == len(circle) // 2:
            break
    return best


def _match(people: Sequence[int], start: Sequence[Pair], past: _Past, rng: Random) -> Pairing:
    """Return a round with the most new meetings. start: pairs that stay where that is possible."""
    order = rng.sample(people, len(people))
    fewest = min((past.byes[one] for one in order), default=0)
    # The bye is one more vertex, with an edge to everybody who may have it. It gets a partner first.
    unpaired, pairs = [*[FREE] * (len(order) % 2), *order], list[Pair]()
    byes = [pair for pair in start if FREE in pair]
    start = [*byes, *((FREE, person) for person in order), *start]
    for times in count():
        place = {person: vertex for vertex, person in enumerate(unpaired)}

        def may_meet(one: int, other: int, times: int = times) -> bool:
            if FREE in (one, other):
                return past.byes[max(one, other)] == fewest
            return past.met[frozenset((one, other))] <= times

        graph = [
            [place[other] for other in unpaired if other != one and may_meet(one, other)] for one in unpaired
        ]
        partners = [FREE] * len(unpaired)
        for pair in start if not times else ():
            one, other = (place.get(person, FREE) for person in pair)
            if FREE not in (one, other) and other in graph[one] and partners[one] == partners[other] == FREE:
                partners[one], partners[other] = other, one
        partners = complete_matching(graph, partners)
        pairs += [
            (unpaired[one], unpaired[other]) for one, other in enumerate(partners) if FREE != other > one
        ]
        unpaired = [person for person, other in zip(unpaired, partners, strict=True) if other == FREE]
        if not unpaired:
            break
    bye = next((max(pair) for pair in pairs if FREE in pair), None)
    return Pairing(tuple(pair for pair in pairs if FREE not in pair), bye)
