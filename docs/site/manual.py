"""Build the manual: `python docs/site/manual.py [FOLDER]` writes `FOLDER/en` and `FOLDER/ja`.

The pages are plain Markdown in docs, which a code host can show without a build. This module adds tables of
contents from the links of each section of an index, docstrings below the tables of docs/reference, and links
between the languages. The server's Content-Security-Policy forbids inline scripts and files from other sites,
so the result has none. It does not depend on the time or the place of the build.
"""

import argparse
import hashlib
import inspect
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SITE = DOCS / "site"
MANUAL = ROOT / "src" / "fifteentwo" / "web" / "manual"
LANGUAGES = ("en", "ja")
ELSEWHERE = ("SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md")
"""Pages of the manual that are not in docs."""
PICTURES = (".png", ".svg")
_FENCE = re.compile(r"(^(`{3,})[^\n]*\n.*?^\2$)", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(!?)\[([^\]\n]*(?:\n[^\]\n]*)?)\]\(([^)\s#:]+)(#[^)\s]+)?\)")
_LISTED = re.compile(r"^(?:[*-] |\| )\[[^\]]+\]\(([^):#]+)\.md\)", re.MULTILINE)
_JAPANESE = "[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]"
_BROKEN = re.compile(
    rf"(?<={_JAPANESE})\n *(?={_JAPANESE}|[A-Za-z`\[(*][^ ])|(?<=[A-Za-z0-9`)])\n *(?={_JAPANESE})"
)
"""Ends of lines within Japanese sentences, which must not become spaces."""
_NAME = re.compile(r"^\| `(?:ft\.)?([\w.]+)[^`]*`", re.MULTILINE)
_SECTION = re.compile(r"^(?=## )", re.MULTILINE)


class Place(NamedTuple):
    """The place of a file in the manual: its language, and its path. Pages have no suffix, pictures do."""

    lang: str
    name: str


def places() -> dict[Path, Place]:
    """Return the place of every page and picture, by its file."""
    known = {}
    for file in sorted(DOCS.rglob("*")):
        inside = file.relative_to(DOCS)
        if SITE in file.parents:
            continue
        if file.suffix in PICTURES:
            known[file] = Place("", inside.as_posix())
        elif file.suffix == ".md":
            lang = "ja" if inside.parts[0] == "ja" else "en"
            known[file] = Place(lang, inside.with_suffix("").as_posix().removeprefix("ja/"))
    return known | {ROOT / name: Place("en", name.removesuffix(".md").lower()) for name in ELSEWHERE}


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Return a page with every part changed except blocks of code."""
    parts = _FENCE.split(text)
    # `split` returns text, block and the block's fence in turn.
    return "".join(change(part) if at % 3 == 0 else part for at, part in enumerate(parts) if at % 3 != 2)


def with_links(text: str, file: Path, known: dict[Path, Place]) -> str:
    """Return a page whose links point to places in the manual. Links to other files become plain words."""
    here = known[file]
    folder = Path(here.name).parent.as_posix()

    def link(match: re.Match[str]) -> str:
        picture, words, target, part = match[1], match[2], match[3], match[4] or ""
        place = known.get((file.parent / target).resolve())
        if place is None:
            return words
        if not place.lang:
            return f"{picture}[{words}]({os.path.relpath(place.name, folder)})"
        if place.lang == here.lang:
            return f"[{words}]({os.path.relpath(place.name, folder)}.md{part})"
        other = os.path.relpath(f"../{place.lang}/{place.name}", folder)
        return f"[{words}]({'part' if part else 'page'}:{other}.html{part})"

    return outside_code(text, lambda part: _LINK.sub(link, part))


def with_contents(text: str) -> str:
    """Return an index with a hidden table of contents for the links of each of its sections."""

    def contents(section: str) -> str:
        pages = _LISTED.findall(section)
        if not section.startswith("## ") or not pages:
            return section
        title = section[3:].partition("\n")[0]
        return "\n".join(
            (section, "```{toctree}", ":hidden:", f":caption: {title}", "", *pages, "```", "", "")
        )

    return "".join(map(contents, _SECTION.split(text)))


def value_of(name: str) -> Any:
    """Return the value of a dotted name of the package, or None if it does not exist."""
    value: Any = import_module("fifteentwo")
    for part in name.split("."):
        value = getattr(value, part, None)
    return value


def directive(name: str) -> str:
    """Return the Sphinx directive for the docstring of a dotted name, or "" if the name does not exist."""
    value = value_of(name)
    if value is None:
        return ""
    kind, members = "data", "\n   :no-value:"
    if inspect.ismodule(value) or inspect.isclass(value):
        kind, members = "class", "\n   :members:\n   :undoc-members:"
        if inspect.ismodule(value):
            kind = "module"
        elif issubclass(value, BaseException):
            kind = "exception"
    elif callable(value):
        kind, members = "function", ""
    # Pages of source code link to all names of a file as if they were of the package itself.
    place = f'<span id="fifteentwo.{name.rpartition(".")[2]}"></span>\n\n' if "." in name else ""
    return f"{place}```{{eval-rst}}\n.. auto{kind}:: fifteentwo.{name}{members}\n```\n\n"


def with_docstrings(text: str) -> str:
    """Return a page of the reference with docstrings, below each section, of the names in its tables."""
    return "".join(
        section.rstrip("\n") + "\n\n" + "".join(map(directive, _NAME.findall(section)))
        for section in _SECTION.split(text)
    )


def unlisted() -> list[str]:
    """Return the public names that no table of the reference lists."""
    pages = (DOCS / "reference").glob("*.md")
    listed = {name for page in pages for name in _NAME.findall(page.read_text("utf-8"))}
    return [name for name in dir(import_module("fifteentwo")) if name not in listed]


def source(file: Path, place: Place, known: dict[Path, Place]) -> str:
    """Return the text of a page for Sphinx."""
    text = with_links(file.read_text("utf-8"), file, known)
    if place.lang == "ja":
        text = outside_code(text, lambda part: _BROKEN.sub("", part))
    if place.name == "index":
        return with_contents(text)
    if place.lang == "en" and place.name.startswith("reference/"):
        text = with_docstrings(text)
        if place.name == "reference/errors" and (more := unlisted()):
            text += "## Other names\n\n" + "".join(map(directive, more))
    return text


def assemble(folder: Path) -> None:
    """Write the texts and pictures for Sphinx, in a folder for each language."""
    known = places()
    for file, place in known.items():
        name = f"{place.name}.md" if place.lang else place.name
        for lang in (place.lang,) if place.lang else LANGUAGES:
            target = folder / lang / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if place.lang:
                target.write_text(source(file, place, known), "utf-8")
            else:
                shutil.copyfile(file, target)


def build(folder: Path, *, strict: bool = False) -> None:
    """Write the manual into a folder. If `strict`, warnings of Sphinx are errors.

    Raises:
        subprocess.CalledProcessError: Sphinx fails.
    """
    names = [{one.name for one in places().values() if one.lang == lang} for lang in LANGUAGES]
    surroundings = os.environ | {"SOURCE_DATE_EPOCH": "0", "PYTHONHASHSEED": "0"}
    with tempfile.TemporaryDirectory() as scratch:
        sources, made = Path(scratch), Path(scratch) / "made"
        assemble(sources)
        running = [
            subprocess.Popen(
                [
                    *(sys.executable, "-m", "sphinx", "-q", "-c", SITE, "-t", lang),
                    *("-A", f"lang={lang}", "-A", f"both={','.join(sorted(set.intersection(*names)))}"),
                    *(("-W", "--keep-going") if strict else ()),
                    *("-d", sources / "doctrees" / lang, sources / lang, made / lang),
                ],
                env=surroundings,
            )
            for lang in LANGUAGES
        ]
        for process in running:
            process.wait()
        for process in running:
            if process.returncode:
                raise subprocess.CalledProcessError(process.returncode, "sphinx")
        for lang in LANGUAGES:
            leave_out(made / lang)
            inline_out(made / lang)
        in_japanese(made / "ja")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(made, folder)


WORDS = {
    ">Skip to content<": ">本文へ<",
    ">Back to top<": ">先頭へ<",
    ">Contents<": ">目次<",
    ">Menu<": ">メニュー<",
    ">Expand<": ">開く<",
    ">Next<": ">次<",
    ">Previous<": ">前<",
    ">Light mode<": ">明るい配色<",
    ">Dark mode<": ">暗い配色<",
    '"Toggle Light / Dark / Auto color theme"': '"配色を切り替える"',
    '"Toggle site navigation sidebar"': '"メニューを開閉する"',
    '"Toggle table of contents sidebar"': '"目次を開閉する"',
    '"Link to this heading"': '"この見出しへのリンク"',
}
"""Japanese for words of the theme that it does not translate."""
_ON_THIS_PAGE = re.compile(r">\s*On this page\s*<")
_AUTO = re.compile(r">Auto light/dark, in (light|dark) mode<")
_MADE_WITH = re.compile(r"Made with (<a .*?)</a> and (<a .*?</a>)'s\s+(<a .*?</a>)", re.DOTALL)
_PLURAL = re.compile(r"new Function\([^)]*\)`,?\s*\)")


def in_japanese(folder: Path) -> None:
    """Translate the theme's own words into Japanese."""
    for page in folder.rglob("*.html"):
        text = page.read_text("utf-8")
        for word, japanese in WORDS.items():
            text = text.replace(word, japanese)
        text = _AUTO.sub(">配色は自動<", _ON_THIS_PAGE.sub(">このページの内容<", text))
        page.write_text(_MADE_WITH.sub(r"\1</a>と\2の\3で作られています", text), "utf-8")
    static = folder / "_static"
    # Japanese has one plural; the original would evaluate a text, which the policy forbids.
    script = static / "doctools.js"
    script.write_text(_PLURAL.sub("() => 0", script.read_text("utf-8")), "utf-8")
    script = static / "copybutton.js"
    words = {"copy": "コピー", "copy_to_clipboard": "コピー", "copy_success": "コピーしました"}
    added = f"const messages = {{\n  'ja': {words | {'copy_failure': 'コピーできません'}},"
    text = script.read_text("utf-8").replace("const messages = {", added, 1)
    script.write_text(text, "utf-8")


def leave_out(folder: Path) -> None:
    """Remove files that readers of the pages do not need."""
    shutil.rmtree(folder / "_sources", ignore_errors=True)
    for name in ("objects.inv", ".buildinfo", "_static/styles/*.map"):
        for file in folder.glob(name):
            file.unlink()


_INLINE = re.compile(r"<(script|style)(?: type=\"text/(?:javascript|css)\")?>(.*?)</\1>", re.DOTALL)
_STYLE = re.compile(r" style=\"([^\"]*)\"")
_DATA = re.compile(r"url\((['\"])data:image/svg\+xml[^,]*,(.*?)\1\)")


def inline_out(folder: Path) -> None:
    """Move every inline script, style and picture of pages and style sheets into a separate file."""
    for sheet in sorted(folder.rglob("*.css")):
        static = os.path.relpath(folder / "_static", sheet.parent)

        def picture(match: re.Match[str], static: str = static) -> str:
            return f'url("{static}/{written(folder, unquote(match[2]), "svg")}")'

        sheet.write_text(_DATA.sub(picture, sheet.read_text("utf-8")), "utf-8")
    for page in sorted(folder.rglob("*.html")):
        static = "../" * (len(page.relative_to(folder).parts) - 1) + "_static"
        styles: dict[str, str] = {}

        def attribute(match: re.Match[str], styles: dict[str, str] = styles) -> str:
            return f' data-style="{styles.setdefault(match[1], "s" + digest(match[1]))}"'

        def moved(match: re.Match[str], static: str = static) -> str:
            if match[1] == "script":
                return f'<script src="{static}/{written(folder, match[2], "js")}"></script>'
            return linked(static, written(folder, match[2], "css"))

        text = _STYLE.sub(attribute, _INLINE.sub(moved, page.read_text("utf-8")))
        rules = "\n".join(f'[data-style="{name}"] {{ {rule} }}' for rule, name in sorted(styles.items()))
        if rules:
            text = text.replace("</head>", linked(static, written(folder, rules, "css")) + "</head>", 1)
        page.write_text(text, "utf-8")


def linked(static: str, name: str) -> str:
    """Return the link to a style sheet."""
    return f'<link rel="stylesheet" href="{static}/{name}">'


def digest(text: str) -> str:
    """Return a short name of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def written(folder: Path, text: str, suffix: str) -> str:
    """Write a text into _static. Return the file's name, which is made of a digest of the text."""
    name = f"inline-{digest(text)}.{suffix}"
    (folder / "_static" / name).write_text(text.strip() + "\n", "utf-8")
    return name


def main() -> None:
    """Build the manual."""
    asked = argparse.ArgumentParser(description="Build the manual.")
    asked.add_argument("folder", nargs="?", type=Path, default=MANUAL)
    asked.add_argument("--strict", action="store_true", help="a warning of Sphinx is an error")
    wanted = asked.parse_args()
    build(wanted.folder, strict=wanted.strict)


if __name__ == "__main__":
    main()
