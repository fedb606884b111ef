"""The best card in pegging for two players with six cards, by a search to the end of the deal.

The other side plays by one of several models (`opponents`) from the hands that the model keeps. Bayes' rule
updates models and hands together after every card and go. Every own card is then followed to the end of
pegging: the other side plays by its models, the own side plays its best card. The end is valued by points, or
by win probability with both hands and the crib counted. Unlike the solved pegging, the search knows the own
discards and the starter.

A card takes 4 ms on average with compiled kernels (`compiled_search`) and 31 ms with arrays; 99 of 100 take
at most 15 and 145 ms. The first search of a process also unpacks the whole book (0.4 s).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fifteentwo.analysis.pegging import compiled_search
from fifteentwo.analysis.pegging.beliefs import (
    Floats,
    OpponentTypes,
    kept_by,
    next_beliefs,
    replay_beliefs,
    role_of,
)
from fifteentwo.analysis.pegging.compiled_search import expected, search
from fifteentwo.analysis.pegging.look_ahead_search import (
    PARTS,
    SUIT_POINTS,
    CardValues,
    EndValues,
    Positions,
    in_order,
)
from fifteentwo.analysis.pegging.opponents import BOOK
from fifteentwo.analysis.pegging.possible_play import check_play_of_two
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.near_end import chance_in_pegging
from fifteentwo.analysis.win.shows import hand_points, suits_add
from fifteentwo.fast import plays
from fifteentwo.fast.hands import hands
from fifteentwo.fast.layout import VALUES
from fifteentwo.fast.noise import EQUILIBRIUM_EPSILON, HUMAN_EPSILON
from fifteentwo.fast.play import HELD, LIMIT, TURN
from fifteentwo.fast.plays import Plays
from fifteentwo.rules import show
from fifteentwo.rules.state import NO_SEAT
from fifteentwo.rules.view import View
from fifteentwo.strategy.pegging import ImpossiblePlay, book_arrays, follow, load_pegging_book, starting

PILE_SIZE = 16
"""Length of an array that holds every card played in a deal."""


class Opponent(NamedTuple):
    """How likely the other side is to play by each model, before it plays a card."""

    prior: tuple[float, ...]
    """Probability of each model of `opponents`, the solved book first."""
    noise: float
    """Probability (0–1) that a hand or card is random instead of chosen by a model (ε-noise)."""


EQUILIBRIUM = Opponent((1.0,), EQUILIBRIUM_EPSILON)
"""The opponent of hints, reviews and the Book: it plays the stored strategies, as in `analysis.win`."""
CLUB_PLAYER = Opponent((0.0, 1.0), HUMAN_EPSILON)
"""An opponent that discards and pegs like level `club`."""
PEOPLE = Opponent((0.3, 0.35, 0.25, 0.1), HUMAN_EPSILON)
"""What level `master` assumes of an opponent at first: book, club, casual, beginner. Chosen, not measured."""


MIN_BELIEF = 0.02
"""The search leaves out models of the other side that are less probable after the cards played."""


def _left(view: View) -> tuple[int, ...]:
    """Return the number of cards of each rank outside the own hand, own discards and the starter."""
    seen = [*view.kept, *view.discarded, *([view.starter] if view.starter else [])]
    left = 4 - np.bincount([card.index >> 2 for card in seen], minlength=13)
    return tuple(left.tolist())


def opponent_types(starter: int, noise: float, kinds: tuple[int, ...] = (BOOK,)) -> OpponentTypes:
    """Return how the other side may play. starter: rank 0–12; kinds: its possible models (`opponents`)."""
    return OpponentTypes(starter, book_arrays(load_pegging_book()), kinds, noise)


def points_only(side: int, starter: int) -> EndValues:
    """Return end values that count only pegging points. side: 0 pone, 1 dealer; starter: rank 0–12."""
    return EndValues(0, side, 0, np.zeros((1, 1)), hand_points()[starter], np.zeros((1, len(SUIT_POINTS))))


def prepare() -> None:
    """Unpack the book, make tables and load kernels, so that the next decision takes its usual time."""
    compiled_search.load()
    opponent_types(0, 0.0)
    points_only(0, 0)


class LookAhead:
    """Values of the cards that a View's seat can play now, and its belief about the other side's hand."""

    def __init__(self, view: View, opponent: Opponent = EQUILIBRIUM, *, on_turn: bool = True) -> None:
        """Check the View and compute the belief.

        on_turn: whether this side plays next; otherwise only `chance` can be called.

        Raises:
            ImpossiblePlay: No pegging leads to this View, or no hand of the other side fits it.
            ValueError: `opponent.prior` is not a list of probabilities.
        """
        acts = check_play_of_two(view, on_turn=on_turn)
        prior, noise = opponent
        if not all(chance >= 0 for chance in prior) or not 0 < sum(prior) < np.inf:
            raise ValueError(f"prior: expected chances, got {prior}")
        assert view.starter is not None
        self.view = view
        self.side = int(view.is_dealer)
        self.starter = view.starter.index >> 2
        self.opponent = opponent
        kinds = tuple([kind for kind, chance in enumerate(prior) if chance > 0])
        self.types = opponent_types(self.starter, noise, kinds)
        self.pile = np.zeros(PILE_SIZE, np.int64)
        self.public = starting()
        foe = 1 - view.seat
        self.acts = np.array(
            [(int(role == "dealer"), -1 if rank is None else rank - 1) for role, rank in acts], np.int64
        ).reshape(-1, 2)
        played = [card.index >> 2 for seat, card in view.played if seat == foe]
        self.theirs = np.array(played + [0] * (4 - len(played)), np.int64)
        role, left = role_of(view, foe), _left(view)
        kept = [kept_by(role, left, noise, kind) for kind in kinds]
        belief = np.array([prior[kind] * one / one.sum() for kind, one in zip(kinds, kept, strict=True)])
        turn = self.side
        if not on_turn:
            turn = follow(acts).turn if view.turn == NO_SEAT else int(view.turn == view.dealer)
        size = replay_beliefs(self.acts, turn, self.side, belief, self.types, self.public, self.pile)
        belief = np.ascontiguousarray(belief[:, : len(hands(size))])
        if view.turn == foe:
            # A go is said at once, so a side on turn has a card that fits.
            lowest = VALUES[[hand[0] for hand in hands(size)]]
            belief[:, view.count + lowest > LIMIT] = 0
        by_type = belief.sum(axis=1)
        total = by_type.sum()
        if not total > 0:
            raise ImpossiblePlay(f"No hand of the {role_of(view, foe)} fits what it played.")
        if (by_type < MIN_BELIEF * total).any():
            followed = np.flatnonzero(by_type >= MIN_BELIEF * total).tolist()
            belief, total = np.ascontiguousarray(belief[followed]), by_type[followed].sum()
            self.types = self.types._replace(kinds=tuple([kinds[at] for at in followed]))
        self.belief: Floats = belief / total
        """(types, hands) joint probabilities of the other side's type and hand."""

    def chance_of(self, kind: int) -> float:
        """Return the probability (0–1) that the other side plays by this model. kind: one of `MODELS`."""
        kinds = self.types.kinds
        return float(self.belief[kinds.index(kind)].sum()) if kind in kinds else 0.0

    def points(self) -> dict[int, float]:
        """Return by playable rank (0–12) the mean points to the end of pegging, own less the other side's."""
        return self._search((0, 0), [points_only(self.side, self.starter)]).values[0]

    def parts(self) -> dict[int, tuple[float, ...]]:
        """Return by playable rank (0–12) its `points`, split into `look_ahead_search.PARTS`."""
        return self._search((0, 0), [points_only(self.side, self.starter)], parts=True).parts

    def chances(self, *, games: bool) -> dict[int, float]:
        """Return the value, -1 (lost) to 1 (won), by playable rank (0–12). games: whether skunks count."""
        end_values, scores = self.end_values(games=games)
        return self._search(scores, [end_values]).values[0]

    def replies(self, rank: int) -> Floats:
        """Return (13,) probabilities of the other side's replies to `rank`; the rest to 1 is a go."""
        now = Plays(self.public[None], self.pile[None])
        played = plays.play_rank(now, np.zeros(1, np.int64), np.array([rank]))
        turn = int(played.public[0, TURN])
        if turn == self.side or played.public[0, HELD + turn] == 0:
            return np.zeros(13)
        chances: Floats = in_order(next_beliefs(played, self.belief[None], self.types).played, 2)[0]
        return chances

    def wins(self, chances: dict[int, float]) -> dict[int, float]:
        """Return win probabilities (0–1) for the values of `chances`, corrected near the end of the game."""
        view = self.view
        needs = view.rules.target - view.front[view.side], view.rules.target - view.front[1 - view.side]
        held = sum(view.hand_sizes)
        return {rank: chance_in_pegging(needs, held, (1 + value) / 2) for rank, value in chances.items()}

    def chance(self) -> float:
        """Return the own side's win probability (0–1) in the current position, with either side on turn."""
        end_values, (own, other) = self.end_values(games=False)
        value = expected(self.side, self._position((own, other)), self.types, end_values)
        needs = self.view.rules.target - own, self.view.rules.target - other
        return chance_in_pegging(needs, sum(self.view.hand_sizes), (1 + value) / 2)

    def points_and_chances(self) -> list[dict[int, float]]:
        """Return the results of `points()` and of `chances(games=False)`, from one search."""
        end_values, scores = self.end_values(games=False)
        return self._search(scores, [points_only(self.side, self.starter), end_values]).values

    def end_values(self, *, games: bool) -> tuple[EndValues, tuple[int, int]]:
        """Return how to value the end of pegging by win probability, and the (own, other's) scores now."""
        view = self.view
        assert view.starter is not None
        own, other = view.front[view.side], view.front[1 - view.side]
        rules, dealer, giver = view.rules, view.is_dealer, role_of(view, 1 - view.seat)
        over = win.after_deal(win.payoff_of(rules), dealer, games)
        played = [card for seat, card in view.played if seat != view.seat]
        end_values = EndValues(
            show.points(view.kept, view.starter),
            self.side,
            rules.target,
            win.before_crib(over, win.crib_seen(view), rules.target, dealer=dealer),
            hand_points()[self.starter],
            suits_add(giver, played, view.starter, win.unseen_by(view)),
        )
        return end_values, (own, other)

    def _search(
        self, scores: tuple[int, int], end_values: Sequence[EndValues], *, parts: bool = False
    ) -> CardValues:
        values, split_points = search(self.side, self._position(scores), self.types, end_values, parts=parts)
        # Rounded, equally good cards have equal values.
        rounded = [
            {rank: round(value, win.EXACT_DECIMALS) for rank, value in by_rank.items()} for by_rank in values
        ]
        return CardValues(rounded, split_points)

    def _position(self, scores: tuple[int, int]) -> Positions:
        hand = np.bincount([card.index >> 2 for card in self.view.hand], minlength=13)
        own, other = (np.array([score], np.int64) for score in scores)
        play = Plays(self.public[None], self.pile[None])
        nothing = np.zeros((1, len(PARTS)), np.int64)
        return Positions(play, own, other, hand[None], self.theirs[None], self.belief[None], nothing)
