"""Kernels of many six-card games at once; each game is one record of `GAME`, changed in place."""

from itertools import combinations
from typing import Any

import numpy as np

from fifteentwo.environments.encoding import DISCARD, layout
from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.counting_out import after_show
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.play import Turn, after_card, after_go, card_points, holding, playable, value_of
from fifteentwo.fast.random_games_kernels import below, drawn, shuffle
from fifteentwo.fast.show_kernels import FLUSH, hand_points
from fifteentwo.rules.variants import SIX_CARD

wide: Any = np.int64
"""Converts bytes to integers before arithmetic."""
GAME = np.dtype(
    [
        ("chance", np.int64),
        ("dealer", np.int64),
        ("deals", np.int64),
        ("seat", np.int64),
        ("counts", np.int64),
        ("score", np.int64, 2),
        ("held", np.int64, 2),
        ("turn", np.int64, 6),
        ("pile", np.int64, 8),
        ("deck", np.uint8, 52),
        ("hands", np.uint8, (2, 6)),
        ("kept", np.uint8, (2, 4)),
        ("discards", np.uint8, (2, 2)),
        ("crib", np.uint8, 4),
        ("cards", np.uint8, 8),
        ("by", np.uint8, 8),
        ("count_of", np.uint8, 8),
    ],
    align=True,
)
"""Record of one game.

deck[:13]: pone's six cards, the dealer's six, and the starter; hands: the cards held, ascending; turn: a
`play.Turn`; counts: the number of the current count; cards, by, count_of: the cards played, by which seat,
and in which count.
"""

DEALT, KEPT = 6, 4
PAIRS = np.array(list(combinations(range(DEALT), 2)))
"""Shape (15, 2): indices in the hand of the two cards of each discard."""
# The indices at which each part of an observation begins.
_AT = {name: part.start for name, part in layout(SIX_CARD).items()}
HAND, DISCARDED, STARTER, IN_COUNT = (_AT[name] for name in ("hand", "discarded", "starter", "in_count"))
ORDER, COUNT_NUMBER, PLAYED = _AT["order"], _AT["count_number"], _AT["played_0"]
PHASE, DEALER, TO_ACT, GONE, HELD = (_AT[name] for name in ("phase", "dealer", "to_act", "gone", "held"))
SCORE, COUNT, DEAL, TARGET = (_AT[name] for name in ("score", "count", "deal", "target"))


@kernel
def deal(game: Any, dealer: int) -> None:
    """Shuffle and deal; seat 0 discards first."""
    game.chance = shuffle(game.deck, game.chance)
    game.dealer = dealer
    game.deals += 1
    game.counts = 1
    for seat in range(2):
        first = DEALT if seat == dealer else 0
        for i in range(DEALT):
            card = game.deck[first + i]
            j = i
            while j > 0 and game.hands[seat, j - 1] > card:
                game.hands[seat, j] = game.hands[seat, j - 1]
                j -= 1
            game.hands[seat, j] = card
        game.held[seat] = DEALT
    for place in range(6):
        game.turn[place] = 0
    game.turn[0] = 1 - dealer
    game.turn[5] = dealer
    game.seat = 0


@kernel
def begin(game: Any) -> None:
    """Start a game; chance names the dealer."""
    game.score[0] = 0
    game.score[1] = 0
    game.deals = 0
    game.chance = drawn(game.chance)
    deal(game, below(game.chance, 2))


@kernel
def discard(game: Any, choice: int) -> None:
    """Discard for the seat on turn; after the second discard the starter is turned (R45, R47)."""
    seat = game.seat
    kept, gone = 0, 0
    for i in range(DEALT):
        card = game.hands[seat, i]
        if i == PAIRS[choice, 0] or i == PAIRS[choice, 1]:
            game.discards[seat, gone] = card
            gone += 1
        else:
            game.kept[seat, kept] = card
            kept += 1
    for i in range(KEPT):
        game.hands[seat, i] = game.kept[seat, i]
    game.held[seat] = KEPT
    if game.held[1 - seat] == DEALT:
        game.seat = 1 - seat
        return
    game.seat = game.turn[0]
    if game.deck[2 * DEALT] >> 2 == JACK:
        game.score[game.dealer] += 2


@kernel
def can_play(game: Any, seat: int, count: int) -> Any:
    """Return whether a seat can play: the first card of the sorted hand decides it."""
    return game.held[seat] > 0 and playable(count, value_of(wide(game.hands[seat, 0]) >> 2))


@kernel
def play(game: Any, card: int) -> None:
    """Play a card for the seat on turn, with all forced events up to the show (R53–R76).

    The other seat cannot score here, so the score of the seat on turn may exceed the target.
    """
    seat, turn = game.seat, game.turn
    now = Turn(turn[0], turn[1], turn[2], turn[3], turn[4], turn[5])
    place = 0
    while game.hands[seat, place] != card:
        place += 1
    game.held[seat] -= 1
    for i in range(place, game.held[seat]):
        game.hands[seat, i] = game.hands[seat, i + 1]
    rank = card >> 2
    game.pile[now.end] = rank
    game.cards[now.end] = card
    game.by[now.end] = seat
    game.count_of[now.end] = game.counts
    value = value_of(rank)
    game.score[seat] += card_points(game.pile, now.start, now.end + 1, now.total + value)
    left = holding(game.held[0], game.held[1])
    now = after_card(2, now, value, left)
    if now.total == 0:
        game.counts += 1
    while left != 0 and not can_play(game, now.seat, now.total):
        now = after_go(2, now, left)
        if now.total == 0:
            game.counts += 1
            game.score[now.last] += 1
    if left == 0 and now.total > 0:
        game.score[now.last] += 1
    game.seat = now.seat
    turn[0], turn[1], turn[2] = now.seat, now.total, now.start
    turn[3], turn[4], turn[5] = now.end, now.gone, now.last


@kernel
def show(game: Any, target: int, table: Any) -> None:
    """Count pone's hand, the dealer's hand and the crib (R78, R91). table: `show.rank_points(5)`."""
    dealer, starter = game.dealer, wide(game.deck[2 * DEALT])
    pone = 1 - dealer
    for seat in range(2):
        for i in range(2):
            game.crib[2 * seat + i] = game.discards[seat, i]
    game.score[pone], game.score[dealer] = after_show(
        game.score[pone],
        game.score[dealer],
        hand_points(game.kept[pone], starter, FLUSH, table),
        hand_points(game.kept[dealer], starter, FLUSH, table),
        hand_points(game.crib, starter, 0, table),
        target,
    )


@kernel
def observe(game: Any, target: int, seen: Any, allowed: Any) -> None:
    """Write the observation of the seat on turn, as `encoding.observe` does, and its mask."""
    seat, turn = game.seat, game.turn
    other = 1 - seat
    seen[:] = 0
    allowed[:] = False
    discarding = game.held[seat] == DEALT
    for i in range(game.held[seat]):
        seen[HAND + game.hands[seat, i]] = 1
    if discarding:
        for choice in range(len(PAIRS)):
            allowed[DISCARD + choice] = True
    else:
        for i in range(game.held[seat]):
            card = wide(game.hands[seat, i])
            allowed[card] = playable(turn[1], value_of(card >> 2))
        for i in range(2):
            seen[DISCARDED + game.discards[seat, i]] = 1
        seen[STARTER + game.deck[2 * DEALT]] = 1
    for i in range(turn[3]):
        card = wide(game.cards[i])
        seen[IN_COUNT + card] = i >= turn[2]
        seen[ORDER + card] = i + 1
        seen[COUNT_NUMBER + card] = game.count_of[i]
        seen[PLAYED + 52 * (game.by[i] != seat) + card] = 1
    seen[PHASE + (0 if discarding else 1)] = 1
    seen[DEALER + (game.dealer != seat)] = 1
    seen[TO_ACT] = 1
    seen[TO_ACT + 1] = game.held[other] == DEALT
    seen[GONE] = turn[4] >> seat & 1
    seen[GONE + 1] = turn[4] >> other & 1
    seen[HELD] = game.held[seat]
    seen[HELD + 1] = game.held[other]
    seen[SCORE] = game.score[seat]
    seen[SCORE + 1] = game.score[other]
    seen[COUNT] = turn[1]
    seen[DEAL] = min(game.deals, 255)
    seen[TARGET] = target


@kernel
def begin_games(games: Any, target: int, seen: Any, masks: Any) -> None:
    """Start every game, and write the observations and masks."""
    for i in range(len(games)):
        for card in range(52):
            games[i].deck[card] = card
        begin(games[i])
        observe(games[i], target, seen[i], masks[i])


@kernel
def first_illegal(masks: Any, actions: Any, places: Any) -> int:
    """Return the first game at `places` in which the action is not legal, or -1."""
    for i in places:
        if not 0 <= actions[i] < masks.shape[1] or not masks[i, actions[i]]:
            return int(i)
    return -1


@kernel
def step_games(
    games: Any, actions: Any, places: Any, lines: Any, table: Any, seen: Any, masks: Any, out: Any
) -> None:
    """Do one action in each game at `places`. lines: shape (target + 1,), games lost by a loser's score.

    out: a `six_card.Step` to fill. A finished game is started again after its scores are written.
    """
    rewards, done, scores, pegged = out
    target = len(lines) - 1
    for i in places:
        game = games[i]
        before = game.score[0], game.score[1]
        discarding = game.held[game.seat] == DEALT
        if discarding:
            discard(game, actions[i] - DISCARD)
        else:
            play(game, actions[i])
        pegged[i, 0] = min(game.score[0], target) - before[0]
        pegged[i, 1] = min(game.score[1], target) - before[1]
        over = game.score[0] >= target or game.score[1] >= target
        shown = not over and game.held[0] + game.held[1] == 0
        if shown:
            show(game, target, table)
            over = game.score[0] >= target or game.score[1] >= target
        done[i] = over
        rewards[i, 0] = 0
        rewards[i, 1] = 0
        for seat in range(2):
            scores[i, seat] = min(game.score[seat], target)
        if over:
            won = 0 if game.score[0] >= target else 1
            games_won = lines[game.score[1 - won]]
            rewards[i, won] = games_won
            rewards[i, 1 - won] = -games_won
            begin(game)
        elif shown:
            deal(game, 1 - game.dealer)
        observe(game, target, seen[i], masks[i])


@kernel
def random_actions(masks: Any, places: Any, chance: int, actions: Any) -> int:
    """Choose a legal action for each game at `places` by chance; return the new state of chance."""
    for i in places:
        number = 0
        for place in range(masks.shape[1]):
            number += masks[i, place]
        chance = drawn(chance)
        left = below(chance, number)
        place = 0
        while not masks[i, place] or left > 0:
            left -= masks[i, place]
            place += 1
        actions[i] = place
    return chance
