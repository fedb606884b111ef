"""Every error code has a sentence in both languages, with its rule and what to do."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import fifteentwo
from fifteentwo.i18n import languages, refusal, text
from fifteentwo.i18n.catalogue import has_text
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import FifteenTwoError, IllegalAction, InvalidRules, NotationError
from fifteentwo.rules.record import read
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import rules_for

_SOURCE = Path(fifteentwo.__file__).parent
_KINDS = {
    "IllegalAction": "refusal",
    "InvalidArgument": "refusal",
    "InvalidRules": "refusal",
    "NotationError": "unreadable",
    "Refused": "refusal",
    "ServerError": "refusal",
    "StoreError": "refusal",
    "DealingRefuted": "refusal",
}
_OF_DRIVERS = ("locked", "damaged", "read-only", "unreachable")
"""Errors of database drivers, whose codes are not written where they are raised."""
_OF_THE_RULES = {"IllegalAction", "InvalidRules"}


@cache
def _raised() -> list[tuple[str, str]]:
    """Return class and code of every error raised with a literal code in the package."""
    of_drivers = {("StoreError", code) for code in ("disk-full", *(f"database-{end}" for end in _OF_DRIVERS))}
    return sorted(of_drivers | set(_made()))


def _made() -> Iterator[tuple[str, str]]:
    for path in sorted(_SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _KINDS:
                code = node.args[0] if node.args else None
                if isinstance(code, ast.Constant) and isinstance(code.value, str):
                    yield node.func.id, code.value


def test_the_source_was_read() -> None:
    assert ("IllegalAction", "count-past-31") in _raised()
    assert ("InvalidRules", "double-skunk-needs-skunk") in _raised()
    assert ("NotationError", "not-a-card") in _raised()
    assert ("StoreError", "conflict") in _raised()
    assert ("DealingRefuted", "seed-broken") in _raised()


def test_every_code_in_the_source_has_a_sentence_in_both_languages() -> None:
    wrong = [
        f"{code}: {lang}"
        for kind, code in _raised()
        for lang in languages()
        if not (has_text(key := f"{_KINDS[kind]}.{code}", lang) and begins_a_sentence(text(key, lang), lang))
    ]
    assert wrong == []


def begins_a_sentence(words: str, lang: str) -> bool:
    return lang == "ja" or words[0].isupper() or words[0] in "“{"


def refused(kind: str, code: str) -> FifteenTwoError:
    """Return an error with every value that a sentence may need."""
    values = {"at": 2, "action": 7, "card": "KS", "count": 35, "number": 3, "points": 30, "acting": 1}
    values["phase"] = "play"
    return IllegalAction(code, "R53", 1, **values) if kind == "IllegalAction" else InvalidRules(code, "R53")


def test_every_refusal_names_its_rule(subtests: pytest.Subtests) -> None:
    for lang, ends in (("en", (".",)), ("ja", ("。", "）", "。）"))):
        with subtests.test(lang=lang, ends=ends):
            sentences = [
                refusal(refused(kind, code), lang) for kind, code in _raised() if kind in _OF_THE_RULES
            ]
            assert len(sentences) > 20
            wrong = [
                sentence
                for sentence in sentences
                if "R53" not in sentence
                or re.search(r"[{}]|refusal\.|\n", sentence)
                or not sentence.endswith(ends)
            ]
            assert wrong == []


def test_not_now_says_what_the_table_waits_for(subtests: pytest.Subtests) -> None:
    for phase in list(Phase):
        with subtests.test(phase=phase):
            for lang in languages():
                assert has_text(f"phase.{phase.value}", lang)
                result = refusal(IllegalAction("not-now", "R50", 0, phase=phase.value), lang)
                assert text(f"phase.{phase.value}", lang) in result


def test_r53_past_31_is_said_with_card_and_count() -> None:
    error = IllegalAction("count-past-31", "R53", 0, card="TS", count=35)
    assert refusal(error, "en") == "10♠ would bring the count to 35, past 31 (R53). Play a smaller card."
    assert refusal(error, "ja") == (
        "♠10を出すとカウントが35になり、31を超えます（R53）。もっと小さいカードを出してください。"
    )


def test_unreadable_text_is_quoted_and_shortened() -> None:
    with pytest.raises(NotationError) as caught:
        Card("11X")
    assert "11X" in refusal(caught.value, "en")
    long = NotationError("not-a-card", "z" * 5000)
    assert len(refusal(long, "ja")) < 200


def test_braces_in_typed_text_are_quoted() -> None:
    for typed in ("{lang}", "{0}", "{", "}", "%s"):
        assert typed in refusal(NotationError("not-a-card", typed), "en")


def test_a_refused_action_in_a_record_says_why() -> None:
    error = NotationError("action-refused", "play 0 KS", 12)
    error.__cause__ = IllegalAction("count-past-31", "R53", 0, card="KS", count=35)
    assert refusal(error, "en").endswith("past 31 (R53). Play a smaller card.")
    assert "12" in refusal(error, "en")


def test_settings_of_a_record_are_refused_with_their_own_reason(subtests: pytest.Subtests) -> None:
    for variant, named in (("whist", "whist"), ("six-card\ntarget 99", "61")):
        with subtests.test(variant=variant, named=named):
            with pytest.raises(NotationError) as caught:
                read(f"fifteentwo record 1\nvariant {variant}\nstart named\nend 0 actions, 0 0")
            english, japanese = (refusal(caught.value, lang) for lang in languages())
            assert named in english
            assert named in japanese
            assert not re.search("[A-Za-z]+ [A-Za-z]+", japanese)


def test_an_unknown_variant_is_quoted() -> None:
    with pytest.raises(FifteenTwoError) as caught:
        rules_for("whist")
    assert "whist" in refusal(caught.value, "ja")


def test_a_code_without_text_is_still_one_line() -> None:
    for lang in languages():
        assert "brand-new" in refusal(IllegalAction("brand-new", "R1"), lang)
        assert "brand-new" in refusal(NotationError("brand-new", "x"), lang)


def test_text_that_is_not_a_record_is_refused_in_words() -> None:
    with pytest.raises(NotationError) as caught:
        read("hello")
    assert "1" in refusal(caught.value, "ja")
