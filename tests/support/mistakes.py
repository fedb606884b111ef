"""Mistakes asked for over HTTP."""

import time
from typing import Any

from tests.support.live_server import Person


def next_of(person: Person) -> dict[str, Any]:
    """What is due, once every game is looked through."""
    for _ in range(600):
        told: dict[str, Any] = person.browser.get("/practice/errors/next.json").json()
        if not told["waiting"]:
            return told
        time.sleep(0.1)
    raise AssertionError("still looking")
