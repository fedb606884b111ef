"""Bundles the modules of a page into one script, and its style sheets into one sheet.

In a script each module is a function, which is called once, after the modules that it imports. Its exports
are in an object of the page. A script that is loaded later, by `import()`, uses that object too: it contains
only the modules that the importing script lacks. Exports must be constant.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from posixpath import dirname, join, normpath

import msgspec

_COMMENT_OR_INDENT = re.compile(r"/\*.*?\*/|^[ \t]*//[^\n]*$|^[ \t]+", re.DOTALL | re.MULTILINE)
"""Matches comments and indentation. No module has a comment after code, or a string of several lines."""
_IMPORT_PATTERN = re.compile(r'^import (?:(\{[^}]*\}) from )?"(\.[^"]+)";$', re.MULTILINE)
_EXPORT_PATTERN = re.compile(r"^export (?=(?:(?:async )?function\*? ?|const |class )(\w+))", re.MULTILINE)
_LAZY_IMPORT_PATTERN = re.compile(r'\bimport\("(\.[^"]+)"\)')
_UNSUPPORTED_STATEMENT = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
_CSS_IMPORT_PATTERN = re.compile(r'^@import "([^"]+)";\n', re.MULTILINE)
_CSS_URL_PATTERN = re.compile(r'url\("(\.[^"]+)"\)')
_CREATE_MODULES_JS = "const modules = (globalThis.modules ??= {});\n"


class Module(msgspec.Struct, frozen=True):
    """The parts of a module's source."""

    code: str
    """The source without comments, imports and exports, with as many lines as before."""
    imports: tuple[str, ...]
    lazy_imports: tuple[str, ...]
    exports: tuple[str, ...]


def _resolve_import(name: str, path: str) -> str:
    return normpath(join(dirname(name), path))


def read_module(name: str, source: str, base: str) -> Module:
    """Return the parts of a module. Raise ValueError for an import or export that cannot be bundled."""
    source = _COMMENT_OR_INDENT.sub(lambda found: "\n" * found[0].count("\n"), source)
    source = source.replace('"/static/', f'"{base}').replace("`/static/", f"`{base}")
    needs = tuple(_resolve_import(name, path) for _, path in _IMPORT_PATTERN.findall(source))
    later = tuple(_resolve_import(name, path) for path in _LAZY_IMPORT_PATTERN.findall(source))
    exports = tuple(_EXPORT_PATTERN.findall(source))

    def imported(found: re.Match[str]) -> str:
        names = re.sub(r"\bas\b", ":", found[1] or "")
        return names and f'const {names} = modules["{_resolve_import(name, found[2])}"];'

    code = _EXPORT_PATTERN.sub("", _IMPORT_PATTERN.sub(imported, source))
    code = _LAZY_IMPORT_PATTERN.sub(lambda found: f'import("{base}{_resolve_import(name, found[1])}")', code)
    if left := _UNSUPPORTED_STATEMENT.search(code):
        raise ValueError(
            f"{name}: {left[0]!r} cannot be bundled with other modules. Import names from a path that "
            "begins with a dot; export functions, classes and constants where they are defined, no variables."
        )
    return Module(code, needs, later, exports)


def dependency_order(name: str, imports: Callable[[str], Iterable[str]]) -> dict[str, None]:
    """Return a file and all files that it needs, each after its own imports. Raise ValueError for a cycle."""
    order: dict[str, None] = {}

    def add(one: str, way: tuple[str, ...]) -> None:
        if one in way:
            raise ValueError(f"import cycle: {' → '.join([*way, one])}")
        if one not in order:
            for other in imports(one):
                add(other, (*way, one))
            order[one] = None

    add(name, ())
    return order


class ScriptBundles:
    """The scripts of a folder, each bundled with what it imports. base: the folder's address."""

    def __init__(self, sources: Mapping[str, str], base: str) -> None:
        self._sources = sources
        self._modules = {name: read_module(name, source, base) for name, source in sources.items()}

    def _dependencies(self, name: str) -> dict[str, None]:
        return dependency_order(name, lambda one: self._modules[one].imports)

    def modules_of(self, name: str) -> list[str]:
        """Return the modules of a script, itself last, without those its importers have loaded before."""
        importers = [
            self._dependencies(one) for one, module in self._modules.items() if name in module.lazy_imports
        ]
        there = set.intersection(*map(set, importers)) if importers else set[str]()
        return [one for one in self._dependencies(name) if one not in there]

    def bundle(self, name: str) -> str:
        """Return a module with all that it imports; unchanged if it neither imports nor exports."""
        module = self._modules[name]
        if not (module.imports or module.lazy_imports or module.exports):
            return module.code
        text = _CREATE_MODULES_JS
        for one in self.modules_of(name):
            part = self._modules[one]
            returned = f"return {{ {', '.join(part.exports)} }};"
            called = "await (async () =>" if one == name else "(() =>"
            text += f'modules["{one}"] ??= {called} {{\n{part.code}{returned}\n}})();\n'
        if module.exports:
            text += f'export const {{ {", ".join(module.exports)} }} = modules["{name}"];\n'
        return f"{text}//# sourceMappingURL={name.rpartition('/')[2]}.map\n"

    def source_map(self, name: str) -> bytes:
        """Return the source map of a script, so that developer tools show its modules line by line."""
        sections, line = [], _CREATE_MODULES_JS.count("\n")
        for one in self.modules_of(name):
            lines = self._modules[one].code.count("\n")
            whole = {"version": 3, "sources": [f"/static/{one}"], "names": []}
            whole["mappings"] = "AAAA" + ";AACA" * (lines - 1)
            sections.append({"offset": {"line": line + 1, "column": 0}, "map": whole})
            line += lines + 3
        return msgspec.json.encode({"version": 3, "sections": sections})


def bundle_style_sheet(sources: Mapping[str, str], name: str, base: str) -> str:
    def needs(one: str) -> list[str]:
        return [_resolve_import(one, path) for path in _CSS_IMPORT_PATTERN.findall(sources[one])]

    def with_addresses(one: str) -> str:
        plain = _CSS_IMPORT_PATTERN.sub("", _COMMENT_OR_INDENT.sub("", sources[one]))
        return _CSS_URL_PATTERN.sub(lambda found: f'url("{base}{_resolve_import(one, found[1])}")', plain)

    return "".join(map(with_addresses, dependency_order(name, needs)))
