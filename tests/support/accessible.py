"""Whether a page is accessible."""

from axe_playwright_python.sync_playwright import Axe

from tests.support.playing import Player


def clean(player: Player, where: str) -> None:
    """axe-core finds nothing amiss in this state."""
    # A page that is still arriving is empty; something half faded in has no contrast yet.
    player.page.wait_for_load_state()
    player.page.wait_for_function(
        "() => document.getAnimations().every((one) => one.playState !== 'running')"
    )
    results = Axe().run(player.page)
    found = [
        (one["id"], [node["html"][:160] for node in one["nodes"]][:3])
        for one in results.response["violations"]
    ]
    assert found == [], where
