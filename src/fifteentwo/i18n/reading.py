"""What there is to read: the rules by number, the glossary, and the documents' hands to step through."""

import json
import tomllib
from collections import Counter
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
    variant: str | None
    """The variant it is about; None for the rules all variants share."""


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


class TableTerm(msgspec.Struct, frozen=True):
    """A term as the table explains it where it is met: the names it is known by there, and one picture."""

    id: str
    name: str
    other_name: str
    names: tuple[str, ...]
    """What to look for: no name of two terms, and none that is a sign or a figure."""
    meaning: str
    cards: tuple[str, ...]


class Group(msgspec.Struct, frozen=True):
    """Terms of one subject."""

    title: str
    terms: tuple[Term, ...]


class HandExample(msgspec.Struct, frozen=True, kw_only=True):
    """A hand, or a part of one, with the points it is known to make."""

    id: str
    group: str
    """The document it comes from, or "fine" for the fine points."""
    hand: str
    starter: str | None = None
    """None where only a part is counted."""
    part: str | None = None
    """The only scores counted, as `server.study.hand_count` names them."""
    points: int
    crib: bool = False
    five: bool = False
    shape: str | None = None


class PlayExample(msgspec.Struct, frozen=True, kw_only=True):
    """Cards in the order played. Turns, goes and scores follow from the rules."""

    id: str
    group: str
    played: str
    hands: tuple[str, ...] = ()
    """By seat, the leader's first; none where two play in turn and the example breaks off."""
    variant: str = "six-card"


class PegsExample(msgspec.Struct, frozen=True):
    """Two pegs, the rear one first, and the points that move them (R122)."""

    id: str
    group: str
    pegs: tuple[int, int]
    points: int


class SkunkExample(msgspec.Struct, frozen=True):
    """How many points a loser has, and what was agreed (R18–R20)."""

    id: str
    group: str
    target: int
    loser: int
    skunk: bool
    double_skunk: bool


class HoleExample(msgspec.Struct, frozen=True):
    """A score to be found on board B (R120)."""

    id: str
    group: str
    score: int


class Examples(msgspec.Struct, frozen=True):
    """Every worked example of the documents, and others for the fine points."""

    hands: tuple[HandExample, ...]
    plays: tuple[PlayExample, ...]
    pegs: tuple[PegsExample, ...]
    skunks: tuple[SkunkExample, ...]
    holes: tuple[HoleExample, ...]


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
    """The rules of every variant."""
    column = 1 if lang == "en" else 2
    return tuple(
        Section(
            part["id"],
            part[lang],
            tuple(Rule(tuple(rule[0].split()), rule[column], _pictures(rule[3:])) for rule in part["rules"]),
            part.get("variant"),
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


TERMS_AT_TABLE = (
    *("crib", "starter", "stock", "dealer", "pone", "eldest", "discard", "show", "skunk"),
    *("count", "go", "last-card", "thirty-one", "fifteen", "pair", "pair-royal", "double-pair-royal"),
    *("run", "flush", "heels", "nobs", "muggins", "double-skunk", "three-for-last", "game-hole", "partner"),
)
"""The terms a player meets at the table; words of every day, as deal and cut, are for the glossary."""
_EVERYDAY = {"チーム", "合計", "累計"}
"""Names of those that mean other things as well."""


@cache
def terms_at_table(lang: str) -> tuple[TableTerm, ...]:
    """Every term of the table, in the glossary's order."""
    met = [term for group in glossary(lang) for term in group.terms if term.id in TERMS_AT_TABLE]
    main = {term.name for term in met}
    often = Counter(name for term in met for name in term.also if name not in main)
    return tuple(
        TableTerm(
            term.id,
            term.name,
            term.other_name,
            tuple([name for name in (term.name, *_own(term, often)) if name not in _EVERYDAY]),
            term.meaning,
            term.pictures[0].cards if term.pictures else (),
        )
        for term in met
    )


def _own(term: Term, often: Counter[str]) -> list[str]:
    """Synonyms of this term alone, in words."""
    return [name for name in term.also if often[name] == 1 and len(name) > 1 and name.isidentifier()]


@cache
def examples() -> Examples:
    """The documents' examples, then the fine points."""
    return msgspec.convert(_data("examples.json"), Examples)
