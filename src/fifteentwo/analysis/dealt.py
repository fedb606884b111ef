"""Cards as they are dealt: so many, and none twice."""

from collections.abc import Sequence

from fifteentwo.rules.cards import Card, show_text
from fifteentwo.rules.errors import NotationError


def check_dealt(held: Sequence[Card], number: int) -> None:
    """NotationError unless these are so many different cards."""
    if len(held) != number:
        raise NotationError("wrong-number-of-cards", show_text(held), len(held))
    for place, card in enumerate(held):
        if card in held[:place]:
            raise NotationError("card-twice", card.text, place)
