"""What there is to read: the rules by number, the glossary, and the documents' hands to step through."""

import json
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec


class Rule(msgspec.Struct, frozen=True):
    """One statement and the numbers it answers for (R1–R125, C1–C21)."""

    numbers: tuple[str, ...]
    text: str


class Section(msgspec.Struct, frozen=True):
    """A part of the rules."""

    id: str
    title: str
    rules: tuple[Rule, ...]
    form: str | None
    """The form it is about; None for the rules all forms share."""


class Term(msgspec.Struct, frozen=True):
    """A term with every name it goes by in both languages; the reader's language first."""

    id: str
    name: str
    other_name: str
    also: tuple[str, ...]
    other_also: tuple[str, ...]
    meaning: str
    rules: tuple[str, ...]


class Group(msgspec.Struct, frozen=True):
    """Terms of one subject."""

    title: str
    terms: tuple[Term, ...]


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A hand with the points it is known to make."""

    id: str
    group: str
    """The document it comes from, or "fine" for the fine points of flush and nobs."""
    hand: str
    starter: str
    points: int
    crib: bool
    five: bool
    shape: str | None = None


@cache
def _data(name: str) -> Any:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return tomllib.loads(text) if name.endswith(".toml") else json.loads(text)


@cache
def rulebook(lang: str) -> tuple[Section, ...]:
    """The rules of every form."""
    column = 1 if lang == "en" else 2
    return tuple(
        Section(
            part["id"],
            part[lang],
            tuple(Rule(tuple(rule[0].split()), rule[column]) for rule in part["rules"]),
            part.get("form"),
        )
        for part in _data("rules.toml")["section"]
    )


@cache
def glossary(lang: str) -> tuple[Group, ...]:
    """All terms with all their synonyms."""
    other = "ja" if lang == "en" else "en"
    return tuple(
        Group(
            group[lang],
            tuple(
                Term(
                    term["id"],
                    term[lang],
                    term[other],
                    tuple(term.get(f"also_{lang}", ())),
                    tuple(term.get(f"also_{other}", ())),
                    term[f"means_{lang}"],
                    tuple(term["rules"].split()),
                )
                for term in group["terms"]
            ),
        )
        for group in _data("glossary.toml")["group"]
    )


@cache
def examples() -> tuple[Example, ...]:
    """The documents' hands, then the fine points, each with its points."""
    return tuple(msgspec.convert(example, Example) for example in _data("examples.json"))
