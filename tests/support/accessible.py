"""Checks of accessibility."""

from axe_playwright_python.sync_playwright import Axe

from tests.support.playing import Player


def clean(player: Player, where: str) -> None:
    """Check that axe-core finds nothing in this state."""
    # A page that is loading is empty, and elements that fade in have less contrast.
    player.page.wait_for_load_state()
    player.page.wait_for_function(
        "() => document.getAnimations()"
        ".every((one) => one.timeline !== document.timeline || one.playState !== 'running')"
    )
    results = Axe().run(player.page)
    found = [
        (one["id"], [node["html"][:160] for node in one["nodes"]][:3])
        for one in results.response["violations"]
    ]
    assert found == [], where
