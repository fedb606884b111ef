"""Reading matter: the rules by number, the glossary, and the rule documents' examples."""

import json
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec


class Picture(msgspec.Struct, frozen=True):
    """Cards to show, and their points."""

    cards: tuple[str, ...]
    points: int | None


class Rule(msgspec.Struct, frozen=True):
    """A statement with the numbers of its rules (R1–R125, C1–C22) and pictures."""

    numbers: tuple[str, ...]
    text: str
    pictures: tuple[Picture, ...]


class Section(msgspec.Struct, frozen=True):
    id: str
    title: str
    rules: tuple[Rule, ...]
    variant: str | None
    """The variant; None for rules of all variants."""


class Term(msgspec.Struct, frozen=True):
    """A term with all its names in both languages, the reader's language first."""

    id: str
    name: str
    other_name: str
    also: tuple[str, ...]
    other_also: tuple[str, ...]
    meaning: str
    rules: tuple[str, ...]
    pictures: tuple[Picture, ...]


class TableTerm(msgspec.Struct, frozen=True):
    """A term as the table explains it: its names there, its meaning, and one picture."""

    id: str
    name: str
    other_name: str
    names: tuple[str, ...]
    """Names to search for in texts: without names of two terms, signs and numbers."""
    meaning: str
    cards: tuple[str, ...]


class Group(msgspec.Struct, frozen=True):
    """Terms of one subject."""

    title: str
    terms: tuple[Term, ...]


class HandExample(msgspec.Struct, frozen=True, kw_only=True):
    """A hand, or a part of one, with its known points."""

    id: str
    group: str
    """The rule document, or "fine" for the fine points."""
    hand: str
    starter: str | None = None
    """None if only a part is counted."""
    part: str | None = None
    """The only scores counted, by the keys of `server.study.hand_count.SCORES_BY_PART`."""
    points: int
    crib: bool = False
    five: bool = False
    shape: str | None = None


class PlayExample(msgspec.Struct, frozen=True, kw_only=True):
    """Cards in the order played; turns, goes and scores follow from the rules."""

    id: str
    group: str
    played: str
    hands: tuple[str, ...] = ()
    """Hands by seat, the leader's first; empty if two players alternate and the example is an excerpt."""
    variant: str = "six-card"


class PegsExample(msgspec.Struct, frozen=True):
    """Two pegs, the rear one first, and points that move the rear peg (R122)."""

    id: str
    group: str
    pegs: tuple[int, int]
    points: int


class SkunkExample(msgspec.Struct, frozen=True):
    """A loser's points, and whether skunks are agreed (R18–R20)."""

    id: str
    group: str
    target: int
    loser: int
    skunk: bool
    double_skunk: bool


class HoleExample(msgspec.Struct, frozen=True):
    """A score to find on board B (R120)."""

    id: str
    group: str
    score: int


class Examples(msgspec.Struct, frozen=True):
    """The worked examples of the rule documents and of fine points."""

    hands: tuple[HandExample, ...]
    plays: tuple[PlayExample, ...]
    pegs: tuple[PegsExample, ...]
    skunks: tuple[SkunkExample, ...]
    holes: tuple[HoleExample, ...]


@cache
def _read_json(name: str) -> Any:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return tomllib.loads(text) if name.endswith(".toml") else json.loads(text)


def _pictures(written: Sequence[str]) -> tuple[Picture, ...]:
    """Return pictures from texts such as "5S JC: 2", or of cards alone."""
    parts = [one.partition(":") for one in written]
    return tuple(Picture(tuple(cards.split()), int(points) if points else None) for cards, _, points in parts)


@cache
def rulebook(lang: str) -> tuple[Section, ...]:
    """Return the rules of all variants."""
    column = 1 if lang == "en" else 2
    return tuple(
        Section(
            part["id"],
            part[lang],
            tuple(Rule(tuple(rule[0].split()), rule[column], _pictures(rule[3:])) for rule in part["rules"]),
            part.get("variant"),
        )
        for part in _read_json("rules.toml")["section"]
    )


@cache
def glossary(lang: str) -> tuple[Group, ...]:
    """Return all terms with all their names."""
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
        for group in _read_json("glossary.toml")["group"]
    )


TERMS_AT_TABLE = (
    *("crib", "starter", "stock", "dealer", "pone", "eldest", "discard", "show", "skunk"),
    *("count", "go", "last-card", "thirty-one", "fifteen", "pair", "pair-royal", "double-pair-royal"),
    *("run", "flush", "heels", "nobs", "muggins", "double-skunk", "three-for-last", "game-hole", "partner"),
)
"""Terms that players meet at the table; everyday words such as deal and cut are only in the glossary."""
_AMBIGUOUS_NAMES = {"チーム", "合計", "累計", "side"}
"""Names of terms that also have other meanings."""


@cache
def terms_at_table(lang: str) -> tuple[TableTerm, ...]:
    """Return the terms of the table, in the glossary's order."""
    met = [term for group in glossary(lang) for term in group.terms if term.id in TERMS_AT_TABLE]
    main = {term.name for term in met}
    counts = Counter(name for term in met for name in term.also if name not in main)
    return tuple(
        TableTerm(
            term.id,
            term.name,
            term.other_name,
            _searchable_names(term, counts),
            term.meaning,
            term.pictures[0].cards if term.pictures else (),
        )
        for term in met
    )


def _searchable_names(term: Term, counts: Counter[str]) -> tuple[str, ...]:
    """Return the name of a term, and synonyms that are words and belong to no other term."""
    unique = [name for name in term.also if counts[name] == 1 and len(name) > 1 and name.isidentifier()]
    return tuple([name for name in (term.name, *unique) if name not in _AMBIGUOUS_NAMES])


@cache
def examples() -> Examples:
    """Return the rule documents' examples, followed by the fine points."""
    return msgspec.convert(_read_json("examples.json"), Examples)
