"""How long the ten minutes last: `python -m tests.measured.lesson`.

Goes through the lessons and a first game to 31 at Normal in headless Chromium, and adds up: what there is to
read, at a reader's pace (200 English words or 400 Japanese characters a minute), and what is waited for while
something moves. To be read are every screen, every note above the cards (hints, bubbles, words at what is new),
every line on the felt, the prompts and the panel at 31; what stands still while it is read is counted twice,
as waited and as read.
"""

import argparse
import tempfile
from pathlib import Path
from statistics import mean
from unittest import mock

from playwright.sync_api import sync_playwright

from fifteentwo.server import pages, socket
from tests.browser.conftest import ARGUMENTS, chromium_path
from tests.browser.learning import begin, first_game, lessons
from tests.browser.playing import Player
from tests.measured.clock import WATCH
from tests.measured.reading import PACE, all_screens, size
from tests.server.live import serving

# Every text that comes up where somebody reads.
SHOWN = """() => {
  window.shown = [];
  const places = ["#note", "#first-note", "#latest p:first-child", "#spoken", "#prompt"];
  const last = {};
  setInterval(() => {
    for (const place of places) {
      const words = document.querySelector(place)?.textContent.trim() ?? "";
      if (words && words !== last[place]) window.shown.push(words);
      last[place] = words;
    }
  }, 40);
}"""


def minutes(player: Player) -> tuple[float, float, int]:
    """Minutes of reading and of waiting, and the deals it took."""
    player.page.add_init_script(f"({WATCH})(); ({SHOWN})()")
    begin(player, "normal")
    for _ in lessons(player, keys=False):
        pass
    for _ in first_game(player, keys=False):
        pass
    shown: list[str] = player.page.evaluate("window.shown")
    waited: float = player.page.evaluate("window.clock.waited") / 60_000
    read = sum(size(words, player.lang) for words in [*all_screens(player.lang).values(), *shown])
    return read / PACE[player.lang], waited, player.view["deal"]


def main() -> None:
    """Print how long each way through lasted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="how often in each language")
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.multiple(socket, A_SECOND=1e6),
        mock.patch.multiple(pages, NEW_TABLES=(1000, 1e6)),
        serving(Path(folder) / "games.sqlite3") as live,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS) as chromium,
    ):
        for lang in PACE:
            lasted = []
            for _ in range(asked.times):
                page = chromium.new_context(base_url=live.http, locale=lang).new_page()
                read, waited, deals = minutes(Player(page, lang))
                lasted.append(read + waited)
                print(
                    f"{lang}: {read:4.1f} min read, {waited:4.1f} waited, {lasted[-1]:4.1f} in all, {deals} deals",
                    flush=True,
                )
            print(f"{lang}: mean {mean(lasted):.1f} min, most {max(lasted):.1f} (at most 10)", flush=True)


if __name__ == "__main__":
    main()
