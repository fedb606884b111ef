"""Which usernames and passphrases are allowed; two names that look alike are one.

Two to 24 characters after NFKC: letters, marks, figures, single spaces and a few signs, of scripts in wide
use. Latin letters go with Japanese ones; any other script stands alone, figures too, so that no Greek ο hides
among Latin letters. What is written in another script to look like Latin is found by its look.
"""

import hashlib
import re
import unicodedata

from fifteentwo import i18n
from fifteentwo.players import LEVELS
from fifteentwo.server.errors import Refused

SHORTEST, LONGEST = 2, 24
SHORTEST_PASSPHRASE, LONGEST_PASSPHRASE = 10, 1000
_MIN_DIFFERENT_CHARACTERS = 5
_EASY_WORDS = (
    "password passwort passphrase letmein welcome iloveyou sunshine princess football baseball basketball "
    "superman starwars liverpool manchester chocolate butterfly computer internet admin administrator "
    "cribbage fifteentwo muggins パスワード ぱすわーど パスフレーズ あいことば クリベッジ"
)
"""Words that passphrases of ten characters are most often made of, and the name of this game."""
_KEYS_IN_ORDER = (
    *("1234567890" * 2, "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm", "qwertzuiop"),
    *("1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik", "a1b2c3d4e5f6g7h8"),
)
_DIGITS_AS_LETTERS = str.maketrans("01345@$!", "oleasasi")
_SIGNS = " -'’._・·!?&+"
_TOGETHER = frozenset(["LATIN", "CJK", "HIRAGANA", "KATAKANA", "IDEOGRAPHIC"])
"""The first word of a letter's name in Unicode, where scripts may stand side by side."""
_ALONE = frozenset(
    [
        *("ARABIC", "ARMENIAN", "BENGALI", "BOPOMOFO", "CYRILLIC", "DEVANAGARI", "ETHIOPIC", "GEORGIAN"),
        *("GREEK", "GUJARATI", "GURMUKHI", "HANGUL", "HEBREW", "KANNADA", "KHMER", "LAO", "MALAYALAM"),
        *("MYANMAR", "ORIYA", "SINHALA", "TAMIL", "TELUGU", "THAANA", "THAI", "TIBETAN"),
    ]
)
"""The other scripts in wide use (Unicode Standard Annex 31, table 5); Lisu's letters are Latin ones."""
_MOST_MARKS = 2
"""Marks upon one letter."""
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Invisible letters and marks: joiners, fillers, variation selectors."""
_LOOKS = str.maketrans(
    # Cyrillic, Greek and Armenian like Latin; digits like letters, and letters like each other.
    "авекмнорстухіјѕԁԛԝҽһӏзьүѵԍәӕ"
    "αβγεζηικμνορτυχωϲօսոհցզլ01|!〇ɑɡıȷɩĸƨ"
    # Kanji and signs like kana, small kana like large ones, dashes like the long vowel.
    "カエオタチトニハヒヘムリロセミ"
    "ァアィイゥウェォャヤュユョヨッツヮワヵヶ"
    "ぁぃぅぇぉゃゅょっゎ一-‐‑–—―",
    "abekmhopctyxijsdqwehl3byvgəæ"
    "abyezhikmnoptuxwcounhgqlollloagijik2"
    "力工才夕千卜二八匕へ厶り口せ三"
    "アアイイウウ工才ヤヤユユヨヨツツワワ力ケ"
    "あいうえおやゆよつわーーーーーーー",
    # Signs and the dot above i and j do not count.
    "_'’.・· \u0307",
)
"""What looks like what, once accents stand apart; names that differ in signs and spaces alone are alike."""
_DRAWN = ("l", "i"), ("rn", "m"), ("vv", "w")
"""Letters that together look like another."""


def checked_username(written: str) -> str:
    """Return a username as it is stored; Refused where it is not allowed."""
    if any(is_unseen(sign) for sign in written):
        raise Refused("name-signs")
    name = " ".join(unicodedata.normalize("NFKC", written).split())
    if not SHORTEST <= len(name) <= LONGEST:
        raise Refused("name-length", least=SHORTEST, most=LONGEST)
    marks, scripts = 0, set()
    for sign in name:
        kind = unicodedata.category(sign)[0]
        marks = marks + 1 if kind == "M" else 0
        if (kind not in "LMN" and sign not in _SIGNS) or marks > _MOST_MARKS or not _is_ordinary(sign):
            raise Refused("name-signs")
        if kind in "LMN" and not sign.isascii():
            scripts.add(_script(sign))
        elif kind == "L":
            scripts.add("LATIN")
    if not any(unicodedata.category(sign)[0] in "LN" for sign in name):
        raise Refused("name-signs")
    scripts -= {"COMBINING"}
    if len(scripts) > 1 and not scripts <= _TOGETHER:
        raise Refused("name-scripts")
    if look(name) in _reserved():
        raise Refused("name-taken", status=409)
    return name


def look(name: str) -> str:
    """Return what names that look alike share, of any length: a digest of their letters."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    plain = folded.translate(_LOOKS)
    for letters, other in _DRAWN:
        plain = plain.replace(letters, other)
    return hashlib.sha256((plain or folded).encode(errors="replace")).hexdigest()


_HYPHENS = re.compile("(?<![ァ-ヴー])[-‐‑–—―]")


def similar(name: str) -> str:
    """Return the key of names too alike for two accounts: as `look`, hyphens counted among katakana alone.

    >>> similar("Mia-Ben") == similar("miaben"), look("Mia-Ben") == look("miaben")
    (True, False)
    """
    return look(_HYPHENS.sub("", unicodedata.normalize("NFKC", name)))


def checked_passphrase(written: str, name: str) -> str:
    """Return a passphrase as it is hashed; raise Refused if it is too short, too long or easy to guess.

    Any character is allowed and none is required (NIST SP 800-63B, revision 3, 5.1.1.2). Characters are
    counted after NFKC, so that every keyboard writes the same passphrase.
    """
    passphrase = as_hashed(written)
    if len(passphrase) < SHORTEST_PASSPHRASE:
        raise Refused("passphrase-short", least=SHORTEST_PASSPHRASE)
    if len(passphrase) > LONGEST_PASSPHRASE:
        raise Refused("passphrase-long", most=LONGEST_PASSPHRASE)
    if _is_easy_to_guess("".join(passphrase.casefold().split()), name):
        raise Refused("passphrase-easy")
    return passphrase


def _is_easy_to_guess(text: str, name: str) -> bool:
    """Return whether it is the username, an easy word or keys in order, with digits and signs around them."""
    if len(set(text)) < _MIN_DIFFERENT_CHARACTERS:
        return True
    parts = {text, re.sub(r"[\W\d_]+", "", text), re.sub(r"^[\W\d_]+|[\W\d_]+$", "", text)}
    parts |= {part[: len(part) // 2] for part in parts if part[: len(part) // 2] * 2 == part}
    parts |= {part.translate(_DIGITS_AS_LETTERS) for part in parts}
    parts |= {part[::-1] for part in parts}
    return any(
        part in _EASY_WORDS.split()
        or look(part) == look(name)
        or (len(part) > 2 and any(part in keys for keys in _KEYS_IN_ORDER))
        for part in parts
    )


def as_hashed(written: str) -> str:
    """Return a passphrase in one spelling (NFKC), as it is hashed."""
    return unicodedata.normalize("NFKC", written)


def is_unseen(sign: str) -> bool:
    """Whether it cannot be seen, or has no form of its own."""
    return bool(_UNSEEN.match(sign)) or unicodedata.category(sign) in (
        "Cc",
        "Cf",
        "Co",
        "Cn",
        "Cs",
        "Zl",
        "Zp",
    )


def _script(sign: str) -> str:
    return unicodedata.name(sign, "?").split()[0].partition("-")[0]


def _is_ordinary(sign: str) -> bool:
    """Whether a letter, mark or figure is of a script in wide use; of Latin, no phonetic signs."""
    if sign.isascii() or sign in _SIGNS:
        return True
    script, described = _script(sign), unicodedata.name(sign, "")
    if script == "LATIN":
        in_use = sign < "\u02b0" or "\u1e00" <= sign <= "\u1eff"
        return in_use and "SMALL CAPITAL" not in described and " CLICK" not in described
    if script == "COMBINING":
        return unicodedata.category(sign) != "Me"
    return script in _TOGETHER or script in _ALONE


def _reserved() -> set[str]:
    keys = ("name.guest", "home.you", *(f"level.{level}" for level in LEVELS))
    return {look(i18n.text(key, lang)) for key in keys for lang in i18n.LANGUAGES}
