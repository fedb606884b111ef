"""Whether a game can lead to a View, and whether its seat may act: asked before a player thinks about it.

The deal is played again from what the View shows, by the rules themselves, the cards it hides filled in as
goes allow (R55); then that seat must see the same.
"""

from collections.abc import Sequence

import msgspec

from fifteentwo.rules.actions import Accept, Action, Claim, Cut, Deal, Discard, Play, TurnUp
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.errors import FifteenTwoError, IllegalAction
from fifteentwo.rules.game import step, to_act
from fifteentwo.rules.goes import above
from fifteentwo.rules.state import Phase, State, start
from fifteentwo.rules.variants import Starter
from fifteentwo.rules.view import View, view

replace = msgspec.structs.replace
Hands = list[tuple[Card, ...]]

_ACTING = (Phase.DRAW, Phase.CUT, Phase.DISCARD, Phase.CUT_STOCK, Phase.PLAY, Phase.CLAIM, Phase.CHALLENGE)
_PLAYING = (Phase.PLAY, Phase.CLAIM, Phase.CHALLENGE)
_RULES = {
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
"""The rule a field goes by; others by the order of a deal (R125)."""
_FAR = 10_000
"""Points below nought from which a deal is played again, so that no peg of it can end the game."""


class ImpossibleView(FifteenTwoError, ValueError):
    """No game leads to this View; `.field` is the first thing that cannot be as it is."""

    code = "impossible-view"

    def __init__(self, field: str) -> None:
        self.field = field
        self.rule = _RULES.get(field, "R125")
        super().__init__(f"no game leads to this {field} ({self.rule})")

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return type(self), (self.field,)


def check(seen: View) -> None:
    """ImpossibleView where no game leads here; IllegalAction where no seat, or another one, is to act.

    About a millisecond.
    """
    _check_shape(seen)
    if seen.phase not in _ACTING:
        raise IllegalAction("not-now", "R125", seen.seat, phase=seen.phase.value)
    if seen.seat not in seen.to_act:
        raise IllegalAction("out-of-turn", "R50", seen.seat)
    state_of(seen)


def state_of(seen: View) -> State:
    """Return a state that this seat sees so, hidden cards any that fit; ImpossibleView where there is none.

    For seats that draw, cut, discard, play, claim or challenge, on turn or not.
    """
    _check_shape(seen)
    state = _with_pegs(seen, _led_to(seen))
    again = view(state, seen.seat)
    for field in View.__struct_fields__:
        if getattr(again, field) != getattr(seen, field):
            raise ImpossibleView(field)
    return state


def pegged_so_far(seen: View) -> tuple[tuple[int, int], ...]:
    """Return by side the points pegged in this deal by the cards played, and the last move among them."""
    state = _led_to(seen)
    return tuple([(front + _FAR, front - rear) for front, rear in zip(state.front, state.rear, strict=True)])


def _check_shape(seen: View) -> None:
    """As many entries as there are seats and sides, every number within its bounds."""
    seats, sides = range(seen.rules.seats), seen.rules.sides
    dealt = seen.phase not in (Phase.NAME_DEALER, Phase.DRAW, Phase.DRAW_TURN)
    sound = {
        "seat": seen.seat in seats,
        "seating": sorted(seen.seating) == list(seats),
        "drawn": len(seen.drawn) == len(seats),
        "drawing": set(seen.drawing) <= set(seats),
        "drawn_at": set(seen.drawn_at) <= set(range(len(DECK))) and _all_differ(seen.drawn_at),
        "dealer": seen.dealer in seats or not dealt,
        "deal": seen.deal >= (1 if seen.phase in (Phase.DISCARD, Phase.CUT_STOCK, *_PLAYING) else 0),
        "hand_sizes": len(seen.hand_sizes) == len(seats)
        and all(0 <= cards <= seen.rules.dealt for cards in seen.hand_sizes),
        "played": all(seat in seats for seat, _ in seen.played),
        "count_ends": set(seen.count_ends) <= set(range(1, len(seen.played) + (not _claims_a_card(seen))))
        and list(seen.count_ends) == sorted(set(seen.count_ends)),
        "said_go": set(seen.said_go) <= set(seats),
        "turn": seen.turn in seats or seen.phase not in _PLAYING,
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


def _with_pegs(seen: View, state: State) -> State:
    """The state with this View's pegs, where what this deal pegged agrees with them."""
    for side, (front, rear) in enumerate(zip(seen.front, seen.rear, strict=True)):
        pegged = state.front[side] + _FAR
        if not rear <= front < seen.rules.target or front < pegged:
            raise ImpossibleView("front")
        # Where players claim, what they claimed before is not to be seen.
        if pegged and not seen.rules.claims_pegging and front - rear != state.front[side] - state.rear[side]:
            raise ImpossibleView("rear")
    return replace(state, front=seen.front, rear=seen.rear)


def _led_to(seen: View) -> State:
    """A state that this seat sees so, if there is one at all; scores apart."""
    low = (-_FAR,) * seen.rules.sides
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
    kept, away, crib = _cards(seen)
    hands = [(*keep, *gave) for keep, gave in zip(kept, away, strict=True)]
    if any(len(hand) != seen.rules.dealt for hand in hands):
        raise ImpossibleView("hand_sizes")
    seats = [(state.eldest + place) % seen.rules.seats for place in range(seen.rules.seats)]
    in_order = [hands[seat][place] for place in range(seen.rules.dealt) for seat in seats]
    state = _after(state, Deal((*in_order, *crib)), "hand")
    for seat in seats:
        if seen.phase is not Phase.DISCARD or seen.hand_sizes[seat] == seen.rules.kept:
            state = _after(state, Discard(seat, away[seat]), "discarded")
    return _after_starter(seen, state) if seen.phase in _PLAYING else state


def _after_starter(seen: View, state: State) -> State:
    if seen.starter is None:
        raise ImpossibleView("starter")
    if seen.rules.starter is Starter.CUT:
        state = _after(state, Cut(state.eldest, 10), "starter")
    state = _after(state, TurnUp(seen.starter), "starter")
    for seat, card in seen.played:
        state = _after(_settled(state), Play(seat, card), "played")
    shown = sum(1 for hand in seen.open_hands if hand) + (1 if seen.open_crib else 0)
    while state.phase is not Phase.PLAY and (seen.phase is Phase.PLAY or state.shown < shown):
        state = _settled(state)
        if state.phase not in _PLAYING:
            raise ImpossibleView("phase")
    if seen.phase is Phase.CHALLENGE:
        state = _after(state, Claim(state.turn, seen.claim or 0), "claim")
        answered = [seat for seat in to_act(state) if seat not in seen.to_act]
        state = replace(state, accepted=tuple(answered))
    return state


def _settled(state: State) -> State:
    """The state once a claim that lies open is over, whatever it was."""
    if state.phase is Phase.CLAIM:
        state = _after(state, Claim(state.turn, 0), "phase")
    while state.phase is Phase.CHALLENGE:
        state = _after(state, Accept(to_act(state)[0]), "phase")
    return state


def _after(state: State, action: Action, field: str) -> State:
    try:
        return step(state, action)[0]
    except IllegalAction as error:
        raise ImpossibleView(field) from error


# ── The hidden cards ─────────────────────────────────────────────────────────────────────────────────────


def _cards(seen: View) -> tuple[Hands, Hands, tuple[Card, ...]]:
    """What every seat kept and gave to the crib, and what was dealt to it; hidden cards are any that fit."""
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
    least = above(_before_claim(seen)) if seen.phase in _PLAYING and seen.played else (0,) * len(seats)
    kept, away = [()] * len(seats), [()] * len(seats)  # type: tuple[Hands, Hands]
    kept[seen.seat], away[seen.seat] = own_kept, own_away
    others = [seat for seat in seats if seat != seen.seat]
    # The seat with the highest bound takes high cards first, or those that it needs may be gone.
    for seat in sorted(others, key=lambda seat: -least[seat]):
        need = 0 if seen.open_hands[seat] else rules.kept - len(played[seat])
        if need > len(pool):
            raise ImpossibleView("hand_sizes")
        if need and seat == seen.turn and seen.phase is Phase.PLAY:
            # It is on turn, so it can play: the lowest card that its goes allow.
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


def _claims_a_card(seen: View) -> bool:
    return seen.phase in (Phase.CLAIM, Phase.CHALLENGE) and not any(seen.open_hands)


def _before_claim(seen: View) -> View:
    """The View before the card whose points are being claimed: no seat has been passed over since."""
    if not _claims_a_card(seen):
        return seen
    return replace(seen, played=seen.played[:-1], turn=seen.played[-1][0])
