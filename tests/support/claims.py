"""Tables at which claims are challenged."""

import time

from tests.support.live_server import Page


def asked(page: Page) -> float:
    """Play until the table asks this person about a claim.

    Return the time (`time.monotonic`) at which the action before it was sent.
    """
    sent = time.monotonic()
    for _ in range(200):
        page.settle()
        assert not page.view["won"]
        if page.view["phase"] == "challenge":
            return sent
        sent = time.monotonic()
        page.send("act", page.choices[0])
        page.choices = []
        while page.hear()["t"] not in ("waiting", "refused"):
            pass
    raise AssertionError("no player claimed anything")


def strict(muggins: str = "missed", challenge_seconds: str = "0.4") -> dict[str, str]:
    return {"counting": "claimed", "muggins": muggins, "challenge_seconds": challenge_seconds}
