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
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from fifteentwo.analysis.book.entry import HAND_CLASSES, count_alike, entry, in_order, joined
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

CLASSES_PER_FILE = 1000
"""Classes of six cards in one file."""
HANDS_PER_JOB = 20
"""Hands that one job computes."""
PROGRESS_SECONDS = 5.0
"""Seconds between two lines of progress."""
SCORES = (0, 60, 90, 105, 115)
"""Scores of each side at the boards whose win probabilities are written."""
BOARDS = tuple((own, other) for own in SCORES for other in SCORES)
"""Boards (own score, opponent's score) whose win probabilities are written."""
COLUMNS = ("class", "six", "deals", "discard", "hand", "crib", "pegging", "net", "frequency")
"""Columns of the discard file before the win probabilities."""
ABOUT_FILE, SUMS_FILE, READ_ME_FILE = "about.json", "SHA256SUMS", "README.txt"
"""Files of the Book's folder besides the data: provenance, digests and description."""
EXTENSIONS = (".bands.csv.gz", ".csv.gz")
"""Extensions of the two files of a range of classes: best discards by bands, and all discards."""
ROLES = ("pone", "dealer")
_READ_ME_TEXT = """\
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
    """Error: the folder contains a Book that was made from other tables."""

    def __init__(self, folder: str) -> None:
        super().__init__(f"{folder} holds a Book made from other tables. Choose another folder.")


class ClassRange(NamedTuple):
    """The classes of six cards that one file contains, for one role."""

    role: str
    first: int
    """Number of the first class."""
    last: int
    """Number of the last class plus 1."""

    @property
    def name(self) -> str:
        """Path without extension: the number of the file, or its classes if it has less than a full file."""
        if self.first % CLASSES_PER_FILE == 0 and self.last == min(
            self.first + CLASSES_PER_FILE, HAND_CLASSES
        ):
            return f"{self.role}/{self.first // CLASSES_PER_FILE:04d}"
        return f"{self.role}/{self.first:06d}-{self.last - 1:06d}"


@cache
def _discard_arrays() -> Mapping[str, Any]:
    return read_tables(data_file(discards.FILE)).arrays


def class_example(number: int) -> tuple[Card, ...]:
    """Return the six cards that represent a class of equal hands; number: 0 to 962,987."""
    rows = _discard_arrays()
    place = int(np.searchsorted(rows["class_start"], number, side="right")) - 1
    ranks = int(rows["ranks"][place])
    suits = int(rows["patterns"][rows["shape_start"][place] + number - rows["class_start"][place]])
    held = [DECK[4 * (ranks // 13**at % 13) + (suits // 4**at % 4)] for at in range(5, -1, -1)]
    return in_order(held)


def class_ranges(first: int, last: int) -> Iterator[ClassRange]:
    """Yield the files, of both roles, for the classes `first` to `last` - 1."""
    for start in range(first - first % CLASSES_PER_FILE, last, CLASSES_PER_FILE):
        for role in ROLES:
            yield ClassRange(role, max(start, first), min(start + CLASSES_PER_FILE, last))


def csv_lines(part: ClassRange, first: int, last: int) -> tuple[str, str]:
    """Return the CSV lines of classes `first` to `last` - 1: all discards, and best discards by bands."""
    discard_lines, bands = io.StringIO(newline=""), io.StringIO(newline="")
    by_discard, by_band = (csv.writer(written, lineterminator="\n") for written in (discard_lines, bands))
    if first == part.first:
        by_discard.writerow((*COLUMNS, *(f"win_{own}-{other}" for own, other in BOARDS)))
    for number in range(first, last):
        rows, band_row, head = _csv_rows(number, part.role == "dealer")
        if number == part.first:
            by_band.writerow(head)
        by_discard.writerows(rows)
        by_band.writerow(band_row)
    return discard_lines.getvalue(), bands.getvalue()


def _csv_rows(number: int, dealer: bool) -> tuple[list[tuple[Any, ...]], tuple[Any, ...], tuple[str, ...]]:
    """Return a row for each discard of a hand, the row of best discards by bands, and the bands' header."""
    six = class_example(number)
    page, found = entry(six, dealer=dealer, board=(0, 0)), zones(six, dealer=dealer)
    wins = chances(prospects(six, dealer))
    way_of = {tuple([six[card] for card in way]): place for place, way in enumerate(WAYS)}
    deals = count_alike(six)
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


def _compress(written: str) -> bytes:
    # Without time and name, equal text gives equal bytes.
    return gzip.compress(written.encode("ascii"), 6, mtime=0)


def about() -> dict[str, Any]:
    """Return the Book's provenance: licence, number of classes, boards, and digests of the tables."""
    return {
        "made_by": "python -m lab book write",
        "licence": "CC0-1.0",
        "classes": HAND_CLASSES,
        "digests": digests(),
        "boards": [f"{own}-{other}" for own, other in BOARDS],
    }


def _write(part: ClassRange, folder: Path, lines: Sequence[tuple[str, str]]) -> float:
    """Write both files of a class range; return their size in megabytes."""
    discard_lines, bands = (_compress("".join(some)) for some in zip(*lines, strict=True))
    path = folder / f"{part.name}.csv.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path.with_name(f"{path.name[:-7]}.bands.csv.gz"), bands)
    write_whole(path, discard_lines)
    return (len(discard_lines) + len(bands)) / 1e6


def _is_complete(path: Path, end: str) -> bool:
    try:
        return bool(gzip.decompress(path.with_name(path.name + end).read_bytes()))
    except (OSError, EOFError, zlib.error):
        return False


def run(
    folder: Path,
    *,
    first: int = 0,
    last: int = HAND_CLASSES,
    jobs: int | None = None,
    progress: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Write the missing files of the classes `first` to `last` - 1, then the digests of all files.

    Raises OtherBook if the folder's files were made from other tables.
    """
    about_text = json.dumps(about(), indent=1) + "\n"
    kept = folder / ABOUT_FILE
    if kept.exists() and kept.read_text(encoding="utf-8") != about_text:
        raise OtherBook(str(folder))
    write_whole(kept, about_text.encode())
    write_whole(folder / READ_ME_FILE, _READ_ME_TEXT.encode())
    wanted = list(class_ranges(first, last))
    todo = [part for part in wanted if not all(_is_complete(folder / part.name, end) for end in EXTENSIONS)]
    size = _compute_and_write(todo, folder, jobs, progress)
    files = write_digests(folder)
    return {
        "files": files,
        "made_now": len(todo),
        "kept": len(wanted) - len(todo),
        "megabytes": round(size, 3),
    }


def _compute_and_write(
    todo: Sequence[ClassRange], folder: Path, jobs: int | None, progress: Callable[[str], None]
) -> float:
    """Compute class ranges, a few hands at a time, and write each complete one; return megabytes."""
    lots = {part: range(part.first, part.last, HANDS_PER_JOB) for part in todo}
    work = [
        ((part, first), (part, first, min(first + HANDS_PER_JOB, part.last)))
        for part, firsts in lots.items()
        for first in firsts
    ]
    hands, done, size = sum(part.last - part.first for part in todo), 0, 0.0
    made_of: dict[ClassRange, dict[int, tuple[str, str]]] = {part: {} for part in todo}
    began = reported = time.monotonic()
    with get_executor(jobs) as executor:
        for (part, first), lines in run_all(executor, csv_lines, work):
            made_of[part][first] = lines
            done += min(HANDS_PER_JOB, part.last - first)
            is_whole = len(made_of[part]) == len(lots[part])
            if is_whole:
                size += _write(part, folder, [made_of[part][each] for each in lots[part]])
                del made_of[part]
            if is_whole or time.monotonic() - reported >= PROGRESS_SECONDS:
                reported = time.monotonic()
                left = (reported - began) * (hands - done) / done
                progress(f"{done:,} of {hands:,} hands, {size:.1f} MB written, about {left:.0f} s left")
    return size


def write_digests(folder: Path) -> int:
    """Write the digests of all files in the format of `sha256sum`; return the number of files."""
    names: Sequence[str] = sorted(
        str(path.relative_to(folder).as_posix())
        for path in folder.rglob("*")
        if path.is_file() and path.name != SUMS_FILE and not path.name.endswith(".tmp")
    )
    lines = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    write_whole(folder / SUMS_FILE, "".join(lines).encode())
    return len(names)
