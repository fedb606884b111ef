"""A largest set of pairs in any graph, by Edmonds' blossom algorithm.

networkx has this algorithm, but is larger than all of this server. SciPy's is for bipartite graphs.
"""

from collections import deque
from collections.abc import Sequence

Graph = Sequence[Sequence[int]]
"""The neighbours of each vertex; vertices are numbered from 0."""
FREE = -1
"""The partner of a vertex without one."""


def complete_matching(graph: Graph, partners: Sequence[int]) -> list[int]:
    """Return the partners of a largest matching, in which every vertex with a partner still has one.

    partners: a matching to start from.
    """
    partners = list(partners)
    for root in range(len(graph)):
        if partners[root] == FREE:
            _Search(graph, partners, root).augment()
    return partners


class _Search:
    """A search for a path of alternating edges from a free vertex to another one."""

    def __init__(self, graph: Graph, partners: list[int], root: int) -> None:
        self._graph = graph
        self._partners = partners
        self._root = root
        self._parents = [FREE] * len(graph)
        self._bases = list(range(len(graph)))
        """The base of the blossom of each vertex: the vertex itself outside blossoms."""
        self._queue = deque([root])
        self._reached = {root}
        """Vertices that were ever in the queue: those an even number of edges away from the root."""

    def augment(self) -> None:
        """Give the root a partner if a path exists, by exchanging the matched and other edges of the path."""
        partners, parents = self._partners, self._parents
        while self._queue:
            vertex = self._queue.popleft()
            for other in self._graph[vertex]:
                if self._bases[vertex] == self._bases[other] or partners[vertex] == other:
                    continue
                if other == self._root or (partners[other] != FREE and parents[partners[other]] != FREE):
                    self._contract((vertex, other))
                elif parents[other] == FREE:
                    parents[other] = vertex
                    if partners[other] == FREE:
                        while other != FREE:
                            before = parents[other]
                            partners[other], partners[before], other = before, other, partners[before]
                        return
                    self._reach(partners[other])

    def _reach(self, vertex: int) -> None:
        if vertex not in self._reached:
            self._reached.add(vertex)
            self._queue.append(vertex)

    def _contract(self, edge: tuple[int, int]) -> None:
        """Make one blossom of the odd cycle that an edge closes."""
        paths = [self._bases_to_root(vertex) for vertex in edge]
        base = next(vertex for vertex in paths[1] if vertex in paths[0])
        blossom = set[int]()
        for vertex, child in (edge, edge[::-1]):
            while self._bases[vertex] != base:
                blossom |= {self._bases[vertex], self._bases[self._partners[vertex]]}
                self._parents[vertex], child = child, self._partners[vertex]
                vertex = self._parents[child]
        for vertex, own_base in enumerate(self._bases):
            if own_base in blossom:
                self._bases[vertex] = base
                self._reach(vertex)

    def _bases_to_root(self, vertex: int) -> list[int]:
        path = [self._bases[vertex]]
        while path[-1] != self._bases[self._root]:
            path.append(self._bases[self._parents[self._partners[path[-1]]]])
        return path
