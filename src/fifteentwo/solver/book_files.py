"""The Book as files: every class of six cards in both roles, under CC0, with digests.

    fifteentwo book write FOLDER

One file for a thousand classes and a role, as compressed CSV: a line a throw, its points, the equilibrium's
share, the chance of winning at some boards; beside it the throw by bands of what both still need. What is
there is not made again. Some 0.12 core-seconds a hand: two and a half days of one core for all.
"""

import csv
import gzip
import hashlib
import io
import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fifteentwo.analysis.book_entry import CLASSES, alike, entry, in_order, joined
from fifteentwo.analysis.book_zones import zones
from fifteentwo.analysis.shows import WAYS
from fifteentwo.analysis.win import prospects
from fifteentwo.analysis.win_at_all_boards import chances
from fifteentwo.book import laying_away
from fifteentwo.book.files import data_file, read_tables, write_whole
from fifteentwo.contest.executor import get_executor, run_all
from fifteentwo.rules.cards import PACK, Card
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.solver.rollouts import digests

IN_FILE = 1000
"""Classes of one file."""
SCORES = (0, 60, 90, 105, 115)
BOARDS = tuple((own, other) for own in SCORES for other in SCORES)
"""Where chances of winning are written."""
COLUMNS = ("class", "six", "deals", "throw", "hand", "crib", "play", "together", "share")
ABOUT, SUMS, READ_ME = "about.json", "SHA256SUMS", "README.txt"
ROLES = ("pone", "dealer")
_SAID = """\
The Book: six-card cribbage for two, every six cards in both roles. Made by `fifteentwo book write`.

To the extent possible under law, its makers have waived all copyright and related rights to this work
(CC0 1.0, https://creativecommons.org/publicdomain/zero/1.0/).

ROLE/NUMBER.csv.gz: a line a throw. The class's number, six cards, how many deals are alike but for the names
of suits, the throw, mean points of hand and crib, mean points of the play (own less the other's), all
together, how often the equilibrium throws it, and the chance of winning at each board (own-other points when
the deal begins).

ROLE/NUMBER.bands.csv.gz: a line a hand. The throw that costs least for every band of points still needed, own
band by the other's, and what it costs there on average in chance of winning.

about.json: what it was made from. SHA256SUMS: a digest of every file.
"""


class OtherBook(FifteenTwoError, ValueError):
    """A folder that holds a Book made from other tables."""

    code = "other-book"

    def __init__(self, folder: str) -> None:
        self.folder = folder
        super().__init__(f"{folder}: made from other tables")

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return type(self), (self.folder,)


class Part(NamedTuple):
    """The classes of one file."""

    role: str
    first: int
    last: int
    """One past the last."""

    @property
    def name(self) -> str:
        """Where it is written, without its end."""
        return f"{self.role}/{self.first // IN_FILE:04d}"


@cache
def _rows() -> dict[str, Any]:
    return read_tables(data_file(laying_away.FILE)).arrays


def six_of(number: int) -> tuple[Card, ...]:
    """The six cards that stand for a class, 0 to 962,987."""
    rows = _rows()
    place = int(np.searchsorted(rows["class_start"], number, side="right")) - 1
    ranks = int(rows["ranks"][place])
    suits = int(rows["patterns"][rows["shape_start"][place] + number - rows["class_start"][place]])
    held = [PACK[4 * (ranks // 13**at % 13) + (suits // 4**at % 4)] for at in range(5, -1, -1)]
    return in_order(held)


def parts(first: int, last: int) -> Iterator[Part]:
    """The files that hold the classes from `first` to one before `last`."""
    for start in range(first - first % IN_FILE, last, IN_FILE):
        for role in ROLES:
            yield Part(role, start, min(start + IN_FILE, CLASSES))


def made(part: Part) -> tuple[bytes, bytes]:
    """Both files of a part: throws, and bands."""
    throws, bands = io.StringIO(newline=""), io.StringIO(newline="")
    by_throw, by_band = (csv.writer(written, lineterminator="\n") for written in (throws, bands))
    by_throw.writerow((*COLUMNS, *(f"win_{own}-{other}" for own, other in BOARDS)))
    for number in range(part.first, part.last):
        rows, band_row, head = _hand(number, part.role == "dealer")
        if number == part.first:
            by_band.writerow(head)
        by_throw.writerows(rows)
        by_band.writerow(band_row)
    return _packed(throws.getvalue()), _packed(bands.getvalue())


def _hand(number: int, dealer: bool) -> tuple[list[tuple[Any, ...]], tuple[Any, ...], tuple[str, ...]]:
    """The lines of one hand: by throw, by band, and the names of the bands."""
    six = six_of(number)
    page, found = entry(six, dealer=dealer, board=(0, 0)), zones(six, dealer=dealer)
    wins = chances(prospects(six, dealer))
    way_of = {tuple([six[card] for card in way]): place for place, way in enumerate(WAYS)}
    deals = alike(six)
    rows = [
        (
            *(number, joined(six), deals, joined(throw.discard)),
            *(f"{value:.4f}" for value in (throw.hand, throw.crib, throw.pegging, throw.net, throw.share)),
            *(f"{wins[way_of[throw.discard], own, other]:.5f}" for own, other in BOARDS),
        )
        for throw in page.throws
    ]
    bands = [band for row in found.bands for band in row]
    head = ("class", "six", *(f"{b.own[0]}-{b.own[1]}/{b.other[0]}-{b.other[1]}" for b in bands))
    told = (f"{joined(found.zones[band.zone].discard)} {band.loses:.5f}" for band in bands)
    return rows, (number, joined(six), *told), head


def _packed(written: str) -> bytes:
    # The same text makes the same bytes: no time, no name.
    return gzip.compress(written.encode("ascii"), 6, mtime=0)


def about() -> dict[str, Any]:
    """What the files are made from."""
    return {
        "made_by": "fifteentwo book write",
        "licence": "CC0-1.0",
        "classes": CLASSES,
        "digests": digests(),
        "boards": [f"{own}-{other}" for own, other in BOARDS],
    }


def _write(part: Part, folder: str) -> float:
    """One part, both files; bands first, so that throws without bands are never there."""
    throws, bands = made(part)
    path = Path(folder) / f"{part.name}.csv.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path.with_name(f"{path.name[:-7]}.bands.csv.gz"), bands)
    write_whole(path, throws)
    return (len(throws) + len(bands)) / 1e6


def run(
    folder: Path,
    *,
    first: int = 0,
    last: int = CLASSES,
    jobs: int | None = None,
    say: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Write what is missing of these classes, then the digests of all that is there.

    OtherBook where the folder's files come from other tables.
    """
    told = json.dumps(about(), indent=1) + "\n"
    kept = folder / ABOUT
    if kept.exists() and kept.read_text(encoding="utf-8") != told:
        raise OtherBook(str(folder))
    write_whole(kept, told.encode())
    write_whole(folder / READ_ME, _SAID.encode())
    wanted = list(parts(first, last))
    todo = [(part, (part, str(folder))) for part in wanted if not (folder / f"{part.name}.csv.gz").exists()]
    size, done = 0.0, 0
    with get_executor(jobs) as executor:
        for part, megabytes in run_all(executor, _write, todo):
            size, done = size + megabytes, done + 1
            say(f"{done:,} of {len(todo):,} files: {part.name}, {size:.1f} MB written")
    files = digest_all(folder)
    return {"files": files, "made_now": done, "kept": len(wanted) - done, "megabytes": round(size, 3)}


def digest_all(folder: Path) -> int:
    """Write the digests of every file, as `sha256sum --check` reads them; how many."""
    names: Sequence[str] = sorted(
        str(path.relative_to(folder).as_posix())
        for path in folder.rglob("*")
        if path.is_file() and path.name != SUMS and not path.name.endswith(".tmp")
    )
    lines = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    write_whole(folder / SUMS, "".join(lines).encode())
    return len(names)
