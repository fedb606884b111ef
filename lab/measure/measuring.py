"""The measurements of data/means.json, for the variants that are not solved.

    python -m lab.measure.measuring cribs six-card 2000 3 1
    python -m lab.measure.measuring play partners 3000 1
    python -m lab.measure.measuring points partners 20000 1

*Cribs*, with the deals of a discard, the rounds and the seed: for each discard, hands are dealt to the other
seats, which discard, and the crib is counted with every possible starter. The first round discards for the
points of the discard itself, every later round by the means of the round before. The other cards of the
measured seat are random; crib flushes are left out (0.02 points a crib).

*Play*, with the plays of a hand and seat and the seed: the pegging of every hand that a seat can keep is
rolled out. The other hands follow `analysis.discards.kept_hands`, and everybody plays as level `club`. In
five-card cribbage the value of a hand is the sum over its pairs of cards, fitted by least squares. In three-
and four-handed cribbage the values are printed in base 64, a byte for each hand in 32nds of a point.

*Points*, with the deals and the seed: club players discard and peg. The command prints how often each side's
pegging (the dealer's side first, heels included), each hand (from the dealer's left) and the crib score
0, 1, … points.

The first two print hundredths of a point: a row of single cards, or a row of pairs for each lower rank.
"""

import json
import random
import sys
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifteentwo.analysis.discards.kept_hands import kept_ratios
from fifteentwo.analysis.rollouts.playouts import net_points, own_cribs, points_by_card, rank_counts, sampled
from fifteentwo.analysis.rollouts.playouts_kernels import Draw, Now
from fifteentwo.analysis.win.counting import mean_points, rank_points, ranks_of
from fifteentwo.fast import show
from fifteentwo.fast.club import GO
from fifteentwo.fast.layout import JACK
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.variants import Rules, Variant, rules_for
from fifteentwo.strategy.means import KEPT_STEPS, mean_crib

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Discard = tuple[int, ...]
"""The ranks (0–12) that one seat discards, ascending."""
Means = Mapping[tuple[bool, Discard], float]
"""Mean points of a crib, by (whether the crib belongs to the discarding side, ranks discarded)."""

PAIR_RIDGE = 2.0
"""Weight, in hands, that draws the fitted values of rare pairs towards 0."""
EARLY_FACTOR = 8
"""Rounds before the last have this many times fewer deals."""


def discards(rules: Rules) -> list[Discard]:
    """Return the ranks of all discards that a seat can make."""
    return list(combinations_with_replacement(range(13), rules.discards))


def mean_cribs(rules: Rules, deals: int, rounds: int, seed: int) -> dict[tuple[bool, Discard], float]:
    """Return the mean points of a crib by discard, each with a standard error of about 2 / √deals points."""
    luck = random.Random(f"{rules.variant.value}/{deals}/{rounds}/{seed}")
    means = {
        (own, discard): float(rank_points(discard)) for own in (True, False) for discard in discards(rules)
    }
    for number in range(1, rounds + 1):
        enough = deals if number == rounds else max(deals // EARLY_FACTOR, 1)
        means = {
            (own, discard): sum(_mean_crib(rules, own, discard, means, luck) for _ in range(enough)) / enough
            for own, discard in means
        }
    return means


def _mean_crib(rules: Rules, own: bool, discard: Discard, means: Means, luck: random.Random) -> float:
    """Return the mean points of the crib over all starters, in one random deal with this discard."""
    given: list[Card] = []
    for rank in discard:
        given.append(luck.choice([card for card in DECK[rank * 4 : rank * 4 + 4] if card not in given]))
    rest = [card for card in DECK if card not in given]
    luck.shuffle(rest)
    del rest[: rules.dealt - rules.discards]
    crib = given
    # The measured seat is the dealer if the crib is its own, otherwise the seat at the dealer's left.
    seats = range(1, rules.seats) if own else [seat for seat in range(rules.seats) if seat != 1]
    for seat in seats:
        hand, rest = rest[: rules.dealt], rest[rules.dealt :]
        crib = [*crib, *choose_discard(rules, hand, rules.side(seat) == rules.side(0), means)]
    crib, rest = [*crib, *rest[: rules.dealt_to_crib]], rest[rules.dealt_to_crib :]
    return mean_points([crib], rest, crib=True)[0]


def choose_discard(rules: Rules, hand: Sequence[Card], own: bool, means: Means) -> tuple[Card, ...]:
    """Return the discard with the best mean of hand and crib; several opponents share the cost of a crib."""
    unseen = [card for card in DECK if card not in hand]
    sign = 1.0 if own else -1.0 / (rules.sides - 1)

    ways = list(combinations(hand, rules.discards))
    shown = mean_points([[card for card in hand if card not in discard] for discard in ways], unseen)
    net = [points + sign * means[own, ranks_of(discard)] for discard, points in zip(ways, shown, strict=True)]
    return ways[net.index(max(net))]


def play_by_hand(variant: Variant, plays: int, seed: int) -> Floats:
    """(seats, hands) mean net points in pegging by hand kept; the seats follow the dealer, who is last."""
    rules = rules_for(variant)
    luck, ratios = random.Random(f"{variant.value}/{plays}/{seed}"), kept_ratios(variant)
    keeps = list(combinations_with_replacement(range(13), rules.kept))
    places = [place % rules.seats for place in range(1, rules.seats + 1)]
    return np.array(
        [[mean_net_pegging(rules, seat, keep, ratios, luck, plays) for keep in keeps] for seat in places]
    )


def mean_net_pegging(
    rules: Rules, seat: int, keep: Sequence[int], ratios: Floats, luck: random.Random, number: int
) -> float:
    """Return mean net pegging of a seat with ranks `keep` if seat 0 deals, over `number` random deals."""
    done = np.zeros((rules.seats, 13), np.int64)
    done[seat] = rank_counts(keep)
    held, left = np.full(rules.seats, rules.kept, np.int64), np.full(13, 4, np.int64)
    pool = np.repeat(np.arange(12, -1, -1), (left - done[seat])[::-1])
    others = np.array([other for other in range(rules.seats) if other != seat], np.int64)
    fits, acts = np.full(len(others), len(pool), np.int64), np.zeros((0, 3), np.int64)
    draw = Draw(pool, others, fits, held, done, left, own_cribs(rules, 0), ratios, acts)
    hands, times = sampled(rules, seat, draw, luck, number)
    hands[:, seat] = done[seat]
    return float(times @ net_points(rules, seat, pegged_points(rules, hands)) / times.sum())


def pegged_points(rules: Rules, hands: Ints) -> Ints:
    """Return the points (n, sides) that the sides peg with these hands (n, seats, 13), if seat 0 deals."""
    held, left = np.full(rules.seats, rules.kept, np.int64), np.full(13, 4, np.int64)
    before_lead = Now(1, np.zeros(0, np.int64), 0, held, 0, left)
    return points_by_card(rules, before_lead, (GO,), hands)[:, 0]


def play_by_pair(variant: Variant, plays: int, seed: int) -> tuple[Floats, Floats]:
    """Return pegging points fitted to pairs of ranks (seats, 91), and the share of the variance explained."""
    keeps = list(combinations_with_replacement(range(13), rules_for(variant).kept))
    pairs = {pair: at for at, pair in enumerate(combinations_with_replacement(range(13), 2))}
    held = np.zeros((len(keeps), len(pairs)))
    for row, keep in enumerate(keeps):
        for pair in combinations(keep, 2):
            held[row, pairs[pair]] += 1
    squares = held.T @ held + PAIR_RIDGE * np.eye(len(pairs))
    by_pair, explained = [], []
    for means in play_by_hand(variant, plays, seed):
        fitted = np.linalg.solve(squares, held.T @ means)
        by_pair.append(fitted)
        explained.append(1 - np.var(means - held @ fitted) / np.var(means))
    return np.array(by_pair), np.array(explained)


def point_counts(variant: Variant, deals: int, seed: int) -> list[Any]:
    """Return how often pegging of each side, each hand and the crib score 0, 1, … points; seat 0 deals."""
    rules = rules_for(variant)
    luck = random.Random(f"points/{variant.value}/{deals}/{seed}")
    means = {(own, one): mean_crib(variant, own, one) for own in (True, False) for one in discards(rules)}
    hands = np.zeros((deals, rules.seats, rules.kept), np.int64)
    cribs, starters = np.zeros((deals, 4), np.int64), np.zeros(deals, np.int64)
    for deal in range(deals):
        deck = [DECK[at] for at in luck.sample(range(52), rules.seats * rules.dealt + 2)]
        crib = deck[-2 : len(deck) - 2 + rules.dealt_to_crib]
        for seat in range(rules.seats):
            hand = deck[seat * rules.dealt : (seat + 1) * rules.dealt]
            given = choose_discard(rules, hand, rules.side(seat) == rules.side(0), means)
            hands[deal, seat] = [card.index for card in hand if card not in given]
            crib += given
        cribs[deal], starters[deal] = [card.index for card in crib], deck[-1].index
    counts = (hands[..., None] >> 2 == np.arange(13)).sum(axis=2)
    pegged = pegged_points(rules, counts)
    pegged[:, 0] += 2 * (starters >> 2 == JACK)
    places = [place % rules.seats for place in range(1, rules.seats + 1)]
    return [
        [np.bincount(pegged[:, side]).tolist() for side in range(rules.sides)],
        [np.bincount(show.points(hands[:, seat], starters)).tolist() for seat in places],
        np.bincount(show.points(cribs, starters, crib=True)).tolist(),
    ]


def crib_rows(variant: Variant, deals: int, rounds: int, seed: int) -> list[list[list[int]]]:
    """Return mean cribs in hundredths, own crib first, then others' cribs, in the form of data/means.json."""
    rules = rules_for(variant)
    means = mean_cribs(rules, deals, rounds, seed)
    return [_hundredths([means[own, discard] for discard in discards(rules)]) for own in (True, False)]


def play_rows(variant: Variant, plays: int, seed: int) -> list[list[list[int]]] | str:
    """Return mean pegging points by seat, the dealer last, in the form of data/means.json."""
    if variant is not Variant.FIVE_CARD:
        steps = np.rint(play_by_hand(variant, plays, seed) * KEPT_STEPS).clip(-128, 127)
        return b64encode(steps.astype(np.int8).tobytes()).decode()
    by_pair, explained = play_by_pair(variant, plays, seed)
    print(f"explained by pairs: {' '.join(f'{part:.2f}' for part in explained)}", file=sys.stderr)
    return [_hundredths(pairs.tolist()) for pairs in by_pair]


def _hundredths(means: Sequence[float]) -> list[list[int]]:
    """Return means in hundredths: one row of 13 single cards, or a row of pairs for each lower rank."""
    hundredths = iter([round(mean * 100) for mean in means])
    if len(means) == 13:
        return [list(hundredths)]
    return [[next(hundredths) for _ in range(low, 13)] for low in range(13)]


def main(what: str, variant: str, *numbers: str) -> None:
    """Print measured rows of a variant as JSON. what: "cribs", "play" or "points"."""
    rows: dict[str, Callable[..., Any]] = {"cribs": crib_rows, "play": play_rows, "points": point_counts}
    print(json.dumps(rows[what](Variant(variant), *map(int, numbers))))


if __name__ == "__main__":
    main(*sys.argv[1:])
