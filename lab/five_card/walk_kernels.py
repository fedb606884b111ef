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
from lab.cfr import BEST_RESPONSE, UPDATE, Floats, RegretTables, TraversalSettings
from lab.five_card.types import JOINED, PARTS3, PARTS4, SHARED

ZERO, ONE, HALF = np.float32(0), np.float32(1), np.float32(0.5)
LAST_CARD_SLOTS = 16
"""Length of vectors over the rank of the pone's last card; 13 slots are used."""


class Payoffs(NamedTuple):
    """The pone's net points in all pegging. Axis 0: 169 · lead + 13 · reply + the pone's second rank."""

    plays: npt.NDArray[np.int8]
    """Points if the dealer plays a second card: (2197, dealer's second rank, its last, the pone's last)."""
    goes: npt.NDArray[np.int8]
    """Points if the dealer says go: (2197, the pone's last rank)."""


class TypeWeights(NamedTuple):
    """Reach probabilities of both sides after a lead and a reply."""

    pone: Floats
    """(91, 91) the pone's reach probabilities, by the pair that remains and the pair discarded."""
    dealer: Floats
    """(91, 91) the dealer's reach probabilities, by the pair that remains and the pair discarded."""


class Scratch(NamedTuple):
    """Arrays that are overwritten in the traversal of a branch (a lead and a reply)."""

    chance: Floats
    """(91, 91) probability that the dealer's second card is the lower of its two ranks."""
    second: Floats
    """(91, 91) probability that the pone's second card is the lower of its two ranks."""
    by_card: Floats
    """(13, 13, 91) the pone's values by its second rank, its last rank and its discarded pair."""
    shared: Floats
    """(560, 16) sums over the types that contain a multiset of ranks, by the pone's last rank."""
    hidden: Floats
    """(1820, 16) pone's reach or dealer's payoffs: by the dealer's unplayed ranks, the pone's last rank."""
    plays: Floats
    """(13, 13, 16) `Payoffs.plays` of the present three ranks times the ways to draw these cards."""
    goes: Floats
    """(16,) `Payoffs.goes` of the present three ranks times the ways to draw these cards."""


@kernel
def count_cells(ranks: int) -> int:
    """Return the number of cells of a decision between two different ranks, both less than `ranks`."""
    return ranks * (ranks - 1) * 91


@kernel
def fill_payoffs(payoffs: Payoffs) -> None:
    """Compute the pone's net points for every end of the pegging."""
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
def read_probabilities(source: Any, cell: int, ranks: int, chance: Any) -> None:
    """Write to `chance` (91, 91) the probability that the lower of two playable ranks is played."""
    for low in range(ranks):
        for high in range(low + 1, ranks):
            pair = UP2[low, high]
            for pile in range(91):
                one, two = max(source[cell], ZERO), max(source[cell + 1], ZERO)
                chance[pair, pile] = one / (one + two) if one + two > ZERO else HALF
                cell += 2


@kernel(fastmath=True)
def update_decision(
    cell: int,
    one: Any,
    two: Any,
    chance: Any,
    reached: Any,
    settings: TraversalSettings,
    tables: RegretTables,
) -> Any:
    """Return the value of a choice of ranks worth `one` and `two`. Mode UPDATE also updates its two cells."""
    if settings.mode == BEST_RESPONSE:
        return max(one, two)
    value = chance * one + (ONE - chance) * two
    if settings.mode == UPDATE:
        regret, total = tables.regret, tables.total
        before, other = regret[cell], regret[cell + 1]
        regret[cell] = (
            before * (settings.positive_discount if before > ZERO else settings.negative_discount)
            + one
            - value
        )
        regret[cell + 1] = (
            other * (settings.positive_discount if other > ZERO else settings.negative_discount) + two - value
        )
        total[cell] = total[cell] * settings.sum_discount + reached * chance
        total[cell + 1] = total[cell + 1] * settings.sum_discount + reached * (ONE - chance)
    return value


@kernel(fastmath=True)
def load_payoffs(at: int, ways: Any, payoffs: Payoffs, scratch: Scratch) -> None:
    """Write the payoffs after three ranks, times the ways to draw these cards, to `scratch`."""
    for third in range(13):
        for stays in range(13):
            for last in range(LAST_CARD_SLOTS):
                scratch.plays[third, stays, last] = ways * np.float32(payoffs.plays[at, third, stays, last])
    for last in range(LAST_CARD_SLOTS):
        scratch.goes[last] = ways * np.float32(payoffs.goes[at, last])


@kernel(fastmath=True)
def write_pone_reach(
    second: int, reach_probability: Any, chance: Any, three: Any, four: Any, scratch: Scratch
) -> None:
    """Write the pone's summed reach to `hidden`, by the dealer's unplayed ranks and the pone's last rank."""
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
        for last in range(LAST_CARD_SLOTS):
            hidden[held, last] = ZERO
        for part in range(15):
            where = PARTS4[held, part]
            if where < 0:
                break
            factor = np.float32(four[held, part])
            for last in range(LAST_CARD_SLOTS):
                hidden[held, last] += factor * shared[where, last]


@kernel(fastmath=True)
def sum_over_last_card(hidden: Any, held: int, plays: Any, played: int, stays: int) -> Any:
    """Return the value of a dealer's card: payoffs times reach, summed over the pone's last card."""
    value = ZERO
    for last in range(LAST_CARD_SLOTS):
        value += hidden[held, last] * plays[played, stays, last]
    return value


@kernel(fastmath=True)
def update_dealer_decision(
    cell: int,
    ranks: int,
    reach_probability: Any,
    scratch: Scratch,
    settings: TraversalSettings,
    tables: RegretTables,
    values: Any,
) -> None:
    """Update the regrets of the dealer's second card and add its values to `values` (91, 91)."""
    hidden, plays, goes, chance = scratch.hidden, scratch.plays, scratch.goes, scratch.chance
    for pair in range(91):
        low, high = PAIRS[pair, 0], PAIRS[pair, 1]
        for pile in range(91):
            held = JOINED[pair, pile]
            if low >= ranks:
                for last in range(LAST_CARD_SLOTS):
                    values[pair, pile] -= hidden[held, last] * goes[last]
                continue
            one = -sum_over_last_card(hidden, held, plays, low, high)
            if high >= ranks or low == high:
                values[pair, pile] += one
                continue
            two = -sum_over_last_card(hidden, held, plays, high, low)
            values[pair, pile] += update_decision(
                cell, one, two, chance[pair, pile], reach_probability[pair, pile], settings, tables
            )
            cell += 2


@kernel(fastmath=True)
def sum_dealer_payoffs(ranks: int, reach_probability: Any, four: Any, scratch: Scratch) -> None:
    """Write to `shared` the sums of payoffs times the dealer's reach, by multisets of the pone's ranks."""
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
                for last in range(LAST_CARD_SLOTS):
                    hidden[held, last] += reached * goes[last]
            elif high >= ranks or low == high:
                for last in range(LAST_CARD_SLOTS):
                    hidden[held, last] += reached * plays[low, high, last]
            else:
                one = reached * chance[pair, pile]
                two = reached - one
                for last in range(LAST_CARD_SLOTS):
                    hidden[held, last] += one * plays[low, high, last] + two * plays[high, low, last]
    for held in range(1820):
        for part in range(15):
            where = PARTS4[held, part]
            if where < 0:
                break
            factor = np.float32(four[held, part])
            for last in range(LAST_CARD_SLOTS):
                shared[where, last] += factor * hidden[held, last]


@kernel(fastmath=True)
def sum_pone_values(shared: Any, three: Any, values: Any) -> None:
    """Write the pone's values (13, 91) after its second card, by its last rank and its discarded pair."""
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
def update_pone_decision(
    cell: int,
    reach_probability: Any,
    scratch: Scratch,
    settings: TraversalSettings,
    tables: RegretTables,
    values: Any,
) -> None:
    """Update the regrets of the pone's second card and write its values to `values` (91, 91)."""
    for low in range(13):
        for pile in range(91):
            values[UP2[low, low], pile] = scratch.by_card[low, low, pile]
        for high in range(low + 1, 13):
            pair = UP2[low, high]
            for pile in range(91):
                one, two = scratch.by_card[low, high, pile], scratch.by_card[high, low, pile]
                values[pair, pile] = update_decision(
                    cell,
                    one,
                    two,
                    scratch.second[pair, pile],
                    reach_probability[pair, pile],
                    settings,
                    tables,
                )
                cell += 2


@kernel(fastmath=True)
def walk(
    branch: int,
    cell: int,
    reach_probability: TypeWeights,
    removal: Any,
    payoffs: Payoffs,
    settings: TraversalSettings,
    tables: RegretTables,
    values: Any,
) -> None:
    """Write the values (91, 91) of one side's types after a lead and a reply. Mode UPDATE also updates cells.

    cell: the first cell of the branch. The pone's cells come first, then the dealer's by the pone's second
    rank.
    """
    scratch = Scratch(
        np.zeros((91, 91), np.float32),
        np.zeros((91, 91), np.float32),
        np.zeros((13, 13, 91), np.float32),
        np.zeros((SHARED, LAST_CARD_SLOTS), np.float32),
        np.zeros((1820, LAST_CARD_SLOTS), np.float32),
        np.zeros((13, 13, LAST_CARD_SLOTS), np.float32),
        np.zeros(LAST_CARD_SLOTS, np.float32),
    )
    lead, reply = branch // 13, branch % 13
    values[:] = ZERO
    read_probabilities(tables.source, cell, 13, scratch.second)
    first = cell
    cell += count_cells(13)
    for second in range(13):
        ways = removal.left[lead] * (removal.left[reply] - (lead == reply))
        ways *= removal.left[second] - (lead == second) - (reply == second)
        ranks = fitting(value_of(lead) + value_of(reply) + value_of(second))
        if ways > 0:
            played = removal.row[UP3[second, UP2[lead, reply]]]
            three, four = removal.three[played], removal.four[played]
            load_payoffs(13 * branch + second, np.float32(ways), payoffs, scratch)
            read_probabilities(tables.source, cell, ranks, scratch.chance)
            if settings.side == 0:
                sum_dealer_payoffs(ranks, reach_probability.dealer, four, scratch)
                sum_pone_values(scratch.shared, three, scratch.by_card[second])
            else:
                write_pone_reach(second, reach_probability.pone, scratch.second, three, four, scratch)
                update_dealer_decision(
                    cell, ranks, reach_probability.dealer, scratch, settings, tables, values
                )
        cell += count_cells(ranks)
    if settings.side == 0:
        update_pone_decision(first, reach_probability.pone, scratch, settings, tables, values)
