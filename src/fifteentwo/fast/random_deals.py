"""Random deals."""

import numpy as np

from fifteentwo.fast.layout import Cards


def random_deals(number: int, size: int, seed: int | np.random.Generator) -> Cards:
    """Return (number, size) uint8 deals without repeated cards: the first cards of shuffled decks.

    size: 0–52. The same seed gives the same deals. About 10 ns a card. Raise ValueError for impossible sizes.
    """
    if number < 0 or not 0 <= size <= 52:
        raise ValueError(f"no deals of {size} cards, {number} times")
    chance = np.random.default_rng(seed)
    dealt = np.empty((number, size), np.uint8)
    for start in range(0, number, 16_384):
        rows = dealt[start : start + 16_384]
        deck = np.broadcast_to(np.arange(52, dtype=np.uint8), (len(rows), 52)).copy()
        every = np.arange(len(rows))
        for place in range(size):
            chosen = chance.integers(place, 52, len(rows))
            rows[:, place] = deck[every, chosen]
            deck[every, chosen] = deck[:, place]
    return dealt
