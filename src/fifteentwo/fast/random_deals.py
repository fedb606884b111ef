"""Random deals, and every six-card hand once up to the names of the suits."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fifteentwo.fast.layout import Cards

CLASSES = 962_988
"""Six-card hands that differ by more than the names of their suits."""


def random_deals(number: int, size: int, seed: int | np.random.Generator) -> Cards:
    """Deals without repeats. returns: (number, size) uint8, the first cards of a shuffled pack.

    size: 0–52. The same seed gives the same deals. Cost: about 10 ns a card. ValueError where there are no
    such deals.
    """
    if number < 0 or not 0 <= size <= 52:
        raise ValueError(f"no deals of {size} cards, {number} times")
    chance = np.random.default_rng(seed)
    dealt = np.empty((number, size), np.uint8)
    for start in range(0, number, 16_384):
        rows = dealt[start : start + 16_384]
        pack = np.broadcast_to(np.arange(52, dtype=np.uint8), (len(rows), 52)).copy()
        every = np.arange(len(rows))
        for place in range(size):
            chosen = chance.integers(place, 52, len(rows))
            rows[:, place] = pack[every, chosen]
            pack[every, chosen] = pack[:, place]
    return dealt


def six_card_classes() -> tuple[Cards, NDArray[np.uint8]]:
    """Every six-card hand once up to the names of the suits, and how many hands each stands for.

    returns: (962988, 6) uint8 cards and (962988,) uint8, summing to 20,358,520. About 0.2 s.
    """
    hands: list[Cards] = []
    numbers: list[NDArray[np.uint8]] = []
    for lengths in _suit_lengths(6, 6, 4):
        held, ways = _held(lengths)
        hands.append(held)
        numbers.append(ways)
    return np.concatenate(hands), np.concatenate(numbers)


def _suit_lengths(cards: int, longest: int, suits: int) -> list[tuple[int, ...]]:
    """The ways to part `cards` into at most so many suits, longest first."""
    if cards == 0:
        return [()]
    if suits == 0:
        return []
    return [
        (length, *rest)
        for length in range(min(cards, longest), 0, -1)
        for rest in _suit_lengths(cards - length, length, suits - 1)
    ]


def _held(lengths: tuple[int, ...]) -> tuple[Cards, NDArray[np.uint8]]:
    """Hands with these suit lengths; suits equally long come in order, so none comes twice."""
    suits = [np.array(list(combinations(range(13), length)), np.uint8) for length in lengths]
    places = np.indices(tuple(len(ranks) for ranks in suits)).reshape(len(suits), -1)
    ordered = np.ones(places.shape[1], np.bool_)
    for suit in range(1, len(lengths)):
        if lengths[suit] == lengths[suit - 1]:
            ordered &= places[suit - 1] <= places[suit]
    places = places[:, ordered]
    held = np.concatenate(
        [ranks[place] * 4 + suit for suit, (ranks, place) in enumerate(zip(suits, places, strict=True))],
        axis=1,
    )
    return held.astype(np.uint8), _names(lengths, places)


def _names(lengths: tuple[int, ...], places: NDArray[np.intp]) -> NDArray[np.uint8]:
    """In how many ways the four suits can be named: 24 over the ways that change nothing."""
    voids = 4 - len(lengths)
    alike = np.full(places.shape[1], (1, 1, 2, 6)[voids], np.int64)
    together = np.ones(places.shape[1], np.int64)
    for suit in range(1, len(lengths)):
        same = (lengths[suit] == lengths[suit - 1]) & (places[suit] == places[suit - 1])
        together = np.where(same, together + 1, 1)
        alike *= together
    return (24 // alike).astype(np.uint8)
