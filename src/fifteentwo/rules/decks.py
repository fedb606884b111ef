"""Chance from shuffled decks, one for each deal and each round of draws, by name ("deal-1", "draw-1").

Cuts move the deck as at a real table, so that cuts decide which cards are dealt.
"""

import random
from collections.abc import Callable
from functools import lru_cache

from fifteentwo.rules.actions import ChanceAction, Deal, TurnUp
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.state import NO_SEAT, Phase, State

Decks = Callable[[str], tuple[Card, ...]]
"""Function from the name of a deal or a round of draws to its shuffled deck, always the same one."""


def seeded(seed: int | str) -> Decks:
    """Return decks shuffled by a seed; for arenas and tests, not for games between people."""

    # A deal asks twice for its deck: for the hands, and for the starter.
    @lru_cache(1)
    def deck(name: str) -> tuple[Card, ...]:
        shuffled = list(DECK)
        random.Random(f"{seed}/{name}").shuffle(shuffled)
        return tuple(shuffled)

    return deck


def chance(state: State, decks: Decks) -> ChanceAction | None:
    """Return the chance action that is due, if any; the decks decide it, as cut by the players (R32, R45)."""
    if state.turn != NO_SEAT:
        return None
    rules = state.rules
    dealt = rules.seats * rules.dealt + rules.dealt_to_crib
    match state.phase:
        case Phase.DRAW_TURN:
            drawn = len(state.drawn[state.drawer]) + 1
            return TurnUp(decks(f"draw-{drawn}")[state.drawn_at[-1]])
        case Phase.DEAL:
            return Deal(_cut(decks(f"deal-{state.deal + 1}"), state.deck_cut)[:dealt])
        case Phase.STARTER:
            stock = _cut(decks(f"deal-{state.deal}"), state.deck_cut)[dealt:]
            return TurnUp(stock[state.stock_cut])
        case _:
            return None


def _cut(deck: tuple[Card, ...], at: int) -> tuple[Card, ...]:
    return deck[at:] + deck[:at]
