"""The modules of the lab whose kernels are compiled, and compiling them before a command begins."""

import sys
from importlib import import_module

from fifteentwo.cli.preparing import compile_first
from fifteentwo.prepare import OTHER_MODULES, PLAYING_MODULES

SOLVERS = (
    "lab.six_card.play_counts",
    "lab.five_card.pegging",
    "lab.five_card.chances",
    "lab.measure.best_response",
    "lab.six_card.pegging",
    "lab.six_card.tree",
    "lab.six_card.discards",
    "lab.six_card.pegging_book",
)
"""Modules that compute and measure the tables. What compiles longest comes first."""
DEALS = ("lab.board.deal", "lab.board.deal_counts")
"""Modules that play deals in bulk."""
KERNELS = SOLVERS + DEALS
"""Modules of the lab that call kernels."""


def compile_all(jobs: int | None = None, *, solvers: bool = True) -> None:
    """Compile the kernels of the lab and of the package. solvers: also compile the modules in SOLVERS."""
    compile_first((SOLVERS if solvers else ()) + PLAYING_MODULES + DEALS + OTHER_MODULES, jobs)


def compile_for(module: str) -> None:
    """Compile the kernels that a module and its imports call."""
    import_module(module)
    compile_first([name for name in KERNELS + PLAYING_MODULES + OTHER_MODULES if name in sys.modules])
