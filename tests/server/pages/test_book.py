"""The Book over HTTP: one address for every entry, in any spelling; errors show the way back."""

import asyncio
import itertools
import json
import random
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import httpx
import pytest
from click.testing import CliRunner

from fifteentwo.cli import main
from fifteentwo.i18n import languages, text
from fifteentwo.rules.cards import DECK
from fifteentwo.server.app import make_app
from fifteentwo.server.study import book as book_values
from tests.support.live_server import Live
from tests.support.whole_pages import is_a_page

ENTRY = "/book/5H5S6D7CJCKD/pone/110-116"
FIVE = "/book/5H5S6D7CJC/pone/3-0"


@pytest.fixture
def browser(live: Live) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=live.http, headers={"Accept-Language": "en"}, timeout=60) as client:
        yield client


WRITTEN = [
    *("/book/KDJC7C6D5S5H/pone/110-116", "/book/kdjc7c6d5s5h/PONE/110-116"),
    *("/book/5♥5♠6♦7♣J♣K♦/pone/110-116", "/book/♥5♠5♦6♣7♣J♦K/pone/110-116"),
    *("/book/5H 5S 6D 7C JC KD/pone/110-116", "/book/5H,5S,6D,7C,JC,KD/pone/110–116"),
    "/book/５Ｈ5S6D7CJCKD/pone/１１０-116",
]


def test_an_entry_has_one_address(subtests: pytest.Subtests, browser: httpx.Client) -> None:
    for written in WRITTEN:
        with subtests.test(written=written):
            answer = browser.get(f"{quote(written)}?lang=ja")
            assert (answer.status_code, answer.headers["location"]) == (308, f"{ENTRY}?lang=ja")


def test_tens_are_read_either_way(browser: httpx.Client) -> None:
    for written in ("10H5S6D7CJCKD", "TH5S6D7CJCKD", "♥10♠5♦6♣7♣J♦K"):
        answer = browser.get(f"/book/{quote(written)}/dealer/0-0", follow_redirects=True)
        assert answer.url.path == "/book/5S6D7CTHJCKD/dealer/0-0"


def test_the_search_form_redirects_to_the_address(browser: httpx.Client) -> None:
    asked = {"hand": "kd jc 7c 6d 5s 5h", "role": "pone", "own": "110", "other": "116"}
    answer = browser.get("/book", params=asked)
    assert (answer.status_code, answer.headers["location"]) == (303, ENTRY)
    assert browser.get("/book/5H5S6D7CJCKD").headers["location"] == "/book/5H5S6D7CJCKD/pone/0-0"
    # A game of five-card cribbage begins with three for last (R100).
    assert browser.get("/book/5H5S6D7CJC").headers["location"] == FIVE
    assert browser.get("/book/5H5S6D7CJC/dealer").headers["location"] == "/book/5H5S6D7CJC/dealer/0-3"


def test_a_position_leads_to_its_address(subtests: pytest.Subtests, browser: httpx.Client) -> None:
    cases: list[tuple[str, str]] = [
        ("110-116 pone 5H5S6D7CJCKD", ENTRY),
        ("110-116* 5H-5S-6D-7C-JC-KD", ENTRY),
        ("100-91* 5-6-8-Q-Q-K", "/book/5S6H8DQCQSKH/pone/100-91"),
        ("90-96 pone 5H5SJCKD/6D7C 4S JCTS", f"{ENTRY.replace('110-116', '90-96')}/6D7C/4S/JCTS"),
        ("five-card 3-0 pone 5H5S6D7CJC", FIVE),
        ("five-card 3-0 pone 5H5SJC/6D7C 4S JCTS", f"{FIVE}/6D7C/4S/JCTS"),
        ("93-98 pone 5H5SJCKD/6D7C 4S 5H5CJC", f"{ENTRY.replace('110-116', '93-96')}/6D7C/4S/5H5CJC"),
    ]
    for position, address in cases:
        with subtests.test(position=position, address=address):
            for asked in (f"/book/{quote(position)}", f"/book?{urlencode({'hand': position})}"):
                answer = browser.get(asked)
                assert (answer.status_code, answer.headers.get("location")) == (303, address)
            assert browser.get(address).status_code == 200


@pytest.mark.parametrize(
    "position", ["110-116 pone 5H5S6D7CJC", "three-handed 0-0-0* 5H5S6D7CJC", "0-0 dealer"]
)
def test_positions_outside_the_book_are_refused_above_the_search(
    browser: httpx.Client, position: str
) -> None:
    answer = browser.get(f"/book/{quote(position)}")
    assert answer.status_code == 400
    assert quote(position)[:6] in answer.text or position in answer.text


WRONG = [
    ("/book/5H5S6D7C/pone/110-116", "4"),
    ("/book/5H5S6D7CJC/pone/61-0", "61-0"),
    ("/book/5H5S6D7CJCKDKS/pone/110-116", "7"),
    ("/book/5H5S6D7CJCJC/pone/110-116", "JC"),
    ("/book/5H5S6D7CJCXX/pone/110-116", "5H5S6D7CJCXX"),
    ("/book/5H5S6D7CJCKD/eldest/110-116", "eldest"),
    ("/book/5H5S6D7CJCKD/pone/121-0", "121-0"),
    ("/book/5H5S6D7CJCKD/pone/-1-0", "-1-0"),
    ("/book/5H5S6D7CJCKD/pone/1-2-3", "1-2-3"),
    ("/book/5H5S6D7CJCKD/pone/99999999999999999999-0", "9999"),
    (f"/book/{'5H' * 4000}/pone/0-0", "5H5H"),
    ("/book/<script>alert(1)</script>/pone/0-0", ""),
    (f"{ENTRY}/6D8C", "6D8C"),
    (f"{ENTRY}/6D7C/6D", "6D"),
    (f"{ENTRY}/6D7C/4S4H", "4S4H"),
    (f"{ENTRY}/6D7C/4S/JCJC", "JC"),
    (f"{ENTRY}/6D7C/4S/JC4S", "4S"),
    (f"{ENTRY}/6D7C/4S/JC6D", "6D"),
    (f"{ENTRY}/6D7C/4S/JC5H", ""),
    (f"{ENTRY}/6D7C/4S/JCQSKDAC9S8S7S6S5D", ""),
    ("/book/5H5S6D7C/card", "4"),
    ("/book?hand=5H", "1"),
]


def test_a_wrong_address_is_named_above_the_search_form(
    subtests: pytest.Subtests, browser: httpx.Client
) -> None:
    for lang, (address, named) in itertools.product(languages(), WRONG):
        with subtests.test(lang=lang, address=address, named=named):
            answer = browser.get(address, headers={"Accept-Language": lang})
            assert answer.status_code in (400, 404)
            is_a_page(answer, lang)
            alert = re.search(r'role="alert">([^<]+)<', answer.text)
            assert alert is not None
            assert named in alert[1]
            assert "unreadable." not in alert[1]
            assert '<form class="book-pick' in answer.text
            assert "<script>alert" not in answer.text


def test_every_page_of_the_book_is_whole(subtests: pytest.Subtests, browser: httpx.Client) -> None:
    for address, lang in itertools.product(
        [
            "/book",
            ENTRY,
            f"{ENTRY}?discard=JCKD",
            f"{ENTRY}?discard=2C2D",
            f"{ENTRY}/map",
            "/book/5H5S6D7CJCKD/card",
            f"{ENTRY}/6D7C",
            f"{ENTRY}/6D7C/4S",
            f"{ENTRY}/6D7C/4S/JCTS5H",
            f"{ENTRY}/6D7C/4S/JC",
            FIVE,
            f"{FIVE}/map",
            "/book/5H5S6D7CJC/card",
            f"{FIVE}/6D7C",
            f"{FIVE}/6D7C/4S/JCTS",
            "/solved",
        ],
        languages(),
    ):
        with subtests.test(address=address, lang=lang):
            answer = browser.get(address, headers={"Accept-Language": lang})
            assert answer.status_code == 200
            is_a_page(answer, lang)
            shown = re.sub(r'<script type="application/json".*?</script>', "", answer.text, flags=re.DOTALL)
            # Texts of the map in which the script fills in the selected board.
            shown = re.sub(r' data-at="[^"]*"', "", shown)
            assert not re.search(r">\s*(book|solved|report|check)\.[a-z.-]+|\{[a-z_]+}", shown)
            assert "style=" not in answer.text


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (ENTRY, ["KD", "JC", "7C", "6D", "5S", "5H", "--board", "110-116"]),
        (FIVE, ["JC", "7C", "6D", "5S", "5H"]),
    ],
)
def test_the_page_its_json_and_the_command_say_the_same(
    browser: httpx.Client, entry: str, words: list[str]
) -> None:
    response = browser.get(f"/api{entry}").json()
    output = json.loads(CliRunner().invoke(main, ["book", *words, "--pone", "--json"]).stdout)
    assert output == {"version": 1, **response}
    assert response["address"] == entry
    page = browser.get(entry).text
    shown = re.findall(r'class="number-cell nowrap book-win"><b>([0-9.]+) %</b>', page)
    # JSON has six decimals, the page four: a half may be rounded either way.
    wins = [100 * option["win"] for option in response["options"]]
    assert [float(one) for one in shown] == pytest.approx(wins, abs=0.00501)
    assert browser.get("/api/book/5H/pone/0-0").status_code == 400


def test_the_command_and_the_page_say_the_same_of_the_play(browser: httpx.Client) -> None:
    words = ["book", "play", "5H", "5S", "6D", "7C", "JC", "KD", "--pone", "--board", "90-96"]
    words += ["--starter", "4S", "--json"]
    output = json.loads(
        CliRunner().invoke(main, [*words, "--discarded", "6D 7C", "--played", "JC TS"]).stdout
    )
    page = browser.get(output["address"]).text
    shown = re.findall(r"<b>([0-9.]+) %</b>", page)
    assert shown == [f"{100 * one['win']:.2f}" for one in output["options"]]
    for one in output["options"]:
        assert f'href="{output["address"]}{one["card"]}"' in page


def test_the_map_names_at_every_board_the_discard_of_its_entry(browser: httpx.Client) -> None:
    page = browser.get(f"{ENTRY}/map").text
    rows = re.search(r'data-rows="([A-O ]+)"', page)
    assert rows is not None
    letters = rows[1].split(" ")
    assert [len(row) for row in letters] == [121] * 121
    marks = re.findall(r'data-letter="([A-O])"[^>]*>.</span> <a [^>]*href="[^"]*discard=([^#"]+)#made"', page)
    discards = dict(marks)
    luck = random.Random(2)
    for _ in range(6):
        own, other = luck.randrange(121), luck.randrange(121)
        options = browser.get(f"/api/book/5H5S6D7CJCKD/pone/{own}-{other}").json()["options"]
        discard = discards[letters[own][other]]
        win = next(option["win"] for option in options if "".join(option["discard"]) == discard)
        assert win >= options[0]["win"] - 0.0005 - 1e-9


@pytest.mark.parametrize(
    ("address", "least"), [(f"{ENTRY.replace('110-116', '30-40')}/6D7C", 6), (f"{FIVE}/6D7C", 4)]
)
def test_links_of_the_play_lead_on_to_its_end(browser: httpx.Client, address: str, least: int) -> None:
    """The first link after each card leads through a whole deal."""
    luck, seen = random.Random(4), 0
    while True:
        page = browser.get(address)
        assert page.status_code == 200, address
        onward = re.findall(rf'href="({re.escape(address)}/?[A-Z0-9]{{2}})"', page.text)
        if not onward:
            break
        address, seen = luck.choice(onward), seen + 1
    assert seen >= least
    assert text("book.play-over", "en") in page.text


@pytest.mark.long
def test_any_six_cards_have_a_page(browser: httpx.Client) -> None:
    luck = random.Random(11)
    for _ in range(12):
        six = "".join(card.text for card in luck.sample(DECK, 6))
        role, board = luck.choice(("pone", "dealer")), f"{luck.randrange(121)}-{luck.randrange(121)}"
        answer = browser.get(f"/book/{six}/{role}/{board}", follow_redirects=True)
        assert answer.status_code == 200
        assert answer.text.count('role="rowheader"') == 15
        assert "NaN" not in answer.text
        assert 'height="-' not in answer.text


# ── A burst ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
async def test_a_burst_of_one_address_keeps_no_other_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most of 60 simultaneous requests are refused; other clients are served."""
    may_end, compute_entry, asked = threading.Event(), book_values.compute_entry, []

    def held(*given: Any) -> Any:
        assert may_end.wait(60)
        asked.append(given[2])
        return compute_entry(*given)

    monkeypatch.setattr(book_values, "compute_entry", held)
    app = make_app(str(tmp_path / "games.sqlite3"))

    def client(address: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app, client=(address, 1))
        return httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=60)

    async with (
        app.router.lifespan_context(app),
        asyncio.timeout(60),
        client("192.0.2.1") as greedy,
        client("192.0.2.2") as stranger,
    ):
        burst = [
            asyncio.ensure_future(greedy.get(f"/book/5H5S6D7CJCKD/pone/{score}-0")) for score in range(60)
        ]
        while sum(one.done() for one in burst) < 60 - 11:
            await asyncio.sleep(0.01)
        refused = [one.result() for one in burst if one.done()]
        assert {one.status_code for one in refused} == {429}
        assert all(int(one.headers["retry-after"]) >= 1 for one in refused)
        own = asyncio.ensure_future(stranger.get("/book/5H5S6D7CJCKD/pone/100-100"))
        imported = await stranger.post("/import", data={"text": "no game"})
        assert imported.status_code == 400
        may_end.set()
        assert (await own).status_code == 200
        assert [(await one).status_code for one in burst].count(200) == 11
    assert asked.index((100, 100)) <= 1
