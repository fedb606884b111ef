"""Mangled addresses, fields and methods are refused in the person's language and change no game."""

import html
import json
import random
import re
from collections.abc import Iterator

import httpx
import pytest

from fifteentwo.i18n import languages, refusal
from fifteentwo.server.app import make_app
from fifteentwo.server.errors import Refused
from fifteentwo.server.http.hosts import LOOPBACK_HOSTS
from tests.support.live_server import Live, Person, run_apart, serving

JAPANESE = re.compile("[ぁ-ん]")
PAGES = ("/", "/pad", "/check", "/rules", "/glossary", "/summary", "/sheet")
# A link to the first page, or on the first page the form.
WAY_BACK = re.compile(r'<main.*(?:href="/"|action="/games")', re.DOTALL)
NEVER = re.compile(r"Traceback|File &#34;|\.py\b|Error\b|refusal\.|jinja|starlette|\{\w+\}")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(tmp_path_factory.mktemp("bad-input") / "games.sqlite3") as live:
        yield live


@pytest.fixture(params=["ja", pytest.param("en", marks=pytest.mark.long)])
def person(server: Live, request: pytest.FixtureRequest) -> Iterator[Person]:
    with server.person(request.param) as someone:
        yield someone


def _says_what_was_wrong(answer: httpx.Response, lang: str) -> str:
    """Check that a refusal is a page in this language with a way back, and return its sentence."""
    assert 400 <= answer.status_code < 500, answer.status_code
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert f'<html lang="{lang}"' in answer.text
    assert WAY_BACK.search(answer.text), "no way back"
    body = answer.text.partition("<main")[2]
    panel = re.search(r'(?:class="panel"|role="alert")[^>]*>(.+?)</', body, re.DOTALL)
    assert panel, body[:600]
    sentence = html.unescape(re.sub("<[^>]+>", "", panel[1])).strip()
    assert len(sentence) > 10
    assert not NEVER.search(sentence), sentence
    assert bool(JAPANESE.search(sentence)) == (lang == "ja"), sentence
    return sentence


def _standing(person: Person, game: str) -> tuple[object, ...]:
    """Return everything that this person can see of a game."""
    with person.open(game) as page:
        page.alone()
        return page.v, json.dumps(page.view, sort_keys=True), json.dumps(page.choices), page.table["names"]


def test_wrong_requests_do_not_change_the_game(person: Person) -> None:
    """Every kind of wrong request is sent while it is this person's turn."""
    game = person.new_game(name="Aiko", first_dealer="high")
    before = _standing(person, game)
    rng = random.Random(sum(map(ord, person.lang)))
    addresses = [
        f"/game/{game}/",
        f"/game/{game}/record",
        f"/game/{game}/record?game=-1",
        f"/game/{game}/record?game=1e9",
        f"/game/{game}/record?game=%00",
        f"/game/{game}/record?game={'9' * 5000}",
        f"/game/{game}/socket",
        f"/game/{game}/socket?v=x",
        f"/game/{game}/join/x",
        f"/game/{game}/join/" + "é" * 2000,
        f"/game/{game[:-1]}",
        f"/game/{game.swapcase()}",
        f"/game/{game}%00",
        f"/game/{game}/../../etc/passwd",
        f"/game/{game}?lang=" + "x" * 3000,
        f"/game/{game}?lang=../../ja",
    ]
    for address in addresses:
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "LOCK", "X" * 40):
            body = rng.randbytes(rng.choice([0, 10, 70_000])) if method != "GET" else None
            answer = person.browser.request(method, address, content=body)
            assert answer.status_code < 500, (method, address, answer.status_code)
            if answer.status_code >= 400:
                _says_what_was_wrong(answer, person.lang)
    assert _standing(person, game) == before


def test_wrong_bodies_of_every_kind_make_no_table(person: Person) -> None:
    urlencoded = "application/x-www-form-urlencoded"
    for kind, body in [
        ("application/json", b'{"variant": "six-card"}'),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="variant"\r\n\r\nwhist\r\n--x--',
        ),
        ("text/plain", b"variant=six-card"),
        ("", b"\x00\x01\x02"),
        (urlencoded, b"\xff" * 100),
        (urlencoded, b"variant=six-card&" * 5000),
        (urlencoded, b"variant=%E3%81"),
        (urlencoded, b"target=" + b"1" * 15_000),
        (urlencoded, b"variant=six-card&variant=whist"),
        (urlencoded, b"&".join(b"a%d=1" % number for number in range(100))),
        (urlencoded, "name=名".encode()),
    ]:
        answer = person.browser.post("/games", content=body, headers={"Content-Type": kind})
        assert (answer.status_code == 413) == (len(body) > 16_384)
        _says_what_was_wrong(answer, person.lang)
    assert 'href="/game/' not in person.browser.get("/").text


def test_a_refused_form_keeps_its_choices(person: Person) -> None:
    answer = person.browser.post(
        "/games", data={"variant": "three-handed", "name": '"><b>x', "level_1": "god", "skunk": "yes"}
    )
    _says_what_was_wrong(answer, person.lang)
    assert re.search(r'value="three-handed"[^>]*checked', answer.text)
    assert "<b>x" not in answer.text
    assert "&#34;&gt;&lt;b&gt;x" in answer.text


def test_another_host_name_is_refused_with_a_page() -> None:
    async def ask(host: str, lang: str) -> httpx.Response:
        transport = httpx.ASGITransport(app=make_app(hosts=(*LOOPBACK_HOSTS, "[::1]")))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.get("/rules", headers={"Host": host, "Accept-Language": lang})

    for lang in languages():
        for host in ("evil.example", "127.0.0.1.evil.example", "x" * 300, "[evil", "[::1]x", "a b", "*", ""):
            answer = run_apart(ask(host, lang))
            assert answer.status_code == 400
            _says_what_was_wrong(answer, lang)
            assert "default-src 'none'" in answer.headers["content-security-policy"]
    for host in (*LOOPBACK_HOSTS[:2], "localhost:8152", "LOCALHOST", "[::1]", "[::1]:8152"):
        assert run_apart(ask(host, "en")).status_code == 200, host


def test_an_invalid_host_is_refused(server: Live, lang: str) -> None:
    with server.person(lang) as someone:
        for host in ("[evil", "x" * 5000, "a b", "[::1", "%00", "evil.example:99999999"):
            answer = someone.browser.get("/nowhere", headers={"Host": host})
            assert answer.status_code in (400, 404), host
            _says_what_was_wrong(answer, lang)


def test_an_unknown_language_does_not_change_the_language(server: Live, lang: str) -> None:
    with server.person(lang) as someone:
        for asked in ("fr", "", "%00", "EN", "ja-JP", "../en", "x" * 4000, "en%0d%0aSet-Cookie:a=b"):
            for path in PAGES:
                answer = someone.browser.get(f"{path}?lang={asked}")
                assert answer.status_code == 200, (path, asked)
                assert f'<html lang="{lang}"' in answer.text
            assert "a" not in someone.browser.cookies
        someone.browser.cookies.set("lang", "x" * 1000)
        assert f'<html lang="{lang}"' in someone.browser.get("/").text


def test_every_page_answers_head_and_refuses_other_methods(person: Person) -> None:
    for method in ("GET", "PUT"):
        assert person.browser.request(method, "/games").status_code == 405
    for path in PAGES:
        assert person.browser.head(path).status_code == 200
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            answer = person.browser.request(method, path, content=b"x" * 200_000)
            assert answer.status_code == 405
            _says_what_was_wrong(answer, person.lang)
            assert "GET" in answer.headers["allow"]


def test_every_refusal_of_a_page_has_a_rule_or_a_next_step(lang: str) -> None:
    for code in ("no-such-page", "wrong-method", "request-unreadable", "form-unreadable", "form-too-long"):
        sentence = refusal(Refused(code), lang)
        assert bool(JAPANESE.search(sentence)) == (lang == "ja")
        assert len(re.findall("[.。]", sentence)) >= 2, "what was wrong, and what can be done now"
