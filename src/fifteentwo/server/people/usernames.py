"""Rules for usernames and passphrases; names that look alike count as the same name.

A username has two to 24 characters after NFKC: letters, marks, digits, single spaces and a few signs, of
scripts in wide use. Latin letters may be mixed with Japanese ones. Any other script may not be mixed, even
its digits, so that no Greek ο hides among Latin letters. A name in another script that looks like a Latin
one is found by its look key.
"""

import hashlib
import re
import unicodedata

from fifteentwo import i18n
from fifteentwo.players import LEVELS
from fifteentwo.server.errors import Refused

MIN_USERNAME_LENGTH = 2
MAX_USERNAME_LENGTH = 24
MIN_PASSPHRASE_LENGTH = 10
MAX_PASSPHRASE_LENGTH = 1000
_MIN_DIFFERENT_CHARACTERS = 5
_EASY_WORDS = (
    "password passwort passphrase letmein welcome iloveyou sunshine princess football baseball basketball "
    "superman starwars liverpool manchester chocolate butterfly computer internet admin administrator "
    "cribbage fifteentwo muggins パスワード ぱすわーど パスフレーズ あいことば クリベッジ"
)
"""The most common words in passphrases of ten characters, and the name of this game; they are refused."""
_KEYBOARD_SEQUENCES = (
    *("1234567890" * 2, "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm", "qwertzuiop"),
    *("1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik", "a1b2c3d4e5f6g7h8"),
)
_LETTERS_FOR_DIGITS = str.maketrans("01345@$!", "oleasasi")
_ALLOWED_USERNAME_SIGNS = " -'’._・·!?&+"
_MIXABLE_SCRIPTS = frozenset(["LATIN", "CJK", "HIRAGANA", "KATAKANA", "IDEOGRAPHIC"])
"""Scripts that may be mixed: the first word of a letter's name in Unicode."""
_SEPARATE_SCRIPTS = frozenset(
    [
        *("ARABIC", "ARMENIAN", "BENGALI", "BOPOMOFO", "CYRILLIC", "DEVANAGARI", "ETHIOPIC", "GEORGIAN"),
        *("GREEK", "GUJARATI", "GURMUKHI", "HANGUL", "HEBREW", "KANNADA", "KHMER", "LAO", "MALAYALAM"),
        *("MYANMAR", "ORIYA", "SINHALA", "TAMIL", "TELUGU", "THAANA", "THAI", "TIBETAN"),
    ]
)
"""Other scripts in wide use (Unicode Standard Annex 31, table 5) without Lisu, whose letters look Latin."""
_MAX_MARKS_PER_LETTER = 2
_INVISIBLE_PATTERN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Invisible letters and marks: joiners, fillers, variation selectors."""
_LOOKALIKES = str.maketrans(
    # Cyrillic, Greek and Armenian letters like Latin ones; digits like letters; letters like each other.
    "авекмнорстухіјѕԁԛԝҽһӏзьүѵԍәӕ"
    "αβγεζηικμνορτυχωϲօսոհցզլ01|!〇ɑɡıȷɩĸƨ"
    # Kanji and signs like kana; small kana like large kana; dashes like the long vowel sign.
    "カエオタチトニハヒヘムリロセミ"
    "ァアィイゥウェォャヤュユョヨッツヮワヵヶ"
    "ぁぃぅぇぉゃゅょっゎ一-‐‑–—―",
    "abekmhopctyxijsdqwehl3byvgəæ"
    "abyezhikmnoptuxwcounhgqlollloagijik2"
    "力工才夕千卜二八匕へ厶り口せ三"
    "アアイイウウ工才ヤヤユユヨヨツツワワ力ケ"
    "あいうえおやゆよつわーーーーーーー",
    # Signs, and the dot above i and j, are ignored.
    "_'’.・· \u0307",
)
"""Characters replaced by one that looks alike, after accents were separated."""
_LOOKALIKE_GROUPS = ("l", "i"), ("rn", "m"), ("vv", "w")
"""Letters that together look like another."""


def check_username(written: str) -> str:
    """Return the username to store; raise Refused if it is not allowed."""
    if any(is_invisible(sign) for sign in written):
        raise Refused("name-signs")
    name = " ".join(unicodedata.normalize("NFKC", written).split())
    if not MIN_USERNAME_LENGTH <= len(name) <= MAX_USERNAME_LENGTH:
        raise Refused("name-length", least=MIN_USERNAME_LENGTH, most=MAX_USERNAME_LENGTH)
    marks, scripts = 0, set()
    for sign in name:
        kind = unicodedata.category(sign)[0]
        marks = marks + 1 if kind == "M" else 0
        is_allowed = kind in "LMN" or sign in _ALLOWED_USERNAME_SIGNS
        if not is_allowed or marks > _MAX_MARKS_PER_LETTER or not _is_in_wide_use(sign):
            raise Refused("name-signs")
        if kind in "LMN" and not sign.isascii():
            scripts.add(_unicode_script(sign))
        elif kind == "L":
            scripts.add("LATIN")
    if not any(unicodedata.category(sign)[0] in "LN" for sign in name):
        raise Refused("name-signs")
    scripts -= {"COMBINING"}
    if len(scripts) > 1 and not scripts <= _MIXABLE_SCRIPTS:
        raise Refused("name-scripts")
    reserved = ("name.guest", "home.you", *(f"level.{level}" for level in LEVELS))
    if look_key(name) in {look_key(i18n.text(key, lang)) for key in reserved for lang in i18n.LANGUAGES}:
        raise Refused("name-taken", status=409)
    return name


def look_key(name: str) -> str:
    """Return a digest that is equal for names that look alike."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    plain = folded.translate(_LOOKALIKES)
    for letters, other in _LOOKALIKE_GROUPS:
        plain = plain.replace(letters, other)
    return hashlib.sha256((plain or folded).encode(errors="replace")).hexdigest()


_HYPHENS = re.compile("(?<![ァ-ヴー])[-‐‑–—―]")


def similarity_key(name: str) -> str:
    """Return a digest that is equal for names too similar for two accounts: also with and without hyphens.

    >>> similarity_key("Mia-Ben") == similarity_key("miaben"), look_key("Mia-Ben") == look_key("miaben")
    (True, False)
    """
    return look_key(_HYPHENS.sub("", unicodedata.normalize("NFKC", name)))


def check_passphrase(written: str, name: str) -> str:
    """Return the passphrase to hash; raise Refused if it is too short, too long or easy to guess."""
    # Any character is allowed and none is required (NIST SP 800-63B, revision 3, 5.1.1.2). Characters are
    # counted after NFKC, so that every keyboard writes the same passphrase.
    passphrase = normalize_passphrase(written)
    if len(passphrase) < MIN_PASSPHRASE_LENGTH:
        raise Refused("passphrase-short", least=MIN_PASSPHRASE_LENGTH)
    if len(passphrase) > MAX_PASSPHRASE_LENGTH:
        raise Refused("passphrase-long", most=MAX_PASSPHRASE_LENGTH)
    if _is_easy_to_guess("".join(passphrase.casefold().split()), name):
        raise Refused("passphrase-easy")
    return passphrase


def _is_easy_to_guess(text: str, name: str) -> bool:
    """Return whether a text is the username, an easy word or keys in order, apart from signs around it."""
    if len(set(text)) < _MIN_DIFFERENT_CHARACTERS:
        return True
    parts = {text, re.sub(r"[\W\d_]+", "", text), re.sub(r"^[\W\d_]+|[\W\d_]+$", "", text)}
    parts |= {part[: len(part) // 2] for part in parts if part[: len(part) // 2] * 2 == part}
    parts |= {part.translate(_LETTERS_FOR_DIGITS) for part in parts}
    parts |= {part[::-1] for part in parts}
    return any(
        part in _EASY_WORDS.split()
        or look_key(part) == look_key(name)
        or (len(part) > 2 and any(part in keys for keys in _KEYBOARD_SEQUENCES))
        for part in parts
    )


def normalize_passphrase(written: str) -> str:
    """Return a passphrase in the spelling that is hashed (NFKC)."""
    return unicodedata.normalize("NFKC", written)


def is_invisible(sign: str) -> bool:
    kind = unicodedata.category(sign)
    return bool(_INVISIBLE_PATTERN.match(sign)) or kind[0] == "C" or kind in ("Zl", "Zp")


def _unicode_script(sign: str) -> str:
    return unicodedata.name(sign, "?").split()[0].partition("-")[0]


def _is_in_wide_use(sign: str) -> bool:
    """Return whether a character's script is in wide use; phonetic Latin letters are not."""
    if sign.isascii() or sign in _ALLOWED_USERNAME_SIGNS:
        return True
    script, described = _unicode_script(sign), unicodedata.name(sign, "")
    if script == "LATIN":
        in_use = sign < "\u02b0" or "\u1e00" <= sign <= "\u1eff"
        return in_use and "SMALL CAPITAL" not in described and " CLICK" not in described
    if script == "COMBINING":
        return unicodedata.category(sign) != "Me"
    return script in _MIXABLE_SCRIPTS or script in _SEPARATE_SCRIPTS
