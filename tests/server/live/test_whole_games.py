"""Whole games over the socket end and are stored, and no page is sent a card that it may not know."""

import json
import random
from pathlib import Path
from threading import Thread

import pytest

from fifteentwo.rules.record import last_state, read
from fifteentwo.rules.view import see
from fifteentwo.server.table_log.proofs import verify_dealing
from tests.support.live_server import Live, Page, Person, cards_in, plain
from tests.support.stored import known_after, ledger_of

VARIANTS = ("six-card", "five-card", "three-handed", "partners", "four-handed")
COUNTINGS: tuple[dict[str, str], ...] = (
    {"counting": "claimed"},
    {"counting": "claimed", "muggins": "missed"},
    {"counting": "claimed", "muggins": "missed-and-overclaims", "starter": "top", "cut_before_deal": "no"},
)


def sends_only_what_may_be_known(page: Page, database: Path, game: str, person: int) -> int:
    """Check every message of a page against the log; return the number of cards in them."""
    lines = ledger_of(database, game).entries
    known = known_after(lines, person)
    mentioned = 0
    for text in page.heard:
        message = json.loads(text)
        if message["t"] not in ("event", "view", "table"):
            assert not cards_in(text), text
            continue
        v, d = message["v"], message["d"]
        sentences = d.pop("sentences", None) or d.pop("sentence", "")
        if message["t"] == "event":
            assert cards_in(sentences) <= known[v], (v, sentences)
            event = lines[v - 1].event
            seen = None if event is None else see(event, lines[v - 1].person_by_seat.index(person))
            assert d["event"] == plain(seen)
        else:
            drawn = {card for cards in d["view"].pop("drawn") for card in cards}
            turned = {line.event.card.text for line in lines[:v] if type(line.event).__name__ == "Drew"}  # type: ignore[union-attr]
            assert drawn <= turned
        seen_cards = cards_in(json.dumps(d, ensure_ascii=False))
        assert seen_cards <= known[v], (v, seen_cards - known[v], text)
        mentioned += len(seen_cards)
    return mentioned


@pytest.mark.parametrize(
    ("variant", "counting"),
    [
        pytest.param(
            variant,
            counting,
            id="-".join((variant, *counting.values())),
            # One of two, of three and of four players.
            marks=[] if bool(counting) == (variant in ("five-card", "partners")) else pytest.mark.long,
        )
        for place, variant in enumerate(VARIANTS)
        for counting in ({}, COUNTINGS[place % len(COUNTINGS)])
    ],
)
def test_a_whole_game_against_computers(
    live: Live, database: Path, variant: str, counting: dict[str, str]
) -> None:
    short = {} if variant == "five-card" else {"target": "61"}
    lang = "ja" if "muggins" in counting else "en"
    with live.person(lang) as aiko:
        with aiko.at_table(variant, **counting, **short) as page:
            page.play_out(random.Random(f"{variant}{counting}"))
            assert page.view["won"]["scores"][page.view["won"]["side"]] == 61
        assert sends_only_what_may_be_known(page, database, page.game, 0) > 100
        kept = ledger_of(database, page.game)
        assert plain(kept.table.state.front) == page.view["front"]
        # A card that a computer drew before the page joined is in the page's first table.
        first = min(page.events)
        assert first <= len(kept.table.state.seating) * 4
        assert sorted(page.events) == list(range(first, kept.v + 1))
        record = read(aiko.browser.get(f"/game/{page.game}/record").text)
    assert last_state(record) == kept.table.state
    assert verify_dealing(record) > 0


@pytest.mark.parametrize("variant", [pytest.param("six-card", marks=pytest.mark.long), "partners"])
def test_two_people_never_see_each_others_cards(live: Live, database: Path, variant: str) -> None:
    drawn = {"partners_by_draw": "yes"} if variant == "partners" else {}
    with live.person("en") as aiko, live.person("ja") as ken:
        with aiko.at_table(variant, level_1="person", target="61", counting="claimed", **drawn) as first:
            first.until("waiting")
            [invitation] = first.table["invitations"]
            ken.sit(invitation["path"])
            with ken.open(first.game) as second:
                playing = [
                    Thread(target=page.play_out, args=(random.Random(seed),))
                    for seed, page in enumerate((first, second))
                ]
                for thread in playing:
                    thread.start()
                for thread in playing:
                    thread.join(300)
                assert first.view["won"]
                assert first.view["won"] == second.view["won"]
        assert sends_only_what_may_be_known(first, database, first.game, 0) > 50
        assert sends_only_what_may_be_known(second, database, first.game, 1) > 50
        hands = [set(page.view["kept"]) for page in (first, second)]
        assert not hands[0] & hands[1]


def test_next_game_keeps_the_tally_of_the_match(aiko: Person, database: Path) -> None:
    rng = random.Random(5)
    with aiko.at_table(target="61", skunk="yes") as page:
        page.play_out(rng)
        loser = 1 - page.view["won"]["side"]
        tally = [0, 0]
        tally[page.view["won"]["side"]] = max(page.view["won"]["lost"])
        page.send("next-game")
        page.until("table")
        assert page.table["match"] == {"tally": tally, "game": 2, "length": "open", "winners": []}
        assert page.table["view"]["dealer"] == loser
        assert page.table["sentences"], "the new game names who deals"
        before = page.table["commitment"]
        page.play_out(rng)
        assert page.v == ledger_of(database, page.game).v
    records = [read(aiko.browser.get(f"/game/{page.game}/record?game={n}").text) for n in (1, 2)]
    assert records[1].commitment == before != records[0].commitment
    assert aiko.browser.get(f"/game/{page.game}/record").text.startswith("fifteentwo record 1")
    assert [verify_dealing(record) > 0 for record in records] == [True, True]
    assert aiko.browser.get(f"/game/{page.game}/record?game=3").status_code == 409


@pytest.mark.long
def test_match_to_three_is_won_and_the_next_starts_with_a_draw(aiko: Person, database: Path) -> None:
    rng = random.Random(6)
    with aiko.at_table("five-card", length="to-3", skunk="yes") as page:
        page.play_out(rng)
        while not (match := page.match)["winners"]:
            assert max(match["tally"]) < 3
            page.send("next-game")
            page.until("table")
            assert page.table["match"]["game"] == match["game"] + 1
            page.play_out(rng)
        assert match["winners"] == [match["tally"].index(max(match["tally"]))]
        assert max(match["tally"]) >= 3
        page.send("next-game")
        page.until("table")
        assert page.table["match"] == {"tally": [0, 0], "game": 1, "length": "to-3", "winners": []}
        assert page.table["view"]["phase"] == "draw"
        page.play_out(rng)
        assert page.v == ledger_of(database, page.game).v
    assert aiko.browser.post("/games", data={"length": "to-4"}).status_code == 400
