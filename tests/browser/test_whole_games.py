"""Whole games by mouse in every variant and both languages."""

import pytest

from tests.support.playing import Player, Visit

EVERY = pytest.mark.slow
AT_TABLES = [
    pytest.param("six-card", "ja"),
    pytest.param("five-card", "ja"),
    pytest.param("three-handed", "en"),
    pytest.param("partners", "ja"),
    pytest.param("four-handed", "en"),
    pytest.param("six-card", "en", marks=EVERY),
    pytest.param("five-card", "en", marks=EVERY),
    pytest.param("three-handed", "ja", marks=EVERY),
    pytest.param("partners", "en", marks=EVERY),
    pytest.param("four-handed", "ja", marks=EVERY),
]
"""Every variant; in both languages with `make slow`."""
QUICK = {"level_1": "random", "level_2": "random", "level_3": "random"}


def _chosen(variant: str, **more: str) -> dict[str, str]:
    opponents = {"six-card": 1, "five-card": 1, "three-handed": 2}.get(variant, 3)
    levels = {name: level for name, level in QUICK.items() if int(name[-1]) <= opponents}
    target = {} if variant == "five-card" else {"target": "61"}
    return {"variant": variant, **target, **levels, **more}


def _agrees(player: Player) -> None:
    """Check that pegs and scores on the page equal the state (R115, R116)."""
    assert player.pegs() == {"front": player.view["front"], "rear": player.view["rear"]}
    assert player.scores() == player.view["front"]


@pytest.mark.parametrize(("variant", "lang"), AT_TABLES)
def test_a_whole_game_of_each_variant_by_clicking(visit: Visit, variant: str, lang: str) -> None:
    """English games are played on a desktop, Japanese games on a phone."""
    player = visit(lang, phone=lang == "ja")
    more = {"partners_by_draw": "yes"} if variant == "partners" else {}
    more |= {"first_dealer": "named"} if variant == "four-handed" else {}
    player.sit_down(**_chosen(variant, **more))
    for asked in player.play():
        if asked != "continue":
            _agrees(player)
    won = player.view["won"]
    assert max(won["scores"]) == 61
    assert {"discard", "play", "over"} <= set(player.asked)
    assert ("name-dealer" if variant == "four-handed" else "draw") in player.asked
    shown = player.page.locator(".over-title").inner_text()
    assert shown.strip()
    assert player.page.locator("html").get_attribute("lang") == lang


def test_r93_r94_a_claimed_game_with_muggins_by_clicking(visit: Visit) -> None:
    player = visit("ja")
    strict = {"counting": "claimed", "muggins": "missed-and-overclaims", "challenge_seconds": "60"}
    for _ in range(4):
        player.sit_down(**_chosen("six-card", board="B", **strict))
        for asked in player.play():
            if asked != "continue":
                _agrees(player)
        if any(event["reason"] == "muggins" for event in player.pegged):
            break
    assert {"claim", "accept", "continue"} <= set(player.asked)
    assert any(event["reason"] == "muggins" for event in player.pegged), "no muggins was taken"
