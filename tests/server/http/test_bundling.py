"""Bundling of a page's modules: each once, in order, and shared with scripts that are loaded later."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from fifteentwo.server.http.bundling import ScriptBundles, bundle_style_sheet
from fifteentwo.server.http.static_files import StaticFolder
from fifteentwo.server.pages.site import WEB_FOLDER

BASE = "/static/0/"
FILES = StaticFolder(WEB_FOLDER / "static")
SOURCES = {
    path.relative_to(WEB_FOLDER / "static").as_posix(): path.read_text("utf-8")
    for path in (WEB_FOLDER / "static").rglob("*.js")
}
SCRIPTS = ScriptBundles(SOURCES, BASE)
TEMPLATES = "".join(path.read_text("utf-8") for path in (WEB_FOLDER / "templates").glob("*.html"))
OF_PAGES = set(re.findall(r"""src="\{\{ static\('([^']+\.js)'\) \}\}""", TEMPLATES))
LATER = {
    name: {one for one, module in SCRIPTS._modules.items() if name in module.lazy_imports} for name in SOURCES
}


def test_variable_exports_and_outside_imports_are_refused(subtests: pytest.Subtests) -> None:
    for source in [
        *("export let lang = 1;\n", "export var lang = 1;\n", "const a = 1;\nexport { a };\n"),
        *("export default 1;\n", 'export * from "./b.js";\n', 'import * as b from "./b.js";\n'),
        'import { chunk } from "lodash";\n',
    ]:
        with subtests.test(source=source), pytest.raises(ValueError, match=r"a\.js: .* cannot be bundled"):
            ScriptBundles({"a.js": source, "b.js": "export const b = 1;\n"}, BASE)


def test_import_cycle_is_refused() -> None:
    ring = {f"{one}.js": f'import "./{other}.js";\n' for one, other in ("ab", "bc", "ca")}
    with pytest.raises(ValueError, match=r"a\.js → b\.js → c\.js → a\.js"):
        ScriptBundles(ring, BASE).bundle("a.js")


def test_each_module_appears_once_after_its_imports() -> None:
    assert len(OF_PAGES) > 20
    for page in OF_PAGES:
        parts = SCRIPTS.modules_of(page)
        assert len(set(parts)) == len(parts)
        assert parts[-1] == page
        for number, name in enumerate(parts):
            assert set(SCRIPTS._modules[name].imports) <= set(parts[:number]), (page, name)


def test_lazy_script_has_only_modules_that_are_not_loaded() -> None:
    assert not OF_PAGES & {name for name, importers in LATER.items() if importers}
    assert len([name for name, importers in LATER.items() if importers]) > 10
    for name, importers in LATER.items():
        for one in importers:
            there = {*SCRIPTS.modules_of(name), *(needed for needed in SCRIPTS._dependencies(one))}
            assert set(SCRIPTS._dependencies(name)) <= there, (one, name)
    assert "elements.js" not in SCRIPTS.modules_of("play/seats/clock.js")
    assert SCRIPTS.modules_of("play/seats/clock.js")[-1] == "play/seats/clock.js"


def test_style_sheet_includes_each_import_once_and_finds_its_pictures() -> None:
    sources = {
        "a.css": '/* A */\na { background: url("./a.svg"); }\n',
        "play/b.css": '@import "../a.css";\nb { color: red; }\n',
        "play/c.css": '/* C */\n@import "../a.css";\n@import "./b.css";\nc { color: red; }\n',
    }
    put = bundle_style_sheet(sources, "play/c.css", BASE)
    assert re.findall(r"^\w", put, re.MULTILINE) == ["a", "b", "c"]
    assert f'url("{BASE}a.svg")' in put
    assert "@import" not in put


def test_source_map_finds_every_line_in_its_module() -> None:
    for page in sorted(OF_PAGES | {name for name, importers in LATER.items() if importers}):
        script = FILES.content(f"{FILES.version}/{page}").decode()
        if "sourceMappingURL" not in script:
            assert "import" not in script
            continue
        lines = script.split("\n")
        for section in json.loads(FILES.content(f"{FILES.version}/{page}.map"))["sections"]:
            (source,) = section["map"]["sources"]
            own = FILES.content(source.removeprefix("/static/")).decode().split("\n")
            begin = section["offset"]["line"]
            assert section["map"]["mappings"].count(";") == len(own) - 2
            for number, line in enumerate(lines[begin : begin + len(own) - 1]):
                if FILES.version not in line and "modules[" not in line:
                    assert set(re.findall(r"\w+", line)) <= {"const", *re.findall(r"\w+", own[number])}, (
                        source,
                        number,
                    )


@pytest.mark.skipif(shutil.which("node") is None, reason="no node")
def test_lazy_modules_share_the_modules_of_the_page(tmp_path: Path) -> None:
    """Run in node: a module that two scripts import is called once, and a page may await."""
    sources = {
        "count.js": "const state = { called: 0 };\nexport const count = () => ++state.called;\n",
        "class.js": "export class Board {\n  name = 'A';\n}\nexport async function* none() {}\n",
        "other.js": 'import { Board } from "./class.js";\nexport const other = new Board().name;\n',
        "later.js": 'import { count as counted } from "./count.js";\nimport { other } from "./other.js";\n'
        "export const late = () => `${counted()}${other}`;\n",
        "page.js": 'import {\n  count,\n} from "./count.js";\ncount();\nawait Promise.resolve();\n'
        'const { late } = await import("./later.js");\nconsole.log(late());\n',
    }
    scripts = ScriptBundles(sources, f"{tmp_path}/")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for name in sources:
        (tmp_path / name).write_text(scripts.bundle(name))
    assert 'modules["count.js"] ??=' not in scripts.bundle("later.js")
    ran = subprocess.run(["node", tmp_path / "page.js"], capture_output=True, text=True, timeout=60)
    assert (ran.stdout, ran.stderr) == ("2A\n", "")
