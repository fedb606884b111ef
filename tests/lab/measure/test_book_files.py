"""The Book's files: every class once, written whole, resumed, with digests; and the check of the Book."""

import csv
import gzip
import hashlib
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from fifteentwo.analysis.book import entry as book_entry
from fifteentwo.analysis.book.entry import HAND_CLASSES, count_alike, entry
from fifteentwo.fast.suits import class_row
from fifteentwo.rules.cards import DECK
from fifteentwo.strategy import discards
from fifteentwo.strategy.files import data_file, read_tables
from lab.measure import book_check, book_files
from lab.measure.book_files import OtherBook, class_example


def test_every_class_has_the_hands_of_its_row() -> None:
    index = discards.class_index(read_tables(data_file(discards.FILE)).arrays)
    assert int(index.class_start[-1]) == HAND_CLASSES
    luck = np.random.default_rng(5)
    for number in [0, HAND_CLASSES - 1, *luck.integers(0, HAND_CLASSES, 300).tolist()]:
        six = sorted(card.index for card in class_example(number))
        assert class_row(six, index, [0] * 6) == number
    # Every deal belongs to the class that a lookup finds.
    for six in luck.permuted(np.tile(np.arange(52), (50, 1)), axis=1)[:, :6].tolist():
        number = class_row(sorted(six), index, [0] * 6)
        assert count_alike(class_example(number)) == count_alike([DECK[card] for card in six])


def test_parts_contain_every_class_of_both_roles_once() -> None:
    found = list(book_files.class_ranges(0, HAND_CLASSES))
    for role in book_files.ROLES:
        ranges = [(part.first, part.last) for part in found if part.role == role]
        assert ranges[0][0] == 0
        assert ranges[-1][1] == HAND_CLASSES
        assert all(one[1] == other[0] for one, other in pairwise(ranges))
    assert len({part.name for part in found}) == len(found) == 2 * 963


def test_files_equal_the_entries_and_continue_after_a_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book_files, "CLASSES_PER_FILE", 1)
    lines: list[str] = []
    found = book_files.run(tmp_path, first=500_000, last=500_001, jobs=1, progress=lines.append)
    assert (found["made_now"], found["kept"]) == (2, 0)
    assert len(lines) == 2
    digests = {
        name: digest
        for digest, name in (line.split("  ") for line in (tmp_path / "SHA256SUMS").read_text().splitlines())
    }
    assert len(digests) == found["files"] == 6
    for name, digest in digests.items():
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == digest
    file = tmp_path / "dealer" / "500000.csv.gz"
    rows = list(csv.DictReader(gzip.decompress(file.read_bytes()).decode().splitlines()))
    page = entry(class_example(500_000), dealer=True, board=(105, 115))
    by_discard = {"".join(map(str, option.discard)): option for option in page.discards}
    assert len(rows) == len(by_discard) == 15
    for row in rows:
        option = by_discard[row["discard"]]
        assert float(row["win_105-115"]) == pytest.approx(option.win, abs=6e-6)
        assert float(row["net"]) == pytest.approx(option.net, abs=6e-5)
        assert float(row["frequency"]) == pytest.approx(option.frequency, abs=6e-5)
    # Existing files are kept; a missing file is made again with the same bytes.
    before = file.read_bytes()
    file.unlink()
    assert (
        book_files.run(tmp_path, first=500_000, last=500_001, jobs=1, progress=lines.append)["made_now"] == 1
    )
    assert file.read_bytes() == before


def test_a_part_of_a_file_is_made_with_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_files, "HANDS_PER_JOB", 1)
    monkeypatch.setattr(book_files, "PROGRESS_SECONDS", 0.0)
    lines: list[str] = []
    found = book_files.run(tmp_path, first=999, last=1002, jobs=1, progress=lines.append)
    names = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.gz"))
    assert names == [
        f"{role}/{part}{kind}.csv.gz"
        for role in ("dealer", "pone")
        for part in ("000999-000999", "001000-001001")
        for kind in (".bands", "")
    ]
    assert (found["made_now"], len(lines)) == (4, 6)
    assert lines[1].startswith("2 of 6 hands")
    rows = gzip.decompress((tmp_path / "pone" / "001000-001001.csv.gz").read_bytes()).decode().splitlines()
    assert [row["class"] for row in csv.DictReader(rows)] == ["1000"] * 15 + ["1001"] * 15
    assert book_files.ClassRange("pone", 962_000, HAND_CLASSES).name == "pone/0962"


def test_a_folder_of_other_tables_is_not_changed(tmp_path: Path) -> None:
    (tmp_path / "about.json").write_text("{}", encoding="utf-8")
    with pytest.raises(OtherBook):
        book_files.run(tmp_path, first=0, last=1, jobs=1, progress=lambda _: None)
    assert [path.name for path in tmp_path.iterdir()] == ["about.json"]


def test_the_check_accepts_the_book_and_finds_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    found = book_check.run(3, seed=9, jobs=1, progress=lambda _: None)
    assert found["equal"]
    assert (found["hands"], found["discards"], found["boards_of_maps"]) == (3, 45, book_check.BOARDS_PER_MAP)
    assert found["largest_difference"] <= 1e-9
    honest = book_entry.report
    monkeypatch.setattr(
        book_check,
        "report",
        lambda page: json.loads(json.dumps(honest(page)).replace('"win": 0.', '"win": 0.0')),
    )
    assert not book_check.run(1, seed=9, jobs=1, progress=lambda _: None)["equal"]


def test_a_damaged_file_is_made_again(tmp_path: Path) -> None:
    book_files.run(tmp_path, first=5, last=6, jobs=1, progress=lambda _: None)
    made = {path: path.read_bytes() for path in tmp_path.rglob("*.gz")}
    cut, longer = sorted(made)[:2]
    cut.write_bytes(made[cut][:-9])
    longer.write_bytes(made[longer] + b"x")
    book_files.run(tmp_path, first=5, last=6, jobs=1, progress=lambda _: None)
    assert {path: path.read_bytes() for path in made} == made
