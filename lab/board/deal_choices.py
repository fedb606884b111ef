"""Kernels of the choices in a deal of six-card cribbage for two: a pair to discard, a card to play.

`policy` is a `deal.Policy`, `table` a `deal.Table` with the deal in progress. Sides: 0 pone, 1 dealer. A card
is 4 * rank + suit; pegging uses ranks only.

A side that pegs with aim BOOK follows a solved book. With aim CHANCE it takes the card with the best value
after one reply and its own next card; a table gives the value of the scores, from -1 (loss) to 1 (win).
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

CHANCE, BOOK = 1, 2
"""Aims."""
TARGET = 121
PLAY_SPAN = 24
"""More than the points of a side in the pegging of one deal."""
NOBS, FLUSH_OF_FOUR, FLUSH_OF_FIVE, FLUSH_AND_NOBS, CRIB_NOBS = 0, 1, 2, 3, 4
"""Points that depend on suits: the second index of `deal.DiscardValues.by_suit`."""
NEVER = -1e9
"""A value below all others."""


@kernel
def value_of_scores(policy: Any, own: int, other: int, show: int, played: int) -> float:
    """Return the value of the scores after `played` cards to a side whose hand will score `show` points."""
    if own >= TARGET:
        return 1.0
    if other >= TARGET:
        return -1.0
    mine = min(own - policy.start[0], PLAY_SPAN - 1)
    theirs = min(other - policy.start[1], PLAY_SPAN - 1)
    return float(policy.in_play[min(played, 8), show, mine, theirs])


@kernel
def points_alone(table: Any, hand: Any, without: int, end: int, count: int) -> int:
    """Return the points of a side that continues alone in this count; hand[without] has been played."""
    pile = table.pile
    start = table.public[START]
    held = table.public[HELD + table.public[TURN]]
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
def weigh_ranks(policy: Any, table: Any, starter: int) -> float:
    """Write to `weights` the probability of each rank for a card of the other side; return their sum."""
    public = table.public
    turn = public[TURN]
    hand = table.hands[turn]
    total = 0.0
    for rank in range(13):
        left = 4 - public[SEEN + rank] - (1 if rank == starter else 0)
        for i in range(public[HELD + turn]):
            if hand[i] == rank:
                left -= 1
        weight = 0.0
        if left > 0 and value_of(rank) > public[LOWS + 1 - turn]:
            weight = left * policy.likely[rank]
        table.weights[rank] = weight
        total += weight
    return total


@kernel
def weigh_replies(policy: Any, table: Any, played: int, count: int, own: int) -> int:
    """Write the points and the value of each reply to hand[played]; return the most points of a reply.

    count: the count after the card; own: the score with its points. `reply_points` is -1 for a rank that
    cannot be played.
    """
    public = table.public
    pile = table.pile
    turn = public[TURN]
    start = public[START]
    end = public[END]
    hand = table.hands[turn]
    other = table.scores[1 - turn]
    highest = 0
    for reply in range(13):
        table.reply_points[reply] = -1
        then = count + value_of(reply)
        if table.weights[reply] <= 0 or not playable(count, value_of(reply)):
            continue
        pile[end + 1] = reply
        gained = card_points(pile, start, end + 2, then)
        table.reply_points[reply] = gained
        highest = max(highest, gained)
        follow_up = 0
        if then < LIMIT:
            for i in range(public[HELD + turn]):
                if i != played and playable(then, value_of(hand[i])):
                    pile[end + 2] = hand[i]
                    follow_up = max(follow_up, card_points(pile, start, end + 3, then + value_of(hand[i])))
        if other + gained >= TARGET and own < TARGET:
            table.reply_values[reply] = -1.0
        else:
            table.reply_values[reply] = value_of_scores(
                policy, own + follow_up, other + gained, table.shows[turn], public[PLAYED] + 3
            )
    return highest


@kernel
def value_before_replies(table: Any, others: int, total: float, highest: int) -> tuple[float, float]:
    """Return the sum of the values of the replies by their probability, and the probability of no reply.

    The other side has `others` cards and plays the reply with the most points.
    total: the sum of `table.weights`.
    """
    replied = 0.0
    rest = total
    before = 1.0
    for gained in range(highest, -1, -1):
        weight = 0.0
        summed = 0.0
        for reply in range(13):
            if table.reply_points[reply] == gained:
                weight += table.weights[reply]
                summed += table.weights[reply] * table.reply_values[reply]
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
def value_of_card(policy: Any, table: Any, i: int, count: int, total: float) -> float:
    """Return the value of playing hand[i] to the side on turn, from -1 (loss) to 1 (win).

    count: the count after it; total: the sum of `table.weights`.
    """
    public = table.public
    turn = public[TURN]
    end = public[END]
    hand = table.hands[turn]
    show = table.shows[turn]
    other = table.scores[1 - turn]
    others = public[HELD + 1 - turn]
    table.pile[end] = hand[i]
    own = table.scores[turn] + card_points(table.pile, public[START], end + 1, count)
    if count == LIMIT:
        return value_of_scores(policy, own, other, show, public[PLAYED] + 1)
    expected = 0.0
    silent = 1.0
    if not public[GONE] and total > 0:
        highest = weigh_replies(policy, table, i, count, own)
        expected, silent = value_before_replies(table, others, total, highest)
    if silent > 0:
        alone = points_alone(table, hand, i, end + 1, count)
        expected += silent * value_of_scores(policy, own + alone, other, show, public[PLAYED] + 2)
    return expected


@kernel
def best_card(policy: Any, table: Any, starter: int) -> int:
    """Return the card with the best value after the other side's reply and the own card after it.

    Return -1 if no card can be played. starter: its rank. The other side must hold cards.
    """
    public = table.public
    hand = table.hands[public[TURN]]
    total = weigh_ranks(policy, table, starter)
    best = NEVER
    chosen = -1
    for i in range(public[HELD + public[TURN]]):
        count = public[COUNT] + value_of(hand[i])
        if not playable(public[COUNT], value_of(hand[i])) or (i > 0 and hand[i] == hand[i - 1]):
            continue
        expected = value_of_card(policy, table, i, count, total)
        # Among equal values the highest card is played.
        expected += 1e-6 * value_of(hand[i])
        if expected > best:
            best = expected
            chosen = i
    return chosen


@kernel
def book_card(book: Any, table: Any, draw: float) -> int:
    """Return the card of the side on turn by a solved book. draw: in [0, 1)."""
    public = table.public
    turn = public[TURN]
    hand = table.hands[turn]
    policy = table.reply_values
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
def see_six(table: Any, six: Any) -> None:
    """Write the unseen cards of each rank to `left`, and the cards of each suit among the six to `suits`."""
    for rank in range(13):
        table.left[rank] = 4
    for suit in range(4):
        table.suits[suit] = 0
    for i in range(6):
        table.left[six[i] >> 2] -= 1
        table.suits[six[i] & 3] += 1


@kernel
def digits_of(four: Any) -> int:
    """Return the ranks of four ascending cards as digits of a number to the base 13."""
    return int((((four[0] >> 2) * 13 + (four[1] >> 2)) * 13 + (four[2] >> 2)) * 13 + (four[3] >> 2))


@kernel
def of_suit(added: Any, six: Any, suit: int) -> float:
    """Return the sum of added[rank] over the unseen starters of a suit."""
    total = 0.0
    for rank in range(13):
        total += added[rank]
    for i in range(6):
        if six[i] & 3 == suit:
            total -= added[six[i] >> 2]
    return total


@kernel
def value_of_discard(values: Any, table: Any, hand: int, pair: int, six: Any, discarded: int) -> float:
    """Return 46 times the mean value of keeping table.four and discarding the pair `discarded`.

    values: `deal.DiscardValues`. hand, pair: the numbers of the ranks kept and discarded.
    """
    by_starter = values.by_ranks[hand, pair]
    by_suit = values.by_suit[hand]
    four = table.four
    total = 0.0
    for rank in range(13):
        total += table.left[rank] * by_starter[rank]
    suit = four[0] & 3
    flush = suits_apart(join_four(four[0], four[1], four[2], four[3])) == 0
    with_starter = FLUSH_OF_FIVE
    for i in range(4):
        if four[i] >> 2 == JACK:
            if flush:
                with_starter = FLUSH_AND_NOBS
            else:
                total += of_suit(by_suit[NOBS], six, four[i] & 3)
    for place in (discarded // 6, discarded % 6):
        if six[place] >> 2 == JACK:
            total += of_suit(by_suit[CRIB_NOBS], six, six[place] & 3)
    if flush:
        for rank in range(13):
            total += table.left[rank] * by_suit[FLUSH_OF_FOUR, rank]
        total += of_suit(by_suit[with_starter], six, suit) - of_suit(by_suit[FLUSH_OF_FOUR], six, suit)
    return float(total)


@kernel
def best_discard(values: Any, table: Any, tables: Any, six: Any) -> int:
    """Return the best pair to discard by `deal.DiscardValues`, as first * 6 + second."""
    see_six(table, six)
    best = NEVER
    chosen = 1
    for one in range(6):
        for two in range(one + 1, 6):
            keep_others(table, six, one, two)
            hand = tables.fours[digits_of(table.four)]
            pair = tables.pairs[(six[one] >> 2) * 13 + (six[two] >> 2)]
            summed = value_of_discard(values, table, hand, pair, six, one * 6 + two)
            if summed > best:
                best = summed
                chosen = one * 6 + two
    return chosen


@kernel
def keep_others(table: Any, six: Any, one: int, two: int) -> None:
    """Write to table.four the cards that are not at places `one` and `two`."""
    n = 0
    for i in range(6):
        if i != one and i != two:
            table.four[n] = six[i]
            n += 1
