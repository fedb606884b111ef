"""The settings of Sphinx, for the language that `manual.py` names by a tag."""

from pathlib import Path

SITE = Path(__file__).parent
japanese = tags.has("ja")  # type: ignore[name-defined]  # noqa: F821 - Sphinx runs this file with it

project = html_title = "フィフティーン・ツー マニュアル" if japanese else "Fifteen Two manual"
language = "ja" if japanese else "en"
extensions = ["myst_parser", "sphinx_copybutton"]
if not japanese:
    extensions += ["sphinx.ext.autodoc", "sphinx.ext.viewcode"]
default_role = "code"
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
