"""How `book.means` was measured: plays of every hand a seat can keep, imagined to their end; needs numba.

    python -m fifteentwo.solver.pegging_measuring partners 500 1

prints the figures of a form from 500 plays a hand and seat, with seed 1. The others hold what `keeping` says
people keep, and everybody plays as a club player reckons. What a hand is worth is then told by its pairs of
cards, fitted by least squares: of one hand alone a few hundred plays tell little.
"""

import random
import sys
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from fifteentwo.analysis.keeping import kept_ratios
from fifteentwo.analysis.playouts import mean_play
from fifteentwo.rules.variants import Form, variant

Floats = NDArray[np.float64]

STEADY = 2.0
"""Keeps pairs that seldom come near 0, in hands."""


def measured(form: Form, plays: int, seed: int) -> tuple[Floats, Floats]:
    """By seats after the dealer (the dealer last), what each pair of ranks adds (91 of them), and the share
    of what hands differ by that pairs tell."""
    rules = variant(form)
    luck = random.Random(f"{form.value}/{plays}/{seed}")
    keeps = list(combinations_with_replacement(range(13), rules.kept))
    pairs = {pair: at for at, pair in enumerate(combinations_with_replacement(range(13), 2))}
    held = np.zeros((len(keeps), len(pairs)))
    for row, keep in enumerate(keeps):
        for pair in combinations(keep, 2):
            held[row, pairs[pair]] += 1
    values, told = [], []
    for place in range(1, rules.seats + 1):
        found = np.array(
            [mean_play(rules, place % rules.seats, keep, kept_ratios(form), luck, plays) for keep in keeps]
        )
        squares = held.T @ held + STEADY * np.eye(len(pairs))
        values.append(np.linalg.solve(squares, held.T @ found))
        told.append(1 - np.var(found - held @ values[-1]) / np.var(found))
    return np.array(values), np.array(told)


def main(form: str, plays: str, seed: str) -> None:
    """Print the figures of a form as `book.means` holds them: hundredths of a point."""
    values, told = measured(Form(form), int(plays), int(seed))
    print(f"told by pairs: {' '.join(f'{share:.2f}' for share in told)}", file=sys.stderr)
    print(f"    Form.{Form(form).name}: (")
    for row in values:
        print("        _pairs(")
        numbers = iter(row)
        for low in range(13):
            print(f'            "{" ".join(str(round(next(numbers) * 100)) for _ in range(low, 13))}",')
        print("        ),")
    print("    ),")


if __name__ == "__main__":
    main(*sys.argv[1:])
