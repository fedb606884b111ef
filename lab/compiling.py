"""The modules of the lab whose kernels are compiled, and compiling them before a command begins."""

import sys
from importlib import import_module

from fifteentwo.cli.preparing import compile_first
from fifteentwo.prepare import OTHER_MODULES, PLAYING_MODULES

KERNELS = (
    "lab.six_card.play_counts",
    "lab.five_card.pegging",
    "lab.five_card.chances",
    "lab.six_card.pegging",
    "lab.six_card.tree",
    "lab.six_card.discards",
    "lab.board.deal",
    "lab.board.deal_counts",
    "lab.six_card.pegging_book",
    "lab.measure.best_response",
    "lab.measure.card_rollouts",
)
"""Modules of the lab that call kernels. What compiles longest comes first."""


def compile_all(jobs: int | None = None) -> None:
    """Compile every kernel of the lab and of the package."""
    compile_first(KERNELS + PLAYING_MODULES + OTHER_MODULES, jobs)


def compile_for(module: str) -> None:
    """Compile the kernels that a module and its imports call."""
    import_module(module)
    compile_first([name for name in KERNELS + PLAYING_MODULES + OTHER_MODULES if name in sys.modules])
