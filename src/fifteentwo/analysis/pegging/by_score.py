"""The card by the score: from the solved book that suits the board at which pegging began."""

import numpy as np

from fifteentwo.analysis.pegging.beliefs import book_frequencies, history, role_of
from fifteentwo.fast.play import LIMIT, card_points
from fifteentwo.rules.view import View
from fifteentwo.strategy import pegging_by_score
from fifteentwo.strategy.board import TARGET
from fifteentwo.strategy.pegging import Act, PeggingBook


def frequencies_by_score(view: View) -> dict[int, float]:
    """How often to play each rank (0–12) now, for two with six cards.

    By the book for net points where it suits the board best, and where a seat has not played by the other
    book so far. Raises DamagedTable, ImpossiblePlay.
    """
    pone, dealer = begun_at(view)
    number = pegging_by_score.number_at(dealer, pone)
    if number == pegging_by_score.NET:
        return book_frequencies(view)
    book, acts, role = pegging_by_score.books()[number], history(view), role_of(view, view.seat)
    held = [card.index // 4 + 1 for card in view.kept]
    for at, (who, rank) in enumerate(acts):
        if who == role and rank is not None:
            if not _played_by(book, held, acts[:at], rank, view):
                return book_frequencies(view)
            held.remove(rank)
    return {rank - 1: often for rank, often in book.strategy(held, acts, role).items()}


def _played_by(book: PeggingBook, held: list[int], before: tuple[Act, ...], rank: int, view: View) -> bool:
    """Whether a book ever plays this rank from these."""
    return book.strategy(held, before, role_of(view, view.seat)).get(rank, 0.0) > 0


def begun_at(view: View) -> tuple[int, int]:
    """Scores of pone and dealer when pegging began, as in a game to 121; by the rules, were all points
    claimed."""
    pegged = [0, 0]
    starts = (0, *view.count_ends)
    for begin, end in zip(starts, (*view.count_ends, len(view.played)), strict=True):
        pile = np.array([card.index >> 2 for _, card in view.played[begin:end]])
        count = 0
        for place, (seat, card) in enumerate(view.played[begin:end], start=1):
            count += card.value
            pegged[seat == view.dealer] += card_points(pile, 0, place, count)
        if begin < end and end in view.count_ends and count != LIMIT:
            pegged[view.played[end - 1][0] == view.dealer] += 1
    lead = TARGET - view.rules.target
    dealer = view.rules.side(view.dealer)
    scores = view.front[1 - dealer], view.front[dealer]
    return scores[0] - pegged[0] + lead, scores[1] - pegged[1] + lead
