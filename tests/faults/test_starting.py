"""Several programs can serve one PostgreSQL database, and only one a SQLite file."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support import postgres as clusters
from tests.support.serve_program import program

AT_ONCE = 4


@contextmanager
def serving_programs(address: str, programs: int) -> Iterator[list["subprocess.Popen[str]"]]:
    command = [sys.executable, "-m", "fifteentwo", "serve", "--port", "0", "--database", address]
    started = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(programs)
    ]
    try:
        yield started
    finally:
        for one in started:
            one.kill()
            one.communicate()


@pytest.mark.long
@pytest.mark.postgres
@pytest.mark.parametrize("rounds", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_four_programs_start_on_an_empty_database(rounds: int) -> None:
    for _ in range(rounds):
        with clusters.cluster() as address, serving_programs(address, AT_ONCE) as programs:
            for one in programs:
                assert one.stdout is not None
                line = one.stdout.readline()
                assert re.search(r"http://", line), line or one.communicate()[1]


@pytest.mark.long
def test_only_one_program_serves_a_sqlite_file(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    words = ("serve", "--port", "0", "--database", str(file))
    with program(*words) as first:
        assert first.stdout is not None
        assert "http://" in first.stdout.readline()
        for lang, word in (("en", "already"), ("ja", "すでに")):
            with program(*words, "--lang", lang) as second:
                output, errors = second.communicate(timeout=60)
                assert second.returncode == 1
                assert output == ""
                assert len(errors.splitlines()) == 1
                assert word in errors
                assert file.name in errors
        assert first.poll() is None
        first.send_signal(signal.SIGKILL)
        first.communicate()
    # However the first ended, the file is free.
    with program(*words) as third:
        assert third.stdout is not None
        assert "http://" in third.stdout.readline()
