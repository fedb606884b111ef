"""Files stored for use without a server belong to one version, before, during and after an upgrade."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from fifteentwo.i18n import text
from fifteentwo.server.app import SECURITY_HEADERS
from fifteentwo.server.pages import offline, site
from fifteentwo.server.pages.offline import OfflinePages, OfflineVersion
from tests.support.live_server import Live, serving
from tests.support.playing import PATIENCE_MS

WEB = site.WEB_FOLDER
SCRIPT = ("wordsInPage();", "wordsInPage(); document.documentElement.dataset.script = '{}';")
CHANGED = {
    "templates/base.html": ("<body>", '<body data-page="{}">'),
    "static/pad/pad.js": SCRIPT,
    "static/check/check.js": SCRIPT,
    # No page names this module: it is in the scripts of others.
    "static/elements.js": ("", "document.documentElement.dataset.module = '{}';"),
    "static/base.css": ("", ":root {{ --version: {}; }}"),
}
VERSION = """() => {
    const root = document.documentElement;
    const style = getComputedStyle(root).getPropertyValue("--version").trim();
    return [document.body.dataset.page, root.dataset.script, root.dataset.module, style];
}"""
TO_COME = """async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const next = registration.installing ?? registration.waiting;
    if (next && next.state !== "redundant" && next.state !== "activated")
        await new Promise((over) => next.addEventListener("statechange", () =>
            (next.state === "redundant" || next.state === "activated") && over()));
    return next?.state ?? "over";
}"""
KEPT = "async () => (await caches.keys()).filter((name) => !/-(language|seen)$/.test(name))"


@contextmanager
def _serving(folder: Path, version: int, port: int = 0) -> Iterator[Live]:
    """Return a server of one version of the program, which its page, script, module and style sheet name."""
    web = folder / f"version-{version}"
    if not web.exists():
        shutil.copytree(WEB, web)
        for name, (before, after) in CHANGED.items():
            file = web / name
            source = file.read_text("utf-8")
            assert before in source
            changed = after.format(version)
            source = source.replace(before, changed) if before else source + changed
            file.write_text(source, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site, "WEB_FOLDER", web)
        with serving(folder / "games.sqlite3", port=port) as live:
            yield live


@pytest.fixture
def page(chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    """Return a window that keeps version 1 and has opened only the first page; its server has ended."""
    with _serving(tmp_path, 1) as live:
        context = chromium.new_context(locale="ja", base_url=live.http)
        window = context.new_page()
        window.set_default_timeout(PATIENCE_MS)
        window.goto("/")
        expect(window.locator("html[data-offline=ready]")).to_be_attached()
    yield window
    context.close()


def _port(page: Page) -> int:
    return int(page.url.split(":")[2].split("/")[0])


def _is_whole(page: Page, version: int) -> None:
    """Pad and checker stand and work without a server, every part of them of this version."""
    for lang in ("ja", "en"):
        answer = page.goto(f"/pad?lang={lang}")
        assert answer is not None
        assert (
            SECURITY_HEADERS.items()
            <= {name.title(): source for name, source in answer.headers.items()}.items()
        )
        expect(page.locator("html")).to_have_attribute("lang", lang)
        expect(page.locator("#setup [type=submit]")).to_be_visible()
        assert page.evaluate(VERSION) == [str(version)] * 4
        # The page has the language of the last visit.
        page.goto("/check?hand=5H+5S+5D+JC&starter=5C")
        expect(page.locator("html")).to_have_attribute("lang", lang)
        page.locator('[data-step="all"]').click()
        expect(page.locator("#total")).to_have_text("29")
        assert page.evaluate(VERSION) == [str(version)] * 4
    assert len(page.evaluate(KEPT)) == 1


def test_after_an_upgrade_all_stored_files_are_of_the_new_version(page: Page, tmp_path: Path) -> None:
    before = page.evaluate(KEPT)
    with _serving(tmp_path, 2, _port(page)):
        page.goto("/rules?lang=ja")
        assert page.evaluate(TO_COME) in ("activated", "over")
        page.wait_for_function(f"async () => !(await ({KEPT})()).includes('{before[0]}')")
    _is_whole(page, 2)


@pytest.mark.parametrize("how", ["broken off", "of another process"])
def test_an_interrupted_upgrade_leaves_the_old_version_whole(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    before = page.evaluate(KEPT)
    plain = OfflinePages._make_version

    async def made(self: OfflinePages, application: object) -> OfflineVersion:
        version = await plain(self, application)  # type: ignore[arg-type]
        if how == "broken off":
            return version._replace(packed=version.packed[:-2000])
        # During an upgrade behind a proxy: the worker of one process, the rest of another.
        return version._replace(digest="0" * 16)

    with monkeypatch.context() as patch:
        patch.setattr(offline.OfflinePages, "_make_version", made)
        with _serving(tmp_path, 2, _port(page)):
            page.goto("/pad?lang=ja")
            assert page.evaluate(VERSION) == ["2"] * 4, "an open server comes first, with all its files"
            assert page.evaluate(TO_COME) in ("redundant", "over")
            assert before[0] in page.evaluate(KEPT)
    page.goto("/pad?lang=ja")
    assert page.evaluate(VERSION) == ["1"] * 4
    with _serving(tmp_path, 2, _port(page)):
        page.goto("/rules")
        assert page.evaluate(TO_COME) in ("activated", "over")
        page.wait_for_function(f"async () => !(await ({KEPT})()).includes('{before[0]}')")
    _is_whole(page, 2)


class _Away(BaseHTTPRequestHandler):
    """A proxy whose server is away."""

    def do_GET(self) -> None:
        self.send_error(502)

    def log_message(self, *_: object) -> None:
        pass


def test_an_error_of_a_proxy_counts_as_no_server(page: Page) -> None:
    proxy = HTTPServer(("127.0.0.1", _port(page)), _Away)
    thread = threading.Thread(target=proxy.serve_forever)
    thread.start()
    try:
        _is_whole(page, 1)
        page.goto("/history")
        expect(page.locator("h1")).to_have_text(text("waiting.title", "en"))
    finally:
        proxy.shutdown()
        thread.join()
        proxy.server_close()


def test_no_file_is_stored_before_the_page_has_loaded(chromium: Browser, live: Live) -> None:
    context = chromium.new_context(base_url=live.http)
    page = context.new_page()
    loading = threading.Event()
    held: list[Route] = []
    page.route(
        "**/icons/favicon.svg", lambda route: route.continue_() if loading.is_set() else held.append(route)
    )
    page.goto("/", wait_until="domcontentloaded")
    page.wait_for_selector("form[data-ready]", state="attached")
    # An idle callback may starve without its bound.
    page.evaluate("() => new Promise((done) => requestIdleCallback(done, { timeout: 5000 }))")
    assert not page.evaluate("async () => Boolean(await navigator.serviceWorker.getRegistration())")
    loading.set()
    for route in held:
        route.continue_()
    expect(page.locator("html[data-offline=ready]")).to_be_attached()
    context.close()


def test_a_table_opened_before_an_upgrade_reloads_when_it_needs_a_module(
    chromium: Browser, tmp_path: Path
) -> None:
    context = chromium.new_context(locale="en", service_workers="block")
    window = context.new_page()
    window.set_default_timeout(PATIENCE_MS)
    window.clock.install()
    with _serving(tmp_path, 1) as live:
        made = context.request.post(f"{live.http}/games", form={"variant": "six-card"}, max_redirects=0)
        window.goto(f"{live.http}{made.headers['location']}")
        window.wait_for_selector("#table[data-line=open]")
    window.clock.fast_forward(20_000)
    with _serving(tmp_path, 2, live.port):
        window.locator('[data-action="read"]').dispatch_event("click")
        window.wait_for_selector("body[data-page='2'] #table[data-line=open]")
    context.close()
