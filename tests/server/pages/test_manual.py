"""The manual at /manual: the built files, or a page that says how to build them."""

import asyncio
import itertools
from pathlib import Path

import httpx
import pytest

from fifteentwo.server.app import make_app
from fifteentwo.server.pages import reference


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(reference, "MANUAL_FOLDER", tmp_path / "manual")
    return tmp_path / "manual"


def fetched(path: str, lang: str = "en") -> httpx.Response:
    return asyncio.run(_fetched(path, lang))


async def _fetched(path: str, lang: str) -> httpx.Response:
    transport = httpx.ASGITransport(app=make_app(lang=lang))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        return await client.get(path)


def write(folder: Path) -> None:
    for lang in ("en", "ja"):
        (folder / lang / "how-to").mkdir(parents=True)
        (folder / lang / "index.html").write_text(f"the manual, {lang}")
        (folder / lang / "how-to" / "score.html").write_text(f"score, {lang}")


def test_the_manual_opens_in_the_language_of_the_page(subtests: pytest.Subtests, folder: Path) -> None:
    write(folder)
    for path, lang in itertools.product(["/manual", "/manual/"], ["en", "ja"]):
        with subtests.test(path=path, lang=lang):
            response = fetched(path, lang)
            assert (response.status_code, response.headers["location"]) == (303, f"/manual/{lang}/")
            assert fetched(response.headers["location"]).text == f"the manual, {lang}"


def test_pages_of_the_manual_obey_the_policy_of_all_pages(folder: Path) -> None:
    write(folder)
    response = fetched("/manual/ja/how-to/score.html")
    assert response.text == "score, ja"
    assert "script-src 'self'" in response.headers["Content-Security-Policy"]
    assert "unsafe" not in response.headers["Content-Security-Policy"]


def test_missing_manual_pages_show_our_error_page(subtests: pytest.Subtests, folder: Path) -> None:
    write(folder)
    for path in ["/manual/en/nothing.html", "/manual/../pages/home.html", "/manual/fr/"]:
        with subtests.test(path=path):
            response = fetched(path)
            assert response.status_code == 404
            assert "Page not found" in response.text


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "This installation has no manual."), ("ja", "マニュアルが入っていません")]
)
def test_without_a_built_manual_the_page_says_how_to_build_it(folder: Path, lang: str, words: str) -> None:
    assert not folder.exists()
    response = fetched("/manual", lang)
    assert response.status_code == 404
    assert words in response.text
    assert "<code>make docs</code>" in response.text
    assert fetched("/manual/en/index.html").status_code == 404
