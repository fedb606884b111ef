"""The two catalogues have the same keys, and the compiled files match the sources."""

import re
import string
from pathlib import Path

import pytest

import fifteentwo
from fifteentwo.i18n import catalogue, languages, preferred, text
from fifteentwo.i18n.build import compile_mo, po_path, read
from fifteentwo.i18n.catalogue import sentences_in
from fifteentwo.players import LEVELS

_SOURCE = Path(fifteentwo.__file__).parent
_JAPANESE = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff]")


def _placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def _entries(lang: str) -> dict[str, tuple[str, ...]]:
    entries: dict[str, tuple[str, ...]] = {}
    for message in read(lang):
        if message.id:
            key = message.id[0] if isinstance(message.id, tuple) else message.id
            words = message.string if isinstance(message.string, tuple) else (message.string,)
            entries[str(key)] = tuple(str(word) for word in words)
    return entries


def test_both_languages_have_the_same_keys() -> None:
    assert set(_entries("en")) == set(_entries("ja"))


def test_placeholders_agree_in_every_sentence_and_plural() -> None:
    english, japanese = _entries("en"), _entries("ja")
    for key, words in english.items():
        wanted = set().union(*(_placeholders(word) for word in words))
        for word in japanese[key]:
            # A sentence may omit a value, but not need one that the other language does not get.
            assert _placeholders(word) <= wanted | _values_only_japanese_needs(key), key


def _values_only_japanese_needs(key: str) -> set[str]:
    return {"total"} if key == "spoken.run" else set()


def test_plurals_have_as_many_plural_forms_as_the_language() -> None:
    for lang in languages():
        written = read(lang)
        for message in written:
            if message.pluralizable:
                assert len(tuple(message.string or ())) == written.num_plurals, message.id


def test_no_sentence_is_empty_fuzzy_or_obsolete() -> None:
    for lang in languages():
        assert all(
            word.strip() or key.startswith("list.") for key, words in _entries(lang).items() for word in words
        )
        assert not read(lang).obsolete
        assert not any(message.fuzzy for message in read(lang) if message.id)


def test_english_has_no_japanese_and_japanese_no_english_sentence() -> None:
    for key, words in _entries("en").items():
        assert not any(_JAPANESE.search(word) for word in words), key
    for key, words in _entries("ja").items():
        for word in words:
            prose = re.sub(r"\{\w+\}|「[^」]*」", "", word)
            assert not re.search(r"[A-Za-z]{2,}\s+[A-Za-z]{2,}", prose), (key, word)


def test_japanese_uses_full_width_punctuation_and_half_width_figures() -> None:
    for key, words in _entries("ja").items():
        for word in words:
            assert not re.search(r"[０-９]", word), key
            assert not re.search(r"[\u3041-\u30ff\u4e00-\u9fff][,.!?:;()]", word), (key, word)


def test_the_compiled_catalogue_is_the_written_one(subtests: pytest.Subtests) -> None:
    for lang in languages():
        with subtests.test(lang=lang):
            assert sentences_in(po_path(lang).with_suffix(".mo").read_bytes()) == sentences_in(
                compile_mo(lang)
            )


def test_the_browser_gets_every_key_and_both_numbers() -> None:
    for lang in languages():
        words = catalogue(lang)
        assert set(_entries(lang)) <= set(words)
        assert text("points", lang, n=2) == words["points"].format(n=2)
        assert text("points", lang, n=1) == words["points.one"].format(n=1)
    assert set(catalogue("en")) == set(catalogue("ja"))


def test_every_key_written_in_a_page_exists(subtests: pytest.Subtests) -> None:
    """A condition may choose a key, so every literal with a dot counts, except elements with classes."""
    keys = catalogue("ja")
    heads = {key.split(".")[0] for key in keys if "." in key}
    for files in ("web/templates/*.html", "web/static/**/*.js"):
        with subtests.test(files=files):
            literals = {
                found
                for path in _SOURCE.glob(files)
                for element, found in re.findall(
                    r"""(make\w*\(\s*)?["`]([a-z_]+(?:\.[\w-]+)+)["`]""", path.read_text(encoding="utf-8")
                )
                if not element and found.split(".")[0] in heads
            }
            assert {one for one in literals if not one.endswith((".html", ".css"))} - set(keys) == set()


def test_every_sentence_about_a_player_also_addresses_the_reader() -> None:
    """`textOf` takes KEY.you if the player is the reader."""
    keys, found = set(catalogue("ja")), set[str]()
    for path in _SOURCE.glob("web/static/**/*.js"):
        for asked in re.findall(r"textOf\(([^,()]*),", path.read_text(encoding="utf-8")):
            for written in re.findall(r'["`]([\w-]+\.[^"`]+)["`]', re.sub(r"\$\{[^}]*\}", "…", asked)):
                named = re.compile(re.escape(written).replace("…", "[a-z]+(-[a-z]+)?"))
                found |= (mine := {key for key in keys if named.fullmatch(key)})
                assert mine, written
    assert len(found) > 8
    assert {key for key in found if f"{key}.you" not in keys} == set()


def test_every_used_key_exists(subtests: pytest.Subtests) -> None:
    for files, asking in (
        ("web/templates/*.html", r"\b(?:_|text)"),
        ("web/static/**/*.js", r"\b(?:say|text)"),
        ("**/*.py", r"\btext"),
    ):
        with subtests.test(files=files, asking=asking):
            asked = {
                (found, path.name)
                for path in _SOURCE.glob(files)
                for found in re.findall(
                    asking + r"""\(\s*"([^"{}() ]+)"\s*[,)]""", path.read_text(encoding="utf-8")
                )
            }
            assert asked
            assert {(key, path) for key, path in asked if key not in catalogue("ja")} == set()


SPOKEN_TO_ONE = (".you", ".team")
"""Suffixes that `i18n.events` adds to keys."""
FOR_THE_TABLE = {"over.wins.team", *(f"level.note.{level}" for level in LEVELS)}
"""Texts that the table and the home page will use soon."""


def _families(sources: str) -> list[str]:
    """Return patterns of composed keys: `score.${name}`, f"variant.{name}", "game." ~ name."""
    part = r"[a-z_-]+"
    beginnings = re.findall(rf"""["`]({part}(?:\.{part})*\.)(?:\{{|\$\{{|" ~)""", sources)
    deeper = re.findall(rf""""({part}\.)" ~ \w+ ~ "\.\"""", sources)
    return [re.escape(one) + r"[^.]+" for one in beginnings] + [re.escape(d) + r"\w+\.[^.]+" for d in deeper]


def test_every_key_is_used() -> None:
    sources = "\n".join(
        path.read_text(encoding="utf-8")
        for files in ("**/*.py", "web/templates/*.html", "web/static/**/*.js")
        for path in _SOURCE.glob(files)
    )
    written = set(re.findall(r"""(?<=["'`])[\w.-]+(?=["'`])""", sources))
    asked = set(re.findall(r"""\b(?:_|text|say)\(\s*"([^"]+)\"""", sources))
    families = re.compile("|".join(_families(sources)))
    unsaid = set()
    for key in set(_entries("en")) - FOR_THE_TABLE:
        plain = next((key.removesuffix(end) for end in SPOKEN_TO_ONE if key.endswith(end)), key)
        entry = {key, plain} & (written if re.fullmatch(r"\w+\.[\w.-]+", key) else asked)
        if not entry and not families.fullmatch(plain):
            unsaid.add(key)
    assert unsaid == set()
    assert not families.fullmatch("rank.A")


def test_the_language_follows_the_browsers_preferences(subtests: pytest.Subtests) -> None:
    for asked, given in (
        ("ja", "ja"),
        ("en-GB,en;q=0.9", "en"),
        ("fr-FR, ja-JP;q=0.8, en;q=0.7", "ja"),
        ("fr", "en"),
        ("", "en"),
        ("ja;q=x, *;q=0.1", "en"),
    ):
        with subtests.test(asked=asked, given=given):
            assert preferred(asked) == given
