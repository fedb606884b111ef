"""nginx with deploy/nginx.conf, and the `fifteentwo serve` processes behind it."""

import os
import shutil
import signal
import socket as sockets
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import yaml  # type: ignore[import-untyped]

from tests.support.live_server import PATIENCE, Live

ROOT = Path(__file__).parents[2]
SITE = "cards.example"
"""The host name in deploy/nginx.conf."""
NGINX = os.environ.get("FIFTEENTWO_NGINX") or shutil.which("nginx")

needs_nginx = pytest.mark.skipif(
    (NGINX is None or shutil.which("openssl") is None)
    and "nginx" not in os.environ.get("FIFTEENTWO_REQUIRE", ""),
    reason="nginx or openssl is not installed",
)


def free_port() -> int:
    with sockets.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def configuration(folder: Path, ports: Sequence[int], http: int, https: int | None = None) -> str:
    """Return deploy/nginx.conf for the processes at these ports, with its files in a folder and on loopback.

    https: the port of https; with one, the lines marked #tls are uncommented.
    """
    text = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    changes = {
        # The workers must write into the test's folder.
        "user www-data;": "user root;" if os.geteuid() == 0 else "",
        "pid /run/nginx.pid;": f"pid {folder}/pid; daemon off;",
        "include /etc/nginx/modules-enabled/*.conf;": "",
        "/var/log/nginx/": f"{folder}/",
        "/var/cache/": f"{folder}/",
        "http {": f"http {{ {temporary}",
        "server 127.0.0.1:8001 max_fails=0;": " ".join(
            f"server 127.0.0.1:{port} max_fails=0;" for port in ports
        ),
        "server_tokens off;": "server_tokens off; add_header X-Process $upstream_addr always;",
        "listen 80;": f"listen 127.0.0.1:{http};",
        "listen [::]:80;": "",
    }
    if https is not None:
        changes |= {
            "#tls listen 443 ssl;": f"listen 127.0.0.1:{https} ssl;",
            "#tls listen [::]:443 ssl;": "",
            "#tls ": "",
            f"/etc/letsencrypt/live/{SITE}/": f"{folder}/",
        }
    for there, here in changes.items():
        assert there in text, there
        text = text.replace(there, here)
    return text


@contextmanager
def nginx(
    folder: Path, ports: Sequence[int], *, tls: bool = False, changes: Mapping[str, str] | None = None
) -> Iterator[tuple[int, int]]:
    """Run nginx in front of processes at these ports; yield its ports of http and https.

    Its logs are in the folder. changes: what to replace in the configuration, for instance a time.
    """
    assert NGINX is not None
    http, https = free_port(), free_port()
    if tls:
        make = (
            "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -keyout privkey.pem -out fullchain.pem -subj"
        )
        subprocess.run(
            [*make.split(), f"/CN={SITE}"], cwd=folder, check=True, capture_output=True, timeout=60
        )
    text = configuration(folder, ports, http, https if tls else None)
    for there, here in (changes or {}).items():
        assert there in text, there
        text = text.replace(there, here)
    (folder / "nginx.conf").write_text(text, "utf-8")
    command = [NGINX, "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            wait_for_port(http, process)
            yield http, https
        finally:
            # SIGTERM ends its workers too.
            process.terminate()
            process.communicate()


def wait_for_port(port: int, process: subprocess.Popen[str]) -> None:
    """Wait until a process accepts connections at a port."""
    until = time.monotonic() + PATIENCE
    while True:
        with sockets.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < until, f"nothing listens at port {port}"
        time.sleep(0.02)


class ServedSite:
    """Several `fifteentwo serve` processes on one database, each at a port of its own, behind nginx.

    They use the settings of deploy/compose.yaml.
    """

    def __init__(self, database: str, folder: Path, number: int) -> None:
        self.database = database
        self._folder = folder
        self._ports = [free_port() for _ in range(number)]
        self.processes: list[subprocess.Popen[str]] = []
        self.each = [Live(port) for port in self._ports]
        """The addresses of the processes, without nginx."""
        self.live: Live
        """The address that people use: nginx."""

    @contextmanager
    def served(self) -> Iterator[None]:
        """Serve until the block ends, then end every process that was started."""
        try:
            self.processes = [self._started(port) for port in self._ports]
            for which in range(len(self._ports)):
                self.wait_for(which)
            with nginx(self._folder, self._ports) as (http, _):
                self.live = Live(http)
                yield
        finally:
            for which in range(len(self.processes)):
                self.kill(which)

    def kill(self, which: int) -> None:
        """Send SIGKILL to a process, and wait until it is gone."""
        self.processes[which].kill()
        self.processes[which].wait(PATIENCE)

    def stop(self, which: int) -> int:
        """Send SIGTERM to a process; its exit status."""
        self.processes[which].terminate()
        return self.processes[which].wait(PATIENCE)

    def start(self, which: int) -> None:
        """Start a process again at its port, and return as soon as it responds."""
        self.processes[which] = self._started(self._ports[which])
        self.wait_for(which)

    def freeze(self, which: int) -> None:
        """Send SIGSTOP: the process does nothing and does not know it, and its connections stay open."""
        self.processes[which].send_signal(signal.SIGSTOP)

    def thaw(self, which: int) -> None:
        """Send SIGCONT: the process continues."""
        self.processes[which].send_signal(signal.SIGCONT)

    def wait_for(self, which: int) -> None:
        """Wait until a process responds."""
        wait_for_port(self._ports[which], self.processes[which])
        # Connections are accepted before the database is open.
        assert httpx.get(f"{self.each[which].http}/healthz", timeout=PATIENCE).status_code == 200

    def process_of(self, game: str) -> int:
        """Return which process nginx asks for the addresses of a table now."""
        response = httpx.get(f"{self.live.http}/game/{game}/waiting", timeout=PATIENCE)
        # If several were asked, the last one has responded.
        return self._ports.index(int(response.headers["X-Process"].rpartition(":")[2]))

    def _started(self, port: int) -> subprocess.Popen[str]:
        command = [
            sys.executable,
            "-m",
            "fifteentwo",
            "serve",
            "--port",
            str(port),
            "--database",
            self.database,
        ]
        settings = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))["x-settings"]
        settings["FIFTEENTWO_ALLOWED_HOSTS"] = SITE
        # Into a file: a pipe that is not read fills up and then blocks the process.
        with (self._folder / f"serve-{port}.log").open("a") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, text=True, env=os.environ | settings)


@contextmanager
def served_site(database: str, folder: Path, number: int = 2) -> Iterator[ServedSite]:
    """Several processes on one database behind nginx; logs, also of each process, are in the folder."""
    site = ServedSite(database, folder, number)
    with site.served():
        yield site
