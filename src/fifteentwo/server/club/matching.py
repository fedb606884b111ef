"""A largest set of pairs in any graph, by Edmonds' blossom algorithm.

networkx has this algorithm, but is larger than all of this server. SciPy's is for bipartite graphs.
"""

from collections.abc import Sequence

FREE = -1
"""The partner of a vertex without one."""


def largest_matching(graph: Sequence[Sequence[int]]) -> list[int]:
    """Return the partner of each vertex in a largest matching; the first vertex has one if it has an edge.

    graph: the neighbours of each vertex.
    """
    partners = [FREE] * len(graph)
    for root in range(len(graph)):
        if partners[root] == FREE:
            _augment(graph, partners, root)
    return partners


def _augment(graph: Sequence[Sequence[int]], partners: list[int], root: int) -> None:
    """Search a path of alternating edges from a free vertex to another, and exchange its edges."""
    parents, bases = [FREE] * len(graph), list(range(len(graph)))
    # Vertices an even number of edges away from the root; the loop reaches those that are added in it.
    even = [root]
    for vertex in even:
        for other in graph[vertex]:
            if bases[vertex] == bases[other] or partners[vertex] == other:
                continue
            if other == root or (partners[other] != FREE and parents[partners[other]] != FREE):
                even += [
                    one for one in _contract(partners, parents, bases, (vertex, other)) if one not in even
                ]
            elif parents[other] == FREE:
                parents[other] = vertex
                if partners[other] == FREE:
                    while other != FREE:
                        before = parents[other]
                        partners[other], partners[before], other = before, other, partners[before]
                    return
                even.append(partners[other])


def _contract(partners: list[int], parents: list[int], bases: list[int], edge: tuple[int, int]) -> list[int]:
    """Give the vertices of the odd cycle that an edge closes, a blossom, one base; return these vertices."""
    paths = []
    for vertex in edge:
        path = [bases[vertex]]
        while partners[path[-1]] != FREE:
            path.append(bases[parents[partners[path[-1]]]])
        paths.append(path)
    base = next(vertex for vertex in paths[1] if vertex in paths[0])
    joined = set[int]()
    for vertex, child in (edge, edge[::-1]):
        while bases[vertex] != base:
            joined |= {bases[vertex], bases[partners[vertex]]}
            parents[vertex], child = child, partners[vertex]
            vertex = parents[child]
    blossom = [vertex for vertex, own in enumerate(bases) if own in joined]
    for vertex in blossom:
        bases[vertex] = base
    return blossom
