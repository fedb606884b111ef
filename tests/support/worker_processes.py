"""The processes of `serve --workers`."""

from contextlib import suppress
from pathlib import Path

from tests.support import postgres as clusters


def serving_in(process: int) -> list[int]:
    """The processes that serve, started by one."""
    return [one for one in clusters.family(process)[1:] if "spawn_main" in words_of(one)]


def words_of(process: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")
    return ""
