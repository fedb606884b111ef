"""Positions with their states, from games of club players, in which a player may ask for a hint."""

from collections.abc import Iterator
from functools import cache

from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View, view


@cache
def positions(variant: str, number: int) -> tuple[tuple[View, State], ...]:
    """Return Views of players who must discard or play, with the states behind them."""
    found: list[tuple[View, State]] = []
    for game in range(number):
        found += _game(variant, game)
        if len(found) >= number:
            break
    return tuple(found[:number])


def _game(variant: str, game: int) -> Iterator[tuple[View, State]]:
    target = 61 if variant == "five-card" or game % 3 == 2 else 121
    rules = rules_for(variant, first_dealer="named", target=target)
    table = Table(rules, seeded(f"hints/{variant}/{game}"))
    table.adopt(table.name_dealer(game % rules.seats))
    seated = [player("club", game * 4 + seat) for seat in range(rules.seats)]
    while not table.over:
        seat = table.waiting[0]
        seen = view(table.state, seat)
        if seen.phase in (Phase.DISCARD, Phase.PLAY):
            yield seen, table.state
        table.submit(seat, seated[seat].act(seen))
