"""The crib at the dealer's right (R44), and pegs that the player moves (R118)."""

from collections.abc import Callable

import pytest

from tests.support.playing import Player

Visit = Callable[..., Player]


def _name_dealer(player: Player, seat: int) -> None:
    """Sit at a table where a press names the dealer, and come to the discard."""
    assert player.wait() == "name-dealer"
    player.page.click(f'[data-action="name-dealer"][data-seat="{seat}"]')
    while (asked := player.wait()) != "discard":
        player.click(asked)


@pytest.mark.parametrize(
    ("variant", "dealer", "right"),
    [
        ("six-card", 0, True),
        ("six-card", 1, False),
        ("four-handed", 1, False),
        ("four-handed", 3, True),
    ],
)
def test_r44_the_crib_lies_at_the_dealers_right(visit: Visit, variant: str, dealer: int, right: bool) -> None:
    """All face the middle: at the reader's right for the reader and the neighbour there, else at the left."""
    player = visit("ja", phone=variant == "four-handed")
    opponents = {f"level_{seat}": "random" for seat in range(1, 4 if variant == "four-handed" else 2)}
    player.sit_down(variant=variant, first_dealer="named", cut_before_deal="no", **opponents)
    _name_dealer(player, dealer)
    crib, deck = (player.page.locator(one).bounding_box() for one in (".spot--crib", ".spot--starter"))
    assert crib
    assert deck
    assert (crib["x"] > deck["x"] + deck["width"]) is right
    assert (deck["x"] > crib["x"] + crib["width"]) is not right
