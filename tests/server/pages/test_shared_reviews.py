"""Shared reviews: an unguessable address, until they expire or their owner deletes them."""

import base64
import re
import time
import zlib

import httpx
import msgspec
import pytest
import sqlalchemy as sa

from fifteentwo.rules import record
from fifteentwo.server.http.rate_limits import MAX_PERSON_SHARE, RATE_BY_BUCKET
from fifteentwo.server.pages import shared_reviews
from fifteentwo.server.people import expiry
from fifteentwo.server.store.schema import shared_review
from fifteentwo.server.store.store import Store
from tests.support.live_server import Live, Person
from tests.support.quick_records import played

FIVE = record.write(played("five-card"))


def compact(written: bytes) -> str:
    press = zlib.compressobj(wbits=-15)
    return base64.urlsafe_b64encode(press.compress(written) + press.flush()).decode().rstrip("=")


def share(person: Person, body: str = "", **headers: str) -> httpx.Response:
    return person.browser.post("/api/share", content=body or compact(FIVE.encode()), headers=headers)


def test_a_shared_review_is_open_to_anyone_with_its_address_until_its_owner_deletes_it(live: Live) -> None:
    with live.person("ja") as aiko, live.person("en", address="127.0.0.2") as ken:
        first, second = (share(aiko).json() for _ in range(2))
        path = first["path"]
        assert re.fullmatch(r"/r/[A-Za-z0-9_-]{12}", path)
        assert path != second["path"]
        assert first["until"] in aiko.browser.get(path).text
        page = ken.browser.get(path)
        assert page.headers["x-robots-tag"] == "noindex"
        assert '<meta name="robots" content="noindex">' in page.text
        for name in ("title", "description", "image", "url"):
            assert re.search(rf'<meta property="og:{name}" content="[^"]{{12,}}">', page.text), name
        image = re.search(r'og:image" content="http://[^/]+(/[^"]+\.png)"', page.text)
        assert image
        assert ken.browser.get(image[1]).content.startswith(b"\x89PNG")
        end = record.last_state(record.read(FIVE)).front
        assert f"Aiko {end[0]} – Ken {end[1]}" in page.text
        [kept] = re.findall(r'data-record="([^"]+)"', page.text)
        assert zlib.decompress(base64.urlsafe_b64decode(kept + "=="), -15).decode() == FIVE
        assert f'action="{path}/delete"' not in page.text
        assert ken.browser.post(f"{path}/delete").status_code == 404
        assert ken.browser.get(path).status_code == 200
        assert f'action="{path}/delete"' in aiko.browser.get(path).text
        other = {"Origin": "https://elsewhere.example"}
        assert aiko.browser.post(f"{path}/delete", headers=other).status_code == 403
        assert share(aiko, Origin="https://elsewhere.example").status_code == 403
        exported = aiko.browser.post("/account/export").json()["shared_reviews"]
        assert {one["path"] for one in exported} == {path, second["path"]}
        assert aiko.browser.post(f"{path}/delete").status_code == 303
        assert ken.browser.get(path).status_code == 404
        assert ken.browser.get("/r/" + "a" * 12).status_code == 404
        assert ken.browser.get(second["path"]).status_code == 200
        aiko.browser.post("/account/delete", data={"sure": "yes"})
        assert ken.browser.get(second["path"]).status_code == 404


def test_default_names_are_in_the_readers_language(live: Live) -> None:
    renamed = record.write(msgspec.structs.replace(record.read(FIVE), names=("ゲスト", "中級")))
    with live.person("ja") as aiko, live.person("en", address="127.0.0.2") as ken:
        path = share(aiko, compact(renamed.encode())).json()["path"]
        assert re.search(r"Guest \d+ – Club \d+", ken.browser.get(path).text)
        assert re.search(r"ゲスト \d+ – 中級 \d+", aiko.browser.get(path).text)


@pytest.mark.parametrize(
    "body",
    ["", "?", "AAAA", "é", compact(b"nothing"), compact(b"\xff" * 9), compact(b"x" * 70_000), "A" * 20_000],
)
def test_what_is_not_a_short_record_is_not_stored(live: Live, body: str) -> None:
    with live.person() as aiko:
        answer = aiko.browser.post("/api/share", content=body.encode())
    assert answer.status_code in (400, 413)
    assert "path" not in answer.json()


def test_an_owner_shares_a_limited_number_of_reviews(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_reviews, "MAX_SHARED_PER_OWNER", 2)
    with live.person() as aiko:
        assert [share(aiko).status_code for _ in range(3)] == [200, 200, 429]
    shares = RATE_BY_BUCKET["shares"]
    assert MAX_PERSON_SHARE * shares.tokens_per_second * 3600 == pytest.approx(12)


async def test_expired_reviews_are_not_shown_and_removed(tmp_path: object) -> None:
    store = await Store.open(f"{tmp_path}/games.sqlite3")
    now = int(time.time())
    for name, expires_at in (("old", now - 1), ("new", now + 1000)):
        row = {"id": name, "owner": "o", "record": "r", "expires_at": expires_at}
        await store.execute(shared_review.insert().values(row))
    await expiry.clean_up(store, 0)
    assert [row.id for row in await store.select(sa.select(shared_review.c.id))] == ["new"]
    await store.close()
