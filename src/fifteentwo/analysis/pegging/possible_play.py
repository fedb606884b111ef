"""Check that the pegging in a View is possible before it is passed to compiled kernels.

The check is fast and incomplete. `contest.view_consistency` checks that a game leads to the whole View.
"""

from itertools import pairwise

from fifteentwo.analysis.pegging.beliefs import history, role_of
from fifteentwo.rules.pegging import LIMIT
from fifteentwo.rules.variants import Variant
from fifteentwo.rules.view import View
from fifteentwo.strategy.pegging import Act, ImpossiblePlay, follow


def check_play(view: View, *, on_turn: bool = True) -> None:
    """Raise ImpossiblePlay unless seats, cards, counts and scores agree and this seat, if on turn, can play.

    It does not check that each card was played by the rules. About 10 µs.
    """
    seats = range(view.rules.seats)
    if view.seat not in seats or view.dealer not in seats or view.starter is None:
        raise ImpossiblePlay("There is no such seat or dealer, or no starter.")
    held, own = [view.rules.kept] * len(seats), {*view.hand}
    known = [view.starter, *view.kept, *view.discarded]
    for seat, card in view.played:
        if seat not in seats:
            raise ImpossiblePlay(f"There is no seat {seat}.")
        held[seat] -= 1
        if seat == view.seat:
            own.add(card)
        else:
            known.append(card)
    if min(held) < 0 or tuple(held) != view.hand_sizes or len(view.hand) != held[view.seat]:
        raise ImpossiblePlay(f"Not {view.hand_sizes} cards are held after {len(view.played)} were played.")
    if own != {*view.kept} or len(view.kept) != view.rules.kept:
        raise ImpossiblePlay("What this seat holds and has played is not what it kept.")
    if len({*known}) < len(known) or len(view.discarded) != view.rules.discards:
        raise ImpossiblePlay("A card is seen twice, or one discarded is not seen.")
    if len(view.front) != view.rules.sides or not all(0 <= score < view.rules.target for score in view.front):
        raise ImpossiblePlay(f"These are no scores of a game under way: {view.front}.")
    _check_counts(view)
    if on_turn and not view.playable:
        raise ImpossiblePlay(f"No card of the hand fits at {view.count}.")


def _check_counts(view: View) -> None:
    """Raise ImpossiblePlay unless the cards played make the counts that the View states."""
    ends = (0, *view.count_ends, len(view.played))
    # The last count may have ended with the last card played.
    if not all(before < after for before, after in pairwise(ends[:-1])) or ends[-2] > ends[-1]:
        raise ImpossiblePlay(f"Counts do not end after {view.count_ends} cards.")
    counts = [sum([card.value for _, card in view.played[one:other]]) for one, other in pairwise(ends)]
    if max(counts) > LIMIT or counts[-1] != view.count:
        raise ImpossiblePlay(f"The cards played do not make a count of {view.count}.")


def check_play_of_two(view: View, *, on_turn: bool = True) -> tuple[Act, ...]:
    """Return the history by role if two players with six cards can reach this View (R53–R66).

    Otherwise raise ImpossiblePlay, as `check_play` does, and also for a card that an earlier go excludes
    (R55). About 60 µs.
    """
    if view.rules.variant is not Variant.SIX_CARD:
        raise ImpossiblePlay(f"Two with six cards do not play {view.rules.variant.value}.")
    check_play(view, on_turn=on_turn)
    acts, role = history(view), role_of(view, view.seat)
    position = follow(acts, role if on_turn else None)
    if position.total != view.count:
        raise ImpossiblePlay(f"With the {role} on turn the count is {position.total}, not {view.count}.")
    return acts
