"""The page's modules have no import circles, one definition of each helper, and no late requests."""

import re

import pytest

from fifteentwo.i18n import catalogue
from fifteentwo.server.pages.site import _LAZY_WORD_PARTS, _TABLE_WORDS, words_of
from tests.web.modules import MODULES, WEB, circle, code, imports, reached

_PARTS = (*_LAZY_WORD_PARTS, "first", "story", "pass_and_play", "spectate", "chat", "invite")
"""Parts of the texts that a table's page contains or loads later."""

GRAPH = {name: imports(name, source) for name, source in MODULES.items()}


def test_every_imported_module_exists() -> None:
    assert len(GRAPH) > 30
    assert sum(len(others) for others in GRAPH.values()) > 80
    assert {other for others in GRAPH.values() for other in others} <= set(MODULES)


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle(GRAPH) == []


def test_an_import_circle_is_found() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == ["a", "b", "c", "a"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []
    around = GRAPH | {"play/stage/show.js": GRAPH["play/stage/show.js"] | {"play/stage/stage.js"}}
    assert circle(around) == ["play/stage/show.js", "play/stage/stage.js", "play/stage/show.js"]


def test_imports_of_every_form_are_read() -> None:
    source = """
    import "./a.js"; import { b,
      c } from './b.js';
    export { d } from "../c.js";
    const later = () => import("./d.js");
    /** @typedef {import("./type.js").T} T */ // import "./no.js"
    // import "./comment.js"
    """
    assert imports("play/x.js", source) == {"play/a.js", "play/b.js", "c.js", "play/d.js"}
    with pytest.raises(ValueError, match="lodash"):
        imports("x.js", 'import "lodash";')


def test_every_module_is_imported_or_named_by_a_page() -> None:
    used = {other for others in GRAPH.values() for other in others}
    templates = "".join(path.read_text(encoding="utf-8") for path in (WEB / "templates").glob("*.html"))
    for name in set(MODULES) - used - {"sw.js"}:
        assert re.search(rf"""['"/]{re.escape(name)}['"]""", templates), name


def test_the_table_gets_every_text_of_its_scripts() -> None:
    """A missing text would be shown as its key. The glossary is loaded with texts of its own."""
    sent = {
        key for parts in ("", *_PARTS) for key in words_of("ja", *([f"{parts}."] if parts else _TABLE_WORDS))
    }
    keys = catalogue("ja").keys()
    missing = set[tuple[str, str]]()
    for name in reached(GRAPH, "play/table.js") - {"words/terms.js"}:
        dotted = set(re.findall(r"""["`]([a-z_]+(?:\.[\w-]+)+)["`]""", code(MODULES[name])))
        asked = set(re.findall(r"""\btext\(\s*"([^"]+)\"""", code(MODULES[name])))
        missing |= {(name, key) for key in (dotted | asked) & keys - sent}
    assert missing == set()


HOMES: dict[str, tuple[str, set[str]]] = {
    "finding an element": (r"getElementById|querySelector\(", {"elements.js"}),
    # The theme is set before modules come: there, and for what is kept.
    "finding all": (r"querySelectorAll", {"elements.js", "theme.js"}),
    "making an element": (r"createElement(NS)?\(", {"elements.js", "theme.js"}),
    "wanting nothing to move": (r"prefers-reduced-motion", {"elements.js"}),
    "filling in a sentence": (r"\\\{\(\\w\+\)\\\}", {"text.js"}),
    "the ranks": (r"A23456789TJQK", {"cards/deck.js"}),
    "the voice": (r"SpeechSynthesisUtterance|ja-JP", {"voice.js"}),
    "a word that goes by itself": (r"\"toasts\"", {"toast.js"}),
    "keeping": (r"localStorage", {"storage.js", "theme.js"}),
}


def test_each_helper_is_defined_once(subtests: pytest.Subtests) -> None:
    for helper in HOMES:
        with subtests.test(helper=helper):
            what, homes = HOMES[helper]
            assert {name for name, source in MODULES.items() if re.search(what, code(source))} == homes
