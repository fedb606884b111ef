"""The chance of winning by every way to discard six cards at all 121 × 121 boards, or five at 61 × 61.

    chances(prospects(six, dealer=True))[way, own, other]

The same figures as `model.Prospects.values` gives board by board, to the last few bits: what both sides make
in the deal meets the board's values by convolution. Where no side can peg out in pegging, pegging and show go
together (by Fourier transform); along both edges the show first, by what is still needed, then the play.
"""

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.win.model import PAST, Prospects, after_deal, with_pone_first
from fifteentwo.analysis.win.near_end import (
    FIVE_CARD_NEEDS,
    NEEDS,
    chances_near_all,
    five_card_moves,
    moved,
)
from fifteentwo.fast.products import product
from fifteentwo.strategy.pegging_points import NEAR

Floats = npt.NDArray[np.float64]
Complexes = npt.NDArray[np.complex128]

HEELS = 2


def chances(prospects: Prospects) -> Floats:
    """(15, 121, 121) the chance of winning by each way, own and other's points at the deal's start.

    With five cards (10, 61, 61). Ways in the order of `analysis.win.shows.WAYS_OF`; a game is a game.
    About 0.1 s.
    """
    wins = by_points(prospects)
    needs = FIVE_CARD_NEEDS if prospects.payoff == "five-card" else NEEDS
    near = slice(wins.shape[1] - needs, None)
    # By needs from one on, as the table has them.
    turned = wins[:, near, near][:, ::-1, ::-1]
    if prospects.payoff == "five-card":
        to_win = moved(turned, five_card_moves(prospects.role))
    else:
        to_win = chances_near_all(prospects.role, *prospects.numbers, turned)
    wins[:, near, near] = to_win[:, ::-1, ::-1]
    return wins


def by_points(prospects: Prospects) -> Floats:
    """The same by the strategies that ship to the last point."""
    over = after_deal(prospects.payoff, prospects.dealer, False)
    target = len(over) - PAST
    over = with_pone_first(over, target, dealt=prospects.dealer)
    plays, shows = prospects.plays, prospects.shows
    value = np.zeros((len(plays), target, target))
    span, other_span = plays.shape[2:]
    inner = _inside(over, plays, shows, target)
    value[:, : inner.shape[1], : inner.shape[2]] = inner
    # Rows are needs from here on: of one point, of two, ...
    value = value[:, ::-1, ::-1]
    value[:, : span - 1] = _edge(over, plays, shows, target)
    turned = _edge(over.T, plays.swapaxes(2, 3), shows.swapaxes(2, 3), target)
    value[:, :, : other_span - 1] = turned.swapaxes(1, 2)
    value += _pegged_out(prospects, target)
    value = value[:, ::-1, ::-1]
    return (1 + value) / 2


def _inside(over: Floats, plays: Floats, shows: Floats, target: int) -> Floats:
    """Values at the boards from which no one goes out in pegging: (15, own, other's), from 0–0 on."""
    sizes = [_fast(play + show - 1) for play, show in zip(plays.shape[2:], shows.shape[2:], strict=True)]
    made = np.fft.irfft2(
        np.einsum("wpij,wpij->wij", np.fft.rfft2(plays, s=sizes), np.fft.rfft2(shows, s=sizes)), s=sizes
    )
    rows, columns = (target + 1 - span for span in plays.shape[2:])
    whole = [_fast(target + show) for show in shows.shape[2:]]
    # Every points made are fewer than `whole` less the boards asked for, so that nothing wraps round.
    spectrum = np.fft.rfft2(over[: whole[0], : whole[1]], s=whole) * np.fft.rfft2(made, s=whole).conj()
    inner: Floats = np.fft.irfft2(spectrum, s=whole)[:, :rows, :columns]
    return inner


def _edge(over: Floats, plays: Floats, shows: Floats, target: int) -> Floats:
    """Values where the own side (the rows) may peg out: (15, needs 1, 2, …, other's needs from 1).

    Without the games that end in pegging.
    """
    ways, parts, span, others = plays.shape
    shown = np.zeros((ways, parts, span - 1, target))
    width = shows.shape[3]
    # [own score, what the other shows, what it needs]
    led_to = over[:, np.arange(width)[:, None] + (target - np.arange(1, target + 1))]
    beyond = np.cumsum(shows[:, :, ::-1], axis=2)[:, :, ::-1]
    for need in range(1, span):
        short = min(need, shows.shape[2])
        # All that is enough leads to the same: the game.
        enough = beyond[:, :, need : need + 1] if need < shows.shape[2] else beyond[:, :, :0]
        points = np.concatenate([shows[:, :, :short], enough], axis=2)
        rows = led_to[target - need : target - need + points.shape[2]]
        made = product(points.reshape(ways * parts, -1), rows.reshape(-1, target))
        shown[:, :, need - 1] = made.reshape(ways, parts, target)
    size = _fast(target + others)
    going = np.fft.rfft(plays, n=size)
    after = np.fft.rfft(shown, n=size)
    value: Complexes = np.zeros((ways, span - 1, size // 2 + 1), np.complex128)
    for pegged in range(span - 1):
        value[:, pegged:] += np.einsum("wpf,wpxf->wxf", going[:, :, pegged], after[:, :, : span - 1 - pegged])
    edge: Floats = np.fft.irfft(value, n=size)[:, :, :target]
    return edge


def _pegged_out(prospects: Prospects, target: int) -> Floats:
    """(15, target, target) value of the games that end in pegging or with heels, by needs from 1."""
    plays = prospects.plays
    span, others = plays.shape[2:]
    ended = np.zeros((*plays.shape[:2], span + 1, others + 1))
    ended[:, :, 1:, 1:] = plays.cumsum(axis=2).cumsum(axis=3)
    # [..., x, y]: fewer than x and y pegged; then any number of either.
    own_short, other_short, every = ended[:, :, :, -1:], ended[:, :, -1:, :], ended[:, :, -1:, -1:]
    won = (other_short - ended).sum(axis=1)
    lost = (own_short - ended).sum(axis=1)
    both = every - own_short - other_short + ended
    x, y = np.arange(span + 1)[:, None], np.arange(others + 1)[None, :]
    heels = (x - HEELS, y) if prospects.dealer else (x, y - HEELS)
    value = won - lost + both[:, :-1].sum(axis=1) * (2 * _first(prospects, x, y) - 1)
    value += both[:, -1] * (2 * _first(prospects, *heels) - 1)
    rows, columns = (np.minimum(np.arange(1, target + 1), size) for size in (span, others))
    by_need: Floats = value[:, rows[:, None], columns[None, :]]
    return by_need


def _first(prospects: Prospects, x: npt.NDArray[np.int64], y: npt.NDArray[np.int64]) -> Floats:
    """How often own side pegs x points before the other y, where both get there: (15, x, y)."""
    near = prospects.first[:, np.clip(x, 1, NEAR) - 1, np.clip(y, 1, NEAR) - 1]
    return np.where(x <= 0, 1.0, np.where(y <= 0, 0.0, near))


def _fast(size: int) -> int:
    """The next size of which a Fourier transform is quick: even, of factors 2, 3 and 5."""
    while size % 2 or 30**size % size:
        size += 1
    return size
