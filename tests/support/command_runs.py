"""Commands run in this process, and records for them."""

from click.testing import CliRunner, Result

from fifteentwo.cli import main


def run(*words: str, given: str | None = None) -> Result:
    return CliRunner().invoke(main, words, input=given)
