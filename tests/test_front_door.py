"""`import fifteentwo` is quick and imports no large package."""

import subprocess
import sys

import pytest

HEAVY = (
    *("numpy", "numba", "sqlalchemy", "starlette", "uvicorn", "jinja2", "click", "asyncio", "websockets"),
    "distributed",
)


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.strip()


def test_importing_fifteentwo_imports_no_large_package() -> None:
    """Modules of the package are imported when one of their names is used."""
    code = "import sys, fifteentwo; {}print(*sorted(sys.modules))"
    bare, used = run(code.format("")).split(), run(code.format("fifteentwo.step; ")).split()
    assert not [name for name in bare if name.startswith(("fifteentwo.", "msgspec"))]
    assert "msgspec" in used
    assert not set(HEAVY) & set(used)
    assert {name.split(".")[1] for name in used if name.startswith("fifteentwo.")} == {"rules"}


@pytest.mark.timed
def test_importing_fifteentwo_takes_at_most_0_15_cpu_seconds() -> None:
    """Nine imports of ten take less CPU time than this."""
    code = "import time; began = time.process_time(); import fifteentwo; print(time.process_time() - began)"
    taken = sorted(float(run(code)) for _ in range(10))
    assert taken[8] <= 0.15, taken
