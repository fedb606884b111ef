"""Short codes of invitations: accepted spellings, lifetime, and the message for wrong codes."""

import html
import random
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from fifteentwo.i18n import text
from fifteentwo.server.http.rate_limits import JOIN_BY_CODE, RATE_BY_BUCKET
from fifteentwo.server.people import invitations
from fifteentwo.server.people.invitations import (
    CODE_LENGTH,
    CODE_SIGNS,
    find_open_seat,
    invitation_codes,
    new_code,
    parse_code,
)
from fifteentwo.server.settings import Settings
from tests.support.accounts import new_table
from tests.support.live_server import Live, Person, serving
from tests.support.stored_match import Process


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Live]:
    with serving(tmp_path / "games.sqlite3") as server:
        yield server


def codes(host: Person, game: str) -> list[str]:
    """Return the codes in the host's waiting room."""
    return re.findall(r"data-code>([^<]+)<", host.browser.get(f"/game/{game}/waiting").text)


def alert(answer: httpx.Response) -> str:
    """Return the message of a page without the typed text."""
    main = answer.text.partition("<main")[2].partition("</main>")[0]
    return re.sub(r'placeholder="K7M4 QX3T" value="[^"]*"', "", main)


def test_a_code_leads_to_its_own_place_until_a_guest_sits_there(hall: Live) -> None:
    with hall.person() as host, hall.person() as guest, hall.person() as late:
        game = host.new_game("three-handed", level_1="person", level_2="person", name="Aiko")
        first, second = codes(host, game)
        assert codes(host, game) == [first, second], "a code stays what it is"
        answer = guest.browser.post("/join", data={"code": first})
        assert answer.status_code == 303
        way = answer.headers["location"]
        with host.open(game) as page:
            page.until("people")
            assert way == page.table["invitations"][0]["path"]
        guest.sit(way, name="Ken")
        assert codes(host, game) == [second]
        taken = late.browser.post("/join", data={"code": first})
        never = late.browser.post("/join", data={"code": "22222222"})
        assert taken.status_code == never.status_code == 404
        assert alert(taken) == alert(never)
        assert "Aiko" not in taken.text
        assert late.browser.post("/join", data={"code": second}).status_code == 303


def test_a_wrong_code_always_has_the_same_message(hall: Live, lang: str) -> None:
    with hall.person() as host, hall.person(lang) as stranger:
        game = host.new_game(level_1="person", name="Aiko")
        (code,) = codes(host, game)
        plain = code.replace(" ", "")
        other = "3" if plain[-1] != "3" else "4"
        wrong = [
            plain[:-1],
            plain + "2",
            plain[:-1] + other,
            "",
            " ",
            "0",
            "あ",
            "🂡" * 8,
            "'; --",
            "%00",
            "A" * 9999,
        ]
        answers = [stranger.browser.post("/join", data={"code": one}) for one in wrong]
        answers.append(stranger.browser.post("/join"))
        assert {answer.status_code for answer in answers} == {404}
        assert len({alert(answer) for answer in answers}) == 1
        assert text("refusal.no-such-code", lang) in html.unescape(answers[0].text)
        # A player of the table gets the same answer.
        assert alert(host.browser.post("/join", data={"code": plain[:-1] + other})) != ""


def test_a_code_may_be_typed_in_any_case_and_width_with_anything_between(hall: Live) -> None:
    with hall.person() as host, hall.person() as guest:
        (code,) = codes(host, host.new_game(level_1="person"))
        plain = code.replace(" ", "")
        wide = "".join(chr(ord(sign) + 0xFEE0) for sign in plain)
        halves = f"{plain[:4]}-{plain[4:]}", f" {plain[:4].lower()} － {plain[4:].lower()}　"
        meant = plain.translate(str.maketrans("852", "BSZ"))
        for said in (
            plain,
            plain.lower(),
            wide,
            wide.lower(),
            *halves,
            "ー".join(plain),
            ".".join(plain),
            meant,
        ):
            assert guest.browser.post("/join", data={"code": said}).status_code == 303, said


def test_code_signs_do_not_look_alike_and_no_code_is_a_word() -> None:
    assert len(CODE_SIGNS) == len(set(CODE_SIGNS)) == 25
    assert not set(CODE_SIGNS) & set("AEIOU01LBSZ")
    rng = random.Random(13)
    for _ in range(10_000):
        text = "".join(rng.choices("23456789CDFGHJKMNPQRTVWXYabz -ー０Ｋ\x00あ🂡", k=rng.randrange(14)))
        code = parse_code(text)
        assert code is None or (len(code) == CODE_LENGTH and set(code) <= set(CODE_SIGNS))
    assert len({new_code() for _ in range(1000)}) == 1000


def test_guessing_codes_is_stopped_after_a_few_tries(tmp_path: Path) -> None:
    at_once = int(RATE_BY_BUCKET["lobby"].burst_tokens / JOIN_BY_CODE.tokens)
    behind = Settings(trusted_proxies=("127.0.0.1",))
    with (
        serving(tmp_path / "games.sqlite3", settings=behind) as server,
        server.person() as host,
        server.person() as thief,
    ):
        thief.browser.headers["X-Forwarded-For"] = "203.0.113.7"
        (code,) = codes(host, host.new_game(level_1="person"))
        statuses = []
        for number in range(at_once + 10):
            # Own codes and new sessions in between give no additional tries.
            guess = code if number % 2 else new_code()
            thief.browser.cookies.clear()
            statuses.append(thief.browser.post("/join", data={"code": guess}).status_code)
        assert set(statuses[:at_once]) == {303, 404}
        assert set(statuses[at_once + 1 :]) == {429}
        answer = thief.browser.post("/join", data={"code": code})
        assert answer.status_code == 429
        assert (
            1
            <= int(answer.headers["retry-after"])
            <= JOIN_BY_CODE.tokens / RATE_BY_BUCKET["lobby"].tokens_per_second
        )


def test_the_probability_of_guessing_is_that_of_the_security_document() -> None:
    rate = RATE_BY_BUCKET["lobby"]
    tries = (rate.burst_tokens + rate.tokens_per_second * 86_400) / JOIN_BY_CODE.tokens
    assert tries == 4_340
    assert 1 / 36_000 < tries * 1_000 / len(CODE_SIGNS) ** CODE_LENGTH < 1 / 35_000
    words = " ".join((Path(__file__).parents[3] / "SECURITY.md").read_text("utf-8").split())
    for said in ("152,587,890,625", "4,340", "1 in 35,000"):
        assert said in words, said


async def test_processes_agree_on_a_code_and_a_repeated_code_is_replaced(
    address: str, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncio

    tables = [await process(address) for _ in range(2)]
    stores = [hall.store for hall in tables]
    first = await new_table(tables[0], "aiko")
    codes = await asyncio.gather(*(invitation_codes(store, first) for store in stores for _ in range(4)))
    assert all(one == codes[0] and list(one) == [1] for one in codes)
    # The random numbers give first the code of the first table, and then another one.
    drawn = iter([codes[0][1], "22222223"])
    monkeypatch.setattr(invitations, "new_code", lambda: next(drawn))
    second = await new_table(tables[1], "mia")
    assert await invitation_codes(stores[1], second) == {1: "22222223"}
    assert (await find_open_seat(stores[0], "2222-2223")).table_id == second
