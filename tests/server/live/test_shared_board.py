"""The board in the middle: every change at once, no hidden card, and only by its link."""

import contextlib
import json

from fifteentwo.server.live.shared_board import MAX_BOARDS_PER_TABLE
from tests.server.live.test_spectators import looking
from tests.support.live_server import Live, Person, cards_in


def board_of(player: Person, game: str) -> str:
    """Return the link to the board from the page of the players."""
    page = player.browser.get(f"/game/{game}/board").text
    return page[page.index(f"/game/{game}/board/") :].split('"')[0]


def test_only_the_link_of_a_table_with_invited_people_opens_its_board(
    live: Live, aiko: Person, stranger: Person
) -> None:
    game = aiko.new_game(level_1="person")
    path = board_of(aiko, game)
    assert stranger.browser.get(path).status_code == 200
    assert stranger.browser.get(f"/game/{game}/board").status_code == 403
    wrong = path[:-1] + ("A" if path[-1] != "A" else "B")
    alone = aiko.new_game()
    for bad in (wrong, f"/game/{alone}/board/{path[-22:]}", f"/game/{game}/board/x"):
        assert stranger.browser.get(bad).status_code == 404
        with looking(live, bad) as page:
            assert page.until("refused")["d"]["code"] == "no-shared-board"
    assert aiko.browser.get(f"/game/{alone}/board").status_code == 404
    with looking(live, path) as page:
        page.until("spectator-table")
        page.send("act", {"type": "NameDealer", "dealer": 0})
        assert page.until("refused")["d"]["code"] == "spectators-cannot-act"


def test_a_board_shows_each_change_at_once_and_no_hand(live: Live, aiko: Person, ben: Person) -> None:
    game = aiko.new_game(level_1="person", first_dealer="named", cut_before_deal="no", starter="top")
    with looking(live, board_of(aiko, game)) as board, aiko.open(game) as host:
        host.until("waiting")
        ben.sit(host.table["invitations"][0]["path"], name="Ben")
        while board.until("spectator-table")["d"]["names"][1] != "Ben":
            pass
        with ben.open(game) as guest:
            guest.until("waiting")
            host.act({"type": "NameDealer", "dealer": 0})
            pages, hidden = (host, guest), set[str]()
            for page in pages:
                while page.view["phase"] != "discard":
                    page.until("view")
                hidden |= set(page.view["hand"])
                page.act({"type": "Discard", "seat": page.view["seat"], "cards": page.view["hand"][:2]})
            while guest.view["phase"] != "play":
                guest.until("view")
            card = guest.view["hand"][0]
            guest.act({"type": "Play", "seat": 1, "card": card})
            played: list[str] = []
            while not played:
                shown = board.until("spectator-table")["d"]
                played = [one for _, one in shown["view"]["played"]]
                assert cards_in(json.dumps(shown)) & hidden <= set(played)
            assert played == [card]


def test_boards_beyond_the_maximum_are_refused(live: Live, aiko: Person) -> None:
    path = board_of(aiko, aiko.new_game(level_1="person"))
    with contextlib.ExitStack() as open_pages:
        for _ in range(MAX_BOARDS_PER_TABLE):
            open_pages.enter_context(looking(live, path)).until("spectator-table")
        with looking(live, path) as one_more:
            assert one_more.until("refused")["d"]["code"] == "too-many-boards"
