"""Addresses of the Book: read however they are written, and the one way in which they are.

/book/5H5S6D7CJCKD/pone/110-116                  six cards, role, own and other's points
/book/5H5S6D7CJC/pone/3-0                        five cards: five-card cribbage
/book/5H5S6D7CJCKD/pone/110-116/JCKD/4S/5HTS     discarded, the starter, cards played in order
/book/110-116 pone 5H5S6D7CJCKD                  a position as one line, which leads to one of these
"""

import re
import unicodedata
from collections.abc import Mapping

from fifteentwo.analysis.book_entry import in_order, joined, rules_of
from fifteentwo.analysis.book_play import Asked, address
from fifteentwo.formats.position import is_meant
from fifteentwo.library.book import asked, of_discard
from fifteentwo.library.position import Position
from fifteentwo.rules.cards import Card
from fifteentwo.rules.variants import FIVE_CARD, SIX_CARD
from fifteentwo.server.errors import Refused

LONGEST = 120
DEALT = (SIX_CARD.dealt, FIVE_CARD.dealt)
_SIGNS = {"♠": "S", "♤": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D", "♣": "C", "♧": "C"}
_BETWEEN = re.compile(r"[\s,.;+_\-·、]|[\ufe0e\ufe0f]")
_CARD = re.compile("[A2-9TJQK][SHDC]|[SHDC][A2-9TJQK]")
ROLES = {"pone": False, "dealer": True}


def read_cards(written: str) -> tuple[Card, ...]:
    """Return cards in the order written, joined or parted, rank or suit first, letters or signs; Refused."""
    plain = unicodedata.normalize("NFKC", written[: LONGEST + 1]).upper()
    for sign, letter in _SIGNS.items():
        plain = plain.replace(sign, letter)
    plain = _BETWEEN.sub("", plain).replace("10", "T")
    if len(written) <= LONGEST and len(plain) % 2 == 0:
        pairs = [plain[place : place + 2] for place in range(0, len(plain), 2)]
        if all(_CARD.fullmatch(pair) for pair in pairs):
            return tuple([Card(pair) for pair in pairs])
    raise Refused("book-cards", status=404, text=written[:40])


def read_hand(written: str) -> tuple[Card, ...]:
    """Return six different cards, or five, in the Book's order; Refused."""
    held = read_cards(written)
    if len(held) not in DEALT:
        raise Refused("book-six", status=404, number=len(held))
    _once(held)
    return in_order(held)


def read_role(written: str) -> bool:
    """Return whether the dealer's; Refused where it is neither role."""
    role = unicodedata.normalize("NFKC", written).strip().lower()
    if role not in ROLES:
        raise Refused("book-role", status=404, text=written[:40])
    return ROLES[role]


def read_board(written: str, target: int) -> tuple[int, int]:
    """Return own and other's points; Refused where no deal begins there."""
    scores = re.fullmatch(
        r"\s*([0-9]{1,3})\s*[-–—:,]\s*([0-9]{1,3})\s*", unicodedata.normalize("NFKC", written)
    )
    if scores is None or max(int(scores[1]), int(scores[2])) >= target:
        raise Refused("book-board", status=404, text=written[:40], most=target - 1)
    return int(scores[1]), int(scores[2])


def read_entry(parts: Mapping[str, str]) -> tuple[tuple[Card, ...], bool, tuple[int, int]]:
    """Return the cards dealt, whether the dealer's, and the board, by the parts of an address; Refused."""
    dealt = read_hand(parts["hand"])
    return dealt, read_role(parts["role"]), read_board(parts["board"], rules_of(dealt).target)


def hand_address(dealt: tuple[Card, ...], dealer: bool, board: tuple[int, int]) -> str:
    """Return the address of cards dealt in the Book."""
    return f"/book/{joined(in_order(dealt))}/{'dealer' if dealer else 'pone'}/{board[0]}-{board[1]}"


def read_position(written: str) -> str | None:
    """Return the address of a position written as one line, docs/position.md; None where that is not meant.

    NotationError where it is meant, and is none of the Book's.
    """
    if not is_meant(written):
        return None
    position = Position(written)
    if position.view().starter is not None:
        return address(asked(position))
    return hand_address(*of_discard(position))


def read_asked(parts: Mapping[str, str]) -> Asked:
    """Return a position of the pegging by the parts of its address; Refused."""
    dealt, away = read_hand(parts["hand"]), in_order(read_cards(parts["away"]))
    starter, played = read_cards(parts["starter"]), read_cards(parts.get("played", ""))
    if len(away) != 2 or not {*away} <= {*dealt} or len({*away}) != 2:
        raise Refused("book-discard", status=404, text=parts["away"][:40])
    if len(starter) != 1:
        raise Refused("book-starter", status=404, text=parts["starter"][:40])
    _once((*dealt, *starter, *[card for card in played if card not in dealt]))
    _once(played)
    if starter[0] in played:
        raise Refused("book-twice", status=404, card=starter[0].text)
    return Asked(
        dealt=dealt,
        dealer=read_role(parts["role"]),
        board=read_board(parts["board"], rules_of(dealt).target),
        discard=away,
        starter=starter[0],
        played=played,
    )


def _once(held: tuple[Card, ...]) -> None:
    for place, card in enumerate(held):
        if card in held[:place]:
            raise Refused("book-twice", status=404, card=card.text)
