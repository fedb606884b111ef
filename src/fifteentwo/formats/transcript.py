"""The transcript of the cribbage forum (cribbageforum.com, its annotated games), read.

    PONE (0): Aiko
    6S-7H-9D-JC  (3H-QD)
    play: 9D 9S (18-2) JC (28-1)  8S 7H (15-2) 6S (21-3) 7C (28-1)  8H (8-1)
    crib: 3H-QD 2C-KD
    cut: 6C
    7C-8H-8S-9S  (2C-KD)
    DEALER (0*): Ken

Between deals stands whatever the writer liked. Every score and count within a deal is checked. Suits may be
missing, and are asked for, never made up. A card that is not written down is `?`: where it was not seen
before the game was over, another stands for it in the record, marked; elsewhere the game is read up to that
deal.
`transcript_writing` writes it.
"""

import re
from typing import NamedTuple

from fifteentwo.formats import ending
from fifteentwo.formats.deals import (
    GameBuilder,
    WrittenCard,
    WrittenDeal,
    notation_rules,
    stand_ins,
    unknown_card,
)
from fifteentwo.formats.suits import Unsuited, suited
from fifteentwo.rules.cards import RANK_TEXT, Card, Rank, Suit
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.events import Event, Pegged, PeggedFor, Played
from fifteentwo.rules.record import MOST_NAME, UNKNOWN, Record
from fifteentwo.rules.state import State
from fifteentwo.rules.variants import Muggins

HEAD = re.compile(r"\s*PONE\s*\(\s*(\d{1,3})\s*\)\s*:?(.*)")
_FOOT = re.compile(r"\s*DEALER\s*\(\s*(\d{1,3})\s*\*?\s*\)\s*:?(.*)")
_PART = re.compile(r"\s*(?:(play|crib|cut)\s*:|(cut)\b)(.*)", re.IGNORECASE)
_ANY_PART = re.compile(r"\s*(?:(?:play|crib|cut|pone|dealer)\s*[:(]|(?:PONE|DEALER)\b)", re.IGNORECASE)
_SUITS = dict(zip("SHDCshdc♠♥♦♣♤♡♢♧", "SHDC" * 4, strict=True))
_ONE = rf"(10|[A2-9TJQK?])([{''.join(_SUITS)}]?)[\ufe0e\ufe0f]?"
_CARD = re.compile(_ONE)
_CARDS = re.compile(rf"\s*(?:{_ONE}[-–‐‑,\s]*)+")
_HAND = re.compile(rf"({_CARDS.pattern})(?:[(\[]({_CARDS.pattern})[)\]]\s*)?")
_PLAYED = re.compile(rf"\s*(?:{_ONE}|\((\d{{1,2}})-(\d{{1,2}})\))")
_LONGEST_NAME = 40
NO_NAME = "–"


class _Count(NamedTuple):
    """What the writer says a card made: the count, and the points for it."""

    reached: int
    points: int
    line: int


class _Block:
    """A deal as it is written, line by line."""

    def __init__(self, line: int, text: str, score: int, name: str) -> None:
        self.line, self.text, self.scores, self.names = line, text.strip(), [score, 0], [name, ""]
        """Pone first, then the dealer."""
        self.hands: list[list[WrittenCard]] = []
        self.discarded: list[list[WrittenCard] | None] = []
        self.crib: list[list[WrittenCard]] = []
        self.cut: list[WrittenCard] = []
        self.play: list[WrittenCard] = []
        self.counts: dict[int, _Count] = {}
        self.foot = 0
        self._in = ""

    def take(self, line: str, number: int) -> None:
        """A line between the two heads; NotationError where it belongs to no part of a deal."""
        part = _PART.fullmatch(line)
        if part is not None:
            self._in = (part[1] or part[2]).lower()
            if (self.play, self.crib, self.cut)[("play", "crib", "cut").index(self._in)]:
                raise NotationError("part-twice", line, number)
            self._more(part[3], number)
        elif (
            (hand := _HAND.fullmatch(line)) is not None
            and len(_cards(hand[1], number)) == 4
            and self._hand_may_follow()
        ):
            self._in = ""
            self.hands.append(_cards(hand[1], number))
            # The groups of `_ONE` stand between.
            self.discarded.append(_cards(hand[4], number) if hand[4] else None)
        elif self._in in ("play", "crib") or (self.hands and not self.play):
            self._in = self._in or "play"
            self._more(line, number)
        elif not self.names[0] and not self.hands and len(line.strip()) <= _LONGEST_NAME:
            self.names[0] = line.strip()
        else:
            raise NotationError("line-not-known", line, number)

    def _hand_may_follow(self) -> bool:
        """Whether a hand may come now: pone's first, the dealer's after the play."""
        return not self.hands or (len(self.hands) == 1 and self._in != "play") or bool(self.cut)

    def _more(self, text: str, number: int) -> None:
        match self._in:
            case "play":
                self._plays(text, number)
            case "crib":
                self.crib += [_cards(pair, number) for pair in text.split() if pair.strip("-")]
            case _:
                self.cut += _cards(text, number)

    def _plays(self, text: str, number: int) -> None:
        at, end = 0, len(text.rstrip())
        while at < end:
            word = _PLAYED.match(text, at)
            if word is None:
                raise NotationError("word-not-a-card", text[at:].split()[0], number)
            if word[1]:
                self.play.append(_written_card(word[1], word[2], number))
            elif not self.play or len(self.play) - 1 in self.counts:
                raise NotationError("count-without-card", word[0].strip(), number)
            else:
                self.counts[len(self.play) - 1] = _Count(int(word[3]), int(word[4]), number)
            at = word.end()

    def close(self, score: int, name: str, number: int) -> None:
        """The dealer's head ends the deal; NotationError where a part of it is missing."""
        self.scores[1], self.names[1], self.foot = score, name, number
        if len(self.hands) != 2:
            raise NotationError("hand-missing", self.text, number)
        if len(self.cut) != 1:
            raise NotationError("cut-missing", self.text, number)
        for place, pair in enumerate(self.discarded):
            written = self.crib[place] if len(self.crib) > place else None
            if pair is None:
                self.discarded[place] = pair = written
            if pair is None or len(pair) != 2 or len(self.crib) > 2:
                raise NotationError("discards-missing", self.text, number)
            if written is not None:
                self.discarded[place] = _of_both(pair, written)

    def stood_in(self) -> "tuple[tuple[Card, ...], int]":
        """Put other cards for those not written down: which they are, and the line of the first.

        NotationError where one of them was cut or played.
        """
        groups = [*self.hands, *[pair or [] for pair in self.discarded]]
        every = [card for group in (*groups, self.cut, self.play) for card in group]
        lines = sorted(card.line for card in every if card.unknown)
        if not lines:
            return (), 0
        if any(card.unknown for card in (*self.cut, *self.play)):
            raise unknown_card(lines[0])
        self._found_in_play()
        every = [card for group in (*groups, self.cut, self.play) for card in group]
        known = [card for card in every if not card.unknown]
        others = stand_ins(
            [Card(str(card)) for card in known if card.suit is not None],
            [card.rank for card in known if card.suit is None],
        )
        chosen = []
        for group in groups:
            for place, card in enumerate(group):
                if card.unknown:
                    chosen.append(next(others))
                    group[place] = WrittenCard(chosen[-1].rank, chosen[-1].suit, card.line)
        return tuple(chosen), lines[0]

    def _found_in_play(self) -> None:
        """Write into a hand the cards that only the play has, where no other hand has one open."""
        open_to = [hand for hand in self.hands if any(card.unknown for card in hand)]
        held = [card for hand in self.hands for card in hand if not card.unknown]
        for played in self.play:
            same = [one for one in held if one.rank is played.rank and None in (one.suit, played.suit)]
            known = next((one for one in held if one[:2] == played[:2]), same[0] if same else None)
            if known is not None:
                held.remove(known)
            elif len(open_to) == 1 and any(card.unknown for card in open_to[0]):
                place = next(at for at, card in enumerate(open_to[0]) if card.unknown)
                open_to[0][place] = played._replace(line=open_to[0][place].line)
            elif open_to:
                raise unknown_card(next(card.line for card in open_to[0] if card.unknown))


def _written_card(rank: str, suit: str, line: int) -> WrittenCard:
    if rank == UNKNOWN:
        return WrittenCard(Rank.KING, None, line, unknown=True)
    return WrittenCard(
        Rank(RANK_TEXT.index(rank.replace("10", "T")) + 1), Suit(_SUITS[suit]) if suit else None, line
    )


def _cards(text: str, line: int) -> list[WrittenCard]:
    if text.strip() and not _CARDS.fullmatch(text):
        raise NotationError("word-not-a-card", text.split()[0], line)
    return [_written_card(rank, suit, line) for rank, suit in _CARD.findall(text)]


def _of_both(pair: list[WrittenCard], crib: list[WrittenCard]) -> list[WrittenCard]:
    """Two cards as the hand and the crib have them: a suit may stand in only one of the two."""
    both = []
    for one, other in zip(pair, crib, strict=False):
        if len(crib) == len(pair) and (one.unknown or other.unknown):
            both.append(one if other.unknown else other)
            continue
        apart = one.suit is not None and other.suit is not None and one.suit is not other.suit
        if len(crib) != len(pair) or one.rank is not other.rank or apart:
            raise NotationError("crib-disagrees", _text_of(crib), crib[0].line)
        both.append(one if one.suit is not None else WrittenCard(one.rank, other.suit, one.line))
    return both


def _text_of(cards: list[WrittenCard]) -> str:
    return "-".join(map(str, cards))


# ── Reading ──────────────────────────────────────────────────────────────────────────────────────────────


def read(text: str, *, target: int = 121, fill_suits: bool = False) -> tuple[GameBuilder, Record, int]:
    """A game as it was put together, its record, and how many suits were filled in.

    NotationError as `formats.read`.
    """
    text, rest = ending.split(text)
    blocks = _blocks(text)
    names = _names(blocks) if blocks else (rest.name(0), rest.name(1))
    rules = notation_rules(target, rest.muggins or Muggins.OFF, rest.counting)
    builder, added = GameBuilder(rules, fill_suits=fill_suits), 0
    for number, block in enumerate(blocks):
        dealer = (number + 1) % 2
        _check_scores(builder.state, block, dealer)
        after = blocks[number + 1].scores[::-1] if number + 1 < len(blocks) else None
        try:
            builder, suits = _added(builder, block, dealer, after)
        except NotationError as error:
            builder.stop(error)
            break
        added += suits
    else:
        rest.follow(builder)
    return builder, builder.record(names), added


def _added(
    builder: GameBuilder, block: _Block, dealer: int, after: list[int] | None
) -> tuple[GameBuilder, int]:
    """The game with a deal more, and how many suits were filled in; after: the score that follows it."""
    unknown, line = block.stood_in()
    whole = Unsuited(block.hands, [pair or [] for pair in block.discarded], block.cut[0])
    whole = whole.with_suits_of(block.play)
    missing = whole.missing()
    if missing is not None and not builder.fill_suits:
        raise NotationError("suit-missing", str(missing), missing.line)
    for cards in suited(whole):
        trial = _copied(builder)
        deal = _deal(block, cards, dealer)._replace(unknown=unknown, unknown_line=line)
        by_card = trial.add(deal)
        if missing is None or after is None or trial.state.won or _scores(trial.state, dealer) == after:
            break
    else:
        raise NotationError("no-suits-fit", block.text, block.line)
    _check_counts(block, by_card)
    return trial, whole.number_missing()


def _copied(builder: GameBuilder) -> GameBuilder:
    other = GameBuilder(builder.rules, fill_suits=builder.fill_suits)
    other.state, other.actions = builder.state, [*builder.actions]
    return other


def _blocks(text: str) -> list[_Block]:
    blocks: list[_Block] = []
    block: _Block | None = None
    named: _Block | None = None
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if not line.strip():
            continue
        if head := HEAD.fullmatch(line):
            if block is not None:
                raise NotationError("block-cut-short", line, number)
            block, named = _Block(number, line, int(head[1]), head[2].strip()), None
        elif block is not None and (foot := _FOOT.fullmatch(line)):
            block.close(int(foot[1]), foot[2].strip(), number)
            blocks.append(block)
            block, named = None, block
        elif block is not None:
            block.take(line, number)
        elif _ANY_PART.match(line):
            raise NotationError("part-without-pone", line, number)
        elif named is not None:
            # The dealer's name may stand below; what is longer is the writer's own word.
            if not named.names[1] and len(line.strip()) <= _LONGEST_NAME:
                named.names[1] = line.strip()
            named = None
    if block is not None:
        raise NotationError("block-cut-short", block.text, block.line)
    return blocks


def _names(blocks: list[_Block]) -> tuple[str, str]:
    """By seat: the first pone has seat 0. Each is pone and dealer in turn."""
    names = ["", ""]
    for number, block in enumerate(blocks):
        for place, name in enumerate(block.names):
            seat, line = (number + place) % 2, (block.line, block.foot)[place]
            if not name or name == NO_NAME:
                continue
            if len(name) > MOST_NAME:
                raise NotationError("name-too-long", name, line)
            if names[seat] and name != names[seat]:
                if place and number:
                    continue  # A short word of the writer's below the deal; the name is known.
                raise NotationError("names-do-not-alternate", name, line)
            names[seat] = name
    return names[0], names[1]


def _scores(state: State, dealer: int) -> list[int]:
    """As the next deal's heads have them: its pone was the dealer."""
    return [state.front[1 - dealer], state.front[dealer]]


def _check_scores(state: State, block: _Block, dealer: int) -> None:
    if state.won is not None:
        raise NotationError("game-already-won", block.text, block.line)
    for seat, score, line in (
        (1 - dealer, block.scores[0], block.line),
        (dealer, block.scores[1], block.foot),
    ):
        if state.front[seat] != score:
            raise NotationError("score-disagrees", f"{score} ≠ {state.front[seat]}", line)


def _deal(block: _Block, cards: tuple[tuple[Card, ...], ...], dealer: int) -> WrittenDeal:
    """The deal with its suits; cards: pone's and the dealer's hands and discards, and the starter."""
    pone_hand, dealer_hand, pone_discards, dealer_discards, (starter,) = cards
    hands, discarded = (pone_hand, dealer_hand), (pone_discards, dealer_discards)
    by_seat = (0, 1) if dealer == 1 else (1, 0)
    return WrittenDeal(
        dealer,
        (hands[by_seat[0]], hands[by_seat[1]]),
        (discarded[by_seat[0]], discarded[by_seat[1]]),
        starter,
        tuple(block.play),
        text=block.text,
        line=block.line,
    )


def _check_counts(block: _Block, by_card: list[tuple[Event, ...]]) -> None:
    """Compare each count and its points with the rules; NotationError also for a card after the end."""
    if len(by_card) < len(block.play):
        raise NotationError("card-after-the-end", str(block.play[len(by_card)]), block.play[-1].line)
    for place, written in block.counts.items():
        right = made(by_card[place])
        if right != written[:2]:
            difference = f"({written.reached}-{written.points}) ≠ ({right[0]}-{right[1]})"
            raise NotationError("count-disagrees", difference, written.line)


def made(events: tuple[Event, ...]) -> tuple[int, int]:
    """The count that a card made, and what was pegged for it."""
    count = next(event.count for event in events if isinstance(event, Played))
    of_play = (PeggedFor.PLAY, PeggedFor.LAST_CARD)
    return count, sum([e.points for e in events if isinstance(e, Pegged) and e.reason in of_play])
