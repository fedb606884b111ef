"""How long a person waits at the table, and how often they tap: `python -m tests.measured.clock`.

Plays whole six-card games at Normal in headless Chromium, where no player thinks, and prints the seconds a
person was made to wait, by deal, show and game; then games with claimed counting and muggins, where no one
errs, and prints the taps of each deal. A tap is one press of a button, a card or a number;
`python -m tests.measured.taps` counts them over many more deals, without a browser.
"""

import argparse
import json
import tempfile
from collections.abc import Iterable
from pathlib import Path
from statistics import mean
from typing import NamedTuple
from unittest import mock

from playwright.sync_api import sync_playwright

from fifteentwo import players
from fifteentwo.rules import pegging, show
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.record import from_json
from fifteentwo.rules.view import View
from fifteentwo.server.live import socket
from tests.browser.conftest import ARGUMENTS, PHONE, chromium_path
from tests.support.live_server import serving
from tests.support.playing import Player

OBSERVE = """() => {
  // Each moment is waited, thought by a computer, or the reader's own.
  window.clock = { waited: 0, show: 0 };
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    const table = document.getElementById("table");
    const asked = document.querySelector('[data-action="continue"]') || table?.dataset.settled === "true";
    if (table && table.dataset.phase !== "connecting" && !asked) {
      window.clock.waited += now - last;
      if (table.dataset.stage === "show") window.clock.show += now - last;
    }
    last = now;
  }, 5);
}"""
"""Sent, but not yet answered, counts as waited too."""


class Waited(NamedTuple):
    """Seconds of one deal: all that was waited, the show within it, and how many taps it took."""

    seconds: float
    show: float
    taps: tuple[str, ...]


class Person:
    """A player who plays like a club player, and never miscounts."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.taps: list[str] = []
        self._adviser = players.player("club", 1)

    def tap(self, selector: str) -> None:
        self.player.page.locator(selector).first.click(position={"x": 8, "y": 20})
        self.taps.append(selector)

    def _either(self, first: str, second: str) -> None:
        self.tap(first if self.player.page.locator(first).is_visible() else second)

    def answer(self, asked: str) -> None:
        """Whatever the table asks, in as few taps as it allows."""
        seen = from_json(json.dumps(self.player.view), View)
        match asked:
            case "draw":
                self.player.click(asked)
            case "discard" | "play":
                self._card(seen)
            case "accept":
                self._let_stand(seen)
            case "claim":
                self.tap(f'[data-action="claim-number"][data-n="{_shown(seen)}"]')
            case "continue":
                self._either('[data-action="continue-cut"]', '[data-action="continue"]')
            case _:
                self.tap(f'[data-action="{asked}"]')

    def _card(self, seen: View) -> None:
        action = self._adviser.act(seen)
        assert isinstance(action, Discard | Play)
        if isinstance(action, Discard):
            for card in action.cards:
                self.tap(f'#hand [data-card="{card.text}"]')
            self._either('[data-action="discard-cut"]', '[data-action="discard"]')
            return
        self._play_card(seen, action.card)

    def _play_card(self, seen: View, card: Card) -> None:
        played = () if seen.count == 31 else seen.in_count
        makes = sum(score.points for score in pegging.scores((*played, card)))
        if not makes or not seen.rules.claimed:
            self.tap(f'#hand [data-card="{card.text}"]')
            return
        claim = f'#hand li:has([data-card="{card.text}"]) [data-claim="{makes}"]'
        if self.player.page.locator(claim).is_visible():
            self.tap(claim)
            return
        self.tap(f'[data-action="claim-with"][data-n="{makes}"]')
        if self.player.page.locator("#hand .card-button:not([aria-disabled])").count() > 1:
            self.tap(f'#hand [data-card="{card.text}"]')

    def _let_stand(self, seen: View) -> None:
        """By the next card where one can be played; the best of them, as far as can be known before."""
        cards = self.player.page.locator("#hand .card-button:not([aria-disabled])")
        if self.player.page.locator(".claim-choices").count() and cards.count():
            self._play_card(seen, Card(str(cards.first.get_attribute("data-card"))))
        else:
            self.tap('[data-action="accept"]')


def _shown(seen: View) -> int:
    """What the hand or crib of this seat makes, or its last card in pegging."""
    if not any(seen.open_hands):
        return sum(score.points for score in pegging.scores(seen.in_count))
    assert seen.starter is not None
    if seen.open_crib:
        return show.points(seen.open_crib, seen.starter, crib=True)
    return show.points(seen.open_hands[seen.seat], seen.starter)


def game(player: Player, speed: str, **chosen: str) -> list[Waited]:
    """A whole game; what each deal took."""
    person, deals, before = Person(player), list[Waited](), (0.0, 0.0)
    player.page.add_init_script(f"({OBSERVE})()")
    player.sit_down(speed, variant="six-card", level_1="greedy", **chosen)
    number = 0
    while True:
        asked = player.wait()
        clock = player.page.evaluate("window.clock")
        now = (clock["waited"] / 1000, clock["show"] / 1000)
        deal = player.view["deal"]
        if deal > number or asked == "over":
            if number:
                deals.append(Waited(now[0] - before[0], now[1] - before[1], tuple(person.taps)))
            number, before, person.taps = deal, now, []
        if asked == "over":
            return deals
        person.answer(asked)
        player.answered(asked)


def _print(name: str, numbers: Iterable[float], unit: str) -> None:
    all_ = list(numbers)
    print(
        f"{name:28} mean {mean(all_):6.1f} {unit}, most {max(all_):6.1f} {unit}   ({len(all_)})", flush=True
    )


def _waited(timed: list[list[Waited]]) -> None:
    _print("waited in a game", (sum(deal.seconds for deal in deals) for deals in timed), "s")
    _print("in a deal", (deal.seconds for deals in timed for deal in deals), "s")
    _print("in a show, deals 1 and 2", (deal.show for deals in timed for deal in deals[:2]), "s")
    _print("in a show, from deal 3", (deal.show for deals in timed for deal in deals[2:]), "s")
    _print("in a hand of it", (deal.show / 3 for deals in timed for deal in deals[2:-1]), "s")


def main() -> None:
    """Print the clock of Normal games and the taps of strict ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2, help="how many of each kind")
    parser.add_argument("--phone", action="store_true", help="on a phone")
    parser.add_argument("--strict", action="store_true", help="only the taps")
    asked = parser.parse_args()
    strict = {"counting": "claimed", "muggins": "missed-and-overclaims", "challenge_seconds": "none"}
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.multiple(socket, MESSAGES_PER_SECOND=1e6),
        serving(Path(folder) / "games.sqlite3") as live,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS) as chromium,
    ):

        def person() -> Player:
            size = PHONE if asked.phone else {"width": 1280, "height": 800}
            context = chromium.new_context(viewport=size, has_touch=asked.phone, base_url=live.http)
            return Player(context.new_page(), "en")

        timed = [game(person(), "normal") for _ in range(0 if asked.strict else asked.games)]
        if timed:
            _waited(timed)
        tapped = [game(person(), "instant", **strict) for _ in range(asked.games)]
        taps = [deal.taps for deals in tapped for deal in deals]
        _print("taps in a strict deal", map(len, taps), "")
        print("the longest:", *max(taps, key=len), sep="\n  ")


if __name__ == "__main__":
    main()
