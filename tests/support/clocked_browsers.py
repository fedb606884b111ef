"""Pages of a table with clocks."""

import os
from pathlib import Path

from tests.support.playing import ASKED, Player


def pictured(player: Player, name: str) -> None:
    """Store a screenshot in the folder of FIFTEENTWO_PICTURES, if any."""
    if folder := os.environ.get("FIFTEENTWO_PICTURES"):
        player.page.screenshot(path=str(Path(folder) / f"{name}.png"))


def until_play(host: Player, guest: Player, whose: Player) -> None:
    """Play on until the table waits for this one's card, which is not played."""
    other = guest if whose is host else host
    for _ in range(6000):
        asked = whose.page.evaluate(ASKED)
        if asked == "play" and whose.view["to_act"] == [whose.view["seat"]]:
            return
        if asked not in (None, "play"):
            whose.turn()
        other.turn()
        host.page.wait_for_timeout(20)
    raise AssertionError((host.asked[-10:], guest.asked[-10:]))
