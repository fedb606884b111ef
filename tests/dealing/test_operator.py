"""The operator against one honest page: it knows every secret, and its computers help.

The operator gains nothing. It could only choose where its computer cuts, and a cut other than the
committed one is refuted.
"""

import random

import msgspec
import pytest

from fifteentwo.players import player
from fifteentwo.rules.actions import Cut, NameDealer, SeatAction
from fifteentwo.rules.record import Record
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import choices, view
from fifteentwo.server.errors import DealingRefuted
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.dealing import commitment_to, link
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.proofs import verify_dealing
from tests.dealing.games import seed_all, seed_of
from tests.dealing.steering import CHEAT as COMPUTER
from tests.dealing.steering import HONEST as PERSON
from tests.support.errors import raises_code

GAMES = 60
NAMES = ("Aiko", "club")


def dealt(game: int) -> tuple[bool, Record]:
    """Play a game at equal strength; return whether the computer wins, and the record."""
    ledger = Ledger(rules_for("six-card"))
    ledger.add(proposals.new_game(ledger, seed_of(f"operator/{game}"), (PERSON,)))
    seed_all(ledger, f"page/{game}")
    both = [player("greedy", game), player("greedy", game + GAMES)]
    dice = random.Random(game)
    while not ledger.table.over:
        seat = ledger.waiting[0]
        seen = view(ledger.table.state, seat)
        action: SeatAction = both[seat].act(seen)
        if isinstance(action, Cut):
            action = dice.choice([one for one in choices(seen) if isinstance(one, Cut)])
        ledger.add(*proposals.act(ledger, seat, action))
    won = ledger.table.state.won
    assert won is not None
    return won.side == COMPUTER, ledger.record(1, NAMES)


def test_an_operator_who_knows_every_card_gains_nothing() -> None:
    games = [dealt(game) for game in range(GAMES)]
    wins = sum(won for won, _ in games)
    # The expectation is 50 % with a standard deviation of 3.9 games of 60.
    assert abs(wins - GAMES / 2) <= 2 * (GAMES / 4) ** 0.5, wins
    assert all(verify_dealing(record, record.commitment) > 10 for _, record in games)


def test_a_changed_cut_of_a_computer_is_refuted() -> None:
    _, record = dealt(0)
    computers = [
        (number, action)
        for number, action in enumerate(record.actions)
        if isinstance(action, Cut) and action.seat == COMPUTER
    ]
    assert len(computers) > 4
    for number, cut in computers:
        other = Cut(COMPUTER, 4 if cut.at != 4 else 5)
        changed = msgspec.structs.replace(
            record, actions=(*record.actions[:number], other, *record.actions[number + 1 :])
        )
        with pytest.raises(DealingRefuted) as error:
            verify_dealing(changed)
        assert (error.value.code, error.value.action) == ("cut-not-as-committed", number + 1)
        assert error.value.deal is not None


def test_the_operator_cannot_grind_its_links_once_it_has_seen_the_seed() -> None:
    """The server finds a chain that deals it the better hand, but no explanation of the chain verifies."""
    honest = Ledger(rules_for("six-card", first_dealer="named"))
    honest.add(proposals.new_game(honest, seed_of("honest"), (PERSON,)))
    seen = honest.dealing.commitment
    honest.add(proposals.commit(honest, PERSON, commitment_to(seed_of("0/page"))))
    honest.add(*proposals.act(honest, PERSON, NameDealer(1)))
    honest.add(proposals.reveal(honest, PERSON, seed_of("0/page").hex()))

    def story(secret: bytes) -> Record:
        ledger = Ledger(rules_for("six-card", first_dealer="named"))
        ledger.add(proposals.new_game(ledger, secret, (PERSON,)))
        seed_all(ledger, "page")
        from tests.dealing.games import at_random, moves

        for _ in moves(ledger, at_random(random.Random(1))):
            pass
        return ledger.record(1, NAMES)

    better = max((seed_of(f"grind/{n}") for n in range(40)), key=lambda s: sum(link(s, 1)[:1]))
    ground = story(better)
    assert verify_dealing(ground) > 0, "as a story of its own it holds …"
    with raises_code(DealingRefuted, "another-commitment"):
        verify_dealing(ground, seen)  # … but the page saw another commitment before it sent its seed
    pretended = msgspec.structs.replace(ground, commitment=seen)
    with raises_code(DealingRefuted, "commitment-broken"):
        verify_dealing(pretended, seen)


def test_expected_is_compared_without_regard_to_case_or_spaces() -> None:
    _, record = dealt(1)
    assert verify_dealing(record, f" {record.commitment.upper()}\n") > 0
    with raises_code(DealingRefuted, "another-commitment"):
        verify_dealing(record, "")
