"""The gettext catalogues: one symbolic key per sentence, `{name}` placeholders, plurals by `n`."""

from collections.abc import Iterable
from functools import cache, lru_cache
from gettext import GNUTranslations
from importlib.resources import files
from io import BytesIO
from struct import iter_unpack, unpack_from

LANGUAGES = ("en", "ja")
DOMAIN = "fifteentwo"


def languages() -> tuple[str, ...]:
    """Return the languages that every text exists in."""
    return LANGUAGES


def _compiled_catalogue(lang: str) -> bytes:
    folder = files(__package__).joinpath("locale", lang if lang in LANGUAGES else "en", "LC_MESSAGES")
    return folder.joinpath(f"{DOMAIN}.mo").read_bytes()


@cache
def _translations(lang: str) -> GNUTranslations:
    return GNUTranslations(BytesIO(_compiled_catalogue(lang)))


def text(key: str, lang: str, **values: object) -> str:
    """Return the sentence of a key with its values; `n` chooses the plural. Return an unknown key itself.

    >>> text("points", "en", n=1), text("points", "en", n=2), text("points", "ja", n=2)
    ('1 point', '2 points', '2点')
    """
    number = values.get("n")
    found = _sentence(key, lang, number if isinstance(number, int) else None)
    return found.format(**values) if values else found


@lru_cache(8192)
def _sentence(key: str, lang: str, number: int | None) -> str:
    """Return the sentence of a key with its placeholders; number chooses the plural."""
    translations = _translations(lang)
    found = "" if number is None else translations.ngettext(key, "", number)
    return translations.gettext(key) if found in ("", key) else found


def join_sentences(sentences: Iterable[str], lang: str) -> str:
    """Return sentences as one text; Japanese has no spaces between them."""
    return ("" if lang == "ja" else " ").join(sentences)


def has_text(key: str, lang: str) -> bool:
    return key in _sentences(lang)


def catalogue(lang: str) -> dict[str, str]:
    """Return all sentences by key, for the browser; a plural is `key`, its singular `key.one`."""
    return dict(_sentences(lang))


@cache
def _sentences(lang: str) -> dict[str, str]:
    return sentences_in(_compiled_catalogue(lang))


def sentences_in(compiled: bytes) -> dict[str, str]:
    """Return all sentences of a compiled catalogue by key; a plural is `key`, its singular `key.one`.

    The standard library looks up sentences but does not list keys, so the keys are read from the file's
    index: at byte 8 the number of keys and the index's offset, then the length and offset of each key.
    """
    translations = GNUTranslations(BytesIO(compiled))
    order = "<" if compiled.startswith(b"\xde\x12\x04\x95") else ">"
    number, index = unpack_from(f"{order}2I", compiled, 8)
    found: dict[str, str] = {}
    for length, start in iter_unpack(f"{order}2I", compiled[index : index + 8 * number]):
        key, _, plural = compiled[start : start + length].decode().partition("\0")
        if plural:
            found[key] = translations.ngettext(key, plural, 2)
            found[f"{key}.one"] = translations.ngettext(key, plural, 1)
        elif key:
            found[key] = translations.gettext(key)
    return found


def preferred(accept_language: str) -> str:
    """Return the language that an Accept-Language header prefers; English if it names none of ours.

    >>> preferred("fr;q=0.9, ja-JP;q=0.8, en;q=0.3")
    'ja'
    """
    best, weight = "en", 0.0
    for part in accept_language.split(","):
        tag, _, parameter = part.strip().partition(";")
        lang = tag.split("-")[0].strip().lower()
        try:
            wanted = float(parameter.strip().removeprefix("q=")) if parameter.strip() else 1.0
        except ValueError:
            continue
        if lang in LANGUAGES and wanted > weight:
            best, weight = lang, wanted
    return best
