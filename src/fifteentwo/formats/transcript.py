"""The transcript of the cribbage forum (cribbageforum.com, its annotated games); it is read here.

    PONE (0): Aiko
    6S-7H-9D-JC  (3H-QD)
    play: 9D 9S (18-2) JC (28-1)  8S 7H (15-2) 6S (21-3) 7C (28-1)  8H (8-1)
    crib: 3H-QD 2C-KD
    cut: 6C
    7C-8H-8S-9S  (2C-KD)
    DEALER (0*): Ken

Text between deals is ignored. Every score and count within a deal is checked. Suits may be missing; they are
filled in only on request. A card that is not written down is `?`: if it was not seen before the end of the
game, the record has a marked substitute; otherwise the game is read up to that deal. `transcript_writing`
writes transcripts.
"""

import re
from typing import NamedTuple

from fifteentwo.formats import forfeit_lines
from fifteentwo.formats.deals import (
    GameBuilder,
    WrittenCard,
    WrittenDeal,
    notation_rules,
    substitute_cards,
    unknown_card,
)
from fifteentwo.formats.suits import Unsuited, suit_choices
from fifteentwo.rules.cards import RANK_TEXT, Card, Rank, Suit
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.events import Event, Pegged, PeggedFor, Played
from fifteentwo.rules.record import MAX_NAME_LENGTH, UNKNOWN, Record
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
_MAX_NAME_LENGTH = 40
NO_NAME = "–"


class _Count(NamedTuple):
    """A count that the transcript states within the play, such as (29-1)."""

    reached: int
    points: int
    line: int


class _Block:
    """A deal as written, line by line; scores and names are pone's and the dealer's."""

    def __init__(self, line: int, text: str, score: int, name: str) -> None:
        self.line, self.text, self.scores, self.names = line, text.strip(), [score, 0], [name, ""]
        self.hands: list[list[WrittenCard]] = []
        self.discarded: list[list[WrittenCard] | None] = []
        self.crib: list[list[WrittenCard]] = []
        self.cut: list[WrittenCard] = []
        self.play: list[WrittenCard] = []
        self.counts: dict[int, _Count] = {}
        self.foot = 0
        self._part = ""

    def add_line(self, line: str, number: int) -> None:
        """Add a line between the two headers; raise NotationError if it does not belong to a deal."""
        part = _PART.fullmatch(line)
        if part is not None:
            self._part = (part[1] or part[2]).lower()
            if (self.play, self.crib, self.cut)[("play", "crib", "cut").index(self._part)]:
                raise NotationError("part-twice", line, number)
            self._add_text(part[3], number)
        elif (
            (hand := _HAND.fullmatch(line)) is not None
            and len(_cards(hand[1], number)) == 4
            and self._hand_may_follow()
        ):
            self._part = ""
            self.hands.append(_cards(hand[1], number))
            # Groups 2 and 3 belong to `_ONE`.
            self.discarded.append(_cards(hand[4], number) if hand[4] else None)
        elif self._part in ("play", "crib") or (self.hands and not self.play):
            self._part = self._part or "play"
            self._add_text(line, number)
        elif not self.names[0] and not self.hands and len(line.strip()) <= _MAX_NAME_LENGTH:
            self.names[0] = line.strip()
        else:
            raise NotationError("line-not-known", line, number)

    def _hand_may_follow(self) -> bool:
        """Return whether a hand may be next: pone's first, the dealer's after the play."""
        return not self.hands or (len(self.hands) == 1 and self._part != "play") or bool(self.cut)

    def _add_text(self, text: str, number: int) -> None:
        match self._part:
            case "play":
                self._add_play(text, number)
            case "crib":
                self.crib += [_cards(pair, number) for pair in text.split() if pair.strip("-")]
            case _:
                self.cut += _cards(text, number)

    def _add_play(self, text: str, number: int) -> None:
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

    def finish(self, score: int, name: str, number: int) -> None:
        """End the deal at the dealer's header; raise NotationError if a part is missing."""
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
                self.discarded[place] = _merge_discards(pair, written)

    def substitute_unknown(self) -> "tuple[tuple[Card, ...], int]":
        """Substitute cards that are not written down; return the substitutes and the line of the first.

        NotationError is raised if one of them was cut or played.
        """
        groups = [*self.hands, *[pair or [] for pair in self.discarded]]
        every = [card for group in (*groups, self.cut, self.play) for card in group]
        lines = sorted(card.line for card in every if card.unknown)
        if not lines:
            return (), 0
        if any(card.unknown for card in (*self.cut, *self.play)):
            raise unknown_card(lines[0])
        self._copy_from_play()
        every = [card for group in (*groups, self.cut, self.play) for card in group]
        known = [card for card in every if not card.unknown]
        others = substitute_cards(
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

    def _copy_from_play(self) -> None:
        """Copy cards that only the play has into the hand that they must belong to."""
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


def _merge_discards(pair: list[WrittenCard], crib: list[WrittenCard]) -> list[WrittenCard]:
    """Return two discards from hand and crib; the suit may be written in only one place."""
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


def read(text: str, *, target: int = 121, fill_suits: bool = False) -> tuple[GameBuilder, Record, int]:
    """Return the builder of a game, its record, and the number of suits filled in."""
    text, rest = forfeit_lines.split_text(text)
    blocks = _blocks(text)
    names = _names(blocks) if blocks else (rest.name(0), rest.name(1))
    rules = notation_rules(target, rest.muggins or Muggins.OFF, rest.counting)
    builder, added = GameBuilder(rules, fill_suits=fill_suits), 0
    for number, block in enumerate(blocks):
        dealer = (number + 1) % 2
        _check_scores(builder.state, block, dealer)
        after = blocks[number + 1].scores[::-1] if number + 1 < len(blocks) else None
        try:
            builder, suits = _add_deal(builder, block, dealer, after)
        except NotationError as error:
            builder.stop(error)
            break
        added += suits
    else:
        rest.apply_to(builder)
    return builder, builder.record(names), added


def _add_deal(
    builder: GameBuilder, block: _Block, dealer: int, after: list[int] | None
) -> tuple[GameBuilder, int]:
    """Return the game with another deal, and the number of suits filled in.

    after: the score after the deal.
    """
    unknown, line = block.substitute_unknown()
    whole = Unsuited(block.hands, [pair or [] for pair in block.discarded], block.cut[0])
    whole = whole.with_suits_of(block.play)
    missing = whole.missing()
    if missing is not None and not builder.fill_suits:
        raise NotationError("suit-missing", str(missing), missing.line)
    for cards in suit_choices(whole):
        trial = GameBuilder(builder.rules, fill_suits=builder.fill_suits)
        trial.state, trial.actions = builder.state, [*builder.actions]
        deal = _deal(block, cards, dealer)._replace(unknown=unknown, unknown_line=line)
        by_card = trial.add(deal)
        if missing is None or after is None or trial.state.won or _scores(trial.state, dealer) == after:
            break
    else:
        raise NotationError("no-suits-fit", block.text, block.line)
    _check_counts(block, by_card)
    return trial, whole.number_missing()


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
            block.finish(int(foot[1]), foot[2].strip(), number)
            blocks.append(block)
            block, named = None, block
        elif block is not None:
            block.add_line(line, number)
        elif _ANY_PART.match(line):
            raise NotationError("part-without-pone", line, number)
        elif named is not None:
            # The dealer's name may be on the next line; a longer line is a comment.
            if not named.names[1] and len(line.strip()) <= _MAX_NAME_LENGTH:
                named.names[1] = line.strip()
            named = None
    if block is not None:
        raise NotationError("block-cut-short", block.text, block.line)
    return blocks


def _names(blocks: list[_Block]) -> tuple[str, str]:
    """Return names by seat: the first pone has seat 0, and the players alternate."""
    names = ["", ""]
    for number, block in enumerate(blocks):
        for place, name in enumerate(block.names):
            seat, line = (number + place) % 2, (block.line, block.foot)[place]
            if not name or name == NO_NAME:
                continue
            if len(name) > MAX_NAME_LENGTH:
                raise NotationError("name-too-long", name, line)
            if names[seat] and name != names[seat]:
                if place and number:
                    continue  # This is a short comment below the deal, because the name is known.
                raise NotationError("names-do-not-alternate", name, line)
            names[seat] = name
    return names[0], names[1]


def _scores(state: State, dealer: int) -> list[int]:
    """Return the scores as in the next deal's headers, where this dealer is pone."""
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
    """Return the deal with suits. cards: hands and discards of pone and dealer, and the starter."""
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
    """Check counts and points against the rules; raise NotationError if they differ."""
    if len(by_card) < len(block.play):
        raise NotationError("card-after-the-end", str(block.play[len(by_card)]), block.play[-1].line)
    for place, written in block.counts.items():
        right = count_and_points(by_card[place])
        if right != written[:2]:
            difference = f"({written.reached}-{written.points}) ≠ ({right[0]}-{right[1]})"
            raise NotationError("count-disagrees", difference, written.line)


def count_and_points(events: tuple[Event, ...]) -> tuple[int, int]:
    """Return the count after a card, and the points pegged for it."""
    count = next(event.count for event in events if isinstance(event, Played))
    of_play = (PeggedFor.PLAY, PeggedFor.LAST_CARD)
    return count, sum([e.points for e in events if isinstance(e, Pegged) and e.reason in of_play])
