"""Stored pages for use without a server are complete, equal for all users, and named by their content."""

import gzip
import re
from collections.abc import Iterator

import httpx
import pytest

from fifteentwo.i18n import languages
from fifteentwo.server.app import SECURITY_HEADERS, make_app
from fifteentwo.server.pages.offline import OFFLINE_PAGE_ADDRESSES
from tests.support.live_server import Live, run_apart

MOST = 160_000
"""Limit on transferred bytes, as in docs/operate.md."""
Entries = list[tuple[str, str, str]]


def digest_of(browser: httpx.Client) -> str:
    found = re.search(r'^const VERSION = "([0-9a-f]{16})";$', browser.get("/sw.js").text, re.MULTILINE)
    assert found is not None
    return found[1]


@pytest.fixture
def browser(live: Live) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=live.http, headers={"Accept-Language": "ja"}, timeout=60) as client:
        yield client


def test_the_offline_version_has_every_page_and_the_files_they_name(browser: httpx.Client) -> None:
    answer = browser.get(f"/offline/{digest_of(browser)}.json")
    assert (answer.headers["content-encoding"], answer.headers["cache-control"]) == ("gzip", "no-store")
    assert int(answer.headers["content-length"]) <= MOST
    entries: Entries = answer.json()
    kept = {address: body for address, _, body in entries}
    assert len(kept) == len(entries)
    for lang in languages():
        for page in OFFLINE_PAGE_ADDRESSES:
            html = kept[f"{page}lang={lang}"]
            assert f'<html lang="{lang}"' in html
            for name in re.findall(r'(?:src|href)="(/static/[^"#]+)', html):
                assert name in kept or name.endswith(".png"), name
    for address, body in kept.items():
        for name in re.findall(r"""["'(](/static/[^"')#]+)""", body):
            assert name in kept or name.endswith(".png"), (address, name)
    static = {address: body for address, body in kept.items() if address.startswith("/static/")}
    assert len(static) > 15
    for address, body in static.items():
        assert browser.get(address).text == body
    for name, value in SECURITY_HEADERS.items():
        assert answer.headers[name] == value, "the worker gives them to every page"


def test_another_offline_version_is_not_found(browser: httpx.Client) -> None:
    digest = digest_of(browser)
    for other in ("0" * 16, digest[:-1], "x", "%00"):
        assert browser.get(f"/offline/{other}.json").status_code == 404
    plain = browser.get(f"/offline/{digest}.json", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert len(gzip.compress(plain.content)) < len(plain.content)
    first = browser.get("/sw.js")
    assert browser.get("/sw.js", headers={"If-None-Match": first.headers["etag"]}).status_code == 304


def test_the_offline_version_is_equal_for_all_users_and_processes(live: Live) -> None:
    with live.person("ja") as aiko, live.person("en") as ken:
        aiko.new_game(name="Aiko")
        bodies = [one.browser.get(f"/offline/{digest_of(one.browser)}.json").content for one in (aiko, ken)]
        assert bodies[0] == bodies[1]
        assert "Aiko" not in bodies[0].decode()
        digest = digest_of(ken.browser)

    async def elsewhere() -> str:
        app = make_app(":memory:")
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="https://cards.example") as other:
                return (await other.get("/sw.js")).text

    assert f'"{digest}"' in run_apart(elsewhere())
