"""Who meets whom in the next round of an evening, who has the bye, and who deals first.

Rules, the stronger first:

1. With an odd number of people, the bye goes to somebody who has had the fewest.
2. As many tables as possible have two people who have not met. The number is exact, because the pairs are a
   largest matching (`matching`) in the graph of those who have not met. The others meet for the second time
   if possible, then for the third, and so on.
3. Later rounds have few repeated meetings too. A largest matching alone can get stuck: after five rounds, ten
   people may be two groups of five, each of whom has met the other group and nobody of their own. So plans of
   all remaining rounds are drawn, and the next round is that of the plan with the fewest repeated meetings. A
   rotation (the circle method) repeated no fewer, and has to be repaired when somebody arrives or leaves.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

import msgspec

from fifteentwo.server.club.matching import FREE, largest_matching

MAX_PLANS = 24
"""Plans for the remaining rounds that are compared, until one repeats no meeting."""
BYE = -1
"""The opponent of the person who has the bye, while a round is drawn."""
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
        self.met = Counter[frozenset[int]]()
        self.byes = Counter[int | None]()
        self.first_deals = Counter[int]()
        for one in rounds:
            self.add(one)

    def add(self, one: Pairing) -> int:
        """Count a round; return its cost: the sum of the squared numbers of earlier meetings."""
        cost = sum(self.met[frozenset(pair)] ** 2 for pair in one.pairs)
        self.met.update(map(frozenset, one.pairs))
        self.first_deals.update(first for first, _ in one.pairs)
        self.byes[one.bye] += 1
        return cost


def pair_round(present: Iterable[int], earlier: Sequence[Pairing], rounds: int, seed: str) -> Pairing:
    """Return the next round's tables.

    present: who plays in it; rounds: how many the evening has; seed: decides what is drawn.
    """
    people, rng = sorted(set(present)), Random(f"{seed} {len(earlier)}")
    plans = list[tuple[int, Pairing]]()
    while len(plans) < MAX_PLANS and not (plans and plans[-1][0] == 0):
        past, cost, plan = _Past(earlier), 0, list[Pairing]()
        for _ in range(max(rounds - len(earlier), 1)):
            plan.append(_match(people, past, rng))
            cost += past.add(plan[-1])
        plans.append((cost, plan[0]))
    best = min(plans, key=lambda plan: plan[0])[1]
    deals = _Past(earlier).first_deals
    draw = {person: (deals[person], rng.random()) for person in people}
    ordered = (sorted(pair, key=draw.__getitem__) for pair in best.pairs)
    return Pairing(tuple((first, second) for first, second in ordered), best.bye)


def _match(people: Sequence[int], past: _Past, rng: Random) -> Pairing:
    """Draw one of the rounds with the most new meetings."""
    order = rng.sample(people, len(people))
    fewest = min((past.byes[one] for one in order), default=0)
    # The bye is one more vertex, with an edge to everybody who may have it. As the first, it gets a partner.
    unpaired, pairs, times = [BYE] * (len(order) % 2) + order, list[Pair](), 0

    def may_meet(one: int, other: int) -> bool:
        if BYE in (one, other):
            return past.byes[max(one, other)] == fewest
        return past.met[frozenset((one, other))] <= times

    while unpaired:
        vertices = range(len(unpaired))
        graph = [[b for b in vertices if a != b and may_meet(unpaired[a], unpaired[b])] for a in vertices]
        partners = largest_matching(graph)
        pairs += [(unpaired[a], unpaired[b]) for a, b in enumerate(partners) if FREE != b > a]
        unpaired = [unpaired[a] for a in vertices if partners[a] == FREE]
        times += 1
    bye = next((max(pair) for pair in pairs if BYE in pair), None)
    return Pairing(tuple(pair for pair in pairs if BYE not in pair), bye)
