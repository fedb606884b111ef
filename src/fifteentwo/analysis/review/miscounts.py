"""What wrong claims cost the claimer, and the seats that do not call them (R93–R98)."""

from typing import NamedTuple

from fifteentwo.analysis.pegging.one_count import OneCount
from fifteentwo.analysis.review.luck import board_of
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.shows import usual_shows
from fifteentwo.fast.counting_out import pegged
from fifteentwo.rules import show
from fifteentwo.rules.events import ClaimSettled
from fifteentwo.rules.state import State
from fifteentwo.rules.variants import Muggins
from fifteentwo.rules.view import View, view

CLAIM, MUGGINS = "claim", "muggins"
"""Kinds of errors: a wrong claim, and a wrong claim that was not called."""
Scores = tuple[int, int]
"""Own score and the other side's."""


class Miscount(NamedTuple):
    """The points that a seat lost by a wrong claim: its own, or one that it did not call."""

    seat: int
    """The claimer, or the seat that did not call the error."""
    kind: str
    """`CLAIM` or `MUGGINS`."""
    points: float
    """Points that the seat lost."""
    chances: tuple[float, float] | None
    """The seat's win probabilities (0–1) without and with the error; None if they are unknown."""


def miscounts(before: State, event: ClaimSettled) -> list[Miscount]:
    """Return the errors about a claim, if opponents call it. before: the state when it was settled."""
    rules, claimed, right = before.rules, event.claimed, event.right
    if claimed == right:
        return []
    too_many = claimed > right
    called_for = rules.muggins is Muggins.MISSED_AND_OVERCLAIMS or (
        rules.muggins is Muggins.MISSED and not too_many
    )
    paid = 2 if too_many else right - claimed
    known = win.has_win_probability(rules)
    claimer = event.seat
    errors = []
    best, alone = (right, 0), (claimed if called_for or not too_many else right, 0)
    called = (min(claimed, right), paid) if called_for else alone
    chances = _chances(view(before, claimer), best, called) if known else None
    errors.append(Miscount(claimer, CLAIM, float(max(right - claimed, 0)), chances))
    if called_for and event.caller is None:
        for seat in range(rules.seats):
            if rules.side(seat) != rules.side(claimer):
                chances = _chances(view(before, seat), called[::-1], alone[::-1]) if known else None
                errors.append(Miscount(seat, MUGGINS, float(paid), chances))
    return errors


def _chances(seen: View, best: Scores, chosen: Scores) -> tuple[float, float]:
    """Return a seat's win probabilities if a claim gives (own, other's) points `best`, and if `chosen`."""
    own, other = board_of(seen)
    value = _value_in_show if any(seen.open_hands) else _value_in_pegging
    one, two = ((1 + value(seen, (own + gained, other + given))) / 2 for gained, given in (best, chosen))
    return one, two


def _value_in_show(seen: View, scores: Scores) -> float:
    """Return 2p - 1, p the win probability with these scores after the hand now counted."""
    rules, (own, other) = seen.rules, scores
    over = win.after_deal(win.race_of(rules), seen.is_dealer, False)
    if seen.open_crib:
        return float(over[own, other])
    assert seen.starter is not None
    if rules.one_count and not seen.is_dealer and not seen.open_hands[seen.dealer]:
        return 2 * OneCount(seen, on_turn=False, counted=True).chance_after_count(scores) - 1
    if not seen.open_hands[seen.dealer]:
        kept = [card for seat, card in seen.played if seat == seen.dealer]
        made = show.points(seen.kept if seen.is_dealer else kept, seen.starter)
        if seen.is_dealer:
            own = pegged(own, other, made, rules.target)
        else:
            other = pegged(other, own, made, rules.target)
    crib = win.crib_seen(seen)
    return float(win.before_crib(over, crib, rules.target, dealer=seen.is_dealer)[own, other])


def _value_in_pegging(seen: View, scores: Scores) -> float:
    """Return 2p - 1, p the win probability with these scores during pegging, averaged over all hands."""
    rules, target = seen.rules, seen.rules.target
    over = win.after_deal(win.race_of(rules), seen.is_dealer, False)
    if max(scores) >= target:
        return float(over[scores])
    if rules.one_count:
        return 2 * OneCount(seen, on_turn=False).chance(scores) - 1
    assert seen.starter is not None
    usual = usual_shows()
    crib = win.crib_seen(seen)
    theirs = usual.pone_hand if seen.is_dealer else usual.dealer_hand
    own_hand = show.points(seen.kept, seen.starter)
    shown = win.after_play(over, own_hand, theirs, crib, target, dealer=seen.is_dealer)
    return float(win.in_play(shown, len(seen.played), scores, target, dealer=seen.is_dealer)[0, 0])
