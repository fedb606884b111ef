"""Plain ways to play and to lay away, measured exactly as what ships is measured."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.kernels import peg_yardsticks
from fifteentwo.kernels.peg_hands import UP4
from fifteentwo.solver.joint import Joint
from fifteentwo.solver.laying_away import CHOOSE, DEALER, PONE
from fifteentwo.solver.pegging_game import HANDS, Cells, Tree, branch_start

Floats = npt.NDArray[np.float32]

WAYS = {"uniform": -1, "greedy": peg_yardsticks.GREEDY, "club-like": peg_yardsticks.REPLY}
"""uniform: any card, any two. greedy: most points now; keeps the most points without the starter. club-like:
points less the mean of a reply; keeps the best mean hand and crib, the play left out."""


def cells_of(tree: Tree, kind: int) -> Cells:
    """The cells of a way of playing; a negative kind leaves every card as likely."""
    cells = Cells.zeros(tree.cells)
    if kind < 0:
        return cells
    for branch in range(169):
        stack, _, left, pile, _, _ = branch_start(branch // 13, branch % 13)
        peg_yardsticks.fill_yardstick(kind, stack, pile, left, tree.starts[branch].copy(), cells.rest)
    pile = np.zeros(32, dtype=np.int64)
    left = np.zeros(16, dtype=np.float32)
    left[:13] = 4
    cells.lead[:] = _rows([peg_yardsticks.liking(kind, r, pile, 0, 0, 0, left) for r in range(13)])
    for card in range(13):
        pile[0] = card
        left[card] -= 1
        count = min(card + 1, 10)
        cells.reply[card] = _rows(
            [peg_yardsticks.liking(kind, r, pile, 0, 1, count, left) for r in range(13)]
        )
        left[card] += 1
    return cells


def _rows(likes: list[float]) -> Floats:
    """(13, 455): 1 where the card is the one its hand likes best."""
    best = np.full(HANDS, -np.inf)
    every = np.repeat(np.array(likes)[:, None], 455, axis=1)
    np.maximum.at(best, UP4.ravel(), every.ravel())
    return (every >= best[UP4]).astype(np.float32)


def measure(joint: Joint, name: str) -> dict[str, Any]:
    """Exploitability of a way of playing, both sides using it; changes the means of `joint`.

    Cribs exact against the way's own lay-aways; 1 to 2 minutes of two cores.
    """
    kind = WAYS[name]
    cells = cells_of(joint.game.tree, kind)
    rows = len(joint.laying[PONE].six.ranks)
    nothing = np.zeros((rows, 15), dtype=np.float32)
    none = np.zeros(HANDS)
    for role in (PONE, DEALER):
        laying = joint.laying[role]
        if kind < 0:
            laying.total = np.ones_like(laying.total)
        else:
            crib = nothing if name == "greedy" else joint.cribs(role)
            laying.run(CHOOSE, crib, none, 0.0 if name == "greedy" else joint.suited[1 - role])
    joint.means = [joint.laying[role].average() for role in (PONE, DEALER)]
    joint.correct()
    return joint.exploitability(cells)


def run(joint: Joint, say: Callable[[str], None] = print) -> dict[str, dict[str, Any]]:
    """Figures of every yardstick; `joint` is used up."""
    found = {}
    for name in ("club-like", "greedy", "uniform"):
        figures = measure(joint, name)
        found[name] = {part: figures[part] for part in ("pegging", "discard", "deal")}
        say(f"{name}: {found[name]}")
    return found
