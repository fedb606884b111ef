"""The dealing over the connection: waiting for seeds, the order of messages, the page's checks."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from fifteentwo.rules.record import read
from fifteentwo.server.errors import StoreError
from fifteentwo.server.live import seeding
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.table_log.dealing import commitment_to, link
from fifteentwo.server.table_log.proofs import verify_dealing
from fifteentwo.server.table_log.rows import Row
from tests.dealing.games import seed_of
from tests.support.fair_dealing import dealing, joined, play_on, revealing, whole_game
from tests.support.live_server import Live, Page, Person
from tests.support.stored import ledger_of, rows_of

HERE = Path(__file__).parent
_LINK = re.compile("[0-9a-f]{64}")


def seat_of(page: Page) -> int:
    return int(page.view["seating"][page.view["seat"]])


def test_one_answer_of_the_page_and_the_cards_are_fixed(aiko: Person, database: Path) -> None:
    game = aiko.new_game()
    with joined(aiko, game, "aiko") as page:
        revealing(page)
        kinds = [json.loads(text)["t"] for text in page.heard]
        assert kinds == ["dealing"], "nothing to wait for but one's own answer"
        assert page.dealing["committed"] == [commitment_to(seed_of("aiko")), "computer"]
        assert page.choices == []
        page.send("reveal", seed_of("aiko").hex())
        page.settle()
        assert {choice["type"] for choice in page.choices} == {"Draw"}
        dealing(page)
        assert page.dealing["seeds"] == [seed_of("aiko").hex(), ""]
    assert [row.type for row in rows_of(database, game)][:3] == ["began", "committed", "revealed"]


def test_a_seed_that_could_not_be_stored_is_requested_again(
    aiko: Person, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, refused = LiveTable.add_row, list[str]()

    async def full(log: LiveTable, made: Callable[[], Row]) -> None:
        if made().type == "revealed" and len(refused) < 2:
            refused.append("full")
            raise StoreError("disk-full")
        await kept(log, made)

    monkeypatch.setattr(seeding, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(LiveTable, "add_row", full)
    game = aiko.new_game()
    with joined(aiko, game, "aiko") as page:
        revealing(page)
        for _ in range(2):
            page.send("reveal", seed_of("aiko").hex())
            assert page.until("refused")["d"]["code"] == "disk-full"
            page.dealing = {}
            revealing(page)
            assert page.dealing["awaited"] == [0], "the page is sent once more what is waited for"
        page.send("reveal", seed_of("aiko").hex())
        page.settle()
    assert refused == ["full", "full"]
    assert [row.type for row in rows_of(database, game)][:3] == ["began", "committed", "revealed"]


def test_people_wait_for_each_others_commitments_and_seeds_only(aiko: Person, ken: Person) -> None:
    game = aiko.new_game(level_1="person", level_2="random", variant="three-handed")
    with joined(aiko, game, "aiko") as first:
        first.until("dealing")
        assert (first.dealing["stage"], first.dealing["awaited"]) == ("committing", [1])
        first.send("reveal", seed_of("aiko").hex())
        assert first.until("refused")["d"]["code"] == "seed-not-awaited"
        ken.sit(first.table["invitations"][0]["path"])
        with joined(ken, game, "ken") as second:
            revealing(first)
            revealing(second)
            assert first.dealing["awaited"] == [0, 1]
            second.send("reveal", seed_of("another").hex())
            assert second.until("refused")["d"]["code"] == "seed-not-as-committed"
            second.send("reveal", seed_of("ken").hex())
            while second.dealing["awaited"] != [0]:
                second.hear()
            assert second.dealing["seeds"] == [], "a seed that is known already is not sent yet"
            second.send("act", {"type": "Draw", "seat": 1, "at": 5})
            assert second.until("refused")["d"]["code"] == "seeds-awaited"
            first.send("reveal", seed_of("aiko").hex())
            for page in (first, second):
                dealing(page)
                assert page.dealing["seeds"] == [seed_of("aiko").hex(), seed_of("ken").hex(), ""]


def test_a_page_that_leaves_before_its_seed_is_waited_for(aiko: Person, database: Path) -> None:
    game = aiko.new_game()
    with joined(aiko, game, "aiko") as page:
        revealing(page)
    with aiko.open(game) as other:
        other.until("dealing")
        assert other.dealing["stage"] == "revealing", "a page that takes no part changes nothing"
        assert other.choices == []
    with joined(aiko, game, "a new one") as again:
        again.until("dealing")
        assert again.dealing["committed"][0] == commitment_to(seed_of("aiko")), "the first stands"
        again.send("reveal", seed_of("aiko").hex())
        again.settle()
    assert ledger_of(database, game).dealing.recorded_seeds == (seed_of("aiko").hex(), "")


def test_a_page_without_a_seed_is_not_waited_for(aiko: Person) -> None:
    with aiko.at_table() as page:
        page.settle()
        dealing(page)
        assert page.dealing["committed"] == ["nothing", "computer"]


def test_a_page_that_only_waits_for_others_leaves_the_seed_to_the_table(aiko: Person) -> None:
    game = aiko.new_game()
    with aiko.open(game, commitment="") as waiting:
        waiting.until("dealing")
        assert waiting.dealing["stage"] == "committing"
        with joined(aiko, game, "aiko") as page:
            revealing(page)


def test_the_next_game_asks_for_other_seeds_and_is_one_answer_away_too(aiko: Person, database: Path) -> None:
    game = aiko.new_game("five-card")
    with joined(aiko, game, "aiko") as page:
        revealing(page)
        page.send("reveal", seed_of("aiko").hex())
        whole_game(page, 1)
        before = page.dealing["commitment"]
        page.send("next-game", commitment_to(seed_of("second")))
        while page.dealing["game"] != 2 or page.dealing["stage"] != "revealing":
            page.hear()
        assert page.dealing["commitment"] != before
        assert page.dealing["committed"][page.dealing["awaited"][0]] == commitment_to(seed_of("second"))
        page.send("reveal", seed_of("second").hex())
        page.settle()
    kept = ledger_of(database, game)
    assert kept.match.game == 2


def test_nothing_sent_opens_a_deal_before_it_is_over(aiko: Person, database: Path) -> None:
    """Every 64 digits that are sent are compared with the secret links of the log."""
    game = aiko.new_game("six-card", target="61", counting="claimed")
    with joined(aiko, game, "aiko") as page:
        revealing(page)
        page.send("reveal", seed_of("aiko").hex())
        whole_game(page, 2)
        heard = list(page.heard)
    kept = ledger_of(database, game)
    links = {link(kept.dealing.secret, number).hex(): number for number in range(256)}
    deal, result, counted = -1, set[int](), 0
    # A link is judged by the next table that is shown: the deal was over when it was sent.
    for text in reversed(heard):
        message = json.loads(text)
        if message["t"] in ("table", "view"):
            view = message["d"]["view"]
            over = view["phase"] in ("cut", "over") or view["won"]
            deal = view["deal"] if over else view["deal"] - 1
        for found in _LINK.findall(text):
            counted += 1
            if found in links:
                assert links[found] <= deal, "a link before its deal was over"
                result.add(links[found])
        assert kept.dealing.secret.hex() not in text
    assert counted > sum(range(len(result))), "every link is sent again with each later one"
    assert result == set(range(kept.table.state.deal + 1))
    record = read(aiko.browser.get(f"/game/{game}/record").text)
    assert verify_dealing(record, page.dealing["commitment"]) > 0
    assert record.links == tuple(page.dealing["links"])


def test_an_abandoned_game_is_published_after_a_week_and_never_continued(
    aiko: Person, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = aiko.new_game()
    with joined(aiko, game, "aiko") as page:
        revealing(page)
        page.send("reveal", seed_of("aiko").hex())
        play_on(page, random.Random(5), 14)
        page.settle()
        assert aiko.browser.get(f"/game/{game}/record").status_code == 409, "it is being played"
        assert "closed" not in [row.type for row in rows_of(database, game)]
        monkeypatch.setattr(seeding, "ABANDONED_SECONDS", 0)
        assert aiko.browser.get(f"/game/{game}/record").status_code == 409, "to look ends nothing"
        assert aiko.browser.post(f"/game/{game}/record").status_code == 303
        answer = aiko.browser.get(f"/game/{game}/record")
        assert answer.status_code == 200
        record = read(answer.text)
        assert len(record.links) == 1 + ledger_of(database, game).table.state.deal
        assert verify_dealing(record, page.dealing["commitment"]) > 2
        page.send("act", page.choices[0])
        assert page.until("refused")["d"]["code"] == "game-closed"
        page.send("undo")
        assert page.until("refused")["d"]["code"] == "nothing-to-undo"
    monkeypatch.undo()
    with aiko.open(game) as again:
        again.until("waiting")
        assert again.choices == []
    assert aiko.browser.get(f"/game/{game}/record").text == answer.text
    assert aiko.browser.get(f"/game/{game}/log").status_code == 409


def test_mangled_dealing_messages_change_nothing(
    subtests: pytest.Subtests, live: Live, database: Path
) -> None:
    for fields in [{"t": "commit", "d": "ff"}, {"t": "reveal", "d": "0" * 64}, {"t": "commit"}]:
        with subtests.test(fields=fields), live.person() as aiko:
            game = aiko.new_game()
            with joined(aiko, game, "aiko") as page:
                revealing(page)
                rows = rows_of(database, game)
                page.line.send(json.dumps(fields))
                page.until("refused")
                assert rows_of(database, game) == rows
