"""The Book as files: every class of six cards in both roles, under CC0, with digests.

    python -m lab book write FOLDER

A compressed CSV file for each thousand classes and role has a line for each discard: points, probability in
the equilibrium, win probability at some boards. A second file has the best discard by bands of the points
that both sides need. Existing complete files are kept.
"""

import csv
import gzip
import hashlib
import io
import json
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from fifteentwo.analysis.book.entry import CLASSES, alike, entry, in_order, joined
from fifteentwo.analysis.book.zones import zones
from fifteentwo.analysis.win.all_boards import chances
from fifteentwo.analysis.win.model import prospects
from fifteentwo.analysis.win.shows import WAYS
from fifteentwo.contest.executor import get_executor, run_all
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.strategy import discards
from fifteentwo.strategy.files import data_file, read_tables
from lab.files import write_whole
from lab.measure.rollouts import digests

IN_FILE = 1000
"""Classes of a file."""
AT_ONCE = 20
"""Hands of one job."""
EVERY = 5.0
"""Seconds between two lines of progress."""
SCORES = (0, 60, 90, 105, 115)
BOARDS = tuple((own, other) for own in SCORES for other in SCORES)
"""Boards whose win probabilities are written."""
COLUMNS = ("class", "six", "deals", "discard", "hand", "crib", "pegging", "net", "frequency")
ABOUT, SUMS, READ_ME = "about.json", "SHA256SUMS", "README.txt"
ENDS = (".bands.csv.gz", ".csv.gz")
ROLES = ("pone", "dealer")
_READ_ME = """\
The Book: six-card cribbage for two, every six cards in both roles. Made by `python -m lab book write`.

To the extent possible under law, its makers have waived all copyright and related rights to this work
(CC0 1.0, https://creativecommons.org/publicdomain/zero/1.0/).

ROLE/NUMBER.csv.gz, of a thousand classes, or ROLE/FIRST-LAST.csv.gz, of some: a line a discard. The class's
number, six cards, how many deals are alike but for the names of suits, the discard, mean points of hand and
crib, mean points of pegging (own less the other's), all together, how often the equilibrium discards it, and
the chance of winning at each board (own-other points when the deal begins).

ROLE/NUMBER.bands.csv.gz: a line a hand. The discard that costs least for every band of points still needed,
own band by the other's, and what it costs there on average in chance of winning.

about.json: what it was made from. SHA256SUMS: a digest of every file.
"""


class OtherBook(click.ClickException):
    """The folder contains a Book that was made from other tables."""

    def __init__(self, folder: str) -> None:
        super().__init__(f"{folder} holds a Book made from other tables. Choose another folder.")


class Part(NamedTuple):
    """The classes of one file."""

    role: str
    first: int
    last: int
    """One past the last."""

    @property
    def name(self) -> str:
        """Path without extension: the number of the file, or its classes if it is incomplete."""
        if self.first % IN_FILE == 0 and self.last == min(self.first + IN_FILE, CLASSES):
            return f"{self.role}/{self.first // IN_FILE:04d}"
        return f"{self.role}/{self.first:06d}-{self.last - 1:06d}"


@cache
def _rows() -> dict[str, Any]:
    return read_tables(data_file(discards.FILE)).arrays


def six_of(number: int) -> tuple[Card, ...]:
    """Return the six cards that represent a class, 0 to 962,987."""
    rows = _rows()
    place = int(np.searchsorted(rows["class_start"], number, side="right")) - 1
    ranks = int(rows["ranks"][place])
    suits = int(rows["patterns"][rows["shape_start"][place] + number - rows["class_start"][place]])
    held = [DECK[4 * (ranks // 13**at % 13) + (suits // 4**at % 4)] for at in range(5, -1, -1)]
    return in_order(held)


def parts(first: int, last: int) -> Iterator[Part]:
    """Yield the files of the classes from `first` to one before `last`."""
    for start in range(first - first % IN_FILE, last, IN_FILE):
        for role in ROLES:
            yield Part(role, max(start, first), min(start + IN_FILE, last))


def made(part: Part, first: int, last: int) -> tuple[str, str]:
    """Return the lines of some classes, discards and bands. The first class has the column names."""
    discard_lines, bands = io.StringIO(newline=""), io.StringIO(newline="")
    by_discard, by_band = (csv.writer(written, lineterminator="\n") for written in (discard_lines, bands))
    if first == part.first:
        by_discard.writerow((*COLUMNS, *(f"win_{own}-{other}" for own, other in BOARDS)))
    for number in range(first, last):
        rows, band_row, head = _hand(number, part.role == "dealer")
        if number == part.first:
            by_band.writerow(head)
        by_discard.writerows(rows)
        by_band.writerow(band_row)
    return discard_lines.getvalue(), bands.getvalue()


def _hand(number: int, dealer: bool) -> tuple[list[tuple[Any, ...]], tuple[Any, ...], tuple[str, ...]]:
    """Return the CSV rows of one hand.

    These are a row for each discard, a row with the best discard in each band of scores, and the header of
    the latter.
    """
    six = six_of(number)
    page, found = entry(six, dealer=dealer, board=(0, 0)), zones(six, dealer=dealer)
    wins = chances(prospects(six, dealer))
    way_of = {tuple([six[card] for card in way]): place for place, way in enumerate(WAYS)}
    deals = alike(six)
    rows = [
        (
            *(number, joined(six), deals, joined(option.discard)),
            *(
                f"{value:.4f}"
                for value in (option.hand, option.crib, option.pegging, option.net, option.frequency)
            ),
            *(f"{wins[way_of[option.discard], own, other]:.5f}" for own, other in BOARDS),
        )
        for option in page.discards
    ]
    bands = [band for row in found.bands for band in row]
    head = ("class", "six", *(f"{b.own[0]}-{b.own[1]}/{b.other[0]}-{b.other[1]}" for b in bands))
    cheapest = (f"{joined(found.zones[band.zone].discard)} {band.loses:.5f}" for band in bands)
    return rows, (number, joined(six), *cheapest), head


def _packed(written: str) -> bytes:
    # Without time and name, equal text gives equal bytes.
    return gzip.compress(written.encode("ascii"), 6, mtime=0)


def about() -> dict[str, Any]:
    return {
        "made_by": "python -m lab book write",
        "licence": "CC0-1.0",
        "classes": CLASSES,
        "digests": digests(),
        "boards": [f"{own}-{other}" for own, other in BOARDS],
    }


def _write(part: Part, folder: Path, lines: Sequence[tuple[str, str]]) -> float:
    """Write both files of a part, bands first; return megabytes."""
    discard_lines, bands = (_packed("".join(some)) for some in zip(*lines, strict=True))
    path = folder / f"{part.name}.csv.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path.with_name(f"{path.name[:-7]}.bands.csv.gz"), bands)
    write_whole(path, discard_lines)
    return (len(discard_lines) + len(bands)) / 1e6


def _is_whole(path: Path, end: str) -> bool:
    try:
        return bool(gzip.decompress(path.with_name(path.name + end).read_bytes()))
    except (OSError, EOFError, zlib.error):
        return False


def run(
    folder: Path,
    *,
    first: int = 0,
    last: int = CLASSES,
    jobs: int | None = None,
    progress: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Write the missing files of these classes, then the digests of all files.

    Raises OtherBook if the folder's files were made from other tables.
    """
    about_text = json.dumps(about(), indent=1) + "\n"
    kept = folder / ABOUT
    if kept.exists() and kept.read_text(encoding="utf-8") != about_text:
        raise OtherBook(str(folder))
    write_whole(kept, about_text.encode())
    write_whole(folder / READ_ME, _READ_ME.encode())
    wanted = list(parts(first, last))
    todo = [part for part in wanted if not all(_is_whole(folder / part.name, end) for end in ENDS)]
    size = _make(todo, folder, jobs, progress)
    files = digest_all(folder)
    return {
        "files": files,
        "made_now": len(todo),
        "kept": len(wanted) - len(todo),
        "megabytes": round(size, 3),
    }


def _make(todo: Sequence[Part], folder: Path, jobs: int | None, progress: Callable[[str], None]) -> float:
    """Make parts, a few hands at a time, and write each complete part; return megabytes."""
    lots = {part: range(part.first, part.last, AT_ONCE) for part in todo}
    work = [
        ((part, first), (part, first, min(first + AT_ONCE, part.last)))
        for part, firsts in lots.items()
        for first in firsts
    ]
    hands, done, size = sum(part.last - part.first for part in todo), 0, 0.0
    made_of: dict[Part, dict[int, tuple[str, str]]] = {part: {} for part in todo}
    began = reported = time.monotonic()
    with get_executor(jobs) as executor:
        for (part, first), lines in run_all(executor, made, work):
            made_of[part][first] = lines
            done += min(AT_ONCE, part.last - first)
            is_whole = len(made_of[part]) == len(lots[part])
            if is_whole:
                size += _write(part, folder, [made_of[part][each] for each in lots[part]])
                del made_of[part]
            if is_whole or time.monotonic() - reported >= EVERY:
                reported = time.monotonic()
                left = (reported - began) * (hands - done) / done
                progress(f"{done:,} of {hands:,} hands, {size:.1f} MB written, about {left:.0f} s left")
    return size


def digest_all(folder: Path) -> int:
    """Write the digests of all files in the format of `sha256sum`; return the number of files."""
    names: Sequence[str] = sorted(
        str(path.relative_to(folder).as_posix())
        for path in folder.rglob("*")
        if path.is_file() and path.name != SUMS and not path.name.endswith(".tmp")
    )
    lines = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    write_whole(folder / SUMS, "".join(lines).encode())
    return len(names)
