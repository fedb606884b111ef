"""Views and actions as numbers: the observations and actions of learning programs.

Seats are counted from the viewer: 0 is the viewer, 1 the next seat to the left; sides likewise. A card is
0–51, `4 * rank + suit`, aces first, suits in the order S H D C. `docs/environments.md` has the tables.
"""

from collections.abc import Iterable
from functools import cache
from itertools import combinations, pairwise
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifteentwo.rules.actions import Accept, Action, CallMuggins, Claim, Cut, Discard, Draw, Play, SeatAction
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.errors import IllegalAction, InvalidArgument
from fifteentwo.rules.game import MAX_POINTS
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Rules, rules_for
from fifteentwo.rules.view import View, choices

Observation = NDArray[np.uint8]
"""Shape (observation_size(rules),), 0–255: planes of 52 cards, followed by single numbers; see `layout`."""
Mask = NDArray[np.int8]
"""Shape (action_count(rules),): 1 for each legal action."""

PLAY = 0
"""Actions 0–51: play this card."""
DISCARD = len(DECK)
"""Actions 52–66: discard the k-th pair of `itertools.combinations` of the sorted hand."""
MAX_DISCARDS = 15
CLAIM = DISCARD + MAX_DISCARDS
"""Actions 67–96: claim 0–29 points."""
ACCEPT = CLAIM + MAX_POINTS + 1
MUGGINS = ACCEPT + 1
PLACE = MUGGINS + 1
"""Actions 99–150: draw the card at this place, or lift this number of cards."""

PHASES = (Phase.DISCARD, Phase.PLAY, Phase.CLAIM, Phase.CHALLENGE, Phase.DRAW, Phase.CUT, Phase.CUT_STOCK)
"""Phases in which a seat acts, in the order of an observation."""
_MAX_BYTE = 255


def action_count(rules: Rules, *, cuts: bool = False) -> int:
    """Return the number of actions: 67, with claims 99, with draws and cuts 151."""
    if cuts:
        return PLACE + len(DECK)
    return PLACE if rules.claimed else CLAIM


def layout(rules: Rules | str) -> dict[str, slice]:
    """Return the slice of each part of an observation, by name; planes of cards have length 52.

    rules: rules, or the name of a variant.

    >>> layout("six-card")["starter"]
    slice(104, 156, None)
    """
    rules = rules_for(rules) if isinstance(rules, str) else rules
    return dict(_parts(rules.seats, rules.sides, rules.claimed))


@cache
def _parts(seats: int, sides: int, claimed: bool) -> dict[str, slice]:
    planes = ["hand", "discarded", "starter", "in_count", "order", "count_number"]
    planes += [f"played_{seat}" for seat in range(seats)]
    if claimed:
        planes += [*(f"shown_{seat}" for seat in range(seats)), "shown_crib"]
    numbers = {"phase": len(PHASES), "dealer": seats, "to_act": seats, "gone": seats, "held": seats}
    numbers |= {"score": sides, "count": 1, "claim": 1, "deal": 1, "target": 1}
    found: dict[str, slice] = {}
    begin = 0
    for name, size in ({plane: len(DECK) for plane in planes} | numbers).items():
        found[name] = slice(begin, begin + size)
        begin += size
    return found


@cache
def starts(seats: int, sides: int, claimed: bool) -> tuple[dict[str, int], int]:
    """Return the first index of each part of an observation, and the length of an observation."""
    parts = _parts(seats, sides, claimed)
    return {name: part.start for name, part in parts.items()}, parts["target"].stop


def observation_size(rules: Rules) -> int:
    """Return the length of an observation: 437 in the six-card game without claims."""
    return starts(rules.seats, rules.sides, rules.claimed)[1]


def observe(view: View) -> Observation:
    """Return a View as numbers, with everything about the deal and the scores.

    The cards drawn for the first deal, the rear pegs, and the order of arrival are left out.
    """
    rules, own, seats = view.rules, view.seat, view.rules.seats
    at, size = starts(seats, rules.sides, rules.claimed)
    seen = bytearray(size)
    for name, cards in (("hand", view.hand), ("discarded", view.discarded), ("in_count", view.in_count)):
        start = at[name]
        for card in cards:
            seen[start + card.index] = 1
    if view.starter is not None:
        seen[at["starter"] + view.starter.index] = 1
    number, ends = 1, view.count_ends
    order, count_number, played = at["order"], at["count_number"], at["played_0"]
    for place, (seat, card) in enumerate(view.played):
        index = card.index
        number += place in ends
        seen[order + index] = place + 1
        seen[count_number + index] = number
        seen[played + (seat - own) % seats * len(DECK) + index] = 1
    if rules.claimed:
        for seat, cards in enumerate(view.open_hands):
            for card in cards:
                seen[at["shown_0"] + (seat - own) % seats * len(DECK) + card.index] = 1
        for card in view.open_crib:
            seen[at["shown_crib"] + card.index] = 1
    if view.phase in PHASES:
        seen[at["phase"] + PHASES.index(view.phase)] = 1
    if view.dealer >= 0:
        seen[at["dealer"] + (view.dealer - own) % seats] = 1
    for seat in view.to_act:
        seen[at["to_act"] + (seat - own) % seats] = 1
    for seat in view.said_go:
        seen[at["gone"] + (seat - own) % seats] = 1
    held, score, sides = at["held"], at["score"], rules.sides
    for seat, size in enumerate(view.hand_sizes):
        seen[held + (seat - own) % seats] = size
    for side, points in enumerate(view.front):
        seen[score + (side - own) % sides] = points
    seen[at["count"]] = view.count
    seen[at["claim"]] = 0 if view.claim is None else view.claim + 1
    seen[at["deal"]] = min(view.deal, _MAX_BYTE)
    seen[at["target"]] = rules.target
    return np.frombuffer(seen, np.uint8)


def view_of(seen: Observation, rules: Rules, seat: int = 0) -> View:
    """Return the View of a seat from its observation, without what the observation leaves out.

    Seats are numbered so that the observing one is `seat`. InvalidArgument if players count for themselves.
    """
    if rules.claimed:
        raise InvalidArgument("option-value", "counting", rules.counting.value, ("automatic",))
    parts = {name: seen[part] for name, part in _parts(rules.seats, rules.sides, False).items()}

    def cards(plane: NDArray[np.uint8]) -> tuple[Card, ...]:
        return tuple([DECK[index] for index in np.flatnonzero(plane)])

    def by_seat(values: Iterable[Any]) -> tuple[Any, ...]:
        """Return values that are listed from the observing seat on, listed from seat 0 on."""
        listed = tuple(values)
        return tuple([listed[(other - seat) % len(listed)] for other in range(len(listed))])

    def seats(flags: NDArray[np.uint8]) -> tuple[int, ...]:
        return tuple(sorted([(int(other) + seat) % rules.seats for other in np.flatnonzero(flags)]))

    order = sorted(np.flatnonzero(parts["order"]).tolist(), key=parts["order"].__getitem__)
    owner = {
        card: other
        for other in range(rules.seats)
        for card in np.flatnonzero(parts[f"played_{other}"]).tolist()
    }
    counts = [int(parts["count_number"][card]) for card in order]
    ends = [place for place, (one, other) in enumerate(pairwise(counts), start=1) if one != other]
    count = int(parts["count"][0])
    discarded, hand = cards(parts["discarded"]), cards(parts["hand"])
    acting = seats(parts["to_act"])
    front = tuple([int(parts["score"][(side - seat) % rules.sides]) for side in range(rules.sides)])
    return View(
        rules=rules,
        seat=seat,
        phase=PHASES[int(np.flatnonzero(parts["phase"])[0])],
        to_act=acting,
        seating=tuple(range(rules.seats)),
        drawn=((),) * rules.seats,
        drawing=(),
        drawn_at=(),
        hand=hand,
        kept=tuple(sorted([*hand, *cards(parts["played_0"])])) if discarded else (),
        discarded=discarded,
        dealer=seats(parts["dealer"])[0],
        deal=int(parts["deal"][0]),
        hand_sizes=by_seat(map(int, parts["held"])),
        starter=next(iter(cards(parts["starter"])), None),
        played=tuple([((owner[card] + seat) % rules.seats, DECK[card]) for card in order]),
        count_ends=(*ends, len(order)) if order and not count else tuple(ends),
        count=count,
        said_go=seats(parts["gone"]),
        turn=acting[0],
        open_hands=((),) * rules.seats,
        open_crib=(),
        claim=None,
        front=front,
        rear=front,
        won=None,
    )


def mask(view: View, *, cuts: bool = False) -> Mask:
    """Return the mask of legal actions for a View; all 0 if the seat is not to act."""
    allowed = bytearray(action_count(view.rules, cuts=cuts))
    if view.seat in view.to_act:
        if view.phase is Phase.PLAY:
            for card in view.playable:
                allowed[PLAY + card.index] = 1
        elif view.phase is Phase.DISCARD:
            ways = comb(len(view.hand), view.rules.discards)
            allowed[DISCARD : DISCARD + ways] = b"\x01" * ways
        else:
            for action in choices(view):
                allowed[number(view, action)] = 1
    return np.frombuffer(allowed, np.int8)


def number(view: View, action: Action) -> int:
    """Return the number of an action that is legal in a View; raise ValueError for actions without numbers.

    >>> from fifteentwo.rules.cards import Card
    >>> number(None, Play(0, Card("5H")))
    17
    """
    match action:
        case Play(card=card):
            return PLAY + card.index
        case Discard(cards=cards):
            return DISCARD + _discards(view).index(tuple(sorted(cards)))
        case Claim(points=points):
            return CLAIM + points
        case Accept():
            return ACCEPT
        case CallMuggins():
            return MUGGINS
        case Draw(at=at) | Cut(at=at):
            return PLACE + at
        case _:
            raise ValueError(f"no number for {action}")


def action(view: View, chosen: int) -> SeatAction:
    """Return the action with a number; raise IllegalAction if it is not legal in this View."""
    seat = view.seat
    found: SeatAction | None = None
    match view.phase:
        case Phase.PLAY if PLAY <= chosen < DISCARD:
            found = Play(seat, DECK[chosen])
        case Phase.DISCARD if 0 <= chosen - DISCARD < len(ways := _discards(view)):
            return Discard(seat, ways[chosen - DISCARD])
        case Phase.CLAIM if CLAIM <= chosen < ACCEPT:
            found = Claim(seat, chosen - CLAIM)
        case Phase.CHALLENGE if chosen in (ACCEPT, MUGGINS):
            found = Accept(seat) if chosen == ACCEPT else CallMuggins(seat)
        case Phase.DRAW if chosen >= PLACE:
            found = Draw(seat, chosen - PLACE)
        case Phase.CUT | Phase.CUT_STOCK if chosen >= PLACE:
            found = Cut(seat, chosen - PLACE)
    if found is None or found not in choices(view):
        raise IllegalAction("action-not-open", "R50", seat, action=int(chosen))
    return found


def _discards(view: View) -> tuple[tuple[Any, ...], ...]:
    """Return all discards in the order of their numbers; none if the seat is not to act."""
    if view.phase is not Phase.DISCARD or view.seat not in view.to_act:
        return ()
    return tuple(combinations(sorted(view.hand), view.rules.discards))
