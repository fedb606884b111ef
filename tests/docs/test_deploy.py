"""The files of deploy/: systemd's units, the scripts, the container and compose.yaml."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from packaging.requirements import Requirement

from fifteentwo.server.store.store import Store
from tests.support.behind_nginx import SITE
from tests.support.live_server import run_apart

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
OPERATE = (ROOT / "docs" / "operate.md").read_text("utf-8")
INSTALLED = "/opt/fifteentwo/bin/fifteentwo"
UNITS = ("fifteentwo@.service", "fifteentwo-backup.service", "fifteentwo-backup.timer")

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")


def run(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, timeout=120, check=False, **options)


# ── systemd ──────────────────────────────────────────────────────────────────────────────────────────────


@needs_systemd
def test_systemd_accepts_every_unit_without_a_warning(tmp_path: Path) -> None:
    for name in UNITS:
        unit = (DEPLOY / name).read_text("utf-8").replace(INSTALLED, sys.executable)
        (tmp_path / name.replace("@", "@8001")).write_text(unit)
    done = run("systemd-analyze", "verify", *map(str, tmp_path.iterdir()))
    assert "fifteentwo" not in done.stderr, done.stderr


@needs_systemd
def test_the_unit_restricts_the_server(tmp_path: Path) -> None:
    unit = shutil.copy(DEPLOY / "fifteentwo@.service", tmp_path / "fifteentwo@8001.service")
    output = run("systemd-analyze", "security", "--offline=yes", str(unit)).stdout
    level = re.search(r"exposure level for \S+: ([\d.]+)", output)
    assert level is None or float(level[1]) < 2.0


def test_the_backup_unit_makes_a_backup_and_removes_only_old_ones(tmp_path: Path) -> None:
    database, state = tmp_path / "games.sqlite3", tmp_path / "backups"
    run_apart(_make_empty(database))
    state.mkdir()
    for name, days in (("games-1.sqlite3", 20), ("games-2.sqlite3", 3), ("notes.txt", 20)):
        (state / name).touch()
        then = (state / name).stat().st_mtime - days * 86400
        os.utime(state / name, (then, then))
    unit = (DEPLOY / "fifteentwo-backup.service").read_text("utf-8")
    started = re.findall(r"^ExecStart(?:Post)?=(.+)$", unit, re.MULTILINE)
    assert len(started) == 2
    surroundings = {**os.environ, "STATE": str(state), "FIFTEENTWO_DATABASE_URL": f"sqlite:///{database}"}
    for command in started:
        command = command.replace(INSTALLED, f"{sys.executable} -m fifteentwo")
        command = command.replace("%%", "%").replace("${STATE}", str(state)).replace("$$", "$")
        done = run(*shlex.split(command), env=surroundings)
        assert done.returncode == 0, done.stderr
    left = sorted(one.name for one in state.iterdir())
    assert [name for name in left if len(name) < 20] == ["games-2.sqlite3", "notes.txt"]
    assert len(left) == 3


async def _make_empty(database: Path) -> None:
    store = await Store.open(str(database))
    await store.close()


def test_every_setting_of_the_sample_exists() -> None:
    named = re.findall(r"^#?(FIFTEENTWO_\w+)=", (DEPLOY / "fifteentwo.env").read_text("utf-8"), re.MULTILINE)
    assert len(named) > 4
    assert all(f"`{name}`" in OPERATE for name in named)


# ── Scripts ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("script", ["build.sh", "install.sh"])
def test_a_script_can_be_read_by_any_shell(script: str) -> None:
    done = run("sh", "-n", str(DEPLOY / script))
    assert (done.returncode, done.stderr) == (0, "")


def test_the_installer_asks_for_a_name_before_it_changes_anything() -> None:
    done = run("sh", str(DEPLOY / "install.sh"))
    assert done.returncode == 2
    assert done.stderr == "usage: sudo sh deploy/install.sh HOST-NAME\n"


def test_every_package_that_is_installed_has_the_hash_of_the_lock() -> None:
    script = (DEPLOY / "build.sh").read_text("utf-8")
    installed = re.findall(r"^.* -m pip install (.+)$", script, re.MULTILINE)
    assert all("--require-hashes" in line or line.endswith("--no-build-isolation .") for line in installed)
    lock = (ROOT / "constraints.txt").read_text("utf-8")
    extras = re.search(r"sed -n -E '/\^(\(.+\))/,/", script)
    assert extras
    taken = re.findall(rf"^{extras[1].replace('(', '(?:')}.*?[^\\]$", lock, re.MULTILINE | re.DOTALL)
    assert all("--hash=sha256:" in one for one in taken)
    named = {one.split("==")[0] for one in taken}
    assert named == {"psycopg", "psycopg-binary", "numba", "llvmlite"}
    base = set(
        re.findall(r"^([a-z0-9-]+)==", (ROOT / "constraints-play.txt").read_text("utf-8"), re.MULTILINE)
    )
    for name in named:
        # --no-deps: what they need is there too.
        needed = [Requirement(one) for one in metadata.requires(name) or ()]
        here = {one.name for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})}
        assert here <= named | base, name


# ── Containers ───────────────────────────────────────────────────────────────────────────────────────────


def test_the_container_has_no_root_and_checks_its_health() -> None:
    file = (DEPLOY / "Containerfile").read_text("utf-8")
    last = file.rpartition("\nFROM ")[2]
    assert re.search(r"^USER [1-9]\d+:", last, re.MULTILINE)
    assert "HEALTHCHECK" in last
    assert "/readyz" in last
    for name in re.findall(r"FIFTEENTWO_\w+", file):
        assert name in OPERATE
    copied = " ".join(re.findall(r"^COPY (.+) \./$", file, re.MULTILINE)).split()
    assert len(copied) > 5
    assert all((ROOT / name).exists() for name in copied)


def compose() -> dict[str, Any]:
    """Return the services of compose.yaml by name."""
    file = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    services = file["services"]
    mounted = {one.split(":")[0] for service in services.values() for one in service.get("volumes", ())}
    assert {one for one in mounted if one[0] not in "./"} == file["volumes"].keys()
    assert isinstance(services, dict)
    return services


def test_compose_starts_a_process_for_each_server_of_nginx() -> None:
    processes = [one["environment"] for name, one in compose().items() if name.startswith("process-")]
    ports = re.findall(
        r"^ *#?server 127\.0\.0\.1:(\d+)", (DEPLOY / "nginx.conf").read_text("utf-8"), re.MULTILINE
    )
    assert [str(one["FIFTEENTWO_PORT"]) for one in processes] == ports == ["8001", "8002", "8003"]
    for one in processes:
        assert one["FIFTEENTWO_HOST"] == "127.0.0.1", "no process is reached past nginx"
        assert all(f"`{name}`" in OPERATE for name in one)


@pytest.mark.parametrize("certified", [False, True])
def test_composes_nginx_serves_all_processes_and_https_if_there_is_a_certificate(
    tmp_path: Path, certified: bool
) -> None:
    if certified:
        (tmp_path / SITE).mkdir()
    shell, options, script = compose()["nginx"]["command"]
    for there, here in {
        "$$": "$",
        "/etc/letsencrypt/live": str(tmp_path),
        "/nginx.conf >": f"{DEPLOY}/nginx.conf >",
        "/etc/nginx/nginx.conf": f"{tmp_path}/nginx.conf",
        "exec nginx": "echo",
    }.items():
        assert there in script, there
        script = script.replace(there, here)
    done = run(shell, options, script, env={**os.environ, "SITE": SITE})
    assert (done.returncode, done.stderr) == (0, "")
    written = (tmp_path / "nginx.conf").read_text("utf-8")
    assert len(re.findall(r"^ *server 127", written, re.MULTILINE)) == 3
    assert bool(re.search(r"^ *listen 443 ssl;", written, re.MULTILINE)) == certified
