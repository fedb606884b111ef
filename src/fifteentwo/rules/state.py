"""The state of a game, and how events change it: `evolve` applies events that `game.decide` has allowed."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar, Unpack

import msgspec

from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import InvalidArgument
from fifteentwo.rules.events import (
    Accepted,
    Claimed,
    ClaimSettled,
    CountCleared,
    DealEnded,
    DealerChosen,
    Dealt,
    DeckCut,
    Discarded,
    DrawTied,
    Drew,
    Event,
    GameWon,
    MugginsCalled,
    PartnersMade,
    Pegged,
    Picked,
    Played,
    Shown,
    StarterTurned,
    StockCut,
    WentGo,
)
from fifteentwo.rules.variants import FirstDealer, Muggins, RuleOptions, Rules, Starter, rules_for

replace = msgspec.structs.replace
T = TypeVar("T")


class Phase(StrEnum):
    """The phases of a game; each names the next thing to happen (R125)."""

    NAME_DEALER = "name-dealer"
    """The players name the first dealer (R28)."""
    DRAW = "draw"
    """A seat draws a card for the first deal or for partners (R24, R29)."""
    DRAW_TURN = "draw-turn"
    """Chance turns up the card drawn."""
    CUT = "cut"
    """A seat cuts the deck before the deal (R32)."""
    DEAL = "deal"
    """Chance deals."""
    DISCARD = "discard"
    """Seats discard to the crib."""
    CUT_STOCK = "cut-stock"
    """A seat cuts the stock for the starter (R45)."""
    STARTER = "starter"
    """Chance turns up the starter."""
    PLAY = "play"
    """A seat plays a card in pegging."""
    CLAIM = "claim"
    """A seat claims the points of its hand or of the crib (R93)."""
    CHALLENGE = "challenge"
    """The other sides accept a claim or call muggins (R97)."""
    OVER = "over"
    """The game is over."""


NO_SEAT = -1
"""The seat number if there is no seat."""


class PastDeal(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """An earlier deal of this game in which all hands and the crib were shown."""

    dealer: int
    starter: Card
    kept: tuple[tuple[Card, ...], ...]
    """Hands of four or three cards that were shown, by seat."""
    discarded: tuple[tuple[Card, ...], ...]
    """Discards by seat; in a View, empty for the other seats."""
    crib: tuple[Card, ...]
    played: tuple[tuple[int, Card], ...]
    """Cards in the order of play, with the seats that played them."""
    count_ends: tuple[int, ...]
    """Number of cards played at the end of each count."""


class State(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """All facts of one game. Tuples of tuples are by seat; `front` and `rear` are by side."""

    rules: Rules
    phase: Phase
    seating: tuple[int, ...]
    """Seat i has the player who arrived n-th if seating[i] == n (R29)."""
    drawn: tuple[tuple[Card, ...], ...]
    """Cards that each seat drew for the first deal, the oldest first (R24, R27)."""
    drawing: tuple[int, ...] = ()
    """Seats that must still draw."""
    drawer: int = NO_SEAT
    """Seat whose drawn card is turned up next."""
    drawn_at: tuple[int, ...] = ()
    """Indices of the spread deck taken in this round of draws."""
    turned: tuple[Card, ...] = ()
    """Cards turned up in this round of draws."""
    dealer: int = NO_SEAT
    deal: int = 0
    """Number of the deal, from 1."""
    deck_cut: int = 0
    """Number of cards lifted before this deal (R32); 0 before the cut."""
    stock_cut: int = 0
    """Number of cards lifted for the starter (R45); 0 before the cut."""
    hands: tuple[tuple[Card, ...], ...]
    """Cards held: those dealt, less discards, less cards played."""
    kept: tuple[tuple[Card, ...], ...]
    """The hand that each seat will show; empty until it has discarded."""
    discarded: tuple[tuple[Card, ...], ...]
    """Cards that each seat discarded in this deal."""
    crib: tuple[Card, ...] = ()
    """Cards discarded or dealt to the crib, sorted, so that their order shows nothing."""
    starter: Card | None = None
    played: tuple[tuple[int, Card], ...] = ()
    """Cards played in this deal, with the seats that played them."""
    count_ends: tuple[int, ...] = ()
    """Number of cards played at the end of each finished count of this deal."""
    count: int = 0
    """The running count in pegging."""
    said_go: tuple[int, ...] = ()
    """Seats that said go in this count."""
    turn: int = NO_SEAT
    """Seat that must play or claim."""
    shown: int = 0
    """Number of hands shown in this deal, plus 1 after the crib was shown."""
    claim: int | None = None
    """Points that `turn` has claimed and that may be challenged."""
    accepted: tuple[int, ...] = ()
    """Seats that accepted this claim."""
    called: tuple[int, ...] = ()
    """Seats that called muggins on this claim."""
    front: tuple[int, ...]
    """Score of each side: its front peg (R115)."""
    rear: tuple[int, ...]
    """Score of each side before its last move: its rear peg."""
    won: GameWon | None = None
    """How the game was won; None before."""
    past: tuple[PastDeal, ...] = ()
    """Earlier deals of this game, the oldest first."""

    @property
    def in_count(self) -> tuple[Card, ...]:
        """Cards of the running count, in order of play."""
        began = self.count_ends[-1] if self.count_ends else 0
        return tuple([card for _, card in self.played[began:]])

    @property
    def eldest(self) -> int:
        """Seat on the dealer's left; with two players, pone."""
        return (self.dealer + 1) % self.rules.seats

    @property
    def show_seats(self) -> tuple[int, ...]:
        """Seats in the order of the show: from the dealer's left to the dealer, and the crib (R78, R79)."""
        seats = self.rules.seats
        return (*((self.dealer + step) % seats for step in range(1, seats + 1)), self.dealer)

    @property
    def showing_crib(self) -> bool:
        """Whether the crib has been shown."""
        return self.shown > self.rules.seats


def start(rules: Rules | str, *, named: bool = False, **options: Unpack[RuleOptions]) -> State:
    """Return a game before its first event.

    Args:
        rules: the rules, or the name of a variant.
        named: whether NameDealer replaces the draw (R28, C14).
        options: options of `rules_for`, if a variant is named.
    """
    if isinstance(rules, str):
        rules = rules_for(rules, **options)
    elif options:
        raise InvalidArgument("options-beside-rules", "options", ", ".join(options))
    seats = range(rules.seats)
    by_name = named or rules.first_dealer is FirstDealer.NAMED
    return State(
        rules=rules,
        phase=Phase.NAME_DEALER if by_name else Phase.DRAW,
        seating=tuple(seats),
        drawn=((),) * rules.seats,
        drawing=() if by_name else tuple(seats),
        hands=((),) * rules.seats,
        kept=((),) * rules.seats,
        discarded=((),) * rules.seats,
        front=(0,) * rules.sides,
        rear=(0,) * rules.sides,
    )


def evolve(state: State, event: Event) -> State:
    """Return the state after an event that `game` has allowed; the event is not checked."""
    return _BOOKKEEPING[type(event)](state, event)


def _picked(state: State, event: Picked) -> State:
    return replace(state, drawer=event.seat, drawn_at=(*state.drawn_at, event.at), phase=Phase.DRAW_TURN)


def _drew(state: State, event: Drew) -> State:
    return replace(
        state,
        drawn=_replace_at(state.drawn, event.seat, (*state.drawn[event.seat], event.card)),
        drawing=tuple(other for other in state.drawing if other != event.seat),
        drawer=NO_SEAT,
        turned=(*state.turned, event.card),
        phase=Phase.DRAW,
    )


def _draw_tied(state: State, event: DrawTied) -> State:
    return replace(state, drawing=event.seats, drawn_at=(), turned=())


def _partners_made(state: State, event: PartnersMade) -> State:
    return replace(
        state,
        seating=tuple(state.seating[seat] for seat in event.seating),
        drawn=tuple(state.drawn[seat] for seat in event.seating),
    )


def _dealer_chosen(state: State, event: DealerChosen) -> State:
    return replace(state, dealer=event.dealer, drawing=(), phase=_phase_before_deal(state.rules))


def _deck_cut(state: State, event: DeckCut) -> State:
    return replace(state, phase=Phase.DEAL, deck_cut=event.at)


def _dealt(state: State, event: Dealt) -> State:
    return replace(state, hands=event.hands, crib=event.crib, deal=state.deal + 1, phase=Phase.DISCARD)


def _stock_cut(state: State, event: StockCut) -> State:
    return replace(state, phase=Phase.STARTER, stock_cut=event.at)


def _starter_turned(state: State, event: StarterTurned) -> State:
    return replace(state, starter=event.card, phase=Phase.PLAY, turn=state.eldest)


def _played(state: State, event: Played) -> State:
    seat, card = event.seat, event.card
    hands = state.hands
    left = tuple([held for held in hands[seat] if held is not card])
    hands = (*hands[:seat], left, *hands[seat + 1 :])
    claimed = state.rules.claims_pegging
    return replace(
        state,
        hands=hands,
        played=(*state.played, (seat, card)),
        count=event.count,
        turn=seat if claimed else _next_to_play(hands, state.said_go, seat),
        phase=Phase.CLAIM if claimed else Phase.PLAY,
    )


def _discarded(state: State, event: Discarded) -> State:
    seat, cards = event.seat, event.cards
    hand = tuple(card for card in state.hands[seat] if card not in cards)
    discarded = _replace_at(state.discarded, seat, cards)
    everyone = all(discarded)
    phase = Phase.DISCARD
    if everyone:
        phase = Phase.CUT_STOCK if state.rules.starter is Starter.CUT else Phase.STARTER
    return replace(
        state,
        hands=_replace_at(state.hands, seat, hand),
        kept=_replace_at(state.kept, seat, hand),
        discarded=discarded,
        crib=tuple(sorted((*state.crib, *cards))),
        phase=phase,
    )


def _went_go(state: State, event: WentGo) -> State:
    gone = (*state.said_go, event.seat)
    return replace(state, said_go=gone, turn=_next_to_play(state.hands, gone, event.seat))


def _count_cleared(state: State, _: CountCleared) -> State:
    return replace(
        state,
        count=0,
        said_go=(),
        count_ends=(*state.count_ends, len(state.played)),
        turn=_next_to_play(state.hands, (), state.played[-1][0]),
    )


def _pegged(state: State, event: Pegged) -> State:
    side = event.side
    return replace(
        state,
        front=_replace_at(state.front, side, event.score),
        rear=_replace_at(state.rear, side, state.front[side]),
    )


def _shown(state: State, event: Shown) -> State:
    phase = Phase.CLAIM if state.rules.claimed else state.phase
    return replace(state, shown=state.shown + 1, phase=phase, turn=event.seat)


def _claimed(state: State, event: Claimed) -> State:
    challenged = state.rules.muggins is not Muggins.OFF
    return replace(state, claim=event.points, phase=Phase.CHALLENGE if challenged else Phase.CLAIM)


def _accepted(state: State, event: Accepted) -> State:
    return replace(state, accepted=(*state.accepted, event.seat))


def _muggins_called(state: State, event: MugginsCalled) -> State:
    return replace(state, called=(*state.called, event.seat))


def _claim_settled(state: State, event: ClaimSettled) -> State:
    turn = state.turn if state.shown else _next_to_play(state.hands, state.said_go, event.seat)
    return replace(state, claim=None, accepted=(), called=(), phase=Phase.PLAY, turn=turn)


def _game_won(state: State, event: GameWon) -> State:
    return replace(state, won=event, phase=Phase.OVER, turn=NO_SEAT)


def _next_deal(state: State, event: DealEnded) -> State:
    nothing: tuple[tuple[Card, ...], ...] = ((),) * state.rules.seats
    assert state.starter is not None
    over = PastDeal(
        state.dealer, state.starter, state.kept, state.discarded, state.crib, state.played, state.count_ends
    )
    return replace(
        state,
        past=(*state.past, over),
        dealer=event.dealer,
        phase=_phase_before_deal(state.rules),
        deck_cut=0,
        stock_cut=0,
        hands=nothing,
        kept=nothing,
        discarded=nothing,
        crib=(),
        starter=None,
        played=(),
        count_ends=(),
        count=0,
        said_go=(),
        turn=NO_SEAT,
        shown=0,
    )


def _phase_before_deal(rules: Rules) -> Phase:
    return Phase.CUT if rules.cut_before_deal else Phase.DEAL


def _next_to_play(hands: tuple[tuple[Card, ...], ...], gone: tuple[int, ...], seat: int) -> int:
    """Return the next seat with cards that has not said go; `seat` itself comes last (C4, C6)."""
    seats = len(hands)
    for step in range(1, seats + 1):
        other = (seat + step) % seats
        if hands[other] and other not in gone:
            return other
    return NO_SEAT


def _replace_at(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])


_BOOKKEEPING: dict[type, Callable[[State, Any], State]] = {
    Picked: _picked,
    Drew: _drew,
    DrawTied: _draw_tied,
    PartnersMade: _partners_made,
    DealerChosen: _dealer_chosen,
    DeckCut: _deck_cut,
    Dealt: _dealt,
    Discarded: _discarded,
    StockCut: _stock_cut,
    StarterTurned: _starter_turned,
    Played: _played,
    WentGo: _went_go,
    CountCleared: _count_cleared,
    Shown: _shown,
    Claimed: _claimed,
    Accepted: _accepted,
    MugginsCalled: _muggins_called,
    ClaimSettled: _claim_settled,
    Pegged: _pegged,
    DealEnded: _next_deal,
    GameWon: _game_won,
}
"""Functions that change the state, by type of event."""
