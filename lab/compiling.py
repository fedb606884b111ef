"""The modules of the lab whose kernels are compiled, and compiling them before a command begins."""

import sys
from importlib import import_module

from fifteentwo.cli.preparing import compile_first
from fifteentwo.prepare import OTHER_MODULES, PLAYING_MODULES

SOLVER_MODULES = (
    "lab.six_card.play_counts",
    "lab.five_card.pegging",
    "lab.five_card.chances",
    "lab.measure.best_response",
    "lab.six_card.pegging",
    "lab.six_card.tree",
    "lab.six_card.discards",
    "lab.six_card.pegging_book",
)
"""Modules whose kernels compute and measure the tables, the longest to compile first."""
DEAL_MODULES = ("lab.board.deal", "lab.board.deal_counts")
"""Modules whose kernels play many deals."""
KERNEL_MODULES = SOLVER_MODULES + DEAL_MODULES
"""All modules of the lab that have kernels to compile."""


def compile_all(jobs: int | None = None, *, solvers: bool = True) -> None:
    """Compile all kernels of the lab and the package, in `jobs` processes. solvers: those of solvers too."""
    compile_first((SOLVER_MODULES if solvers else ()) + PLAYING_MODULES + DEAL_MODULES + OTHER_MODULES, jobs)


def compile_for(module: str) -> None:
    """Import a module and compile the kernels that it uses."""
    import_module(module)
    compile_first([name for name in KERNEL_MODULES + PLAYING_MODULES + OTHER_MODULES if name in sys.modules])
