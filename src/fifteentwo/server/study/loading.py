"""Loads what a review needs before the first is asked for, once in a process: tables, compiled kernels.

It takes a second or two: when a game nears its end, or when a page opens that a record is dropped on.
"""

import threading

from fifteentwo.rules.state import State

NEAR = 30
"""Points to the game hole, of the side that leads."""

_begun: list[bool] = []


def near_the_end(state: State) -> None:
    """Load it if a game is nearly over: a review is one press away then."""
    if max(state.front) >= state.rules.target - NEAR:
        begin()


def begin() -> None:
    """Load it in a thread of its own."""
    if not _begun:
        _begun[:] = [True]
        # Not a daemon: a program that ends while a thread compiles crashes within LLVM.
        threading.Thread(target=_load, name="loading", daemon=False).start()


def _load() -> None:
    from fifteentwo.analysis.review import review

    review.prepare()
