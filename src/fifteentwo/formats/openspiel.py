"""Histories of OpenSpiel's game cribbage, for two, three or four players; they are only read.

A history has the actions of chance and players in order, as numbers (`history_str()`, `serialize()`) or as
the words of `action_to_string`. Its actions follow the rules, but its scores do not: a crib with four cards
of one suit counts as a flush (R86), and all hands are counted before OpenSpiel looks for a winner, by the
players' numbers (R78). The game is played by the rules, with a notice for each difference.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from fifteentwo.formats.deals import Notice
from fifteentwo.rules.actions import Action, Deal, Discard, NameDealer, Play, TurnUp
from fifteentwo.rules.cards import RANK_TEXT, Card
from fifteentwo.rules.errors import IllegalAction, NotationError
from fifteentwo.rules.events import Event, Pegged, PeggedFor
from fifteentwo.rules.game import step
from fifteentwo.rules.record import Record
from fifteentwo.rules.show import points as show_points
from fifteentwo.rules.state import State, start
from fifteentwo.rules.variants import Variant, rules_for

_VARIANTS = {2: Variant.SIX_CARD, 3: Variant.THREE_HANDED, 4: Variant.PARTNERS}
_SUITS = "CDHS"
PASS_ACTION = 2756
"""Action of a player who cannot play a card."""
_TARGET = 121
_FLUSH = 4
_GAME = re.compile(r"\s*cribbage\(\s*(?:.*?players=(\d))?")
_HEADS = re.compile(r"\s*(?:#.*|\[\w+\]|Version: \d+)\s*")
_WORDS = re.compile(
    r"\s*(?:Deal ([A2-9TJQK][SHDC])|Choose ([A2-9TJQK][SHDC])(?: ([A2-9TJQK][SHDC]))?|(Pass))\s*"
)
_PEGGING = (PeggedFor.PLAY, PeggedFor.LAST_CARD, PeggedFor.HEELS)


_PLAYTHROUGH = re.compile(r"\s*game: *cribbage\b")
_PLAYTHROUGH_LINE = re.compile(r"(game|action): *(.*)")


def shorten_playthrough(text: str) -> str:
    """Return only the game and actions of a playthrough, with a comment for each other line; or the text."""
    if not _PLAYTHROUGH.match(text):
        return text
    found = [_PLAYTHROUGH_LINE.fullmatch(line.strip()) for line in text.lstrip().splitlines()]
    names = {"cribbage": "cribbage()"}
    skipped = text[: -len(text.lstrip())].count("\n")
    return "\n" * skipped + "\n".join(names.get(one[2], one[2]) if one else "#" for one in found)


class _Move(NamedTuple):
    number: int
    line: int
    text: str

    def error(self, code: str) -> NotationError:
        return NotationError(code, self.text, self.line)


def read(text: str) -> tuple[Record, tuple[Notice, ...]]:
    """Return a game and notices about it; raise NotationError at the first action that is wrong."""
    players, moves = _moves(text)
    if not moves:
        raise NotationError("no-deals", "", len(text.splitlines()))
    history = _History(players or _count_players(moves))
    history.play(moves)
    return history.record(), tuple(history.notices())


def _moves(text: str) -> tuple[int, list[_Move]]:
    """Return the number of players (0 if it is not written) and the actions."""
    players, moves = 0, list[_Move]()
    for line, written in enumerate(text.splitlines(), 1):
        if game := _GAME.match(written):
            players = int(game[1] or 2)
            if players not in _VARIANTS:
                raise NotationError("rules-unreadable", written, line)
        elif not _HEADS.fullmatch(written):
            for word in written.strip().strip("[]").split(","):
                if word.strip():
                    moves.append(_move(word, line, len(moves) + 1))
    return players, moves


def _move(word: str, line: int, place: int) -> _Move:
    text = f"{word.strip()} (#{place})"
    if words := _WORDS.fullmatch(word):
        if words[4]:
            number = PASS_ACTION
        elif words[3]:
            number = 52 + 52 * _number_of(words[2]) + _number_of(words[3])
        else:
            number = _number_of(words[1] or words[2])
    else:
        digits = word.strip()
        if not (digits.isascii() and digits.isdecimal() and len(digits) <= 4 and int(digits) <= PASS_ACTION):
            raise NotationError("not-an-action", text, line)
        number = int(digits)
    return _Move(number, line, text)


def _number_of(card: str) -> int:
    return 13 * _SUITS.index(card[1]) + RANK_TEXT.index(card[0])


def _count_players(moves: list[_Move]) -> int:
    """Return 2 if cards are discarded in pairs, 3 if a card is named twice among the first twenty, or 4."""
    if any(52 <= move.number < PASS_ACTION for move in moves):
        return 2
    numbers = [move.number for move in moves[:20]]
    return 3 if len(set(numbers)) < len(numbers) else 4


class _History:
    """A game that is played by the rules, and also scored as OpenSpiel does."""

    def __init__(self, players: int) -> None:
        rules = rules_for(
            _VARIANTS[players], first_dealer="named", cut_before_deal=False, starter="top", target=_TARGET
        )
        self.players = players
        self.state: State = start(rules, named=True)
        self.actions: list[Action] = []
        self.scores = [0] * rules.sides
        """Scores by side as OpenSpiel counts them."""
        self.flushes: list[tuple[int, int]] = []
        """Deals with a crib that OpenSpiel counts as a flush, with their lines."""
        self.counted = 0
        self._step(NameDealer(0))

    def record(self) -> Record:
        """Return the game up to the last action."""
        return Record(
            rules=self.state.rules, names=("",) * self.players, actions=tuple(self.actions), named=True
        )

    def play(self, moves: list[_Move]) -> None:
        """Play the history; an incomplete deal of cards at its end is left out."""
        rules, at = self.state.rules, 0
        dealt = rules.seats * rules.dealt + rules.dealt_to_crib
        while len(moves) - at >= dealt and self.state.won is None:
            self._deal(moves[at : at + dealt])
            at += dealt
            for seat in range(rules.seats):
                if at < len(moves):
                    self._submit(Discard(seat, self._discards(moves[at])), moves[at])
                    at += 1
            if at < len(moves):
                self._submit(TurnUp(self._card(moves[at])), moves[at])
                at += 1
            at = self._play(moves, at)
        if self.state.won is not None and at < len(moves):
            raise moves[at].error("game-already-won")

    def _deal(self, moves: list[_Move]) -> None:
        rules = self.state.rules
        cards = [self._card(move) for move in moves]
        twice = next((at for at, card in enumerate(cards) if card in cards[:at]), None)
        if twice is not None:
            raise moves[twice].error("deal-card-twice")
        hands = [cards[seat * rules.dealt : (seat + 1) * rules.dealt] for seat in range(rules.seats)]
        turned = [hands[(self.state.dealer + 1 + by) % rules.seats] for by in range(rules.seats)]
        one_by_one = [card for row in zip(*turned, strict=True) for card in row]
        self._submit(Deal((*one_by_one, *cards[rules.seats * rules.dealt :])), moves[0])

    def _play(self, moves: list[_Move], at: int) -> int:
        """Play the cards of a deal, and return the index after its last action."""
        seats = self.state.rules.seats
        turn, count, played = (self.state.dealer + 1) % seats, 0, 0
        passed: set[int] = set()
        last = turn
        while at < len(moves) and (played < 4 * seats or count):
            if self.state.won is not None and moves[at].number != PASS_ACTION:
                break
            if moves[at].number == PASS_ACTION:
                if self.state.won is None and self._can_play(turn, count, played):
                    raise moves[at].error("pass-but-can-play")
                passed.add(turn)
                turn = (turn + 1) % seats
            else:
                card = self._card(moves[at])
                if played == 4 * seats or card not in self.state.hands[turn]:
                    raise moves[at].error("card-out-of-turn")
                before = self.state
                pegged = self._submit(Play(turn, card), moves[at])
                played, count, last, turn = played + 1, count + card.value, turn, (turn + 1) % seats
                # OpenSpiel looks for a winner after each action; the point for last card is pegged at the
                # last pass.
                by_card = self.scores[self.state.rules.side(last)] - pegged.get(PeggedFor.LAST_CARD, 0)
                if played == 4 * seats and (count == 31 or by_card < _TARGET):
                    self._count(before, moves[at])
            if count == 31 or len(passed) == seats:
                turn, count, passed = (last + 1) % seats, 0, set()
            at += 1
        return at

    def _can_play(self, seat: int, count: int, played: int) -> bool:
        held = self.state.hands[seat] if played < 4 * self.state.rules.seats else ()
        return any(count + card.value <= 31 for card in held)

    def _count(self, before: State, move: _Move) -> None:
        """Add what OpenSpiel counts at the end of a deal: every hand, and the crib by the rules of a hand."""
        rules, starter = before.rules, before.starter
        assert starter is not None
        for seat in range(rules.seats):
            self.scores[rules.side(seat)] += show_points(before.kept[seat], starter, crib=False)
        crib = before.crib
        self.scores[rules.side(before.dealer)] += show_points(crib, starter, crib=True)
        if len({card.suit for card in crib}) == 1 and crib[0].suit is not starter.suit:
            self.scores[rules.side(before.dealer)] += _FLUSH
            self.flushes.append((before.deal, move.line))

    def _card(self, move: _Move) -> Card:
        if move.number >= 52:
            raise move.error("word-not-a-card")
        suit, rank = divmod(move.number, 13)
        return Card(RANK_TEXT[rank] + _SUITS[suit])

    def _discards(self, move: _Move) -> tuple[Card, ...]:
        if self.players > 2:
            return (self._card(move),)
        if not 52 <= move.number < PASS_ACTION:
            raise move.error("word-not-a-card")
        return tuple(self._card(move._replace(number=number)) for number in divmod(move.number - 52, 52))

    def _submit(self, action: Action, move: _Move) -> dict[PeggedFor, int]:
        """Do an action, and return the points pegged by reason."""
        try:
            events = self._step(action)
        except IllegalAction as error:
            raise move.error("action-refused") from error
        pegged: dict[PeggedFor, int] = {}
        for event in events:
            if isinstance(event, Pegged) and event.reason in _PEGGING:
                self.scores[event.side] += event.points
                pegged[event.reason] = event.points
        return pegged

    def _step(self, action: Action) -> tuple[Event, ...]:
        self.state, events = step(self.state, action)
        self.actions.append(action)
        return events

    def notices(self) -> Iterator[Notice]:
        """Yield notices of differences between OpenSpiel's scores and the rules."""
        for deal, line in self.flushes:
            yield Notice("crib-flush", line, {"deal": deal})
        won = self.state.won
        theirs = next((side for side, score in enumerate(self.scores) if score >= _TARGET), None)
        if theirs is None or (won is not None and won.side == theirs):
            return
        values: dict[str, str | int] = {"winner": theirs + 1, "scores": "–".join(map(str, self.state.front))}
        yield Notice("ended-early" if won is None else "counting-order", values=values)
