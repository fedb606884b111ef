"""What there is to read: the rules by number, the glossary, and the documents' hands to step through."""

import json
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec


class Picture(msgspec.Struct, frozen=True):
    """Cards to be shown, and what they make."""

    cards: tuple[str, ...]
    points: int | None


class Rule(msgspec.Struct, frozen=True):
    """One statement, the numbers it answers for (R1–R125, C1–C21), and cards that show it."""

    numbers: tuple[str, ...]
    text: str
    pictures: tuple[Picture, ...]


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
    pictures: tuple[Picture, ...]


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


def _pictures(written: Sequence[str]) -> tuple[Picture, ...]:
    """Pictures written "5S JC: 2", or only by their cards."""
    parts = [one.partition(":") for one in written]
    return tuple(Picture(tuple(cards.split()), int(points) if points else None) for cards, _, points in parts)


@cache
def rulebook(lang: str) -> tuple[Section, ...]:
    """The rules of every form."""
    column = 1 if lang == "en" else 2
    return tuple(
        Section(
            part["id"],
            part[lang],
            tuple(Rule(tuple(rule[0].split()), rule[column], _pictures(rule[3:])) for rule in part["rules"]),
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
                    _pictures(term.get("cards", ())),
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
