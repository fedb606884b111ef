"""Files of data with any changed byte are refused, and writing never damages a file."""

import pickle
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from fifteentwo.strategy import files
from fifteentwo.strategy.files import SUMS, DamagedTable, data_bytes, data_file, read_tables, split_file
from fifteentwo.strategy.pegging import MAGIC as PEGGING
from fifteentwo.strategy.pegging import read_pegging_book
from lab.files import join_file

OTHERS = sorted(path.name for path in data_file("").iterdir() if path.suffix in (".json", ".gz"))
TABLES = sorted(path.name for path in data_file("").iterdir() if path.suffix in (".table", ".book"))


def magic_of(name: str) -> bytes:
    return PEGGING if name.endswith(".book") else files.MAGIC


def small_table(name: str) -> bytes:
    """Return a table with a real header and a body of a kilobyte, which is fast to read a thousand times."""
    header, body = split_file(name, data_file(name).read_bytes(), magic_of(name))
    return join_file(magic_of(name), header, bytes(body[:1024]))


def damaged(whole: bytes, places: range | list[int], seed: int) -> Iterator[bytes]:
    """Yield the file with one byte changed, at each of these places."""
    rng = random.Random(seed)
    changed = bytearray(whole)
    for place in places:
        changed[place] ^= rng.randrange(1, 256)
        yield bytes(changed)
        changed[place] = whole[place]


def test_a_table_with_any_changed_byte_before_its_body_is_refused(subtests: pytest.Subtests) -> None:
    for name in TABLES:
        with subtests.test(name=name):
            whole = small_table(name)
            split_file(name, whole, magic_of(name))
            for changed in damaged(whole, range(len(whole)), 1):
                with pytest.raises(DamagedTable):
                    split_file(name, changed, magic_of(name))


@pytest.mark.parametrize("bytes_changed", [5, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_table_that_ships_is_refused_with_a_changed_byte_anywhere(
    bytes_changed: int, subtests: pytest.Subtests
) -> None:
    for name in TABLES:
        with subtests.test(name=name):
            whole = data_file(name).read_bytes()
            places = random.Random(name).choices(range(len(whole)), k=bytes_changed)
            for changed in damaged(whole, [*places, 0, len(whole) - 1], 2):
                with pytest.raises(DamagedTable):
                    split_file(name, changed, magic_of(name))


def test_a_cut_changed_longer_or_missing_table_is_refused_and_named(
    subtests: pytest.Subtests, tmp_path: Path
) -> None:
    for name in TABLES:
        with subtests.test(name=name):
            read, path = read_pegging_book if name.endswith(".book") else read_tables, tmp_path / name
            whole = data_file(name).read_bytes()
            middle = len(whole) // 2
            changed = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
            for contents in (b"", whole[:100], whole[:-5], b"?" + whole[1:], whole + b"\0", changed, None):
                path.unlink(missing_ok=True)
                if contents is not None:
                    path.write_bytes(contents)
                with pytest.raises(DamagedTable) as caught:
                    read(path)
                again = pickle.loads(pickle.dumps(caught.value))
                assert (again.name, again.why) == (caught.value.name, caught.value.why)
                assert str(again).startswith(name)


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Copy the folder of data and read it from the copy."""
    for name in (*OTHERS, SUMS):
        shutil.copy(data_file(name), tmp_path / name)
    monkeypatch.setattr(files, "data_file", lambda name: tmp_path / name)
    return tmp_path


def test_json_that_ships_is_refused_with_a_changed_byte_anywhere(
    subtests: pytest.Subtests, copied: Path
) -> None:
    for name in OTHERS:
        with subtests.test(name=name):
            whole = data_bytes(name)
            places = random.Random(name).choices(range(len(whole)), k=150)
            for changed in damaged(whole, [*range(20), *places], 4):
                (copied / name).write_bytes(changed)
                with pytest.raises(DamagedTable, match=name):
                    data_bytes(name)


def test_json_without_its_digest_is_refused(copied: Path) -> None:
    (copied / SUMS).write_bytes(b"\xff")
    with pytest.raises(DamagedTable, match=r"means\.json: it cannot be read"):
        data_bytes("means.json")
    (copied / SUMS).write_text("")
    with pytest.raises(DamagedTable, match=rf"means\.json: its contents are not what {SUMS} says"):
        data_bytes("means.json")


def test_a_table_of_another_version_is_refused_and_named(tmp_path: Path) -> None:
    path = tmp_path / "some.table"
    path.write_bytes(b"FIFTEENTWO TABLES 2\n00000002{}")
    with pytest.raises(DamagedTable, match=r"some\.table: this is no table of ours"):
        read_tables(path)
