"""deploy/Caddyfile in Caddy itself: the process that responds, and the client address that it receives."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from tests.support.behind_nginx import ROOT, SITE, free_port, wait_for_port
from tests.support.stand_ins import StandIn, addresses_of

CADDY = shutil.which("caddy")

pytestmark = pytest.mark.skipif(
    CADDY is None and "caddy" not in os.environ.get("FIFTEENTWO_REQUIRE", ""), reason="Caddy is not installed"
)


@contextmanager
def caddy(folder: Path, ports: Sequence[int]) -> Iterator[int]:
    """Run Caddy in front of processes at these ports; yield its HTTP port."""
    assert CADDY is not None
    port = free_port()
    text = (ROOT / "deploy" / "Caddyfile").read_text("utf-8")
    for there, here in {
        "{\n\tservers {": "{\n\tadmin off\n\tservers {",
        f"\n{SITE} {{": f"\nhttp://:{port} {{\n\tbind 127.0.0.1",
        "reverse_proxy 127.0.0.1:8001": "reverse_proxy " + " ".join(f"127.0.0.1:{one}" for one in ports),
    }.items():
        assert there in text, there
        text = text.replace(there, here)
    (folder / "Caddyfile").write_text(text, "utf-8")
    command = [CADDY, "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    home = os.environ | {"HOME": str(folder)}
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(command, stdout=log, stderr=log, text=True, env=home) as process,
    ):
        try:
            wait_for_port(port, process)
            yield port
        finally:
            process.kill()


def test_addresses_of_a_table_go_to_one_process_and_move_when_it_stops(tmp_path: Path) -> None:
    games = [f"{number:02}AbCdEfGhIjKlMn" for number in range(8)]
    processes = [StandIn(0), StandIn(1)]
    with ExitStack() as stack:
        for one in processes:
            stack.enter_context(one.running())
        port = stack.enter_context(caddy(tmp_path, [one.port for one in processes]))
        browser = stack.enter_context(httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60))
        serving = {}
        for game in games:
            [serving[game]] = {browser.get(path).json()["process"] for path in addresses_of(game)}
        assert set(serving.values()) == {0, 1}
        response = browser.get("/", headers={"X-Forwarded-For": "10.9.8.7"})
        assert response.json()["from"] == "127.0.0.1"
        assert response.headers["content-encoding"] == "gzip"
        assert len({browser.get(path).json()["process"] for path in ("/", "/lobby", "/book", "/review")}) == 1
        assert [browser.get(path).status_code for path in ("/metrics", "/readyz")] == [404, 404]
        processes[0].stop()
        assert [browser.get(f"/game/{game}").json()["process"] for game in games] == [1] * len(games)
