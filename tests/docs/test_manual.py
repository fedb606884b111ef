"""The manual: every page has its place, nothing is fetched from elsewhere, no link is dead."""

import importlib.util
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

import pytest

import fifteentwo

ROOT = Path(__file__).parents[2]


def load() -> ModuleType:
    """Import the module that builds the manual."""
    spec = importlib.util.spec_from_file_location("manual", ROOT / "docs" / "site" / "manual.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


manual = load()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the manual, built without a warning."""
    pytest.importorskip("furo", reason="the extra docs is not installed")
    folder: Path = tmp_path_factory.mktemp("manual") / "built"
    manual.build(folder, strict=True)
    return folder


def test_every_page_is_in_the_contents_once(lang: str) -> None:
    pages = {place.name for place in manual.places().values() if place.lang == lang} - {"index"}
    (index,) = [file for file, place in manual.places().items() if place == (lang, "index")]
    source = manual.source(index, manual.places()[index], manual.places())
    contents = re.findall(r"^```\{toctree\}\n.*?\n\n(.*?)^```$", source, re.DOTALL | re.MULTILINE)
    listed = [name for section in contents for name in section.split()]
    assert sorted(listed) == sorted(pages)


def test_pages_for_players_are_in_both_languages() -> None:
    pages: dict[str, set[str]] = {"en": set(), "ja": set()}
    for place in manual.places().values():
        if place.name.startswith(("play/", "how-to/")):
            pages[place.lang].add(place.name)
    assert pages["en"] == pages["ja"]
    assert len(pages["en"]) > 15


def test_both_descriptions_of_views_are_equal_and_complete() -> None:
    pages = [(ROOT / "docs" / name).read_text("utf-8") for name in ("engine.md", "reference/rules.md")]
    first, second = (page.partition("<!-- view: ")[2].partition("<!-- /view -->")[0] for page in pages)
    assert first.partition("\n")[2] == second.partition("\n")[2]
    named = set(re.findall(r'`"([\w-]+)"`', first))
    assert named == {*fifteentwo.View.__struct_fields__, *fifteentwo.Phase}


def test_code_is_left_as_it_is() -> None:
    page = ROOT / "docs" / "index.md"
    text = "[a](analysis.md)\n```\n[a](analysis.md)\n```\n[b](nothing.md) [c](ja/index.md#x)\n"
    expected = "[a](analysis.md)\n```\n[a](analysis.md)\n```\nb [c](part:../ja/index.html#x)\n"
    assert manual.with_links(text, page, manual.places()) == expected


def test_scripts_styles_and_pictures_get_files_of_their_own(tmp_path: Path) -> None:
    static = tmp_path / "_static"
    static.mkdir()
    (static / "a.css").write_text("b{c:url('data:image/svg+xml;charset=utf-8,%3Csvg/%3E')}")
    (tmp_path / "d").mkdir()
    page = tmp_path / "d" / "page.html"
    page.write_text('<head><style>e{}</style></head><script>f()</script><p style="g: h">')
    manual.inline_out(tmp_path)
    text = page.read_text()
    assert not list(inline(text))
    files = [tmp_path / "d" / name for name in re.findall(r'(?:src|href)="([^"]+)"', text)]
    assert sorted(file.read_text() for file in files) == sorted(
        ["e{}\n", "f()\n", f'[data-style="s{manual.digest("g: h")}"] {{ g: h }}\n']
    )
    (picture,) = re.findall(r'url\("([^"]+)"\)', (static / "a.css").read_text())
    assert (static / picture).read_text() == "<svg/>\n"


def inline(text: str) -> Iterator[str]:
    """Return the parts of a page that the server's Content-Security-Policy forbids."""
    yield from re.findall(r"<script>|<script (?![^>]*src=)[^>]*>|<style\b|<\w[^<>]*\s(?:style|on\w+)=", text)


def test_japanese_sentences_have_no_space_at_the_end_of_a_line() -> None:
    pages = {place: file for file, place in manual.places().items() if place.lang == "ja"}
    for place, file in pages.items():
        source = manual.source(file, place, manual.places())
        assert not re.search(
            r"[ぁ-ん一-龥、]\n *[ぁ-ん一-龥]", re.sub(r"```.*?```", "", source, flags=re.DOTALL)
        ), file
    index = manual.source(pages[manual.Place("ja", "index")], manual.Place("ja", "index"), manual.places())
    assert "7段階のコンピューター" in index


@cache
def parts(page: Path) -> set[str]:
    """Return the places in a page that a link may lead to."""
    return set(re.findall(r'\bid="([^"]+)"', page.read_text("utf-8")))


@pytest.mark.long
def test_pages_have_no_inline_script_and_fetch_nothing_from_elsewhere(built: Path) -> None:
    for page in built.rglob("*.html"):
        text = page.read_text("utf-8")
        assert not list(inline(text)), page
        assert not re.findall(r'<(?:script|img|iframe|source)\b[^>]*\bsrc="(?:\w+:)?//', text), page
        assert not re.findall(r'<link\b[^>]*rel="(?:stylesheet|icon|preload)"[^>]*href="(?:\w+:)?//', text)
    for script in built.rglob("doctools.js"):
        assert "new Function" not in script.read_text("utf-8") or script.is_relative_to(built / "en")
    for sheet in built.rglob("*.css"):
        assert not re.findall(r"@import|url\(['\"]?(?:data|\w+://|//)", sheet.read_text("utf-8")), sheet


@pytest.mark.long
def test_no_link_is_dead(built: Path) -> None:
    wrong, count = [], 0
    for page in built.rglob("*.html"):
        for link in re.findall(r'\b(?:href|src)="([^"]+)"', page.read_text("utf-8")):
            address = urlsplit(link)
            target = (page.parent / unquote(address.path)).resolve() if address.path else page
            if address.scheme or target == built.parent:
                continue
            target = target / "index.html" if target.is_dir() else target
            count += 1
            there = target.is_file() and (not address.fragment or unquote(address.fragment) in parts(target))
            wrong += [] if there else [f"{page.relative_to(built)}: {link}"]
    assert wrong == []
    assert count > 1000


@pytest.mark.long
def test_every_public_name_is_described(built: Path) -> None:
    described = set().union(*map(parts, (built / "en" / "reference").glob("*.html")))
    names = {f"fifteentwo.{name}" for name in dir(fifteentwo)}
    modules = {"fifteentwo.rules", "fifteentwo.show", "fifteentwo.pegging"}
    assert names - modules - described == set()
    assert manual.unlisted() == []


@pytest.mark.long
def test_the_manual_is_small(built: Path) -> None:
    assert sum(file.stat().st_size for file in built.rglob("*") if file.is_file()) < 8_000_000


@pytest.mark.slow
def test_the_same_sources_make_the_same_manual(built: Path, tmp_path: Path) -> None:
    manual.build(tmp_path / "again")

    def content(folder: Path) -> dict[str, bytes]:
        return {
            file.relative_to(folder).as_posix(): file.read_bytes()
            for file in folder.rglob("*")
            if file.is_file()
        }

    assert content(tmp_path / "again") == content(built)
