"""Mistakes asked for over HTTP."""

import time
from typing import Any

from tests.support.live_server import Person


def next_of(person: Person) -> dict[str, Any]:
    """Return the due mistakes once every game is reviewed."""
    for _ in range(600):
        response: dict[str, Any] = person.browser.get("/practice/errors/next.json").json()
        if not response["waiting"]:
            return response
        time.sleep(0.1)
    raise AssertionError("still reviewing")
