"""Every error code of the server has a sentence in both languages, with all its values."""

import re
from pathlib import Path

import fifteentwo.server
from fifteentwo.i18n import refusal
from fifteentwo.i18n.catalogue import has_text, text
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.server.errors import DealingRefuted, PortTaken, Refused, ServerError, StoreError

SOURCES = sorted(Path(fifteentwo.server.__file__).parent.rglob("*.py"))
RAISED = re.compile(r'(Refused|StoreError|ServerError|DealingRefuted)\(\s*"([a-z-]+)"')
NAMED_BY_DRIVERS = {
    "database-locked",
    "database-damaged",
    "database-read-only",
    "disk-full",
    "database-unreachable",
}


def codes() -> list[str]:
    found = {code for source in SOURCES for _, code in RAISED.findall(source.read_text(encoding="utf-8"))}
    return sorted(found | NAMED_BY_DRIVERS | {"port-taken", "wrong-method", "request-unreadable"})


def test_error_codes_are_found_in_the_source() -> None:
    assert {"not-your-table", "nothing-to-undo", "conflict", "commitment-unreadable"} <= set(codes())
    assert len(codes()) > 35


def is_sentence(code: str, lang: str) -> bool:
    """Return whether the code has a sentence that is well formed and in the language."""
    if not has_text(f"refusal.{code}", lang):
        return False
    sentence = text(f"refusal.{code}", lang)
    begins = sentence[0].isupper() or lang == "ja" or sentence[0] in "“{"
    return begins and bool(re.search("[ぁ-ん]", sentence)) == (lang == "ja")


def test_every_error_code_has_a_sentence(lang: str) -> None:
    assert [code for code in codes() if not is_sentence(code, lang)] == []


def test_error_sentences_have_their_values(lang: str) -> None:
    examples: list[tuple[FifteenTwoError, str]] = [
        (PortTaken(8152), "8152"),
        (Refused("message-too-long", most=2048), "2048"),
        (Refused("option-unknown", name="whist"), "whist"),
        (StoreError("no-such-folder", folder="there"), "there"),
        (StoreError("database-not-supported", kind="mysql"), "mysql"),
        (ServerError("host-unknown", host="nowhere"), "nowhere"),
        (DealingRefuted("not-as-committed", 12), "12"),
    ]
    for error, value in examples:
        sentence = refusal(error, lang)
        assert value in sentence
        assert "{" not in sentence
