"""The rules: legal actions, and the events that actions cause.

    legal(state)          the legal actions of all seats that may act
    step(state, action)   the state after an action, and its events; raises IllegalAction
    decide(state, action) the events alone

Each event is applied as it is decided, and none follows GameWon: heels can win, and pone can count out
before the dealer (R14, R91).
"""

from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Any, Protocol

from fifteentwo.rules import draw, pegging, show
from fifteentwo.rules.actions import (
    Accept,
    Action,
    CallMuggins,
    Claim,
    Cut,
    Deal,
    Discard,
    Draw,
    Forfeit,
    Go,
    NameDealer,
    Play,
    SeatAction,
    TurnUp,
)
from fifteentwo.rules.cards import DECK, Card, Rank
from fifteentwo.rules.errors import IllegalAction, InvalidArgument, is_seat
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
    PeggedFor,
    Picked,
    Played,
    Score,
    ScoreName,
    Shown,
    StarterTurned,
    StockCut,
    WentGo,
)
from fifteentwo.rules.pegging import LIMIT
from fifteentwo.rules.state import NO_SEAT, Phase, State, evolve
from fifteentwo.rules.variants import Muggins, Rules

MAX_POINTS = 29
"""Most points of a hand, and so of a claim."""
MIN_CUT = 4
"""Smallest number of cards in each part of a cut (C19)."""


def step(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """Return the state after an action, and its events; raise IllegalAction if the rules forbid it."""
    if state.phase is Phase.OVER:
        raise IllegalAction("game-over", "R14")
    try:
        perform = _PERFORM[type(action)]
    except KeyError:
        raise InvalidArgument("not-an-action", "action", action) from None
    events: list[Event] = []
    return perform(state, events, action), tuple(events)


def decide(state: State, action: Action) -> tuple[Event, ...]:
    """Return the events that an action causes; raise IllegalAction if the rules forbid it."""
    return step(state, action)[1]


# ── Legal actions ────────────────────────────────────────────────────────────────────────────────────────


class Public(Protocol):
    """Public information about the table; with a hand it determines the legal actions of a seat."""

    @property
    def rules(self) -> Rules: ...
    @property
    def phase(self) -> Phase: ...
    @property
    def count(self) -> int: ...
    @property
    def drawn_at(self) -> tuple[int, ...]: ...


def to_act(state: State) -> tuple[int, ...]:
    """Return the seats that may act now; none if chance or the table must act."""
    match state.phase:
        case Phase.PLAY | Phase.CLAIM:
            return (state.turn,)
        case Phase.DISCARD:
            return tuple(seat for seat in range(state.rules.seats) if not state.discarded[seat])
        case Phase.CUT | Phase.CUT_STOCK:
            return (state.eldest,)
        case Phase.DRAW:
            return state.drawing
        case Phase.CHALLENGE:
            return _challengers(state)
        case _:
            return ()


def legal(state: State) -> tuple[Action, ...]:
    """Return every legal action except `Deal`, which has too many forms, and `Forfeit`."""
    if not isinstance(state, State):
        raise InvalidArgument("not-a-state", "state", type(state).__name__)
    match state.phase:
        case Phase.NAME_DEALER:
            return tuple(NameDealer(seat) for seat in range(state.rules.seats))
        case Phase.DRAW_TURN | Phase.STARTER:
            return tuple(TurnUp(card) for card in unseen(state))
        case _:
            return tuple(
                action for seat in to_act(state) for action in seat_actions(state, seat, state.hands[seat])
            )


def seat_actions(table: Public, seat: int, hand: tuple[Card, ...]) -> tuple[SeatAction, ...]:
    """Return the legal actions of a seat on turn, from public information and its hand."""
    match table.phase:
        case Phase.PLAY:
            return tuple([Play(seat, card) for card in pegging.playable(hand, table.count)])
        case Phase.DISCARD:
            return tuple([Discard(seat, cards) for cards in combinations(hand, table.rules.discards)])
        case Phase.CUT:
            return _cuts(seat, len(DECK))
        case Phase.CUT_STOCK:
            return _cuts(seat, _stock_size(table.rules))
        case Phase.DRAW:
            return tuple([Draw(seat, at) for at in range(len(DECK)) if at not in table.drawn_at])
        case Phase.CLAIM:
            return tuple([Claim(seat, points) for points in range(MAX_POINTS + 1)])
        case Phase.CHALLENGE:
            return Accept(seat), CallMuggins(seat)
        case _:
            return ()


def unseen(state: State) -> tuple[Card, ...]:
    """Return the cards that chance may turn up now, in index order."""
    out = _used_cards(state)
    return tuple(card for card in DECK if card not in out)


def _used_cards(state: State) -> set[Card]:
    """Return the cards that chance cannot turn up, because they were drawn or dealt."""
    if state.phase is Phase.DRAW_TURN:
        return set(state.turned)
    return set(state.crib).union(*state.hands)


@cache
def _cuts(seat: int, cards: int) -> tuple[Cut, ...]:
    return tuple([Cut(seat, at) for at in _allowed_cuts(cards)])


def _allowed_cuts(cards: int) -> range:
    """Return the numbers of cards that a cut may lift from this number of cards (C19)."""
    return range(MIN_CUT, cards - MIN_CUT + 1)


def _stock_size(rules: Rules) -> int:
    return len(DECK) - rules.seats * rules.dealt - rules.dealt_to_crib


# ── Events of actions ──────────────────────────────────────────────────────────────────────────────────


def _require_phase(state: State, phase: Phase, rule: str, seat: int | None = None) -> None:
    """Raise IllegalAction if the phase is another one, or the seat is not on turn."""
    if seat is not None:
        _require_seat(state, seat)
    if state.phase is not phase:
        raise IllegalAction("not-now", rule, seat, phase=state.phase.value)
    if seat is not None and seat not in to_act(state):
        raise IllegalAction("out-of-turn", rule, seat)


def _require_seat(state: State, seat: int, rule: str = "R1") -> None:
    if not is_seat(seat, state.rules.seats):
        raise IllegalAction("no-such-seat", rule, seat)


def _apply(state: State, events: list[Event], event: Event) -> State:
    """Add an event that the rules have allowed, and return the state after it."""
    events.append(event)
    return evolve(state, event)


def _peg(
    state: State,
    events: list[Event],
    seat: int,
    reason: PeggedFor,
    scores: tuple[Score, ...],
    points: int | None = None,
) -> State:
    """Peg the points of scores, or claimed points, and end the game at the target (R14)."""
    rules = state.rules
    points = sum([score.points for score in scores]) if points is None else points
    if not points:
        return state
    side = rules.side(seat)
    score = min(state.front[side] + points, rules.target)
    state = _apply(state, events, Pegged(seat, side, points, score, reason, scores))
    if score == rules.target:
        lost = tuple(
            0 if other == side else rules.games_lost(front) for other, front in enumerate(state.front)
        )
        state = _apply(state, events, GameWon(side, state.front, lost))
    return state


def _forfeit(state: State, events: list[Event], action: Forfeit) -> State:
    """End the game: the best other side wins, of equal ones the first from the dealer's left.

    Forfeiting loses a plain game, but does not avoid a skunk: if the winner is past the skunk line, the line
    counts (R18).
    """
    rules, seat = state.rules, action.seat
    _require_seat(state, seat)
    own = rules.side(seat)
    order = [rules.side((state.dealer + place) % rules.seats) for place in range(1, rules.seats + 1)]
    won = max((side for side in order if side != own), key=lambda side: state.front[side])
    at_least = rules.games_lost(state.front[won]) == 1
    lost = [0 if side == won else 1 for side in range(rules.sides)]
    lost[own] = rules.games_lost(state.front[own]) if at_least else 1
    return _apply(state, events, GameWon(won, state.front, tuple(lost), seat, action.why))


def _go(state: State, _: list[Event], action: Go) -> State:
    _require_phase(state, Phase.PLAY, "R54", action.seat)
    raise IllegalAction("go-with-playable-card", "R54", action.seat)


def _draw(state: State, events: list[Event], action: Draw) -> State:
    _require_phase(state, Phase.DRAW, "R24", action.seat)
    if not 0 <= action.at < len(DECK) or action.at in state.drawn_at:
        raise IllegalAction("no-card-there", "R24", action.seat, at=action.at)
    return _apply(state, events, Picked(action.seat, action.at))


def _turn_up(state: State, events: list[Event], action: TurnUp) -> State:
    if state.phase is Phase.STARTER:
        return _turn_starter(state, events, action.card)
    _require_phase(state, Phase.DRAW_TURN, "R45")
    if action.card in _used_cards(state):
        raise IllegalAction("card-not-in-stock", "R24", card=action.card.text)
    state = _apply(state, events, Drew(state.drawer, action.card))
    if state.drawing:
        return state
    if again := draw.tied_seats(state.rules, state.drawn):
        return _apply(state, events, DrawTied(again))
    if state.rules.partners_by_draw:
        state = _apply(state, events, PartnersMade(draw.seating(state.drawn)))
    return _choose_dealer(state, events, draw.dealer(state.rules, state.drawn))


def _name_dealer(state: State, events: list[Event], action: NameDealer) -> State:
    _require_phase(state, Phase.NAME_DEALER, "R28")
    _require_seat(state, action.dealer, "R28")
    return _choose_dealer(state, events, action.dealer)


def _choose_dealer(state: State, events: list[Event], dealer: int) -> State:
    state = _apply(state, events, DealerChosen(dealer))
    if state.rules.three_for_last:
        three = (Score(ScoreName.THREE_FOR_LAST, (), 3, "R100"),)
        state = _peg(state, events, state.eldest, PeggedFor.THREE_FOR_LAST, three)
    return state


def _cut(state: State, events: list[Event], action: Cut) -> State:
    stock = state.phase is Phase.CUT_STOCK
    _require_phase(state, Phase.CUT_STOCK if stock else Phase.CUT, "R45" if stock else "R32", action.seat)
    if action.at not in _allowed_cuts(_stock_size(state.rules) if stock else len(DECK)):
        raise IllegalAction("cut-too-thin", "R45" if stock else "R32", action.seat, at=action.at)
    cut = StockCut(action.seat, action.at) if stock else DeckCut(action.seat, action.at)
    return _apply(state, events, cut)


def _deal(state: State, events: list[Event], action: Deal) -> State:
    _require_phase(state, Phase.DEAL, "R33")
    rules = state.rules
    dealt = rules.seats * rules.dealt
    if len(action.cards) != dealt + rules.dealt_to_crib:
        raise IllegalAction("wrong-number-of-cards", "R33", number=len(action.cards))
    if len(set(action.cards)) != len(action.cards):
        raise IllegalAction("card-twice", "R6")
    hands = tuple(
        tuple(action.cards[(seat - state.eldest) % rules.seats : dealt : rules.seats])
        for seat in range(rules.seats)
    )
    return _apply(state, events, Dealt(hands, action.cards[dealt:]))


def _discard(state: State, events: list[Event], action: Discard) -> State:
    rules, seat = state.rules, action.seat
    rule = "R39" if rules.seats == 2 else "R40"
    _require_phase(state, Phase.DISCARD, rule, seat)
    if len(action.cards) != rules.discards or len(set(action.cards)) != rules.discards:
        raise IllegalAction("wrong-number-of-cards", rule, seat, number=len(action.cards))
    for card in action.cards:
        if card not in state.hands[seat]:
            raise IllegalAction("card-not-held", rule, seat, card=card.text)
    return _apply(state, events, Discarded(seat, action.cards))


def _turn_starter(state: State, events: list[Event], card: Card) -> State:
    if card in _used_cards(state):
        raise IllegalAction("card-not-in-stock", "R45", card=card.text)
    state = _apply(state, events, StarterTurned(card))
    if card.rank is Rank.JACK:
        heels = (Score(ScoreName.HEELS, (card,), 2, "R47"),)
        state = _peg(state, events, state.dealer, PeggedFor.HEELS, heels)
    return state


# ── Pegging ──────────────────────────────────────────────────────────────────────────────────────────────


def _play(state: State, events: list[Event], action: Play) -> State:
    seat, card = action.seat, action.card
    if state.phase is not Phase.PLAY or seat != state.turn or type(seat) is not int:
        _require_phase(state, Phase.PLAY, "R50", seat)
    if card not in state.hands[seat]:
        raise IllegalAction("card-not-held", "R51", seat, card=card.text)
    count = state.count + card.value
    if count > LIMIT:
        raise IllegalAction("count-past-31", "R53", seat, card=card.text, count=count)
    state = _apply(state, events, Played(seat, card, count))
    if state.rules.claims_pegging:
        return state
    if scores := pegging.scores(state.in_count):
        state = _peg(state, events, seat, PeggedFor.PLAY, scores)
        if state.won is not None:
            return state
    return _after_card(state, events)


def _after_card(state: State, events: list[Event]) -> State:
    """Do what must follow a card: goes, the end of the count, the next lead, the show (R55–R67)."""
    last = state.played[-1][0]
    while state.turn != NO_SEAT and state.count < LIMIT:
        if pegging.playable(state.hands[state.turn], state.count):
            return state
        if state.turn == last:
            break
        state = _apply(state, events, WentGo(state.turn))
    if state.count < LIMIT:
        point = (Score(ScoreName.LAST_CARD, (state.played[-1][1],), 1, "R60"),)
        state = _peg(state, events, last, PeggedFor.LAST_CARD, point)
        if state.won is not None:
            return state
    state = _apply(state, events, CountCleared(state.count))
    if state.turn == NO_SEAT or state.rules.one_count:
        return _show_next(state, events)
    return state


# ── The show ─────────────────────────────────────────────────────────────────────────────────────────────


def _show_next(state: State, events: list[Event]) -> State:
    """Show and count the hands in order and the crib, and end the deal (R78, R79, R92)."""
    order = state.show_seats
    while state.shown < len(order):
        seat = order[state.shown]
        crib = state.shown == len(order) - 1
        state = _apply(state, events, Shown(seat, state.crib if crib else state.kept[seat], crib))
        if state.rules.claimed:
            return state
        scores, reason = _right_scores(state)
        state = _peg(state, events, seat, reason, scores)
        if state.won is not None:
            return state
    return _apply(state, events, DealEnded(state.eldest))


def _right_scores(state: State) -> tuple[tuple[Score, ...], PeggedFor]:
    """Return the correct scores of the card, hand or crib that is counted."""
    if not state.shown:
        return pegging.scores(state.in_count), PeggedFor.PLAY
    assert state.starter is not None
    if state.showing_crib:
        return show.scores(state.crib, state.starter, crib=True), PeggedFor.CRIB
    return show.scores(state.kept[state.turn], state.starter), PeggedFor.HAND


# ── Claims and muggins (C12) ─────────────────────────────────────────────────────────────────────────────


def _claim(state: State, events: list[Event], action: Claim) -> State:
    _require_phase(state, Phase.CLAIM, "R93", action.seat)
    if not 0 <= action.points <= MAX_POINTS:
        raise IllegalAction("claim-out-of-range", "R93", action.seat, points=action.points)
    state = _apply(state, events, Claimed(action.seat, action.points))
    if state.phase is Phase.CHALLENGE:
        return state
    return _settle(state, events)


def _challengers(state: State) -> tuple[int, ...]:
    """Return the opponents who may still answer a claim, from the claimer's left to the first who called."""
    rules, waiting = state.rules, []
    for place in range(1, rules.seats):
        seat = (state.turn + place) % rules.seats
        if seat in state.called:
            break
        if seat not in state.accepted and rules.side(seat) != rules.side(state.turn):
            waiting.append(seat)
    return tuple(waiting)


def _answer_claim(state: State, events: list[Event], action: Accept | CallMuggins) -> State:
    if state.rules.muggins is Muggins.OFF:
        raise IllegalAction("muggins-off", "R98", action.seat)
    _require_phase(state, Phase.CHALLENGE, "R97", action.seat)
    answer = Accepted(action.seat) if isinstance(action, Accept) else MugginsCalled(action.seat)
    state = _apply(state, events, answer)
    return state if _challengers(state) else _settle(state, events)


def _settle(state: State, events: list[Event]) -> State:
    """Peg the claimer's points and the caller's (C12), and continue the deal.

    No peg moves before the challenge is over, so a claim that is too high cannot win first.
    """
    scores, reason = _right_scores(state)
    right, claimed, seat = sum(score.points for score in scores), state.claim, state.turn
    assert claimed is not None
    over_counts = state.rules.muggins is Muggins.MISSED_AND_OVERCLAIMS
    caller = _nearest_caller(state) if claimed < right or (claimed > right and over_counts) else None
    state = _apply(state, events, ClaimSettled(seat, claimed, right, scores, caller))
    stands = claimed <= right or (over_counts and caller is None)
    pegged = claimed if stands else right
    state = _peg(state, events, seat, reason, scores if pegged == right else (), pegged)
    if caller is not None and state.won is None:
        # The caller gets no more than the claimer could still have pegged (C22).
        missed = min(right - claimed, state.rules.target - state.front[state.rules.side(seat)])
        paid = missed if claimed < right else 2
        muggins = (Score(ScoreName.MUGGINS, (), paid, "R94" if claimed < right else "R95"),)
        state = _peg(state, events, caller, PeggedFor.MUGGINS, muggins)
    if state.won is not None:
        return state
    return _show_next(state, events) if state.shown else _after_card(state, events)


def _nearest_caller(state: State) -> int | None:
    """Return the first seat to the claimer's left that called muggins, or None."""
    seats = state.rules.seats
    return min(state.called, key=lambda seat: (seat - state.turn) % seats, default=None)


_PERFORM: dict[type, Callable[[State, list[Event], Any], State]] = {
    Play: _play,
    Discard: _discard,
    Claim: _claim,
    Accept: _answer_claim,
    CallMuggins: _answer_claim,
    Deal: _deal,
    TurnUp: _turn_up,
    Cut: _cut,
    Draw: _draw,
    NameDealer: _name_dealer,
    Forfeit: _forfeit,
    Go: _go,
}
"""Functions that do an action, by type of action; they add its events, and return the last state."""
