"""The sizes in `docs/environments.md` equal the sizes of the arrays."""

import re
from pathlib import Path

from fifteentwo.environments.encoding import observation_size
from fifteentwo.rules.variants import rules_for

PAGE = (Path(__file__).parents[2] / "docs" / "environments.md").read_text("utf-8")


def test_its_sizes_are_those_of_the_arrays() -> None:
    rows = re.findall(r"^\| ([a-z, -]+) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    stated = {name: sizes for names, *sizes in rows for name in names.split(", ")}
    for counting, column in (("automatic", 0), ("claimed", 1)):
        assert {name: int(sizes[column]) for name, sizes in stated.items()} == {
            name: observation_size(rules_for(name, counting=counting)) for name in stated
        }
    assert len(stated) == 5
