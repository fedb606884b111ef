"""deploy/nginx.conf as it stands, nginx itself in front: pages, tables and open sockets over https."""

import json
import os
import re
import shutil
import signal
import socket as sockets
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from fifteentwo.server.live.wire import PROTOCOL
from tests.support.limited_program import port_of, program

ROOT = Path(__file__).parents[3]
NGINX = os.environ.get("FIFTEENTWO_NGINX") or shutil.which("nginx")
NAME = "cards.example"

pytestmark = pytest.mark.skipif(
    (NGINX is None or shutil.which("openssl") is None)
    and "nginx" not in os.environ.get("FIFTEENTWO_REQUIRE", ""),
    reason="nginx or openssl is not installed",
)


def plain(folder: Path) -> int:
    """The port that leads to https."""
    found = re.search(r"listen 127\.0\.0\.1:(\d+);", (folder / "nginx.conf").read_text())
    assert found is not None
    return int(found[1])


def free() -> int:
    with sockets.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def nginx(folder: Path, behind: int) -> Iterator[int]:
    """nginx on 127.0.0.1 with the example, its ports and its certificate changed; its port for https."""
    secure = free()
    make = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -keyout key -out pem -subj"
    subprocess.run([*make.split(), f"/CN={NAME}"], cwd=folder, check=True, capture_output=True, timeout=60)
    site = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    for there, here in (
        ("listen 443 ssl", f"listen 127.0.0.1:{secure} ssl"),
        ("listen 80", f"listen 127.0.0.1:{free()}"),
        ("/etc/ssl/cards.example.pem", f"{folder}/pem"),
        ("/etc/ssl/cards.example.key", f"{folder}/key"),
        ("127.0.0.1:8152", f"127.0.0.1:{behind}"),
        ("/var/log/nginx/cards", f"{folder}/cards"),
    ):
        assert there in site
        site = site.replace(there, here)
    own = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    # Its workers write bodies into the test's folder.
    user = "user root;" if os.geteuid() == 0 else ""
    whole = (
        f"daemon off; {user} pid {folder}/pid; error_log stderr; "
        f"events {{}} http {{ access_log off; {own} {site} }}"
    )
    (folder / "nginx.conf").write_text(whole)
    assert NGINX is not None
    with subprocess.Popen(
        [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")], stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            for _ in range(1200):
                with sockets.socket() as one:
                    if one.connect_ex(("127.0.0.1", secure)) == 0:
                        break
                assert process.poll() is None, process.communicate()[1]
                time.sleep(0.05)
            yield secure
        finally:
            process.send_signal(signal.SIGQUIT)
            process.kill()


def test_a_table_is_made_and_played_at_over_https_through_nginx(tmp_path: Path) -> None:
    stated = ("--allowed-host", NAME, "--trusted-proxy", "127.0.0.1")
    with program(tmp_path / "games.sqlite3", *stated) as process, nginx(tmp_path, port_of(process)) as port:
        origin = {"Host": NAME, "Origin": f"https://{NAME}"}
        with httpx.Client(
            base_url=f"https://127.0.0.1:{port}", verify=False, headers=origin, timeout=60
        ) as browser:
            assert browser.get("/").status_code == 200
            for hidden in ("/metrics", "/readyz"):
                assert browser.get(hidden).status_code == 404
            made = browser.post("/games", data={"level_1": "random", "first_dealer": "named"})
            assert made.status_code == 303, made.text
            cookie = re.match(r"__Host-fifteentwo=([^;]+);.*Secure", made.headers["set-cookie"])
            assert cookie
            elsewhere = browser.post("/games", headers={"Origin": "https://evil.example"})
            assert elsewhere.status_code == 403
            big = browser.post("/import", data={"text": "x" * 200_000})
            assert big.headers["strict-transport-security"] == "max-age=31536000"
            assert big.status_code == 400, "nginx lets by what the program takes, which reads no game there"
            for way in ("join", "spectate"):
                secret = f"{way}-secret-of-22-signs"
                browser.get(f"/game/AAAAAAAAAAAAAAAA/{way}/{secret}?lang=ja")
                browser.get("/", headers={"Referer": f"https://{NAME}/game/AAAAAAAAAAAAAAAA/{way}/{secret}"})
                httpx.get(f"http://127.0.0.1:{plain(tmp_path)}/game/AAAAAAAAAAAAAAAA/{way}/{secret}")
        game = made.headers["location"]
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        address = f"wss://{NAME}{game}/socket?protocol={PROTOCOL}"
        given = {"Cookie": f"__Host-fifteentwo={cookie[1]}"}

        def line(origin: str) -> ClientConnection:
            through = sockets.create_connection(("127.0.0.1", port), timeout=60)
            return connect(
                address,
                sock=through,
                ssl=trusting,
                origin=Origin(origin),
                additional_headers=given,
            )

        with line(f"https://{NAME}") as page:
            assert [json.loads(page.recv(60))["t"] for _ in range(2)] == ["dealing", "table"]
            page.send('{"t":"act","d":{"type":"NameDealer","dealer":0}}')
            assert any(json.loads(page.recv(60))["t"] == "event" for _ in range(6))
        for other in (f"http://{NAME}", "https://evil.example"):
            with pytest.raises(InvalidStatus), line(other):
                pass
    logged = (tmp_path / "cards.access.log").read_text()
    assert "secret-of-22-signs" not in logged
    assert logged.count("GET /game/AAAAAAAAAAAAAAAA/join/... ") == 2
    assert logged.count("GET /game/AAAAAAAAAAAAAAAA/spectate/... ") == 2
    assert "secret-of-22-signs" not in (tmp_path / "cards.error.log").read_text()
