"""The lab's command line, run in this process."""

from importlib import import_module
from unittest.mock import patch

from click.testing import CliRunner, Result

from lab.__main__ import main


def run(*words: str) -> Result:
    """Run a command line of the lab without compiling kernels in advance."""
    with patch("lab.solving.compile_for", import_module):
        return CliRunner().invoke(main, list(words))
