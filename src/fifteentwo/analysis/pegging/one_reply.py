"""Values of cards in pegging with one reply foreseen (`fast.club`): any variant, any seat."""

from collections.abc import Sequence

from fifteentwo.analysis.win.counting import opponent_weight, unseen
from fifteentwo.fast.club import MOST_PEGGED, Scratch, best_reply, reckon
from fifteentwo.fast.play import LIMIT, Turn, card_points, value_of
from fifteentwo.rules.cards import Card
from fifteentwo.rules.pegging import playable
from fifteentwo.rules.view import View


def foreseen(view: View) -> dict[int, float]:
    """Return each playable rank's points for the own side, less the opponents' mean best reply."""
    pile = [card.index >> 2 for card in view.in_count]
    now = Turn(view.seat, view.count, 0, len(pile), 0, view.seat)
    replies, sign = _replier(view)
    hand, left = _rank_counts(view.hand), _rank_counts(unseen(view))
    pile += [0] * (1 + max(len(view.hand), 1))
    scratch = Scratch([0] * MOST_PEGGED, [0] * len(view.hand), [0.0] * 13)
    reckon(now, pile, hand, left, replies, sign, scratch)
    return {card.index >> 2: scratch.values[card.index >> 2] for card in playable(view.hand, view.count)}


def foreseen_parts(view: View) -> dict[int, tuple[float, float, float]]:
    """Return by playable rank the parts of `foreseen`: points of the card, the reply, playing on alone."""
    replies, sign = _replier(view)
    left, parts = _rank_counts(unseen(view)), {}
    for rank, value in foreseen(view).items():
        pile = [*[card.index >> 2 for card in view.in_count], rank]
        count = view.count + value_of(rank)
        now, reply = float(card_points(pile, 0, len(pile), count)), 0.0
        if replies > 0 and count < LIMIT:
            reply = sign * best_reply([*pile, 0], 0, len(pile), count, left, replies, [0] * MOST_PEGGED)[0]
        parts[rank] = now, reply, value - now - reply
    return parts


def _replier(view: View) -> tuple[int, float]:
    """Return how many cards the next seat to play holds (0 if none plays), and its points' weight."""
    replier = next_to_play(view)
    if replier is None:
        return 0, 0.0
    return view.hand_sizes[replier], 1.0 if view.rules.side(replier) == view.side else -opponent_weight(view)


def _rank_counts(cards: Sequence[Card]) -> list[int]:
    counts = [0] * 13
    for card in cards:
        counts[card.index >> 2] += 1
    return counts


def next_to_play(view: View) -> int | None:
    """Return the next seat that may play; None if all others have no cards or have said go."""
    seats = view.rules.seats
    for place in range(1, seats):
        seat = (view.seat + place) % seats
        if view.hand_sizes[seat] and seat not in view.said_go:
            return seat
    return None
