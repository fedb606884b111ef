"""SECURITY.md and docs/operate.md say what is so."""

import ast
import http.server
import json
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest

from fifteentwo.cli import main
from fifteentwo.server.http import listening, rate_limits
from fifteentwo.server.http.rate_limits import RATE_BY_BUCKET, Rate
from fifteentwo.server.live import socket
from fifteentwo.server.pages import site
from fifteentwo.server.people import sign_in_limits
from fifteentwo.server.study.review_queue import MAX_WAITING_REVIEWS
from fifteentwo.server.work_queue import DEFAULT_MAX_JOBS

ROOT = Path(__file__).parents[2]
SECURITY = (ROOT / "SECURITY.md").read_text("utf-8")
OPERATE = (ROOT / "docs" / "operate.md").read_text("utf-8")


def test_every_line_of_the_threat_model_names_a_test_that_is_there() -> None:
    rows = re.findall(r"^\| (?!what|-)(.+) \| (.+) \| (.+) \|$", SECURITY, re.MULTILINE)
    assert len(rows) > 15
    for threat, _, attacked in rows:
        named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", attacked)
        assert named, threat
        for file, test in named:
            functions = {
                node.name
                for node in ast.walk(ast.parse((ROOT / file).read_text("utf-8")))
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            }
            assert any(name.startswith("test_") for name in functions), file
            assert not test or test in functions, f"{file}::{test}"


def test_every_setting_of_serve_is_documented() -> None:
    serve = main.commands["serve"]
    result = dict(re.findall(r"^\| `(FIFTEENTWO_\w+)` \| `?(--[\w-]+|\(not)", OPERATE, re.MULTILINE))
    options = {
        str(one.envvar): one.opts[0] for one in serve.params if isinstance(one, click.Option) and one.envvar
    }
    assert result.keys() == options.keys()
    assert all(result[name] in (option, "(not") for name, option in options.items())


def test_documented_limits_are_those_of_the_program() -> None:
    def stated(rate: Rate, cost: float = 1.0) -> str:
        each = rate.tokens_per_second / cost
        return f"{rate.burst_tokens / cost:g} at once, " + (
            f"{each:g} a second" if each >= 1 else f"one in {1 / each:g} s"
        )

    for kind in (
        *(
            rate_limits.ANY_REQUEST,
            rate_limits.NEW_TABLE_REQUEST,
            rate_limits.STUDY_REQUEST,
            rate_limits.BOOK_REQUEST,
            rate_limits.REVIEW_REQUEST,
        ),
        *(
            rate_limits.JOIN_BY_CODE,
            rate_limits.LIST_TABLE,
            rate_limits.SIGN_IN_REQUEST,
            rate_limits.EXPORT_REQUEST,
        ),
        rate_limits.NEW_TABLE_OF_DAY,
    ):
        assert stated(RATE_BY_BUCKET[kind.bucket], kind.tokens) in OPERATE, kind
    assert rate_limits.IMPORT_REQUEST.tokens == rate_limits.REVIEW_REQUEST.tokens
    assert rate_limits.TAKE_SEAT.tokens == rate_limits.JOIN_BY_CODE.tokens
    assert rate_limits.HINT_REQUEST.tokens == rate_limits.STUDY_REQUEST.tokens
    assert rate_limits.FILE_REQUEST.tokens == 0.1
    assert f"A person has {100 * rate_limits.MAX_PERSON_SHARE:g} %" in OPERATE
    # Other tests of the same process may play without it.
    assert stated(Rate(socket.PAGE_BURST_MESSAGES, 30.0)) in OPERATE
    person, address = rate_limits.MAX_OPEN_PAGES_PER_PERSON, rate_limits.MAX_OPEN_PAGES_PER_ADDRESS
    assert f"{person} of a person, {address} of an address" in OPERATE
    assert f"| {DEFAULT_MAX_JOBS} of each kind" in OPERATE
    assert f"{MAX_WAITING_REVIEWS} in the queue" in OPERATE
    assert f"After {sign_in_limits.FREE_TRIES} wrong ones" in (ROOT / "docs" / "accounts.md").read_text(
        "utf-8"
    )
    assert f"| {listening.MAX_CONNECTIONS:,}, or" in OPERATE
    assert f"| {site.MAX_BODY_SECONDS:g} s |" in OPERATE


@pytest.mark.parametrize("readme", ["README.md", "README.ja.md"])
def test_the_readme_describes_every_extra(readme: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    rows = re.findall(r"^\| `(\w+)` \| .+ \| .+ \|$", (ROOT / readme).read_text("utf-8"), re.MULTILINE)
    assert sorted(rows) == sorted(project["project"]["optional-dependencies"])


# ── The audit ────────────────────────────────────────────────────────────────────────────────────────────


class _Index(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        holes = [
            {"id": "PYSEC-1", "fixed_in": ["9.9"], "withdrawn": None},
            {"id": "PYSEC-2", "fixed_in": [], "withdrawn": "2026-01-01"},
        ]
        body = json.dumps({"vulnerabilities": holes if "/bad/" in self.path else []}).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return None


@contextmanager
def index() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Index)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def audit(lock: Path, address: str) -> tuple[int, str]:
    command = [sys.executable, str(ROOT / ".ci" / "audit"), str(lock), address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


def test_the_audit_names_a_hole_and_says_when_it_could_not_ask(tmp_path: Path) -> None:
    lock = tmp_path / "lock.txt"
    with index() as address:
        lock.write_text("good==1.0 \\\n    --hash=sha256:00\nbad==2.0 ; python_version < '3.12' \\\n")
        status, stated = audit(lock, address)
        assert status == 1
        assert "bad 2.0: PYSEC-1 (fixed in 9.9)" in stated
        assert "PYSEC-2" not in stated
        lock.write_text("good==1.0 \\\n")
        assert audit(lock, address) == (0, "audit: 1 pinned versions, 0 known holes\n")
    status, stated = audit(lock, address)
    assert status == 0
    assert "does not answer" in stated
