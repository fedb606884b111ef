"""How soon a table can be played on a slow phone: `python -m tests.measured.first_card [PAGE …]`.

Each visit is a stranger's, nothing stored, in headless Chromium with 150 ms to each answer, 1.6 Mb/s and a
quarter of the processor. Printed are seconds, requests and bytes (headers with them) until a page can be
used: /rules, a plain page of ours (the shell, its text, one sheet, one small script), once it has loaded; a
new table once its first card can be drawn.
"""

import argparse
import tempfile
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import ARGUMENTS, PHONE, chromium_path
from tests.support.live_server import serving
from tests.support.playing import ASKED, PATIENCE_MS

PLAIN, TABLE = "/rules", "table"
MOST = 4.0
"""Times the plain page's seconds that a table may take."""
LINE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 200_000,
    "uploadThroughput": 94_000,
    "connectionType": "cellular3g",
}
READY = f"""
const asked = {ASKED};
const look = () => {{
  const table = document.getElementById("table");
  const ready = table ? asked() !== null : document.readyState === "complete";
  if (ready) window.ready = performance.now(); else requestAnimationFrame(look);
}};
look();
"""


class Visit(NamedTuple):
    """Seconds, requests and bytes until a page could be used."""

    seconds: float
    requests: int
    bytes: int


def visit(browser: Browser, base: str, page: str, *, slow: bool = True) -> Visit:
    """Open a page as a stranger; TABLE is a new table against one computer."""
    context = browser.new_context(
        viewport=PHONE, has_touch=True, base_url=base, locale="en", service_workers="block"
    )
    if page == TABLE:
        made = context.request.post("/games", form={"variant": "six-card"}, max_redirects=0)
        page = made.headers["location"]
    window = context.new_page()
    window.add_init_script(READY)
    devtools = context.new_cdp_session(window)
    devtools.send("Network.enable")
    if slow:
        devtools.send("Network.emulateNetworkConditions", LINE)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    asked, weight = list[str](), 0

    def finished(event: Any) -> None:
        nonlocal weight
        weight += int(event["encodedDataLength"])

    devtools.on("Network.requestWillBeSent", lambda event: asked.append(event["request"]["url"]))
    devtools.on("Network.loadingFinished", finished)
    window.goto(page, wait_until="commit")
    window.wait_for_function("() => window.ready > 0", timeout=PATIENCE_MS)
    found = Visit(window.evaluate("window.ready") / 1000, len(asked), weight)
    context.close()
    return found


def main() -> None:
    """Print the cost of a first visit of each page; exit with 1 if a table exceeds its bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", help="more pages, such as /pad")
    parser.add_argument("--visits", type=int, default=5, help="of each page; the median is printed")
    asked = parser.parse_args()
    pages = [PLAIN, TABLE, *asked.pages]
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "games.sqlite3") as live,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS) as browser,
    ):
        visits: dict[str, list[Visit]] = {page: [] for page in pages}
        for _ in range(asked.visits):
            # The pages are visited in turn, so that other work of the machine affects all of them.
            for page, found in visits.items():
                found.append(visit(browser, live.http, page))
    taken = {page: median(one.seconds for one in found) for page, found in visits.items()}
    for page, found in visits.items():
        print(f"{page:12} {taken[page]:5.2f} s  {found[-1].requests:3} requests  {found[-1].bytes:7,} bytes")
    times = taken[TABLE] / taken[PLAIN]
    print(f"a table takes {times:.1f} times {PLAIN} (at most {MOST:g})")
    raise SystemExit(times > MOST)


if __name__ == "__main__":
    main()
