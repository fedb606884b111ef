"""A copy of the database reveals what SECURITY.md says, and nothing that allows signing in."""

import random
from pathlib import Path

from fifteentwo.server.store.copies import back_up
from tests.dealing.games import seed_of
from tests.support.fair_dealing import joined, play_on, revealing
from tests.support.live_server import Live
from tests.support.stored import ledger_of

PASSPHRASE = "correct horse battery"


def test_backup_has_cards_and_open_links_but_no_token_or_passphrase(
    live: Live, database: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.sqlite3"
    with live.person() as aiko:
        kept = aiko.browser.post("/account/keep", data={"name": "Aiko of the copy", "passphrase": PASSPHRASE})
        assert kept.status_code in (200, 303)
        open_table = aiko.new_game(level_1="person", spectators="yes")
        with aiko.open(open_table) as page:
            invitation = page.until("table")["d"]["invitations"][0]["path"].split("/")[-1]
        game = aiko.new_game(cut_before_deal="no")
        with joined(aiko, game, "copy") as page:
            revealing(page)
            page.send("reveal", seed_of("copy").hex())
            while not page.view.get("hand"):
                play_on(page, random.Random(1), 1)
                page.settle()
            hand = page.view["hand"]
        cookies = [cookie.value or "" for cookie in aiko.browser.cookies.jar]
    back_up(str(database), copy)
    held = copy.read_bytes()
    tokens = [value for value in cookies if len(value) > 20]
    assert tokens, "a session is a long random cookie"
    for secret in (*tokens, PASSPHRASE):
        assert secret.encode() not in held
    assert invitation.encode() in held
    state = ledger_of(copy, game).table
    assert tuple(hand) in [tuple(card.text for card in one) for one in state.state.hands]
    assert len(state.decks("deal-2")) == 52, "also of the deals to come"
