"""Whole games with their logs, dealt from everybody's seeds, for the attacks in this folder."""

import hashlib
import random
from collections.abc import Callable, Iterator
from typing import Any

from fifteentwo.rules.actions import NameDealer, SeatAction
from fifteentwo.rules.record import Record
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View, choices, view
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.dealing import commitment_to
from fifteentwo.server.table_log.ledger import Ledger

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("six-card", {}),
    ("five-card", {"first_dealer": "high"}),
    ("three-handed", {"counting": "claimed"}),
    ("partners", {"partners_by_draw": True}),
    ("four-handed", {"cut_before_deal": False}),
    ("six-card", {"starter": "top", "first_dealer": "named"}),
    ("partners", {"partners_by_draw": True, "first_dealer": "high"}),
]
"""Every variant, and every option that matters to the dealing."""

FULL_LENGTH = len(VARIANTS) * 4
"""The number of games that are played to the target of their variant; all others end at 61."""
Choose = Callable[[View], SeatAction]


def seed_of(name: str) -> bytes:
    """Return 32 bytes that depend only on the name."""
    return hashlib.sha256(name.encode()).digest()


def at_random(rng: random.Random) -> Choose:
    """Return a function that chooses actions at random."""

    def choose(seen: View) -> SeatAction:
        return rng.choice(choices(seen))

    return choose


def begun(variant: str, options: dict[str, Any], people: tuple[int, ...], name: str) -> Ledger:
    """Return a table whose pages have all sent their seeds."""
    ledger = Ledger(rules_for(variant, **options))
    ledger.add(proposals.new_game(ledger, seed_of(f"server/{name}"), people))
    seed_all(ledger, name)
    return ledger


def seed_all(ledger: Ledger, name: str) -> None:
    """Commit for every page, name the dealer if the table asks for it, and reveal every seed."""
    assert ledger.seeds is not None
    people = ledger.seeds.people
    for person in people:
        ledger.add(proposals.commit(ledger, person, commitment_to(seed_of(f"{person}/{name}"))))
    if ledger.dealing.is_naming_dealer:
        ledger.add(*proposals.act(ledger, 0, NameDealer(1)))
    for person in people:
        ledger.add(proposals.reveal(ledger, person, seed_of(f"{person}/{name}").hex()))


def moves(ledger: Ledger, choose: Choose) -> Iterator[Ledger]:
    """Play the game to its end, and yield after each row."""
    while not ledger.table.over:
        if ledger.table.state.phase is Phase.NAME_DEALER:
            row, taken = proposals.act(ledger, 0, NameDealer(1))
        else:
            seat = ledger.waiting[0]
            action = ledger.dealing.next_cut() or choose(view(ledger.table.state, seat))
            row, taken = proposals.act(ledger, seat, action)
        ledger.add(row, taken)
        yield ledger


def played(number: int, choose: Choose | None = None) -> Record:
    """Return a finished game; variants and the seats of computers alternate with the number."""
    variant, options = VARIANTS[number % len(VARIANTS)]
    seats = rules_for(variant, **options).seats
    people = tuple(seat for seat in range(seats) if seat == 0 or (number // len(VARIANTS)) >> seat & 1)
    short = {} if number < FULL_LENGTH else {"target": 61}
    ledger = begun(variant, short | options, people, str(number))
    for _ in moves(ledger, choose or at_random(random.Random(number))):
        pass
    return ledger.record(1, ("Aiko", "Ken", "Mei", "Jun")[:seats])
