"""Cards in signs, for reading, and in words, for screen readers."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from fifteentwo.i18n.catalogue import text
from fifteentwo.rules.cards import RANK_TEXT, Card
from fifteentwo.rules.record import UNKNOWN

TEN_CARDS = {*"TJQK"}
_SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@lru_cache(512)
def card_text(card: Card | str, lang: str) -> str:
    """Return a card in signs: "5♥" in English, 「♥5」 in Japanese; "?" for an unknown card."""
    if card == UNKNOWN:
        return UNKNOWN
    written = _text_of(card)
    rank = "10" if written[0] == "T" else written[0]
    return text("card", lang, rank=rank, sign=_SUIT_SIGNS[written[1]])


def cards_text(cards: Sequence[Card | str], lang: str) -> str:
    """Return cards in signs.

    >>> cards_text(["4C", "TS"], "en"), cards_text(["4C", "TS"], "ja")
    ('4♣ 10♠', '♣4と♠10')
    """
    parts = [card_text(card, lang) for card in cards]
    return text("list.two-cards" if len(parts) == 2 else "list.cards", lang).join(parts)


def discards_text(cards: Iterable[Card | str], lang: str) -> str:
    """Return discards in signs, the lowest rank first, as the hand at the table is sorted.

    >>> discards_text(["KH", "4S"], "en")
    '4♠ K♥'
    """
    return cards_text(sorted(cards, key=lambda card: RANK_TEXT.index(_text_of(card)[0])), lang)


def cards_cell(cards: Sequence[str], lang: str) -> str:
    """Return cards as users type them; in Japanese in signs."""
    return " ".join(card_text(card, lang) if lang == "ja" else card for card in cards)


@lru_cache(512)
def card_name(card: Card | str, lang: str) -> str:
    """Return a card in words.

    >>> card_name("5S", "en"), card_name("JC", "ja")
    ('five of spades', 'クラブのジャック')
    """
    written = _text_of(card)
    rank, suit = text(f"card.rank.{written[0]}", lang), text(f"card.suit.{written[1]}", lang)
    return text("card.name", lang, rank=rank, suit=suit)


def card_names(cards: Iterable[Card | str], lang: str) -> str:
    """Return cards in words, as a list in a sentence."""
    return listed((card_name(card, lang) for card in cards), lang)


def ranks_text(ranks: Sequence[str], lang: str) -> str:
    """Return ranks as alternatives; all four ranks that count ten have one name.

    >>> ranks_text("8TJQK", "en"), ranks_text("AT", "en"), ranks_text("48", "ja")
    ('8 or a ten-card', 'A or 10', '4か8')
    """
    parts = [rank for rank in ranks if not {*ranks} >= TEN_CARDS or rank not in TEN_CARDS]
    names = ["10" if rank == "T" else rank for rank in parts]
    if len(parts) < len(ranks):
        names.append(text("list.ten-card", lang))
    last = text("list.or", lang)
    if len(names) < 2:
        return "".join(names)
    return text("list.or-comma", lang).join(names[:-1]) + last + names[-1]


def listed(items: Iterable[object], lang: str) -> str:
    """Return items as a list in a sentence.

    >>> listed("abc", "en"), listed("ab", "ja"), listed("abc", "ja")
    ('a, b and c', 'aとb', 'a、b、c')
    """
    parts = [str(item) for item in items]
    if len(parts) == 2:
        return text("list.and", lang).join(parts)
    if len(parts) < 2:
        return "".join(parts)
    return f"{text('list.comma', lang).join(parts[:-1])}{text('list.last', lang)}{parts[-1]}"


def _text_of(card: Card | str) -> str:
    return card.text if isinstance(card, Card) else card
