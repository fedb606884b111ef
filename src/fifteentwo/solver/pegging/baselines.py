"""Plain ways to play and to discard, measured exactly as what ships is measured."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import UP4
from fifteentwo.solver.discards.discard_kernels import CHOOSE
from fifteentwo.solver.discards.joint import Joint
from fifteentwo.solver.pegging import open_hand
from fifteentwo.solver.pegging.baselines_kernels import GREEDY, LIKED, REPLY, liking
from fifteentwo.solver.pegging.ranges import HANDS, fit_ranges
from fifteentwo.solver.pegging.regret import Cells, best_per_hand
from fifteentwo.solver.pegging.tree import BRANCHES, DEALER, PONE, Tree, build_tree, records
from fifteentwo.solver.pegging.tree_kernels import LEVELS, NODE, STATE

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
_KERNELS = "fifteentwo.solver.pegging.baselines_kernels"

WAYS = ("open-hand", "club-like", "greedy", "uniform")
"""uniform: any card, any two. greedy: most points now; keeps the most points without the starter. club-like:
points less the mean of a reply; keeps the best mean hand and crib, pegging left out. open-hand: best mean
over the hands the other side may hold, both hands seen from then on; keeps the best mean hand and crib with
the mean such play of the kept hand."""
KINDS = {"uniform": -1, "greedy": GREEDY, "club-like": REPLY}


def cells_of(tree: Tree, kind: int) -> Cells:
    """The cells of a way of playing; a negative kind leaves every card as likely."""
    cells = Cells.zeros(tree.cells)
    if kind < 0:
        return cells
    nodes, liked = records(NODE, LEVELS), records(LIKED, 1)[0]
    fill = compiled(_KERNELS).fill_baseline
    for branch in tree.branches:
        nodes[0] = tree.firsts[branch]
        fill(kind, nodes, liked, tree.states[branch].copy(), cells.rest)
    state = records(STATE, 1)[0]
    state.left[:13] = 4
    cells.lead[:] = _rows([liking(kind, rank, state.pile, 0, 0, state.left) for rank in range(13)])
    for lead in range(13):
        state.pile[0] = lead
        state.left[lead] -= 1
        likes = [liking(kind, rank, state.pile, 0, 1, state.left) for rank in range(13)]
        cells.reply[lead] = _rows(likes)
        state.left[lead] += 1
    return cells


def _rows(likes: list[float]) -> Floats:
    """(13, 455): 1 where the card is the one its hand likes best."""
    every = np.repeat(np.array(likes)[:, None], 455, axis=1)
    return (every >= best_per_hand(every)[UP4]).astype(np.float32)


def measure(joint: Joint, name: str) -> dict[str, Any]:
    """Exploitability of a way of playing, both sides using it; the cribs discarded to are those of `joint`'s
    strategies, whose means change to the way's own.

    Cribs exact against the way's own discards; 1 to 2 minutes of two cores.
    """
    rows = len(joint.discarding[PONE].six.ranks)
    nothing = np.zeros((rows, 15), dtype=np.float32)
    pegging = [np.zeros(HANDS), np.zeros(HANDS)]
    if name == "open-hand":
        values, _ = open_hand.play(joint.game.tree, threads=joint.game.threads)
        pegging = list(open_hand.mean_pegging(values, _ranges(joint), joint.ranges.ways))
    for role in (PONE, DEALER):
        game = joint.discarding[role]
        if name == "uniform":
            game.total = np.ones_like(game.total)
        elif name == "greedy":
            game.run(CHOOSE, nothing, pegging[role], 0.0)
        else:
            game.run(CHOOSE, joint.cribs(role), pegging[role], joint.suited[1 - role])
    joint.means = [joint.discarding[role].average() for role in (PONE, DEALER)]
    if name == "open-hand":
        _, written = open_hand.play(joint.game.tree, _ranges(joint), joint.game.threads)
        assert written is not None
        cells = written
    else:
        cells = cells_of(joint.game.tree, KINDS[name])
    joint.correct()
    return joint.exploitability(cells)


def _ranges(joint: Joint) -> tuple[Doubles, Doubles]:
    """Weights under which both sides' hands come as often as `joint` keeps them, none of them at 0."""
    pone, dealer = joint.keeps()
    return fit_ranges(joint.ranges.ways, pone + 1e-12, dealer + 1e-12, 100)


def run(
    joint: Joint, ways: Sequence[str] = WAYS, progress: Callable[[str], None] = print
) -> dict[str, dict[str, Any]]:
    """Figures of every baseline, each discarding against what `joint` keeps now; `joint` is used up."""
    means, corrections, suited = joint.means, joint.corrections, joint.suited
    measured = {}
    for name in ways:
        joint.means, joint.corrections, joint.suited = list(means), list(corrections), list(suited)
        figures = measure(joint, name)
        measured[name] = {part: figures[part] for part in ("pegging", "discard", "deal")}
        progress(f"{name}: {measured[name]}")
    return measured


def prepare() -> None:
    """Compile the kernels, or load them."""
    cells_of(build_tree([BRANCHES - 1]), GREEDY)
