"""The transcript of the cribbage forum (cribbageforum.com, its annotated games), read and written.

    PONE (0): Aiko
    6S-7H-9D-JC  (3H-QD)
    play: 9D 9S (18-2) JC (28-1)  8S 7H (15-2) 6S (21-3) 7C (28-1)  8H (8-1)
    crib: 3H-QD 2C-KD
    cut: 6C
    7C-8H-8S-9S  (2C-KD)
    DEALER (0*): Ken

Between deals stands whatever the writer had to say. A score within a deal is checked, and so is every count.
Suits may be missing, and cards that nobody saw are `?`: both are asked for, never made up.
"""

import re
from typing import NamedTuple

from fifteentwo.formats import ending
from fifteentwo.formats.deals import CannotBeWritten, Laid, Telling, ToldDeal, deals_of, told_rules
from fifteentwo.formats.suits import Unsuited, suited
from fifteentwo.rules.cards import RANK_TEXT, Card, Rank, Suit
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.events import DealerChosen, Event, GameWon, Pegged, PeggedFor, Played
from fifteentwo.rules.record import MOST_NAME, Record, replay
from fifteentwo.rules.state import State, start
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
_SAID = re.compile(rf"\s*(?:{_ONE}|\((\d{{1,2}})-(\d{{1,2}})\))")
_LONGEST_NAME = 40
_NO_NAME = "–"


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
        self.hands: list[list[Laid]] = []
        self.thrown: list[list[Laid] | None] = []
        self.crib: list[list[Laid]] = []
        self.cut: list[Laid] = []
        self.play: list[Laid] = []
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
            (hand := _HAND.fullmatch(line)) is not None and len(_cards(hand[1], number)) == 4 and self._room()
        ):
            self._in = ""
            self.hands.append(_cards(hand[1], number))
            # The groups of `_ONE` stand between.
            self.thrown.append(_cards(hand[4], number) if hand[4] else None)
        elif self._in in ("play", "crib") or (self.hands and not self.play):
            self._in = self._in or "play"
            self._more(line, number)
        elif not self.names[0] and not self.hands and len(line.strip()) <= _LONGEST_NAME:
            self.names[0] = line.strip()
        else:
            raise NotationError("line-not-known", line, number)

    def _room(self) -> bool:
        """Whether a hand may come now: pone's first, the dealer's after the play."""
        return not self.hands or (len(self.hands) == 1 and self._in != "play") or bool(self.cut)

    def _more(self, said: str, number: int) -> None:
        match self._in:
            case "play":
                self._plays(said, number)
            case "crib":
                self.crib += [_cards(pair, number) for pair in said.split() if pair.strip("-")]
            case _:
                self.cut += _cards(said, number)

    def _plays(self, said: str, number: int) -> None:
        at, end = 0, len(said.rstrip())
        while at < end:
            word = _SAID.match(said, at)
            if word is None:
                raise NotationError("word-not-a-card", said[at:].split()[0], number)
            if word[1]:
                self.play.append(_laid(word[1], word[2], number))
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
        for place, pair in enumerate(self.thrown):
            written = self.crib[place] if len(self.crib) > place else None
            if pair is None:
                self.thrown[place] = pair = written
            if pair is None or len(pair) != 2 or len(self.crib) > 2:
                raise NotationError("discards-missing", self.text, number)
            if written is not None:
                self.thrown[place] = _of_both(pair, written)


def _laid(rank: str, suit: str, line: int) -> Laid:
    if rank == "?":
        raise NotationError("card-unknown", rank, line)
    return Laid(
        Rank(RANK_TEXT.index(rank.replace("10", "T")) + 1), Suit(_SUITS[suit]) if suit else None, line
    )


def _cards(said: str, line: int) -> list[Laid]:
    if said.strip() and not _CARDS.fullmatch(said):
        raise NotationError("word-not-a-card", said.split()[0], line)
    return [_laid(rank, suit, line) for rank, suit in _CARD.findall(said)]


def _of_both(pair: list[Laid], crib: list[Laid]) -> list[Laid]:
    """Two cards as the hand and the crib have them: a suit may stand in only one of the two."""
    both = []
    for one, other in zip(pair, crib, strict=False):
        apart = one.suit is not None and other.suit is not None and one.suit is not other.suit
        if len(crib) != len(pair) or one.rank is not other.rank or apart:
            raise NotationError("crib-disagrees", _told(crib), crib[0].line)
        both.append(one if one.suit is not None else Laid(one.rank, other.suit, one.line))
    return both


def _told(cards: list[Laid]) -> str:
    return "-".join(map(str, cards))


# ── Reading ──────────────────────────────────────────────────────────────────────────────────────────────


def read(text: str, *, target: int = 121, fill_suits: bool = False) -> tuple[Record, str, int]:
    """A game, the name of this format, and how many suits were filled in; NotationError as `formats.read`."""
    text, rest = ending.split(text)
    blocks = _blocks(text)
    names = _names(blocks) if blocks else (rest.name(0), rest.name(1))
    rules = told_rules(target, rest.muggins or Muggins.OFF, claimed=rest.claimed)
    telling, added = Telling(rules, fill_suits=fill_suits), 0
    for number, block in enumerate(blocks):
        dealer = (number + 1) % 2
        _check_scores(telling.state, block, dealer)
        whole = Unsuited(block.hands, [pair or [] for pair in block.thrown], block.cut[0])
        after = blocks[number + 1].scores[::-1] if number + 1 < len(blocks) else None
        whole = whole.told_by(block.play)
        missing = whole.missing()
        if missing is not None and not fill_suits:
            raise NotationError("suit-missing", str(missing), missing.line)
        for cards in suited(whole):
            trial = _copied(telling)
            deal = _deal(block, cards, dealer)
            brought = trial.add(deal)
            if missing is None or after is None or trial.state.won or _scores(trial.state, dealer) == after:
                break
        else:
            raise NotationError("no-suits-fit", block.text, block.line)
        _check_counts(block, brought)
        telling, added = trial, added + whole.number_missing()
    rest.follow(telling)
    return telling.record(names), "transcript", added


def _copied(telling: Telling) -> Telling:
    other = Telling(telling.rules, fill_suits=telling.fill_suits)
    other.state, other.actions = telling.state, [*telling.actions]
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
        for place, said in enumerate(block.names):
            seat, line = (number + place) % 2, (block.line, block.foot)[place]
            if not said or said == _NO_NAME:
                continue
            if len(said) > MOST_NAME:
                raise NotationError("name-too-long", said, line)
            if names[seat] and said != names[seat]:
                if place and number:
                    continue  # A short word of the writer's below the deal; the name is known.
                raise NotationError("names-do-not-alternate", said, line)
            names[seat] = said
    return names[0], names[1]


def _scores(state: State, dealer: int) -> list[int]:
    """As the next deal's heads have them: its pone was the dealer."""
    return [state.front[1 - dealer], state.front[dealer]]


def _check_scores(state: State, block: _Block, dealer: int) -> None:
    if state.won is not None:
        raise NotationError("game-already-won", block.text, block.line)
    for seat, said, line in (
        (1 - dealer, block.scores[0], block.line),
        (dealer, block.scores[1], block.foot),
    ):
        if state.front[seat] != said:
            raise NotationError("score-disagrees", f"{said} ≠ {state.front[seat]}", line)


def _deal(block: _Block, cards: tuple[tuple[Card, ...], ...], dealer: int) -> ToldDeal:
    """The deal with its suits; cards: pone's and the dealer's hands and throws, and the starter."""
    pone_hand, dealer_hand, pone_threw, dealer_threw, (starter,) = cards
    hands, thrown = (pone_hand, dealer_hand), (pone_threw, dealer_threw)
    by_seat = (0, 1) if dealer == 1 else (1, 0)
    return ToldDeal(
        dealer,
        (hands[by_seat[0]], hands[by_seat[1]]),
        (thrown[by_seat[0]], thrown[by_seat[1]]),
        starter,
        tuple(block.play),
        text=block.text,
        line=block.line,
    )


def _check_counts(block: _Block, brought: list[tuple[Event, ...]]) -> None:
    """Every count and its points, as the rules have them; and no card after the game was won."""
    if len(brought) < len(block.play):
        raise NotationError("card-after-the-end", str(block.play[len(brought)]), block.play[-1].line)
    for place, said in block.counts.items():
        made = _made(brought[place])
        if made != said[:2]:
            told = f"({said.reached}-{said.points}) ≠ ({made[0]}-{made[1]})"
            raise NotationError("count-disagrees", told, said.line)


def _made(events: tuple[Event, ...]) -> tuple[int, int]:
    """The count that a card made, and what was pegged for it."""
    count = next(event.count for event in events if isinstance(event, Played))
    of_play = (PeggedFor.PLAY, PeggedFor.LAST_CARD)
    return count, sum([e.points for e in events if isinstance(e, Pegged) and e.reason in of_play])


# ── Writing ──────────────────────────────────────────────────────────────────────────────────────────────


def write(record: Record) -> str:
    """The game as a transcript with every suit; CannotBeWritten where it has no sign for something in it."""
    deals, rest = deals_of(record)
    if not deals and not rest:
        raise CannotBeWritten("format-no-deals")
    wrong = next((n for n, deal in enumerate(deals, 1) if deal.missed or deal.over), None)
    if wrong is not None:
        raise CannotBeWritten("format-claim", wrong)
    names = [" ".join(name.split()) or _NO_NAME for name in record.names]
    fronts = _fronts(record)
    rules, telling = told_rules(record.rules.target), Telling(told_rules(record.rules.target))
    assert rules.target == record.rules.target
    blocks = []
    for number, deal in enumerate(deals):
        played = telling.add(deal)
        blocks.append(_written(number + 1, deal, fronts[number], names, played))
    if rest:
        pone = _first_pone(record)
        blocks.append(
            "".join(f"{line}\n" for line in ending.lines_of(record, rest, whole=bool(deals), turned=pone))
        )
    return "\n".join(blocks)


def _first_pone(record: Record) -> int:
    """Who is first dealt to, whom this notation puts at seat 0; 0 where nobody deals."""
    for _, state, events in replay(record):
        if any(isinstance(event, DealerChosen) for event in events):
            return state.eldest
    return 0


def _fronts(record: Record) -> list[tuple[int, ...]]:
    """The score before each deal."""
    fronts, before = [], start(record.rules, named=record.named)
    for action, after, _ in replay(record):
        if type(action).__name__ == "Deal":
            fronts.append(before.front)
        before = after
    return fronts


def _written(
    number: int, deal: ToldDeal, front: tuple[int, ...], names: list[str], played: list[tuple[Event, ...]]
) -> str:
    pone = 1 - deal.dealer
    thrown = ["-".join(card.text for card in deal.thrown[seat]) for seat in (pone, deal.dealer)]
    hands = ["-".join(card.text for card in deal.kept[seat]) for seat in (pone, deal.dealer)]
    lines = [
        f"Deal {number}",
        "",
        f"PONE ({front[pone]}): {names[pone]}",
        f"{hands[0]}  ({thrown[0]})",
        f"play: {_play_told(deal, played)}".rstrip(),
        f"crib: {thrown[0]} {thrown[1]}",
        f"cut: {deal.starter}",
        f"{hands[1]}  ({thrown[1]})",
        f"DEALER ({front[deal.dealer]}*): {names[deal.dealer]}",
    ]
    return "".join(f"{line}\n" for line in lines)


def _play_told(deal: ToldDeal, played: list[tuple[Event, ...]]) -> str:
    words = []
    for laid, events in zip(deal.play, played, strict=False):
        count, points = _made(events)
        words.append(f"{laid} ({count}-{points})" if points else str(laid))
        if any(isinstance(event, GameWon) for event in events):
            break
    return " ".join(words)
