"""Six cards by class, their exact cribs, and the shipped discards."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from math import comb, prod

import numpy as np
import pytest

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import place
from fifteentwo.rules.cards import DECK, Card, cards
from fifteentwo.rules.show import scores
from fifteentwo.strategy import discards as equilibrium
from fifteentwo.strategy.discards import Role, discard_frequencies
from fifteentwo.strategy.files import data_file, read_tables
from lab.cfr import BEST_RESPONSE, MEASURE, UPDATE, Discounts, traversal_settings
from lab.six_card.discard_kernels import DiscardTables, OptionValues
from lab.six_card.discards import crib_points, pair_policy
from lab.six_card.ranges import HANDS
from lab.six_card.six_cards import DEALS, OPTIONS, six_cards, suit_patterns

SHAPES = ((1, 1, 1, 1, 1, 1), (2, 1, 1, 1, 1), (1, 2, 3), (4, 2), (2, 2, 2), (3, 3), (1, 4, 1))


def test_suit_patterns_cover_every_hand_of_a_shape(subtests: pytest.Subtests) -> None:
    for shape in SHAPES:
        with subtests.test(shape=shape):
            patterns = suit_patterns(shape)
            assert sum(count for _, count in patterns) == prod(comb(4, size) for size in shape)
            assert len({suits for suits, _ in patterns}) == len(patterns)
            assert [suits for suits, _ in patterns] == sorted(suits for suits, _ in patterns)


def test_the_shipped_index_holds_every_six_card_hand_once() -> None:
    tables = read_tables(data_file(equilibrium.FILE)).arrays
    assert len(tables["ranks"]) == 18_395
    assert int(tables["class_start"][-1]) == 962_988
    assert len(tables["pone_options"]) == len(tables["dealer_probability"]) == 962_988
    total = 0
    for key, start in zip(tables["ranks"].tolist(), tables["shape_start"].tolist(), strict=True):
        copies = Counter(key // 13**place % 13 for place in range(5, -1, -1))
        shape = tuple(copies.values())
        patterns = suit_patterns(shape)
        total += prod(comb(4, size) for size in shape)
        code = 0
        for suit in patterns[-1][0]:
            code = code * 4 + suit
        assert tables["patterns"][start + len(patterns) - 1] == code
    assert total == DEALS


def test_renamed_suits_change_nothing() -> None:
    rng = random.Random(6)
    for _ in range(150):
        six = rng.sample(DECK, 6)
        role = rng.choice(("pone", "dealer"))
        found = discard_frequencies(six, role)  # type: ignore[arg-type]
        assert sum(found.values()) == pytest.approx(1)
        assert all(len(set(pair)) == 2 and set(pair) <= set(six) for pair in found)
        for new in rng.sample(list(permutations("SHDC")), 3):
            names = dict(zip("SHDC", new, strict=True))

            def renamed(card: Card, names: dict[str, str] = names) -> Card:
                return Card(card.text[0] + names[card.suit.value])

            other = discard_frequencies([renamed(card) for card in six], role)  # type: ignore[arg-type]
            # Two equal ranks of like standing may change places: the ranks and chances may not.
            expected, seen = by_ranks(found), by_ranks(other)
            assert expected.keys() == seen.keys()
            assert all(seen[ranks] == pytest.approx(often) for ranks, often in expected.items())


def by_ranks(found: dict[tuple[Card, Card], float]) -> dict[tuple[int, ...], float]:
    often: dict[tuple[int, ...], float] = {}
    for pair, chance in found.items():
        ranks = tuple(sorted(int(card.rank) for card in pair))
        often[ranks] = often.get(ranks, 0) + chance
    return often


def test_simple_hands_are_discarded_sensibly(subtests: pytest.Subtests) -> None:
    role: Role
    for six, role, discarded in (
        ("5H 5D 5S JC 2D 8S", "pone", "2D 8S"),
        ("5H 5D 5S JC 2D 8S", "dealer", "2D 8S"),
        ("AH 3H 7H TH 9C KD", "pone", "9C KD"),
        ("4H 5D 6S 6C QD KS", "pone", "QD KS"),
        ("7H 8D 8S 9C 2D KS", "pone", "2D KS"),
    ):
        with subtests.test(six=six, role=role, discarded=discarded):
            found = discard_frequencies(cards(six), role)
            best = max(found, key=lambda pair: found[pair])
            assert sorted(map(str, best)) == sorted(discarded.split())


def test_anything_but_six_different_cards_is_refused(subtests: pytest.Subtests) -> None:
    for six in ("5H", "5H 5D 5S JC 2D", "5H 5H 5S JC 2D 8S", "5H 5D 5S JC 2D 8S 9S"):
        with subtests.test(six=six):
            with pytest.raises(ValueError, match="six"):
                discard_frequencies([Card(text) for text in six.split()], "pone")
            with pytest.raises(ValueError, match="neither"):
                discard_frequencies(cards("5H 5D 5S JC 2D 8S"), "eldest")  # type: ignore[arg-type]


def frequency(name: str, ranks: Sequence[int]) -> float:
    """How often the table has a role keep or discard these ranks (1–13)."""
    frequencies = read_tables(data_file(equilibrium.FILE)).arrays[name]
    return float(frequencies[place(len(ranks))[tuple(sorted(rank - 1 for rank in ranks))]])


def test_frequencies_of_keeps_and_pairs_are_those_of_the_strategies() -> None:
    """Six cards drawn at random, discarded as the table says, against the published frequencies."""
    rng = random.Random(9)
    often: dict[tuple[int, ...], float] = {}
    hands = 1500
    for _ in range(hands):
        for pair, probability in discard_frequencies(rng.sample(DECK, 6), "dealer").items():
            key = tuple(sorted(int(card.rank) for card in pair))
            often[key] = often.get(key, 0) + probability / hands
    for ranks in ((12, 13), (1, 2), (9, 13), (5, 5)):
        expected = frequency("dealer_pairs", ranks)
        assert often.get(ranks, 0) == pytest.approx(expected, abs=4.5 * (expected / hands) ** 0.5 + 1e-3)
    every = sum(
        frequency(f"{role}_pairs", (i, j))
        for role in ("pone", "dealer")
        for i in range(1, 14)
        for j in range(i, 14)
    )
    assert every == pytest.approx(2, abs=1e-4)


def mean_crib(pair: tuple[int, int], role: str) -> float:
    """Mean crib of a role that discards these two ranks, as the table has it."""
    cribs = read_tables(data_file(equilibrium.FILE)).arrays[f"{role}_cribs"]
    return float(cribs[place(2)[pair[0] - 1, pair[1] - 1]])


def test_means_equal_those_of_the_game() -> None:
    # Own crib is fed, the opponent's starved; fives are dear either way (reference of every table of cribs).
    assert mean_crib((5, 5), "dealer") == pytest.approx(8.95, abs=0.35)
    assert mean_crib((5, 5), "pone") > 9
    assert mean_crib((10, 13), "pone") < 4.4
    tables = read_tables(data_file(equilibrium.FILE)).arrays
    for kept in ((1, 2, 3, 4), (5, 5, 10, 11), (10, 11, 12, 13), (7, 7, 8, 8)):
        row = place(4)[tuple(rank - 1 for rank in kept)]
        (own, given), (others, gave) = (
            [float(tables[f"{role}_{name}"][row]) for name in ("pegs", "gives")]
            for role in ("dealer", "pone")
        )
        assert own - given > others - gave
        assert min(own, given, others, gave) > 0
        assert frequency("pone_keeps", kept) > 0
    assert tables["pone_keeps"].sum(dtype=float) == pytest.approx(1, abs=1e-4)


def test_mean_hands_are_means_over_the_starters() -> None:
    """Rank points and flushes of every option, against the rules' own show; nobs of the jacks kept."""
    six, rng = six_cards(), random.Random(12)
    for _ in range(4):
        held = sorted(rng.sample(DECK, 6), key=lambda card: card.index)
        ranks = [card.index >> 2 for card in held]
        row = int(np.flatnonzero((six.ranks == ranks).all(axis=1))[0])
        shown = np.zeros(15)
        for option, (i, j) in enumerate(OPTIONS):
            kept = [card for at, card in enumerate(held) if at not in (i, j)]
            for starter in set(DECK) - set(held):
                scored = scores(kept, starter, crib=False)
                shown[option] += sum(s.points for s in scored if s.name.value not in ("flush", "nobs")) / 46
        assert six.show[row] == pytest.approx(shown, abs=1e-4)


def test_cribs_by_ranks_are_the_shows_without_suits() -> None:
    rng = random.Random(12)
    for _ in range(300):
        five = rng.sample(DECK, 5)
        shown = scores(five[:4], five[4], crib=True)
        expected = sum(s.points for s in shown if s.name.value not in ("flush", "nobs"))
        low, high = (
            place(2)[tuple(sorted(card.index >> 2 for card in two))] for two in (five[:2], five[2:4])
        )
        nobs = 0.25 * sum(card.text[0] == "J" for card in five[2:4]) * (five[4].text[0] != "J")
        assert crib_points()[low, high, five[4].index >> 2] == expected + nobs


@pytest.mark.long
def test_a_best_response_takes_the_best_option() -> None:
    """Best responses take the option that was made best, regret steps approach it."""
    six = six_cards()
    kernels = compiled("lab.six_card.discard_kernels")
    by_ranks = np.zeros((len(six.ranks), 15), np.float32)
    by_ranks[:, 7] = 9
    parts = OptionValues(by_ranks, np.zeros(HANDS, np.float32), np.zeros_like(six.flush), np.float32(1))
    tables = DiscardTables(*np.zeros((2, six.suit_classes, 15), np.float32))
    mean, summed = np.zeros((len(six.ranks), 15)), np.zeros(len(six.ranks))
    row = int(np.flatnonzero((six.ranks == [0, 1, 2, 3, 4, 5]).all(axis=1))[0])

    def run(mode: int) -> None:
        settings = traversal_settings(mode, Discounts(1, 0.5, 1))
        kernels.discard_pass(row, row + 1, six, parts, settings, tables, mean, summed)

    run(UPDATE)
    assert mean[row] == pytest.approx(4**6 / 15)
    assert summed[row] == pytest.approx(4**6 * 9 / 15, rel=1e-5)
    run(UPDATE)
    assert mean[row, 7] == pytest.approx(4**6)
    run(MEASURE)
    assert mean[row, 7] == pytest.approx(4**6 * (1 + 1 / 15) / 2, rel=1e-5)
    run(BEST_RESPONSE)
    assert (mean[row, 7], summed[row]) == (4**6, 4**6 * 9)
    assert not tables.total[: six.class_start[row]].any()


@pytest.mark.long
def test_exact_pairs_of_random_discards_are_random_cards() -> None:
    """Where every option is as likely as another, pair and starter are three cards at random from 46."""
    pytest.importorskip("numba", reason="338 million pairs of hands")
    six = six_cards()
    policy = pair_policy(np.ones((len(six.ranks), 15)), six)
    kernels = compiled("lab.six_card.discard_kernels")
    pairs = [(i, j) for i in range(13) for j in range(i, 13)]
    for row in (0, 7_000, 18_394):
        out = np.zeros((1, 91, 14), dtype=np.float32)
        kernels.exact_pairs(row, row + 1, six.copies, policy, out)
        (chances,) = out
        left = 4 - six.copies[row]
        assert chances[:, 13].sum() == pytest.approx(1, abs=1e-4)
        for q, (i, j) in enumerate(pairs):
            ways = comb(int(left[i]), 2) if i == j else int(left[i] * left[j])
            assert chances[q, 13] == pytest.approx(ways / comb(46, 2), abs=2e-6)
            stay = np.array([max(int(left[s]) - (s == i) - (s == j), 0) for s in range(13)])
            assert chances[q, :13] == pytest.approx(ways / comb(46, 2) * stay / 44, abs=2e-6)
