"""What goes show of the cards others hold (R55)."""

from collections.abc import Sequence
from itertools import pairwise

from fifteentwo.rules.pegging import LIMIT
from fifteentwo.rules.view import View


def above(view: View) -> tuple[int, ...]:
    """By seat, a value that every card it holds must exceed: it said go with that much left to 31 (R55).

    Goes of counts that are over follow from the cards: a count that ends below 31 ends because no seat could
    play, and a seat passed over while it held cards had none to play.
    """
    seats = view.rules.seats
    least = [0] * seats
    held = [view.rules.kept] * seats
    bounds = [0, *view.count_ends]
    for began, ended in pairwise((*bounds, len(view.played))):
        if began == ended:
            continue
        count = 0
        over = ended in view.count_ends
        for at in range(began, ended):
            seat, card = view.played[at]
            if at > began:
                _passed(least, held, view.played[at - 1][0], seat, LIMIT - count)
            count += card.value
            held[seat] -= 1
        if over and count < LIMIT:
            for seat in range(seats):
                least[seat] = max(least[seat], LIMIT - count)
        elif not over:
            for seat in view.said_go:
                least[seat] = max(least[seat], LIMIT - count)
            _passed(least, held, view.played[ended - 1][0], view.turn, LIMIT - count)
    return tuple(least)


def _passed(least: list[int], held: Sequence[int], last: int, seat: int, left: int) -> None:
    """The turn went from `last` to `seat` with so much left to 31: those between held nothing that fits."""
    seats = len(least)
    for place in range(1, seats):
        other = (last + place) % seats
        if other == seat:
            return
        if held[other]:
            least[other] = max(least[other], left)
