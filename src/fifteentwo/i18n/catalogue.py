"""The gettext catalogues: one symbolic key per sentence, `{name}` placeholders, plurals by `n`."""

from functools import cache, lru_cache
from gettext import GNUTranslations
from importlib.resources import files

LANGUAGES = ("en", "ja")
DOMAIN = "fifteentwo"


def languages() -> tuple[str, ...]:
    """The languages every word exists in."""
    return LANGUAGES


@cache
def _translations(lang: str) -> GNUTranslations:
    if lang not in LANGUAGES:
        lang = "en"
    with files(__package__).joinpath("locale", lang, "LC_MESSAGES", f"{DOMAIN}.mo").open("rb") as compiled:
        return GNUTranslations(compiled)


def text(key: str, lang: str, **values: object) -> str:
    """The sentence of a key with its values; `n` chooses the plural. A key without a sentence is itself.

    >>> text("points", "en", n=1), text("points", "en", n=2), text("points", "ja", n=2)
    ('1 point', '2 points', '2点')
    """
    number = values.get("n")
    found = _sentence(key, lang, number if isinstance(number, int) else None)
    return found.format(**values) if values else found


@lru_cache(8192)
def _sentence(key: str, lang: str, number: int | None) -> str:
    """The sentence of a key before its values are put in, for so many of what it counts."""
    translations = _translations(lang)
    found = "" if number is None else translations.ngettext(key, "", number)
    return translations.gettext(key) if found in ("", key) else found


def has(key: str, lang: str) -> bool:
    """Whether a key has a sentence."""
    return key in _sentences(lang)


def catalogue(lang: str) -> dict[str, str]:
    """All sentences by key, for the browser; a plural is `key`, its singular `key.one`."""
    return dict(_sentences(lang))


@cache
def _sentences(lang: str) -> dict[str, str]:
    # gettext offers no public way to list a catalogue.
    entries = vars(_translations(lang))["_catalog"]
    singulars_only = {key for key, plural in (k for k in entries if isinstance(k, tuple)) if plural == 0}
    found: dict[str, str] = {}
    for key, sentence in entries.items():
        if isinstance(key, tuple):
            name, plural = key
            if plural == 1 or (name, 1) not in entries:
                found[name] = sentence
            if plural == 0:
                found[f"{name}.one"] = sentence
        elif key and key not in singulars_only:
            found[key] = sentence
    return found


def preferred(accept_language: str) -> str:
    """The language a browser asks for in its Accept-Language; English where it asks for neither.

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
