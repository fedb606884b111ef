"""What other programs show of a link: home, an invitation and a shared review have a picture and words."""

import html
import re
import struct
from urllib.parse import urlsplit

import pytest

from fifteentwo.i18n import text
from tests.server.pages.test_shared_reviews import share
from tests.support.live_server import Live

MAX_PICTURE_BYTES = 60_000


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_links_to_home_invitations_and_shared_reviews_have_a_preview(live: Live, lang: str) -> None:
    with live.person(lang) as aiko, live.person(lang) as ken:
        with aiko.at_table(level_1="person", name="Aiko") as page:
            page.until("people")
            invitation = page.table["invitations"][0]["path"]
        titles = {
            "/": text("home.hello", lang),
            invitation: text("join.invited", lang, host="Aiko"),
            share(aiko).json()["path"]: "5",
        }
        for path, title in titles.items():
            body = ken.browser.get(path).text
            named = dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', body))
            assert title in html.unescape(named["og:title"]), path
            assert len(named["og:description"]) > 10
            assert named["description"] == named["og:description"]
            assert named["og:image"].startswith("http")
            picture = ken.browser.get(urlsplit(named["og:image"]).path)
            assert picture.headers["content-type"] == "image/png"
            size = struct.unpack(">II", picture.content[16:24])
            assert size == (int(named["og:image:width"]), int(named["og:image:height"])) == (1200, 630)
            assert len(picture.content) <= MAX_PICTURE_BYTES


PAGES = (
    *("/practice", "/practice/count", "/practice/daily", "/practice/errors", "/practice/duplicate"),
    *("/practice/sets/crib", "/practice/sets/leads", "/review", "/rules", "/glossary", "/pad", "/check"),
    *("/books", "/solved", "/dealing", "/book", "/import", "/import/by-hand", "/lobby", "/learn", "/history"),
    *("/statistics", "/account", "/settings", "/summary", "/sheet", "/people"),
)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_page_says_what_it_is(live: Live, lang: str) -> None:
    """No two pages have the same words, and every title names the game."""
    titles, descriptions = set(), set()
    with live.person(lang) as aiko:
        for path in ("/", *PAGES):
            body = aiko.browser.get(path).text
            named = dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', body))
            title, description = named["og:title"], named["description"]
            assert {"en": "cribbage", "ja": "クリベッジ"}[lang] in title.lower(), path
            assert 10 < len(html.unescape(description)) < 400, path
            assert title not in titles, path
            assert description not in descriptions, path
            titles.add(title)
            descriptions.add(description)
