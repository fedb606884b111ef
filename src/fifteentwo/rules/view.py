"""Views: the part of a state, and of events, that one seat may see (R33, R39, R43)."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import msgspec

from fifteentwo.rules.actions import Action, Discard, SeatAction
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import InvalidArgument, is_seat
from fifteentwo.rules.events import Dealt, Discarded, Event, GameWon
from fifteentwo.rules.game import seat_actions, to_act
from fifteentwo.rules.pegging import LIMIT, playable
from fifteentwo.rules.state import PastDeal, Phase, State
from fifteentwo.rules.variants import Rules

_MAX_SEATS = 4


class View(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table as one seat sees it: the fields of `State` without what the seat may not know."""

    seat: int
    rules: Rules
    phase: Phase
    to_act: tuple[int, ...]
    """Seats that may act now."""
    seating: tuple[int, ...]
    """Seat i has the player who arrived n-th if seating[i] == n (R29)."""
    drawn: tuple[tuple[Card, ...], ...]
    """Cards that each seat drew for the first deal, the oldest first (R24, R27)."""
    drawing: tuple[int, ...]
    """Seats that must still draw."""
    drawn_at: tuple[int, ...]
    """Indices of the spread deck taken in this round of draws."""
    dealer: int
    deal: int
    """Number of the deal, from 1."""
    hand: tuple[Card, ...]
    """Cards that this seat holds."""
    kept: tuple[Card, ...]
    """The hand that this seat will show."""
    discarded: tuple[Card, ...]
    """Cards that this seat discarded."""
    hand_sizes: tuple[int, ...]
    """Number of cards that each seat holds."""
    starter: Card | None
    played: tuple[tuple[int, Card], ...]
    """Cards played in this deal, with the seats that played them."""
    count_ends: tuple[int, ...]
    """Number of cards played at the end of each finished count of this deal."""
    count: int
    """The running count in pegging."""
    said_go: tuple[int, ...]
    """Seats that said go in this count."""
    turn: int
    """Seat that must play or claim."""
    open_hands: tuple[tuple[Card, ...], ...]
    """Hands that were shown, by seat; empty before."""
    open_crib: tuple[Card, ...]
    """The crib after it was shown (R43)."""
    claim: int | None
    """Points that `turn` has claimed and that may be challenged."""
    front: tuple[int, ...]
    """Score of each side: its front peg (R115)."""
    rear: tuple[int, ...]
    """Score of each side before its last move: its rear peg."""
    won: GameWon | None
    past: tuple[PastDeal, ...] = ()
    """Earlier deals of this game as this seat saw them; empty unless a player asks for them."""

    @property
    def in_count(self) -> tuple[Card, ...]:
        """Cards of the running count, in order of play."""
        began = self.count_ends[-1] if self.count_ends else 0
        return tuple([card for _, card in self.played[began:]])

    @property
    def playable(self) -> tuple[Card, ...]:
        """Cards of this seat's hand that can be played (R53)."""
        return playable(self.hand, self.count)

    @property
    def side(self) -> int:
        """Side for which this seat scores."""
        return self.rules.side(self.seat)

    @property
    def is_dealer(self) -> bool:
        """Whether this seat deals."""
        return self.seat == self.dealer


def view(state: State, seat: int, *, past: bool = False) -> View:
    """Return the View of a seat; raise InvalidArgument if the seat does not exist.

    past: whether to include earlier deals of the game, for players that learn from them; pages get none.
    """
    if not is_seat(seat, state.rules.seats):
        raise InvalidArgument("not-a-seat", "seat", seat)
    shown = state.show_seats[: min(state.shown, state.rules.seats)] if state.shown else ()
    return View(
        seat=seat,
        rules=state.rules,
        phase=state.phase,
        to_act=to_act(state),
        seating=state.seating,
        drawn=state.drawn,
        drawing=state.drawing,
        drawn_at=state.drawn_at,
        dealer=state.dealer,
        deal=state.deal,
        hand=state.hands[seat],
        kept=state.kept[seat],
        discarded=state.discarded[seat],
        hand_sizes=tuple(map(len, state.hands)),
        starter=state.starter,
        played=state.played,
        count_ends=state.count_ends,
        count=state.count,
        said_go=state.said_go,
        turn=state.turn,
        open_hands=tuple([kept if other in shown else () for other, kept in enumerate(state.kept)]),
        open_crib=state.crib if state.showing_crib else (),
        claim=state.claim,
        front=state.front,
        rear=state.rear,
        won=state.won,
        past=_as_seen(state.past, seat) if past else (),
    )


@lru_cache(1024)
def _as_seen(past: tuple[PastDeal, ...], seat: int) -> tuple[PastDeal, ...]:
    """Return earlier deals without the discards of other seats."""
    if not past:
        return ()
    *before, last = past
    own = tuple([cards if other == seat else () for other, cards in enumerate(last.discarded)])
    return (*_as_seen(tuple(before), seat), msgspec.structs.replace(last, discarded=own))


class PublicView(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody at the table knows: the fields of `View` that every seat may see."""

    rules: Rules
    phase: Phase
    to_act: tuple[int, ...]
    """Seats that may act now."""
    seating: tuple[int, ...]
    """Seat i has the player who arrived n-th if seating[i] == n (R29)."""
    drawn: tuple[tuple[Card, ...], ...]
    """Cards that each seat drew for the first deal, the oldest first (R24, R27)."""
    drawing: tuple[int, ...]
    """Seats that must still draw."""
    drawn_at: tuple[int, ...]
    """Indices of the spread deck taken in this round of draws."""
    dealer: int
    deal: int
    """Number of the deal, from 1."""
    hand_sizes: tuple[int, ...]
    """Number of cards that each seat holds."""
    starter: Card | None
    played: tuple[tuple[int, Card], ...]
    """Cards played in this deal, with the seats that played them."""
    count_ends: tuple[int, ...]
    """Number of cards played at the end of each finished count of this deal."""
    count: int
    """The running count in pegging."""
    said_go: tuple[int, ...]
    """Seats that said go in this count."""
    turn: int
    """Seat that must play or claim."""
    open_hands: tuple[tuple[Card, ...], ...]
    """Hands that were shown, by seat; empty before."""
    open_crib: tuple[Card, ...]
    """The crib after it was shown (R43)."""
    claim: int | None
    """Points that `turn` has claimed and that may be challenged."""
    front: tuple[int, ...]
    """Score of each side: its front peg (R115)."""
    rear: tuple[int, ...]
    """Score of each side before its last move: its rear peg."""
    won: GameWon | None


def public(state: State) -> PublicView:
    """Return what a spectator may see: only what is open to every seat."""
    # These fields are the same for every seat.
    seen = view(state, 0)
    return PublicView(**{name: getattr(seen, name) for name in PublicView.__struct_fields__})


def choices(seen: View) -> tuple[SeatAction, ...]:
    """Return the legal actions of a View's seat."""
    return seat_actions(seen, seen.seat, seen.hand) if seen.seat in seen.to_act else ()


def allows(seen: View, action: Action) -> bool:
    """Return whether an action is legal for a View's seat; the order of discards does not matter."""
    if isinstance(action, Discard):
        given = sorted(action.cards)
        return any(isinstance(one, Discard) and given == sorted(one.cards) for one in choices(seen))
    return action in choices(seen)


def see(event: Event, seat: int | None) -> Event:
    """Return an event as a seat, or a spectator if `seat` is None, may see it; raise InvalidArgument."""
    seats = len(event.hands) if isinstance(event, Dealt) else _MAX_SEATS
    if seat is not None and not is_seat(seat, seats):
        raise InvalidArgument("not-a-seat", "seat", seat)
    match event:
        case Dealt(hands=hands):
            own = tuple([hand if other == seat else () for other, hand in enumerate(hands)])
            return Dealt(own, ())
        case Discarded(seat=other) if other != seat:
            return Discarded(other, ())
        case _:
            return event


def go_bounds(view: View) -> tuple[int, ...]:
    """Return for each seat a counting value that all its cards exceed, because it said go (R55); otherwise 0.

    A count that ends below 31 ends because no seat can play. A seat that is passed over while it holds cards
    has none to play.
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
                _add_passed_seats(least, held, view.played[at - 1][0], seat, LIMIT - count)
            count += card.value
            held[seat] -= 1
        if over and count < LIMIT:
            for seat in range(seats):
                least[seat] = max(least[seat], LIMIT - count)
        elif not over:
            for seat in view.said_go:
                least[seat] = max(least[seat], LIMIT - count)
            _add_passed_seats(least, held, view.played[ended - 1][0], view.turn, LIMIT - count)
    return tuple(least)


def _add_passed_seats(least: list[int], held: Sequence[int], last: int, seat: int, left: int) -> None:
    """Raise the bounds of the seats between `last` and `seat`: no card of theirs fits in `left` points."""
    seats = len(least)
    for place in range(1, seats):
        other = (last + place) % seats
        if other == seat:
            return
        if held[other]:
            least[other] = max(least[other], left)
