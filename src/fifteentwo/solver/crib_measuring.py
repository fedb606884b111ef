"""How `book.means` was measured: hands are dealt around each gift, the others lay away, the crib is counted.

    python -m fifteentwo.solver.crib_measuring three-handed 2000 3 1

prints the figures of a form from 2,000 deals a gift, 3 rounds and seed 1. The first round lays away for the
points in the gift itself, every later one by the means of the round before. Each deal counts every starter
that can still be turned; the measured seat's other cards are any cards; crib flushes are left out (0.02
points a crib).
"""

import random
import sys
from collections.abc import Mapping, Sequence
from itertools import combinations

from fifteentwo.analysis.counting import hand_mean, rank_points, ranks_of
from fifteentwo.rules.cards import PACK, Card
from fifteentwo.rules.variants import Form, Rules, variant

Gift = tuple[int, ...]
"""The ranks (0–12) one seat lays away, in ascending order."""
Means = Mapping[tuple[bool, Gift], float]
"""Mean crib by whether it counts for the giver's own side, and by the gift."""


def gifts(rules: Rules) -> list[Gift]:
    """Everything a seat can lay away, by rank."""
    if rules.laid_away == 1:
        return [(rank,) for rank in range(13)]
    return [(low, high) for low in range(13) for high in range(low, 13)]


def measured(rules: Rules, deals: int, rounds: int, seed: int) -> dict[tuple[bool, Gift], float]:
    """Mean crib by gift, ± about 2 / √deals points each; 0.3 ms a deal of two hands."""
    luck = random.Random(f"{rules.form.value}/{deals}/{rounds}/{seed}")
    means = {(own, gift): float(rank_points(gift)) for own in (True, False) for gift in gifts(rules)}
    for number in range(1, rounds + 1):
        # Early rounds only have to make sensible givers.
        enough = deals if number == rounds else max(deals // 8, 1)
        means = {
            (own, gift): sum(_crib(rules, own, gift, means, luck) for _ in range(enough)) / enough
            for own, gift in means
        }
    return means


def _crib(rules: Rules, own: bool, gift: Gift, means: Means, luck: random.Random) -> float:
    """One deal: a seat gives this gift, the others theirs; the mean crib over the cards nobody holds."""
    given: list[Card] = []
    for rank in gift:
        given.append(luck.choice([card for card in PACK[rank * 4 : rank * 4 + 4] if card not in given]))
    rest = [card for card in PACK if card not in given]
    luck.shuffle(rest)
    del rest[: rules.dealt - rules.laid_away]
    crib = given
    # The measured seat deals where the crib is its own, and sits at the dealer's left where it is not.
    seats = range(1, rules.seats) if own else [seat for seat in range(rules.seats) if seat != 1]
    for seat in seats:
        hand, rest = rest[: rules.dealt], rest[rules.dealt :]
        crib = [*crib, *laid_away(rules, hand, rules.side(seat) == rules.side(0), means)]
    crib, rest = [*crib, *rest[: rules.dealt_to_crib]], rest[rules.dealt_to_crib :]
    return hand_mean(crib, rest, flush=False)


def laid_away(rules: Rules, hand: Sequence[Card], own: bool, means: Means) -> tuple[Card, ...]:
    """The gift with the best mean of hand and crib; several opponents share the cost of one's crib."""
    unseen = [card for card in PACK if card not in hand]
    sign = 1.0 if own else -1.0 / (rules.sides - 1)

    def worth(away: tuple[Card, ...]) -> float:
        kept = [card for card in hand if card not in away]
        return hand_mean(kept, unseen) + sign * means[own, ranks_of(away)]

    return max(combinations(hand, rules.laid_away), key=worth)


def main(form: str, deals: str, rounds: str, seed: str) -> None:
    """Print the figures of a form as `book.means` holds them: hundredths of a point."""
    rules = variant(form)
    means = measured(rules, int(deals), int(rounds), int(seed))
    print(f"    Form.{Form(form).name}: (")
    for own in (True, False):
        print("        _table(")
        for rows in _rows(rules):
            print(f'            "{" ".join(str(round(means[own, gift] * 100)) for gift in rows)}",')
        print("        ),")
    print("    ),")


def _rows(rules: Rules) -> list[list[Gift]]:
    if rules.laid_away == 1:
        return [gifts(rules)]
    return [[gift for gift in gifts(rules) if gift[0] == low] for low in range(13)]


if __name__ == "__main__":
    main(*sys.argv[1:])
