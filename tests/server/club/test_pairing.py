"""Pairing: nobody meets twice where that can be avoided, and byes differ by at most one."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fifteentwo.server.club.matching import FREE, largest_matching
from fifteentwo.server.club.pairing import Pairing, pair_round

PRIME = 2**61 - 1
Edges = set[frozenset[int]]


def matching_size(people: Sequence[int], edges: Edges) -> int:
    """Return the size of a largest matching: half the rank of a random Tutte matrix (Lovász 1979).

    The rank is too small with a probability below 60 / PRIME, and never too large.
    """
    rng = random.Random(1)
    place = {one: number for number, one in enumerate(people)}
    rows = [[0] * len(people) for _ in people]
    for edge in edges:
        one, other = (place[person] for person in edge)
        rows[one][other] = rng.randrange(1, PRIME)
        rows[other][one] = -rows[one][other]
    rank = 0
    for column in range(len(people)):
        pivot = next((row for row in range(rank, len(rows)) if rows[row][column] % PRIME), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        inverse = pow(rows[rank][column], -1, PRIME)
        for row in range(rank + 1, len(rows)):
            if factor := rows[row][column] * inverse % PRIME:
                rows[row] = [(a - factor * b) % PRIME for a, b in zip(rows[row], rows[rank], strict=True)]
        rank += 1
    return rank // 2


def check_round(present: Sequence[int], earlier: Sequence[Pairing], new: Pairing) -> None:
    """Check one round with counts of its own."""
    met = Counter(frozenset(pair) for one in earlier for pair in one.pairs)
    byes = Counter(one.bye for one in earlier)
    deals = Counter(pair[0] for one in earlier for pair in one.pairs)
    seated = [person for pair in new.pairs for person in pair] + ([] if new.bye is None else [new.bye])
    assert sorted(seated) == sorted(present)
    assert all(deals[first] <= deals[second] for first, second in new.pairs)
    fewest = min(byes[person] for person in present)
    assert new.bye is None or byes[new.bye] == fewest
    if repeated := sum(met[frozenset(pair)] > 0 for pair in new.pairs):
        strangers = {frozenset(pair) for pair in combinations(present, 2)} - met.keys()
        rests = [[one for one in present if one != away] for away in present if byes[away] == fewest]
        possible = max(
            matching_size(rest, {edge for edge in strangers if edge <= set(rest)})
            for rest in (rests if len(present) % 2 else [list(present)])
        )
        assert len(new.pairs) - repeated == possible


def evening(people: int, rounds: int, seed: str, changes: dict[int, tuple[int, int]]) -> list[Pairing]:
    """Return the rounds of an evening. changes: how many leave and come before a round."""
    present, played, rng = list(range(people)), list[Pairing](), random.Random(seed)
    for number in range(rounds):
        leaving, coming = changes.get(number, (0, 0))
        for _ in range(min(leaving, len(present) - 2)):
            present.remove(rng.choice(present))
        present += range(people, people + coming)
        people += coming
        new = pair_round(present, played, rounds, seed)
        check_round(present, played, new)
        played.append(new)
    return played


@given(st.integers(1, 14), st.randoms(use_true_random=False), st.floats(0, 1))
@settings(deadline=None, max_examples=100)
def test_matchings_of_any_graph_are_as_large_as_possible(
    people: int, rng: random.Random, density: float
) -> None:
    edges = {frozenset(pair) for pair in combinations(range(people), 2) if rng.random() < density}
    graph = [[other for other in range(people) if frozenset((one, other)) in edges] for one in range(people)]
    partners = largest_matching(graph)
    assert all(other == FREE or partners[other] == one for one, other in enumerate(partners))
    assert {frozenset(pair) for pair in enumerate(partners) if FREE not in pair} <= edges
    assert (partners[0] != FREE) == bool(graph[0])
    assert people - partners.count(FREE) == 2 * matching_size(range(people), edges)


@given(
    st.integers(4, 60),
    st.text("abc", max_size=3),
    st.dictionaries(st.integers(1, 8), st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=4),
)
@settings(deadline=None, max_examples=40)
def test_each_round_has_as_few_second_meetings_as_possible_while_people_come_and_go(
    people: int, seed: str, changes: dict[int, tuple[int, int]]
) -> None:
    evening(people, 9, seed, changes)


@pytest.mark.parametrize(
    "people",
    [
        pytest.param(one, marks=[] if one < 20 or one in (59, 60) else pytest.mark.long)
        for one in range(4, 61)
    ],
)
def test_nine_rounds_have_no_meeting_more_than_needed_and_byes_differ_by_one(people: int) -> None:
    played = evening(people, 9, "Wednesday", {})
    met = Counter({frozenset(pair): 0 for pair in combinations(range(people), 2)})
    met.update(frozenset(pair) for one in played for pair in one.pairs)
    assert max(met.values()) - min(met.values()) <= 1
    assert people < 9 or max(met.values()) == 1
    byes = [sum(one.bye == person for one in played) for person in range(people)]
    assert max(byes) - min(byes) <= 1


@pytest.mark.parametrize("seed", ["a", "b", "c"])
@pytest.mark.parametrize("change", [(1, 0), (0, 1)])
@pytest.mark.parametrize("people", [9, 10, 11, 12, 16])
def test_one_arrival_or_departure_causes_no_second_meeting(
    people: int, change: tuple[int, int], seed: str
) -> None:
    played = evening(people, 9, seed, {3: change})
    met = Counter(frozenset(pair) for one in played for pair in one.pairs)
    # Eight people cannot play six rounds against the five or six whom they have not met.
    assert max(met.values()) == 1 or (people, change) == (9, (1, 0))


def test_byes_of_those_who_stay_differ_by_at_most_one_though_others_come_and_go() -> None:
    changes = {2: (0, 2), 4: (1, 0), 5: (0, 1), 7: (2, 1)}
    for seed in range(8):
        played = evening(7, 9, str(seed), changes)
        stayed = set.intersection(*(one.people for one in played))
        byes = Counter(dict.fromkeys(stayed, 0))
        byes.update(one.bye for one in played if one.bye in stayed)
        assert max(byes.values()) - min(byes.values()) <= 1


def test_the_same_seed_pairs_alike_and_another_seed_differently() -> None:
    rounds = [evening(12, 3, seed, {}) for seed in ("a", "a", "b")]
    assert rounds[0] == rounds[1] != rounds[2]
