"""`make check` finds scripts with wrong wire types; here the wire types change in a copy."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.web.modules import WEB

INSTALLED = Path(__file__).parents[2] / ".venv" / "node_modules" / ".bin" / "tsc"

CHANGES = [
    ("front: number[];", "fronts: number[];", r"play/seats/seats\.js.*'front'"),
    ('t: "view";', 't: "settled";', r"^static/play/table\.js.*\"view\""),
    ('"discard"', '"discarding"', r"play/stage/stage\.js.*\"discard\""),
    ("named: NamedScore[] | null;", "named: NamedScore | null;", r"play/events/perform\.js.*NamedScore"),
    ("starter: Card | null;", "starter: Card | undefined;", r"play/events/follow\.js.*starter: null;"),
    ("    | Pegged\n", "", r"play/events/perform\.js.*\"Pegged\""),
    ("    | CallMuggins\n", "", r"play/claims/claim\.js.*\"CallMuggins\""),
    ("scores: CountedScore[];", "scores: CountedScore[] | null;", r"^static/check/check\.js.*'null'"),
]
"""A change of the wire, and what must be complained of."""


@pytest.fixture(scope="module")
def tsc() -> str:
    """Return the path of the TypeScript compiler. Without it, skip; fail if it is required."""
    found = shutil.which("tsc", path=f"{INSTALLED.parent}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        if "node" in os.environ.get("FIFTEENTWO_REQUIRE", ""):
            pytest.fail("tsc is required")
        pytest.skip("no tsc here")
    return found


def _complaints(tsc: str, folder: Path) -> str:
    done = subprocess.run(
        [tsc, "--project", "jsconfig.json"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode == 0) == (done.stdout == ""), done.stdout + done.stderr
    return done.stdout


def test_a_script_with_wrong_wire_types_is_found(tsc: str, tmp_path: Path) -> None:
    for folder in ("static", "types"):
        shutil.copytree(WEB / folder, tmp_path / folder)
    for file in ("jsconfig.json", "package.json"):
        shutil.copy(WEB / file, tmp_path)
    wire = tmp_path / "types" / "wire.d.ts"
    changed = wire.read_text(encoding="utf-8")
    for old, new, _ in CHANGES:
        assert old in changed
        changed = changed.replace(old, new)
    wire.write_text(changed, encoding="utf-8")
    complaints = _complaints(tsc, tmp_path)
    for _, new, complaint in CHANGES:
        assert re.search(complaint, complaints, re.MULTILINE), new


def test_no_script_disables_type_checks() -> None:
    """No script uses `any` or disables checks."""
    for path in (WEB / "static").rglob("*.js"):
        let_off = re.search(r"@ts-|[{<(|: ]any[}>)|\[]", path.read_text(encoding="utf-8"))
        assert let_off is None, path.name
