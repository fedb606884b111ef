"""Pages of a table with clocks."""

from tests.support.playing import ASKED, Player


def until_play(host: Player, guest: Player, whose: Player) -> None:
    """Play until the table waits for a card of the player `whose`."""
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
