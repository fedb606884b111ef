"""The lab's command line, run in this process."""

from click.testing import CliRunner, Result

from lab.__main__ import main


def run(*words: str) -> Result:
    """Run a command line of the lab; return its status, output and errors."""
    return CliRunner().invoke(main, list(words))
