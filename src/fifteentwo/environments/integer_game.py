"""One game without claims and cuts on small integers, in every variant, for the PettingZoo environment.

A card is 0–51, as in `encoding`. Every position has the observations and masks of the definition in `rules`.
"""

from itertools import combinations

import numpy as np

from fifteentwo.environments.encoding import DISCARD, MAX_DISCARDS, PHASES, Mask, Observation, starts
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.play import LIMIT, Turn, after_card, after_go, card_points, value_of
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.decks import Decks
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.events import GameWon
from fifteentwo.rules.show import points
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Rules

_VALUES = [value_of(card >> 2) for card in range(len(DECK))]
"""Counting values by card."""


class IntegerGame:
    """A game in progress, under the rules of `same_decks.without_cuts`; `act` changes it."""

    def __init__(self, rules: Rules, decks: Decks, dealer: int) -> None:
        """Deal the first hands."""
        self.won: GameWon | None = None
        self._rules = rules
        self._decks = decks
        self._dealer = dealer
        self._deals = 0
        self._at, self._size = starts(rules.seats, rules.sides, False)
        self._ways = list(combinations(range(rules.dealt), rules.discards))
        self._sides = [rules.side(seat) for seat in range(rules.seats)]
        self._scores = [0] * rules.sides
        if rules.three_for_last:
            self._peg((dealer + 1) % rules.seats, 3)
        self._deal()

    def act(self, seat: int, chosen: int) -> None:
        """Do the action with this number for a seat; raise IllegalAction if it is not legal."""
        allowed = self.mask(seat)
        if not 0 <= chosen < len(allowed) or not allowed[chosen]:
            raise IllegalAction("action-not-open", "R50", seat, action=chosen)
        if self._phase is Phase.PLAY:
            self._play(seat, chosen)
        else:
            self._discard(seat, self._ways[chosen - DISCARD])

    def mask(self, seat: int) -> Mask:
        """Return the mask of a seat's legal actions, as `encoding.mask` does."""
        allowed = bytearray(DISCARD + MAX_DISCARDS)
        if seat in self.waiting and self._phase is Phase.PLAY:
            room = LIMIT - self._turn.total
            for card in self._hands[seat]:
                allowed[card] = _VALUES[card] <= room
        elif seat in self.waiting:
            allowed[DISCARD : DISCARD + len(self._ways)] = b"\x01" * len(self._ways)
        return np.frombuffer(allowed, np.int8)

    def observe(self, seat: int) -> Observation:
        """Return the observation of a seat, as `encoding.observe` does."""
        turn, at, seats, sides = self._turn, self._at, self._rules.seats, self._rules.sides
        seen = self._public[:]
        for name, cards in (("hand", self._hands[seat]), ("discarded", self._discarded[seat])):
            start = at[name]
            for card in cards:
                seen[start + card] = 1
        start = at["played_0"]
        for other, card in self._played:
            seen[start + (other - seat) % seats * len(DECK) + card] = 1
        if self.won is None:
            seen[at["phase"] + PHASES.index(self._phase)] = 1
        seen[at["dealer"] + (self._dealer - seat) % seats] = 1
        for other in self.waiting:
            seen[at["to_act"] + (other - seat) % seats] = 1
        for other, hand in enumerate(self._hands):
            place = (other - seat) % seats
            seen[at["gone"] + place] = turn.gone >> other & 1
            seen[at["held"] + place] = len(hand)
        for side, reached in enumerate(self._scores):
            seen[at["score"] + (side - seat) % sides] = reached
        seen[at["count"]] = turn.total
        return np.frombuffer(seen, np.uint8)

    def _deal(self) -> None:
        rules = self._rules
        seats, dealt = rules.seats, rules.seats * rules.dealt
        eldest = (self._dealer + 1) % seats
        self._deals += 1
        deck = self._decks(f"deal-{self._deals}")
        top = [card.index for card in deck[: dealt + rules.dealt_to_crib + 1]]
        self._hands = [sorted(top[(seat - eldest) % seats : dealt : seats]) for seat in range(seats)]
        self._kept: list[list[int]] = [[] for _ in range(seats)]
        self._discarded: list[list[int]] = [[] for _ in range(seats)]
        self._crib, self._starter = top[dealt:-1], top[-1]
        self._played: list[tuple[int, int]] = []  # seats and cards
        self._ranks: list[int] = []
        # The parts of an observation that are equal for all seats, apart from `count`.
        self._public = bytearray(self._size)
        self._public[self._at["deal"]] = min(self._deals, 255)
        self._public[self._at["target"]] = rules.target
        self._counts = 1
        self._turn = Turn(eldest, 0, 0, 0, 0, self._dealer)
        self._phase = Phase.DISCARD
        self.waiting = list(range(seats))  # seats that may act now

    def _discard(self, seat: int, places: tuple[int, ...]) -> None:
        hand = self._hands[seat]
        self._discarded[seat] = [hand[place] for place in places]
        self._crib += self._discarded[seat]
        self._hands[seat] = [card for place, card in enumerate(hand) if place not in places]
        self._kept[seat] = self._hands[seat][:]
        self.waiting.remove(seat)
        if not self.waiting:
            self._phase, self.waiting = Phase.PLAY, [self._turn.seat]
            self._public[self._at["starter"] + self._starter] = 1
            if self._starter >> 2 == JACK:
                self._peg(self._dealer, 2)

    def _play(self, seat: int, card: int) -> None:
        """Play a card, with all forced events up to the next decision (R53–R92).

        If a point wins, `_turn` keeps the count in which it was scored.
        """
        seats, value, now = self._rules.seats, _VALUES[card], self._turn
        self._hands[seat].remove(card)
        self._played.append((seat, card))
        self._public[self._at["in_count"] + card] = 1
        self._public[self._at["order"] + card] = now.end + 1
        self._public[self._at["count_number"] + card] = self._counts
        self._ranks.append(card >> 2)
        holding = sum([1 << other for other, hand in enumerate(self._hands) if hand])
        self._turn = Turn(seat, now.total + value, now.start, now.end + 1, now.gone, seat)
        if self._peg(seat, card_points(self._ranks, now.start, now.end + 1, now.total + value)):
            return
        now = after_card(seats, now, value, holding)
        while now.total and holding:
            hand = self._hands[now.seat]
            if hand and now.total + _VALUES[hand[0]] <= LIMIT:
                self._turn, self.waiting = now, [now.seat]
                return
            # The seat that played last does not say go (R60).
            self._turn = now if now.seat == seat else now._replace(gone=now.gone | 1 << now.seat)
            now = after_go(seats, now, holding)
            if not now.total and self._peg(seat, 1):
                return
        if now.total and self._peg(seat, 1):
            return
        self._counts += 1
        start = self._at["in_count"]
        self._public[start : start + len(DECK)] = bytes(len(DECK))
        self._turn, self.waiting = Turn(now.seat, 0, now.end, now.end, 0, seat), [now.seat]
        if not holding or self._rules.one_count:
            self._show()

    def _show(self) -> None:
        """Count the hands from the dealer's left and the crib, and deal again (R78, R79, R91, R92)."""
        seats, dealer, starter = self._rules.seats, self._dealer, DECK[self._starter]
        for place in range(1, seats + 1):
            seat = (dealer + place) % seats
            if self._peg(seat, points([DECK[card] for card in self._kept[seat]], starter)):
                return
        if not self._peg(dealer, points([DECK[card] for card in self._crib], starter, crib=True)):
            self._dealer = (dealer + 1) % seats
            self._deal()

    def _peg(self, seat: int, scored: int) -> bool:
        """Add points to the score of a seat's side; return whether this wins the game (R14)."""
        rules, side = self._rules, self._sides[seat]
        score = self._scores[side] = min(self._scores[side] + scored, rules.target)
        if score < rules.target:
            return False
        lost = [0 if other == side else rules.games_lost(at) for other, at in enumerate(self._scores)]
        self.won, self.waiting = GameWon(side, tuple(self._scores), tuple(lost)), []
        return True
