"""What a review needs is loaded once, when a game nears its end, and not before."""

import subprocess
import sys
import threading

import msgspec
import pytest

from fifteentwo.analysis.review import review
from fifteentwo.rules.state import start
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.study import reviews


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> threading.Semaphore:
    """Released whenever it is loaded."""
    times = threading.Semaphore(0)
    monkeypatch.setattr(review, "prepare", times.release)
    monkeypatch.setattr(reviews, "_begun", [])
    return times


@pytest.mark.parametrize(("target", "near"), [(121, 91), (61, 31)])
def test_a_game_that_nears_its_end_loads_what_its_review_needs(
    loaded: threading.Semaphore, target: int, near: int
) -> None:
    state = start(rules_for("six-card", target=target))
    for own, other in [(0, 0), (near - 1, near - 1)]:
        reviews.warm_up_near_the_end(msgspec.structs.replace(state, front=(own, other)))
    assert not loaded.acquire(timeout=0.2)
    for _ in range(3):
        reviews.warm_up_near_the_end(msgspec.structs.replace(state, front=(3, near)))
    assert loaded.acquire(timeout=60)
    assert not loaded.acquire(timeout=0.2), "once in a process"


def test_a_program_does_not_end_while_it_is_loaded() -> None:
    """LLVM, at work in a thread as the process ends, took it down: once in sixteen."""
    ended = subprocess.run([sys.executable, "-c", LOADS_AND_ENDS], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (0, "loaded\n"), ended.stderr


LOADS_AND_ENDS = """
import time
from fifteentwo.analysis.review import review
from fifteentwo.server.study import reviews

def prepare():
    time.sleep(0.5)
    print("loaded", flush=True)

review.prepare = prepare
reviews.warm_up()
"""
