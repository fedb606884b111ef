"""Games played through the accessibility tree alone: roles, names, states and alerts."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import CDPSession, WebSocket

from fifteentwo import i18n
from fifteentwo.i18n.cards import card_name
from fifteentwo.rules.cards import DECK
from tests.support.playing import Json, Player, Visit

VARIANTS = {"six-card": 1, "five-card": 1, "three-handed": 2, "partners": 3, "four-handed": 3}
"""Opponents in each variant."""
MAX_PRESSES = 2_000
"""Presses in one game; no game takes nearly as many."""


class Button(NamedTuple):
    """A button as a screen reader names it."""

    name: str
    disabled: bool
    pressed: bool
    node: int


class Listener:
    """A user of a screen reader, who presses buttons by their names."""

    def __init__(self, player: Player) -> None:
        self._devtools: CDPSession = player.page.context.new_cdp_session(player.page)
        self._devtools.send("Accessibility.enable")
        self._player = player
        self._lang = player.lang
        self._cards = {card_name(card, player.lang) for card in DECK}
        self.pressed: list[str] = []

    def _named(self, role: str) -> list[Json]:
        page = self._devtools.send("DOM.getDocument", {"depth": 0})["root"]["backendNodeId"]
        asked = {"backendNodeId": page, "role": role}
        nodes: list[Json] = self._devtools.send("Accessibility.queryAXTree", asked)["nodes"]
        return [node for node in nodes if not node["ignored"]]

    def buttons(self) -> list[Button]:
        """Return every button with its states."""
        buttons = []
        for node in self._named("button"):
            states = {one["name"]: one["value"].get("value") for one in node.get("properties", ())}
            disabled, pressed = bool(states.get("disabled")), states.get("pressed") == "true"
            buttons.append(Button(node["name"]["value"], disabled, pressed, node["backendDOMNodeId"]))
        return buttons

    def alerts(self) -> list[str]:
        """Return the alerts that the page announces."""
        return [node["name"]["value"] for node in self._named("alert") if node.get("name", {}).get("value")]

    def press(self, button: Button) -> None:
        found = self._devtools.send("DOM.resolveNode", {"backendNodeId": button.node})["object"]["objectId"]
        call = {"objectId": found, "functionDeclaration": "function () { this.click(); }"}
        self._devtools.send("Runtime.callFunctionOn", call)
        self.pressed.append(button.name)

    def _is(self, button: Button, *keys: str) -> bool:
        """Return whether the button's name is one of these sentences, with any names in them."""
        sentences = (i18n.text(key, self._lang, name="\0", n="\0") for key in keys)
        return any(all(part in button.name for part in words.split("\0")) for words in sentences)

    def play(self) -> Iterator[Button]:
        """Press one button after another until the next game is offered."""
        for _ in range(MAX_PRESSES):
            # The question itself is read from the accessibility tree.
            self._player.wait()
            buttons = self.buttons()
            if any(self._is(one, "over.next") for one in buttons):
                return
            if chosen := self._next(buttons):
                yield chosen
                self.press(chosen)
        raise AssertionError(f"no end after {self.pressed[-20:]}")

    def _next(self, buttons: Iterable[Button]) -> Button | None:
        """Return the button to press, from names and states alone."""
        free = [one for one in buttons if not one.disabled]
        first = (
            ("show.continue", "show.continue_cut"),
            ("discard.two_own", "discard.two_other", "discard.one_own", "discard.one_other"),
            ("cut.deck", "cut.starter"),
            ("claim.accept",),
            ("draw.card",),
        )
        for keys in first:
            if act := next((one for one in free if self._is(one, *keys)), None):
                return act
        return next((one for one in free if not one.pressed and one.name in self._cards), None)


@pytest.mark.parametrize(
    ("variant", "lang", "whole"),
    [
        ("six-card", "ja", False),
        *(
            pytest.param(variant, lang, True, marks=pytest.mark.slow)
            for variant in VARIANTS
            for lang in ("en", "ja")
        ),
    ],
)
def test_a_game_is_played_by_the_accessibility_tree_alone(
    visit: Visit, variant: str, lang: str, whole: bool
) -> None:
    """The first deal is played; with `make slow` the whole game."""
    player = visit(lang, reduced_motion="reduce")
    messages: list[str] = []

    def listen(line: WebSocket) -> None:
        line.on("framereceived", lambda frame: messages.append(str(frame)))

    player.page.on("websocket", listen)
    levels = {f"level_{seat}": "random" for seat in range(1, VARIANTS[variant] + 1)}
    target = {} if variant == "five-card" else {"target": "61"}
    player.sit_down(variant=variant, **target, **levels)
    listener = Listener(player)
    for _ in listener.play():
        assert listener.alerts() == []
        if not whole and player.view["deal"] > 1:
            break
    if whole:
        assert max(player.view["won"]["scores"]) == player.view["rules"]["target"]
    assert not [message for message in messages if '"t":"refused"' in message], "an illegal action was tried"
