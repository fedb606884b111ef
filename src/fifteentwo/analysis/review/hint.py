"""The best action of a seat and why, from its View alone, as facts that become sentences.

Hints agree with the later judgement of `analysis.review.review`. For two players they maximise win
probability at this score: discards by `discard.options`, cards by `look_ahead` or `one_count`. In the other
variants they maximise points, searched one reply deep. Every fact is true by the rules or by these values.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import msgspec

from fifteentwo.analysis.discards.by_averages import hand_and_crib
from fifteentwo.analysis.discards.discard import options
from fifteentwo.analysis.pegging import look_ahead
from fifteentwo.analysis.pegging.look_ahead import LookAhead
from fifteentwo.analysis.pegging.one_count import OneCount
from fifteentwo.analysis.pegging.one_reply import foreseen
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.counting import points_at_once, ranks_of
from fifteentwo.analysis.win.model import NetPoints, WinProbability
from fifteentwo.analysis.win.race import mean_net_pegging
from fifteentwo.analysis.win.shows import WAYS_OF
from fifteentwo.rules import pegging, show
from fifteentwo.rules.cards import DECK, Card, Rank
from fifteentwo.rules.events import Score, ScoreName
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Rules, Variant
from fifteentwo.rules.view import View
from fifteentwo.strategy.means import mean_crib

_NAMES_WITHOUT_STARTER = (
    ScoreName.FIFTEEN,
    ScoreName.PAIR,
    ScoreName.PAIR_ROYAL,
    ScoreName.DOUBLE_PAIR_ROYAL,
    ScoreName.RUN,
)
SEEN_POINTS, SEEN_WIN = 0.01, 0.0005
"""Choices that differ by less, in points and in win probability (0–1), count as equal."""
_FIVE = Rank.FIVE - 1
"""The rank of a five, counted from 0 (ace)."""
CLEAR_WIN = 0.003
"""Gain in win probability (0–1) that is larger than the error, so that points may be given up for it."""
NEAR_POINTS = 0.1
"""Difference in points below which two choices are nearly equal if win probabilities are unknown."""
BEGINNER_SCORE_POINTS, BEGINNER_LEAD_POINTS = 0.5, 0.2
"""Points by which a card that scores at once, or a safe lead, may be worse and still be a beginner's hint."""


class CountedScore(msgspec.Struct, frozen=True):
    """Equal scores counted together: for example two fifteens, or two runs of three."""

    name: ScoreName
    cards: int
    """Number of cards of a run; 0 for other scores."""
    times: int
    """How often the score is made."""


class Keeps(msgspec.Struct, frozen=True, tag="keeps"):
    """The kept cards score without a starter."""

    scores: tuple[CountedScore, ...]
    points: int


class Helped(msgspec.Struct, frozen=True, tag="helped"):
    """The kept cards score nothing without a starter."""

    starters: int
    """Number of possible starters with which the kept cards score."""
    unseen: int
    """Number of all possible starters."""


class Gives(msgspec.Struct, frozen=True, tag="gives"):
    """The contribution of the discard to the crib."""

    whose: str
    """The owner of the crib: "own", "partner" or "other"."""
    scores: tuple[CountedScore, ...]
    fives: int
    """Number of fives discarded."""
    mean: float
    """Mean points of the crib."""


class WinsMost(msgspec.Struct, frozen=True, tag="wins-most"):
    """Another discard makes more points, but wins less often because of the score."""

    win: WinProbability
    """Win probability with the best discard."""
    cards: tuple[Card, ...]
    """The discard that makes most points."""
    other_win: WinProbability
    """Win probability with the discard that makes most points."""


class OnlyOne(msgspec.Struct, frozen=True, tag="only-one"):
    """No card of another rank can be played."""

    alone: bool = False
    """Whether no other card can be played at all."""


class Equal(msgspec.Struct, frozen=True, tag="equal"):
    """Every card that can be played is nearly as good as the best one."""


class Leads(msgspec.Struct, frozen=True, tag="leads"):
    """The card begins a count safely, for beginners."""

    why: Literal["low", "pair"]
    """Below five, so that no card makes 15 on it; or one of a pair."""


class Makes(msgspec.Struct, frozen=True, tag="makes"):
    """The points that the card pegs immediately, including last card if it is certain."""

    scores: tuple[CountedScore, ...]
    points: int
    wins: bool
    """Whether these points win the game."""


Fact = Keeps | Helped | Gives | WinsMost | OnlyOne | Equal | Leads | Makes


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """The best discard, or the best card, its value, and facts about it."""

    cards: tuple[Card, ...]
    """The cards to discard, or the card to play."""
    keep: tuple[Card, ...]
    """The cards kept; empty in pegging."""
    points: float
    """Mean points of the discard (hand, crib, pegging), or net points from the card to the end of pegging."""
    win: float | None
    """Win probability (0–1) at this score; None if unknown."""
    facts: tuple[Fact, ...]


class Value(NamedTuple):
    """The value of a choice."""

    win: WinProbability | None
    """None if win probabilities are unknown."""
    points: NetPoints

    @property
    def merit(self) -> tuple[float, float]:
        """Sort key: win probability if it is known, then points; greater is better."""
        return (self.points if self.win is None else self.win, self.points)

    def without_win(self) -> "Value":
        return self._replace(win=None)

    def is_near(self, other: "Value") -> bool:
        """Return whether a choice that is not better than this one is nearly as good."""
        won = None if self.win is None or other.win is None else self.win - other.win
        return are_near(self.points - other.points, won)


def are_near(points: NetPoints, won: WinProbability | None) -> bool:
    """Return whether two choices are nearly equal: by the gain in win probability if known, or in points."""
    return round(points, 2) < NEAR_POINTS if won is None else won < CLEAR_WIN


def prepare(rules: Rules) -> None:
    """Load the tables and kernels that hints in these games need: about half a second once."""
    if win.has_win_probability(rules):
        if rules.variant is Variant.SIX_CARD:
            look_ahead.prepare()
        win.chances(DECK[: rules.dealt], dealer=True, board=(0, 0), payoff=win.race_of(rules))


def hint(view: View, *, beginner: bool = False, by_points: bool = False) -> Hint | None:
    """Return the best discard or card of a seat that has to act; None for other seats.

    beginner: prefer a card that scores at once, or a safe lead, if it is only slightly worse.
    by_points: maximise mean points although win probabilities are known (`review.by_points`).
    """
    if view.seat not in view.to_act:
        return None
    if view.phase is Phase.DISCARD:
        return _discard_hint(view, beginner, by_points)
    if view.phase is Phase.PLAY:
        return _card_hint(view, beginner, by_points)
    return None


# ── Discards ──────────────────────────────────────────────────────────────────────────────────────────


def discard_values(view: View) -> dict[tuple[Card, ...], tuple[Value, float]]:
    """Return every discard with its value and the mean points of the crib."""
    rules = view.rules
    if rules.seats == 2:
        board = (view.front[view.side], view.front[1 - view.side]) if win.has_win_probability(rules) else None
        found = options(view.hand, own_crib=view.is_dealer, rules=rules, board=board)
        return {one.discard: (Value(one.win, one.net), one.crib.mean) for one in found}
    own_crib = rules.side(view.dealer) == view.side
    return {
        cards: (
            Value(None, hand + crib + mean_net_pegging(view, cards)),
            mean_crib(rules.variant, own_crib, ranks_of(cards)),
        )
        for cards, (hand, crib) in hand_and_crib(view).items()
    }


def _discard_hint(view: View, beginner: bool, by_points: bool) -> Hint:
    values = discard_values(view)
    if by_points:
        values = {cards: (value.without_win(), crib) for cards, (value, crib) in values.items()}
    best = max(values, key=lambda cards: values[cards][0].merit)
    value, crib = values[best]
    keep = tuple([card for card in view.hand if card not in best])
    most = max(values, key=lambda cards: values[cards][0].points)
    other = values[most][0]
    facts: list[Fact] = [_kept_fact(view, keep), _crib_fact(view, best, crib)]
    if value.win is not None and other.win is not None and not beginner and by_the_score(view, best, most):
        facts.append(WinsMost(value.win, most, other.win))
    return Hint(cards=best, keep=keep, points=value.points, win=value.win, facts=tuple(facts))


def by_the_score(view: View, wins: Sequence[Card], makes: Sequence[Card]) -> bool:
    """Return whether, for two players, discard `wins` is better than `makes` only because of the score."""
    places = [
        WAYS_OF[len(view.hand)].index(tuple([at for at, card in enumerate(view.hand) if card in two]))
        for two in (wins, makes)
    ]
    board = (view.front[view.side], view.front[1 - view.side])
    now, even = (
        win.chances(view.hand, dealer=view.is_dealer, board=scores, payoff=win.race_of(view.rules))[places]
        for scores in (board, (0, 0))
    )
    return bool(now[0] >= now[1] + CLEAR_WIN and even[0] <= even[1])


def held_scores(cards: Sequence[Card], *, flush: bool = True) -> tuple[Score, ...]:
    """Return what cards score without a starter. flush: whether a flush counts, as it does in a hand."""
    if len(cards) < 2:
        return ()
    found = [score for score in show.scores(cards[1:], cards[0]) if score.name in _NAMES_WITHOUT_STARTER]
    if flush and len(cards) > 2 and len({card.suit for card in cards}) == 1:
        found.append(Score(ScoreName.FLUSH, tuple(cards), len(cards), "R85" if len(cards) == 4 else "R103"))
    return tuple(found)


def counted_scores(scores: Sequence[Score]) -> tuple[CountedScore, ...]:
    """Return scores with equal ones counted together."""
    times = Counter((score.name, len(score.cards) if score.name is ScoreName.RUN else 0) for score in scores)
    return tuple([CountedScore(name, cards, number) for (name, cards), number in times.items()])


def _kept_fact(view: View, keep: tuple[Card, ...]) -> Keeps | Helped:
    scores = held_scores(keep)
    if scores:
        return Keeps(counted_scores(scores), sum([score.points for score in scores]))
    others = [card for card in DECK if card not in view.hand]
    return Helped(sum([show.points(keep, card) > 0 for card in others]), len(others))


def _crib_fact(view: View, cards: tuple[Card, ...], mean: float) -> Gives:
    whose = "other"
    if view.rules.side(view.dealer) == view.side:
        whose = "own" if view.is_dealer else "partner"
    fives = sum([card.rank is Rank.FIVE for card in cards])
    return Gives(whose, counted_scores(held_scores(cards, flush=False)), fives, mean)


# ── Pegging ─────────────────────────────────────────────────────────────────────────────────────────────


class CardValues(NamedTuple):
    """The values of the cards that a seat can play."""

    values: dict[int, Value]
    """The value by rank, 0 (ace) to 12 (king)."""
    ahead: LookAhead | None
    """The search that found the values in six-card games; None in other games."""


@lru_cache(maxsize=4)
def card_values(view: View) -> CardValues:
    """Return the values of the cards that the View's seat can play. Cached, because reasons need them too."""
    if win.has_win_probability(view.rules) and view.rules.one_count:
        found = OneCount(view).values()
        return CardValues({rank: Value(chance, points) for rank, (points, chance) in found.items()}, None)
    if win.has_win_probability(view.rules):
        ahead = LookAhead(view)
        points, chances = ahead.points_and_chances()
        values = {rank: Value(win, points[rank]) for rank, win in ahead.wins(chances).items()}
        return CardValues(values, ahead)
    return CardValues({rank: Value(None, points) for rank, points in foreseen(view).items()}, None)


def _card_hint(view: View, beginner: bool, by_points: bool) -> Hint:
    # The first card of each rank, because reasons name that one.
    fitting = {card.index >> 2: card for card in reversed(view.playable)}
    values = card_values(view).values
    if by_points:
        values = {rank: value.without_win() for rank, value in values.items()}
    best = max(fitting, key=lambda rank: (values[rank].merit, points_at_once(view, fitting[rank]), rank))
    if beginner:
        best = _beginner_rank(view, fitting, values, best)
    card, value = fitting[best], values[best]
    made, safe = makes(view, card), _safe_lead(view, best) if beginner else None
    facts: list[Fact] = []
    if len(fitting) == 1:
        facts.append(OnlyOne(len(view.playable) == 1))
    elif safe is not None:
        facts.append(Leads(safe))
    elif made is None and all(value.is_near(values[rank]) for rank in fitting):
        facts.append(Equal())
    if made is not None:
        facts.append(made)
    return Hint(cards=(card,), keep=(), points=value.points, win=value.win, facts=tuple(facts))


def _beginner_rank(view: View, fitting: dict[int, Card], values: dict[int, Value], best: int) -> int:
    """Return the rank that scores most at once, or a safe lead, if it is slightly worse at most."""
    made = {rank: points_at_once(view, card) for rank, card in fitting.items()}
    loss = {rank: values[best].points - values[rank].points for rank in fitting}
    close = [rank for rank in fitting if loss[rank] < BEGINNER_SCORE_POINTS]
    scoring = max(close, key=lambda rank: (made[rank], -loss[rank]))
    if made[scoring] > made[best] or _safe_lead(view, best):
        return scoring if made[scoring] > made[best] else best
    leads = [rank for rank in close if loss[rank] < BEGINNER_LEAD_POINTS and _safe_lead(view, rank)]
    return min(leads, key=lambda rank: loss[rank], default=best)


def _safe_lead(view: View, rank: int) -> Literal["low", "pair"] | None:
    """Return why a rank begins a count safely; None if it does not, or if the count has begun."""
    if view.in_count or rank == _FIVE:
        return None
    if [card.index >> 2 for card in view.hand].count(rank) > 1:
        return "pair"
    return "low" if rank < _FIVE else None


def makes(view: View, card: Card) -> Makes | None:
    """Return what a card pegs immediately; None if it pegs nothing."""
    needed = view.rules.target - view.front[view.side]
    scores = pegging.scores((*view.in_count, card))
    made, points = sum([score.points for score in scores]), points_at_once(view, card)
    kinds = counted_scores(scores)
    if made < points and made < needed:
        # After the winning point the last card does not count.
        kinds, made = (*kinds, CountedScore(ScoreName.LAST_CARD, 0, 1)), points
    return Makes(kinds, made, made >= needed) if made else None
