"""Win probability of every discard of six cards at all 121 × 121 scores, or of five at 61 × 61.

    chances(prospects(six, dealer=True))[way, own, other]

These figures equal `model.Prospects.values` at each score up to rounding. Points made in the deal are
combined with the values of the scores by convolution. At scores where no side can win in pegging, pegging and
show are combined by one Fourier transform. Along both edges the show is combined first, for each number of
points needed, then pegging.
"""

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.win.model import STAGE_POINTS_BOUND, Prospects, after_deal, with_pone_first
from fifteentwo.analysis.win.near_end import (
    FIVE_CARD_NEEDS,
    NEEDS,
    chances_near,
    five_card_moves,
    shift_log_odds,
)
from fifteentwo.fast.products import product
from fifteentwo.strategy.pegging_points import NEAR

Floats = npt.NDArray[np.float64]
Complexes = npt.NDArray[np.complex128]

HEELS_POINTS = 2


def chances(prospects: Prospects) -> Floats:
    """Return (15, 121, 121) win probabilities (0–1) by discard, own score and other's score before the deal.

    With five cards (10, 61, 61). Discards are in the order of `shows.WAYS_OF`; skunks do not count.
    About 0.1 s.
    """
    wins = by_points(prospects)
    needs = FIVE_CARD_NEEDS if prospects.payoff == "five-card" else NEEDS
    near, each = slice(wins.shape[1] - needs, None), np.arange(1, needs + 1)
    # Indexed by needs from one up, as the table is.
    turned = wins[:, near, near][:, ::-1, ::-1]
    if prospects.payoff == "five-card":
        to_win = shift_log_odds(turned, five_card_moves(prospects.role))
    else:
        to_win = chances_near(prospects.role, *prospects.numbers, (each[:, None], each), turned)
    wins[:, near, near] = to_win[:, ::-1, ::-1]
    return wins


def by_points(prospects: Prospects) -> Floats:
    """Return win probabilities as `chances` does, without the correction for play to win near the end."""
    over = after_deal(prospects.payoff, prospects.dealer, False)
    target = len(over) - STAGE_POINTS_BOUND
    over = with_pone_first(over, target, dealt=prospects.dealer)
    plays, shows = prospects.plays, prospects.shows
    value = np.zeros((len(plays), target, target))
    span, other_span = plays.shape[2:]
    inner = _inner_values(over, plays, shows, target)
    value[:, : inner.shape[1], : inner.shape[2]] = inner
    # From here on rows are needs of one point, two, …
    value = value[:, ::-1, ::-1]
    value[:, : span - 1] = _edge_values(over, plays, shows, target)
    turned = _edge_values(over.T, plays.swapaxes(2, 3), shows.swapaxes(2, 3), target)
    value[:, :, : other_span - 1] = turned.swapaxes(1, 2)
    value += _pegged_out_values(prospects, target)
    value = value[:, ::-1, ::-1]
    # Shows and pegging are averaged apart, so a sum can pass a certain win by some 1e-4.
    return ((1 + value) / 2).clip(0, 1)


def _inner_values(over: Floats, plays: Floats, shows: Floats, target: int) -> Floats:
    """Return (15, own score, other's) values at all scores from which no side can win in pegging."""
    sizes = [
        _fourier_size(play + show - 1) for play, show in zip(plays.shape[2:], shows.shape[2:], strict=True)
    ]
    made = np.fft.irfft2(
        np.einsum("wpij,wpij->wij", np.fft.rfft2(plays, s=sizes), np.fft.rfft2(shows, s=sizes)), s=sizes
    )
    rows, columns = (target + 1 - span for span in plays.shape[2:])
    whole = [_fourier_size(target + show) for show in shows.shape[2:]]
    # `whole` exceeds the largest score plus points, so that the convolution does not wrap round.
    spectrum = np.fft.rfft2(over[: whole[0], : whole[1]], s=whole) * np.fft.rfft2(made, s=whole).conj()
    inner: Floats = np.fft.irfft2(spectrum, s=whole)[:, :rows, :columns]
    return inner


def _edge_values(over: Floats, plays: Floats, shows: Floats, target: int) -> Floats:
    """Return (15, own need, other's need) values of scores from which the own side can peg out."""
    ways, parts, span, others = plays.shape
    shown = np.zeros((ways, parts, span - 1, target))
    width = shows.shape[3]
    # [own score, other's show, other's needs]
    led_to = over[:, np.arange(width)[:, None] + (target - np.arange(1, target + 1))]
    beyond = np.cumsum(shows[:, :, ::-1], axis=2)[:, :, ::-1]
    for need in range(1, span):
        short = min(need, shows.shape[2])
        # All points from the needed number up have one value: the game is won.
        enough = beyond[:, :, need : need + 1] if need < shows.shape[2] else beyond[:, :, :0]
        points = np.concatenate([shows[:, :, :short], enough], axis=2)
        rows = led_to[target - need : target - need + points.shape[2]]
        made = product(points.reshape(ways * parts, -1), rows.reshape(-1, target))
        shown[:, :, need - 1] = made.reshape(ways, parts, target)
    size = _fourier_size(target + others)
    going = np.fft.rfft(plays, n=size)
    after = np.fft.rfft(shown, n=size)
    value: Complexes = np.zeros((ways, span - 1, size // 2 + 1), np.complex128)
    for pegged in range(span - 1):
        value[:, pegged:] += np.einsum("wpf,wpxf->wxf", going[:, :, pegged], after[:, :, : span - 1 - pegged])
    edge: Floats = np.fft.irfft(value, n=size)[:, :, :target]
    return edge


def _pegged_out_values(prospects: Prospects, target: int) -> Floats:
    """Return (15, own need, other's need) the part of the values from games that end in pegging."""
    plays = prospects.plays
    span, others = plays.shape[2:]
    ended = np.zeros((*plays.shape[:2], span + 1, others + 1))
    ended[:, :, 1:, 1:] = plays.cumsum(axis=2).cumsum(axis=3)
    # [..., x, y]: fewer than x and y points pegged; the last index means any number.
    own_short, other_short, every = ended[:, :, :, -1:], ended[:, :, -1:, :], ended[:, :, -1:, -1:]
    won = (other_short - ended).sum(axis=1)
    lost = (own_short - ended).sum(axis=1)
    both = every - own_short - other_short + ended
    x, y = np.arange(span + 1)[:, None], np.arange(others + 1)[None, :]
    heels = (x - HEELS_POINTS, y) if prospects.dealer else (x, y - HEELS_POINTS)
    value = won - lost + both[:, :-1].sum(axis=1) * (2 * _own_first(prospects, x, y) - 1)
    value += both[:, -1] * (2 * _own_first(prospects, *heels) - 1)
    rows, columns = (np.minimum(np.arange(1, target + 1), size) for size in (span, others))
    by_need: Floats = value[:, rows[:, None], columns[None, :]]
    return by_need


def _own_first(prospects: Prospects, x: npt.NDArray[np.int64], y: npt.NDArray[np.int64]) -> Floats:
    """Return (15 discards, …) probabilities that the own side pegs x points before the other side pegs y."""
    near = prospects.first[:, np.clip(x, 1, NEAR) - 1, np.clip(y, 1, NEAR) - 1]
    return np.where(x <= 0, 1.0, np.where(y <= 0, 0.0, near))


def _fourier_size(size: int) -> int:
    """Return the next larger size whose Fourier transform is fast: even, with no prime factor above 5."""
    while size % 2 or 30**size % size:
        size += 1
    return size
