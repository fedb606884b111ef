"""The forum's transcript as people write it: comments in between, names below, suits left out."""

import random
import re

import pytest

from fifteentwo.formats import read_one, write
from fifteentwo.i18n import LANGUAGES, refusal
from fifteentwo.rules.errors import NotationError
from tests.formats.written_games import happenings, written_game

WHOLE = write(written_game(0), "transcript")
SUIT = re.compile(r"(?<=[A2-9TJQK])[SHDC]\b")
BLOCK = """PONE (0): Aiko
5H-6S-7D-JC  (QH-2S)
play: JC 9C 6S AS 5H (31-2) KD 7D 3H (20-1)
crib: QH-2S 4H-QC
cut: 8D
9C-AS-KD-3H  (4H-QC)
DEALER (0*): Ken
"""


def refused(text: str, *, fill_suits: bool = False) -> tuple[str, int]:
    with pytest.raises(NotationError) as error:
        read_one(text, fill_suits=fill_suits)
    for lang in LANGUAGES:
        stated = refusal(error.value, lang)
        assert f"{error.value.code})" not in stated, "it has a sentence of its own"
        assert str(error.value.position) in stated
    return error.value.code, error.value.position


def laid_out_as_in_the_forum(text: str) -> str:
    """Return the game with the forum's layout: names below, the crib on two lines."""
    out = []
    for line in text.splitlines():
        if head := re.match(r"(PONE|DEALER) \((\d+)(\*?)\): (.*)", line):
            out += [f"{head[1]}  ({head[2]}{head[3]}):", "", f"{head[4]}", " "]
        elif line.startswith("play:"):
            out += [" play:", "   " + re.sub(r"(\(\d+-\d+\)) ", r"\1    ", line[6:]) + "   "]
        elif line.startswith("crib:"):
            out += [f"  crib:   {line.split()[1]}", line.split()[2]]
        elif line.startswith("cut:"):
            out += [f"cut:  {line[5:]}        "]
        elif line.startswith("Deal "):
            out += [f"<h2>{line}</h2>", "Ken thought, kept 5-6-7, and saw 8  K  6 (24-2)."]
        else:
            out.append(line)
    return "\n".join(out)


def test_the_layout_of_the_forum_is_read() -> None:
    assert read_one(laid_out_as_in_the_forum(WHOLE)).record == read_one(WHOLE).record


def test_tens_signs_and_other_brackets_are_read() -> None:
    other = re.sub("T([SHDC])", r"10\1", WHOLE).translate(str.maketrans("SHDC", "♠♥♦♣"))
    for word in ("PONE", "DEALER", "Deal"):
        other = other.replace(word.translate(str.maketrans("SHDC", "♠♥♦♣")), word)
    other = re.sub(r"  \(([^()]*)\)$", r"  [\1]", other, flags=re.MULTILINE).replace("-", "–")
    other = re.sub(r"\((\d+)–(\d+)\)", r"(\1-\2)", other)
    assert read_one(other).record == read_one(WHOLE).record


def test_missing_suits_are_asked_for_and_none_is_made_up() -> None:
    assert refused(SUIT.sub("", WHOLE)) == ("suit-missing", 4)
    luck = random.Random(1)
    for _ in range(10):
        found = luck.choice(list(SUIT.finditer(WHOLE)))
        one_less = WHOLE[: found.start()] + WHOLE[found.end() :]
        line = WHOLE[: found.start()].count("\n") + 1
        code, refused_at = _refusal(one_less)
        # In pegging the suit of a card may be inferred; discards are written in two places.
        plain = (
            WHOLE.splitlines()[line - 1].startswith(("play", "crib"))
            or "(" in one_less.splitlines()[line - 1]
        )
        assert (code, refused_at) == ("suit-missing", line) or (code == "" and plain)


def _refusal(text: str) -> tuple[str, int]:
    """Return why a text was refused, or "" if the whole game was read."""
    try:
        assert read_one(text).record == read_one(WHOLE).record
    except NotationError as error:
        return error.code, error.position
    return "", 0


def test_suits_that_are_filled_in_keep_every_score() -> None:
    for number in range(4):
        text = write(written_game(number), "transcript")
        bare = SUIT.sub("", text)
        filled = read_one(bare, fill_suits=True)
        again = write(filled.record, "transcript")
        assert SUIT.sub("", again) == bare
        assert filled.suits_added == 13 * len(re.findall("^PONE", text, re.MULTILINE))


def _with_fewer_suits(line: str, luck: random.Random) -> str:
    """Return a line without half of its suits; the play loses all suits."""
    kept = 0.0 if line.startswith("play") else 0.5
    return SUIT.sub(lambda suit: suit[0] if luck.random() < kept else "", line)


def test_only_the_suits_that_are_missing_are_filled_in() -> None:
    luck = random.Random(8)
    some = "\n".join(_with_fewer_suits(line, luck) for line in WHOLE.splitlines())
    filled = read_one(some, fill_suits=True)
    written = [card for line in some.splitlines() for card in re.findall(r"\b[A2-9TJQK][SHDC]\b", line)]
    assert set(written) <= set(re.findall(r"\b[A2-9TJQK][SHDC]\b", write(filled.record, "transcript")))


def test_what_is_wrong_is_named_with_its_line(subtests: pytest.Subtests) -> None:
    for change, code, line in (
        (("play: JC", "play: ?"), "card-unknown", 3),
        (("cut: 8D", "cut: ?"), "card-unknown", 5),
        (("cut: 8D", "cut:"), "cut-missing", 7),
        (("cut: 8D", "cut: 5H"), "deal-card-twice", 1),
        (("cut: 8D\n", "cut: 8D\ncut: 8D\n"), "part-twice", 6),
        (("5H-6S-7D-JC  (QH-2S)\n", ""), "hand-missing", 6),
        (("  (QH-2S)", "  (QH)"), "discards-missing", 7),
        (("crib: QH-2S", "crib: QH-3S"), "crib-disagrees", 4),
        (("play: JC", "play: KD"), "card-out-of-turn", 3),
        (("(31-2)", "(31-4)"), "count-disagrees", 3),
        (("(20-1)", "(21-1)"), "count-disagrees", 3),
        (("play: JC", "play: (10-1) JC"), "count-without-card", 3),
        (("9C 6S", "9C then 6S"), "word-not-a-card", 3),
        ((" 3H (20-1)", ""), "play-not-whole", 3),
        (("PONE (0)", "PONE (5)"), "score-disagrees", 1),
        (("DEALER (0*)", "DEALER (7*)"), "score-disagrees", 7),
        (("DEALER (0*): Ken\n", ""), "block-cut-short", 1),
        (
            ("cut: 8D", "cut: 8D\nwhat a card that was to be cut here, wrote every reader"),
            "line-not-known",
            6,
        ),
    ):
        with subtests.test(change=change, code=code, line=line):
            read_one(BLOCK)
            assert change[0] in BLOCK
            assert refused(BLOCK.replace(*change, 1)) == (code, line)


def test_a_missing_deal_is_detected() -> None:
    lines = WHOLE.splitlines()
    heads = [number for number, line in enumerate(lines) if line.startswith("PONE")]
    without = "\n".join(lines[: heads[1]] + lines[heads[2] :])
    code, line = refused(without)
    assert code in ("names-do-not-alternate", "score-disagrees")
    assert line == heads[1] + 1
    assert refused("\n".join(lines[heads[0] + 1 :]))[0] == "part-without-pone"


def test_comments_do_not_change_the_game() -> None:
    luck = random.Random(3)
    words = ["then", "the", "cut", "8", "31-2", "Ken", "(of", "all)", "5-6", "[sic]", "\x1b[2J", "あ"]
    lines = []
    for line in WHOLE.splitlines():
        if line.startswith("Deal "):
            lines += [" ".join(luck.choices(words, k=12)) for _ in range(luck.randrange(4))]
        lines.append(line)
    assert list(happenings(read_one("\n".join(lines)).record)) == list(happenings(read_one(WHOLE).record))
