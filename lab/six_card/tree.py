"""The pegging tree: 169 branches by lead and reply, their nodes, and the points of every ending."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.play import card_points, value_of
from lab.cfr import BRANCHES, DEALER
from lab.six_card.tree_kernels import LEVELS, NODE, STATE, Nodes, Survey, play_card

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.int32]

_KERNELS = "lab.six_card.tree_kernels"
_ENDINGS = "lab.six_card.endings_kernels"


class Endings(NamedTuple):
    """The points of every distinct ending of the tree, and the number of the ending at each place."""

    single: Floats
    """(n, 2, 14, 16) endings with a card on each side; see `endings_kernels.fill_singles`."""
    single_at: Places
    pair: Floats
    """(n, 208) net points of the pone if one side is alone with two cards."""
    pair_at: Places
    triple: Floats
    """(n, 455) the same with three cards."""
    triple_at: Places


class Tree(NamedTuple):
    """The public tree after the lead and the reply."""

    branches: tuple[int, ...]
    """The branches of the tree, lead·13 + reply, ascending."""
    firsts: Any
    """(169,) the first node of each branch; dtype NODE."""
    states: Any
    """(169,) the cards on the table and the places in the flat arrays at this node; dtype STATE."""
    cells: int
    nodes: Nodes
    endings: Endings
    dealer_counts: int
    """Value of a dealer's point: 1, or 0 to count the pone's points only."""


def records(fields: Any, number: int) -> Any:
    """Return empty records whose fields are attributes."""
    return np.zeros(number, fields).view(np.recarray)


def reply_points(lead: int, reply: int) -> int:
    """Return the dealer's points for the reply."""
    return card_points(np.array([lead, reply]), 0, 2, value_of(lead) + value_of(reply))


def branch_starts() -> tuple[Any, Any]:
    """Return `Tree.firsts` and `Tree.states`, with no places in the flat arrays."""
    firsts, states = records(NODE, BRANCHES), records(STATE, BRANCHES)
    deal, led = records(NODE, 2)
    deal.held[:], deal.last = 4, DEALER
    for branch in range(BRANCHES):
        states[branch].left[:13] = 4
        play_card(deal, led, states[branch], branch // 13)
        play_card(led, firsts[branch], states[branch], branch % 13)
    return firsts, states


def build_tree(branches: Sequence[int] = range(BRANCHES), dealer_counts: int = 1) -> Tree:
    """Build the public tree after the lead and the reply; all branches take 6 s and 0.3 GB.

    branches: lead·13 + reply, ascending. dealer_counts: 0 to count the pone's points only.
    """
    firsts, states = branch_starts()
    nothing = _empty_survey(0, 0, 0, 0)
    nodes = records(NODE, LEVELS)
    survey = compiled(_KERNELS).survey
    places = ("cell", "single", "pair", "triple", "node")
    reached = dict.fromkeys(places, 0)
    for branch in branches:
        for place in places:
            states[branch][place] = reached[place]
        state = states[branch].copy()
        nodes[0] = firsts[branch]
        survey(nodes, state, nothing, False)
        reached = {place: int(state[place]) for place in places}
    surveyed = _empty_survey(*(reached[place] for place in ("single", "pair", "triple", "node")))
    for branch in branches:
        nodes[0] = firsts[branch]
        survey(nodes, states[branch].copy(), surveyed, True)
    endings = _score(surveyed, dealer_counts)
    return Tree(tuple(branches), firsts, states, reached["cell"], surveyed.nodes, endings, dealer_counts)


def _empty_survey(single: int, pair: int, triple: int, nodes: int) -> Survey:
    keys = [np.zeros(size, np.int64) for size in (single, pair, triple)]
    return Survey(keys[0], keys[1], keys[2], Nodes(*np.zeros((4, nodes), np.int64)))


def _score(surveyed: Survey, dealer_counts: int) -> Endings:
    single, single_at = np.unique(surveyed.single, return_inverse=True)
    pair, pair_at = np.unique(surveyed.pair, return_inverse=True)
    triple, triple_at = np.unique(surveyed.triple, return_inverse=True)
    singles = np.zeros((len(single), 2, 14, 16), dtype=np.float32)
    pairs = np.zeros((len(pair), 208), dtype=np.float32)
    triples = np.zeros((len(triple), 455), dtype=np.float32)
    kernels = compiled(_ENDINGS)
    kernels.fill_singles(single, dealer_counts, singles)
    kernels.fill_alone(pair, 2, dealer_counts, pairs)
    kernels.fill_alone(triple, 3, dealer_counts, triples)
    places = (at.astype(np.int32) for at in (single_at, pair_at, triple_at))
    return Endings(singles, next(places), pairs, next(places), triples, next(places))


def prepare() -> None:
    """Compile the kernels, or load them."""
    build_tree([BRANCHES - 1])
