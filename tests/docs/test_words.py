"""None of the words that our vocabulary replaces is left: `python -m tests.words` shows where they are."""

import re

import pytest

from tests import words


def test_no_replaced_word_comes_back() -> None:
    assert sum(words.by_folder().values()) == 0, "python -m tests.words shows the files, with FILE each line"


@pytest.mark.parametrize(
    ("name", "line", "expected"),
    [
        ("src/fifteentwo/x.py", "def layAwayCards(pack): ...", ["lay away", "lay", "pack"]),
        ("src/fifteentwo/x.py", "throw new Error; the room for it; event loops", []),
        ("src/fifteentwo/analysis/x.py", "share = reach[0]", ["reach", "share"]),
        ("src/fifteentwo/cli/x.py", "share = reach[0]", []),
    ],
)
def test_words_are_found_in_names_and_sentences(
    name: str, line: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "lines", lambda _: [line])
    assert sorted(word for _, word, _ in words.found(words.ROOT / name)) == sorted(expected)


def test_every_allowed_place_is_there_and_needed() -> None:
    names = {path.relative_to(words.ROOT).as_posix(): path for path in words.files()}
    for one in words.ALLOWED:
        assert any(re.fullmatch(one.file, name) for name in names), one.file
        assert one.why
