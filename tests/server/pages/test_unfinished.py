"""Unfinished games can be removed from the home page of one user, and restored."""

import html
import random

from fifteentwo.i18n import text
from tests.support.live_server import Live, Person


def home(person: Person, query: str = "") -> str:
    return html.unescape(person.browser.get(f"/{query}").text)


def remove(person: Person, game: str, **fields: str) -> str:
    answer = person.browser.post(f"/game/{game}/hide", data={"game": "0"} | fields)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_an_unfinished_game_is_removed_after_one_question_and_put_back(aiko: Person) -> None:
    kept, game = aiko.new_game(), aiko.new_game()
    assert f'href="/game/{game}/hide?game=0"' in home(aiko)
    removed = '"/history?out=yes"'
    assert removed not in aiko.browser.get("/history").text, "nothing was removed yet"
    asked = html.unescape(aiko.browser.get(f"/game/{game}/hide?game=0").text)
    assert text("home.remove.ask", "en") in asked
    assert text("home.remove.others", "en") not in asked
    assert f"/game/{game}" in home(aiko), "a question removes nothing"
    place = remove(aiko, game)
    after = html.unescape(aiko.browser.get(place).text)
    assert text("home.removed", "en") in after
    assert f'href="/game/{game}"' not in home(aiko)
    assert f'href="/game/{kept}"' in home(aiko)
    assert text("home.removed", "en") not in home(aiko)
    assert removed in aiko.browser.get("/history").text
    assert f'action="/game/{game}/hide"' in aiko.browser.get("/history?out=yes").text
    assert aiko.browser.get(f"/game/{game}").status_code == 200
    assert remove(aiko, game, back="yes") == "/"
    assert f'href="/game/{game}"' in home(aiko)


def test_the_other_players_copy_stays_and_strangers_remove_nothing(live: Live) -> None:
    with live.person() as aiko, live.person() as bran, live.person() as eve:
        with aiko.at_table(level_1="person") as page:
            page.until("people")
            bran.sit(page.table["invitations"][0]["path"], "Bran")
        asked = html.unescape(aiko.browser.get(f"/game/{page.game}/hide?game=0").text)
        assert text("home.remove.others", "en") in asked
        remove(aiko, page.game)
        assert f"/game/{page.game}" not in home(aiko)
        assert f'href="/game/{page.game}"' in home(bran)
        assert eve.browser.post(f"/game/{page.game}/hide", data={"game": "0"}).status_code == 403
        assert text("home.removed", "en") not in home(eve, f"?removed={page.game}")
        assert f'href="/game/{page.game}"' in home(bran)


def test_a_removed_game_that_is_finished_after_all_is_a_finished_game(aiko: Person) -> None:
    game = aiko.new_game(level_1="random", target="61")
    remove(aiko, game)
    with aiko.open(game) as page:
        page.play_out(random.Random(1))
    history = aiko.browser.get("/history").text
    assert f"/review/{game}" in history
    assert '"/history?out=yes"' not in history
    # There is no unfinished game with this id.
    for number in ("0", "7", "none"):
        answer = aiko.browser.post(f"/game/{game}/hide", data={"game": number})
        assert answer.status_code == 409, number
    aiko.browser.post(f"/game/{game}/hide", data={"game": "1"})
    assert '"/history?out=yes"' in aiko.browser.get("/history").text


def test_the_menu_leads_to_everything_one_comes_back_to(live: Live) -> None:
    with live.person() as aiko:
        nav = home(aiko).split("<nav", 1)[1].split("</nav>")[0]
    for href in ("/learn", "/practice", "/history", "/statistics", "/book"):
        assert f'href="{href}"' in nav
