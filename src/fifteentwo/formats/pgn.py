"""Game files of the program cribbage-zero, for two players with six cards; they are only read.

    [FirstDealer "Aiko"]
    [FirstPone "Ken"]
    [Result "0-1"]

    1.
      H1 5H 5S 6D 7C JC KD  D1 JC KD  S1 12
      …

Each deal is a block of lines. H1 is the hand of the game's first dealer, H2 the other hand; D are discards,
C the starter, P the cards played with | after each count, SP their points; S1, S2, SC and SH are the points
of hands, crib and heels. Every score that is written is checked.
"""

import re
from collections.abc import Sequence

from fifteentwo.formats.deals import GameBuilder, Notice, WrittenCard, WrittenDeal, notation_rules
from fifteentwo.formats.transcript import count_and_points
from fifteentwo.rules.cards import Card, Rank
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.events import Event
from fifteentwo.rules.record import MAX_NAME_LENGTH, Record
from fifteentwo.rules.show import points as show_points

_SETTING = re.compile(r'\s*\[\s*(\w+)\s*"?(.*?)"?\s*\]?\s*')
_NUMBER = re.compile(r"\s*(\d{1,3})\.\s*")
_CARD = re.compile(r"(10|[A1-9TJQK])([SHDC])", re.IGNORECASE)
_PARTS = ("H1", "H2", "D1", "D2", "C", "P", "S1", "S2", "SC", "SP", "SH")
_WINNERS = {"1-0": 0, "0-1": 1}
_LONGEST_NUMBER = 3

Words = list[tuple[str, int]]
"""Words with their line numbers."""


class _Block:
    """The text of one deal in a PGN file, divided into named parts."""

    def __init__(self, line: int, text: str) -> None:
        self.line, self.text = line, text.strip()
        self.parts: dict[str, Words] = {}

    def cards(self, part: str, number: int | None) -> tuple[Card, ...]:
        """Return the cards of a part; raise NotationError if their number is wrong."""
        cards: list[Card] = []
        for word, line in self.parts.get(part, []):
            found = _CARD.findall(word)
            if "?" in word:
                raise NotationError("card-unknown", word, line)
            if "".join(rank + suit for rank, suit in found) != word:
                raise NotationError("word-not-a-card", word, line)
            cards += [Card(f"{'A' if rank == '1' else rank}{suit}".upper()) for rank, suit in found]
        if number is not None and len(cards) != number:
            raise NotationError("part-number", f"{part}: {len(cards)} ≠ {number}", self.line_of(part))
        return tuple(cards)

    def numbers(self, part: str) -> list[int] | None:
        """Return the points of a part, or None if it is not written."""
        words = self.parts.get(part)
        if words is None:
            return None
        for word, line in words:
            if not (word.isascii() and word.isdecimal() and len(word) <= _LONGEST_NUMBER):
                raise NotationError("not-points", word, line)
        return [int(word) for word, _ in words]

    def line_of(self, part: str) -> int:
        """Return the line of a part, or of the deal if the part is not written."""
        words = self.parts.get(part)
        return words[0][1] if words else self.line


def read(text: str, *, target: int = 121) -> tuple[GameBuilder, Record, tuple[Notice, ...]]:
    """Return the builder of a game, its record, and notices; raise NotationError at the first wrong line."""
    header, blocks = _parse(text)
    if not blocks:
        raise NotationError("no-deals", "", len(text.splitlines()))
    builder = GameBuilder(notation_rules(target))
    for number, block in enumerate(blocks):
        try:
            deal = _deal(block, number % 2)
            _check_scores(block, deal, builder.add(deal))
        except NotationError as error:
            builder.stop(error)
            return builder, builder.record(_names(header)), ()
    return builder, builder.record(_names(header)), _notices(header, builder)


def _parse(text: str) -> tuple[dict[str, tuple[str, int]], list[_Block]]:
    header: dict[str, tuple[str, int]] = {}
    blocks: list[_Block] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        if not blocks and (setting := _SETTING.fullmatch(line)):
            key = setting[1].lower()
            if key in header:
                raise NotationError("line-twice", line, number)
            header[key] = (setting[2].strip(), number)
        elif deal := _NUMBER.fullmatch(line):
            if int(deal[1]) != len(blocks) + 1:
                raise NotationError("deal-out-of-order", line, number)
            blocks.append(_Block(number, line))
        elif blocks:
            _add_line(blocks[-1], line, number)
        else:
            raise NotationError("line-not-known", line, number)
    return header, blocks


def _add_line(block: _Block, line: str, number: int) -> None:
    words: Words | None = None
    for word in line.split():
        if word in _PARTS:
            if word in block.parts:
                raise NotationError("part-twice", line, number)
            words = block.parts[word] = []
        elif words is None:
            raise NotationError("line-not-known", line, number)
        elif word != "|":
            words.append((word, number))


def _deal(block: _Block, dealer: int) -> WrittenDeal:
    kept, discarded = [], []
    for seat in (0, 1):
        hand, away = block.cards(f"H{seat + 1}", 6), block.cards(f"D{seat + 1}", 2)
        strange = next((card for card in away if card not in hand), None)
        if strange is not None:
            raise NotationError("card-not-held", strange.text, block.line_of(f"D{seat + 1}"))
        kept.append(tuple([card for card in hand if card not in away]))
        discarded.append(away)
    (starter,) = block.cards("C", 1)
    line = block.line_of("P")
    play = tuple([WrittenCard(card.rank, card.suit, line) for card in block.cards("P", None)])
    return WrittenDeal(
        dealer,
        (kept[0], kept[1]),
        (discarded[0], discarded[1]),
        starter,
        play,
        text=block.text,
        line=block.line,
    )


def _check_scores(block: _Block, deal: WrittenDeal, by_card: Sequence[tuple[Event, ...]]) -> None:
    hands, starter = deal.kept, deal.starter
    crib = (*deal.discarded[0], *deal.discarded[1])
    for part, right in (
        ("SP", [count_and_points(events)[1] for events in by_card]),
        ("S1", [show_points(hands[0], starter, crib=False)]),
        ("S2", [show_points(hands[1], starter, crib=False)]),
        ("SC", [show_points(crib, starter, crib=True)]),
        ("SH", [2 if starter.rank is Rank.JACK else 0]),
    ):
        written = block.numbers(part)
        if written is not None and written != right:
            difference = f"{part} {' '.join(map(str, written))} ≠ {' '.join(map(str, right))}"
            raise NotationError("points-disagree", difference, block.line_of(part))
    if len(deal.play) > len(by_card):
        raise NotationError("card-after-the-end", block.text, block.line_of("P"))


def _names(header: dict[str, tuple[str, int]]) -> list[str]:
    names = []
    for key in ("firstdealer", "firstpone"):
        name, line = header.get(key, ("", 0))
        if len(name) > MAX_NAME_LENGTH:
            raise NotationError("name-too-long", name, line)
        names.append(name)
    return names


def _notices(header: dict[str, tuple[str, int]], builder: GameBuilder) -> tuple[Notice, ...]:
    """Return a notice if the written result differs; cribbage-zero omits a deal that is won in pegging."""
    result, line = header.get("result", ("", 0))
    winner, won = _WINNERS.get(result), builder.state.won
    if winner is None or (won is not None and won.side == winner):
        return ()
    values = {"result": result, "winner": "01"[winner], "scores": "–".join(map(str, builder.state.front))}
    return (Notice("last-deal-missing" if won is None else "other-winner", line, values),)
