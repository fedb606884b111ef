"""No element jumps while a page loads."""

import pytest

from tests.measured.test_fits import AT_EVERY_SIZE
from tests.support.playing import Visit

RELOADING = ("/lobby", "/waiting")
"""Pages that load themselves again, or that open another page."""
STILL = 0.1
"""Maximum sum of layout shifts while a page loads; web vitals call more than this not good."""
OTHERS = (
    *("/practice", "/practice/count", "/practice/daily", "/practice/sets/crib", "/practice/sets/leads"),
    *("/history", "/statistics", "/import", "/import/by-hand", "/sheet", "/book", "/check"),
)
OBSERVE = """window.shifts = [];
new PerformanceObserver((list) => list.getEntries().forEach((one) =>
  shifts.push([one.value, one.sources.map(({ node }) => node?.id || node?.nodeName).join()])
)).observe({ type: "layout-shift", buffered: true });"""
# Two frames after everything is loaded, scripts have drawn their parts.
AT_REST = """() => new Promise((done) =>
  requestIdleCallback(() => requestAnimationFrame(() => requestAnimationFrame(done)), { timeout: 2000 }))"""


def _jumped(visit: Visit, path: str, *, phone: bool) -> tuple[float, list[object]]:
    player = visit("en", phone=phone, quiet=False)
    page = player.page
    page.add_init_script(OBSERVE)
    page.goto(path)
    page.wait_for_load_state("networkidle")
    page.evaluate(AT_REST)
    shifts = page.evaluate("shifts")
    page.context.close()
    return round(sum(value for value, _ in shifts), 3), shifts


@pytest.mark.parametrize("phone", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_no_element_jumps_on_any_page(visit: Visit, phone: bool) -> None:
    found = {
        path: _jumped(visit, path, phone=phone) for path in (*AT_EVERY_SIZE, *OTHERS) if path not in RELOADING
    }
    assert {path: jumped for path, jumped in found.items() if jumped[0] > STILL} == {}
