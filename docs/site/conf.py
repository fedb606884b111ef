"""The settings of Sphinx, for the language that `manual.py` names by a tag."""

import re
from pathlib import Path

from sphinx.application import Sphinx

SITE = Path(__file__).parent
japanese = tags.has("ja")  # type: ignore[name-defined]  # noqa: F821 - Sphinx runs this file with it

project = html_title = "フィフティーン・ツー マニュアル" if japanese else "Fifteen Two manual"
language = "ja" if japanese else "en"
extensions = ["myst_parser", "sphinx_copybutton"]
if not japanese:
    extensions += ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
highlight_language = "text"
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_static_path = [str(SITE / "static")]
templates_path = [str(SITE / "templates")]
html_css_files = ["manual.css"]
html_favicon = str(SITE.parents[1] / "src/fifteentwo/web/static/icons/favicon.svg")
html_sidebars = {
    "**": [
        *("sidebar/brand.html", "languages.html", "sidebar/search.html", "sidebar/scroll-start.html"),
        *("sidebar/navigation.html", "sidebar/scroll-end.html"),
    ]
}
html_copy_source = html_show_sourcelink = html_show_copyright = False

myst_heading_anchors = 4
myst_url_schemes = {
    **dict.fromkeys(("http", "https", "mailto")),
    "page": {"url": "{{path}}"},
    "part": {"url": "{{path}}#{{fragment}}"},
}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
add_module_names = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88


def in_restructured_text(lines: list[str]) -> list[str]:
    """Return the lines of a docstring in reStructuredText: `code` is kept, other markup is escaped."""
    changed, example = [], False
    for line in lines:
        example = line.lstrip().startswith(">>> ") or (example and bool(line.strip()))
        changed.append(line if example else _line(line))
    return changed


def _line(line: str) -> str:
    start = re.match(r"\s*(?:[*-] )?", line)
    assert start is not None
    parts = re.split(r"`([^`]+)`", line[start.end() :])
    # Parts with odd indices were between backticks.
    parts[::2] = [re.sub(r"([\\*|_`])", r"\\\1", part) for part in parts[::2]]
    parts[1::2] = [f"\\ ``{part}``\\ " for part in parts[1::2]]
    return start[0] + "".join(parts)


def setup(app: Sphinx) -> None:
    """Convert docstrings from Markdown before Sphinx reads them."""

    def change(_: Sphinx, __: str, ___: str, ____: object, _____: object, lines: list[str]) -> None:
        lines[:] = in_restructured_text(lines)

    if not japanese:
        app.connect("autodoc-process-docstring", change)
