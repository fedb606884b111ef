"""Pages of a table with clocks."""

import os
from pathlib import Path

from tests.support.playing import Player
from tests.support.two_browsers import both_play


def pictured(player: Player, name: str) -> None:
    """Store a screenshot in the folder of FIFTEENTWO_PICTURES, if any."""
    if folder := os.environ.get("FIFTEENTWO_PICTURES"):
        player.page.screenshot(path=str(Path(folder) / f"{name}.png"))


def until_play(host: Player, guest: Player, whose: Player) -> None:
    """Play on until the table waits for this one's card."""
    both_play(
        host,
        guest,
        lambda: (
            whose.view.get("phase") == "play"
            and whose.view["to_act"] == [whose.view["seat"]]
            and whose.page.locator('#table[data-turn="own"][data-settled="true"]').count() == 1
        ),
    )
