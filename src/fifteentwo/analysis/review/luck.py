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
from fifteentwo.rules.events import DealEnded, DealerChosen, Dealt, Event, GameWon, Shown, StarterTurned
from fifteentwo.rules.state import State, evolve
from fifteentwo.rules.view import View, view

PARTS: int = 10**win.JSON_DECIMALS
"""Number of equal parts of the win probability 1; probabilities are added as whole numbers of these parts."""
EVEN = PARTS // 2
"""Win probability of each seat before the cut for deal, in units of 1 / PARTS."""
SEATS = (0, 1)

DEALER, DEAL, STARTER, CARDS, SHOW = "cut", "deal", "starter", "cards", "show"
"""Names of kinds of luck: cut for deal, six cards, starter, other side's cards in pegging, crib."""
STAND_IN = "stand-in"
"""Name of the kind of luck that a computer level causes when it plays for an absent player."""


class Luck(msgspec.Struct, frozen=True, kw_only=True):
    """One event of luck for one seat."""

    deal: int
    step: int
    """Index in the record of the action that caused it."""
    seat: int
    kind: str
    """One of the kinds of luck, for example `STARTER`."""
    luck: float
    """Change of the seat's win probability, from -1 to 1."""


class Standings:
    """The current win probabilities of both seats, each as its own player sees it, in units of 1 / PARTS."""

    def __init__(self) -> None:
        self.now = [EVEN, EVEN]

    def lose(self, seat: int, lost: float) -> None:
        """Move the win probability (0–1) that a seat's decision lost to the other seat."""
        self.now[seat] -= parts(lost)
        self.now[1 - seat] += parts(lost)

    def set_chance(self, seat: int, chance: float) -> float:
        """Set the win probability (0–1) of a seat, and return the change."""
        moved = parts(chance) - self.now[seat]
        self.now[seat] += moved
        return moved / PARTS

    def add_luck(self, seat: int, luck: float) -> None:
        """Add a change (-1 to 1) to the win probability of a seat."""
        self.now[seat] += parts(luck)

    @property
    def curve(self) -> float:
        """Seat 0's win probability (0–1), the mean of what both seats see."""
        return _between_0_and_1((self.now[0] + PARTS - self.now[1]) / 2)

    @property
    def views(self) -> tuple[float, float]:
        """The win probability (0–1) of each seat by what it sees."""
        return _between_0_and_1(self.now[0]), _between_0_and_1(self.now[1])


def _between_0_and_1(number: float) -> float:
    """Return a number of PARTS as a probability."""
    return round(min(max(number / PARTS, 0.0), 1.0), win.JSON_DECIMALS)


def parts(chance: float) -> int:
    """Return a probability (0–1) as a whole number of parts of size 1 / PARTS."""
    return round(chance * PARTS)


def board_of(seen: View) -> tuple[int, int]:
    """Return the own and the other side's score."""
    return seen.front[seen.side], seen.front[1 - seen.side]


class LuckTracker:
    """Computes the luck of both seats in one game, event by event."""

    def __init__(self) -> None:
        self.standings = Standings()
        self.kind = DEALER
        """The kind of luck that the next change of a win probability is."""
        self._six: list[tuple[Card, ...]] = [(), ()]

    def set_chance(self, step: int, deal: int, seat: int, chance: float) -> Iterator[Luck]:
        """Set a seat's win probability (0–1) with best play, and yield the change as luck."""
        moved = self.standings.set_chance(seat, chance)
        if moved:
            yield Luck(deal=deal, step=step, seat=seat, kind=self.kind, luck=moved)

    def stand_in_luck(self, step: int, deal: int, seat: int, lost: float) -> Iterator[Luck]:
        """Yield the luck of both seats if a level, playing for `seat`, lost win probability by a decision."""
        self.standings.lose(seat, lost)
        if parts(lost):
            yield Luck(deal=deal, step=step, seat=seat, kind=STAND_IN, luck=-parts(lost) / PARTS)
            yield Luck(deal=deal, step=step, seat=1 - seat, kind=STAND_IN, luck=parts(lost) / PARTS)

    def event_luck(self, step: int, state: State, events: Sequence[Event]) -> Iterator[Luck]:
        """Yield the luck that the events of one action caused. state: the state before them."""
        for event in events:
            before, state = state, evolve(state, event)
            match event:
                case DealerChosen() | DealEnded():
                    stands = [_chance_before_deal(view(state, seat)) for seat in SEATS]
                case Dealt():
                    self._six = list(state.hands)
                    seen = [view(state, seat) for seat in SEATS]
                    stands = [float(_discard_chances(one, one.hand).max()) for one in seen]
                case StarterTurned():
                    stands = [
                        self.standings.now[seat] / PARTS + _starter_luck(view(state, seat), self._six[seat])
                        for seat in SEATS
                    ]
                case Shown() if self.kind == CARDS:
                    stands = [_chance_after_pegging(view(before, seat)) for seat in SEATS]
                case GameWon(side=side, forfeited=None):
                    stands = [float(seat == side) for seat in SEATS]
                case _:
                    stands = []
            for seat, chance in enumerate(stands):
                yield from self.set_chance(step, before.deal or 1, seat, chance)
            self.kind = _NEXT_KIND.get(type(event), self.kind)


_NEXT_KIND: dict[type, str] = {
    DealerChosen: DEAL,
    Dealt: STARTER,
    StarterTurned: CARDS,
    Shown: SHOW,
    DealEnded: DEAL,
}
"""The kind of luck that can follow, by type of event that ends a stage of the game."""


def _chance_before_deal(seen: View) -> float:
    own, other = board_of(seen)
    if seen.rules.three_for_last and not own and not other:
        # Three for last are pegged next (R100).
        own, other = (0, 3) if seen.is_dealer else (3, 0)
    return _to_probability(win.after_deal(win.race_of(seen.rules), not seen.is_dealer, False)[own, other])


def _discard_chances(seen: View, six: tuple[Card, ...]) -> win.Floats:
    return win.chances(six, dealer=seen.is_dealer, board=board_of(seen), payoff=win.race_of(seen.rules))


def _starter_luck(seen: View, six: tuple[Card, ...]) -> float:
    """Return how much the starter changes a seat's win probability. six: the cards dealt to it."""
    assert seen.starter is not None
    way = WAYS_OF[len(six)].index(tuple(place for place, card in enumerate(six) if card in seen.discarded))
    before = win.prospects(six, seen.is_dealer)
    value = before.after_starter(way, seen.starter).values(*board_of(seen), win.race_of(seen.rules))[0]
    return _to_probability(value) - float(_discard_chances(seen, six)[way])


def _chance_after_pegging(seen: View) -> float:
    """Return a seat's win probability (0–1) after pegging, when it knows both hands but not the crib."""
    rules = seen.rules
    if rules.one_count:
        # Cards may be left in the other's hand.
        return OneCount(seen, on_turn=False).chance_after_count()
    assert seen.starter is not None
    over = win.after_deal(win.race_of(rules), seen.is_dealer, False)
    theirs = [card for seat, card in seen.played if seat != seen.seat]
    counted = win.before_crib(over, win.crib_seen(seen), rules.target, dealer=seen.is_dealer)
    hands = show.points(seen.kept, seen.starter), show.points(theirs, seen.starter)
    return _to_probability(counted[after_hands(*board_of(seen), *hands, seen.is_dealer, rules.target)])


def _to_probability(value: float) -> float:
    return float(1 + value) / 2
