"""The dealing over the line: who is waited for, what is told when, and what the page makes of it."""

import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fifteentwo.rules.actions import Cut, Draw
from fifteentwo.rules.cards import PACK
from fifteentwo.rules.record import read
from fifteentwo.rules.state import State
from fifteentwo.server import dealing as dealing_rules
from fifteentwo.server import ledger, seeding
from fifteentwo.server.dealing import commitment, link
from fifteentwo.server.errors import StoreError
from fifteentwo.server.proving import verify
from fifteentwo.server.rooms import Room
from fifteentwo.server.store import Row
from tests.dealing.games import begun, seed_of
from tests.server.kept import ledger_of, rows_of
from tests.server.live import Json, Live, Page, Person

HERE = Path(__file__).parent
_LINK = re.compile("[0-9a-f]{64}")


def seat_of(page: Page) -> int:
    return int(page.view["seating"][page.view["seat"]])


def revealing(page: Page) -> None:
    while page.dealing.get("stage") != "revealing":
        page.hear()


def dealing(page: Page) -> None:
    while page.dealing.get("stage") != "dealing":
        page.hear()


def joined(person: Person, game: str, name: str) -> Page:
    return person.open(game, commitment=commitment(seed_of(name)))


def play_on(page: Page, rng: random.Random, actions: int) -> None:
    for _ in range(actions):
        page.settle()
        if page.view["won"]:
            return
        page.send("act", rng.choice(page.choices))
        page.choices = []
        while page.hear()["t"] not in ("waiting", "refused"):
            pass


def whole_game(page: Page, seed: int) -> None:
    play_on(page, random.Random(seed), 5000)
    assert page.view["won"]
    while len(page.dealing["deals"]) < 1 + page.view["deal"]:
        page.hear()


def test_one_answer_of_the_page_and_the_cards_are_fixed(live: Live, database: Path) -> None:
    with live.person() as aiko:
        game = aiko.new_game()
        with joined(aiko, game, "aiko") as page:
            revealing(page)
            kinds = [json.loads(text)["t"] for text in page.heard]
            assert kinds == ["dealing"], "nothing to wait for but one's own answer"
            assert page.dealing["committed"] == [commitment(seed_of("aiko")), "computer"]
            assert page.choices == []
            page.send("reveal", seed_of("aiko").hex())
            page.settle()
            assert {choice["type"] for choice in page.choices} == {"Draw"}
            dealing(page)
            assert page.dealing["seeds"] == [seed_of("aiko").hex(), ""]
        assert [row.type for row in rows_of(database, game)][:3] == ["began-3", "committed", "revealed"]


def test_a_seed_that_could_not_be_kept_is_asked_for_again(
    live: Live, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, refused = Room.add, list[str]()

    async def full(room: Room, made: Callable[[], Row]) -> None:
        if made().type == "revealed" and len(refused) < 2:
            refused.append("full")
            raise StoreError("disk-full")
        await kept(room, made)

    monkeypatch.setattr(seeding, "ASK_AGAIN", 0.05)
    monkeypatch.setattr(Room, "add", full)
    with live.person() as aiko:
        game = aiko.new_game()
        with joined(aiko, game, "aiko") as page:
            revealing(page)
            for _ in range(2):
                page.send("reveal", seed_of("aiko").hex())
                assert page.until("refused")["d"]["code"] == "disk-full"
                page.dealing = {}
                revealing(page)
                assert page.dealing["awaited"] == [0], "the page is told once more what is waited for"
            page.send("reveal", seed_of("aiko").hex())
            page.settle()
        assert refused == ["full", "full"]
        assert [row.type for row in rows_of(database, game)][:3] == ["began-3", "committed", "revealed"]


def test_people_wait_for_each_others_commitments_and_seeds_and_nobody_else(live: Live) -> None:
    with live.person() as aiko, live.person() as ken:
        game = aiko.new_game(level_1="person", level_2="random", form="three-handed")
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
                assert second.dealing["seeds"] == [], "a seed that is known already is told to nobody yet"
                second.send("act", {"type": "Draw", "seat": 1, "at": 5})
                assert second.until("refused")["d"]["code"] == "seeds-awaited"
                first.send("reveal", seed_of("aiko").hex())
                for page in (first, second):
                    dealing(page)
                    assert page.dealing["seeds"] == [seed_of("aiko").hex(), seed_of("ken").hex(), ""]


def test_a_page_that_goes_before_its_seed_is_waited_for_and_comes_back_with_it(
    live: Live, database: Path
) -> None:
    with live.person() as aiko:
        game = aiko.new_game()
        with joined(aiko, game, "aiko") as page:
            revealing(page)
        with aiko.open(game) as other:
            other.until("dealing")
            assert other.dealing["stage"] == "revealing", "a page that takes no part changes nothing"
            assert other.choices == []
        with joined(aiko, game, "a new one") as again:
            again.until("dealing")
            assert again.dealing["committed"][0] == commitment(seed_of("aiko")), "the first stands"
            again.send("reveal", seed_of("aiko").hex())
            again.settle()
        assert ledger_of(database, game).told_seeds == (seed_of("aiko").hex(), "")


def test_a_page_that_takes_no_part_is_not_waited_for_and_said_to_put_nothing_in(live: Live) -> None:
    with live.person() as aiko:
        game = aiko.new_game()
        with aiko.open(game) as page:
            page.settle()
            dealing(page)
            assert page.dealing["committed"] == ["nothing", "computer"]


def test_a_page_that_only_waits_for_others_leaves_the_seed_to_the_table(live: Live) -> None:
    with live.person() as aiko:
        game = aiko.new_game()
        with aiko.open(game, commitment="") as waiting:
            waiting.until("dealing")
            assert waiting.dealing["stage"] == "committing"
            with joined(aiko, game, "aiko") as page:
                revealing(page)


def test_the_next_game_asks_for_other_seeds_and_is_one_answer_away_too(live: Live, database: Path) -> None:
    with live.person() as aiko:
        game = aiko.new_game("five-card")
        with joined(aiko, game, "aiko") as page:
            revealing(page)
            page.send("reveal", seed_of("aiko").hex())
            whole_game(page, 1)
            before = page.dealing["commitment"]
            page.send("next", commitment(seed_of("second")))
            while page.dealing["game"] != 2 or page.dealing["stage"] != "revealing":
                page.hear()
            assert page.dealing["commitment"] != before
            assert page.dealing["committed"][page.dealing["awaited"][0]] == commitment(seed_of("second"))
            page.send("reveal", seed_of("second").hex())
            page.settle()
        kept = ledger_of(database, game)
        assert kept.match.game == 2


def test_nothing_told_opens_a_deal_before_it_is_over(live: Live, database: Path) -> None:
    """Every 64 digits that ever go over the line, against the links the log could give away."""
    with live.person() as aiko:
        game = aiko.new_game("six-card", target="61", counting="claimed")
        with joined(aiko, game, "aiko") as page:
            revealing(page)
            page.send("reveal", seed_of("aiko").hex())
            whole_game(page, 2)
            heard = list(page.heard)
        kept = ledger_of(database, game)
        links = {link(kept.secret, number).hex(): number for number in range(256)}
        deal, told, counted = -1, set[int](), 0
        # Whatever is told is judged by the next table that is shown: the deal was over when it was told.
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
                    told.add(links[found])
            assert kept.secret.hex() not in text
        assert counted > sum(range(len(told))), "every link is told again with each later one"
        assert told == set(range(kept.table.state.deal + 1))
        record = read(aiko.browser.get(f"/game/{game}/record").text)
        assert verify(record, page.dealing["commitment"]) > 0
        assert record.links == tuple(page.dealing["links"])


def test_an_abandoned_game_is_told_whole_after_a_week_and_is_never_gone_on_with(
    live: Live, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with live.person() as aiko:
        game = aiko.new_game()
        with joined(aiko, game, "aiko") as page:
            revealing(page)
            page.send("reveal", seed_of("aiko").hex())
            play_on(page, random.Random(5), 14)
            page.settle()
            assert aiko.browser.get(f"/game/{game}/record").status_code == 409, "it is being played"
            assert "closed" not in [row.type for row in rows_of(database, game)]
            monkeypatch.setattr(seeding, "ABANDONED_AFTER", 0)
            answer = aiko.browser.get(f"/game/{game}/record")
            assert answer.status_code == 200
            record = read(answer.text)
            assert len(record.links) == 1 + ledger_of(database, game).table.state.deal
            assert verify(record, page.dealing["commitment"]) > 2
            page.send("act", page.choices[0])
            assert page.until("refused")["d"]["code"] == "game-closed"
            page.send("undo")
            assert page.until("refused")["d"]["code"] == "nothing-to-undo"
        monkeypatch.undo()
        with aiko.open(game) as again:
            again.until("waiting")
            assert again.choices == []
        assert aiko.browser.get(f"/game/{game}/record").text == answer.text
        assert aiko.browser.get(f"/game/{game}/told").status_code == 409


@pytest.mark.parametrize(
    "fields", [{"t": "commit", "d": "ff"}, {"t": "reveal", "d": "0" * 64}, {"t": "commit"}]
)
def test_mangled_words_about_the_dealing_change_nothing(live: Live, database: Path, fields: Json) -> None:
    with live.person() as aiko:
        game = aiko.new_game()
        with joined(aiko, game, "aiko") as page:
            revealing(page)
            rows = rows_of(database, game)
            page.line.send(json.dumps(fields))
            page.until("refused")
            assert rows_of(database, game) == rows


# ── The page's watch ─────────────────────────────────────────────────────────────────────────────────────


def heard_of(live: Live) -> list[Json]:
    """What a page hears in two deals or more, the seed told in between."""
    with live.person() as aiko:
        game = aiko.new_game()
        with joined(aiko, game, "aiko") as page:
            revealing(page)
            page.send("reveal", seed_of("aiko").hex())
            while len(page.dealing["deals"]) < 3:
                play_on(page, random.Random(7), 1)
            return [json.loads(text) for text in page.heard]


def watched(stories: dict[str, list[Any]], folder: Path) -> dict[str, Any]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here")
    file = folder / "stories.json"
    file.write_text(json.dumps({"seed": seed_of("aiko").hex(), "stories": stories}), "utf-8")
    done = subprocess.run(
        [node, str(HERE / "watch_stories.mjs"), str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


RELOAD: Json = {"t": "reload", "d": {}}
"""In a story: the page is loaded anew, in the same browser."""


def changed(heard: list[Json], change: Any, *, stage: str = "dealing") -> list[Json]:
    """The same story, but `change` has its way with what is told of the dealing at a stage."""
    copy: list[Json] = json.loads(json.dumps(heard))
    for message in copy:
        if message["t"] == "dealing" and message["d"]["stage"] == stage:
            change(message["d"])
    return copy


def test_the_page_tells_its_seed_to_an_honest_server_and_finds_every_lie(live: Live, tmp_path: Path) -> None:
    heard = heard_of(live)
    other = commitment(seed_of("another chain"))

    def other_link(said: Json) -> None:
        said["links"] = [*said["links"][:-1], seed_of("y").hex()] if said["links"] else []

    def other_card(said: Json) -> None:
        for lines in said["deals"][1:]:
            place = next(place for place, line in enumerate(lines) if line.startswith("deal "))
            words = lines[place].split()
            words[1], words[2] = words[2], words[1]
            lines[place] = " ".join(words)

    def dealt_otherwise(story: list[Json]) -> list[Json]:
        """At the table the page was dealt another card than the proof says."""
        copy: list[Json] = json.loads(json.dumps(story))
        dealt = next(m for m in copy if m["t"] == "event" and (m["d"]["event"] or {}).get("type") == "Dealt")
        hand = dealt["d"]["event"]["hands"][0]
        own, spare = hand[0], next(card.text for card in PACK if card.text not in hand)
        lied: list[Json] = json.loads(json.dumps(copy).replace(f'"{own}"', f'"{spare}"'))
        return lied

    stories = {
        "honest": heard,
        "commitment": changed(heard, lambda said: said.update(commitment=other)),
        "left-out": changed(heard, lambda said: said.update(committed=["", "computer"]), stage="revealing"),
        "not-all": changed(heard, lambda said: said["committed"].__setitem__(1, ""), stage="revealing"),
        "own-seed": changed(heard, lambda said: said["seeds"].__setitem__(0, seed_of("x").hex())),
        "link": changed(heard, other_link),
        "cards": changed(heard, other_card),
        "dealt-otherwise": dealt_otherwise(heard),
        "own-seat-nothing": changed(heard, lambda said: said["committed"].__setitem__(0, "nothing")),
    }
    told = watched(stories, tmp_path)
    assert told["honest"] == {"revealed": True, "fault": None, "checked": 2}
    assert told["commitment"]["fault"]["code"] == "changed"
    assert not told["left-out"]["revealed"]
    assert told["not-all"] == {"revealed": False, "fault": {"code": "unfinished"}, "checked": 0}
    assert told["own-seed"]["fault"] == {"code": "seed", "seat": 0}
    assert told["link"]["fault"]["code"] == "link"
    assert told["cards"]["fault"] == {"code": "cards", "deal": 1}
    assert told["dealt-otherwise"]["fault"]["code"] == "not-as-seen"
    assert told["own-seat-nothing"]["fault"]["code"] == "changed"


def deal_ends(heard: list[Json], deal: int) -> int:
    """The place of the message that shows that a deal has ended."""
    return next(
        place
        for place, message in enumerate(heard)
        if message["t"] == "event" and (message["d"]["event"] or {}).get("type") == "DealEnded"
        if sum(
            one["t"] == "event" and (one["d"]["event"] or {}).get("type") == "DealEnded"
            for one in heard[: place + 1]
        )
        == deal
    )


def test_a_link_that_does_not_come_with_its_deal_is_missed_at_once(live: Live, tmp_path: Path) -> None:
    heard = heard_of(live)

    def at_most(number: int) -> list[Json]:
        return changed(
            heard, lambda said: said.update(links=said["links"][:number], deals=said["deals"][:number])
        )

    def late(said: Json) -> None:
        if len(said["links"]) > 1:
            said.update(links=said["links"][:-1], deals=said["deals"][:-1])

    def after(story: list[Json], deal: int, more: int) -> list[Json]:
        """Up to so many messages after the event that ends a deal."""
        return story[: deal_ends(story, deal) + more]

    told_first = next(
        place for place, one in enumerate(heard) if one["t"] == "dealing" and len(one["d"]["links"]) == 2
    )
    assert told_first < deal_ends(heard, 1), "an honest server tells the link before the event"
    stories = {
        "honest": after(heard, 1, 1),
        "withheld": after(at_most(1), 1, 1),
        "withheld-before": after(at_most(1), 1, 0),
        "second": after(at_most(2), 2, 1),
        "second-before": after(at_most(2), 2, 0),
        "late": after(changed(heard, late), 1, 1),
        "late-and-made-up-for": changed(heard, late),
        "silent": [one for one in after(heard, 1, 1) if one["t"] != "dealing" or not one["d"]["links"][1:]],
        "none": at_most(0),
        "without-cards": changed(heard, lambda said: said.update(deals=[])),
        "without-draws": changed(heard, lambda said: said["deals"][0:1] and said["deals"][0].clear()),
        "never-begun": changed(heard, lambda said: said.update(stage="revealing", links=[], deals=[])),
        "earlier-rules": changed(heard, lambda said: said.update(rules=2)),
    }
    told = watched(stories, tmp_path)
    faults = {name: one["fault"] for name, one in told.items()}
    assert faults["honest"] is faults["withheld-before"] is faults["second-before"] is None
    first: Json = {"code": "missing", "deal": 1}
    assert faults["withheld"] == faults["late"] == faults["late-and-made-up-for"] == first
    assert faults["silent"] == first
    assert faults["second"] == {"code": "missing", "deal": 2}
    assert faults["none"] == faults["without-cards"] == faults["never-begun"] == {"code": "missing", "deal": 0}
    assert faults["without-draws"] == {"code": "draw", "deal": 0}
    assert faults["earlier-rules"] == {"code": "changed"}, "it saw other rules before it told its seed"


def test_who_reloads_or_comes_back_misses_nothing(live: Live, tmp_path: Path) -> None:
    with live.person() as aiko:
        game = aiko.new_game()
        heard: list[Json] = []
        with joined(aiko, game, "aiko") as page:
            revealing(page)
            page.send("reveal", seed_of("aiko").hex())
            while len(page.dealing["deals"]) < 2:
                play_on(page, random.Random(7), 1)
            seen = page.v
            heard += [json.loads(text) for text in page.heard]
        rng = random.Random(8)
        for known in (seen, None):
            with aiko.open(game, v=known) as page:
                page.until("waiting")
                before = len(page.dealing["deals"])
                assert before >= 2
                while len(page.dealing["deals"]) == before:
                    play_on(page, rng, 1)
                if known is None:
                    heard.append(RELOAD)
                heard += [json.loads(text) for text in page.heard]
                whole = page.dealing
        stories = {
            "honest": heard,
            "kept-back": changed(
                heard, lambda said: said["links"][3:] and said.update(links=said["links"][:3])
            ),
        }
    told = watched(stories, tmp_path)
    assert told["honest"] == {"revealed": True, "fault": None, "checked": len(whole["deals"]) - 1}
    assert told["kept-back"]["fault"] == {"code": "missing", "deal": 3}


def test_a_place_other_than_the_committed_one_is_found_by_the_page(
    live: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator enters the place that a person's page asked for, or any other: it is the wrong one."""
    monkeypatch.setattr(ledger, "pressed", lambda state, packs, action: action)
    told = watched({"steered": heard_of(live)}, tmp_path)
    assert told["steered"]["fault"] == {"code": "draw", "deal": 0}

    def cuts_alone(state: State, packs: Any, action: Any) -> Any:
        return action if isinstance(action, Cut) else dealing_rules.pressed(state, packs, action)

    monkeypatch.setattr(ledger, "pressed", cuts_alone)
    told = watched({"steered": heard_of(live)}, tmp_path)
    assert told["steered"]["fault"]["code"] == "cut"


def test_a_dealer_is_named_before_any_seed_is_told(live: Live, tmp_path: Path) -> None:
    """Whoever named one after the seeds could be told by the operator which of the two games is theirs."""
    with live.person() as aiko, live.person() as ken:
        game = aiko.new_game(level_1="person", first_dealer="named")
        with joined(aiko, game, "aiko") as first:
            ken.sit(first.until("table")["d"]["invitations"][0]["path"])
            with joined(ken, game, "ken") as second:
                while first.waiting.get("seats") != [0, 1]:
                    first.hear()
                assert (first.dealing["stage"], first.dealing["awaited"]) == ("committing", [])
                first.send("reveal", seed_of("aiko").hex())
                assert first.until("refused")["d"]["code"] == "seed-not-awaited"
                first.send("resign", 1)
                assert first.until("refused")["d"]["code"] == "seeds-awaited"
                second.send("act", {"type": "NameDealer", "dealer": 1})
                revealing(first)
                first.until("waiting")
                assert (first.view["dealer"], first.choices) == (1, [])
                first.send("reveal", seed_of("aiko").hex())
                second.send("reveal", seed_of("ken").hex())
                dealing(first)
                first.until("waiting")
                heard = [json.loads(text) for text in first.heard]
    early = [one for one in heard if one["t"] == "dealing" and one["d"]["stage"] == "committing"][-1]
    early = json.loads(json.dumps(early))
    early["d"].update(stage="revealing", awaited=[0, 1])
    named = next(
        place
        for place, one in enumerate(heard)
        if one["t"] == "event" and (one["d"]["event"] or {}).get("type") == "DealerChosen"
    )
    tables = [place for place, one in enumerate(heard[:named]) if one["t"] in ("table", "view")]
    other = changed(heard, lambda said: said["deals"] and said["deals"][0].__setitem__(0, "name 0"))
    told = watched(
        {"honest": heard, "asked-early": [*heard[: tables[-1] + 1], early], "another": other}, tmp_path
    )
    assert told["honest"] == {"revealed": True, "fault": None, "checked": 0}
    assert not told["asked-early"]["revealed"]
    assert told["another"]["fault"] == {"code": "not-as-seen", "deal": 0}


def test_the_order_of_presses_decides_no_card() -> None:
    """Whoever is told the cards gains nothing by drawing first or last, nor by the place they press."""
    made = []
    for order in ((0, 1, 2), (2, 0, 1)):
        table = begun("three-handed", {}, (0, 1, 2), "presses")
        for place, seat in enumerate(order):
            row, taken = table.act(seat, Draw(seat, 5 * place + 50 * (not place)))
            table.add(row, taken)
        made.append(table.table.state.drawn)
    assert made[0] == made[1]
