"""Verification that the cards of a record follow from every seat's seed."""

import hashlib
import re
from collections.abc import Callable

from fifteentwo.rules.actions import Action, Cut, Draw, Forfeit
from fifteentwo.rules.decks import chance
from fifteentwo.rules.game import step
from fifteentwo.rules.record import COMPUTER, NO_COMMITMENT, Record
from fifteentwo.rules.state import Phase, State, start
from fifteentwo.server.errors import DealingRefuted
from fifteentwo.server.table_log.dealing import CHAIN_LINKS, SeededDecks, commitment_to, seeded_action

_HEX = re.compile("[0-9a-fA-F]{64}")
ExpectedAction = Callable[[State, Action], Action | None]
"""Function that returns the action which the seeds decide in a state; None if a seat may choose it."""


def verify_dealing(record: Record, seen_commitment: str | None = None) -> int:
    """Return how many chance actions of a record are verified; raise DealingRefuted if one is wrong."""
    if not (record.commitment and record.committed):
        raise DealingRefuted("nothing-committed")
    if seen_commitment is not None and seen_commitment.strip().lower() != record.commitment.lower():
        raise DealingRefuted("another-commitment", expected=seen_commitment.strip().lower())
    return _check_actions(record, _expected_from_seeds(record))


def _expected_from_seeds(record: Record) -> ExpectedAction:
    seeds = []
    for seat, promised in enumerate(record.committed):
        seed = record.seeds[seat] if seat < len(record.seeds) else ""
        if promised == COMPUTER:
            continue
        if promised != NO_COMMITMENT and (
            (own := _parse_32_bytes(seed)) is None or commitment_to(own) != promised.lower()
        ):
            raise DealingRefuted("seed-broken", seat=seat)
        seeds.append("-" if promised == NO_COMMITMENT else seed.lower())
    links: list[bytes] = []
    before = record.commitment.lower()
    for number, written in enumerate(record.links):
        link = _parse_32_bytes(written)
        if link is None or hashlib.sha256(link).hexdigest() != before:
            raise DealingRefuted("link-broken" if number else "commitment-broken", deal=number)
        links.append(link)
        before = link.hex()

    def link_of(number: int) -> bytes:
        if number >= len(links):
            raise DealingRefuted("link-missing", deal=number)
        return links[number]

    computers = [seat for seat, promised in enumerate(record.committed) if promised == COMPUTER]
    people = [seat for seat in range(len(record.committed)) if seat not in computers]
    decks = SeededDecks(link_of, seeds, (*computers, *people))

    def expected(state: State, action: Action) -> Action | None:
        return seeded_action(state, decks, action) if isinstance(action, Draw | Cut) else chance(state, decks)

    return expected


def _check_actions(record: Record, expected: ExpectedAction) -> int:
    state, checked = start(record.rules, named=record.named), 0
    for number, action in enumerate(record.actions, start=1):
        due = None if isinstance(action, Forfeit) else expected(state, action)
        if due is not None:
            if action != due:
                raise _refute_action(state, action, number)
            checked += 1
        state, _ = step(state, action)
    return checked


def _refute_action(state: State, action: Action, number: int) -> DealingRefuted:
    if state.phase in (Phase.DRAW, Phase.DRAW_TURN):
        return DealingRefuted("draw-not-as-committed", number, deal=0)
    deal = min(state.deal + (state.phase in (Phase.CUT, Phase.DEAL)), CHAIN_LINKS)
    code = "cut-not-as-committed" if isinstance(action, Cut) else "not-as-committed"
    return DealingRefuted(code, number, deal=deal)


def _parse_32_bytes(written: str) -> bytes | None:
    return bytes.fromhex(written) if _HEX.fullmatch(written) else None
