"""Cards as the library hands them out: the rules' own, which notebooks show as pictures."""

from fifteentwo.rules.cards import DECK, Card, Rank, Suit, cards

__all__ = ["DECK", "Card", "Rank", "Suit", "cards"]


def _repr_svg_(card: Card) -> str:
    from fifteentwo.library.card_faces import cards_svg

    return cards_svg([card])


# Notebooks ask the class for its picture; the rules draw nothing.
Card._repr_svg_ = _repr_svg_  # type: ignore[attr-defined]
