"""The operator's view of a server: probes, metrics, logs without secrets, and an orderly stop."""

import contextlib
import json
import re
import signal
import sys
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from fifteentwo.server.app import make_app
from fifteentwo.server.errors import StoreError
from fifteentwo.server.http import logs, metrics, sessions
from fifteentwo.server.settings import Settings
from tests.support.commands import run
from tests.support.limited_program import port_of, program
from tests.support.live_server import Live, run_apart
from tests.support.log_records import record
from tests.support.stored import rows_of

_LINE = re.compile(r'([a-z_]+)(\{[a-z]+="[^"]+"\})? ([0-9.e+-]+|\+Inf)')


def test_server_is_alive_and_ready(live: Live) -> None:
    for path in ("/healthz", "/readyz"):
        answer = httpx.get(live.http + path, timeout=60)
        assert (answer.status_code, answer.text) == (200, "ok\n")
        assert answer.headers["cache-control"] == "no-store"


async def _asked(path: str, client: str = "127.0.0.1", **headers: str) -> httpx.Response:
    app = make_app("sqlite://", settings=Settings(metrics_token="let-me-in"))
    transport = httpx.ASGITransport(app=app, client=(client, 1))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as browser,
    ):
        return await browser.get(path, headers=headers)


def test_server_is_not_ready_while_the_database_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    class Away:
        def reading(self) -> object:
            raise StoreError("database-unreachable")

    assert not run_apart(metrics.is_readable(Away()))  # type: ignore[arg-type]

    async def never(_: object) -> bool:
        return False

    monkeypatch.setattr(metrics, "is_readable", never)
    answer = run_apart(_asked("/readyz"))
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "5"
    assert run_apart(_asked("/healthz")).status_code == 200, "it lives all the same"


def test_metrics_have_prometheus_format_and_count_events(live: Live) -> None:
    def figures() -> dict[str, float]:
        text = httpx.get(f"{live.http}/metrics", timeout=60).text
        assert text.endswith("\n")
        read = {}
        for line in text.splitlines():
            if line.startswith("#"):
                assert re.fullmatch(r"# (HELP [a-z_]+ .+|TYPE [a-z_]+ (counter|gauge|histogram))", line), line
                continue
            parts = _LINE.fullmatch(line)
            assert parts, line
            read[parts[1] + (parts[2] or "")] = float(parts[3])
        return read

    before = figures()
    with live.person() as aiko, aiko.open(aiko.new_game()) as page:
        page.alone()
        page.act(page.choices[0])
        now = figures()
        assert now["fifteentwo_pages_open"] == before["fifteentwo_pages_open"] + 1
    assert (
        now['fifteentwo_responses_total{status="303"}']
        == before.get('fifteentwo_responses_total{status="303"}', 0) + 1
    )
    assert now["fifteentwo_act_seconds_count"] == before["fifteentwo_act_seconds_count"] + 1
    assert now['fifteentwo_act_seconds_bucket{le="+Inf"}'] == now["fifteentwo_act_seconds_count"]
    assert now["process_resident_memory_bytes"] > 1e7


def test_metrics_need_this_machine_or_the_token(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, dict[str, str], int]] = [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("192.0.2.1", {}, 404),
        ("192.0.2.1", {"Authorization": "Bearer let-me-in"}, 200),
        ("192.0.2.1", {"Authorization": "Bearer let-me-i"}, 404),
        ("192.0.2.1", {"Authorization": "Bearer "}, 404),
        # A proxy on this machine that is not configured forwards other clients.
        ("127.0.0.1", {"X-Forwarded-For": "203.0.113.9"}, 404),
        ("127.0.0.1", {"Via": "1.1 proxy"}, 404),
        ("127.0.0.1", {"Host": "cards.example"}, 404),
    ]
    for client, headers, status in cases:
        with subtests.test(client=client, headers=headers, status=status):
            assert run_apart(_asked("/metrics", client, **headers)).status_code == status


# ── Logs ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_no_secret_is_logged(subtests: pytest.Subtests) -> None:
    for formatter in [logs.PlainFormatter(), logs.JsonFormatter()]:
        with subtests.test(formatter=formatter):
            token = sessions.new_token()
            secrets = (token, sessions.owner_of_token(token), sessions.new_token()[:22], "hunter2")
            line = formatter.format(
                record(
                    "%s of %s came by /game/abcdefghijklmnop/join/%s to postgresql://ann:%s@db/x", *secrets
                )
            )
            assert not any(secret in line for secret in secrets), line
            for header in ("Cookie: a=b; fifteentwo=x", "'Authorization': 'Bearer abc'"):
                assert not re.search("a=b|abc", formatter.format(record(header)))


def test_structured_lines_are_objects_with_the_trace() -> None:
    try:
        raise ValueError("x\ny")
    except ValueError:
        written = record("it %s", "failed\nbadly")
        written.exc_info = sys.exc_info()
    line = logs.JsonFormatter().format(written)
    assert "\n" not in line
    entry = json.loads(line)
    assert (entry["level"], entry["message"]) == ("warning", "it failed\nbadly")
    assert "ValueError" in entry["trace"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", entry["at"])


def test_a_flood_of_one_kind_is_logged_in_a_few_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    # Do not patch the whole process: a server of other tests would use this clock too.
    monkeypatch.setattr(logs, "time", SimpleNamespace(monotonic=lambda: now[0]))
    sparing = logs.RepetitionFilter()
    passed = sum(sparing.filter(record("a message could not be served: %s", n)) for n in range(10_000))
    assert passed == logs.MAX_LINES_PER_KIND
    assert sparing.filter(record("another kind"))
    now[0] += 11
    again = record("a message could not be served: %s", "x")
    assert sparing.filter(again)
    assert again.getMessage() == "a message could not be served: x (and 9990 more before)"
    for number in range(2000):
        sparing.filter(record(f"kind {number}"))
    assert len(sparing._seen) <= logs.MAX_COUNTED_KINDS


# ── The end ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_signal_stops_the_server_with_all_rows_stored_and_pages_reconnecting(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite3"
    with program(database) as process:
        port = port_of(process)
        with Live(port).person() as aiko, aiko.open(game := aiko.new_game(first_dealer="named")) as page:
            page.until("waiting")
            page.act({"type": "NameDealer", "dealer": 0})
            heard = page.v
            process.send_signal(signal.SIGTERM)
            with contextlib.suppress(ConnectionClosed):
                while True:
                    heard = max(heard, page.hear().get("v", 0))
            assert page.line.close_code in (1012, 1013), "come back, not: do not come back"
        process.communicate(timeout=60)
        assert process.returncode == 143
    from tests.support.stored import ledger_of

    assert ledger_of(database, game).v >= heard, "nothing was sent that is not on disk"
    assert rows_of(database, game)
    assert not database.with_name(database.name + "-wal").exists(), "closed in order"


def test_a_password_in_the_command_line_is_refused_and_never_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url = "postgresql://ann:hunter2@127.0.0.1:1/x"
    for where in (["serve", "--port", "0"], ["play", "--no-browser", "--port", "0"], ["backup", "x"]):
        done = run(*where, "--database", url)
        assert done.exit_code == 1
        assert not done.stdout
        [line] = done.stderr.splitlines()
        assert "FIFTEENTWO_DATABASE_URL" in line
        assert "PGPASSWORD" in line
        assert "hunter2" not in line
    monkeypatch.setenv("FIFTEENTWO_DATABASE_URL", url)
    assert "PGPASSWORD" not in run("serve", "--port", "0").stderr
