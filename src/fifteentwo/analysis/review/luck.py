"""Luck, told from skill: each seat's chance of winning as it sees it, from event to event.

A seat has a chance at each of its decisions, best play assumed by both; what its choice loses of that is
skill, and goes to the other seat. Whatever else moves it is luck. So a seat's luck is its result, less the
even chance it began with, less what the other lost, and more what it lost itself: exactly, since chances are
whole numbers of `PARTS`.
"""

from collections.abc import Iterator, Sequence

import msgspec

from fifteentwo.analysis import win
from fifteentwo.analysis.discards.shows import WAYS
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
"""Chances are told to `win.PLACES` and added up as whole numbers of this: what adds up does so exactly."""
EVEN = PARTS // 2
"""Each seat's chance before anybody knows who deals."""
SEATS = (0, 1)

DEALER, DEAL, STARTER, CARDS, SHOW = "cut", "deal", "starter", "cards", "show"
"""Who deals first; the six cards dealt; the starter; the other's cards as the play shows them; the crib."""
STAND_IN = "stand-in"
"""What a level did that played for somebody who was away: not their doing, and not the other's."""


class Luck(msgspec.Struct, frozen=True, kw_only=True):
    """What chance did for a seat, as it saw it: its chance of winning after an event less that before."""

    deal: int
    step: int
    """The action that brought it, by its place in the record."""
    seat: int
    kind: str
    luck: float


class Standings:
    """What both seats of a game stand at, in parts."""

    def __init__(self) -> None:
        self.now = [EVEN, EVEN]

    def lose(self, seat: int, lost: float) -> None:
        """A seat lost so much by a decision; the other has it."""
        self.now[seat] -= parts(lost)
        self.now[1 - seat] += parts(lost)

    def move(self, seat: int, chance: float) -> float:
        """Chance moved a seat to this chance; by how much."""
        moved = parts(chance) - self.now[seat]
        self.now[seat] += moved
        return moved / PARTS

    def shift(self, seat: int, luck: float) -> None:
        """Chance moved a seat by so much."""
        self.now[seat] += parts(luck)

    @property
    def curve(self) -> float:
        """The chance of seat 0, halfway between both seats' views."""
        between = (self.now[0] + PARTS - self.now[1]) / 2 / PARTS
        return round(min(max(between, 0.0), 1.0), win.PLACES)


def parts(chance: float) -> int:
    """A chance in whole parts."""
    return round(chance * PARTS)


class Fortunes:
    """The luck of one game for two with six cards, as its events come."""

    def __init__(self) -> None:
        self.standings = Standings()
        self.kind = DEALER
        """What chance does next, by the stage the game is at."""
        self._six: list[tuple[Card, ...]] = [(), ()]

    def arrived(self, step: int, deal: int, seat: int, chance: float) -> Iterator[Luck]:
        """A seat sees that it wins so often with best play."""
        moved = self.standings.move(seat, chance)
        if moved:
            yield Luck(deal=deal, step=step, seat=seat, kind=self.kind, luck=moved)

    def stood_in(self, step: int, deal: int, seat: int, lost: float) -> Iterator[Luck]:
        """A level that plays for a seat lost so much by a decision; the other has it."""
        self.standings.lose(seat, lost)
        if parts(lost):
            yield Luck(deal=deal, step=step, seat=seat, kind=STAND_IN, luck=-parts(lost) / PARTS)
            yield Luck(deal=deal, step=step, seat=1 - seat, kind=STAND_IN, luck=parts(lost) / PARTS)

    def happened(self, step: int, state: State, events: Sequence[Event]) -> Iterator[Luck]:
        """What the events of one action did by chance. state: as it was before them."""
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
    """A seat's chance when a deal begins."""
    after = win.after_deal(win.race_of(seen.rules), not seen.is_dealer, False)
    return _chance(after[seen.front[seen.seat], seen.front[1 - seen.seat]])


def _dealt(seen: View) -> float:
    """A seat's chance with its six cards, by the best way to lay them away."""
    board = (seen.front[seen.side], seen.front[1 - seen.side])
    chances = win.chances(seen.hand, dealer=seen.is_dealer, board=board, payoff=win.race_of(seen.rules))
    return float(chances.max())


def _starter(seen: View, six: tuple[Card, ...]) -> float:
    """What the starter adds to a seat's chance, its cards laid away as they are."""
    assert seen.starter is not None
    board = (seen.front[seen.side], seen.front[1 - seen.side])
    way = WAYS.index(tuple(place for place, card in enumerate(six) if card in seen.discarded))
    before = win.prospects(six, seen.is_dealer)
    value = before.after_starter(way, seen.starter).values(*board, win.race_of(seen.rules))[0]
    return _chance(value) - float(
        win.chances(six, dealer=seen.is_dealer, board=board, payoff=win.race_of(seen.rules))[way]
    )


def _after_play(seen: View) -> float:
    """A seat's chance when all cards of the play lie open, and of the crib those it gave itself."""
    rules = seen.rules
    assert seen.starter is not None
    over = win.after_deal(win.race_of(rules), seen.is_dealer, False)
    theirs = [card for seat, card in seen.played if seat != seen.seat]
    counted = win.before_crib(over, win.crib_seen(seen), rules.target, dealer=seen.is_dealer)
    hands = show.points(seen.kept, seen.starter), show.points(theirs, seen.starter)
    scores = seen.front[seen.seat], seen.front[1 - seen.seat]
    return _chance(counted[after_hands(*scores, *hands, seen.is_dealer, rules.target)])


def _chance(value: float) -> float:
    return float(1 + value) / 2
