"""The command line, run in this process."""

from click.testing import CliRunner, Result

from fifteentwo.cli import main


def run(*words: str, given: str | bytes | None = None) -> Result:
    """Run a command line; its status, output and errors."""
    return CliRunner().invoke(main, list(words), input=given)
