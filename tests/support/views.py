"""Views of whole games."""

from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View, view


def asked(variant: str, seed: int) -> list[View]:
    """Return every View of a game at which a player had to act."""
    table, views = Table(rules_for(variant), seeded(seed)), list[View]()
    players = [player("random", seat) for seat in range(table.state.rules.seats)]
    while not table.over:
        seat = table.waiting[0]
        views.append(view(table.state, seat))
        table.submit(seat, players[seat].act(views[-1]))
    return views
