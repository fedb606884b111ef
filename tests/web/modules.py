"""The page's modules and their imports, read from the source."""

import re
from pathlib import Path

WEB = Path(__file__).parents[2] / "src" / "fifteentwo" / "web"
STATIC = WEB / "static"
MODULES = {
    path.relative_to(STATIC).as_posix(): path.read_text(encoding="utf-8") for path in STATIC.rglob("*.js")
}
"""Every script by its path."""

_COMMENT = re.compile(r"/\*.*?\*/|(?<!\S)//[^\n]*", re.DOTALL)
_IMPORT = re.compile(r"""\b(?:import|export)\b(?:[^;"'`]*?\bfrom)?\s*\(?\s*["']([^"']+)["']""")


def code(source: str) -> str:
    """Return a script without comments, because comments import types."""
    return _COMMENT.sub("", source)


def imports(name: str, source: str) -> set[str]:
    """Return the modules that a script imports, as paths in the folder of scripts."""
    paths = set(_IMPORT.findall(code(source)))
    outside = [path for path in paths if not path.startswith(".")]
    if outside:
        raise ValueError(f"{name} imports {outside}")
    folder = (STATIC / name).parent
    return {(folder / path).resolve().relative_to(STATIC.resolve()).as_posix() for path in paths}


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Return modules that import each other in a circle, or none."""
    done: set[str] = set()

    def walk(name: str, way: list[str]) -> list[str]:
        if name in way:
            return [*way[way.index(name) :], name]
        if name in done:
            return []
        for other in sorted(graph[name]):
            if found := walk(other, [*way, name]):
                return found
        done.add(name)
        return []

    return next((found for name in sorted(graph) if (found := walk(name, []))), [])


def reached(graph: dict[str, set[str]], name: str) -> set[str]:
    """Return a module and all modules that it imports, directly or not."""
    seen: set[str] = set()
    unseen = [name]
    while unseen:
        one = unseen.pop()
        if one not in seen:
            seen.add(one)
            unseen += graph[one]
    return seen
