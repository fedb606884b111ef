"""Every public name exists, is documented, and is listed in the same three places."""

import ast
import inspect
import io
import random
import re
from contextlib import redirect_stdout
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import fifteentwo as ft

SOURCE = ast.parse(Path(ft.__file__).read_text("utf-8"))
LAZY: dict[str, tuple[str, ...]] = vars(ft)["_MODULES"]
VALUES = {"DECK": "fifteentwo.rules.cards", "LEVELS": None, "Action": None, "Event": None}
"""Names of values, which have no docstring at run time, and their modules if those differ."""


def documented_in_source(module: str, name: str) -> bool:
    """Return whether an assignment is followed by a docstring."""
    body = ast.parse(inspect.getsource(import_module(module))).body
    for statement, below in pairwise(body):
        targets = (
            [statement.target]
            if isinstance(statement, ast.AnnAssign)
            else statement.targets
            if isinstance(statement, ast.Assign)
            else []
        )
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
    return False


def test_all_the_lazy_table_and_the_types_agree() -> None:
    lazy = [name for names in LAZY.values() for name in names]
    assert len({*lazy}) == len(lazy)
    assert dir(ft) == sorted(lazy) == sorted(names_for_type_checkers())
    typed = {
        f"{node.module}.{alias.name}"
        for node in ast.walk(SOURCE)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fifteentwo")
        for alias in node.names
    }
    lazy_names = {f"fifteentwo.{module}.{name}" for module, names in LAZY.items() for name in names}
    assert typed == {name.replace("..", ".") for name in lazy_names}


def names_for_type_checkers() -> list[str]:
    """Return what the source assigns to `__all__`, which does not exist at run time."""
    [names] = [
        ast.literal_eval(node.value)
        for node in ast.walk(SOURCE)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    assert isinstance(names, list)
    return names


def test_help_about_the_package_fits_two_screens() -> None:
    with redirect_stdout(io.StringIO()) as written:
        help(ft)
    lines = written.getvalue().splitlines()
    assert len(lines) <= 80
    assert all(
        any(name in line.split() or f"`{name}`" in line for line in map(plain, lines)) for name in dir(ft)
    )


def plain(line: str) -> str:
    return re.sub("[,;:.]", " ", line)


def test_every_public_name_has_a_docstring() -> None:
    missing = []
    for module, names in LAZY.items():
        for name in names:
            if name in VALUES:
                good = documented_in_source(VALUES[name] or f"fifteentwo.{module}", name)
            else:
                good = bool(inspect.getdoc(getattr(ft, name)))
            missing += [] if good else [name]
    assert missing == []


def test_every_public_method_has_a_docstring() -> None:
    missing = []
    for name in dir(ft):
        kind: Any = getattr(ft, name)
        if not inspect.isclass(kind):
            continue
        for attribute, value in vars(kind).items():
            public = not attribute.startswith("_") and (callable(value) or isinstance(value, property))
            if public and not inspect.getdoc(getattr(kind, attribute)):
                missing.append(f"{name}.{attribute}")
    assert missing == []


class AtRandom:
    """A player as a user of the library writes one; `mypy --strict` and pyright check it with the tests."""

    def act(self, view: ft.View) -> ft.Action:
        return random.choice(ft.choices(view))


def test_a_choice_is_a_players_action() -> None:
    someone: ft.Player = AtRandom()
    state = ft.start(ft.rules_for("six-card", cut_before_deal=False), named=True)
    state, _ = ft.step(state, ft.rules.NameDealer(0))
    state, _ = ft.step(state, ft.rules.Deal(ft.DECK[:12]))
    action = someone.act(ft.view(state, 1))
    assert isinstance(action, ft.Discard)
    state, events = ft.step(state, action)
    assert events
