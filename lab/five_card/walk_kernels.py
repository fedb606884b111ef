"""The walk over five-card pegging below a lead and a reply: values of types, and updates of regrets.

There is one count of three cards each (R102). The pone leads, the dealer replies, then each side plays one of
two cards; the last two cards are forced. A branch therefore has one decision of the pone (`second`) and
thirteen of the dealer (`third`). `Payoffs` gives the points by the three cards that are hidden after these
decisions.

Ranks are 0–12. Arrays over types are explained in `types`. A reach probability is the weight of a type times
the probabilities of its own cards. Values are counterfactual, in points of the updated side, and include the
ordered ways to draw the other side's cards and the cards played.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.five_card import after_go, after_third, fitting
from fifteentwo.fast.hands import PAIRS, UP2, UP3
from fifteentwo.fast.play import card_points, value_of
from lab.cfr import BEST_RESPONSE, UPDATE, Lesson, RegretTables
from lab.five_card.types import JOINED, PARTS3, PARTS4, SHARED

Floats = npt.NDArray[np.float32]

ZERO, ONE, HALF = np.float32(0), np.float32(1), np.float32(0.5)
LANES = 16
"""Length of vectors over the pone's last card (13 used)."""


class Payoffs(NamedTuple):
    """Net points of the pone in the whole count, by its first three ranks (lead·169 + reply·13 + second)."""

    plays: npt.NDArray[np.int8]
    """(2197, 13, 13, 16) by the dealer's next rank, its last rank, and the pone's last rank."""
    goes: npt.NDArray[np.int8]
    """(2197, 16) by the pone's last rank, if the dealer says go."""


class TypeWeights(NamedTuple):
    """(91, 91) reach probabilities below a lead and a reply."""

    pone: Floats
    dealer: Floats


class Scratch(NamedTuple):
    """Buffers of a branch."""

    chance: Floats
    """(91, 91) probability that the lower rank is played at this decision."""
    second: Floats
    """(91, 91) the same for the pone's second card."""
    by_card: Floats
    """(13, 13, 91) the pone's values below the second card, by the card kept."""
    shared: Floats
    """(560, 16) sums over the types that contain a multiset."""
    hidden: Floats
    """(1820, 16) by the dealer's four hidden ranks and the pone's last card."""
    plays: Floats
    """(13, 13, 16) payoffs times the ways of the cards played."""
    goes: Floats
    """(16,)."""


@kernel
def cells_of(ranks: int) -> int:
    """Return the number of cells of a decision between two ranks below `ranks`."""
    return ranks * (ranks - 1) * 91


@kernel
def fill_payoffs(payoffs: Payoffs) -> None:
    """Write every payoff."""
    pile = np.zeros(8, np.int64)
    for at in range(2197):
        lead, reply, second = at // 169, at // 13 % 13, at % 13
        pile[0], pile[1], pile[2] = lead, reply, second
        count = value_of(lead) + value_of(reply)
        net = -card_points(pile, 0, 2, count)
        count += value_of(second)
        net += card_points(pile, 0, 3, count)
        for last in range(13):
            payoffs.goes[at, last] = net + after_go(pile, last)
        for third in range(fitting(count)):
            for stays in range(13):
                for last in range(13):
                    payoffs.plays[at, third, stays, last] = net + after_third(pile, count, third, stays, last)


@kernel(fastmath=True)
def read_chances(source: Any, cell: int, ranks: int, chance: Any) -> None:
    """Write the probability that the lower of two playable ranks is played."""
    for low in range(ranks):
        for high in range(low + 1, ranks):
            pair = UP2[low, high]
            for pile in range(91):
                one, two = max(source[cell], ZERO), max(source[cell + 1], ZERO)
                chance[pair, pile] = one / (one + two) if one + two > ZERO else HALF
                cell += 2


@kernel(fastmath=True)
def learn(
    cell: int, one: Any, two: Any, chance: Any, reached: Any, lesson: Lesson, tables: RegretTables
) -> Any:
    """Return the value of a decision between two ranks; mode UPDATE also updates its cells."""
    if lesson.mode == BEST_RESPONSE:
        return max(one, two)
    value = chance * one + (ONE - chance) * two
    if lesson.mode == UPDATE:
        regret, total = tables.regret, tables.total
        before, other = regret[cell], regret[cell + 1]
        regret[cell] = before * (lesson.keep_up if before > ZERO else lesson.keep_down) + one - value
        regret[cell + 1] = other * (lesson.keep_up if other > ZERO else lesson.keep_down) + two - value
        total[cell] = total[cell] * lesson.keep_sum + reached * chance
        total[cell + 1] = total[cell + 1] * lesson.keep_sum + reached * (ONE - chance)
    return value


@kernel(fastmath=True)
def load_payoffs(at: int, ways: Any, payoffs: Payoffs, scratch: Scratch) -> None:
    """Write the payoffs of a node, times the ways of the cards played."""
    for third in range(13):
        for stays in range(13):
            for last in range(LANES):
                scratch.plays[third, stays, last] = ways * np.float32(payoffs.plays[at, third, stays, last])
    for last in range(LANES):
        scratch.goes[last] = ways * np.float32(payoffs.goes[at, last])


@kernel(fastmath=True)
def hide_pone(
    second: int, reach_probability: Any, chance: Any, three: Any, four: Any, scratch: Scratch
) -> None:
    """Write the pone's reach probabilities below a second card to `hidden`, by the dealer's four ranks."""
    shared, hidden = scratch.shared, scratch.hidden
    shared[:] = ZERO
    for last in range(13):
        pair = UP2[second, last]
        for pile in range(91):
            reached = reach_probability[pair, pile]
            if second < last:
                reached *= chance[pair, pile]
            elif second > last:
                reached *= ONE - chance[pair, pile]
            type_ = UP3[last, pile]
            for part in range(8):
                where = PARTS3[type_, part]
                if where < 0:
                    break
                shared[where, last] += np.float32(three[type_, part]) * reached
    for held in range(1820):
        for last in range(LANES):
            hidden[held, last] = ZERO
        for part in range(15):
            where = PARTS4[held, part]
            if where < 0:
                break
            factor = np.float32(four[held, part])
            for last in range(LANES):
                hidden[held, last] += factor * shared[where, last]


@kernel(fastmath=True)
def against(hidden: Any, held: int, plays: Any, played: int, stays: int) -> Any:
    """Return the sum over the pone's last card."""
    value = ZERO
    for last in range(LANES):
        value += hidden[held, last] * plays[played, stays, last]
    return value


@kernel(fastmath=True)
def learn_third(
    cell: int,
    ranks: int,
    reach_probability: Any,
    scratch: Scratch,
    lesson: Lesson,
    tables: RegretTables,
    values: Any,
) -> None:
    """Update the regrets of the dealer's second card, and add its values to `values` (91, 91)."""
    hidden, plays, goes, chance = scratch.hidden, scratch.plays, scratch.goes, scratch.chance
    for pair in range(91):
        low, high = PAIRS[pair, 0], PAIRS[pair, 1]
        for pile in range(91):
            held = JOINED[pair, pile]
            if low >= ranks:
                for last in range(LANES):
                    values[pair, pile] -= hidden[held, last] * goes[last]
                continue
            one = -against(hidden, held, plays, low, high)
            if high >= ranks or low == high:
                values[pair, pile] += one
                continue
            two = -against(hidden, held, plays, high, low)
            values[pair, pile] += learn(
                cell, one, two, chance[pair, pile], reach_probability[pair, pile], lesson, tables
            )
            cell += 2


@kernel(fastmath=True)
def hide_dealer(ranks: int, reach_probability: Any, four: Any, scratch: Scratch) -> None:
    """Write the dealer's payoffs and reach probabilities to `shared`, by what the pone may hold."""
    shared, hidden, plays, goes, chance = (
        scratch.shared,
        scratch.hidden,
        scratch.plays,
        scratch.goes,
        scratch.chance,
    )
    shared[:] = ZERO
    hidden[:] = ZERO
    for pair in range(91):
        low, high = PAIRS[pair, 0], PAIRS[pair, 1]
        for pile in range(91):
            held = JOINED[pair, pile]
            reached = reach_probability[pair, pile]
            if low >= ranks:
                for last in range(LANES):
                    hidden[held, last] += reached * goes[last]
            elif high >= ranks or low == high:
                for last in range(LANES):
                    hidden[held, last] += reached * plays[low, high, last]
            else:
                one = reached * chance[pair, pile]
                two = reached - one
                for last in range(LANES):
                    hidden[held, last] += one * plays[low, high, last] + two * plays[high, low, last]
    for held in range(1820):
        for part in range(15):
            where = PARTS4[held, part]
            if where < 0:
                break
            factor = np.float32(four[held, part])
            for last in range(LANES):
                shared[where, last] += factor * hidden[held, last]


@kernel(fastmath=True)
def take_second(shared: Any, three: Any, values: Any) -> None:
    """Write the pone's values (13, 91) below a second card, by the card kept."""
    for last in range(13):
        for pile in range(91):
            type_ = UP3[last, pile]
            value = ZERO
            for part in range(8):
                where = PARTS3[type_, part]
                if where < 0:
                    break
                value += np.float32(three[type_, part]) * shared[where, last]
            values[last, pile] = value


@kernel(fastmath=True)
def learn_second(
    cell: int, reach_probability: Any, scratch: Scratch, lesson: Lesson, tables: RegretTables, values: Any
) -> None:
    """Write the pone's values at its second card, in the order of its cells."""
    for low in range(13):
        for pile in range(91):
            values[UP2[low, low], pile] = scratch.by_card[low, low, pile]
        for high in range(low + 1, 13):
            pair = UP2[low, high]
            for pile in range(91):
                one, two = scratch.by_card[low, high, pile], scratch.by_card[high, low, pile]
                values[pair, pile] = learn(
                    cell, one, two, scratch.second[pair, pile], reach_probability[pair, pile], lesson, tables
                )
                cell += 2


@kernel(fastmath=True)
def walk(
    branch: int,
    cell: int,
    reach_probability: TypeWeights,
    removal: Any,
    payoffs: Payoffs,
    lesson: Lesson,
    tables: RegretTables,
    values: Any,
) -> None:
    """Write the values (91, 91) of the updated side's types below a branch.

    cell: the first cell of the branch. The pone's cells come first, then the dealer's, by the pone's second
    rank.
    """
    scratch = Scratch(
        np.zeros((91, 91), np.float32),
        np.zeros((91, 91), np.float32),
        np.zeros((13, 13, 91), np.float32),
        np.zeros((SHARED, LANES), np.float32),
        np.zeros((1820, LANES), np.float32),
        np.zeros((13, 13, LANES), np.float32),
        np.zeros(LANES, np.float32),
    )
    lead, reply = branch // 13, branch % 13
    values[:] = ZERO
    read_chances(tables.source, cell, 13, scratch.second)
    first = cell
    cell += cells_of(13)
    for second in range(13):
        ways = removal.left[lead] * (removal.left[reply] - (lead == reply))
        ways *= removal.left[second] - (lead == second) - (reply == second)
        ranks = fitting(value_of(lead) + value_of(reply) + value_of(second))
        if ways > 0:
            played = removal.row[UP3[second, UP2[lead, reply]]]
            three, four = removal.three[played], removal.four[played]
            load_payoffs(13 * branch + second, np.float32(ways), payoffs, scratch)
            read_chances(tables.source, cell, ranks, scratch.chance)
            if lesson.side == 0:
                hide_dealer(ranks, reach_probability.dealer, four, scratch)
                take_second(scratch.shared, three, scratch.by_card[second])
            else:
                hide_pone(second, reach_probability.pone, scratch.second, three, four, scratch)
                learn_third(cell, ranks, reach_probability.dealer, scratch, lesson, tables, values)
        cell += cells_of(ranks)
    if lesson.side == 0:
        learn_second(first, reach_probability.pone, scratch, lesson, tables, values)
