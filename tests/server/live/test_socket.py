"""The socket of a table: rejoining at any version, several pages, languages, invalid and illegal messages."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from fifteentwo.rules.cards import DECK
from fifteentwo.rules.view import see
from fifteentwo.server.live.open_page import CLOSE_FOR_GOOD
from fifteentwo.server.live.socket import MAX_REFUSALS
from tests.support.live_server import Json, Live, Page, Person, plain
from tests.support.stored import ledger_of, rows_of


@contextmanager
def ready(page: Page) -> Iterator[Page]:
    """Return an open page whose turn it is."""
    with page:
        page.alone()
        yield page


TWO_DEALS = 60
"""Events of at least two deals of five cards."""


def test_rejoining_at_any_version_sends_exactly_the_later_events(aiko: Person, database: Path) -> None:
    game = aiko.new_game("five-card", counting="claimed")

    def comes_back(every: int) -> None:
        last = ledger_of(database, game).v
        assert page.v == last
        for v in {*range(0, last + 1, every), last}:
            with aiko.open(game, v=v) as again:
                again.until("waiting")
                assert not again.table
                assert again.events == {n: page.events[n] for n in range(v + 1, last + 1)}
                assert again.view == page.view

    with aiko.open(game, v=0) as page:
        rng = random.Random(1)
        while page.v < TWO_DEALS:
            page.alone()
            page.act(rng.choice(page.choices))
        page.alone()
        comes_back(1)
        page.play_out(rng)
        comes_back(9)


def test_rejoining_at_an_unknown_version_sends_the_whole_table(subtests: pytest.Subtests, live: Live) -> None:
    for v in ["", "-1", "1e3", "99999", "9" * 40, "½", "١", "0x1", "null"]:
        with subtests.test(v=v), live.person() as aiko:
            game = aiko.new_game()
            with aiko.open(game, v=v) as page:
                page.until("waiting")
                assert page.table["names"][1]
                assert len(page.table["commitment"]) == 64


def test_a_second_page_continues_the_same_game_in_its_own_language(aiko: Person) -> None:
    game = aiko.new_game()
    with ready(aiko.open(game)) as first:
        aiko.lang = "ja"
        with ready(aiko.open(game)) as second:
            assert second.view == first.view
            first.send("act", first.choices[0])
            english = first.until("event")["d"]["sentence"]
            japanese = second.until("event")["d"]["sentence"]
            assert english.isascii()
            assert not japanese.isascii()
            first.send("lang", "ja")
            first.until("table")
            assert japanese in first.table["sentences"]


MANGLED: list[Any] = [
    "",
    " ",
    "{",
    "[]",
    "null",
    "0",
    "true",
    '"act"',
    "{}",
    '{"t":1}',
    '{"t":"nothing"}',
    '{"t":"act"}',
    '{"t":"act","d":null}',
    '{"t":"act","d":[]}',
    '{"t":"act","d":{"type":"Fly","seat":0}}',
    '{"t":"act","d":{"type":"Play","seat":0,"card":"1H"}}',
    '{"t":"act","d":{"type":"Play","seat":0,"card":5}}',
    '{"t":"act","d":{"type":"Play","seat":"0","card":"5H"}}',
    '{"t":"act","d":{"type":"Play","card":"5H"}}',
    '{"t":"act","d":{"type":"Draw","seat":0,"at":1e99}}',
    '{"t":"act","d":{"type":"Draw","seat":0,"at":99999999999999999999999}}',
    '{"t":"act","d":{"type":"Draw","seat":0,"at":0,"more":1}}',
    '{"t":"act","d":{"type":"Draw","seat":0,"at":NaN}}',
    '{"t":"act","d":{"type":"TurnUp","card":"5H"}}',
    '{"t":"act","d":{"type":"Deal","cards":["5H"]}}',
    '{"t":"lang","d":"fr"}',
    '{"t":"lang","d":"../en"}',
    '{"t":"lang"}',
    "[" * 2000,
    '{"t":"next-game"}' + " " * 3000,
    "\u0000",
    "🂡" * 100,
    b"",
    b"\xff\xfe",
    b"\x00" * 100,
    b'{"t":"act","d":{"type":"Draw","seat":9,"at":0}}',
]


@pytest.mark.usefixtures("lang")
def test_invalid_messages_are_refused_with_a_sentence_and_change_nothing(
    aiko: Person, database: Path
) -> None:
    game = aiko.new_game()
    with ready(aiko.open(game)) as page:
        before, rows = page.view, rows_of(database, game)
        for message in MANGLED:
            page.line.send(message)
            refused = page.until("refused")["d"]
            assert refused["message"], message
            assert "refusal." not in refused["message"]
            assert "Traceback" not in json.dumps(refused)
        rng = random.Random(3)
        for _ in range(150):
            junk = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 60)))
            page.line.send(junk)
            assert page.until("refused")["d"]["code"] == "message-unreadable"
        assert rows_of(database, game) == rows
    with ready(aiko.open(game)) as again:
        assert again.view == before
        again.act(again.choices[0])


def test_connection_closes_after_max_refusals(aiko: Person) -> None:
    game = aiko.new_game()
    with ready(aiko.open(game)) as page:
        for _ in range(MAX_REFUSALS):
            page.line.send("junk")
            page.until("refused")
        with pytest.raises(ConnectionClosed):
            page.hear()
        assert page.line.close_code == 1008


def refusal_of(page: Page, action: Json) -> tuple[str, str | None]:
    page.send("act", action)
    refused = page.until("refused")["d"]
    assert refused["rule"] is None or refused["rule"] in refused["message"]
    return refused["code"], refused["rule"]


def test_illegal_actions_are_refused_with_their_rule(aiko: Person, database: Path) -> None:
    with aiko.at_table(counting="claimed", first_dealer="named", cut_before_deal="no", starter="top") as page:
        page.until("waiting")
        assert page.view["phase"] == "name-dealer"
        assert page.waiting["seats"] == [0]
        assert refusal_of(page, {"type": "Draw", "seat": 0, "at": 3}) == ("not-now", "R24")
        assert refusal_of(page, {"type": "NameDealer", "dealer": 2}) == ("no-such-seat", "R28")
        page.send("next-game")
        assert page.until("refused")["d"]["code"] == "game-not-over"
        page.send("undo")
        assert page.until("refused")["d"]["code"] == "nothing-to-undo"
        page.send("act", {"type": "NameDealer", "dealer": 1})
        page.settle()
        assert page.view["phase"] == "discard"
        hand, rows = page.view["hand"], len(rows_of(database, page.game))
        other = next(card for card in ("5H", "6H", "7H", "8H", "9H", "TH", "JH") if card not in hand)
        discard = {"type": "Discard", "seat": 0}
        assert refusal_of(page, {**discard, "cards": hand[:1]}) == ("wrong-number-of-cards", "R39")
        assert refusal_of(page, {**discard, "cards": [hand[0]] * 2}) == ("wrong-number-of-cards", "R39")
        assert refusal_of(page, {**discard, "cards": [hand[0], other]}) == ("card-not-held", "R39")
        assert refusal_of(page, {"type": "Play", "seat": 0, "card": hand[0]}) == ("not-now", "R50")
        assert refusal_of(page, {**discard, "seat": 1, "cards": hand[:2]}) == ("not-your-seat", "R50")
        assert refusal_of(page, {"type": "Claim", "seat": 1, "points": 2}) == ("not-your-seat", "R50")
        assert refusal_of(page, {"type": "NameDealer", "dealer": 0}) == ("not-now", "R28")
        after = len(rows_of(database, page.game))
        assert after - rows <= 1, "only the computer may have discarded"
        page.alone()
        page.act({**discard, "cards": hand[:2]})
        page.settle()
        assert page.view["phase"] == "play"
        assert refusal_of(page, {"type": "Go", "seat": 0}) == ("go-with-playable-card", "R54")
        page.act({"type": "Play", "seat": 0, "card": page.view["hand"][0]})
        assert page.view["phase"] == "claim"
        assert refusal_of(page, {"type": "Claim", "seat": 0, "points": 30}) == ("claim-out-of-range", "R93")
        assert refusal_of(page, {"type": "Claim", "seat": 0, "points": -1}) == ("claim-out-of-range", "R93")
        assert refusal_of(page, {"type": "CallMuggins", "seat": 0}) == ("muggins-off", "R98")
        page.act({"type": "Claim", "seat": 0, "points": 0})


def any_action(rng: random.Random, seats: int) -> Json:
    """Return some action of some seat, which is rarely legal."""
    seat, card = rng.randrange(-1, seats + 1), rng.choice(DECK).text
    return rng.choice(
        [
            {"type": "Draw", "seat": seat, "at": rng.randrange(-2, 60)},
            {"type": "NameDealer", "dealer": seat},
            {"type": "Cut", "seat": seat, "at": rng.randrange(-2, 60)},
            {"type": "Discard", "seat": seat, "cards": [card] * rng.randrange(4)},
            {"type": "Play", "seat": seat, "card": card},
            {"type": "Go", "seat": seat},
            {"type": "Claim", "seat": seat, "points": rng.randrange(-3, 40)},
            {"type": "CallMuggins", "seat": seat},
            {"type": "Accept", "seat": seat},
        ]
    )


@pytest.mark.parametrize(
    "variant",
    ["six-card", *(pytest.param(one, marks=pytest.mark.long) for one in ("three-handed", "partners"))],
)
def test_any_action_at_any_time_is_legal_or_refused(aiko: Person, database: Path, variant: str) -> None:
    rng = random.Random(variant)
    codes: set[str] = set()
    game = aiko.new_game(variant, counting="claimed", muggins="missed", target="61")
    with aiko.open(game, v=0) as page:
        for _ in range(60):
            page.settle()
            if page.view["won"]:
                break
            for _attempt in range(8):
                page.send("act", any_action(rng, page.view["rules"]["seats"]))
            page.send("lang", "en")
            page.until("table")
            page.settle()
            if page.choices:
                page.send("act", rng.choice(page.choices))
                page.choices = []
                while page.hear()["t"] not in ("waiting", "refused"):
                    pass
        codes = {refused["code"] for refused in page.refused}
        page.send("lang", "en")
        page.until("table")
        ledger = ledger_of(database, game)
        assert page.events == {
            v: None if line.event is None else plain(see(line.event, line.person_by_seat.index(0)))
            for v, line in enumerate(ledger.entries[: page.v], start=1)
        }
    assert "internal-error" not in codes
    assert {"not-now", "not-your-seat"} <= codes
    assert all(refused["rule"] for refused in page.refused)


def test_the_same_action_from_two_pages_is_done_once(aiko: Person, database: Path) -> None:
    for _ in range(5):
        game = aiko.new_game(first_dealer="named")
        with aiko.open(game) as first, aiko.open(game) as second:
            for page in (first, second):
                page.until("waiting")
            for page in (first, second):
                page.send("act", {"type": "NameDealer", "dealer": 1})
            # Earlier requests are answered before this one.
            for page in (first, second):
                page.send("lang", "en")
                page.until("table")
            refused = first.refused + second.refused
            assert [one["code"] for one in refused] == ["not-now"]
        named = [row for row in rows_of(database, game) if "NameDealer" in row.body]
        assert len(named) == 1


def test_late_action_is_refused_after_another_action(aiko: Person) -> None:
    with aiko.at_table(level_1="random") as page:
        page.settle()
        while page.view["phase"] != "play" or not page.choices:
            page.act(page.choices[0])
            page.settle()
        seen = page.v
        page.act(page.choices[0])
        page.settle()
        late = {"t": "act", "d": page.choices[0], "v": seen}
        page.line.send(json.dumps(late))
        assert page.until("refused")["d"]["code"] == "acted-already"
        page.line.send(json.dumps(late | {"v": page.v}))
        assert page.until("event")["v"] > seen


def test_strangers_cannot_connect(aiko: Person, stranger: Person) -> None:
    game = aiko.new_game()
    aiko_cookie = aiko.browser.cookies["fifteentwo"]
    for cookie in ("", aiko_cookie[:-1], aiko_cookie[:-1] + "!", "x" * 43):
        stranger.browser.cookies.set("fifteentwo", cookie)
        with stranger.open(game) as page:
            assert page.hear()["d"]["code"] == "not-your-table"
            with pytest.raises(ConnectionClosed):
                page.hear()
            assert page.line.close_code == 1008
    for missing in ("AAAAAAAAAAAAAAAA", "x", "%00", "é"):
        with aiko.open(missing) as page:
            assert page.hear()["d"]["code"] == "no-such-game"


@pytest.mark.parametrize("version", ["", "?protocol=2", "?protocol=3"])
def test_a_page_of_another_protocol_has_to_reload(live: Live, version: str) -> None:
    with live.person() as aiko:
        game = aiko.new_game()
        cookies = "; ".join(f"{name}={value}" for name, value in aiko.browser.cookies.items())
        address = f"ws://127.0.0.1:{live.port}/game/{game}/socket{version}"
        with connect(address, additional_headers={"Cookie": cookies}) as socket:
            message = json.loads(socket.recv(60))
            assert (message["t"], message["d"]["code"]) == ("refused", "page-outdated")
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv(60)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == CLOSE_FOR_GOOD


def test_page_of_another_site_cannot_connect(live: Live, aiko: Person) -> None:
    game = aiko.new_game()
    for origin in ("https://example.org", "null", "http://127.0.0.1:1", "http://localhost"):
        with pytest.raises(InvalidStatus) as answer, aiko.open(game, Origin=origin):
            pass
        assert answer.value.response.status_code == 403
    with aiko.open(game, Origin=live.http) as page:
        page.until("waiting")
