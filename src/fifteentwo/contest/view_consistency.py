"""Consistency of Views: whether a game can lead to a View, and whether its seat may act.

The deal is reconstructed by the rules from the cards that the View shows; hidden cards are chosen so that
the goes are possible (R55). Then the seat's View of the reconstructed state must be equal to the given one.
"""

from collections.abc import Sequence

import msgspec

from fifteentwo.rules.actions import Action, Claim, Cut, Deal, Discard, Play, TurnUp
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.errors import FifteenTwoError, IllegalAction
from fifteentwo.rules.game import step, to_act
from fifteentwo.rules.past import SCORE_OFFSET, is_possible, settle_claim
from fifteentwo.rules.state import Phase, State, start
from fifteentwo.rules.variants import Starter
from fifteentwo.rules.view import View, go_bounds, view

replace = msgspec.structs.replace
Hands = list[tuple[Card, ...]]

_ACTING_PHASES = (
    Phase.DRAW,
    Phase.CUT,
    Phase.DISCARD,
    Phase.CUT_STOCK,
    Phase.PLAY,
    Phase.CLAIM,
    Phase.CHALLENGE,
)
_PEGGING_PHASES = (Phase.PLAY, Phase.CLAIM, Phase.CHALLENGE)
_FIELD_RULES = {
    "seat": "R1",
    "hand_sizes": "R41",
    "hand": "R41",
    "kept": "R41",
    "discarded": "R39",
    "starter": "R45",
    "played": "R50",
    "count": "R52",
    "count_ends": "R61",
    "said_go": "R55",
    "turn": "R50",
    "drawn": "R24",
    "drawing": "R24",
    "drawn_at": "R24",
    "seating": "R29",
    "open_hands": "R78",
    "open_crib": "R43",
    "claim": "R93",
    "front": "R115",
    "rear": "R115",
    "won": "R14",
}
"""The rule that a field must follow; all other fields follow the order of a deal (R125)."""


class ImpossibleView(FifteenTwoError, ValueError):
    """Raised if no game leads to a View. `.field` is the first field that is inconsistent."""

    code = "impossible-view"

    def __init__(self, field: str) -> None:
        self.field = field
        self.rule = _FIELD_RULES.get(field, "R125")
        super().__init__(f"no game leads to this {field} ({self.rule})")


def check_view(seen: View) -> None:
    """Check that a game leads to this View, and that its seat may act.

    This takes about 1 ms, and as long for each earlier deal.

    Raises:
        ImpossibleView: no game leads to the View.
        IllegalAction: another seat must act, or none.
    """
    _check_shape(seen)
    if seen.phase not in _ACTING_PHASES:
        raise IllegalAction("not-now", "R125", seen.seat, phase=seen.phase.value)
    if seen.seat not in seen.to_act:
        raise IllegalAction("out-of-turn", "R50", seen.seat)
    state_of(seen)
    if len(seen.past) > seen.deal or not all(is_possible(deal, seen.rules, seen.seat) for deal in seen.past):
        raise ImpossibleView("past")


def state_of(seen: View) -> State:
    """Return a state with this View, with hidden cards that fit; raise ImpossibleView if there is none.

    The seat must draw, cut, discard, play, claim or challenge; it need not be on turn.
    """
    _check_shape(seen)
    state = _with_scores(seen, _reconstruct(seen))
    again = view(state, seen.seat)
    for field in View.__struct_fields__:
        if field != "past" and getattr(again, field) != getattr(seen, field):
            raise ImpossibleView(field)
    return state


def pegged_so_far(seen: View) -> tuple[tuple[int, int], ...]:
    """Return for each side the points pegged in this deal by cards played, and its last move's points."""
    state = _reconstruct(seen)
    return tuple(
        [(front + SCORE_OFFSET, front - rear) for front, rear in zip(state.front, state.rear, strict=True)]
    )


def _check_shape(seen: View) -> None:
    seats, sides = range(seen.rules.seats), seen.rules.sides
    dealt = seen.phase not in (Phase.NAME_DEALER, Phase.DRAW, Phase.DRAW_TURN)
    sound = {
        "seat": seen.seat in seats,
        "seating": sorted(seen.seating) == list(seats),
        "drawn": len(seen.drawn) == len(seats),
        "drawing": set(seen.drawing) <= set(seats),
        "drawn_at": set(seen.drawn_at) <= set(range(len(DECK))) and _all_differ(seen.drawn_at),
        "dealer": seen.dealer in seats or not dealt,
        "deal": seen.deal >= (1 if seen.phase in (Phase.DISCARD, Phase.CUT_STOCK, *_PEGGING_PHASES) else 0),
        "hand_sizes": len(seen.hand_sizes) == len(seats)
        and all(0 <= cards <= seen.rules.dealt for cards in seen.hand_sizes),
        "played": all(seat in seats for seat, _ in seen.played),
        "count_ends": set(seen.count_ends) <= set(range(1, len(seen.played) + (not _is_card_claim(seen))))
        and list(seen.count_ends) == sorted(set(seen.count_ends)),
        "said_go": set(seen.said_go) <= set(seats),
        "turn": seen.turn in seats or seen.phase not in _PEGGING_PHASES,
        "open_hands": len(seen.open_hands) == len(seats),
        "claim": (seen.claim is not None) == (seen.phase is Phase.CHALLENGE),
        "front": len(seen.front) == sides and all(0 <= peg <= seen.rules.target for peg in seen.front),
        "rear": len(seen.rear) == sides and all(0 <= peg <= seen.rules.target for peg in seen.rear),
    }
    for field, good in sound.items():
        if not good:
            raise ImpossibleView(field)


def _all_differ(values: Sequence[object]) -> bool:
    return len(set(values)) == len(values)


def _with_scores(seen: View, state: State) -> State:
    """Return the state with the View's scores if they agree with the points pegged in this deal."""
    for side, (front, rear) in enumerate(zip(seen.front, seen.rear, strict=True)):
        pegged = state.front[side] + SCORE_OFFSET
        if not rear <= front < seen.rules.target or front < pegged:
            raise ImpossibleView("front")
        # A View does not show earlier claims, which moved the pegs.
        claimed = seen.rules.claims_pegging or (seen.rules.claimed and any(seen.open_hands))
        if pegged and not claimed and front - rear != state.front[side] - state.rear[side]:
            raise ImpossibleView("rear")
    return replace(state, front=seen.front, rear=seen.rear)


def _reconstruct(seen: View) -> State:
    """Return a state with the View's cards and phase, with lowered scores."""
    low = (-SCORE_OFFSET,) * seen.rules.sides
    state = replace(
        start(seen.rules),
        seating=seen.seating,
        drawn=seen.drawn,
        drawn_at=seen.drawn_at,
        drawing=(),
        front=low,
        rear=low,
    )
    if seen.phase is Phase.DRAW:
        return replace(state, phase=Phase.DRAW, drawing=seen.drawing)
    state = replace(state, dealer=seen.dealer, deal=seen.deal - 1, phase=Phase.DEAL)
    if seen.phase is Phase.CUT:
        return replace(state, phase=Phase.CUT, deal=seen.deal)
    kept, away, crib = _fill_in_cards(seen)
    hands = [(*keep, *gave) for keep, gave in zip(kept, away, strict=True)]
    if any(len(hand) != seen.rules.dealt for hand in hands):
        raise ImpossibleView("hand_sizes")
    seats = [(state.eldest + place) % seen.rules.seats for place in range(seen.rules.seats)]
    in_order = [hands[seat][place] for place in range(seen.rules.dealt) for seat in seats]
    state = _step(state, Deal((*in_order, *crib)), "hand")
    for seat in seats:
        if seen.phase is not Phase.DISCARD or seen.hand_sizes[seat] == seen.rules.kept:
            state = _step(state, Discard(seat, away[seat]), "discarded")
    return _reconstruct_pegging(seen, state) if seen.phase in _PEGGING_PHASES else state


def _reconstruct_pegging(seen: View, state: State) -> State:
    if seen.starter is None:
        raise ImpossibleView("starter")
    if seen.rules.starter is Starter.CUT:
        state = _step(state, Cut(state.eldest, 10), "starter")
    state = _step(state, TurnUp(seen.starter), "starter")
    for seat, card in seen.played:
        state = _step(_settle_claim(state), Play(seat, card), "played")
    shown = sum(1 for hand in seen.open_hands if hand) + (1 if seen.open_crib else 0)
    while state.phase is not Phase.PLAY and (seen.phase is Phase.PLAY or state.shown < shown):
        state = _settle_claim(state)
        if state.phase not in _PEGGING_PHASES:
            raise ImpossibleView("phase")
    if seen.phase is Phase.CHALLENGE:
        state = _step(state, Claim(state.turn, seen.claim or 0), "claim")
        answered = [seat for seat in to_act(state) if seat not in seen.to_act]
        state = replace(state, accepted=tuple(answered))
    return state


def _settle_claim(state: State) -> State:
    try:
        return settle_claim(state)
    except IllegalAction as error:
        raise ImpossibleView("phase") from error


def _step(state: State, action: Action, field: str) -> State:
    try:
        return step(state, action)[0]
    except IllegalAction as error:
        raise ImpossibleView(field) from error


def _fill_in_cards(seen: View) -> tuple[Hands, Hands, tuple[Card, ...]]:
    """Return cards kept and discarded by every seat, and cards dealt to the crib, with hidden ones chosen."""
    rules = seen.rules
    seats = range(rules.seats)
    played: Hands = [tuple([card for who, card in seen.played if who == seat]) for seat in seats]
    own_kept = seen.kept if seen.discarded else seen.hand[: rules.kept]
    own_away = seen.discarded or seen.hand[rules.kept :]
    known = [*own_kept, *own_away, *([seen.starter] if seen.starter else [])]
    for seat in seats:
        if seat != seen.seat:
            known += seen.open_hands[seat] or played[seat]
    to_crib = [card for card in seen.open_crib if card not in own_away]
    known += to_crib
    if not _all_differ(known):
        raise ImpossibleView("hand")
    pool = sorted((card for card in DECK if card not in known), key=lambda card: card.value)
    least = (
        go_bounds(_before_claim(seen)) if seen.phase in _PEGGING_PHASES and seen.played else (0,) * len(seats)
    )
    kept, away = [()] * len(seats), [()] * len(seats)  # type: tuple[Hands, Hands]
    kept[seen.seat], away[seen.seat] = own_kept, own_away
    others = [seat for seat in seats if seat != seen.seat]
    # The seat with the highest bound takes high cards first, because others may not need them.
    for seat in sorted(others, key=lambda seat: -least[seat]):
        need = 0 if seen.open_hands[seat] else rules.kept - len(played[seat])
        if need > len(pool):
            raise ImpossibleView("hand_sizes")
        if need and seat == seen.turn and seen.phase is Phase.PLAY:
            # This seat can play, so it needs a low card: the lowest that its goes allow.
            low = next((card for card in pool if card.value > least[seat]), None)
            if low is None:
                raise ImpossibleView("turn")
            pool = [*(card for card in pool if card is not low), low]
        if need < 0 or (need and least[seat] and pool[-need].value <= least[seat]):
            raise ImpossibleView("said_go" if need >= 0 else "played")
        kept[seat] = seen.open_hands[seat] or (*played[seat], *pool[len(pool) - need :])
        pool = pool[: len(pool) - need]
    rest = [*to_crib, *pool]
    for seat in others:
        away[seat], rest = tuple(rest[: rules.discards]), rest[rules.discards :]
    return kept, away, tuple(rest[: rules.dealt_to_crib])


def _is_card_claim(seen: View) -> bool:
    return seen.phase in (Phase.CLAIM, Phase.CHALLENGE) and not any(seen.open_hands)


def _before_claim(seen: View) -> View:
    """Return the View before the card whose points are claimed; since then no seat has said go."""
    if not _is_card_claim(seen):
        return seen
    return replace(seen, played=seen.played[:-1], turn=seen.played[-1][0])
