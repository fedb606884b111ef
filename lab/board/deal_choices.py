"""Kernels of the choices in a deal of six-card cribbage for two: a pair to discard, a card to play.

`policy` is a `deal.Policy`, `buffers` a `deal.DealBuffers` with the deal in progress. Sides: 0 pone,
1 dealer. A card is 4 * rank + suit; pegging uses ranks only.

A side that pegs with aim PEG_BY_BOOK follows a solved book. With aim PEG_TO_WIN it takes the card with the
best value after a reply and its own next card. Values are from -1 (loss) to 1 (win).
"""

from typing import Any

from fifteentwo.fast.book_policy import hand_policy
from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.play import (
    COUNT,
    END,
    GONE,
    HELD,
    LIMIT,
    LOWS,
    PLAYED,
    SEEN,
    START,
    TURN,
    card_points,
    playable,
    value_of,
)
from fifteentwo.fast.show_kernels import join_four, suits_apart

PEG_TO_WIN, PEG_BY_BOOK = 1, 2
"""Values of `deal.Policy.play_aim`."""
TARGET = 121
PLAY_SPAN = 24
"""Size of an axis of points that a side pegs in one deal; no side pegs more than 23."""
NOBS, FLUSH_OF_FOUR, FLUSH_OF_FIVE, FLUSH_AND_NOBS, CRIB_NOBS = 0, 1, 2, 3, 4
"""Points that depend on suits: indices of the second axis of `deal.DiscardValues.by_suit`."""
NEVER = -1e9
"""A value below all others."""


@kernel
def value_of_scores(policy: Any, own: int, other: int, show: int, played: int) -> float:
    """Return a side's value, -1 (loss) to 1 (win), after `played` cards if its hand scores `show` points."""
    if own >= TARGET:
        return 1.0
    if other >= TARGET:
        return -1.0
    mine = min(own - policy.start[0], PLAY_SPAN - 1)
    theirs = min(other - policy.start[1], PLAY_SPAN - 1)
    return float(policy.in_play[min(played, 8), show, mine, theirs])


@kernel
def points_without_replies(buffers: Any, hand: Any, without: int, end: int, count: int) -> int:
    """Return the points that the side on turn pegs after hand[without] if the other side only says go."""
    pile = buffers.pile
    start = buffers.public[START]
    held = buffers.public[HELD + buffers.public[TURN]]
    gone = 1 << without
    total = 0
    while True:
        best = -1
        chosen = -1
        for i in range(held):
            if gone >> i & 1 or not playable(count, value_of(hand[i])):
                continue
            pile[end] = hand[i]
            points = card_points(pile, start, end + 1, count + value_of(hand[i]))
            if points > best:
                best = points
                chosen = i
        if chosen < 0:
            return total + 1
        gone |= 1 << chosen
        pile[end] = hand[chosen]
        end += 1
        count += value_of(hand[chosen])
        total += best
        if count == LIMIT:
            return total


@kernel
def write_rank_weights(policy: Any, buffers: Any, starter: int) -> float:
    """Write to `rank_weights` how probable each rank is for a card of the other side; return the sum."""
    public = buffers.public
    turn = public[TURN]
    hand = buffers.hands[turn]
    total = 0.0
    for rank in range(13):
        left = 4 - public[SEEN + rank] - (1 if rank == starter else 0)
        for i in range(public[HELD + turn]):
            if hand[i] == rank:
                left -= 1
        weight = 0.0
        if left > 0 and value_of(rank) > public[LOWS + 1 - turn]:
            weight = left * policy.likely[rank]
        buffers.rank_weights[rank] = weight
        total += weight
    return total


@kernel
def write_replies(policy: Any, buffers: Any, played: int, count: int, own: int) -> int:
    """Write the points and the value of each reply to hand[played]; return the most points of a reply.

    count: the count after the card; own: the score with its points. `reply_points` is -1 for an unplayable
    rank.
    """
    public = buffers.public
    pile = buffers.pile
    turn = public[TURN]
    start = public[START]
    end = public[END]
    hand = buffers.hands[turn]
    other = buffers.scores[1 - turn]
    highest = 0
    for reply in range(13):
        buffers.reply_points[reply] = -1
        then = count + value_of(reply)
        if buffers.rank_weights[reply] <= 0 or not playable(count, value_of(reply)):
            continue
        pile[end + 1] = reply
        gained = card_points(pile, start, end + 2, then)
        buffers.reply_points[reply] = gained
        highest = max(highest, gained)
        follow_up = 0
        if then < LIMIT:
            for i in range(public[HELD + turn]):
                if i != played and playable(then, value_of(hand[i])):
                    pile[end + 2] = hand[i]
                    follow_up = max(follow_up, card_points(pile, start, end + 3, then + value_of(hand[i])))
        if other + gained >= TARGET and own < TARGET:
            buffers.reply_values[reply] = -1.0
        else:
            buffers.reply_values[reply] = value_of_scores(
                policy, own + follow_up, other + gained, buffers.show_points[turn], public[PLAYED] + 3
            )
    return highest


@kernel
def replied_value(buffers: Any, others: int, total: float, highest: int) -> tuple[float, float]:
    """Return the sum of reply values times probabilities, and the probability that there is no reply.

    The opponent has `others` cards and plays the best; total: sum of `rank_weights`; highest: most points of
    a reply.
    """
    replied = 0.0
    rest = total
    before = 1.0
    for gained in range(highest, -1, -1):
        weight = 0.0
        summed = 0.0
        for reply in range(13):
            if buffers.reply_points[reply] == gained:
                weight += buffers.rank_weights[reply]
                summed += buffers.rank_weights[reply] * buffers.reply_values[reply]
        if weight > 0:
            rest -= weight
            missing = max(rest / total, 0.0)
            none = missing
            for _ in range(others - 1):
                none *= missing
            replied += (before - none) * summed / weight
            before = none
    return replied, before


@kernel
def value_of_card(policy: Any, buffers: Any, i: int, count: int, total: float) -> float:
    """Return the value of playing hand[i] to the side on turn, from -1 (loss) to 1 (win).

    count: the count after the card; total: the sum of `rank_weights`.
    """
    public = buffers.public
    turn = public[TURN]
    end = public[END]
    hand = buffers.hands[turn]
    show = buffers.show_points[turn]
    other = buffers.scores[1 - turn]
    others = public[HELD + 1 - turn]
    buffers.pile[end] = hand[i]
    own = buffers.scores[turn] + card_points(buffers.pile, public[START], end + 1, count)
    if count == LIMIT:
        return value_of_scores(policy, own, other, show, public[PLAYED] + 1)
    expected = 0.0
    silent = 1.0
    if not public[GONE] and total > 0:
        highest = write_replies(policy, buffers, i, count, own)
        expected, silent = replied_value(buffers, others, total, highest)
    if silent > 0:
        alone = points_without_replies(buffers, hand, i, end + 1, count)
        expected += silent * value_of_scores(policy, own + alone, other, show, public[PLAYED] + 2)
    return expected


@kernel
def best_card(policy: Any, buffers: Any, starter: int) -> int:
    """Return the index of the card with the best value, looking one reply and one own card ahead.

    Return -1 if no card can be played. starter: its rank. The other side must hold cards.
    """
    public = buffers.public
    hand = buffers.hands[public[TURN]]
    total = write_rank_weights(policy, buffers, starter)
    best = NEVER
    chosen = -1
    for i in range(public[HELD + public[TURN]]):
        count = public[COUNT] + value_of(hand[i])
        if not playable(public[COUNT], value_of(hand[i])) or (i > 0 and hand[i] == hand[i - 1]):
            continue
        expected = value_of_card(policy, buffers, i, count, total)
        # Among equal values the highest card is played.
        expected += 1e-6 * value_of(hand[i])
        if expected > best:
            best = expected
            chosen = i
    return chosen


@kernel
def book_card(book: Any, buffers: Any, draw: float) -> int:
    """Return the index of the card that the side on turn plays by a solved book. draw: random, in [0, 1)."""
    public = buffers.public
    turn = public[TURN]
    hand = buffers.hands[turn]
    policy = buffers.reply_values
    hand_policy(book, public, hand, public[HELD + turn], policy)
    total = 0.0
    for i in range(public[HELD + turn]):
        total += max(policy[i], 0.0)
    drawn = draw * total
    chosen = -1
    for i in range(public[HELD + turn]):
        if policy[i] >= 0:
            if chosen < 0 or drawn > 0:
                chosen = i
            drawn -= policy[i]
    return chosen


@kernel
def count_unseen(buffers: Any, six: Any) -> None:
    """Count the unseen cards of each rank and the cards of each suit among the six, in `buffers`."""
    for rank in range(13):
        buffers.unseen_ranks[rank] = 4
    for suit in range(4):
        buffers.suit_counts[suit] = 0
    for i in range(6):
        buffers.unseen_ranks[six[i] >> 2] -= 1
        buffers.suit_counts[six[i] & 3] += 1


@kernel
def base_13_number(four: Any) -> int:
    """Return the ranks of four ascending cards as the digits of a number to the base 13."""
    return int((((four[0] >> 2) * 13 + (four[1] >> 2)) * 13 + (four[2] >> 2)) * 13 + (four[3] >> 2))


@kernel
def sum_over_suit(added: Any, six: Any, suit: int) -> float:
    """Return the sum of added[rank] over the unseen starters of a suit."""
    total = 0.0
    for rank in range(13):
        total += added[rank]
    for i in range(6):
        if six[i] & 3 == suit:
            total -= added[six[i] >> 2]
    return total


@kernel
def value_of_discard(values: Any, buffers: Any, hand: int, pair: int, six: Any, discarded: int) -> float:
    """Return 46 times the mean value of discarding a pair and keeping `buffers.candidate_hand`.

    values: `deal.DiscardValues`; hand, pair: numbers of the ranks kept and discarded; discarded: 6 * i + j.
    """
    by_starter = values.by_ranks[hand, pair]
    by_suit = values.by_suit[hand]
    four = buffers.candidate_hand
    total = 0.0
    for rank in range(13):
        total += buffers.unseen_ranks[rank] * by_starter[rank]
    suit = four[0] & 3
    flush = suits_apart(join_four(four[0], four[1], four[2], four[3])) == 0
    with_starter = FLUSH_OF_FIVE
    for i in range(4):
        if four[i] >> 2 == JACK:
            if flush:
                with_starter = FLUSH_AND_NOBS
            else:
                total += sum_over_suit(by_suit[NOBS], six, four[i] & 3)
    for place in (discarded // 6, discarded % 6):
        if six[place] >> 2 == JACK:
            total += sum_over_suit(by_suit[CRIB_NOBS], six, six[place] & 3)
    if flush:
        for rank in range(13):
            total += buffers.unseen_ranks[rank] * by_suit[FLUSH_OF_FOUR, rank]
        total += sum_over_suit(by_suit[with_starter], six, suit) - sum_over_suit(
            by_suit[FLUSH_OF_FOUR], six, suit
        )
    return float(total)


@kernel
def best_discard(values: Any, buffers: Any, lookups: Any, six: Any) -> int:
    """Return the pair with the best value by `deal.DiscardValues`, as 6 * i + j with i < j."""
    count_unseen(buffers, six)
    best = NEVER
    chosen = 1
    for one in range(6):
        for two in range(one + 1, 6):
            write_kept_cards(buffers, six, one, two)
            hand = lookups.fours[base_13_number(buffers.candidate_hand)]
            pair = lookups.pairs[(six[one] >> 2) * 13 + (six[two] >> 2)]
            summed = value_of_discard(values, buffers, hand, pair, six, one * 6 + two)
            if summed > best:
                best = summed
                chosen = one * 6 + two
    return chosen


@kernel
def write_kept_cards(buffers: Any, six: Any, one: int, two: int) -> None:
    """Write to `buffers.candidate_hand` the cards of `six` except six[one] and six[two]."""
    n = 0
    for i in range(6):
        if i != one and i != two:
            buffers.candidate_hand[n] = six[i]
            n += 1
