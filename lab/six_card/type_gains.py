"""Points that the best pegging gains against weaker models, by the hand kept.

`python -m lab.six_card.type_gains` rebuilds data/type_gains.table in five minutes of a core. A search knows
the four ranks kept, but neither the starter nor the own discards.
"""

import sys
from pathlib import Path

import numpy as np

from fifteentwo.analysis.pegging.beliefs import kept_by
from fifteentwo.analysis.pegging.compiled_search import expected, prepare
from fifteentwo.analysis.pegging.look_ahead import PILE_SIZE, opponent_types, points_only
from fifteentwo.analysis.pegging.look_ahead_search import PARTS, Positions
from fifteentwo.analysis.pegging.opponents import FILE, GAIN_STEPS, MODELS
from fifteentwo.fast.hands import copies
from fifteentwo.fast.plays import Plays
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.files import data_file
from fifteentwo.strategy.pegging import starting
from lab.files import write_tables

NOISE = 0.01
"""Probability of a random card in the models of weaker opponents (ε-noise)."""
ROLES: tuple[Role, Role] = "pone", "dealer"


def pegging_points(kind: int, side: int, hand: int) -> float:
    """Return the mean net points of the best pegging with hand number `hand` against model `kind`."""
    own = copies(4)[hand]
    belief = kept_by(ROLES[1 - side], tuple((4 - own).tolist()), NOISE, kind)
    zero, played = np.zeros(1, np.int64), np.zeros((1, 4), np.int64)
    play = Plays(starting()[None], np.zeros((1, PILE_SIZE), np.int64))
    nothing = np.zeros((1, len(PARTS)), np.int64)
    root = Positions(play, zero, zero, own[None], played, (belief / belief.sum())[None, None], nothing)
    return expected(side, root, opponent_types(-1, NOISE, (kind,)), points_only(side, -1))


def main(path: Path) -> None:
    """Compute the gains and write them to the table's file."""
    prepare()
    hands = range(len(copies(4)))
    points = np.array(
        [[[pegging_points(kind, side, hand) for hand in hands] for side in (0, 1)] for kind in MODELS]
    )
    gains = np.rint(GAIN_STEPS * (points[1:] - points[0])).astype(np.int8)
    write_tables(path, {"noise": NOISE}, {"gains": gains})


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else data_file(FILE))
