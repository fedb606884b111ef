"""The page checks the dealing: an honest server passes, and every lie is found."""

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from fifteentwo.rules.actions import Cut, Draw
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.state import State
from fifteentwo.server.table_log import dealing as dealing_rules
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.dealing import commitment_to
from tests.dealing.games import VARIANTS, begun, seed_of
from tests.support.fair_dealing import dealing, joined, play_on, revealing, whole_game
from tests.support.live_server import Json, Live

HERE = Path(__file__).parent


def heard_of(live: Live) -> list[Json]:
    """Return the messages of a page in two deals or more, and the seed that it sent."""
    with live.person() as aiko:
        game = aiko.new_game()
        with joined(aiko, game, "aiko") as page:
            revealing(page)
            page.send("reveal", seed_of("aiko").hex())
            while len(page.dealing["deals"]) < 3:
                play_on(page, random.Random(7), 1)
            return [json.loads(text) for text in page.heard]


def traced(stories: dict[str, list[Any]], folder: Path) -> dict[str, Any]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here")
    file = folder / "stories.json"
    file.write_text(json.dumps({"seed": seed_of("aiko").hex(), "stories": stories}), "utf-8")
    done = subprocess.run(
        [node, str(HERE / "check_stories.mjs"), str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


RELOAD: Json = {"t": "reload", "d": {}}
"""An entry of a story: the page is loaded again in the same browser."""


def changed(heard: list[Json], change: Any, *, stage: str = "dealing") -> list[Json]:
    """Return a story in which `change` alters the dealing messages of a stage."""
    copy: list[Json] = json.loads(json.dumps(heard))
    for message in copy:
        if message["t"] == "dealing" and message["d"]["stage"] == stage:
            change(message["d"])
    return copy


def dealt_otherwise(story: list[Json]) -> list[Json]:
    """Return a story in which the page was dealt another card than the proof says."""
    copy: list[Json] = json.loads(json.dumps(story))
    dealt = next(m for m in copy if m["t"] == "event" and (m["d"]["event"] or {}).get("type") == "Dealt")
    hand = dealt["d"]["event"]["hands"][0]
    own, spare = hand[0], next(card.text for card in DECK if card.text not in hand)
    lied: list[Json] = json.loads(json.dumps(copy).replace(f'"{own}"', f'"{spare}"'))
    return lied


def test_the_page_sends_its_seed_to_an_honest_server_and_finds_every_lie(live: Live, tmp_path: Path) -> None:
    heard = heard_of(live)
    other = commitment_to(seed_of("another chain"))

    def other_link(stated: Json) -> None:
        stated["links"] = [*stated["links"][:-1], seed_of("y").hex()] if stated["links"] else []

    def other_card(stated: Json) -> None:
        for lines in stated["deals"][1:]:
            place = next(place for place, line in enumerate(lines) if line.startswith("deal "))
            words = lines[place].split()
            words[1], words[2] = words[2], words[1]
            lines[place] = " ".join(words)

    stories = {
        "honest": heard,
        "commitment": changed(heard, lambda stated: stated.update(commitment=other)),
        "left-out": changed(
            heard, lambda stated: stated.update(committed=["", "computer"]), stage="revealing"
        ),
        "not-all": changed(heard, lambda stated: stated["committed"].__setitem__(1, ""), stage="revealing"),
        "own-seed": changed(heard, lambda stated: stated["seeds"].__setitem__(0, seed_of("x").hex())),
        "link": changed(heard, other_link),
        "cards": changed(heard, other_card),
        "dealt-otherwise": dealt_otherwise(heard),
        "own-seat-nothing": changed(heard, lambda stated: stated["committed"].__setitem__(0, "nothing")),
        "own-seat-computer": [
            one
            for one in changed(heard, lambda stated: stated["committed"].__setitem__(0, "computer"))
            if one["t"] != "dealing" or one["d"]["stage"] == "dealing"
        ],
    }
    result = traced(stories, tmp_path)
    assert result["honest"] == {"revealed": True, "fault": None, "checked": 2, "unseen": 0}
    assert result["commitment"]["fault"]["code"] == "changed"
    assert not result["left-out"]["revealed"]
    assert result["not-all"] == {
        "revealed": False,
        "fault": {"code": "unfinished"},
        "checked": 0,
        "unseen": 0,
    }
    assert result["own-seed"]["fault"] == {"code": "seed", "seat": 0}
    assert result["link"]["fault"]["code"] == "link"
    assert result["cards"]["fault"] == {"code": "cards", "deal": 1}
    assert result["dealt-otherwise"]["fault"]["code"] == "not-as-seen"
    assert result["own-seat-nothing"]["fault"]["code"] == "changed"
    assert result["own-seat-computer"] == {
        "revealed": False,
        "fault": {"code": "changed"},
        "checked": 0,
        "unseen": 0,
    }


def deal_ends(heard: list[Json], deal: int) -> int:
    """Return the index of the message that shows that a deal has ended."""
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


def test_a_missing_link_is_noticed_at_once(live: Live, tmp_path: Path) -> None:
    heard = heard_of(live)

    def at_most(number: int) -> list[Json]:
        return changed(
            heard,
            lambda stated: stated.update(links=stated["links"][:number], deals=stated["deals"][:number]),
        )

    def late(stated: Json) -> None:
        if len(stated["links"]) > 1:
            stated.update(links=stated["links"][:-1], deals=stated["deals"][:-1])

    def after(story: list[Json], deal: int, more: int) -> list[Json]:
        """Maximum number of messages after the event that ends a deal."""
        return story[: deal_ends(story, deal) + more]

    first_link = next(
        place for place, one in enumerate(heard) if one["t"] == "dealing" and len(one["d"]["links"]) == 2
    )
    assert first_link < deal_ends(heard, 1), "an honest server sends the link before the event"
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
        "without-cards": changed(heard, lambda stated: stated.update(deals=[])),
        "without-draws": changed(heard, lambda stated: stated["deals"][0:1] and stated["deals"][0].clear()),
        "never-begun": changed(heard, lambda stated: stated.update(stage="revealing", links=[], deals=[])),
    }
    result = traced(stories, tmp_path)
    faults = {name: one["fault"] for name, one in result.items()}
    assert faults["honest"] is faults["withheld-before"] is faults["second-before"] is None
    first: Json = {"code": "missing", "deal": 1}
    assert faults["withheld"] == faults["late"] == faults["late-and-made-up-for"] == first
    assert faults["silent"] == first
    assert faults["second"] == {"code": "missing", "deal": 2}
    assert (
        faults["none"] == faults["without-cards"] == faults["never-begun"] == {"code": "missing", "deal": 0}
    )
    assert faults["without-draws"] == {"code": "draw", "deal": 0}


def test_a_reload_or_return_misses_no_message(live: Live, tmp_path: Path) -> None:
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
        rng, whole = random.Random(8), dict[str, Any]()
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
                heard, lambda stated: stated["links"][3:] and stated.update(links=stated["links"][:3])
            ),
        }
    result = traced(stories, tmp_path)
    checked = len(whole["deals"]) - 1
    assert result["honest"] == {"revealed": True, "fault": None, "checked": checked, "unseen": 0}
    assert result["kept-back"]["fault"] == {"code": "missing", "deal": 3}


def test_a_place_other_than_the_committed_one_is_found_by_the_page(
    live: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator enters the place that a person's page asked for, or any other: it is the wrong one."""
    monkeypatch.setattr(proposals, "seeded_action", lambda *state_decks_action: state_decks_action[2])
    result = traced({"steered": heard_of(live)}, tmp_path)
    assert result["steered"]["fault"] == {"code": "draw", "deal": 0}

    def cuts_alone(state: State, decks: Any, action: Any) -> Any:
        return action if isinstance(action, Cut) else dealing_rules.seeded_action(state, decks, action)

    monkeypatch.setattr(proposals, "seeded_action", cuts_alone)
    result = traced({"steered": heard_of(live)}, tmp_path)
    assert result["steered"]["fault"]["code"] == "cut"


def test_a_dealer_is_named_before_any_seed_is_sent(live: Live, tmp_path: Path) -> None:
    """After the seeds the operator could show a dealer which of the two games is theirs."""
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
    other = changed(heard, lambda stated: stated["deals"] and stated["deals"][0].__setitem__(0, "name 0"))
    result = traced(
        {"honest": heard, "asked-early": [*heard[: tables[-1] + 1], early], "another": other}, tmp_path
    )
    assert result["honest"] == {"revealed": True, "fault": None, "checked": 0, "unseen": 0}
    assert not result["asked-early"]["revealed"]
    assert result["another"]["fault"] == {"code": "not-as-seen", "deal": 0}


def test_the_order_of_presses_decides_no_card() -> None:
    """The order and the places of the draws change no card."""
    made = []
    for order in ((0, 1, 2), (2, 0, 1)):
        table = begun("three-handed", {}, (0, 1, 2), "presses")
        for place, seat in enumerate(order):
            row, taken = proposals.act(table, seat, Draw(seat, 5 * place + 50 * (not place)))
            table.add(row, taken)
        made.append(table.table.state.drawn)
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("variant", "options"),
    [*VARIANTS[:2], *(pytest.param(*one, marks=pytest.mark.long) for one in VARIANTS[2:])],
)
def test_an_honest_server_is_never_accused(
    live: Live, tmp_path: Path, variant: str, options: dict[str, Any]
) -> None:
    """A whole game and the beginning of the next are played in all variants and options of the dealing."""
    plain = {name: {True: "yes", False: "no"}.get(value, str(value)) for name, value in options.items()}
    with live.person() as aiko:
        game = aiko.new_game(variant, **{"target": "61", **plain})
        with joined(aiko, game, "aiko") as page:
            name_dealer(page)
            revealing(page)
            page.send("reveal", seed_of("aiko").hex())
            whole_game(page, 1)
            first = len(page.heard)
            page.send("next-game", commitment_to(seed_of("second")))
            while page.dealing["game"] != 2 or page.dealing["stage"] != "revealing":
                page.hear()
            page.send("reveal", seed_of("second").hex())
            play_on(page, random.Random(2), 40)
            heard = [json.loads(text) for text in page.heard]
            links = page.dealing["links"]
    second: Json = {"t": "seed", "d": seed_of("second").hex()}
    result = traced({"over": heard[:first], "next": [*heard[:first], second, *heard[first:]]}, tmp_path)
    assert result["over"]["fault"] is result["next"]["fault"] is None
    assert result["over"]["unseen"] == result["next"]["unseen"] == 0
    assert result["over"]["checked"] >= 2
    assert result["next"]["checked"] == len(links) - 1


def name_dealer(page: Any) -> None:
    """Where the table names one, name the first dealer."""
    page.until("waiting")
    if page.view["phase"] == "name-dealer":
        page.send("act", {"type": "NameDealer", "dealer": 1})


def test_a_server_that_chooses_after_it_knows_the_cards_is_found(live: Live, tmp_path: Path) -> None:
    """Everything besides the cards that decides who gets which: rules, seats, dealer, deals, whole games."""
    heard = heard_of(live)
    cards = next(place for place, one in enumerate(heard) if one["t"] == "dealing" and one["d"]["seeds"])

    def views(change: Any) -> list[Json]:
        copy: list[Json] = json.loads(json.dumps(heard))
        for message in copy[cards:]:
            if message["t"] in ("table", "view"):
                change(message["d"]["view"])
        return copy

    ends = [deal_ends(heard, 1), deal_ends(heard, 2)]
    links_after = [
        next(place for place in range(end, 0, -1) if heard[place]["t"] == "dealing") for end in ends
    ]
    skipped = [*heard[: ends[0] + 1], heard[links_after[1]], *heard[ends[1] + 1 :]]
    again = changed(heard, lambda stated: stated.update(game=2))
    for message in again:
        if message["t"] == "dealing":
            message["d"]["game"] = 2
    second: Json = {"t": "seed", "d": seed_of("aiko").hex()}
    stories = {
        "uncut": views(lambda view: view["rules"].update(cut_before_deal=False)),
        "highest": views(lambda view: view["rules"].update(first_dealer="high")),
        "other-seat": views(lambda view: view.update(seat=1 - view["seat"])),
        "other-places": views(lambda view: view.update(seat=1 - view["seat"], seating=view["seating"][::-1])),
        "other-dealer": views(lambda view: view.update(dealer=1 - view["dealer"] if view["deal"] else -1)),
        "named": changed(
            heard, lambda stated: stated["deals"] and stated["deals"].__setitem__(0, ["name 1"])
        ),
        "skipped": skipped,
        "begun-again": [*heard[: cards + 1], second, *again],
        "goes-on": [*heard, second, *again],
    }
    result = traced(stories, tmp_path)
    faults = {name: one["fault"] and one["fault"]["code"] for name, one in result.items()}
    assert faults["uncut"] == faults["highest"] == "rules"
    assert faults["other-seat"] == "changed"
    assert faults["other-places"] in ("not-as-seen", "changed")
    assert faults["other-dealer"] in ("not-as-seen", "missing", "draw")
    assert faults["named"] == "not-as-seen"
    assert result["skipped"]["unseen"] == 1
    assert faults["begun-again"] == "passed-over"
    assert faults["goes-on"] is None
