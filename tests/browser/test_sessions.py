"""A match of several games: "Next game" leads to the next game, and no page ever shows a red toast."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from fifteentwo.i18n import text
from tests.support.companions import TAKE
from tests.support.playing import ASKED, Player
from tests.support.several_games import NEXT, give_up, in_game, nothing_warned
from tests.support.two_browsers import INSTANT, invited

Visit = Callable[..., Player]


def test_alone_the_next_game_begins_without_a_word(visit: Visit) -> None:
    player = visit("en")
    with nothing_warned(player):
        player.sit_down(variant="six-card", level_1="random")
        for number in (1, 2, 3):
            in_game(player, number)
            give_up(player)
            player.page.click(NEXT)
        in_game(player, 4)


def test_two_people_play_several_games_and_either_asks_for_the_next(visit: Visit) -> None:
    host, guest = visit("en"), visit("ja", phone=True)
    with nothing_warned(host, guest):
        invited(host, guest, "健", variant="six-card", name="Mia")
        for number, presses in enumerate([(host,), (guest,), (host, guest), (guest, host)], 1):
            for player in (host, guest):
                in_game(player, number)
            give_up(host if number % 2 else guest)
            for player in (host, guest):
                expect(player.page.locator(NEXT)).to_be_visible()
            for player in presses:
                # At once: the second is pressed before the first has been answered, or is gone.
                player.page.evaluate("""() => document.querySelector('[data-action="next"]')?.click()""")
        for player in (host, guest):
            in_game(player, 5)


def all_play(players: list[Player], enough: Callable[[], bool]) -> None:
    """Each answers what their page asks, one after another, until it is enough."""
    for _ in range(4000):
        for player in players:
            player.turn()
        if enough():
            return
        players[0].page.wait_for_timeout(20)
    raise AssertionError([player.asked[-5:] for player in players])


def all_see_the_end(players: list[Player]) -> bool:
    return all(player.page.locator(NEXT).count() for player in players)


def all_reach_the_end(players: list[Player]) -> None:
    """A player has given up: what a page still asks is not answered any more, but for what is read."""
    for player in players:
        for _ in range(4000):
            player.page.evaluate("""() => document.querySelector('[data-action="continue"]')?.click()""")
            if all_see_the_end([player]):
                break
            player.page.wait_for_timeout(20)
    assert all_see_the_end(players)


def sealed(*players: Player) -> None:
    for player in players:
        expect(player.page.locator("#seal")).to_have_attribute("data-state", "whole")


@pytest.mark.long
def test_five_games_with_reloaded_pages_and_one_in_a_second_tab(visit: Visit) -> None:
    """Both tabs of a browser commit to and reveal the same seed: the later one shows no red toast."""
    host, guest = visit("en"), visit("ja")
    with nothing_warned(host, guest):
        invited(host, guest, "健", variant="six-card", name="Mia")
        tab = Player(guest.page.context.new_page(), "ja")
        with nothing_warned(tab):
            tab.page.goto(guest.page.url)
            everywhere = [host, guest, tab]
            for number in range(1, 6):
                for player in everywhere:
                    in_game(player, number)
                if number == 3:
                    all_play([host, guest], lambda: "play" in host.asked)
                give_up(guest if number % 2 else host)
                all_reach_the_end(everywhere)
                sealed(*everywhere)
                if number in (2, 4):
                    for player in everywhere[: number // 2]:
                        player.page.reload()
                        expect(player.page.locator(NEXT)).to_be_visible()
                if number < 5:
                    everywhere[number % 3].page.locator(NEXT).click()


@pytest.mark.long
def test_at_a_shared_screen_several_games_follow_without_a_word(visit: Visit) -> None:
    player = visit("en")
    page = player.page
    with nothing_warned(player):
        player.sit_down(variant="six-card", level_1="here", name="Ada", here_1="Ben")
        for number in (1, 2, 3):
            expect(page.locator("#title")).to_contain_text(f"game {number}")
            page.wait_for_function(f"() => document.querySelector('{TAKE}') || ({ASKED})()")
            if page.locator(TAKE).count():
                page.click(TAKE)
            sealed(player)
            give_up(player)
            expect(page.locator(NEXT)).to_be_visible()
            sealed(player)
            if number == 2:
                page.reload()
            page.click(NEXT)
        expect(page.locator("#title")).to_contain_text("game 4")


@pytest.mark.long
def test_nine_games_among_four_people_without_a_red_toast(visit: Visit) -> None:
    """Two are played to their end; the others until everybody has played a card, when one gives up."""
    players = [visit("en"), visit("ja", phone=True), visit("en", phone=True), visit("ja")]
    host, guests = players[0], players[1:]
    with nothing_warned(*players):
        people = {f"level_{seat}": "person" for seat in (1, 2, 3)}
        host.sit_down(variant="partners", target="61", length="nine", name="Mia", **people)
        links = [str(one.input_value()) for one in host.page.locator("[data-link]").all()]
        for guest, link, name in zip(guests, links, ("健", "Ben", "愛子"), strict=True):
            guest.page.goto(f"{link}?lang={guest.lang}")
            guest.page.evaluate(INSTANT)
            guest.page.get_by_label(text("home.name", guest.lang)).fill(name)
            guest.page.get_by_role("button", name=text("join.sit", guest.lang)).click()
            guest.page.wait_for_selector("#table")
        host.page.wait_for_selector("#table")
        for number in range(1, 10):
            for player in players:
                expect(player.page.locator("#title")).to_contain_text(str(number))
                player.asked.clear()
            if number in (1, 9):
                all_play(players, lambda: all_see_the_end(players))
            else:
                all_play(players, lambda: all("play" in player.asked for player in players))
                give_up(players[number % 4])
                all_reach_the_end(players)
            if number < 9:
                # Sometimes one asks for the next game, sometimes two do at once.
                for player in (players[number % 4], *players[: number % 3]):
                    player.page.evaluate("""() => document.querySelector('[data-action="next"]')?.click()""")
        assert sum(player.view["won"] is not None for player in players) == 4
        for player in players:
            expect(player.page.locator("#seal")).to_have_attribute("data-state", "whole")
