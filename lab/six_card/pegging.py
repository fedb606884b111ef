"""Six-card pegging as a game between two ranges of hands, in ranks."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import with_one_more
from lab import cfr
from lab.cfr import BRANCHES, Lesson, RegretTables
from lab.six_card.pegging_kernels import FRAME, ROOTS
from lab.six_card.ranges import HANDS
from lab.six_card.tree import Tree, build_tree, records, reply_points
from lab.six_card.tree_kernels import LEVELS, NODE

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
_KERNELS = "lab.six_card.pegging_kernels"
UP4 = with_one_more(4)
_RANKS = np.bincount(UP4.ravel(), minlength=HANDS)[UP4].astype(np.float64)
RESTS = (455,)
"""Number of hands of three ranks."""


class PeggingGame(cfr.Pegging):
    """Regrets and average strategies of both sides, and the walks over them."""

    hands = cfr.Hands(UP4, HANDS, _RANKS)
    rests = RESTS

    def __init__(self, tree: Tree, threads: int = 2) -> None:
        super().__init__(tree.cells, tree.branches)
        self.tree = tree
        self.threads = threads
        self._local = threading.local()
        self._pool = ThreadPoolExecutor(threads)

    def below(self, walk: cfr.Walk) -> Doubles:
        """Return (13, 13, 455) counterfactual values of a side, by lead, reply and hand of three cards."""
        lesson = cfr.lesson(walk.mode, walk.factors, walk.side, self.tree.dealer_counts)
        values = np.zeros((13, 13, *RESTS))

        def job(branch: int) -> None:
            lead, reply = divmod(branch, 13)
            factor = 4 * (4 - (lead == reply))
            values[lead, reply] = factor * self._branch(branch, lesson, walk).astype(np.float64)

        list(self._pool.map(job, walk.branches))
        return values

    def _branch(self, branch: int, lesson: Lesson, walk: cfr.Walk) -> Floats:
        """(455,) values of a side below one lead and reply."""
        if not hasattr(self._local, "frames"):
            self._local.frames = records(FRAME, ROOTS + 2)
            self._local.nodes = records(NODE, LEVELS)
        frames, nodes = self._local.frames, self._local.nodes
        lead, reply = divmod(branch, 13)
        nodes[0] = self.tree.firsts[branch]
        frames[ROOTS].reach_probability[:455] = walk.pone[lead]
        frames[ROOTS + 1].reach_probability[:455] = walk.dealer[lead][reply]
        frames[0].net = -self.tree.dealer_counts * reply_points(lead, reply)
        tables = RegretTables(walk.source.rest, self.regret.rest, self.total.rest)
        compiled(_KERNELS).walk(
            nodes, frames, self.tree.states[branch].copy(), lesson, tables, self.tree.endings
        )
        values: Floats = frames[0].values[:455].copy()
        return values


def prepare() -> None:
    """Compile the kernels, or load them."""
    game = PeggingGame(build_tree([BRANCHES - 1]), threads=1)
    game.step((np.ones(HANDS), np.ones(HANDS)))
