"""Several processes on one PostgreSQL: a page that comes from one to another is sent no less than before."""

import hashlib
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from fifteentwo.server.cluster import peers
from fifteentwo.server.cluster.peers import PostgresPeers
from tests.support.live_server import serving

SEED = "5e" * 32
PROMISE = hashlib.sha256(bytes.fromhex(SEED)).hexdigest()


@pytest.fixture(autouse=True)
def deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is heard of other processes, and nothing found by looking."""
    monkeypatch.setattr(PostgresPeers, "_received", lambda *_: None)
    monkeypatch.setattr(peers, "POLLED", 1000.0)


@pytest.mark.postgres
def test_a_table_that_was_read_long_ago_is_read_on_before_a_page_is_sent_it(cluster: str) -> None:
    """A page that is sent older commitments once more would cry fraud."""
    with serving(cluster) as here, serving(cluster) as there, here.person() as aiko, here.person() as ken:
        game = aiko.new_game(level_1="person", target="61")
        with aiko.open(game, commitment=PROMISE) as page:
            page.until("table")
            assert page.dealing["stage"] == "committing"
            # The other process reads the table as it stands now.
            assert aiko.browser.get(f"{there.http}/game/{game}").status_code == 200
            ken.sit(page.table["invitations"][0]["path"], "Ken")
            with ken.open(game):
                while page.dealing["stage"] == "committing":
                    page.until("dealing")
                page.send("reveal", SEED)
                while page.dealing["stage"] != "dealing":
                    page.until("dealing")
                page.settle()
        aiko.live = there
        with aiko.open(game, commitment=PROMISE) as late:
            assert late.until("table")["v"] >= page.v
            assert late.dealing["stage"] == "dealing"
            assert late.dealing["committed"] == page.dealing["committed"]


@pytest.mark.postgres
def test_who_has_just_sat_down_or_gone_through_one_process_is_known_to_the_other(cluster: str) -> None:
    """A page reaches any process; one that takes it for a stranger's sends it away for good."""
    with serving(cluster) as here, serving(cluster) as there, here.person() as aiko, here.person() as ken:
        game = aiko.new_game(level_1="person", target="61")
        with aiko.open(game) as page:
            page.until("table")
            # The other process reads the table while Ken's place is open.
            assert aiko.browser.get(f"{there.http}/game/{game}").status_code == 200
            ken.sit(page.table["invitations"][0]["path"], "Ken")
            assert ken.browser.get(f"{there.http}/game/{game}").status_code == 200
            ken.live = there
            with ken.open(game) as other:
                assert other.until("table")["d"]["names"] == ["Guest", "Ken"]
        import psycopg

        with psycopg.connect(cluster) as connection:
            connection.execute(
                "UPDATE player SET owner = 'a name' WHERE match_id = %s AND player_number = 1", (game,)
            )
        with ken.open(game) as gone:
            heard = []
            with suppress(ConnectionClosed):
                while True:
                    heard.append(gone.hear()["t"])
            assert set(heard) <= {"refused"}, "a browser with the cookie of before receives nothing"
