"""Six-card pegging as a game between two ranges of hands, in ranks."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import with_one_more
from lab import cfr
from lab.cfr import BRANCH_COUNT, Doubles, Floats, RegretTables, TraversalSettings
from lab.six_card.pegging_kernels import FRAME, ROOT_FRAMES
from lab.six_card.ranges import HANDS
from lab.six_card.tree import Tree, build_tree, records, reply_points
from lab.six_card.tree_kernels import MAX_DEPTH, NODE

_KERNELS = "lab.six_card.pegging_kernels"
UP4 = with_one_more(4)
"""(13, 455) number of the four-card hand that consists of this rank and these three ranks."""
_RANKS = np.bincount(UP4.ravel(), minlength=HANDS)[UP4].astype(np.float64)
"""(13, 455) number of different ranks in that four-card hand."""
REMAINING_SHAPE = (455,)
"""Number of hands of three ranks, which remain after a side's first card."""


class PeggingGame(cfr.Pegging):
    """Six-card pegging: regrets and strategy sums of both sides, by kept ranks."""

    hands = cfr.Hands(UP4, HANDS, _RANKS)
    """The 1,820 kept hands of four ranks."""
    remaining_shape = REMAINING_SHAPE

    def __init__(self, tree: Tree, threads: int = 2) -> None:
        """Start with zero regrets and strategy sums; threads share the branches of the tree."""
        super().__init__(tree.cells, tree.branches)
        self.tree = tree
        self.threads = threads
        self._local = threading.local()
        self._pool = ThreadPoolExecutor(threads)

    def values_after_reply(self, traversal: cfr.Traversal) -> Doubles:
        """Return (13, 13, 455) values of a side, by lead, reply and the three ranks that remain."""
        settings = cfr.traversal_settings(
            traversal.mode, traversal.factors, traversal.side, self.tree.dealer_point_value
        )
        values = np.zeros((13, 13, *REMAINING_SHAPE))

        def job(branch: int) -> None:
            lead, reply = divmod(branch, 13)
            factor = 4 * (4 - (lead == reply))
            values[lead, reply] = factor * self._branch(branch, settings, traversal).astype(np.float64)

        list(self._pool.map(job, traversal.branches))
        return values

    def _branch(self, branch: int, settings: TraversalSettings, traversal: cfr.Traversal) -> Floats:
        """Return (455,) values of a side after one lead and reply, 13 · lead + reply."""
        if not hasattr(self._local, "frames"):
            self._local.frames = records(FRAME, ROOT_FRAMES + 2)
            self._local.nodes = records(NODE, MAX_DEPTH)
        frames, nodes = self._local.frames, self._local.nodes
        lead, reply = divmod(branch, 13)
        nodes[0] = self.tree.firsts[branch]
        frames[ROOT_FRAMES].reach_probability[:455] = traversal.pone[lead]
        frames[ROOT_FRAMES + 1].reach_probability[:455] = traversal.dealer[lead][reply]
        frames[0].net = -self.tree.dealer_point_value * reply_points(lead, reply)
        tables = RegretTables(traversal.source.rest, self.regret.rest, self.total.rest)
        compiled(_KERNELS).walk(
            nodes, frames, self.tree.states[branch].copy(), settings, tables, self.tree.endings
        )
        values: Floats = frames[0].values[:455].copy()
        return values


def prepare() -> None:
    """Compile the kernels, or load them."""
    game = PeggingGame(build_tree([BRANCH_COUNT - 1]), threads=1)
    game.step((np.ones(HANDS), np.ones(HANDS)))
