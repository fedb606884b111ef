"""Luck, separated from skill: each seat's chance of winning as it sees it, from event to event.

A seat has a chance at each of its decisions, best play assumed by both; what its choice loses of that is
skill, and goes to the other seat. Whatever else moves it is luck. So a seat's luck is its result, less the
even chance it began with, less what the other lost, and more what it lost itself: exactly, since chances are
whole numbers of `PARTS`.
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

PARTS: int = 10**win.PLACES
"""Chances have `win.PLACES` decimals and are added up as whole numbers of this: exactly."""
EVEN = PARTS // 2
"""Each seat's chance before the cut for deal."""
SEATS = (0, 1)

DEALER, DEAL, STARTER, CARDS, SHOW = "cut", "deal", "starter", "cards", "show"
"""Who deals first; the six cards dealt; the starter; the other's cards as pegging shows them; the crib."""
STAND_IN = "stand-in"
"""What a level did that played for an absent player: not that player's doing, and not the other's."""


class Luck(msgspec.Struct, frozen=True, kw_only=True):
    """What chance did for a seat, as it saw it: its chance of winning after an event less that before."""

    deal: int
    step: int
    """The action that brought it, by its place in the record."""
    seat: int
    kind: str
    luck: float


class Standings:
    """The chances of both seats of a game, in parts."""

    def __init__(self) -> None:
        self.now = [EVEN, EVEN]

    def lose(self, seat: int, lost: float) -> None:
        """Move what a seat lost by a decision to the other."""
        self.now[seat] -= parts(lost)
        self.now[1 - seat] += parts(lost)

    def move(self, seat: int, chance: float) -> float:
        """Move a seat to a chance, and return by how much."""
        moved = parts(chance) - self.now[seat]
        self.now[seat] += moved
        return moved / PARTS

    def shift(self, seat: int, luck: float) -> None:
        """Move a seat by its luck."""
        self.now[seat] += parts(luck)

    @property
    def curve(self) -> float:
        """Return the chance of seat 0, halfway between both seats' views."""
        between = (self.now[0] + PARTS - self.now[1]) / 2 / PARTS
        return round(min(max(between, 0.0), 1.0), win.PLACES)


def parts(chance: float) -> int:
    """Return a chance in whole parts."""
    return round(chance * PARTS)


def board_of(seen: View) -> tuple[int, int]:
    """Return both sides' points, own first."""
    return seen.front[seen.side], seen.front[1 - seen.side]


class Fortunes:
    """The luck of one game of two players, as its events come."""

    def __init__(self) -> None:
        self.standings = Standings()
        self.kind = DEALER
        """What chance does next, by the stage the game is at."""
        self._six: list[tuple[Card, ...]] = [(), ()]

    def arrived(self, step: int, deal: int, seat: int, chance: float) -> Iterator[Luck]:
        """Yield the luck of a seat that now wins so often with best play."""
        moved = self.standings.move(seat, chance)
        if moved:
            yield Luck(deal=deal, step=step, seat=seat, kind=self.kind, luck=moved)

    def stood_in(self, step: int, deal: int, seat: int, lost: float) -> Iterator[Luck]:
        """Yield the luck of both seats where a level that plays for one lost so much by a decision."""
        self.standings.lose(seat, lost)
        if parts(lost):
            yield Luck(deal=deal, step=step, seat=seat, kind=STAND_IN, luck=-parts(lost) / PARTS)
            yield Luck(deal=deal, step=step, seat=1 - seat, kind=STAND_IN, luck=parts(lost) / PARTS)

    def happened(self, step: int, state: State, events: Sequence[Event]) -> Iterator[Luck]:
        """Yield what the events of one action did by chance. state: as it was before them."""
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
"""What chance does next, after events that end a stage."""


def _at_deal(seen: View) -> float:
    """Return a seat's chance when a deal begins."""
    own, other = board_of(seen)
    if seen.rules.three_for_last and not own and not other:
        # Three for last are pegged next (R100).
        own, other = (0, 3) if seen.is_dealer else (3, 0)
    return _chance(win.after_deal(win.race_of(seen.rules), not seen.is_dealer, False)[own, other])


def _dealt(seen: View) -> float:
    """Return a seat's chance with its six cards, by the best discard."""
    return float(_discards(seen, seen.hand).max())


def _discards(seen: View, six: tuple[Card, ...]) -> win.Floats:
    """Return a seat's chance with each discard of six cards."""
    return win.chances(six, dealer=seen.is_dealer, board=board_of(seen), payoff=win.race_of(seen.rules))


def _starter(seen: View, six: tuple[Card, ...]) -> float:
    """Return what the starter adds to a seat's chance after its discard."""
    assert seen.starter is not None
    way = WAYS_OF[len(six)].index(tuple(place for place, card in enumerate(six) if card in seen.discarded))
    before = win.prospects(six, seen.is_dealer)
    value = before.after_starter(way, seen.starter).values(*board_of(seen), win.race_of(seen.rules))[0]
    return _chance(value) - float(_discards(seen, six)[way])


def _after_play(seen: View) -> float:
    """Return a seat's chance when all cards of the pegging lie open, and of the crib its own discards."""
    rules = seen.rules
    if rules.one_count:
        # Cards may be left in the other's hand.
        return OneCount(seen, on_turn=False).after_play()
    assert seen.starter is not None
    over = win.after_deal(win.race_of(rules), seen.is_dealer, False)
    theirs = [card for seat, card in seen.played if seat != seen.seat]
    counted = win.before_crib(over, win.crib_seen(seen), rules.target, dealer=seen.is_dealer)
    hands = show.points(seen.kept, seen.starter), show.points(theirs, seen.starter)
    return _chance(counted[after_hands(*board_of(seen), *hands, seen.is_dealer, rules.target)])


def _chance(value: float) -> float:
    return float(1 + value) / 2
