"""Positions as the Book needs them: discards, or pegging positions after them."""

from fifteentwo.analysis.book.entry import in_order
from fifteentwo.analysis.book.play import Asked
from fifteentwo.library.position import Position
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import FIVE_CARD, SIX_CARD


def discard_position(position: Position) -> tuple[tuple[Card, ...], bool, tuple[int, int]]:
    """Return the cards dealt, whether their player deals, and both scores.

    Raises:
        NotationError: it is not a discard in the Book.
    """
    seen = position.view()
    _check_in_book(position)
    if seen.phase is not Phase.DISCARD:
        raise NotationError("position-not-at-discard", position.text)
    return seen.hand, seen.is_dealer, (position.score[0], position.score[1])


def pegging_position(position: Position) -> Asked:
    """Return a pegging position for the Book, with the scores at the start of the deal.

    Raises:
        NotationError: it is not a pegging position in the Book.
    """
    seen = position.view()
    _check_in_book(position)
    if seen.starter is None:
        raise NotationError("position-not-in-book", position.text)
    own, other = position.before_deal()
    return Asked(
        dealt=in_order((*seen.kept, *seen.discarded)),
        dealer=seen.is_dealer,
        board=(own, other),
        discard=seen.discarded,
        starter=seen.starter,
        played=tuple([card for _, card in seen.played]),
    )


def _check_in_book(position: Position) -> None:
    in_book = {rules.variant: rules.target for rules in (SIX_CARD, FIVE_CARD)}
    if in_book.get(position.rules.variant) != position.rules.target:
        raise NotationError("position-not-in-book", position.text)
