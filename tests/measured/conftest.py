"""What is measured on the pages, with the browser and server of the next folder; skipped without them."""

from pathlib import Path

import pytest

from tests.browser.conftest import chromium, live, visit
from tests.support.luck import same_luck

__all__ = ["chromium", "live", "same_luck", "visit"]

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE) and "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
