"""The look-ahead search of `look_ahead_search` as kernels for numba, one play after another.

The kernels follow one line of play to its end and then return to the last choice, so that all memory fits
into the processor's cache. `rows` and `found` have one row for each act of the line, the root first. Sums are
taken in the order of the arrays, so that both searches find the same values bit for bit.
"""

from typing import Any, NamedTuple

import numpy as np

from fifteentwo.analysis.pegging.beliefs import RANK_BONUS
from fifteentwo.analysis.pegging.look_ahead_search import GO_STEP as GO
from fifteentwo.analysis.pegging.look_ahead_search import (
    LAST_CARDS,
    LATER,
    NEGLIGIBLE,
    NEXT,
    NOT_PLAYED,
    NOW,
    PARTS,
    THEIR_LATER,
)
from fifteentwo.analysis.pegging.look_ahead_search import REPLY as REPLIED
from fifteentwo.analysis.pegging.opponents import AVOIDED_COUNTS, BOOK, CASUAL, CLUB, POINTS_BOUND, UNFIT
from fifteentwo.fast.book_policy import open_ranks, place_in_book, top_row
from fifteentwo.fast.club import MOST_PEGGED, best_reply
from fifteentwo.fast.compiled import allocation_free
from fifteentwo.fast.counting_out import after_hands
from fifteentwo.fast.play import (
    CODE,
    COUNT,
    END,
    GONE,
    HELD,
    LAST,
    LEAD,
    LIMIT,
    REPLY,
    SEEN,
    START,
    TURN,
    WIDTH,
    card_points,
    go,
    play_rank,
    playable,
    value_of,
)

MAX_DEPTH = 24
"""More cards and goes than the pegging of a deal has."""
MAX_TYPES = 4
"""Maximal number of opponent types in a search."""
BELIEFS_PER_TYPE = 16_000
"""Numbers stored for one type: its beliefs in all positions of one line of play."""
SCORES_SIZE = 182
"""Length of both axes of the table of values by score."""
STEPS = GO + 1
"""Number of possible steps in a position: one for each rank 0–12, then a go."""
OWN, OTHER, PLAYED_HAND, BELIEF, FREE, STEP, IS_OVER, MADE = range(WIDTH, WIDTH + 8)
"""Columns of a position's row, after those of `fast.play`: both scores, hand number of the cards that the
other side has played, start of its beliefs, start of free memory, current step, whether the game is over, and
the first of the columns for net points by part."""
HAND = MADE + len(PARTS)
"""First of 13 columns of a position's row with the number of own cards of each rank."""
ROW_WIDTH = HAND + 13
"""Number of columns of a position's row."""
BELIEVED, FOLLOWED, WON, POINTS, CHANCE, PART = range(STEPS, STEPS + 6)
"""Columns of `found` after the probabilities of the 14 steps: probability of the position, of all followed
steps, value of a game that is over, value in points, value of the game, and the first column of points by
part."""
FOUND_WIDTH = PART + len(PARTS)


class Tables(NamedTuple):
    """Constant tables that the kernels read: hands by number, and how models compare cards."""

    cards: Any
    """(5, 1820, 4) ascending ranks of each hand, by size."""
    rests: Any
    """(5, 1820, 4) number of the hand left after each card is played, by size and hand."""
    with_rank: Any
    """(5, 13, 455) number of the hand after adding a rank to a smaller hand, by the new size."""
    not_preferred: Any
    """(models, 4, CLASSES, CLASSES) `opponents.CardComparison.not_preferred` of each model."""
    case_weight: Any
    """(models, 4, CLASSES) `opponents.CardComparison.weight` of each model."""
    preferred: Any
    """(models, CLASSES, CLASSES) probability that a model plays the first of two cards, by their classes."""


SEARCH = np.dtype(
    [
        ("side", np.int64),
        # Number of types, and the model of each.
        ("types", np.int64),
        ("kinds", np.int64, MAX_TYPES),
        ("noise", np.float64),
        ("starter", np.int64),
        # Whether points are computed.
        ("has_points", np.bool_),
        # Number of elements of `found` that are computed: FOUND_WIDTH, or PART without parts of points.
        ("width", np.int64),
        # The target score; 0 if the value of the game is not computed.
        ("target", np.int64),
        # Points of the own hand in the show.
        ("show", np.int64),
        ("dealer", np.int64),
        # Points of the other side's hand by its ranks, and probabilities that suits add 0, 1, 4, 5, 6 points.
        ("shows", np.int64, 1820),
        ("suited", np.float64, (1820, 5)),
        # Value of the game before the crib, by own score and the other's.
        ("counted", np.float64, (SCORES_SIZE, SCORES_SIZE)),
        # Number of own cards and of the other side's, and own score less the other's, at the root.
        ("held", np.int64, 2),
        ("lead", np.int64),
        # Ranks played, and room to try cards.
        ("pile", np.int64, 32),
        ("rows", np.int64, (MAX_DEPTH, ROW_WIDTH)),
        ("found", np.float64, (MAX_DEPTH, FOUND_WIDTH)),
        # Results for each card of the root; 0 for cards that cannot be played.
        ("by_rank", np.float64, (13, FOUND_WIDTH)),
        # Probability of each type and hand: by play, type and hand.
        ("beliefs", np.float64, MAX_TYPES * BELIEFS_PER_TYPE),
        # By rank and rest of a hand, the weight with which a type plays this rank.
        ("weights", np.float64, 13 * 455),
        # Value of each rank for a club player, its class (`opponents.card_classes`), and its unseen cards.
        ("liked", np.float64, 13),
        ("classes", np.int64, 13),
        ("unseen", np.int64, 13),
        # Memory of `club.best_reply`.
        ("ways", np.int64, MOST_PEGGED),
    ],
    align=True,
)
"""The input, the memory and the results of a search in one record, which numba passes as one address."""


@allocation_free
def search(search: Any, tables: Any, book: Any) -> None:
    """Follow every play from the root, and write the values to `search.found[0]` and `search.by_rank`.

    search: a record of type SEARCH; tables: `Tables`; book: `BookArrays`. Only a few kernels
    take it, because numba counts references to such arrays at each call.
    """
    depth, is_new = 0, True
    while depth >= 0:
        if is_new and begin_position(search, tables, depth):
            write_replies(search, tables, book, depth)
        found = search.found[depth]
        step = search.rows[depth, STEP] + 1
        while step < STEPS and found[step] == 0.0:
            step += 1
        search.rows[depth, STEP] = step
        if step == STEPS:
            finish_position(search, depth)
            is_new = False
            depth -= 1
        else:
            is_new = take_step(search, tables, depth, step)
            if is_new:
                depth += 1
        if not is_new and depth >= 0:
            add_step_value(search, depth)


@allocation_free
def begin_position(search: Any, tables: Any, depth: int) -> bool:
    """Write the probability of each step at this depth; return whether `write_replies` must follow."""
    row, found = search.rows[depth], search.found[depth]
    row[STEP] = -1
    for step in range(STEPS):
        found[step] = 0.0
    found[FOLLOWED] = 0.0
    for place in range(POINTS, search.width):
        found[place] = 0.0
    size = row[HELD + 1 - search.side]
    if row[HELD] + row[HELD + 1] == 0:
        row[STEP] = GO
        last = 0
        if row[COUNT] > 0:
            last = 1 if row[LAST] == search.side else -1
        own, other = row[OWN] + max(last, 0), row[OTHER] + max(-last, 0)
        add_final_value(search, depth, found[BELIEVED], own, other, row[PLAYED_HAND], last)
    elif row[TURN] == search.side:
        silent = True
        for rank in range(13):
            if row[HAND + rank] > 0 and playable(row[COUNT], value_of(rank)):
                found[rank] = found[BELIEVED]
                silent = False
        if silent:
            found[GO] = found[BELIEVED]
        found[POINTS] = NOT_PLAYED
        found[CHANCE] = NOT_PLAYED
    elif size == 0:
        if found[BELIEVED] >= NEGLIGIBLE:
            found[GO] = found[BELIEVED]
            found[FOLLOWED] = found[BELIEVED]
    elif size == 1:
        play_last(search, tables, depth)
    else:
        return True
    return False


@allocation_free
def add_final_value(
    search: Any, depth: int, chance: float, own: int, other: int, hand: int, last: int
) -> None:
    """Add the value of the scores after all cards, times `chance`. last: net points for last cards."""
    row, found = search.rows[depth], search.found[depth]
    if search.has_points:
        found[POINTS] += chance * (own - search.lead - other)
        for part in range(search.width - PART):
            made = row[MADE + part]
            if part == LAST_CARDS:
                made += last
            found[PART + part] += chance * made
    if search.target > 0 and not row[IS_OVER]:
        found[CHANCE] += chance * value_before_show(search, own, other, hand)


@allocation_free
def value_before_show(search: Any, own: int, other: int, hand: int) -> float:
    """Return the value (-1 to 1) of two scores after pegging, averaged over the suits of a hand."""
    if max(own, other) >= search.target:
        return float(search.counted[own, other])
    value = 0.0
    for kind in range(5):
        often = search.suited[hand, kind]
        if often != 0.0:
            points = search.shows[hand] + (kind if kind < 2 else kind + 2)
            mine, theirs = after_hands(own, other, search.show, points, search.dealer, search.target)
            value += often * search.counted[mine, theirs]
    return value


@allocation_free
def take_step(search: Any, tables: Any, depth: int, step: int) -> bool:
    """Write the position after a step to the next depth; return False if the game ends there."""
    row, then = search.rows[depth], search.rows[depth + 1]
    chance, after = search.found[depth, step], search.found[depth + 1]
    for place in range(WIDTH, ROW_WIDTH):
        then[place] = row[place]
    after[BELIEVED] = chance
    if step == GO:
        if go(row, then):
            own = then[LAST] == search.side
            then[OWN if own else OTHER] += 1
            then[MADE + LAST_CARDS] += 1 if own else -1
        size = row[HELD + 1 - search.side]
        if row[TURN] != search.side and size > 0:
            then[BELIEF] = row[FREE]
            then[FREE] += search.types * hands_of(size)
    else:
        points = points_of_card(search.pile, row, step)
        play_rank(row, then, step)
        if row[TURN] == search.side:
            add_own_card(search, then, step, points)
        else:
            add_other_card(search, tables, then, step, points)
    if search.target > 0 and not row[IS_OVER] and max(then[OWN], then[OTHER]) >= search.target:
        then[IS_OVER] = 1
        after[CHANCE] = chance * search.counted[then[OWN], then[OTHER]]
        after[WON] = after[CHANCE]
        if not search.has_points:
            return False
    return True


@allocation_free
def points_of_card(pile: Any, row: Any, rank: int) -> int:
    """Return the points that a fitting rank pegs, and write the rank to the end of the pile."""
    pile[row[END]] = rank
    return card_points(pile, row[START], row[END] + 1, row[COUNT] + value_of(rank))


@allocation_free
def add_own_card(search: Any, then: Any, rank: int, points: int) -> None:
    """Update the row `then` for the points of a card that the own side played."""
    held = search.held[0] - then[HELD + search.side]
    part = NOW if held == 1 else NEXT if held == 2 else LATER
    then[OWN] += points
    then[MADE + part] += points
    then[HAND + rank] -= 1


@allocation_free
def add_other_card(search: Any, tables: Any, then: Any, rank: int, points: int) -> None:
    """Update the row `then` for the points of a card that the other side played, and for its beliefs."""
    left = then[HELD + 1 - search.side]
    part = REPLIED if left + 1 == search.held[1] else THEIR_LATER
    then[OTHER] += points
    then[MADE + part] -= points
    then[PLAYED_HAND] = tables.with_rank[4 - left, rank, then[PLAYED_HAND]]
    played = start_after_card(search, then[FREE], left + 1)
    block = search.types * hands_of(left)
    then[BELIEF] = played + rank * block
    then[FREE] = played + 13 * block


@allocation_free
def start_after_card(search: Any, free: int, size: int) -> int:
    """Return where beliefs after playing one of `size` cards start; those after a go start at `free`."""
    return int(free + search.types * hands_of(size))


@allocation_free
def hands_of(size: int) -> int:
    """Return the number of different hands of this many ranks (with repetition)."""
    return 1820 if size == 4 else 455 if size == 3 else 91 if size == 2 else 13 if size == 1 else 1


@allocation_free
def add_step_value(search: Any, depth: int) -> None:
    """Add the value of the last followed step: the maximum for the own side, the sum for the other."""
    row, found, then = search.rows[depth], search.found[depth], search.found[depth + 1]
    if depth == 0 and row[STEP] < GO:
        for place in range(FOUND_WIDTH):
            search.by_rank[row[STEP], place] = then[place]
    if row[TURN] != search.side:
        for place in range(POINTS, search.width):
            found[place] += then[place]
        return
    if then[POINTS] > found[POINTS]:
        found[POINTS] = then[POINTS]
        for place in range(PART, search.width):
            found[place] = then[place]
    found[CHANCE] = max(found[CHANCE], then[CHANCE])


@allocation_free
def finish_position(search: Any, depth: int) -> None:
    """Scale the position's values up for the improbable steps that were skipped."""
    row, found = search.rows[depth], search.found[depth]
    if found[FOLLOWED] > 0.0:
        scale = found[BELIEVED] / found[FOLLOWED]
        for place in range(POINTS, search.width):
            found[place] *= scale
    if row[IS_OVER]:
        found[CHANCE] = found[WON]


# ── What the other side does ─────────────────────────────────────────────────────────────────────────────


@allocation_free
def play_last(search: Any, tables: Any, depth: int) -> None:
    """Write the probabilities of the other side's last card, and the value if the own side holds no card."""
    row, found = search.rows[depth], search.found[depth]
    first, types, beliefs = row[BELIEF], search.types, search.beliefs
    go_at, memory = row[FREE], start_after_card(search, row[FREE], row[HELD + 1 - search.side])
    silent = 0.0
    for kind in range(types):
        for rank in range(13):
            belief = beliefs[first + kind * 13 + rank]
            if playable(row[COUNT], value_of(rank)):
                found[rank] += belief
                beliefs[memory + rank * types + kind] = belief
                beliefs[go_at + kind * 13 + rank] = 0.0
            else:
                silent += belief
                beliefs[go_at + kind * 13 + rank] = belief
    ends = row[HELD + search.side] == 0
    for rank in range(13):
        chance = found[rank]
        if chance < NEGLIGIBLE:
            found[rank] = 0.0
            continue
        found[FOLLOWED] += chance
        if ends:
            found[rank] = 0.0
            points = points_of_card(search.pile, row, rank)
            last = 0 if row[COUNT] + value_of(rank) == LIMIT else 1
            hand = tables.with_rank[4, rank, row[PLAYED_HAND]]
            part = MADE + (REPLIED if search.held[1] == 1 else THEIR_LATER)
            row[part] -= points
            add_final_value(search, depth, chance, row[OWN], row[OTHER] + points + last, hand, -last)
            row[part] += points
    follow_go(search, depth, silent)


@allocation_free
def follow_go(search: Any, depth: int, silent: float) -> None:
    """Write the probability that the other side says go; silent: that no card of its hand fits."""
    row, found = search.rows[depth], search.found[depth]
    if row[COUNT] > LIMIT - 10 and silent >= NEGLIGIBLE:
        found[GO] = silent
        found[FOLLOWED] += silent


@allocation_free
def write_replies(search: Any, tables: Any, book: Any, depth: int) -> None:
    """Write the probability of each rank that the other side may play next, and the beliefs after it."""
    row, found = search.rows[depth], search.found[depth]
    types, beliefs, size = search.types, search.beliefs, row[HELD + 1 - search.side]
    played, block = start_after_card(search, row[FREE], size), types * hands_of(size - 1)
    weigh_all(search, tables, book, row, size)
    fitting = 0
    while fitting < 13 and playable(row[COUNT], value_of(fitting)):
        fitting += 1
    # The sums of all ranks side by side: one sum alone waits for each of its additions.
    for at in range(block):
        for rank in range(fitting):
            found[rank] += beliefs[played + rank * block + at]
    for rank in range(fitting):
        if found[rank] >= NEGLIGIBLE:
            found[FOLLOWED] += found[rank]
        else:
            found[rank] = 0.0
    if row[COUNT] > LIMIT - 10:
        silent, hands = 0.0, hands_of(size)
        for at in range(types * hands):
            lowest = tables.cards[size, at % hands, 0]
            belief = 0.0 if playable(row[COUNT], value_of(lowest)) else beliefs[row[BELIEF] + at]
            beliefs[row[FREE] + at] = belief
            silent += belief
        follow_go(search, depth, silent)


@allocation_free
def weigh_all(search: Any, tables: Any, book: Any, row: Any, size: int) -> None:
    """Write, for every type of the other side, the probability of each hand after each card it may play."""
    place, has_book, is_liked = -1, row[HELD + search.side] > 0, False
    if has_book and size < 4:
        place = place_in_book(book.codes, book.at, book.starts, row[LEAD] * 13 + row[REPLY], row[CODE])
        has_book = place >= 0
    for kind in range(search.types):
        model = search.kinds[kind]
        if model > CLUB:
            weigh_by_notice(search, tables, row, model, size)
        elif model == BOOK and has_book:
            weigh_by_book(search.weights, row, book, place, size)
        else:
            if not is_liked:
                write_club_values(search, row)
                is_liked = True
            weigh_by_value(search.weights, tables, search.liked, size)
        write_beliefs(search, tables, row, kind, size)


@allocation_free
def write_club_values(search: Any, row: Any) -> None:
    """Write to `search.liked` the value in points of each rank for a club player."""
    pile, start, end, held = search.pile, row[START], row[END], row[HELD + search.side]
    for rank in range(13):
        search.liked[rank] = NOT_PLAYED
        count = row[COUNT] + value_of(rank)
        if count > LIMIT:
            continue
        value = float(points_of_card(pile, row, rank))
        if held > 0 and count != LIMIT and row[GONE] == 0:
            for other in range(13):
                left = 4 - row[SEEN + other] - (other == rank) - (other == search.starter)
                search.unseen[other] = max(left, 0)
            mean, silent = best_reply(pile, start, end + 1, count, search.unseen, held, search.ways)
            value += silent - mean
        search.liked[rank] = value + RANK_BONUS * rank


@allocation_free
def weigh_by_book(weights: Any, row: Any, book: Any, place: int, size: int) -> None:
    """Write how often the book plays each rank of a hand. place: index of its first cell in `book.cells`."""
    rests, opened = hands_of(size - 1), open_ranks(row)
    if size == 2:
        for one in range(13):
            for two in range(one, 13):
                lower = 0.5
                if one < two and opened >> one & 1 and opened >> two & 1:
                    lower = book.cells[place] / 255.0
                    place += 1
                weights[one * 13 + two] = lower
                weights[two * 13 + one] = 1 - lower
        return
    first, at = top_row(row[TURN], row[CODE]) * rests, 0
    for rank in range(13):
        is_open = opened >> rank & 1
        for rest in range(rests):
            weight = 0.0
            if size == 4:
                weight = float(book.top[first + at])
            elif is_open:
                weight = float(book.cells[place + rest])
            weights[at] = weight
            at += 1
        place += rests * is_open


@allocation_free
def weigh_by_value(weights: Any, tables: Any, liked: Any, size: int) -> None:
    """Write weight 1 by rank and rest of a hand if the rank has the hand's highest value, otherwise 0."""
    rests = hands_of(size - 1)
    for rest in range(rests):
        most = NOT_PLAYED
        for i in range(size - 1):
            most = max(most, liked[tables.cards[size - 1, rest, i]])
        for rank in range(13):
            weights[rank * rests + rest] = 1.0 if liked[rank] >= most else 0.0


@allocation_free
def weigh_by_notice(search: Any, tables: Any, row: Any, model: int, size: int) -> None:
    """Write how likely a model that overlooks points plays each rank and keeps each rest of the hand."""
    classes = search.classes
    for rank in range(13):
        count = row[COUNT] + value_of(rank)
        classes[rank] = UNFIT
        if count <= LIMIT:
            classes[rank] = min(points_of_card(search.pile, row, rank), POINTS_BOUND - 1)
            if model == CASUAL and count in AVOIDED_COUNTS:
                classes[rank] += POINTS_BOUND
    rests, hand = hands_of(size - 1), 0
    if size == 2:
        for one in range(13):
            for two in range(13):
                search.weights[one * 13 + two] = tables.preferred[model, classes[one], classes[two]]
        return
    for rank in range(13):
        for rest in range(rests):
            total, same = 0.0, 1
            for case in range(4):
                product = tables.case_weight[model, case, classes[rank]]
                for i in range(size - 1):
                    other = tables.cards[size - 1, rest, i]
                    product *= tables.not_preferred[model, case, classes[rank], classes[other]]
                total += product
            for i in range(size - 1):
                same += tables.cards[size - 1, rest, i] == rank
            search.weights[hand] = total * same
            hand += 1


@allocation_free
def write_beliefs(search: Any, tables: Any, row: Any, kind: int, size: int) -> None:
    """Write one type's beliefs after each card, from `search.weights`. kind: index of the type."""
    types, noise, beliefs, weights = search.types, search.noise, search.beliefs, search.weights
    rests, hands = hands_of(size - 1), hands_of(size)
    first, played = row[BELIEF] + kind * hands, start_after_card(search, row[FREE], size)
    for hand in range(hands):
        number, total, before = 0, 0.0, -1
        for i in range(size):
            rank = tables.cards[size, hand, i]
            if rank != before and playable(row[COUNT], value_of(rank)):
                number += 1
                total += weights[rank * rests + tables.rests[size, hand, i]]
            before = rank
        before = -1
        for i in range(size):
            rank, rest = tables.cards[size, hand, i], tables.rests[size, hand, i]
            if rank != before and playable(row[COUNT], value_of(rank)):
                often = 1.0 / number
                if total > 0:
                    often = noise * often + (1 - noise) * weights[rank * rests + rest] / total
                beliefs[played + (rank * types + kind) * rests + rest] = beliefs[first + hand] * often
            before = rank
