"""Fair dealing: every pack of a game follows from one secret, committed to before the first card.

    commitment = SHA-256(secret)                         told to every seat before the first draw
    bytes of a pack = HMAC-SHA256(secret, "NAME/0"), HMAC-SHA256(secret, "NAME/1"), …
    pack = the 52 cards in index order, shuffled from the last place down to the second;
           at place i the next byte below 256 - 256 % (i + 1) chooses, modulo i + 1, what is swapped there

Bytes at or above that bound are passed over, so every order of the pack is exactly as likely as any other.
docs/protocol.md says the same with an example, for programs that want to verify.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence

from fifteentwo.contest.table import Packs, chance
from fifteentwo.rules.actions import Action, Cut, Deal, TurnUp
from fifteentwo.rules.cards import PACK, Card
from fifteentwo.rules.game import step
from fifteentwo.rules.record import Record
from fifteentwo.rules.state import start
from fifteentwo.server.errors import DealingRefuted

SECRET_BYTES = 32


def new_secret() -> bytes:
    """32 bytes nobody can guess."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """What is published before the first card: the secret cannot be changed after it, nor read from it."""
    return hashlib.sha256(secret).hexdigest()


def committed(secret: bytes) -> Packs:
    """The packs that a secret decides, by name ("draw-1", "deal-1", …)."""

    def pack(name: str) -> tuple[Card, ...]:
        return shuffled(_stream(secret, name))

    return pack


def secret_of(day: str) -> bytes:
    """What the packs of a day's deal follow from: SHA-256("fifteentwo daily 2026-11-22") and so on.

    Everyone's are the same, on every server; whoever wants to know tomorrow's can work them out.
    """
    return hashlib.sha256(f"fifteentwo daily {day}".encode()).digest()


def dice_of(day: str) -> int:
    """The seed of the computers' luck on a day's deal."""
    return int.from_bytes(hashlib.sha256(f"fifteentwo dice {day}".encode()).digest()[:4])


def shuffled(stream: Iterator[int]) -> tuple[Card, ...]:
    """The pack shuffled by a stream of bytes, each order equally likely where the bytes are."""
    pack = list(PACK)
    for place in range(len(pack) - 1, 0, -1):
        choices = place + 1
        bound = 256 - 256 % choices
        byte = next(byte for byte in stream if byte < bound)
        other = byte % choices
        pack[place], pack[other] = pack[other], pack[place]
    return tuple(pack)


def _stream(secret: bytes, name: str) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(secret, f"{name}/{block}".encode(), "sha256")
        block += 1


def going_on(packs: Packs, actions: Sequence[Action]) -> Packs:
    """The packs of a game that goes on from where these actions lead.

    In the pack of the last deal among them the cards dealt lie on top, as it was cut, and the others follow
    as the packs have them. Without a deal they are the packs themselves.
    """
    places = [place for place, action in enumerate(actions) if isinstance(action, Deal)]
    if not places:
        return packs
    last, before = actions[places[-1]], actions[places[-1] - 1] if places[-1] else None
    assert isinstance(last, Deal)
    dealt, at = last.cards, before.at if isinstance(before, Cut) else 0

    def pack(name: str) -> tuple[Card, ...]:
        if name != f"deal-{len(places)}":
            return packs(name)
        cut = (*dealt, *[card for card in packs(name) if card not in dealt])
        return cut[len(cut) - at :] + cut[: len(cut) - at]

    return pack


def verify(record: Record) -> int:
    """How many cards turned up or deals of a record follow from its secret: all, or DealingRefuted."""
    if not record.commitment:
        raise DealingRefuted("nothing-committed")
    if not record.secret:
        raise DealingRefuted("secret-not-told")
    try:
        secret = bytes.fromhex(record.secret)
    except ValueError:
        raise DealingRefuted("commitment-broken") from None
    if commitment(secret) != record.commitment.lower():
        raise DealingRefuted("commitment-broken")
    packs, state, checked = committed(secret), start(record.rules, named=record.named), 0
    for number, action in enumerate(record.actions, start=1):
        if isinstance(action, Deal | TurnUp):
            if action != chance(state, packs):
                raise DealingRefuted("not-as-committed", number)
            checked += 1
        state, _ = step(state, action)
    return checked
