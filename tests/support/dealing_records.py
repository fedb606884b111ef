"""Records with proofs of the dealing, read by the page."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fifteentwo.rules.record import Record

DEALING = Path(__file__).parents[1] / "dealing"


def by_the_page(records: Iterable[tuple[str, str]], folder: Path) -> Iterator[dict[str, Any]]:
    """Return what the page's script says about each record and the commitment that was seen."""
    node = shutil.which("node")
    if node is None:
        if "node" in os.environ.get("FIFTEENTWO_REQUIRE", ""):
            pytest.fail("node is required")
        pytest.skip("no node here")
    file = folder / "records.json"
    file.write_text(json.dumps([{"record": text, "expected": seen} for text, seen in records]), "utf-8")
    done = subprocess.run(
        [node, str(DEALING / "check_records.mjs"), str(file)], capture_output=True, text=True, check=True
    )
    for line in done.stdout.splitlines():
        yield json.loads(line)


def deals_of(record: Record) -> int:
    return sum(type(action).__name__ == "Deal" for action in record.actions)
