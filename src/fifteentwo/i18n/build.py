"""A compiler of catalogues, for developers: `python -m fifteentwo.i18n.build [FILE ...]`.

Files have lines of `key<TAB>English<TAB>日本語`, which are first merged into the .po files. A plural is
written "one||many".
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

_FIXED_TIME = datetime(2026, 1, 1, tzinfo=UTC)
LOCALE = Path(__file__).parent / "locale"
_PO_HEADER = """\
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
    return LOCALE / lang / "LC_MESSAGES" / f"{domain}.po"


def read(lang: str, domain: str = DOMAIN) -> Catalog:
    with po_path(lang, domain).open("rb") as written:
        return read_po(written, locale=lang, domain=domain)


def compile_mo(lang: str, domain: str = DOMAIN) -> bytes:
    """Return the .mo file of a catalogue."""
    catalogue = read(lang, domain)
    # A fixed time makes equal texts give equal files.
    catalogue.creation_date = catalogue.revision_date = _FIXED_TIME
    out = io.BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def merge(lines: list[str]) -> None:
    """Add or replace the texts of these lines in both languages."""
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
        # Our own header, because Babel's contains the time.
        out.write(_PO_HEADER.format(lang=lang, plurals=catalogue.plural_forms).encode())
        write_po(out, catalogue, sort_output=True, width=0, omit_header=True)
        _write_whole(po_path(lang), out.getvalue())


def _write_whole(path: Path, written: bytes) -> None:
    """Replace a file in one step, so that no reader sees a part of it."""
    temporary = path.with_suffix(f".{os.getpid()}")
    temporary.write_bytes(written)
    temporary.replace(path)


def main(paths: list[str]) -> None:
    """Merge the files, and compile all catalogues."""
    for path in paths:
        merge(Path(path).read_text(encoding="utf-8").splitlines())
    for lang in LANGUAGES:
        _write_whole(po_path(lang).with_suffix(".mo"), compile_mo(lang))
    # The texts of click itself, which are built in for English.
    _write_whole(po_path("ja", "click").with_suffix(".mo"), compile_mo("ja", "click"))


if __name__ == "__main__":
    main(sys.argv[1:])
