"""The states of the table and the pages that contact sheets show and tests check, with fixed decks.

A visit is a function that opens states and passes each to `Shots.take`.
"""

import random
from collections.abc import Callable
from itertools import count
from pathlib import Path
from unittest import mock
from urllib.parse import urlsplit

from playwright.sync_api import Page

from fifteentwo.analysis.discards.discard import options
from fifteentwo.formats import write
from fifteentwo.rules import record
from fifteentwo.rules.cards import Card
from fifteentwo.server.pages import account as account_pages
from fifteentwo.server.people import invitations
from fifteentwo.server.people.ratings import Rating
from fifteentwo.server.study.lessons import lesson_screens
from tests.browser import learning
from tests.formats.written_games import written_game
from tests.support.live_server import Live
from tests.support.playing import Player
from tests.support.quick_records import played

ENTRY = "book/5H5S6D7CJCKD/pone/110-116"
STANDING = (
    *("pad", "check", "rules", "glossary", "summary", "books", "waiting", "solved", "dealing"),
    *("book", ENTRY, f"{ENTRY}/map", f"{ENTRY}/7CKD/6S", f"{ENTRY}/7CKD/6S/JC5C"),
)
ANIMATION_MS = 300
"""Milliseconds until the animations of a page have ended."""
IMPORTED = write(written_game(7), "halscrib")
LESSONS = ("fifteen", "go", "crib", "double", "start")
"""Screens of /learn that get a picture before and after the answer."""


class Shots:
    """Pictures with their names; with a folder each is also stored as a file."""

    def __init__(self, folder: Path | None = None) -> None:
        self.taken: list[tuple[str, bytes]] = []
        self._folder = folder

    def take(self, page: Page, name: str) -> None:
        """Take a picture of the window."""
        page.wait_for_timeout(ANIMATION_MS)
        png = page.screenshot()
        self.taken.append((name, png))
        if self._folder is not None:
            file = f"{len(self.taken):02d} {name.replace('/', ' ')}.png"
            (self._folder / file).write_bytes(png)


Visit = Callable[[Player, Shots], None]


def counted_game(player: Player, shots: Shots) -> None:
    """Play a game with automatic counting: draw, cut, discard, pegging, show, end."""
    page = player.page
    player.home()
    shots.take(page, "home")
    player.unfold()
    page.locator("#another").scroll_into_view_if_needed()
    shots.take(page, "home, another game")
    player.sit_down(variant="six-card", target="61", skunk="yes")
    seen: set[str] = set()
    while (asked := player.wait()) != "over":
        played_cards = len(player.view["played"])
        name = asked if asked != "play" else f"play, {played_cards} played"
        lifted = [0, 2] if asked == "discard" else []
        if name not in seen and (asked != "play" or played_cards in (0, 3, 5)):
            seen.add(name)
            _lift(page, lifted)
            shots.take(page, name)
            _lift(page, lifted)
        if asked == "play" and len(player.view["hand"]) == 1 and "show" not in seen:
            seen.add("show")
            _show(player, shots)
        else:
            player.click(asked)
            player.answered(asked)
    shots.take(page, "over")


def _lift(page: Page, places: list[int]) -> None:
    for place in places:
        page.locator("#hand button").nth(place).click(position={"x": 8, "y": 40})


def _show(player: Player, shots: Shots) -> None:
    """Play the last card at the speed Slow, until cards of a score are highlighted."""
    page = player.page
    speed = "(speed) => document.querySelector(`[name=speed][value=${speed}]`).click()"
    page.evaluate(speed, "slow")
    player.click("play")
    page.wait_for_selector("#stage .show .is-lit", state="attached", timeout=60_000)
    shots.take(page, "show")
    page.evaluate(speed, "instant")


def claimed_game(player: Player, shots: Shots) -> None:
    """Play a game with claimed counting to its first summary; then open the dialogs."""
    page = player.page
    player.sit_down(
        variant="partners", target="121", counting="claimed", muggins="missed", challenge_seconds="none"
    )
    seen: set[str] = set()
    for asked in player.play():
        stage = page.locator("#table").get_attribute("data-stage")
        name = f"{asked}, {stage}"
        if asked in ("claim", "accept", "continue") and name not in seen:
            seen.add(name)
            shots.take(page, f"four, {name}")
        if asked == "continue":
            break
    for dialog in ("settings", "keys"):
        if page.locator(".bar-menu").is_visible():
            page.click(".bar-menu")
        page.click(f'[data-action="{dialog}"]')
        shots.take(page, dialog)
        page.keyboard.press("Escape")
    player.sit_down(variant="four-handed", first_dealer="named")
    for asked in player.play():
        if asked == "name-dealer":
            shots.take(page, "four-handed, name-dealer")
        if asked == "play" and len(player.view["played"]) > 2:
            shots.take(page, "four-handed, play")
            break


def coached_game(player: Player, shots: Shots) -> None:
    """Show the coach after a costly discard and after the best one, and a hint."""
    page = player.page
    counted = {"counting": "automatic", "cut_before_deal": "no", "first_dealer": "named"}
    player.sit_down(variant="six-card", target="121", level_1="greedy", **counted)
    for asked in player.play():
        if asked == "name-dealer":
            page.evaluate("document.querySelector('[name=coach]').click()")
        if asked == "discard":
            break
    # The worst discard costs enough to be offered back with any cards.
    held = [Card(card) for card in player.view["hand"]]
    worst = options(held, own_crib=player.view["dealer"] == player.view["seat"])[-1]
    for card in worst.discard:
        page.locator(f'#hand button[data-card="{card.text}"]').click(position={"x": 8, "y": 40})
    page.click('[data-action="discard"]')
    page.wait_for_selector("#coach p")
    shots.take(page, "coach, a discard")
    page.click('[data-action="take-back"]')
    page.wait_for_selector('[data-action="discard"]')
    page.click("#hint")
    page.wait_for_selector("#note p")
    shots.take(page, "hint, a nudge")
    page.click(".note-more")
    page.click(".note-more")
    shots.take(page, "hint")
    for one in page.locator("#hand .is-hinted").all():
        one.click(position={"x": 8, "y": 40})
    page.click('[data-action="discard"]')
    page.wait_for_selector("#coach-mark p")
    shots.take(page, "coach, the best discard")


def lessons(player: Player, shots: Shots) -> None:
    """Visit the lessons and a first game with its helpers."""
    page = player.page
    learning.begin(player)
    for screen in lesson_screens(player.lang):
        learning.read(player, screen)
        if screen.id in LESSONS:
            shots.take(page, f"learn, {screen.id}")
        if screen.id == "start":
            break
        learning.do_right(player, screen, keys=False)
        if screen.id in LESSONS:
            shots.take(page, f"learn, {screen.id} done")
        learning.leave(player, screen)
    page.click("#begin")
    page.wait_for_selector("#table")
    page.evaluate("document.querySelector(`[name=speed][value=normal]`).click()")
    seen: set[str] = set()
    for asked in learning.first_game(player, keys=False):
        if asked not in seen or asked == "first-over":
            seen.add(asked)
            shots.take(page, f"first game, {asked}")
        if asked == "continue":
            page.evaluate("document.querySelector(`[name=speed][value=instant]`).click()")


def standing(player: Player, shots: Shots) -> None:
    """Visit pages that need no game."""
    for name in STANDING:
        answer = player.page.goto(f"/{name}?lang={player.lang}")
        if answer is not None and answer.ok:
            if name == ENTRY:
                player.page.wait_for_selector("#map svg", state="attached")
            shots.take(player.page, name)
        else:
            player.complaints.append(f"no page /{name}")


def reviewed(player: Player, shots: Shots) -> None:
    """Review a game: its course, a mistake that is tried again, the answer."""
    page = player.page
    page.goto(f"/review?lang={player.lang}")
    shots.take(page, "review, before")
    page.fill("#record-text", record.write(played("six-card", target=61)))
    page.click("#record-form .button--primary")
    page.wait_for_selector("#review[data-ready]")
    page.wait_for_selector("#working", state="hidden")
    shots.take(page, "review, story")
    for screen in ("mistake", "answer"):
        page.click("#story-bar [data-primary]")
        shots.take(page, f"review, {screen}")
    page.click("#mode")
    page.click('[data-step="mark-on"]')
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    shots.take(page, "review")
    page.click('[data-action="try"]')
    shots.take(page, "review, tried again")
    page.click("#story-bar [data-primary]")
    shots.take(page, "review, the answer")
    page.click("#mode")
    page.locator("#judged").scroll_into_view_if_needed()
    shots.take(page, "review, why")
    page.locator("#decisions").scroll_into_view_if_needed()
    shots.take(page, "review, decisions")


def own_games(player: Player, shots: Shots) -> None:
    """Visit the pages about a player's games: history, statistics, mistakes, duplicate, daily deal."""
    page = player.page
    player.home()
    page.goto("/practice/daily")
    shots.take(page, "daily")
    page.wait_for_selector("#daily[data-ready]")
    for pick in (2, 1):
        for _ in range(pick):
            page.locator('#hand button[aria-pressed="false"]:not(.is-dim)').first.click()
        page.click("#go")
        page.wait_for_selector('#daily[data-stage="solved"]')
        shots.take(page, f"daily, a reply to {pick}")
        page.click("#go")
    page.click('#pad [data-key="4"]')
    page.click("#go")
    page.wait_for_selector('#daily[data-stage="solved"]')
    page.click("#go")
    page.wait_for_selector('#daily[data-stage="done"]')
    page.click("#play")
    page.wait_for_selector("#table")
    address = urlsplit(page.url)
    assert address.port is not None
    day = address.path.rsplit("/", 1)[1]
    with Live(address.port).person(player.lang) as aiko:
        for cookie in page.context.cookies():
            aiko.browser.cookies.set(str(cookie["name"]), str(cookie["value"]), domain="127.0.0.1")
        for game in (day, aiko.new_game(level_1="greedy"), aiko.new_game("five-card", level_1="random")):
            with aiko.open(game) as table:
                table.until("waiting")
                table.play_out(random.Random(6))
    for name in ("history", "statistics", "practice/errors", "practice/duplicate", "practice/daily"):
        page.goto(f"/{name}?lang={player.lang}")
        if name == "practice/errors":
            page.wait_for_selector('#solve[data-stage="asked"]')
        if name == "practice/daily":
            page.wait_for_selector("#daily[data-ready]")
            shots.take(page, "practice/daily, result")
            page.click('a.button[href^="/practice/daily?day="]')
            page.wait_for_selector("#ended:not(:empty)")
        shots.take(page, name)
    page.goto("/statistics")
    page.locator(".fair").scroll_into_view_if_needed()
    shots.take(page, "statistics, fair")
    if page.locator("#to-review-go").count():
        # The page reloads itself after the review.
        with page.expect_navigation():
            page.click("#to-review-go")


def practising(player: Player, shots: Shots) -> None:
    """Visit the list of exercises, the counting exercise, and a position of a set."""
    page = player.page
    page.goto(f"/practice?lang={player.lang}")
    shots.take(page, "practice")
    page.goto("/practice/count")
    page.wait_for_selector("#drill[data-ready]")
    shots.take(page, "practice/count")
    page.locator('[name="seconds"][value="0"]').check(force=True)
    page.locator("#begin").click()
    page.keyboard.type("12")
    shots.take(page, "practice/count, a hand")
    page.keyboard.press("Enter")
    shots.take(page, "practice/count, its count")
    for theme in ("crib", "leads"):
        page.goto(f"/practice/sets/{theme}")
        page.wait_for_selector('#solve[data-stage="asked"]')
        shots.take(page, f"practice/sets/{theme}")
        page.keyboard.press("1")
        if theme == "crib":
            page.keyboard.press("2")
        page.keyboard.press("Enter")
        page.wait_for_selector('#solve[data-stage="solved"]')
        shots.take(page, f"practice/sets/{theme}, solved")


def imported_game(player: Player, shots: Shots) -> None:
    """Import a game that is refused and then read; enter a game by hand."""
    page = player.page
    page.goto(f"/import?lang={player.lang}")
    shots.take(page, "import")
    for kind, sent in (("refused", IMPORTED.replace("Deal  2: ", "Deal  2: 5X ")), ("read", IMPORTED)):
        page.locator("#text").fill(sent)
        with page.expect_navigation():
            page.locator("button[value=look]").click()
        shots.take(page, f"import, {kind}")
    page.goto("/import/by-hand")
    page.locator("[name=name_0]").fill("Aiko")
    page.locator("[name=name_1]").fill("Ken")
    shots.take(page, "import/by-hand")
    page.locator("#setup button").click()
    for card in ("5H", "6H", "7H", "JD", "4S", "KC"):
        page.locator(f"#picker [data-card='{card}']").click()
    shots.take(page, "import/by-hand, a deal")


def inviting(player: Player, shots: Shots) -> None:
    """Visit the waiting room of a host, and the invitation as a stranger."""
    page = player.page
    with mock.patch.object(invitations, "external_base", return_value="http://cards.example"):
        player.sit_down(variant="three-handed", level_1="person")
        shots.take(page, "waiting room")
    path = page.locator("[data-link]").input_value().removeprefix("http://cards.example")
    page.context.clear_cookies()
    page.goto(f"{path}?lang={player.lang}")
    shots.take(page, "invitation")


def open_tables(player: Player, shots: Shots) -> None:
    """Visit a wrong code, the lobby, a seat at one of its tables, and quick chat."""
    page = player.page
    page.goto(f"/join?lang={player.lang}")
    page.locator("main [name=code]").fill("k7m4 qx3t")
    with page.expect_navigation() as arrived:
        page.locator("main form .button").click()
    assert arrived.value.status == 404
    shots.take(page, "join, a wrong code")
    page.goto("/lobby")
    shots.take(page, "lobby, before")
    address = urlsplit(page.url)
    assert address.port is not None
    with Live(address.port).person(player.lang) as aiko, Live(address.port).person(player.lang) as ken:
        aiko.new_game("partners", name="Aiko", level_2="person", listed="yes")
        game = ken.new_game(name="Ken", level_1="person", listed="yes", counting="claimed", muggins="missed")
        page.goto("/lobby")
        page.locator(".lobby-table", has_text="Ken").wait_for()
        shots.take(page, "lobby")
        with page.expect_navigation():
            page.locator(".lobby-table", has_text="Ken").locator("[data-action=sit]").click()
        shots.take(page, "lobby, sitting down")
        with ken.open(game) as table:
            page.locator("main [data-action=sit]").click()
            page.wait_for_selector("#quick-chat-button:not([hidden])")
            page.locator("#quick-chat-button").click()
            shots.take(page, "quick chat")
            page.locator('[data-message="luck"]').click()
            table.send("chat", "thanks")
            page.wait_for_selector('.chat-message[data-chat="thanks"]')
            shots.take(page, "quick chat, sent")


def sealed(player: Player, shots: Shots) -> None:
    """Open the seal of the dealing and its proof in a match of nine games."""
    page = player.page
    player.sit_down(variant="six-card", target="61", length="nine", level_1="greedy")
    seen = False
    for asked in player.play():
        if asked == "play" and player.view["deal"] == 2 and not seen:
            seen = True
            if not page.locator("#seal").is_visible():
                page.click(".bar-menu")
                shots.take(page, "tools with the seal")
            page.click("#seal:visible, #seal-tool:visible")
            page.wait_for_selector("#proof-body *")
            shots.take(page, "proof")
            page.locator("#proof summary").first.click()
            shots.take(page, "proof, a deal")
            page.keyboard.press("Escape")
    shots.take(page, "over, a match of nine")


RATED = [
    Rating("six-card", "b", "Ken", 31.2, 1.1, 214),
    Rating("six-card", "a", "Aiko", 27.4, 1.6, 57),
    Rating("six-card", "c", "MaximilianMontgomery24xy", 24.0, 6.5, 3),
    Rating("five-card", "a", "Aiko", 25.9, 5.2, 6),
]
PASSPHRASE = "the cat walks on eight oars"


async def _rated(_: object, owner: str | None = None) -> list[Rating]:
    return [one for one in RATED if owner is None or one.owner == "a"]


def account(player: Player, shots: Shots) -> None:
    """Visit the account of a guest, a refusal, a new account, the list of people, and the deletion."""
    page = player.page
    page.goto(f"/people?lang={player.lang}")
    shots.take(page, "people, none yet")
    player.sit_down(variant="six-card")
    page.goto(f"/account?lang={player.lang}")
    shots.take(page, "account, a guest")
    page.locator("#sign-in-passphrase").fill(PASSPHRASE)
    page.locator("form[action='/account/sign-in'] [name=name]").fill("Unknown")
    page.locator("form[action='/account/sign-in'] .button:not([data-shows])").click()
    page.wait_for_selector("#sign-in-error")
    shots.take(page, "account, refused")
    page.locator("form[action='/account/keep'] [name=name]").fill(f"Aiko {next(_numbers)}")
    page.locator("#keep-passphrase").fill(PASSPHRASE)
    page.locator("form[action='/account/keep'] .button--primary").click()
    page.wait_for_selector(".account-head")
    with mock.patch.object(account_pages, "read_ratings", _rated):
        page.reload()
        shots.take(page, "account")
        page.locator(".account summary").press("Enter")
        page.locator(".own-data").scroll_into_view_if_needed()
        shots.take(page, "account, below")
        page.goto("/people")
        shots.take(page, "people")
    page.goto("/account/delete")
    shots.take(page, "account/delete")


_numbers = count(1)
"""Numbers for unused usernames."""

AT_THE_TABLE: tuple[Visit, ...] = (
    counted_game,
    claimed_game,
    sealed,
    coached_game,
    own_games,
    inviting,
    open_tables,
)
PAGES: tuple[Visit, ...] = (lessons, standing, reviewed, practising, imported_game, account)
