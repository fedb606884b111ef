"""The cards of the rules, with a picture for notebooks."""

from fifteentwo.rules.cards import DECK, Card, Rank, Suit, cards

__all__ = ["DECK", "Card", "Rank", "Suit", "cards"]


def _repr_svg_(card: Card) -> str:
    from fifteentwo.library.card_faces import cards_svg

    return cards_svg([card])


# Notebooks look for this method on the class; `rules` itself does not draw.
Card._repr_svg_ = _repr_svg_  # type: ignore[attr-defined]
