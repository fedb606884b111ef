"""The Chromium and the server of `tests/browser`, for measurements of pages."""

from tests.browser.conftest import chromium, live, visit
from tests.support.luck import same_luck

__all__ = ["chromium", "live", "same_luck", "visit"]
