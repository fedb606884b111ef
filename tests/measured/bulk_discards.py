"""What discards in bulk lose by the chance of winning of six cards, and what the equilibrium's lose.

    python -m tests.measured.bulk_discards --hands 250

Random hands of either role at each board; hundredths of win chance, means and standard errors.
"""

import argparse

import numpy as np
from numpy.typing import NDArray

from fifteentwo.analysis import win
from fifteentwo.analysis.discards.shows import WAYS
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.rules.cards import DECK
from fifteentwo.solver.board.deal_counts import strategies
from fifteentwo.solver.discards.discard_book import ROLES
from fifteentwo.solver.whole_game.policy import by_score

SEED = 9


def losses(score: int, hands: int) -> list[tuple[str, str, NDArray[np.float64]]]:
    """Return (role, whose discards, what each loses) at this score to both sides."""
    chance = np.random.default_rng(SEED)
    cards = random_deals(hands, 13, chance)
    for_points = strategies().discard(cards, chance)
    in_bulk = for_points.copy()
    by_score(lambda _: None, (score,)).discard(cards, np.zeros(hands, np.int16), in_bulk)
    found = []
    for side, role in enumerate(ROLES):
        six = np.sort(cards[:, 6 * side : 6 * side + 6], axis=1).tolist()
        wins = [
            win.chances([DECK[card] for card in one], dealer=bool(side), board=(score, score)) for one in six
        ]
        for name, options in (("in bulk", in_bulk), ("equilibrium", for_points)):
            ways = [WAYS.index(divmod(option, 6)) for option in options[:, side].tolist()]
            lost = [float(one.max() - one[way]) for one, way in zip(wins, ways, strict=True)]
            found.append((role, name, 100 * np.array(lost)))
    return found


def main() -> None:
    """Print a line for each board, role and kind of discard."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--hands", type=int, default=250)
    parser.add_argument("--scores", type=int, nargs="+", default=[60, 90, 104, 113])
    given = parser.parse_args()
    for score in given.scores:
        for role, name, lost in losses(score, given.hands):
            error = lost.std(ddof=1) / len(lost) ** 0.5
            print(f"{score}-{score} {role}: {name} loses {lost.mean():.3f} ± {error:.3f}")


if __name__ == "__main__":
    main()
