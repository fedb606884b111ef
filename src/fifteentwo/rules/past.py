"""An earlier deal of a game, played again by the rules."""

from msgspec.structs import replace

from fifteentwo.rules.actions import Accept, Claim, Cut, Deal, Discard, Play, TurnUp
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.game import step, to_act
from fifteentwo.rules.state import PastDeal, Phase, State, start
from fifteentwo.rules.variants import Rules

SCORE_OFFSET = 10_000
"""Points by which scores are lowered while a deal is replayed, so that the game does not end."""


def replay(deal: PastDeal, rules: Rules, seat: int) -> tuple[State, ...]:
    """Return the state before each discard, cut and card of a deal that a seat saw, and the last state.

    With three or more seats, the other seats' discards are an arbitrary division of the crib.

    Raises:
        IllegalAction: The rules do not allow this deal.
    """
    own = deal.discarded[seat]
    rest = [card for card in deal.crib if card not in own]
    seats = [(deal.dealer + 1 + place) % rules.seats for place in range(rules.seats)]
    away: list[tuple[Card, ...]] = [()] * rules.seats
    for giver in seats:
        number = rules.discards
        away[giver] = own if giver == seat else tuple(rest[:number])
        rest = rest if giver == seat else rest[number:]
    hands = [(*keep, *gave) for keep, gave in zip(deal.kept, away, strict=True)]
    dealt = [hands[eldest][place] for place in range(rules.dealt) for eldest in seats]
    low = (-SCORE_OFFSET,) * rules.sides
    state = replace(start(rules), drawing=(), dealer=deal.dealer, phase=Phase.DEAL, front=low, rear=low)
    states = [step(state, Deal((*dealt, *rest)))[0]]
    for giver in seats:
        states.append(step(states[-1], Discard(giver, away[giver]))[0])
    if states[-1].phase is Phase.CUT_STOCK:
        states.append(step(states[-1], Cut(seats[0], 10))[0])
    states.append(step(states[-1], TurnUp(deal.starter))[0])
    for player, card in deal.played:
        states[-1] = settle_claim(states[-1])
        states.append(step(states[-1], Play(player, card))[0])
    while states[-1].phase in (Phase.CLAIM, Phase.CHALLENGE):
        states.append(settle_claim(states[-1]))
    return tuple(states)


def is_possible(deal: PastDeal, rules: Rules, seat: int) -> bool:
    """Return whether the rules allow a deal that a seat saw."""
    seats = range(rules.seats)
    if len(deal.kept) != rules.seats or len(deal.discarded) != rules.seats or deal.dealer not in seats:
        return False
    own = deal.discarded[seat]
    cards = [*deal.crib, deal.starter, *[card for kept in deal.kept for card in kept]]
    if (
        len(set(cards)) != len(cards)
        or len(deal.crib) != rules.seats * rules.discards + rules.dealt_to_crib
        or len(own) != rules.discards
        or not {*own} <= {*deal.crib}
        or any(len(kept) != rules.kept for kept in deal.kept)
        or any(deal.discarded[other] for other in seats if other != seat)
        or any(player not in seats for player, _ in deal.played)
    ):
        return False
    try:
        state = replay(deal, rules, seat)[-1]
    except IllegalAction:
        return False
    return len(state.past) == 1 and state.past[0].count_ends == deal.count_ends


def settle_claim(state: State) -> State:
    """Return the state after an open claim is made and accepted, with any number of points.

    Raises:
        IllegalAction: The claim cannot be made.
    """
    if state.phase is Phase.CLAIM:
        state = step(state, Claim(state.turn, 0))[0]
    while state.phase is Phase.CHALLENGE:
        state = step(state, Accept(to_act(state)[0]))[0]
    return state
