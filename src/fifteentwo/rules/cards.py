"""The deck: ranks, suits and the 52 cards (R6–R9)."""

import re
import unicodedata
from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import NoReturn, Self, final

from fifteentwo.rules.errors import InvalidArgument, NotationError


class Rank(IntEnum):
    """Ranks from ace to king (R8)."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13


class Suit(StrEnum):
    """The four suits, which do not matter for runs (R9)."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


RANK_TEXT = "A23456789TJQK"
"""Letters of the ranks, ace to king."""
SUIT_TEXT = "SHDC"
"""Letters of the suits in index order."""
_SUIT_SIGNS = str.maketrans("♠♤♥♡♦♢♣♧", "SSHHDDCC", "\ufe0e\ufe0f")
"""Translation of suit signs to letters; it deletes the selectors of their style."""
_CARD_SIGNS = {
    0x1F0A1 + 16 * suit + number: f"{rank}{SUIT_TEXT[suit]} "
    for suit in range(4)
    # Unicode has a knight between jack and queen.
    for number, rank in enumerate("A23456789TJ.QK")
}
"""Translation of Unicode's signs of whole cards, such as 🂵, to text."""
_JOINED = re.compile("(?:(?:10|[A02-9TJQK])[SHDC])+|(?:[SHDC](?:10|[A02-9TJQK]))+")
_JOINED_CARD = re.compile("10[SHDC]|[SHDC]10|..")


@final
class Card:
    """One of the 52 cards. `Card("5H")` always returns the same object.

    >>> Card("10h") is Card("TH") is Card("♥10")
    True
    >>> Card("KS").rank, Card("KS").value, Card("KS").index
    (<Rank.KING: 13>, 10, 48)
    """

    __slots__ = ("index", "rank", "suit", "text", "value")

    index: int
    """Number from 0 to 51: four for each rank, suits in the order S H D C."""
    rank: Rank
    suit: Suit
    text: str
    """Rank and suit as two letters, for example "5H"."""
    value: int
    """Counting value: ace 1, court cards 10 (R7)."""

    def __new__(cls, text: str) -> "Card":
        """Return the card of a text: rank and suit in any order, letters or signs; raise NotationError."""
        try:
            return _BY_TEXT[text]
        except (KeyError, TypeError):
            return _parse_card(text)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a card does not change: {name}")

    def __lt__(self, other: "Card") -> bool:
        return self.index < other.index

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Card({self.text!r})"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[type["Card"], tuple[str]]:
        return Card, (self.text,)


def _make_card(index: int) -> Card:
    card = object.__new__(Card)
    rank, suit = Rank(index // 4 + 1), Suit(SUIT_TEXT[index % 4])
    for name, value in (
        ("index", index),
        ("rank", rank),
        ("suit", suit),
        ("text", RANK_TEXT[rank - 1] + suit.value),
        ("value", min(int(rank), 10)),
    ):
        object.__setattr__(card, name, value)
    return card


DECK: tuple[Card, ...] = tuple(_make_card(index) for index in range(52))
"""All 52 cards in index order."""

_BY_TEXT: dict[str, Card] = {card.text: card for card in DECK}


def _parse_card(text: object) -> Card:
    if not isinstance(text, str):
        raise InvalidArgument("not-a-card-as-text", "text", text)
    plain = _plain_text(text).strip().replace("10", "T").replace("0", "T")
    if len(plain) == 2:
        card = _BY_TEXT.get(plain) or _BY_TEXT.get(plain[1] + plain[0])
        if card is not None:
            return card
    raise NotationError("not-a-card", text)


def _plain_text(text: str) -> str:
    return with_suit_letters(unicodedata.normalize("NFKC", text.translate(_CARD_SIGNS)).upper())


def with_suit_letters(text: str) -> str:
    """Return a text with letters instead of suit signs, and without the selectors of their style."""
    return text.translate(_SUIT_SIGNS)


def cards(text: str) -> tuple[Card, ...]:
    """Return cards from text, such as "5H 10C ♠A", "5H,10C" or "5H10CAS".

    Raises:
        NotationError: a word is not a card, or a card occurs twice (R6).
    """
    if not isinstance(text, str):
        raise InvalidArgument("not-a-card-as-text", "text", text)
    try:
        read = tuple([_BY_TEXT[word] for word in text.split()])
    except KeyError:
        words = text.translate(_CARD_SIGNS).replace(",", " ").split()
        read = tuple([card for at, word in enumerate(words) for card in _read_word(word, at)])
    if len({*read}) < len(read):
        place = next(place for place, card in enumerate(read) if card in read[:place])
        raise NotationError("card-twice", read[place].text, place)
    return read


def _read_word(word: str, position: int) -> list[Card]:
    plain = _plain_text(word)
    if _JOINED.fullmatch(plain):
        return [Card(part) for part in _JOINED_CARD.findall(plain)]
    try:
        return [Card(word)]
    except NotationError as error:
        raise NotationError(error.code, word, position) from None


def show_text(held: Iterable[Card]) -> str:
    """Return cards as text separated by spaces, which `cards` reads."""
    return " ".join(card.text for card in held)
