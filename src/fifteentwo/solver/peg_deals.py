"""Whole deals by the thousand: lay-away and play from packed strategies, points in the order they are pegged.

A deal becomes three histograms, enough for any board: where the dealer stands when the pone reaches each
total, the reverse, and both totals at the end.
"""

import numpy as np

from fifteentwo.fast.compiled import kernel as compiled
from fifteentwo.fast.layout import VALUES as VALUE
from fifteentwo.fast.play import card_points, play_alone
from fifteentwo.fast.show import rank_points

BY_RANKS = rank_points(5)

RENAMINGS = np.array(
    [
        (a, b, c, d)
        for a in range(4)
        for b in range(4)
        for c in range(4)
        for d in range(4)
        if len({a, b, c, d}) == 4
    ],
    dtype=np.int64,
)
SPAN = 128
"""Totals of one deal stay below this."""


@compiled
def next_random(state):  # type: ignore[no-untyped-def]
    """Advance a splitmix64 generator, state (1,) uint64; returns uint64."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@compiled
def random_below(state, size):  # type: ignore[no-untyped-def]
    """A whole number 0 … size - 1; bias below 2⁻³²."""
    return np.int64(((next_random(state) >> np.uint64(32)) * np.uint64(size)) >> np.uint64(32))


@compiled
def find(keys, first, stop, key):  # type: ignore[no-untyped-def]
    """Index of `key` in ascending keys[first:stop], or -1."""
    low = first
    high = stop
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    if low < stop and keys[low] == key:
        return low
    return -1


@compiled
def suit_row(six, class_keys, class_start, shape_start, patterns, names):  # type: ignore[no-untyped-def]
    """Row of six cards (0–51 ascending) in the lay-away table; sorts `six` into the row's positions."""
    key = np.int64(0)
    for i in range(6):
        key = key * 13 + (six[i] >> 2)
    m = find(class_keys, 0, len(class_keys), key)
    best = np.int64(1) << 40
    which = 0
    for n in range(24):
        code = np.int64(0)
        i = 0
        while i < 6:
            rank = six[i] >> 2
            mask = 0
            while i < 6 and six[i] >> 2 == rank:
                mask |= 1 << RENAMINGS[n, six[i] & 3]
                i += 1
            for s in range(4):
                if mask >> s & 1:
                    code = code * 4 + s
        if code < best:
            best = code
            which = n
    for i in range(6):
        names[i] = (six[i] >> 2) * 4 + RENAMINGS[which, six[i] & 3]
    for i in range(1, 6):
        j = i
        while j > 0 and names[j - 1] > names[j]:
            names[j - 1], names[j] = names[j], names[j - 1]
            six[j - 1], six[j] = six[j], six[j - 1]
            j -= 1
    size = class_start[m + 1] - class_start[m]
    return class_start[m] + find(patterns, shape_start[m], shape_start[m] + size, best) - shape_start[m]


@compiled
def show_points(four, starter, crib, five):  # type: ignore[no-untyped-def]
    """Points of four cards (0–51) and a starter in the show (R80–R90); `five`: scratch."""
    for i in range(4):
        five[i] = four[i] >> 2
    five[4] = starter >> 2
    points = np.int64(BY_RANKS[(((five[0] * 13 + five[1]) * 13 + five[2]) * 13 + five[3]) * 13 + five[4]])
    suit = four[0] & 3
    alike = True
    for i in range(4):
        if four[i] & 3 != suit:
            alike = False
        if four[i] >> 2 == 10 and four[i] & 3 == starter & 3:
            points += 1
    if alike:
        if starter & 3 == suit:
            points += 5
        elif not crib:
            points += 4
    return points


@compiled
def lay_away(six, row, options, share, state, kept, crib, crib_at):  # type: ignore[no-untyped-def]
    """Draw a lay-away: four cards to `kept`, two to crib[crib_at:]."""
    option = options[row] & 15
    if share[row] < 255 and random_below(state, 255) >= share[row]:
        option = options[row] >> 4
    o = 0
    for i in range(6):
        for j in range(i + 1, 6):
            if o == option:
                k = 0
                for c in range(6):
                    if c != i and c != j:
                        kept[k] = six[c]
                        k += 1
                crib[crib_at] = six[i]
                crib[crib_at + 1] = six[j]
            o += 1


@compiled
def choose_card(  # type: ignore[no-untyped-def]
    hand,
    size,
    other,
    count,
    pile,
    start,
    end,
    code,
    left,
    low,
    branch,
    top,
    bounds,
    codes,
    at,
    cells,
    pair_at,
    triple_at,
    state,
    scratch,
    order,
    scored,
):
    """Rank to lay from hand[:size] (ascending ranks): from the packed strategies, or alone; -1 for a go.

    `pair_at`, `triple_at` index what stays; `top`: the lead and reply rows.
    """
    legal = 0
    only = -1
    for i in range(size):
        if count + VALUE[hand[i]] <= 31 and (i == 0 or hand[i] != hand[i - 1]):
            legal += 1
            only = hand[i]
    if legal == 0:
        return -1
    if legal == 1:
        return only
    if other == 0:
        end_of = 0
        for i in range(start, end):
            scratch[end_of] = pile[i]
            end_of += 1
        return play_alone(scratch, 0, end_of, count, hand, size).first
    total = np.int64(0)
    for phase in range(2):
        if phase == 1:
            if total == 0:
                return only
            total = random_below(state, total)
        node = np.int64(-1)
        if size < 4:
            node = find(codes, bounds[branch], bounds[branch + 1], code)
            if node < 0:
                return only
        for i in range(size):
            r = hand[i]
            if count + VALUE[r] > 31 or (i > 0 and hand[i - 1] == r):
                continue
            if size == 4:
                a = hand[0] if i > 0 else hand[1]
                b = hand[1] if i > 1 else hand[2]
                c = hand[2] if i > 2 else hand[3]
                row = r if code == 0 else 13 + 13 * (code - 1) + r
                q = np.int64(top[row * 455 + triple_at[(a * 13 + b) * 13 + c]])
            else:
                place = 0
                ranks = 0
                for s in range(13):
                    if VALUE[s] > low and VALUE[s] + count <= 31 and left[s] > 0:
                        if s == r:
                            place = ranks
                        ranks += 1
                if size == 3:
                    a = hand[0] if i > 0 else hand[1]
                    b = hand[1] if i > 1 else hand[2]
                    q = np.int64(cells[at[node] + place * 91 + pair_at[a * 13 + b]])
                else:
                    second = 0
                    other_rank = hand[1 - i]
                    for s in range(other_rank):
                        if VALUE[s] > low and VALUE[s] + count <= 31 and left[s] > 0:
                            second += 1
                    one = min(place, second)
                    two = max(place, second)
                    q = np.int64(cells[at[node] + one * (2 * ranks - one - 1) // 2 + two - one - 1])
                    if place > second:
                        q = 255 - q
            if phase == 0:
                total += q
            else:
                total -= q
                if total < 0:
                    return r
    return only


@compiled
def simulate_deals(  # type: ignore[no-untyped-def]
    deals,
    seed,
    class_keys,
    class_start,
    shape_start,
    patterns,
    pone_options,
    pone_share,
    dealer_options,
    dealer_share,
    pone_top,
    pone_bounds,
    pone_codes,
    pone_at,
    pone_cells,
    dealer_top,
    dealer_bounds,
    dealer_codes,
    dealer_at,
    dealer_cells,
    pair_at,
    triple_at,
    pone_reach,
    dealer_reach,
    final,
    sums,
):
    """Play `deals` deals from a seed; adds to pone_reach[total, dealer], dealer_reach[total, pone], final.

    sums: (16,) float64 of points and squares: pone pegs, dealer pegs, heels, pone hand, dealer hand, crib,
    pone total, dealer total, then the squares of the last two and their product. Bad input is undefined.
    About 5 µs each.
    """
    state = np.zeros(1, dtype=np.uint64)
    state[0] = np.uint64(seed)
    pack = np.arange(52)
    six = np.zeros((2, 6), dtype=np.int64)
    names = np.zeros(6, dtype=np.int64)
    kept = np.zeros((2, 4), dtype=np.int64)
    crib = np.zeros(4, dtype=np.int64)
    five = np.zeros(5, dtype=np.int64)
    hand = np.zeros((2, 4), dtype=np.int64)
    held = np.zeros(2, dtype=np.int64)
    pile = np.zeros(16, dtype=np.int64)
    scratch = np.zeros(16, dtype=np.int64)
    order = np.zeros(3, dtype=np.int64)
    scored = np.zeros(3, dtype=np.int64)
    left = np.zeros(13, dtype=np.int64)
    low = np.zeros(2, dtype=np.int64)
    total = np.zeros(2, dtype=np.int64)
    for _ in range(deals):
        for i in range(13):
            j = i + random_below(state, 52 - i)
            pack[i], pack[j] = pack[j], pack[i]
        for side in range(2):
            for i in range(6):
                card = pack[side * 6 + i]
                j = i
                while j > 0 and six[side, j - 1] > card:
                    six[side, j] = six[side, j - 1]
                    j -= 1
                six[side, j] = card
        row = suit_row(six[0], class_keys, class_start, shape_start, patterns, names)
        lay_away(six[0], row, pone_options, pone_share, state, kept[0], crib, 0)
        row = suit_row(six[1], class_keys, class_start, shape_start, patterns, names)
        lay_away(six[1], row, dealer_options, dealer_share, state, kept[1], crib, 2)
        starter = pack[12]
        total[0] = 0
        total[1] = 0
        if starter >> 2 == 10:
            for t in range(1, 3):
                dealer_reach[t, 0] += 1
            total[1] = 2
            sums[2] += 2
        # The play.
        for side in range(2):
            held[side] = 4
            for i in range(4):
                hand[side, i] = kept[side, i] >> 2
            low[side] = 0
        left[:] = 4
        turn = 0
        gone = 0
        last = 1
        count = 0
        start = 0
        end = 0
        code = np.int64(0)
        branch = 0
        before = total[1]
        while held[0] + held[1] > 0:
            card = np.int64(-1)
            if held[turn] > 0:
                if turn == 0:
                    card = choose_card(
                        hand[0],
                        held[0],
                        held[1],
                        count,
                        pile,
                        start,
                        end,
                        code,
                        left,
                        low[0],
                        branch,
                        pone_top,
                        pone_bounds,
                        pone_codes,
                        pone_at,
                        pone_cells,
                        pair_at,
                        triple_at,
                        state,
                        scratch,
                        order,
                        scored,
                    )
                else:
                    card = choose_card(
                        hand[1],
                        held[1],
                        held[0],
                        count,
                        pile,
                        start,
                        end,
                        code,
                        left,
                        low[1],
                        branch,
                        dealer_top,
                        dealer_bounds,
                        dealer_codes,
                        dealer_at,
                        dealer_cells,
                        pair_at,
                        triple_at,
                        state,
                        scratch,
                        order,
                        scored,
                    )
            points = 0
            scorer = turn
            if card >= 0:
                k = 0
                for i in range(held[turn]):
                    if k == 0 and hand[turn, i] == card:
                        k = 1
                    elif k == 1:
                        hand[turn, i - 1] = hand[turn, i]
                held[turn] -= 1
                left[card] -= 1
                pile[end] = card
                end += 1
                count += VALUE[card]
                code = code * 15 + card + 1
                if end == 2:
                    branch = pile[0] * 13 + pile[1]
                points = card_points(pile, start, end, count)
                last = turn
                if count == 31:
                    count = 0
                    start = end
                    gone = 0
                    turn = 1 - last if held[1 - last] > 0 else last
                else:
                    if held[0] + held[1] == 0:
                        points += 1
                    if gone == 0:
                        turn = 1 - turn
            else:
                low[turn] = max(low[turn], 31 - count)
                code = code * 15 + 14
                if gone or held[1 - turn] == 0:
                    points = 1
                    scorer = last
                    count = 0
                    start = end
                    gone = 0
                    turn = 1 - last if held[1 - last] > 0 else last
                else:
                    gone = 1
                    turn = 1 - turn
            if points > 0:
                for _point in range(points):
                    total[scorer] += 1
                    if scorer == 0:
                        pone_reach[total[0], total[1]] += 1
                    else:
                        dealer_reach[total[1], total[0]] += 1
        sums[0] += total[0]
        sums[1] += total[1] - before
        for step in range(3):
            side = 0 if step == 0 else 1
            points = (
                show_points(kept[side], starter, False, five)
                if step < 2
                else show_points(crib, starter, True, five)
            )
            sums[3 + step] += points
            for _point in range(points):
                total[side] += 1
                if side == 0:
                    pone_reach[total[0], total[1]] += 1
                else:
                    dealer_reach[total[1], total[0]] += 1
        final[total[0], total[1]] += 1
        sums[6] += total[0]
        sums[7] += total[1]
        sums[8] += total[0] * total[0]
        sums[9] += total[1] * total[1]
        sums[10] += total[0] * total[1]
    return 0


@compiled
def sweep_board(  # type: ignore[no-untyped-def]
    target, skunk, double, pone_reach, dealer_reach, ends, share, win, net
):
    """Backward induction over scores: win[pone, dealer] and net games of the pone at the start of a deal.

    pone_reach, dealer_reach: shares of deals; ends (n, 2) int64 totals at the end of a deal with shares (n,).
    A loser below `skunk` loses two games, below `double` four. About 0.1 s for a target of 121.
    """
    span = pone_reach.shape[0]
    for total in range(2 * target - 2, -1, -1):
        for pone in range(max(0, total - target + 1), min(target, total + 1)):
            dealer = total - pone
            a = target - pone
            b = target - dealer
            chance = 0.0
            gain = 0.0
            if a < span:
                for c in range(min(b, span)):
                    x = pone_reach[a, c]
                    chance += x
                    gain += x * (4.0 if dealer + c < double else 2.0 if dealer + c < skunk else 1.0)
            if b < span:
                for c in range(min(a, span)):
                    x = dealer_reach[b, c]
                    gain -= x * (4.0 if pone + c < double else 2.0 if pone + c < skunk else 1.0)
            for n in range(len(share)):
                if ends[n, 0] < a and ends[n, 1] < b:
                    chance += share[n] * (1.0 - win[dealer + ends[n, 1], pone + ends[n, 0]])
                    gain -= share[n] * net[dealer + ends[n, 1], pone + ends[n, 0]]
            win[pone, dealer] = chance
            net[pone, dealer] = gain
    return 0
