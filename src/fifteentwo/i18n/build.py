"""Compile the catalogues, for developers: `python -m fifteentwo.i18n.build [FILE ...]`.

The files named, of `key<TAB>English<TAB>日本語` lines, are merged into the .po files first; "one||many"
gives a plural.
"""

import io
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from fifteentwo.i18n.catalogue import DOMAIN, LANGUAGES

_ALWAYS = datetime(2026, 1, 1, tzinfo=UTC)
LOCALE = Path(__file__).parent / "locale"
_HEADER = """\
msgid ""
msgstr ""
"Project-Id-Version: fifteentwo\\n"
"Language: {lang}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"

"""


def po_path(lang: str, domain: str = DOMAIN) -> Path:
    """Where the words of a language are kept."""
    return LOCALE / lang / "LC_MESSAGES" / f"{domain}.po"


def read(lang: str, domain: str = DOMAIN) -> Catalog:
    """The catalogue of a language."""
    with po_path(lang, domain).open("rb") as written:
        return read_po(written, locale=lang, domain=domain)


def compiled(lang: str, domain: str = DOMAIN) -> bytes:
    """The .mo that belongs to the .po."""
    catalogue = read(lang, domain)
    # Babel's header has the minute it was written; the same words should make the same file.
    catalogue.creation_date = catalogue.revision_date = _ALWAYS
    out = io.BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def merge(lines: list[str]) -> None:
    """Add or replace the words of these lines in both languages."""
    catalogues = {lang: read(lang) for lang in LANGUAGES}
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        key, *words = line.split("\t")
        if len(words) != len(LANGUAGES):
            raise SystemExit(f"not key, English, Japanese: {line!r}")
        plural = any("||" in word for word in words)
        for lang, word in zip(LANGUAGES, words, strict=True):
            catalogues[lang].delete(key)
            if plural:
                catalogues[lang].add((key, key), tuple(word.split("||")))
            else:
                catalogues[lang].add(key, word)
    for lang, catalogue in catalogues.items():
        out = io.BytesIO()
        # A header of our own: Babel's carries the time of day.
        out.write(_HEADER.format(lang=lang, plurals=catalogue.plural_forms).encode())
        write_po(out, catalogue, sort_output=True, width=0, omit_header=True)
        _put(po_path(lang), out.getvalue())


def _put(path: Path, written: bytes) -> None:
    """Write all of it or nothing, so that no reader gets half a catalogue."""
    temporary = path.with_suffix(f".{os.getpid()}")
    temporary.write_bytes(written)
    temporary.replace(path)


def main(paths: list[str]) -> None:
    """Merge, then compile."""
    for path in paths:
        merge(Path(path).read_text(encoding="utf-8").splitlines())
    for lang in LANGUAGES:
        _put(po_path(lang).with_suffix(".mo"), compiled(lang))
    # What click says of itself; English is its own.
    _put(po_path("ja", "click").with_suffix(".mo"), compiled("ja", "click"))


if __name__ == "__main__":
    main(sys.argv[1:])
