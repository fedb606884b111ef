"""Settings, fixtures and hooks for all tests."""

import asyncio
import gc
import inspect
import os

# Tests run in parallel, so numpy's own threads would slow each other down. Set before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import signal
from contextlib import AbstractAsyncContextManager, AsyncExitStack

import pytest
from hypothesis import HealthCheck, settings

from fifteentwo.i18n import LANGUAGES

# No deadline, because the machine may be busy, and fixed examples; `make slow` tries other examples.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("table", PATIENT, derandomize=True)
settings.register_profile("any", PATIENT)
settings.load_profile("table")

# Background jobs and the programs they start ignore SIGINT, but some tests interrupt programs.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

pytest.register_assert_rewrite(
    "tests.support", "tests.rules.whole_games", "tests.rules.positions", "tests.rules.second_referee"
)


@pytest.fixture(params=LANGUAGES)
def lang(request: pytest.FixtureRequest) -> str:
    """Return each language in turn."""
    return str(request.param)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests in Chromium as `browser`, and as `long` unless `make test` runs them as a journey."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            if not any(item.get_closest_marker(name) for name in ("journey", "slow", "timed")):
                item.add_marker(pytest.mark.long)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an async test in its own event loop; enter its fixtures that are async context managers."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None

    async def run() -> None:
        async with AsyncExitStack() as stack:
            given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
            for name, value in given.items():
                if isinstance(value, AbstractAsyncContextManager):
                    given[name] = await stack.enter_async_context(value)
            await pyfuncitem.obj(**given)

    asyncio.run(run())
    return True


def pytest_collection_finish() -> None:
    """Collect garbage rarely, because thousands of tests and all modules stay until the end.

    `gc.freeze` is not called, because Hypothesis asks the collector what refers to its random numbers, and
    Python 3.14 leaves frozen dicts out of the answer.
    """
    gc.set_threshold(5_000, 10, 50)
