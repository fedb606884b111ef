"""What all tests share."""

import gc
import os

# Tests run in parallel: numpy's own threads would wait for one another. Before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import signal

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no reason to fail, nor is luck; `make slow` tries other examples.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("table", PATIENT, derandomize=True)
settings.register_profile("any", PATIENT)
settings.load_profile("table")

# Background jobs ignore interrupts, and so do programs they start; here some are to be interrupted.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

pytest.register_assert_rewrite(
    "tests.support", "tests.rules.whole_games", "tests.rules.positions", "tests.rules.second_referee"
)


def pytest_collection_finish() -> None:
    """Collect garbage seldom: thousands of tests and all modules stay to the end.

    Nothing is frozen: Hypothesis asks the collector what refers to its random numbers, and frozen dicts
    are left out of the answer (Python 3.14.8).
    """
    gc.set_threshold(5_000, 10, 50)
