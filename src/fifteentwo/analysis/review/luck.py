"""Luck of each seat: changes of its win probability that neither side's decisions caused.

A seat has a win probability at each of its decisions, if both sides play their best. What its choice loses is
skill and goes to the other seat. Every other change is luck. A seat's luck is therefore its result, less one
half, less the other side's losses, plus its own losses. The sum is exact because probabilities are whole
numbers of `PARTS`.
"""

from collections.abc import Iterator, Sequence

import msgspec

from fifteentwo.analysis.pegging.one_count import OneCount
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.shows import WAYS_OF
from fifteentwo.fast.counting_out import after_hands
from fifteentwo.rules import show
from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import (
    DealEnded,
    DealerChosen,
    Dealt,
    Event,
    GameWon,
    Shown,
    StarterTurned,
)
from fifteentwo.rules.state import State, evolve
from fifteentwo.rules.view import View, view

PARTS: int = 10**win.JSON_DECIMALS
"""Probabilities have `win.JSON_DECIMALS` decimals and are added as whole multiples of 1 / PARTS."""
EVEN = PARTS // 2
"""Each seat's win probability before the cut for deal, in PARTS."""
SEATS = (0, 1)

DEALER, DEAL, STARTER, CARDS, SHOW = "cut", "deal", "starter", "cards", "show"
"""Kinds of luck: who deals first, the six cards, the starter, the other side's cards in pegging, the crib."""
STAND_IN = "stand-in"
"""Kind of luck: losses of a level that played for an absent player."""


class Luck(msgspec.Struct, frozen=True, kw_only=True):
    """One event of luck: its change of the seat's win probability."""

    deal: int
    step: int
    """Index in the record of the action that caused it."""
    seat: int
    kind: str
    luck: float


class Standings:
    """Win probabilities of both seats, in PARTS."""

    def __init__(self) -> None:
        self.now = [EVEN, EVEN]

    def lose(self, seat: int, lost: float) -> None:
        """Give the loss of a decision to the other seat."""
        self.now[seat] -= parts(lost)
        self.now[1 - seat] += parts(lost)

    def move(self, seat: int, chance: float) -> float:
        """Set the win probability of a seat, and return the change."""
        moved = parts(chance) - self.now[seat]
        self.now[seat] += moved
        return moved / PARTS

    def shift(self, seat: int, luck: float) -> None:
        """Add luck to a seat."""
        self.now[seat] += parts(luck)

    @property
    def curve(self) -> float:
        """Return seat 0's win probability, the mean of both seats' views."""
        between = (self.now[0] + PARTS - self.now[1]) / 2 / PARTS
        return round(min(max(between, 0.0), 1.0), win.JSON_DECIMALS)


def parts(chance: float) -> int:
    """Return a probability as a whole number of PARTS."""
    return round(chance * PARTS)


def board_of(seen: View) -> tuple[int, int]:
    """Return both scores, own first."""
    return seen.front[seen.side], seen.front[1 - seen.side]


class Fortunes:
    """The luck of one game of two players, computed event by event."""

    def __init__(self) -> None:
        self.standings = Standings()
        self.kind = DEALER
        """The kind of the next luck at this stage of the game."""
        self._six: list[tuple[Card, ...]] = [(), ()]

    def arrived(self, step: int, deal: int, seat: int, chance: float) -> Iterator[Luck]:
        """Yield the luck of a seat whose win probability with best play is now `chance`."""
        moved = self.standings.move(seat, chance)
        if moved:
            yield Luck(deal=deal, step=step, seat=seat, kind=self.kind, luck=moved)

    def stood_in(self, step: int, deal: int, seat: int, lost: float) -> Iterator[Luck]:
        """Yield the luck of both seats if a level that plays for `seat` lost by a decision."""
        self.standings.lose(seat, lost)
        if parts(lost):
            yield Luck(deal=deal, step=step, seat=seat, kind=STAND_IN, luck=-parts(lost) / PARTS)
            yield Luck(deal=deal, step=step, seat=1 - seat, kind=STAND_IN, luck=parts(lost) / PARTS)

    def happened(self, step: int, state: State, events: Sequence[Event]) -> Iterator[Luck]:
        """Yield the luck of the events of one action. state: the state before them."""
        for event in events:
            before, state = state, evolve(state, event)
            match event:
                case DealerChosen() | DealEnded():
                    stands = [_at_deal(view(state, seat)) for seat in SEATS]
                case Dealt():
                    self._six = list(state.hands)
                    stands = [_dealt(view(state, seat)) for seat in SEATS]
                case StarterTurned():
                    stands = [
                        self.standings.now[seat] / PARTS + _starter(view(state, seat), self._six[seat])
                        for seat in SEATS
                    ]
                case Shown() if self.kind == CARDS:
                    stands = [_after_play(view(before, seat)) for seat in SEATS]
                case GameWon(side=side, forfeited=None):
                    stands = [float(seat == side) for seat in SEATS]
                case _:
                    stands = []
            for seat, chance in enumerate(stands):
                yield from self.arrived(step, before.deal or 1, seat, chance)
            self.kind = _NEXT.get(type(event), self.kind)


_NEXT: dict[type, str] = {
    DealerChosen: DEAL,
    Dealt: STARTER,
    StarterTurned: CARDS,
    Shown: SHOW,
    DealEnded: DEAL,
}
"""The kind of the next luck after each event that ends a stage."""


def _at_deal(seen: View) -> float:
    own, other = board_of(seen)
    if seen.rules.three_for_last and not own and not other:
        # Three for last are pegged next (R100).
        own, other = (0, 3) if seen.is_dealer else (3, 0)
    return _chance(win.after_deal(win.race_of(seen.rules), not seen.is_dealer, False)[own, other])


def _dealt(seen: View) -> float:
    return float(_discards(seen, seen.hand).max())


def _discards(seen: View, six: tuple[Card, ...]) -> win.Floats:
    return win.chances(six, dealer=seen.is_dealer, board=board_of(seen), payoff=win.race_of(seen.rules))


def _starter(seen: View, six: tuple[Card, ...]) -> float:
    """Return the change of a seat's win probability by the starter, after its discard."""
    assert seen.starter is not None
    way = WAYS_OF[len(six)].index(tuple(place for place, card in enumerate(six) if card in seen.discarded))
    before = win.prospects(six, seen.is_dealer)
    value = before.after_starter(way, seen.starter).values(*board_of(seen), win.race_of(seen.rules))[0]
    return _chance(value) - float(_discards(seen, six)[way])


def _after_play(seen: View) -> float:
    """Return a seat's win probability after pegging: all hands are open, the other's discards are not."""
    rules = seen.rules
    if rules.one_count:
        # Cards may be left in the other's hand.
        return OneCount(seen, on_turn=False).chance_after_count()
    assert seen.starter is not None
    over = win.after_deal(win.race_of(rules), seen.is_dealer, False)
    theirs = [card for seat, card in seen.played if seat != seen.seat]
    counted = win.before_crib(over, win.crib_seen(seen), rules.target, dealer=seen.is_dealer)
    hands = show.points(seen.kept, seen.starter), show.points(theirs, seen.starter)
    return _chance(counted[after_hands(*board_of(seen), *hands, seen.is_dealer, rules.target)])


def _chance(value: float) -> float:
    return float(1 + value) / 2
