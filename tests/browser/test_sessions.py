"""Matches of several games: "Next game" starts the next game, and no page shows a warning."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.support.playing import ASKED, Player, Visit
from tests.support.two_browsers import (
    NEXT,
    TAKE,
    accept_invitation,
    give_up,
    in_game,
    invited,
    nothing_warned,
)


def test_against_a_computer_next_games_start_without_a_warning(visit: Visit) -> None:
    player = visit("en")
    with nothing_warned(player):
        player.sit_down(variant="six-card", level_1="random")
        for number in (1, 2):
            in_game(player, number)
            give_up(player)
            player.page.click(NEXT)
        in_game(player, 3)
        opponent = 1 - player.view["seat"]
        expect(player.page.locator(f'[data-side="{opponent}"] .score-games')).to_contain_text("2")


def test_after_a_reload_between_deals_a_later_game_is_named_and_given_up(visit: Visit) -> None:
    player = visit("en")
    with nothing_warned(player):
        player.sit_down(variant="six-card", level_1="random")
        in_game(player, 1)
        give_up(player)
        player.page.click(NEXT)
        in_game(player, 2)
        next(asked for asked in player.play() if asked == "continue")
        tally = player.page.locator(".score-games").all_inner_texts()
        player.page.reload()
        assert player.wait() == "continue"
        expect(player.page.locator("#title")).to_contain_text("game 2")
        assert player.page.locator(".score-games").all_inner_texts() == tally != []
        give_up(player)
        expect(player.page.locator(NEXT)).to_be_visible()


def test_either_of_two_people_can_start_the_next_game(visit: Visit) -> None:
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
                # The second press may come before the first is answered, or after the button is gone.
                player.page.evaluate("""() => document.querySelector('[data-action="next"]')?.click()""")
        for player in (host, guest):
            in_game(player, 5)


def all_play(players: list[Player], enough: Callable[[], bool]) -> None:
    """Answer what each page asks in turn, until `enough` returns True."""
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
    """After a player resigned, press only Continue until every page shows the end."""
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


def test_three_games_with_reloaded_pages_and_a_second_tab(visit: Visit) -> None:
    """Two tabs of a browser commit to and reveal the same seed, and the second tab shows no warning."""
    host, guest = visit("en"), visit("ja")
    with nothing_warned(host, guest):
        invited(host, guest, "健", variant="six-card", name="Mia")
        tab = Player(guest.page.context.new_page(), "ja")
        with nothing_warned(tab):
            tab.page.goto(guest.page.url)
            everywhere = [host, guest, tab]
            for number in (1, 2, 3):
                for player in everywhere:
                    in_game(player, number)
                if number == 3:
                    all_play([host, guest], lambda: "play" in host.asked)
                give_up(guest if number % 2 else host)
                all_reach_the_end(everywhere)
                sealed(*everywhere)
                if number < 3:
                    for player in everywhere[:number]:
                        player.page.reload()
                        expect(player.page.locator(NEXT)).to_be_visible()
                    everywhere[number].page.locator(NEXT).click()


def test_in_pass_and_play_next_games_start_without_a_warning(visit: Visit) -> None:
    player = visit("en")
    page = player.page
    with nothing_warned(player):
        player.sit_down(variant="six-card", level_1="here", name="Ada", here_1="Ben")
        for number in (1, 2):
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
        expect(page.locator("#title")).to_contain_text("game 3")


def test_four_people_play_three_games_without_a_warning(visit: Visit) -> None:
    """The last game is played to its end; in the others a player resigns once everybody has played a card."""
    players = [visit("en"), visit("ja", phone=True), visit("en", phone=True), visit("ja")]
    host, guests = players[0], players[1:]
    with nothing_warned(*players):
        people = {f"level_{seat}": "person" for seat in (1, 2, 3)}
        host.sit_down(variant="partners", target="61", length="nine", name="Mia", **people)
        links = [str(one.input_value()) for one in host.page.locator("[data-link]").all()]
        for guest, link, name in zip(guests, links, ("健", "Ben", "愛子"), strict=True):
            accept_invitation(guest, link, name)
        host.page.wait_for_selector("#table")
        for number in (1, 2, 3):
            for player in players:
                expect(player.page.locator("#title")).to_contain_text(str(number))
                player.asked.clear()
            if number == 3:
                all_play(players, lambda: all_see_the_end(players))
            else:
                all_play(players, lambda: all("play" in player.asked for player in players))
                give_up(players[number])
                all_reach_the_end(players)
                # First one player asks for the next game, then three do at once.
                for player in (players[number], *players[: 2 * (number - 1)]):
                    player.page.evaluate("""() => document.querySelector('[data-action="next"]')?.click()""")
        assert all(player.view["won"] is not None for player in players)
        sealed(*players)
