"""Fair dealing: every card of a game follows from seeds that all seats committed to before the first card.

    seed of a page        32 random bytes; its SHA-256, the commitment, is published before any seed
    links of the server   link 255 is random, link n is SHA-256(link n + 1); SHA-256(link 0) is published;
                          link 0 opens the draws, link n opens deal n and no later deal
    bytes of a stream     HMAC-SHA256(link, "NAME/0 SEED SEED…"), HMAC-SHA256(link, "NAME/1 SEED SEED…"), …
    deck                  the 52 cards in index order, shuffled from the last place down to the second;
                          at place i the next byte below 256 - 256 % (i + 1) chooses, modulo i + 1

Bytes at or above that bound are skipped, so every order of the deck is equally likely. The places of all
draws and cuts come from streams too. docs/dealing.md describes this for programs that verify records. The
daily deal, a duplicate and a game from a position are dealt from one secret, without commitments.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

from fifteentwo.contest.table import Outcome
from fifteentwo.rules.actions import Action, Cut, Deal, Draw
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.decks import Decks, chance
from fifteentwo.rules.game import MIN_CUT, seat_actions, step
from fifteentwo.rules.state import Phase, State

A = TypeVar("A", bound=Action)

SECRET_BYTES = 32
CHAIN_LINKS = 256
"""Links of a chain: one for the draws and one for each deal. Deals after these share the last link."""


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def commitment_to(secret: bytes) -> str:
    """Return the commitment to a secret, which is published before the first card."""
    return hashlib.sha256(secret).hexdigest()


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


@lru_cache(4096)
def link(later: bytes, number: int, *, later_number: int = CHAIN_LINKS - 1) -> bytes:
    """Return a link of the chain, computed from a later link, which has the number `later_number`."""
    for _ in range(later_number - number):
        later = sha256(later)
    return later


class SeededDecks:
    """The decks of a game, by name ("draw-1", "deal-1", …), and the places of draws and cuts."""

    def __init__(
        self, link_of: Callable[[int], bytes], seeds: Sequence[str], draw_order: Sequence[int]
    ) -> None:
        """Create the decks. seeds: hexadecimal by seat, "-" for none; draw_order: order of seats in draws."""
        self.draw_order = tuple(draw_order)
        self._link_of = link_of
        self._seeds = "".join(f" {seed}" for seed in seeds)
        self._cached_link: tuple[int, bytes] = (-1, b"")

    def __call__(self, name: str) -> tuple[Card, ...]:
        return shuffled(self._bytes_for(name))

    def choose_below(self, name: str, below: int) -> int:
        """Return a number from 0 to `below` - 1 that a stream chooses, each equally likely."""
        return _choose_evenly(self._bytes_for(name), below)

    def _bytes_for(self, name: str) -> Iterator[int]:
        kind, _, rest = name.partition("-")
        number = 0 if kind == "draw" else min(int(rest), CHAIN_LINKS - 1)
        if self._cached_link[0] != number:
            self._cached_link = (number, self._link_of(number))
        return _byte_stream(self._cached_link[1], name, self._seeds)


def _seeded_draw(state: State, decks: SeededDecks, seat: int) -> Draw:
    number, taken = len(state.drawn[seat]) + 1, list[int]()
    for other in decks.draw_order[: decks.draw_order.index(seat)]:
        if other in state.drawing or len(state.drawn[other]) == number:
            taken.append(_draw_place(decks, number, other, taken))
    return Draw(seat, _draw_place(decks, number, seat, taken))


def _draw_place(decks: SeededDecks, number: int, seat: int, taken: Sequence[int]) -> int:
    free = [at for at in range(len(DECK)) if at not in taken]
    return free[decks.choose_below(f"draw-{number}-{seat}", len(free))]


def with_computer_draws(taken: Outcome, decks: Decks, computers: Collection[int]) -> Outcome:
    """Add the draws of computers (by first seat), which draw before any person, the lowest seat first."""
    if not isinstance(decks, SeededDecks):
        return taken
    state, actions, events = taken.state, list(taken.actions), list(taken.events)
    while True:
        drawing = [seat for seat in state.drawing if state.seating[seat] in computers]
        draws = bool(drawing) and state.phase is Phase.DRAW
        action = _seeded_draw(state, decks, drawing[0]) if draws else chance(state, decks)
        if action is None:
            return Outcome(state, tuple(actions), tuple(events))
        state, more = step(state, action)
        actions.append(action)
        events.extend(more)


def seeded_cut(state: State, decks: SeededDecks) -> Cut | None:
    """Return the cut that is due now; None if none is due."""
    if state.phase not in (Phase.CUT, Phase.CUT_STOCK):
        return None
    rules, name, cards = state.rules, f"cut-{state.deal + 1}", len(DECK)
    if state.phase is Phase.CUT_STOCK:
        name, cards = f"starter-{state.deal}", len(DECK) - rules.seats * rules.dealt - rules.dealt_to_crib
    return Cut(state.eldest, MIN_CUT + decks.choose_below(name, cards - 2 * MIN_CUT + 1))


def seeded_action(state: State, decks: Decks, action: A) -> A | Draw | Cut:
    """Return a seat's action at the place that the seeds decide: a person chooses when to draw or cut."""
    # An action at a place without a card is returned unchanged, and the rules refuse it.
    if not isinstance(decks, SeededDecks):
        return action
    if isinstance(action, Draw) and state.phase is Phase.DRAW and action.seat in state.drawing:
        return _seeded_draw(state, decks, action.seat) if 0 <= action.at < len(DECK) else action
    if isinstance(action, Cut) and action in seat_actions(state, state.eldest, ()):
        return seeded_cut(state, decks) or action
    return action


def decks_of_secret(secret: bytes) -> Decks:
    """Return the decks that one secret decides, by name ("draw-1", "deal-1", …)."""
    return lambda name: shuffled(_byte_stream(secret, name))


def daily_secret(day: str) -> bytes:
    """Return the secret of a day's deal: SHA-256("fifteentwo daily 2026-11-22") and so on."""
    # All servers have the same secret, and anyone can compute tomorrow's today.
    return hashlib.sha256(f"fifteentwo daily {day}".encode()).digest()


def daily_computer_seed(day: str) -> int:
    """Return the seed of the computers' random choices in a day's deal."""
    return int.from_bytes(hashlib.sha256(f"fifteentwo dice {day}".encode()).digest()[:4])


def decks_from_position(decks: Decks, actions: Sequence[Action]) -> Decks:
    """Return the decks of a game that continues after these actions."""
    # The deck of the last deal has the dealt cards on top, as the deck was cut; the others follow in the
    # order of `decks`. All other decks are unchanged.
    places = [place for place, action in enumerate(actions) if isinstance(action, Deal)]
    if not places:
        return decks
    last, before = actions[places[-1]], actions[places[-1] - 1] if places[-1] else None
    assert isinstance(last, Deal)
    dealt, at = last.cards, before.at if isinstance(before, Cut) else 0

    def deck(name: str) -> tuple[Card, ...]:
        if name != f"deal-{len(places)}":
            return decks(name)
        cut = (*dealt, *[card for card in decks(name) if card not in dealt])
        return cut[len(cut) - at :] + cut[: len(cut) - at]

    return deck


def shuffled(stream: Iterator[int]) -> tuple[Card, ...]:
    """Return the deck shuffled by a stream of bytes. Random bytes make every order equally likely."""
    deck = list(DECK)
    for place in range(len(deck) - 1, 0, -1):
        other = _choose_evenly(stream, place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return tuple(deck)


def _choose_evenly(stream: Iterator[int], choices: int) -> int:
    """Return a number below `choices`, which is at most 256. Random bytes make all equally likely."""
    bound = 256 - 256 % choices
    return next(byte for byte in stream if byte < bound) % choices


def _byte_stream(secret: bytes, name: str, seeds_text: str = "") -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(secret, f"{name}/{block}{seeds_text}".encode(), "sha256")
        block += 1
