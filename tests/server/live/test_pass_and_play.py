"""Pass-and-play: no person's cards are sent before that person presses."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fifteentwo.i18n import text
from fifteentwo.server.table_log.dealing import commitment_to
from tests.support.live_server import PATIENCE, Json, Live, Page, Person, cards_in
from tests.support.stored import known_after, ledger_of


class SharedPage:
    """A page of several people: it presses as each of them, and stores who had pressed at each message."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.to: Json = {}
        self.shown: int | None = None
        """The seat that has pressed."""
        self.heard: list[tuple[int | None, int, Json]] = []
        """The seat that had pressed, the version, and the message."""
        self.v = -1
        self.covers = 0

    def hear(self) -> Json:
        message = self.page.hear()
        self.v = message.get("v", self.v)
        if message["t"] == "pass-screen":
            self.shown, self.to = None, message["d"]
            self.covers += message["d"]["is_covered"]
            self.page.choices = []
        self.heard.append((self.shown, self.v, message))
        return message

    def take(self) -> None:
        """Press as the person who receives the screen, again if it was passed on again."""
        self.page.send("uncover-screen", self.to["number"])
        while (message := self.hear())["t"] != "table":
            # An action that comes after another player's may be refused, like a press for an earlier pass.
            assert message["t"] in ("people", "dealing", "waiting", "refused", "pass-screen"), message
            if message["t"] == "pass-screen":
                if self.to["to_seat"] is None:
                    return
                self.page.send("uncover-screen", self.to["number"])
        self.shown = self.to["to_seat"]
        self.heard[-1] = (self.shown, self.v, message)

    def play_out(self, rng: random.Random, most: int = 3000) -> None:
        """Play at random for everyone at this screen until the game is over."""
        for _ in range(most):
            if self.to and self.shown is None and self.to["to_seat"] is not None:
                self.take()
            elif self.page.choices:
                self.page.send("act", rng.choice(self.page.choices))
                self.page.choices = []
                while self.hear()["t"] not in ("waiting", "pass-screen", "refused"):
                    pass
            elif self.page.view and self.page.view["won"]:
                return
            elif self.shown is not None and self.page.view.get("phase") == "name-dealer":
                self.page.send("act", {"type": "NameDealer", "dealer": 0})
                self.page.view = {}
            else:
                self.hear()
        raise AssertionError("no end")


@contextmanager
def shared(person: Person, game: str, **more: Any) -> Iterator[SharedPage]:
    with person.open(game, **more) as page:
        yield SharedPage(page)


UNCUT = {"cut_before_deal": "no"}
VARIANTS: list[dict[str, str]] = [
    {"variant": "six-card", "level_1": "here", "here_1": "Ben"},
    {
        "variant": "six-card",
        "level_1": "here",
        "cut_before_deal": "no",
        "counting": "claimed",
        "muggins": "missed",
        "target": "61",
    },
    {"variant": "five-card", "level_1": "here", "counting": "claimed"},
    {"variant": "three-handed", "level_1": "here", "level_2": "random", "target": "61"},
    {"variant": "three-handed", "level_1": "here", "level_2": "here", "starter": "top", "target": "61"},
    {"variant": "partners", "level_1": "random", "level_2": "here", "level_3": "random", "target": "61"},
    {
        "variant": "partners",
        "level_1": "here",
        "level_2": "here",
        "level_3": "here",
        "partners_by_draw": "yes",
    },
    {"variant": "four-handed", "level_1": "here", "level_2": "greedy", "level_3": "here", "target": "61"},
]


OF_EACH_KIND = (VARIANTS[3],)
"""Three seats with a computer; the others are long."""


@pytest.mark.parametrize(
    "chosen",
    [one if one in OF_EACH_KIND else pytest.param(one, marks=pytest.mark.long) for one in VARIANTS],
    ids=lambda one: f"{one['variant']}-{'+'.join(sorted(one)[:3])}",
)
def test_no_message_has_cards_of_a_person_who_has_not_pressed(
    live: Live, database: Path, chosen: dict[str, str]
) -> None:
    with live.person() as ada:
        game = ada.new_game(name="Ada", **chosen)
        with shared(ada, game) as screen:
            screen.play_out(random.Random(len(str(chosen))))
        ledger = ledger_of(database, game)
        people = range(len(ledger.seated))
        knows = {person: known_after(ledger.entries, person) for person in people}
        open_at = [
            set.intersection(*known) for known in zip(*(knows[person] for person in people), strict=True)
        ]
        tried = 0
        for shown, at, message in screen.heard:
            if at < 0:
                assert not cards_in(json.dumps(message))
                continue
            seated = ledger.entries[min(at, ledger.v - 1)].person_by_seat
            open_to_all = set(open_at[at])
            allowed = open_to_all if shown is None else knows[seated[shown]][at]
            d = dict(message["d"])
            if message["t"] == "dealing":
                continue  # of finished deals
            sentences = [*d.pop("sentences", ()), d.pop("sentence", "") or ""]
            # Everyone saw the draws for the deal.
            drawn = cards_in(json.dumps(d.get("view", {}).get("drawn", [])))
            assert cards_in(json.dumps(d, ensure_ascii=False)) <= allowed | drawn, (shown, message)
            for before in range(max(0, at - 40), at + 1):
                open_to_all |= open_at[before]
            assert cards_in(" ".join(sentences)) <= open_to_all | drawn, (shown, sentences)
            tried += shown is not None
        assert tried > 50
        assert screen.covers > 5


def test_screen_stays_uncovered_if_the_same_person_continues_or_nothing_is_hidden(
    live: Live, database: Path
) -> None:
    with live.person() as ada:
        game = ada.new_game("six-card", level_1="here", here_1="Ben", target="61", first_dealer="high")
        with shared(ada, game) as screen:
            screen.play_out(random.Random(4))
        passes = [message["d"] for _, _, message in screen.heard if message["t"] == "pass-screen"]
        acts = sum(line.event is not None for line in ledger_of(database, game).entries)
        covered = [one for one in passes if one["is_covered"]]
        assert len(covered) < acts / 2
        # Everyone may see draws and cuts before the deal.
        assert any(not one["is_covered"] for one in passes)
        assert covered[0]["to_seat"] is not None


def test_reload_covers_the_screen_and_an_old_press_is_refused(live: Live) -> None:
    with live.person() as ada:
        game = ada.new_game(
            "six-card", level_1="here", here_1="Ben", first_dealer="named", cut_before_deal="no"
        )
        with shared(ada, game) as screen:
            while not (screen.to and screen.to["is_covered"]):
                if screen.to and screen.shown is None:
                    screen.take()
                elif screen.page.view:
                    screen.page.send("act", {"type": "NameDealer", "dealer": 0})
                    screen.page.view = {}
                else:
                    screen.hear()
            dealer = screen.to["to_seat"]
            assert dealer == 0, "the last to discard goes on to cut"
            screen.take()
            mine = set(screen.page.view["hand"])
            assert len(mine) == 6
            for v in (None, screen.page.v, 0):
                with shared(ada, game, v=v) as again:
                    again.hear()
                    while not again.to:
                        again.hear()
                    assert again.to["is_covered"]
                    assert not any(cards_in(text) for text in again.page.heard)
                    for number in (again.to["number"] - 1, again.to["number"] + 1, -1):
                        again.page.send("uncover-screen", number)
                        assert again.page.until("refused")["d"]["code"] == "screen-passed-on"
                    again.page.send("act", {"type": "Discard", "seat": 0, "cards": sorted(mine)[:2]})
                    assert again.page.until("refused")["d"]["code"] == "screen-covered"
                    again.page.send("lang", "ja")
                    assert again.page.until("pass-screen")["d"]["is_covered"]
                    again.page.send("undo")
                    assert again.page.until("refused")["d"]["code"] == "undo-against-computers-only"
                    again.page.send("hint")
                    assert again.page.until("refused")["d"]["code"] == "hint-against-computers-only"
                    assert not any(cards_in(text) for text in again.page.heard)


def test_shared_page_commits_a_seed_for_each_of_its_people(live: Live, database: Path) -> None:
    seeds = {commitment_to(bytes([n]) * 32): (bytes([n]) * 32).hex() for n in (1, 2)}
    first, second = seeds
    with live.person() as ada:
        game = ada.new_game("six-card", level_1="here", here_1="Ben")
        with shared(ada, game, commitment=first) as screen:
            screen.page.until("dealing")
            screen.page.send("commit", second)
            while screen.page.dealing.get("stage") != "revealing":
                screen.page.until("dealing")
            assert screen.page.dealing["committed"] == [first, second]
            screen.page.send("reveal", seeds[second])
            screen.page.send("reveal", seeds[first])
            while screen.page.dealing.get("stage") != "dealing":
                screen.page.until("dealing")
            assert screen.page.dealing["seeds"] == list(seeds.values())
        ledger = ledger_of(database, game)
        assert ledger.seeds is not None
        assert set(ledger.seeds.seeds.values()) == set(seeds.values())


def test_pass_and_play_game_is_listed_once_and_counts_for_nobody(live: Live, lang: str) -> None:
    with live.person(lang) as ada:
        game = ada.new_game("five-card", level_1="here", name="Ada")
        home = ada.browser.get("/").text
        assert home.count(f'href="/game/{game}"') == 1
        other = text("pass_and_play.player", lang, n=2)
        assert other in home
        with shared(ada, game) as screen:
            screen.play_out(random.Random(1))
            assert screen.page.table["names"] in (["Ada", other], [other, "Ada"])
        history = ada.browser.get("/history").text
        assert history.count(f"/review/{game}") <= 2
        assert other in history
        assert text("home.you", lang) not in history.split("<main")[1].split("</main")[0]
        for page in ("/history/statistics", "/practice", f"/review/{game}", f"/game/{game}/log"):
            assert ada.browser.get(page).status_code in (200, 404), page
        kept = ada.browser.get(f"/game/{game}/record").text
        assert other in kept
        export = ada.browser.get("/account/everything")
        if export.status_code == 200:
            [table] = [one for one in export.json()["tables"] if one["table"] == game]
            assert table["own_seats"] == [0, 1]


def test_shared_screen_has_no_challenge_time(live: Live) -> None:
    with live.person() as ada:
        game = ada.new_game(
            "six-card", level_1="here", counting="claimed", muggins="missed", challenge_seconds="5"
        )
        with shared(ada, game) as screen:
            while not screen.page.table:
                if screen.to and screen.shown is None:
                    screen.take()
                else:
                    screen.hear()
            assert screen.page.table["options"]["challenge_seconds"] is None


def test_people_of_a_shared_screen_are_all_present_or_all_absent(live: Live) -> None:
    with live.person() as ada, live.person() as cleo:
        game = ada.new_game("three-handed", level_1="here", level_2="person", name="Ada", here_1="Ben")
        with shared(ada, game) as screen:
            place = screen.page
            while "table" not in [one[2]["t"] for one in screen.heard]:
                if screen.to and screen.shown is None:
                    screen.take()
                else:
                    screen.hear()
            cleo.sit(place.table["invitations"][0]["path"], "Cleo")
            with cleo.open(game) as page:
                people = page.until("people", PATIENCE)["d"]
                assert people["present"] == [True, True, True]
                place.__exit__()
                while page.until("people")["d"]["present"] != [False, False, True]:
                    pass
                place._line = ada.open(game)._line
                place.__enter__()
