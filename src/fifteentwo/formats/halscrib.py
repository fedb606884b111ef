"""HALSCRIB's "PGN for cribbage" (home.mountaincable.net/~halscrib/pgn.htm), read and written.

    Player A: Aiko (UPPER CASE)
    Player B: Ken (lower case)
    Muggins Game: N
    Deal  1: 5H 9s TH 4s KD 7c QD 8h 2H AS 3C kd 2s

A deal is one line: the starter, the cards in the order played, and the four cards of the crib. Suits in
capitals are A's cards. A card that was not played because the game was won is at its place all the same.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from fifteentwo.formats import forfeit_lines
from fifteentwo.formats.deals import (
    CannotBeWritten,
    GameBuilder,
    WrittenCard,
    WrittenDeal,
    notation_rules,
    substitute_cards,
    to_written_game,
)
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.record import MAX_NAME_LENGTH, Record
from fifteentwo.rules.variants import Counting, Muggins

TITLE = "PGN for cribbage"
_HEADER = re.compile(r"\s*(player a|player b|date|event|muggins(?: game)?)\s*:(.*)", re.IGNORECASE)
_DEAL = re.compile(r"\s*deal\s*(\d{1,3})\s*:(.*)", re.IGNORECASE)
_TITLE = re.compile(r"\s*(pgn\b|portable game notation\b)", re.IGNORECASE)
_CASE = re.compile(r"\s*\((?:upper|lower) case\)\s*$", re.IGNORECASE)
_BLANK = re.compile(r"_+")
_CARD = re.compile(r"(?:(10|[A2-9TJQKa2-9tjqk])([SHDCshdc])|([SHDCshdc])(10|[A2-9TJQKatjqk]))")
_UNKNOWN = re.compile(r"\?{1,2}")
_MARK = re.compile(r"([<>#Rr])(\d{1,2})")
CARDS_OF_A_DEAL = 13


class _OwnedCard(NamedTuple):
    """A card as written in a line of a deal, and its player."""

    card: Card
    owner: int
    """The player whose card it is: 0 for A, 1 for B. It has no meaning for the starter."""


def read(text: str, *, target: int = 121) -> tuple[GameBuilder, Record]:
    """Return the builder of a game and its record; raise NotationError at the first line that is wrong."""
    text, rest = forfeit_lines.split_text(text)
    header, written = _parse(text)
    deals = [_deal(line, number, words) for number, line, words in written]
    if not deals and not rest.steps:
        raise NotationError("no-deals", "", len(text.splitlines()))
    muggins = _muggins(header)
    marked = next((deal for deal in deals if deal.missed or deal.overclaimed), None)
    if marked is not None and muggins is None:
        raise NotationError("muggins-not-said", marked.text, marked.line)
    over = next((deal for deal in deals if deal.overclaimed), None)
    if over is not None and not muggins:
        raise NotationError("over-without-muggins", over.text, over.line)
    option = Muggins.OFF if not muggins else Muggins.MISSED if over is None else Muggins.MISSED_AND_OVERCLAIMS
    counting = rest.counting
    if counting is Counting.AUTOMATIC and (muggins or marked is not None):
        counting = Counting.CLAIMED
    builder = GameBuilder(notation_rules(target, rest.muggins or option, counting))
    for deal in deals:
        try:
            builder.add(deal)
        except NotationError as error:
            builder.stop(error)
            break
    else:
        rest.apply_to(builder)
    return builder, builder.record(_name(header, who) for who in ("player a", "player b"))


def _parse(text: str) -> tuple[dict[str, tuple[str, int]], list[tuple[int, str, str]]]:
    """Return the header with its lines, and for each deal its line number, line, and text after the colon."""
    header: dict[str, tuple[str, int]] = {}
    deals: list[tuple[int, str, str]] = []
    unfilled = 0
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if deal := _DEAL.fullmatch(line):
            if int(deal[1]) != len(deals) + unfilled + 1:
                raise NotationError("deal-out-of-order", line, number)
            if all(_BLANK.fullmatch(word) for word in deal[2].split()):
                unfilled += 1
            elif unfilled:
                raise NotationError("deal-left-out", line, number)
            else:
                deals.append((number, line, deal[2]))
        elif setting := _HEADER.fullmatch(line):
            key = setting[1].lower().removesuffix(" game")
            if key in header:
                raise NotationError("line-twice", line, number)
            header[key] = (setting[2].strip(), number)
        elif line.strip() and not (_TITLE.match(line) and not header and not deals):
            raise NotationError("line-not-known", line, number)
    return header, deals


def _name(header: dict[str, tuple[str, int]], who: str) -> str:
    name, line = header.get(who, ("", 0))
    if len(name) > MAX_NAME_LENGTH:
        raise NotationError("name-too-long", name, line)
    name = _CASE.sub("", name)
    return "" if _BLANK.fullmatch(name) else name


def _muggins(header: dict[str, tuple[str, int]]) -> bool | None:
    """Return the circled answer, or None if there is none."""
    value, line = header.get("muggins", ("", 0))
    letters = re.sub(r"[\W_]", "", value).lower()
    if letters in ("", "yn"):
        return None
    if letters in ("y", "yes", "n", "no"):
        return letters.startswith("y")
    raise NotationError("yes-or-no", value, line)


def _deal(line: str, number: int, written: str) -> WrittenDeal:
    """Return the deal of one line. number: line number; written: the part of the line with the cards."""
    words: list[_OwnedCard | None] = []
    missed: dict[int, int] = {}
    over: dict[int, int] = {}
    for word in written.split():
        if mark := _MARK.fullmatch(word):
            _add_mark(mark, len(words) - 2, (missed, over), number)
        elif card := _CARD.fullmatch(word):
            rank, suit = (card[1], card[2]) if card[1] else (card[4], card[3])
            words.append(_OwnedCard(Card(rank + suit), int(suit.islower())))
        elif _UNKNOWN.fullmatch(word):
            words.append(None)
        elif not _BLANK.fullmatch(word):
            raise NotationError("word-not-a-card", word, number)
    if len(words) != CARDS_OF_A_DEAL:
        raise NotationError("halscrib-thirteen", str(len(words)), number)
    whole, unknown = _with_substitutes(words)
    play, crib = whole[1:9], whole[9:]
    kept, discarded = _cards_of(play, 0), _cards_of(crib, 0)
    if len(kept) != 4 or len(discarded) != 2:
        raise NotationError("halscrib-four-each", line.strip(), number)
    cards = tuple(WrittenCard(word.card.rank, word.card.suit) for word in play)
    return WrittenDeal(
        # Pone leads, so the other player is the dealer.
        1 - play[0].owner,
        (kept, _cards_of(play, 1)),
        (discarded, _cards_of(crib, 1)),
        whole[0].card,
        cards,
        missed,
        over,
        line.strip(),
        number,
        unknown,
        number,
    )


def _with_substitutes(words: list[_OwnedCard | None]) -> tuple[list[_OwnedCard], tuple[Card, ...]]:
    """Return all words, with substitutes for cards that are not written down, and the substitutes.

    Every player has four of the eight cards and two of the crib, so the other words decide whose a card is.
    If both players have unknown cards, it does not matter which of them is whose.
    """
    others = substitute_cards([word.card for word in words if word is not None])
    whole: list[_OwnedCard] = []
    unknown: list[Card] = []
    for place, word in enumerate(words):
        if word is None:
            first, end, each = (1, 9, 4) if place < 9 else (9, CARDS_OF_A_DEAL, 2)
            held = [other for other in (*whole[first:place], *words[place + 1 : end]) if other is not None]
            unknown.append(next(others))
            word = _OwnedCard(unknown[-1], int(sum(not other.owner for other in held) >= each))
        whole.append(word)
    return whole, tuple(unknown)


def _cards_of(words: list[_OwnedCard], owner: int) -> tuple[Card, ...]:
    return tuple(word.card for word in words if word.owner == owner)


def _add_mark(
    mark: re.Match[str], place: int, kinds: tuple[dict[int, int], dict[int, int]], line: int
) -> None:
    """Add the mark after a card: points missed, or overclaimed and not called."""
    sign, points = mark[1], int(mark[2])
    if sign in "Rr":
        raise NotationError("mark-violation", mark[0], line)
    if sign == ">":
        raise NotationError("mark-penalty", mark[0], line)
    if not 0 <= place < 8:
        raise NotationError("mark-not-in-play", mark[0], line)
    noted = kinds[0 if sign == "<" else 1]
    if place in kinds[0] or place in kinds[1] or not points:
        raise NotationError("mark-twice", mark[0], line)
    noted[place] = points


def write(record: Record) -> str:
    """Return the game in this notation; raise CannotBeWritten if the notation cannot express it."""
    if record.unknown:
        raise CannotBeWritten("format-unknown")
    deals, rest = to_written_game(record)
    names = [" ".join(name.split()) for name in record.names]
    if not deals and not rest:
        raise CannotBeWritten("format-no-deals")
    lines = [
        TITLE,
        f"Player A: {names[0]} (UPPER CASE)",
        f"Player B: {names[1]} (lower case)",
        f"Muggins Game: {'N' if record.rules.muggins is Muggins.OFF else 'Y'}",
        *(f"Deal {number:2}: {' '.join(_words(deal))}" for number, deal in enumerate(deals, 1)),
        *forfeit_lines.written_lines(record, rest, whole=True),
    ]
    return "".join(f"{line}\n" for line in lines)


def _words(deal: WrittenDeal) -> Iterator[str]:
    yield deal.starter.text
    lead = 1 - deal.dealer
    play = [Card(str(written)) for written in deal.play]
    if play[0] not in deal.kept[lead]:
        # If no card was played, the first card must be one of the player who would have led.
        play = [*deal.kept[lead], *deal.kept[deal.dealer]]
    for place, card in enumerate(play):
        yield _card_text(card, deal.kept)
        if place in deal.missed:
            yield f"<{deal.missed[place]}"
        if place in deal.overclaimed:
            yield f"#{deal.overclaimed[place]}"
    for card in (*deal.discarded[0], *deal.discarded[1]):
        yield _card_text(card, deal.discarded)


def _card_text(card: Card, by_seat: tuple[tuple[Card, ...], tuple[Card, ...]]) -> str:
    return card.text if card in by_seat[0] else card.text[0] + card.text[1].lower()
