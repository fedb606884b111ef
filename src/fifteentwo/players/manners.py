"""What every player does alike: draws and cuts blindly, counts claims, responds to them."""

import random
from abc import ABC, abstractmethod
from typing import assert_never

from fifteentwo.analysis.win.counting import points_at_once
from fifteentwo.rules import pegging, show
from fifteentwo.rules.actions import Accept, CallMuggins, Claim, Cut, Discard, Draw, Play, SeatAction
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.events import Score
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Muggins
from fifteentwo.rules.view import View, choices


def claimable(view: View) -> tuple[Score, ...]:
    """Every score of the card just played, or of the hand or crib shown to be counted (R93)."""
    if not any(view.open_hands):
        return pegging.scores(view.in_count)
    assert view.starter is not None
    if view.open_crib:
        return show.scores(view.open_crib, view.starter, crib=True)
    return show.scores(view.open_hands[view.turn], view.starter)


def chance(seed: int, view: View) -> random.Random:
    """Luck that this seed and this View always meet again."""
    known = (
        seed,
        view.seat,
        view.phase.value,
        view.dealer,
        view.deal,
        view.turn,
        view.claim,
        view.front,
        view.drawn_at,
        [[card.index for card in cards] for cards in view.drawn],
        [card.index for card in view.hand],
        [card.index for card in view.discarded],
        [card.index for _, card in view.played],
        [card.index for cards in view.open_hands for card in cards],
        len(view.open_crib),
    )
    return random.Random(repr(known))


class Courteous(ABC):
    """A player whose draws and cuts are luck, and who counts and challenges without a slip."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def act(self, view: View) -> SeatAction:
        """What to do now, where the table waits for this View's seat."""
        match view.phase:
            case Phase.PLAY:
                winning = self.winning_card(view)
                return Play(view.seat, winning) if winning else self.play(view)
            case Phase.DISCARD:
                return self.discard(view)
            case Phase.DRAW | Phase.CUT | Phase.CUT_STOCK:
                return self._blindly(view)
            case Phase.CLAIM:
                return Claim(view.seat, self.count(view))
            case Phase.CHALLENGE:
                return CallMuggins(view.seat) if self.doubts(view) else Accept(view.seat)
            case Phase.NAME_DEALER | Phase.DRAW_TURN | Phase.DEAL | Phase.STARTER | Phase.OVER:
                raise IllegalAction("not-now", "R50", view.seat, phase=view.phase.value)
            case _:
                assert_never(view.phase)

    def winning_card(self, view: View) -> Card | None:
        """The card that wins the game as it is played, with most points and then the highest; None for none.

        A player who slips passes over points, but not over these.
        """
        needed = view.rules.target - view.front[view.side]
        pegs = {card: points for card in view.playable if (points := points_at_once(view, card)) >= needed}
        return max(pegs, key=lambda card: (pegs[card], card), default=None)

    @abstractmethod
    def discard(self, view: View) -> Discard:
        """Which cards go to the crib."""

    @abstractmethod
    def play(self, view: View) -> Play:
        """Return the card to play."""

    def count(self, view: View) -> int:
        """The points this player finds in its own card, hand or crib."""
        return sum(score.points for score in claimable(view))

    def doubts(self, view: View) -> bool:
        """Whether to call muggins on the claim that lies open (R94, R95)."""
        assert view.claim is not None
        right = sum(score.points for score in claimable(view))
        too_many = view.rules.muggins is Muggins.MISSED_AND_OVERCLAIMS and view.claim > right
        return view.claim < right or too_many

    def _blindly(self, view: View) -> SeatAction:
        action = chance(self.seed, view).choice(choices(view))
        assert isinstance(action, Draw | Cut)
        return action
