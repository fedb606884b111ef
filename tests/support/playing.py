"""A player in a browser, who answers the page's questions by mouse or keyboard."""

import contextlib
import json
import random
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any

from playwright.sync_api import ConsoleMessage, Error, Page, WebSocket

Json = dict[str, Any]

ASKED = """() => {
  const table = document.getElementById("table");
  if (!table) return null;
  const there = (selector) =>
    [...table.querySelectorAll(selector)].some((one) => one.checkVisibility() && !one.disabled);
  if (table.dataset.phase === "connecting") return null;
  if (there('[data-action="continue"]')) return "continue";
  if (table.dataset.settled !== "true") return null;
  if (there('[data-action="next"]')) return "over";
  if (table.dataset.phase === "name-dealer") return "name-dealer";
  if (table.dataset.turn !== "own") return null;
  const asked = ["draw", "cut", "claim", "accept"].find((action) => there(`[data-action="${action}"]`));
  if (asked) return asked;
  return ["discard", "play"].includes(table.dataset.phase) ? table.dataset.phase : null;
}"""
"""The question of the table now, or null."""

PLAYABLE = "#hand button:not([aria-disabled])"
_FIRST = {"over": "next"}
PATIENCE_MS = 60_000
"""Timeout of every wait, far more than a busy machine needs."""


def messages_in(frame: str | bytes) -> list[Json]:
    """Return the messages of a frame that the server sent."""
    return [json.loads(one) for one in str(frame).split("\n")]


class _FormParser(HTMLParser):
    """Reads the form fields of a page; of several fields with one name, the last."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "select":
            self._select = given.get("name", "")
        elif tag == "option" and self._select and ("selected" in given or self._select not in self.fields):
            self.fields[self._select] = given.get("value", "")
        chosen = "checked" in given or given.get("type") not in ("radio", "checkbox")
        if tag == "input" and chosen and given.get("name", "code") != "code":
            self.fields[given["name"]] = given.get("value", "")


def defaults(page: str) -> dict[str, str]:
    """Return the form fields of a page with their values."""
    parser = _FormParser()
    parser.feed(page)
    return parser.fields


def loaded(page: Page) -> None:
    """Wait for the requests of the hand checker; other pages send none."""
    if "hand=" in page.url:
        page.wait_for_load_state("networkidle")


class Player:
    """One page at one table."""

    def __init__(self, page: Page, lang: str, *, quiet: bool = True) -> None:
        self.page = page
        self.lang = lang
        self.quiet = quiet
        self.complaints: list[str] = []
        self.view: Json = {}
        self.pegged: list[Json] = []
        self.asked: list[str] = []
        self.keys: list[str] = []
        self.rng = random.Random(15)
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._on_console)
        page.on("websocket", self._on_websocket)

    def _on_console(self, message: ConsoleMessage) -> None:
        # A slow server is given up and asked again; the page may be closed just then.
        reconnects = "closed before the connection is established" in message.text
        # A slow machine uses a preloaded file later than Chromium expects.
        is_slow = "preloaded using link preload but not used within a few seconds" in message.text
        if message.type in ("error", "warning") and not reconnects and not is_slow:
            self.complaints.append(message.text)

    def _on_websocket(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._on_frame)

    def _on_frame(self, frame: str | bytes) -> None:
        for message in messages_in(frame):
            if message["t"] in ("table", "view"):
                self.view = message["d"]["view"]
            elif message["t"] == "event" and (event := message["d"]["event"]) and event["type"] == "Pegged":
                self.pegged.append(event)

    # ── Sitting down ─────────────────────────────────────────────────────────────────────────────────────

    def home(self) -> None:
        """Open the first page, and wait for its script."""
        self.page.goto(f"/?lang={self.lang}")
        self.page.wait_for_selector("form[data-ready]", state="attached")

    def unfold(self) -> None:
        """Unfold the whole new-game form of the home page."""
        self.page.evaluate("for (const id of ['another', 'agreed']) document.getElementById(id).open = true")

    def choose(self, **chosen: str) -> None:
        """Unfold the new-game form, and fill it in."""
        self.unfold()
        for name, value in chosen.items():
            field = self.page.locator(f'[name="{name}"]:not([type="hidden"])')
            kind = field.first.evaluate("(one) => one.type")
            if kind == "radio":
                self.page.locator(f'label:has([name="{name}"][value="{value}"])').click()
            elif kind == "checkbox":
                if field.is_checked() != (value == "yes"):
                    self.page.locator(f'label:has([name="{name}"][value="yes"])').click()
            elif kind.startswith("select"):
                field.select_option(value)
            else:
                field.fill(value)

    def sit_down(self, speed: str = "instant", **chosen: str) -> None:
        """Make a game as the home page's form would, and open its table."""
        request = self.page.context.request
        fields = defaults(request.get(f"/?lang={self.lang}").text())
        # The page's script would fill in the target of the variant.
        fields.pop("target")
        made = request.post("/games", form=dict(fields | chosen), max_redirects=0)
        assert made.status == 303, made.text()
        self.page.add_init_script(
            f"localStorage['fifteentwo.settings'] ??= {json.dumps(json.dumps({'speed': speed}))}"
        )
        self.page.goto(made.headers["location"])
        self.page.wait_for_selector("#table, #waiting-room")

    # ── Playing ──────────────────────────────────────────────────────────────────────────────────────────

    def wait(self) -> str:
        """Return the next question: draw, cut, discard, play, claim, accept, continue, name-dealer, over."""
        asked: str = self.page.wait_for_function(ASKED, polling=16).json_value()
        self.asked.append(asked)
        return asked

    def turn(self) -> bool:
        """Answer the question of the table, and return whether there was one."""
        asked: str | None = self.page.evaluate(ASKED)
        if asked is None or asked == "over":
            return False
        self.asked.append(asked)
        self.click(asked)
        self.answered(asked)
        return True

    def click(self, asked: str) -> None:
        """Answer with the mouse."""
        page = self.page
        match asked:
            case "draw":
                # Another player may take the very card, or the draw may have ended: then this press is void.
                cards = page.locator('[data-action="draw"]')
                while count := cards.count():
                    with contextlib.suppress(Error):
                        card = cards.nth(self.rng.randrange(min(count, 40)))
                        card.click(force=True, position={"x": 4, "y": 12}, timeout=5_000)
                        break
            case "name-dealer":
                page.locator('[data-action="name-dealer"]').last.click()
            case "discard":
                for place in range(self.view["rules"]["discards"]):
                    page.locator("#hand button").nth(place).click(position={"x": 8, "y": 16})
                page.click('[data-action="discard"]')
            case "play":
                page.locator(PLAYABLE).first.click(position={"x": 8, "y": 16})
            case "claim":
                if self.rng.random() < 0.5 and page.locator(".show-cards button").count():
                    for place in (0, 1):
                        page.locator(".show-cards button").nth(place).click(position={"x": 8, "y": 16})
                    page.click('[data-action="count"]')
                page.click('[data-action="claim"]')
            case "accept":
                page.click(f'[data-action="{self.rng.choice(("accept", "muggins"))}"]')
            case _:
                page.click(f'[data-action="{asked}"]')

    def press(self, asked: str) -> None:
        """Answer with as few keys as possible; the focus is already on the first action."""
        match asked:
            case "discard":
                count = self.view["rules"]["discards"]
                for place in range(count):
                    self.key(str(place + 1))
                self.at('[data-action="discard"]:not(:disabled)')
                self.key("Enter")
            case "play":
                self.key(str(self.page.locator(PLAYABLE).first.get_attribute("data-index")))
            case "claim":
                self.key("2")
                self.at('[data-action="claim"]')
                self.key("Enter")
            case _:
                self.at(f'[data-action="{_FIRST.get(asked, asked)}"]')
                self.key("Enter")

    def key(self, name: str) -> None:
        """Press a key, and count it."""
        self.keys.append(name)
        self.page.keyboard.press(name)

    def at(self, selector: str) -> None:
        """Wait until the page has moved the focus to this element."""
        stands = "(selector) => document.activeElement.matches(selector)"
        try:
            self.page.wait_for_function(stands, arg=selector)
        except Error as error:
            where = self.page.evaluate("document.activeElement.outerHTML.slice(0, 160)")
            raise AssertionError(f"the keyboard stands on {where}, not on {selector}") from error

    def play(self, answer: Callable[[str], None] | None = None, *, most: int = 900) -> Iterator[str]:
        """Answer every question until the game is over; yield each question before its answer."""
        for _ in range(most):
            asked = self.wait()
            yield asked
            if asked == "over":
                return
            (answer or self.click)(asked)
            self.answered(asked)
        raise AssertionError(f"no end after {most} answers: {self.asked[-20:]}")

    def answered(self, asked: str) -> None:
        """Wait until the answer was sent, because the same question may be asked again."""
        if asked == "continue":
            self.page.wait_for_selector('[data-action="continue"]', state="detached")

    # ── Looking ──────────────────────────────────────────────────────────────────────────────────────────

    def pegs(self) -> Json:
        """Return the holes of the pegs on the page, by side."""
        found: Json = self.page.evaluate(
            """() => {
              const holes = (kind) => [...document.querySelectorAll(`#board [data-peg="${kind}"]`)]
                .sort((a, b) => a.dataset.side - b.dataset.side).map((peg) => Number(peg.dataset.hole));
              return { front: holes("front"), rear: holes("rear") };
            }"""
        )
        return found

    def scores(self) -> list[int]:
        """Return the scores on the page, by side."""
        found: list[int] = self.page.evaluate(
            """() => [...document.querySelectorAll("[data-score]")]
                 .sort((a, b) => a.dataset.side - b.dataset.side).map((one) => Number(one.dataset.score))"""
        )
        return found


Visit = Callable[..., Player]
"""Opens a page in a new context of the browser."""
