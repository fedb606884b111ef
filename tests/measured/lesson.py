"""How long the ten minutes last: `python -m tests.measured.lesson`.

Goes through the lessons and a first game to 31 at Normal in headless Chromium, and adds up what there is to
read, at a reader's pace (200 English words or 400 Japanese characters a minute), and what is waited for while
something moves. To be read are every screen, every note above the cards (hints, bubbles, what is new), each
hand as it is counted, the panel at 31, and each prompt once. The line of the cards played says what they
show, and is hidden by the notes: it is counted apart. What is read while it is waited for is counted twice.
"""

import argparse
import tempfile
from collections.abc import Iterable
from pathlib import Path
from statistics import mean
from typing import NamedTuple
from unittest import mock

from playwright.sync_api import sync_playwright

from fifteentwo.server.live import socket
from tests.browser.conftest import ARGUMENTS, chromium_path
from tests.browser.learning import begin, first_game, lessons
from tests.measured.clock import OBSERVE
from tests.measured.reading import PACE, all_screens, size
from tests.support.live_server import serving
from tests.support.playing import Player

# Every text that comes up where a person reads; what only grows longer is one text.
SHOWN = """() => {
  window.shown = {};
  const last = {};
  setInterval(() => {
    for (const place of ["#note", "#first-note", "#spoken", "#prompt", "#latest p:first-child"]) {
      const words = document.querySelector(place)?.innerText.trim() ?? "";
      const texts = (window.shown[place] ??= []);
      if (words && words !== last[place]) {
        if (last[place] && words.startsWith(last[place])) texts.pop();
        texts.push(words);
      }
      last[place] = words;
    }
  }, 40);
}"""


class Lasted(NamedTuple):
    """Minutes of reading, of reading what the cards show too, and of waiting; and the deals it took."""

    read: float
    lines: float
    waited: float
    deals: int


def lasted(player: Player) -> Lasted:
    """Once through it all."""
    player.page.add_init_script(f"({OBSERVE})(); ({SHOWN})()")
    begin(player, "normal")
    for _ in lessons(player, keys=False):
        pass
    for _ in first_game(player, keys=False):
        pass
    shown: dict[str, list[str]] = player.page.evaluate("window.shown")
    lines = shown.pop("#latest p:first-child")
    prompts = set(shown.pop("#prompt"))
    texts = [
        *all_screens(player.lang).values(),
        *prompts,
        *(words for texts in shown.values() for words in texts),
    ]

    def minutes(texts: Iterable[str]) -> float:
        return sum(size(words, player.lang) for words in texts) / PACE[player.lang]

    waited: float = player.page.evaluate("window.clock.waited") / 60_000
    return Lasted(minutes(texts), minutes(lines), waited, player.view["deal"])


def main() -> None:
    """Print how long each way through lasted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="how often in each language")
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.multiple(socket, MESSAGES_PER_SECOND=1e6),
        serving(Path(folder) / "games.sqlite3") as live,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS) as chromium,
    ):
        for lang in PACE:
            whole = []
            for _ in range(asked.times):
                page = chromium.new_context(base_url=live.http, locale=lang).new_page()
                one = lasted(Player(page, lang))
                whole.append(one.read + one.waited)
                summary = f"{one.read:4.1f} min read, {one.waited:4.1f} waited, {whole[-1]:4.1f} in all"
                print(f"{lang}: {summary}; {one.deals} deals; card lines {one.lines:.1f} more", flush=True)
            print(f"{lang}: mean {mean(whole):.1f} min, most {max(whole):.1f} (at most 10)", flush=True)


if __name__ == "__main__":
    main()
