"""The pegging tree: 169 branches by lead and reply, their nodes, and the points of every ending."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.play import card_points, value_of
from lab.cfr import BRANCH_COUNT, DEALER, Floats
from lab.six_card.tree_kernels import MAX_DEPTH, NODE, STATE, Nodes, Survey, play_card

Places = npt.NDArray[np.int32]

_KERNELS = "lab.six_card.tree_kernels"
_ENDINGS = "lab.six_card.endings_kernels"


class Endings(NamedTuple):
    """Points of every different ending of the tree, and the row of each ending in tree order."""

    single: Floats
    """(n, 2, 14, 16) net points if each side has one card: by side and both ranks; see `fill_singles`."""
    single_at: Places
    """Row of `single` for each such ending, in tree order."""
    pair: Floats
    """(n, 208) net points of the pone if one side has two cards and the other none, by the two cards."""
    pair_at: Places
    """Row of `pair` for each such ending, in tree order."""
    triple: Floats
    """(n, 455) net points of the pone if one side has three cards and the other none, by the three cards."""
    triple_at: Places
    """Row of `triple` for each such ending, in tree order."""


class Tree(NamedTuple):
    """The public tree of pegging after the lead and the reply."""

    branches: tuple[int, ...]
    """The branches in the tree, 13 · lead + reply, ascending."""
    firsts: Any
    """(169,) the first node of each branch; dtype NODE."""
    states: Any
    """(169,) the cards on the table and the next array indices at that node; dtype STATE."""
    cells: int
    """Number of cells: one for each information set and card after the reply."""
    nodes: Nodes
    endings: Endings
    """Points of the endings."""
    dealer_point_value: int
    """1 if endings have net points; 0 if the dealer's points are ignored."""


def records(fields: Any, number: int) -> Any:
    """Return `number` empty records of this dtype, whose fields can be read as attributes."""
    return np.zeros(number, fields).view(np.recarray)


def reply_points(lead: int, reply: int) -> int:
    """Return the points that the dealer pegs with its reply."""
    return card_points(np.array([lead, reply]), 0, 2, value_of(lead) + value_of(reply))


def branch_starts() -> tuple[Any, Any]:
    """Return the first node (NODE) and state (STATE) of each of the 169 branches."""
    firsts, states = records(NODE, BRANCH_COUNT), records(STATE, BRANCH_COUNT)
    deal, led = records(NODE, 2)
    deal.held[:], deal.last = 4, DEALER
    for branch in range(BRANCH_COUNT):
        states[branch].left[:13] = 4
        play_card(deal, led, states[branch], branch // 13)
        play_card(led, firsts[branch], states[branch], branch % 13)
    return firsts, states


def build_tree(branches: Sequence[int] = range(BRANCH_COUNT), dealer_point_value: int = 1) -> Tree:
    """Build the public tree of these branches, 13 · lead + reply ascending; all take 6 s and 0.3 GB."""
    firsts, states = branch_starts()
    nothing = _empty_survey(0, 0, 0, 0)
    nodes = records(NODE, MAX_DEPTH)
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
    endings = _score(surveyed, dealer_point_value)
    return Tree(tuple(branches), firsts, states, reached["cell"], surveyed.nodes, endings, dealer_point_value)


def _empty_survey(single: int, pair: int, triple: int, nodes: int) -> Survey:
    keys = [np.zeros(size, np.int64) for size in (single, pair, triple)]
    return Survey(keys[0], keys[1], keys[2], Nodes(*np.zeros((4, nodes), np.int64)))


def _score(surveyed: Survey, dealer_point_value: int) -> Endings:
    single, single_at = np.unique(surveyed.single, return_inverse=True)
    pair, pair_at = np.unique(surveyed.pair, return_inverse=True)
    triple, triple_at = np.unique(surveyed.triple, return_inverse=True)
    singles = np.zeros((len(single), 2, 14, 16), dtype=np.float32)
    pairs = np.zeros((len(pair), 208), dtype=np.float32)
    triples = np.zeros((len(triple), 455), dtype=np.float32)
    kernels = compiled(_ENDINGS)
    kernels.fill_singles(single, dealer_point_value, singles)
    kernels.fill_alone(pair, 2, dealer_point_value, pairs)
    kernels.fill_alone(triple, 3, dealer_point_value, triples)
    places = (at.astype(np.int32) for at in (single_at, pair_at, triple_at))
    return Endings(singles, next(places), pairs, next(places), triples, next(places))


def prepare() -> None:
    """Compile the kernels, or load them."""
    build_tree([BRANCH_COUNT - 1])
