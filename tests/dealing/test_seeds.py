"""Seeds: nobody can choose a seed knowing the others' seeds, and nothing replaces a missing seed."""

import random
from itertools import pairwise

import pytest

from fifteentwo.contest.table import Outcome
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import view
from fifteentwo.server.errors import Refused
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.dealing import CHAIN_LINKS, commitment_to, link
from fifteentwo.server.table_log.game_dealing import Stage
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.rows import Row
from tests.dealing.games import VARIANTS, at_random, begun, moves, seed_all, seed_of
from tests.support.errors import raises_code

AIKO, KEN = seed_of("0/x"), seed_of("1/x")


def played(people: tuple[int, ...] = (0, 1)) -> Ledger:
    ledger = Ledger(rules_for("six-card"))
    ledger.add(proposals.new_game(ledger, seed_of("server/x"), people))
    return ledger


def refused(ledger: Ledger, **stated: str | int) -> str:
    person = int(stated.pop("person", 0))
    [(kind, value)] = stated.items()
    propose = proposals.reveal if kind == "seed" else proposals.commit
    with pytest.raises(Refused) as error:
        propose(ledger, person, str(value))
    return error.value.code


def test_no_seed_is_taken_before_all_have_committed() -> None:
    ledger = played()
    ledger.add(proposals.commit(ledger, 0, commitment_to(AIKO)))
    assert refused(ledger, seed=AIKO.hex()) == "seed-not-awaited"
    ledger.add(proposals.commit(ledger, 1, commitment_to(KEN)))
    ledger.add(proposals.reveal(ledger, 0, AIKO.hex()))
    assert ledger.awaited_for_seeds == (1,)
    assert ledger.dealing.recorded_seeds == (), "no seed is sent before all are known"


def test_a_page_that_sees_the_others_seeds_first_cannot_choose_its_own() -> None:
    ledger = played()
    for person, seed in enumerate((AIKO, KEN)):
        ledger.add(proposals.commit(ledger, person, commitment_to(seed)))
    ledger.add(proposals.reveal(ledger, 0, AIKO.hex()))
    for other in (bytes(32), AIKO, seed_of("a better one")):
        assert refused(ledger, person=1, seed=other.hex()) == "seed-not-as-committed"
    for other_text in ("", "no hex", KEN.hex().upper(), KEN.hex()[:-1]):
        assert refused(ledger, person=1, seed=other_text) == "seed-not-as-committed"
    assert refused(ledger, person=1, promised=commitment_to(bytes(32))) == "committed-already"
    assert refused(ledger, person=0, seed=AIKO.hex()) == "seed-not-awaited"


def test_invalid_commitments_and_strangers_are_refused() -> None:
    ledger = played((0,))
    for promised in ("f" * 63, "F" * 64, "g" * 64, "約束"):
        assert refused(ledger, promised=promised) == "commitment-unreadable"
    assert refused(ledger, person=1, promised=commitment_to(KEN)) == "committed-already"
    old = Ledger(rules_for("six-card"))
    old.add(proposals.new_game(old, bytes(32)))
    assert refused(old, promised=commitment_to(AIKO)) == "seed-not-awaited"


def test_no_card_is_dealt_without_the_seed_of_a_page() -> None:
    """Waiting, acting, committing again or sending other seeds changes no card."""
    waiting, at_once = played(), played()
    for ledger in (waiting, at_once):
        for person, seed in enumerate((AIKO, KEN)):
            ledger.add(proposals.commit(ledger, person, commitment_to(seed)))
        ledger.add(proposals.reveal(ledger, 0, AIKO.hex()))
    assert waiting.waiting == ()
    assert waiting.table.actions == []
    with raises_code(Refused, "seeds-awaited"):
        proposals.act(waiting, 0, at_random(random.Random(1))(view(waiting.table.state, 0)))
    with raises_code(Refused, "game-not-over"):
        proposals.new_game(waiting, seed_of("other cards"), (0, 1))
    assert refused(waiting, person=1, promised="") == "committed-already"
    with pytest.raises(ValueError, match="no card before all seeds are known"):
        waiting.table.decks("deal-1")
    for ledger in (at_once, waiting):
        ledger.add(proposals.reveal(ledger, 1, KEN.hex()))
    assert waiting.table.decks("deal-1") == at_once.table.decks("deal-1")


def test_every_seed_decides_every_deck() -> None:
    plain = begun("three-handed", {}, (0, 1, 2), "x").table.decks("deal-1")
    for changed in range(3):
        ledger = Ledger(rules_for("three-handed"))
        ledger.add(proposals.new_game(ledger, seed_of("server/x"), (0, 1, 2)))
        seeds = [seed_of(f"{person}/x") for person in range(3)]
        seeds[changed] = seed_of("another")
        for person, seed in enumerate(seeds):
            ledger.add(proposals.commit(ledger, person, commitment_to(seed)))
        for person, seed in enumerate(seeds):
            ledger.add(proposals.reveal(ledger, person, seed.hex()))
        assert ledger.table.decks("deal-1") != plain


def test_a_game_is_rebuilt_from_its_log_alone(subtests: pytest.Subtests) -> None:
    for variant, options in VARIANTS:
        with subtests.test(variant=variant, options=options):
            rows: list[Row] = []

            class Kept(Ledger):
                def add(self, row: Row, taken: Outcome | None = None, rows: list[Row] = rows) -> None:
                    rows.append(row)
                    super().add(row, taken)

            ledger = Kept(rules_for(variant, **options))
            ledger.add(proposals.new_game(ledger, seed_of("server/y"), (0,)))
            seed_all(ledger, "y")
            for number, _ in enumerate(moves(ledger, at_random(random.Random(3)))):
                if number % 17 == 0:
                    again = Ledger(rules_for(variant, **options), rows=rows)
                    assert again.table.state == ledger.table.state
                    assert again.dealing.public_links == ledger.dealing.public_links
                    assert again.dealing.commitment == ledger.dealing.commitment
                    assert [line.event for line in again.entries] == [line.event for line in ledger.entries]


def test_public_links_open_only_deals_that_are_over(subtests: pytest.Subtests) -> None:
    for variant, options in VARIANTS:
        with subtests.test(variant=variant, options=options):
            ledger = begun(variant, options, (0,), "z")
            secret, result = seed_of("server/z"), 0
            for _ in moves(ledger, at_random(random.Random(4))):
                state = ledger.table.state
                playing = state.phase.value in (
                    "discard",
                    "cut-stock",
                    "starter",
                    "play",
                    "claim",
                    "challenge",
                )
                assert len(ledger.dealing.public_links) == (
                    0 if state.dealer < 0 else 1 + state.deal - playing
                )
                assert len(ledger.dealing.public_links) >= result, "nothing sent is taken back"
                result = len(ledger.dealing.public_links)
                assert list(ledger.dealing.public_links) == [
                    link(secret, number).hex() for number in range(result)
                ]
            assert result == 1 + ledger.table.state.deal
            assert commitment_to(bytes.fromhex(ledger.dealing.public_links[0])) == ledger.dealing.commitment


def test_a_link_proves_earlier_links_and_reveals_no_later_one() -> None:
    secret = seed_of("chain")
    links = [link(secret, number) for number in range(CHAIN_LINKS)]
    assert links[-1] == secret
    assert all(commitment_to(after) == before.hex() for before, after in pairwise(links))
    assert len(set(links)) == CHAIN_LINKS


def test_a_person_without_a_seed_is_recorded_and_the_others_decide() -> None:
    ledger = played()
    ledger.add(proposals.commit(ledger, 0, ""))
    assert ledger.seeds is not None
    assert ledger.seeds.stage is Stage.COMMITTING
    ledger.add(proposals.commit(ledger, 1, commitment_to(KEN)))
    ledger.add(proposals.reveal(ledger, 1, KEN.hex()))
    assert ledger.dealing.recorded_commitments == ("nothing", commitment_to(KEN))
    assert ledger.waiting == (0, 1)
