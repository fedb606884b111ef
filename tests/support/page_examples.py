"""Run the Python of pages as their readers would, one block after another.

`python -m tests.support.page_examples PAGE…`. Blocks that begin with >>> are doctests, whose output is
compared; others only have to run. A block after a line `<!-- not run: REASON -->` is left out.
"""

import doctest
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_BLOCK = re.compile(r"(?:^<!-- not run: ([^\n]+) -->\n)?^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page: Path, language: str) -> Iterator[tuple[str, int]]:
    """Return the code blocks of a page that tests run, each with the number of its first line."""
    text = page.read_text("utf-8")
    for block in _BLOCK.finditer(text):
        if block[2] == language and block[1] is None:
            yield block[3], text.count("\n", 0, block.start(3)) + 1


def left_out(page: Path) -> list[str]:
    """Return the reasons why blocks of a page are not run."""
    return [block[1] for block in _BLOCK.finditer(page.read_text("utf-8")) if block[1] is not None]


def run(page: Path) -> int:
    """Run a page's blocks in one namespace; return the number of failed examples."""
    names: dict[str, Any] = {"__name__": "__main__"}
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed = 0
    for code, line in blocks(page, "python"):
        if code.startswith(">>> "):
            test = doctest.DocTestParser().get_doctest(code, names, page.name, str(page), line)
            failed += doctest.DocTestRunner(optionflags=flags).run(test, clear_globs=False).failed
            names = test.globs
        else:
            exec(compile("\n" * (line - 1) + code, str(page), "exec"), names)
    return failed


if __name__ == "__main__":
    sys.exit(sum(run(Path(page)) for page in sys.argv[1:]) > 0)
