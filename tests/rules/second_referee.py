"""A second referee: the points of a game from its actions alone, without the package's rules.

After every card it asks "who can still play?" instead of keeping goes, and it counts with the second scorer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fifteentwo.rules.actions import (
    Accept,
    Action,
    CallMuggins,
    Claim,
    Cut,
    Deal,
    Discard,
    Draw,
    NameDealer,
    Play,
    TurnUp,
)
from fifteentwo.rules.variants import Rules
from tests.rules.second_scorer import RANKS, play_points, show_points, value


class TargetReached(Exception):
    """Raised if a side reaches the target."""


class RecordEnds(Exception):
    """Raised if there are no more actions."""


@dataclass
class Referee:
    rules: Rules
    actions: Sequence[Action]
    at: int = 0
    scores: list[int] = field(default_factory=list)
    moves: list[tuple[int, int]] = field(default_factory=list)
    """Every move of a peg: the side and all points."""
    winner: int | None = None
    lost: list[int] = field(default_factory=list)

    def judge(self) -> "Referee":
        self.scores = [0] * self.rules.sides
        try:
            dealer = self.first_dealer()
            if self.rules.variant.value == "five-card":
                self.move(dealer + 1, 3)
            while True:
                self.deal(dealer)
                dealer = (dealer + 1) % self.rules.seats
        except TargetReached:
            assert self.at == len(self.actions), "something was done after the game was won"
        except RecordEnds:
            pass
        return self

    def take(self) -> Action:
        if self.at == len(self.actions):
            raise RecordEnds
        self.at += 1
        return self.actions[self.at - 1]

    def coming(self) -> Action | None:
        return self.actions[self.at] if self.at < len(self.actions) else None

    def move(self, seat: int, points: int) -> None:
        side = seat % self.rules.seats % self.rules.sides
        if points == 0:
            return
        self.moves.append((side, points))
        self.scores[side] += points
        if self.scores[side] >= self.rules.target:
            self.scores[side] = self.rules.target
            self.winner = side
            self.lost = [0 if other == side else self.loss(loser) for other, loser in enumerate(self.scores)]
            raise TargetReached

    def loss(self, points: int) -> int:
        rules = self.rules
        if rules.double_skunk and points <= 60:
            return 4
        if rules.skunk and points <= (90 if rules.target == 121 else 30):
            return 2
        return 1

    def first_dealer(self) -> int:
        rules = self.rules
        if isinstance(self.coming(), NameDealer):
            named = self.take()
            assert isinstance(named, NameDealer)
            return named.dealer
        drawn: list[list[int]] = [[] for _ in range(rules.seats)]
        while isinstance(self.coming(), Draw):
            draw, turn = self.take(), self.take()
            assert isinstance(draw, Draw)
            assert isinstance(turn, TurnUp)
            drawn[draw.seat].append(RANKS.index(turn.card.text[0]))
        best = max(drawn) if rules.first_dealer.value == "high" else min(drawn)
        if drawn.count(best) != 1:
            raise RecordEnds
        dealer = drawn.index(best)
        if not rules.partners_by_draw:
            return dealer
        high = sorted(range(4), key=lambda seat: drawn[seat])[2:]
        # Seat 0 stays, its partner is opposite, and the others keep their order.
        with_zero = high if 0 in high else [seat for seat in range(4) if seat not in high]
        opposite = next(seat for seat in with_zero if seat)
        left, right = (seat for seat in range(4) if seat not in with_zero)
        return [0, left, opposite, right].index(dealer)

    def deal(self, dealer: int) -> None:
        rules = self.rules
        seats = rules.seats
        if rules.cut_before_deal:
            assert isinstance(self.take(), Cut)
        deal = self.take()
        assert isinstance(deal, Deal)
        deck = [card.text for card in deal.cards]
        hands: list[list[str]] = [[] for _ in range(seats)]
        for turn in range(rules.dealt * seats):
            hands[(dealer + 1 + turn) % seats].append(deck.pop(0))
        crib = deck
        for _ in range(seats):
            played = self.take()
            assert isinstance(played, Discard)
            for card in played.cards:
                hands[played.seat].remove(card.text)
                crib.append(card.text)
        assert len(crib) == 4
        if rules.starter.value == "cut":
            assert isinstance(self.take(), Cut)
        turned = self.take()
        assert isinstance(turned, TurnUp)
        starter = turned.card.text
        if starter[0] == "J":
            self.move(dealer, 2)
        self.play([list(hand) for hand in hands], dealer)
        hands_claimed = rules.counting.value != "automatic"
        for place in range(1, seats + 1):
            seat = (dealer + place) % seats
            self.count(seat, show_points(hands[seat], starter), claimed=hands_claimed)
        self.count(dealer, show_points(crib, starter, crib=True), claimed=hands_claimed)

    def play(self, held: list[list[str]], dealer: int) -> None:
        turn = dealer + 1
        while any(held):
            played: list[str] = []
            last = -1
            while seat := self.able(held, turn, 31 - sum(value(card) for card in played)):
                play = self.take()
                assert isinstance(play, Play)
                assert play.seat == seat - 1, "out of turn"
                held[play.seat].remove(play.card.text)
                played.append(play.card.text)
                last = play.seat
                self.count(last, play_points(played), claimed=self.rules.counting.value == "claimed")
                turn = last + 1
            if sum(value(card) for card in played) != 31:
                self.move(last, 1)
            turn = last + 1
            if self.rules.variant.value == "five-card":
                return

    def able(self, held: list[list[str]], turn: int, space: int) -> int:
        for place in range(self.rules.seats):
            seat = (turn + place) % self.rules.seats
            if any(value(card) <= space for card in held[seat]):
                return seat + 1
        return 0

    def count(self, seat: int, right: int, *, claimed: bool) -> None:
        """Peg the points of a card, hand or crib, or its owner's claim."""
        rules = self.rules
        if not claimed:
            self.move(seat, right)
            return
        claim = self.take()
        assert isinstance(claim, Claim)
        assert claim.seat == seat
        callers = set(self.answers())
        asked = [(seat + place) % rules.seats for place in range(1, rules.seats)]
        caller = next((other for other in asked if other in callers), None)
        assert caller is None or caller % rules.sides != seat % rules.sides
        if claim.points < right:
            self.move(seat, claim.points)
            if caller is not None:
                could = rules.target - self.scores[seat % rules.sides]
                self.move(caller, min(right - claim.points, could))
        elif claim.points > right:
            over = rules.muggins.value == "missed-and-overclaims"
            self.move(seat, claim.points if over and caller is None else right)
            if over and caller is not None:
                self.move(caller, 2)
        else:
            self.move(seat, right)

    def answers(self) -> Iterator[int]:
        while isinstance(answer := self.coming(), Accept | CallMuggins):
            self.take()
            if isinstance(answer, CallMuggins):
                yield answer.seat
