"""An entry of the Book: every discard of six cards or five in a role and at a board.

    entry(cards("5H 5S 6D 7C JC KD"), dealer=False, board=(110, 116)).discards[0]

Win probability and points come from `analysis.discards.discard`; `frequency` is the probability with which
the stored equilibrium makes the discard. Distributions of points ignore the end of the game. Five cards are
five-card cribbage; documented shapes are for six cards.
"""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.discards.discard import Option, options, pegs_of
from fifteentwo.analysis.win.model import (
    JSON_DECIMALS,
    MeanPoints,
    NetPoints,
    Prospects,
    WinProbability,
    prospects,
)
from fifteentwo.analysis.win.shows import WAYS_OF
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.variants import FIVE_CARD, SIX_CARD, Rules
from fifteentwo.strategy import five_card
from fifteentwo.strategy.discards import Role, discard_frequencies
from fifteentwo.strategy.files import data_bytes

Floats = npt.NDArray[np.float64]

HAND_CLASSES = 962_988
"""Number of six-card hands, if hands that differ only in the names of the suits count as one."""
SUITS = "CDHS"
"""Order of the suits within a rank in the Book."""
NEAR_SCORE, END_SCORE = 100, 97
"""Scores from which errors are measured apart: near if one side has reached it, end if both have."""
OPEN_GAME = 0.03
"""At the end errors are measured only for win probabilities from this to 1 less this."""
FIVE_CARD_ERRORS = ((30, 0.0005), (45, 0.0015), (50, 0.003), (61, 0.005))
"""(score, error): root mean square error of a five-card win probability (0–1) if both scores are lower."""


class Chances(msgspec.Struct, frozen=True):
    """A distribution of points."""

    least: int
    """Smallest number of points, which may be negative."""
    chances: tuple[float, ...]
    """Probabilities of `least`, `least` + 1, … points."""

    @property
    def mean(self) -> float:
        return sum(chance * (self.least + place) for place, chance in enumerate(self.chances))


class DiscardEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One discard of an entry of the Book, and what it brings."""

    discard: tuple[Card, ...]
    keep: tuple[Card, ...]
    win: WinProbability
    hand: MeanPoints
    crib: MeanPoints
    """Mean points of the crib of either side."""
    pegging: NetPoints
    net: NetPoints
    """Hand, plus the own crib or minus the other side's, plus pegging."""
    pegs: MeanPoints
    """Points that the own side pegs."""
    gives: MeanPoints
    """Points that the other side pegs."""
    frequency: float
    """Probability (0–1) with which the stored equilibrium makes this discard."""
    hand_points: Chances
    """Points of the kept hand."""
    crib_points: Chances
    """Points of the crib of either side."""
    play_points: Chances
    """Pegging points, own less the other's, without heels."""
    deal_points: Chances
    """Points of the whole deal, own less the other's, with heels."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the Book: all discards of one hand."""

    dealt: tuple[Card, ...]
    role: Role
    board: tuple[int, int]
    """The own and the other side's score before the deal."""
    discards: tuple[DiscardEntry, ...]
    """All fifteen discards (ten of five cards), best first."""
    error: float
    """Standard error of the win probabilities (0–1), measured by rollouts."""
    deals: int
    """Number of hands that differ from this one only in the names of the suits, itself included."""


class _NetPoints(NamedTuple):
    """Distributions of own points less the other side's, by discard."""

    pegging: Floats
    """(15, n) probabilities in pegging, from `least_pegging` points up."""
    deal: Floats
    """(15, n) probabilities in the whole deal, from `least_deal` points up."""
    mean_pegging: Floats
    """(15, 2) mean pegging points of the own and of the other side."""
    least_pegging: int
    least_deal: int


def rules_of(dealt: Sequence[Card]) -> Rules:
    """Return the rules of the game in which six, or five, cards are dealt; otherwise raise NotationError."""
    for rules in (SIX_CARD, FIVE_CARD):
        if len(dealt) == rules.dealt:
            return rules
    raise NotationError("wrong-number-of-cards", joined(dealt), len(dealt))


def first_board(dealt: Sequence[Card], dealer: bool) -> tuple[int, int]:
    """Return the own and the other side's score as a game begins, with three for last (R100)."""
    pone = 3 if rules_of(dealt).three_for_last else 0
    return (0, pone) if dealer else (pone, 0)


def in_order(held: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards in the order of the Book: by rank, then clubs, diamonds, hearts, spades."""
    return tuple(sorted(held, key=lambda card: (card.rank, SUITS.index(card.suit))))


def joined(held: Iterable[Card]) -> str:
    """Return cards as one word without spaces, as in addresses.

    >>> from fifteentwo.rules.cards import cards
    >>> joined(in_order(cards("KD 5S 5H jc 7♣ 6D")))
    '5H5S6D7CJCKD'
    """
    return "".join(card.text for card in held)


def entry(dealt: Sequence[Card], *, dealer: bool, board: tuple[int, int]) -> Entry:
    """Return the page of the Book for these cards. About 30 ms, 10 for recent cards.

    dealer: whether the own side deals; board: (own, other's) score. Raise NotationError unless these are six
    different cards, or five; ValueError unless both scores are below the target.
    """
    dealt = in_order(dealt)
    rules = rules_of(dealt)
    if len(set(dealt)) != len(dealt):
        raise NotationError("wrong-number-of-cards", joined(dealt), len(dealt))
    made = _net_points(prospects(dealt, dealer))
    role: Role = "dealer" if dealer else "pone"
    frequencies = five_card.discard_frequencies if rules is FIVE_CARD else discard_frequencies
    often = {tuple(sorted(pair)): frequency for pair, frequency in frequencies(dealt, role).items()}
    found = options(dealt, own_crib=dealer, rules=rules, board=board)
    places = {
        tuple([dealt[place] for place in way]): number for number, way in enumerate(WAYS_OF[len(dealt)])
    }
    entries = [
        _discard_entry(option, often.get(tuple(sorted(option.discard)), 0.0), made, places[option.discard])
        for option in found
    ]
    return Entry(
        dealt=dealt,
        role=role,
        board=board,
        discards=tuple(entries),
        error=error_of(board, entries[0].win, rules),
        deals=count_alike(dealt),
    )


def _discard_entry(option: Option, frequency: float, net: _NetPoints, way: int) -> DiscardEntry:
    assert option.pegging is not None
    assert option.win is not None
    return DiscardEntry(
        discard=option.discard,
        keep=option.keep,
        win=option.win,
        hand=option.hand.mean,
        crib=option.crib.mean,
        pegging=option.pegging,
        net=option.net,
        pegs=float(net.mean_pegging[way, 0]),
        gives=float(net.mean_pegging[way, 1]),
        frequency=frequency,
        hand_points=_trimmed(0, np.array(option.hand.weights) / option.hand.total),
        crib_points=_trimmed(0, np.array(option.crib.weights) / option.crib.total),
        play_points=_trimmed(net.least_pegging, net.pegging[way]),
        deal_points=_trimmed(net.least_deal, net.deal[way]),
    )


def _net_points(kept: Prospects) -> _NetPoints:
    """Return the distributions of the own points less the other side's, for each discard."""
    play = kept.pegging()
    pegged, shown = _by_difference(kept.plays), _by_difference(kept.shows)
    size = pegged.shape[2] + shown.shape[2] - 1
    together = np.fft.rfft(pegged, n=size) * np.fft.rfft(shown, n=size)
    least_play, least_shown = 1 - kept.plays.shape[3], 1 - kept.shows.shape[3]
    deal = np.fft.irfft(together.sum(axis=1), n=size)
    alone = _by_difference(play[:, None])[:, 0]
    return _NetPoints(alone, deal, pegs_of(kept), least_play, least_play + least_shown)


def _by_difference(joint: Floats) -> Floats:
    """Return (15, parts, n) probabilities of own less other's points, from the smallest difference up."""
    rows, columns = joint.shape[2:]
    chances = np.zeros((*joint.shape[:2], rows + columns - 1))
    for own in range(rows):
        chances[:, :, own : own + columns] += joint[:, :, own, ::-1]
    return chances


def _trimmed(least: int, chances: Floats) -> Chances:
    """Return a distribution without rare points at both ends; its sum is 1, and its mean is unchanged."""
    points = least + np.arange(len(chances))
    mean = chances @ points / chances.sum()
    # Corrections for discarded ranks leave some probabilities slightly below 0.
    often = np.flatnonzero(chances > 1e-6)
    kept = slice(often[0], often[-1] + 1)
    weights = np.maximum(chances[kept], 0)
    weights /= weights.sum()
    offset = points[kept] - weights @ points[kept]
    spread = weights @ offset**2
    if spread > 0:
        weights *= 1 + (mean - weights @ points[kept]) * offset / spread
    return Chances(int(points[often[0]]), tuple(weights.tolist()))


# ── Errors ───────────────────────────────────────────────────────────────────────────────────────────────


class Measured(NamedTuple):
    """Root mean square errors of six-card win probabilities (0–1), measured by rollouts."""

    anywhere: float
    """Error over all scores."""
    near: float
    """Error if a side has `NEAR_SCORE` or more."""
    end: float
    """Error if both sides have `END_SCORE` or more and the game is open (`OPEN_GAME`)."""


@cache
def measured() -> Measured:
    """Return the errors that `python -m lab solve rollouts` (and `--end`) measured, from stored files."""
    found, end = (json.loads(data_bytes(name)) for name in ("win_rollouts.json", "win_rollouts_end.json"))
    name = "root_mean_square_without_noise"
    return Measured(found[name] / 100, found[f"{name}_near"] / 100, end[name] / 100)


def error_of(board: tuple[int, int], win: float, rules: Rules = SIX_CARD) -> float:
    """Return the standard error of the win probability `win` (0–1) at these scores, for two players."""
    if rules.one_count:
        return next(error for points, error in FIVE_CARD_ERRORS if max(board) < points)
    if min(board) >= END_SCORE and OPEN_GAME <= win <= 1 - OPEN_GAME:
        return measured().end
    return measured().near if max(board) >= NEAR_SCORE else measured().anywhere


def count_alike(dealt: Sequence[Card]) -> int:
    """Return how many hands differ from this one only in the names of the suits, itself included.

    >>> from fifteentwo.rules.cards import cards
    >>> count_alike(cards("5H 5S 5C 5D JH JS")), count_alike(cards("AH 2H 3H 4H 5H 6H"))
    (6, 4)
    """
    held = [(int(card.rank), SUITS.index(card.suit)) for card in dealt]
    return len({frozenset((rank, names[suit]) for rank, suit in held) for names in permutations(range(4))})


# ── As plain values ──────────────────────────────────────────────────────────────────────────────────────


def report(page: Entry) -> dict[str, Any]:
    """Return an entry as plain values for JSON; `options` as in `analysis.discards.discard.report`."""
    return {
        key_of(page.dealt): [card.text for card in page.dealt],
        "role": page.role,
        "board": list(page.board),
        "address": f"/book/{joined(page.dealt)}/{page.role}/{page.board[0]}-{page.board[1]}",
        "options": [_discard_report(one) for one in page.discards],
        "error": round(page.error, JSON_DECIMALS),
        "deals": page.deals,
    }


def key_of(dealt: Sequence[Card]) -> str:
    """Return the key of the dealt cards in JSON: "six" or "five"."""
    return {6: "six", 5: "five"}[len(dealt)]


def _discard_report(one: DiscardEntry) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(one, enc_hook=str)
    return {name: _rounded(value) for name, value in plain.items()}


def _rounded(value: Any) -> Any:
    """Return JSON values with every number rounded to JSON_DECIMALS."""
    if isinstance(value, float):
        return round(value, JSON_DECIMALS)
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list | tuple) else value
