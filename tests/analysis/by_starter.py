"""Points of ranks with each starter, for tests that count by themselves."""

from fifteentwo.analysis.win.counting import rank_points


def points_by_starter(ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Return fifteens, pairs and runs of a kept hand with a starter of each rank (13 of them)."""
    return tuple(rank_points((*ranks, starter)) for starter in range(13))
