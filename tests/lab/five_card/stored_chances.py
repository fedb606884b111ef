"""Action probabilities of single types, read from the cells of five-card pegging."""

from collections.abc import Sequence

from fifteentwo.fast.five_card import fitting, pair_place
from fifteentwo.fast.hands import place
from fifteentwo.fast.play import playable, value_of
from lab.cfr import Cells
from lab.five_card.pegging import branch_cells
from lab.five_card.types import DISCARDED
from lab.five_card.walk_kernels import count_cells


def card_chances(
    cells: Cells, kept: Sequence[int], discarded: Sequence[int], played: Sequence[int]
) -> dict[int, float]:
    """Return the probability of each rank that a type may play after up to three cards.

    kept: the three ranks kept, of which the side's own card in `played` is one. Ranks 0–12.
    """
    held = sorted(kept)
    for rank in played[len(played) % 2 :: 2]:
        held.remove(rank)
    pile = place(2)[tuple(sorted(discarded))]
    count = sum(value_of(rank) for rank in played)
    able = sorted({rank for rank in held if playable(count, value_of(rank))})
    if len(able) < 2:
        return dict.fromkeys(able, 1.0)
    if len(played) < 2:
        table = cells.reply[played[0]] if played else cells.lead
        rests = [place(2)[tuple(sorted(remaining(held, rank)))] for rank in able]
        found = [max(float(table[rank, rest, pile]), 0.0) for rank, rest in zip(able, rests, strict=True)]
    else:
        cell = decision_cell(played, able, pile)
        found = [max(float(cells.rest[cell + at]), 0.0) for at in range(2)]
    whole = sum(found)
    return {rank: one / whole if whole else 1 / len(able) for rank, one in zip(able, found, strict=True)}


def remaining(held: Sequence[int], rank: int) -> list[int]:
    rest = list(held)
    rest.remove(rank)
    return rest


def decision_cell(played: Sequence[int], able: Sequence[int], discarded: int) -> int:
    """Return the first cell of a decision between two ranks after two or three cards.

    discarded: the place of the two discarded ranks among `PAIRS`.
    """
    low, high = able
    branch = 13 * played[0] + played[1]
    cell, ranks = branch_cells()[branch], 13
    if len(played) == 3:
        count = value_of(played[0]) + value_of(played[1])
        cell += count_cells(13) + sum(
            count_cells(fitting(count + value_of(rank))) for rank in range(played[2])
        )
        ranks = fitting(count + value_of(played[2]))
    return cell + 2 * (DISCARDED * pair_place(low, high, ranks) + discarded)
