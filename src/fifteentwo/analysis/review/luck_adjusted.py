"""Luck-adjusted results: a game's result without what the deck did for a seat, for players of any strength.

`luck` holds play against best play, and so cannot know what is won from a weak player beyond what that player
loses. Here luck is what the deck alone does: who draws the first deal, the twelve cards of a deal, the
starter. A deal brings its value between the players of rollouts (`rollout_policy`), less the mean value of
other deals from the same scores; a starter its value with the hands as they were kept, less the mean over the
forty that might have been turned. Such differences are nought on average for players of any strength, also in
the rollouts; the better the rollouts, the less noise is left.
"""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis import win
from fifteentwo.analysis.rollouts.rollout_policy import (
    DEALER,
    PONE,
    WAYS,
    Hands,
    dealer_chances,
    discard,
    pegged,
    shown,
)
from fifteentwo.fast.layout import Cards
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.rules.events import DealerChosen, Dealt, Discarded, Drew, StarterTurned
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.state import State, evolve, start
from fifteentwo.strategy.board import Payoff

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Twice = tuple[tuple[int, ...], tuple[int, ...]]
"""Cards by number, ascending: pone's and dealer's."""

OTHERS = 100
"""Deals that a deal is compared with."""
PLAYS = 40
"""How often the hands are played as they were kept."""
UNSEEN = 40
"""Starters that might be turned."""


class Dealing(NamedTuple):
    """One deal up to its starter."""

    dealer: int
    scores: tuple[int, int]
    """Pone's and dealer's, before it."""
    sixes: Twice
    discards: Twice
    """The discards, as far as they were made."""
    starter: int | None
    """None where the record ends before it."""

    @property
    def unseen(self) -> list[int]:
        """The cards that were not dealt, ascending."""
        dealt = {*self.sixes[PONE], *self.sixes[DEALER]}
        return [card for card in range(52) if card not in dealt]


class Brought(NamedTuple):
    """What the deck brought the dealer of one deal, in chances of winning."""

    deal: float
    starter: float


def dealt_luck(record: Record) -> tuple[float, ...]:
    """Return what the deck did for seat 0, event by event, in chances of winning; for seat 1 the opposite.

    Two with six cards only. About 5 ms a deal. IllegalAction where the record breaks the rules.
    """
    drawn, dealings = followed(record)
    payoff = win.race_of(record.rules)
    even = float(win.after_deal(payoff, False, False)[0, 0]) / 2
    lucks = [] if drawn is None else [even if drawn == 0 else -even]
    for one, lucks_of in zip(dealings, in_deals(dealings, payoff), strict=True):
        lucks += [luck if one.dealer == 0 else -luck for luck in lucks_of]
    return tuple(lucks)


def followed(record: Record) -> tuple[int | None, list[Dealing]]:
    """Return who drew the first deal, None where it was not drawn for, and every deal."""
    state = start(record.rules, named=record.named)
    drew, drawn = False, None
    dealings: list[Dealing] = []
    for _, _, events in replay(record):
        for event in events:
            state = evolve(state, event)
            match event:
                case Drew():
                    drew = True
                case DealerChosen(dealer=dealer) if drew:
                    drawn = dealer
                case Dealt():
                    dealings.append(_begun(state))
                case Discarded(seat=seat, cards=cards):
                    both = [*dealings[-1].discards]
                    both[int(seat == state.dealer)] = tuple(sorted(card.index for card in cards))
                    dealings[-1] = dealings[-1]._replace(discards=(both[PONE], both[DEALER]))
                case StarterTurned(card=card):
                    dealings[-1] = dealings[-1]._replace(starter=card.index)
    return drawn, dealings


def _begun(state: State) -> Dealing:
    dealer, pone = state.dealer, 1 - state.dealer
    pones, dealers = (tuple(sorted(card.index for card in state.hands[seat])) for seat in (pone, dealer))
    return Dealing(dealer, (state.front[pone], state.front[dealer]), (pones, dealers), ((), ()), None)


# ── What a deal and its starter brought ──────────────────────────────────────────────────────────────────


class _Draws(NamedTuple):
    """What is drawn for one deal, from a seed of its own: another deal changes nothing of it."""

    dealt: Cards
    """(n, 13) the deal with each starter, then others: pone's six cards, dealer's six, starter."""
    discards: Floats
    """(n, 2, 15)."""
    pegged: Floats
    """(n, 2, 4)."""
    kept: Floats
    """(PLAYS, 2, 4)."""


def in_deals(dealings: Sequence[Dealing], payoff: Payoff, others: int = OTHERS) -> list[Brought]:
    """Return what the cards and the starter of each deal brought its dealer, compared with other deals."""
    draws = [_drawn(one, others) for one in dealings]
    if not draws:
        return []
    dealt, discards, pegs, _ = (np.concatenate(parts) for parts in zip(*draws, strict=True))
    hands = discard(dealt, discards)
    scores = np.array([one.scores for one in dealings]).repeat(UNSEEN + others, axis=0)
    deals = dealer_chances(scores, pegged(hands.kept, pegs), shown(hands), payoff).reshape(len(draws), -1)
    turned = [place for place, one in enumerate(dealings) if one.starter is not None]
    starters = dict.fromkeys(range(len(draws)), 0.0)
    if turned:
        chances = by_starter([dealings[at] for at in turned], [draws[at].kept for at in turned], payoff)
        for at, row in zip(turned, chances, strict=True):
            starter = dealings[at].starter
            assert starter is not None
            starters[at] = float(row[dealings[at].unseen.index(starter)] - row.mean())
    return [
        Brought(float(row[:UNSEEN].mean() - row[UNSEEN:].mean()), starters[at])
        for at, row in enumerate(deals)
    ]


def by_starter(dealings: Sequence[Dealing], wavering: Sequence[Floats], payoff: Payoff) -> Floats:
    """(n, 40) the dealer's chance with the hands as they were kept, by each starter that might be turned.

    wavering: (PLAYS, 2, 4) each.
    """
    number = len(dealings)
    kept = np.array([_kept(one) for one in dealings], np.uint8)
    cribs = np.array([[*one.discards[PONE], *one.discards[DEALER]] for one in dealings], np.uint8)
    starters = np.array([one.unseen for one in dealings], np.uint8)
    shows = shown(Hands(kept.repeat(UNSEEN, axis=0), cribs.repeat(UNSEEN, axis=0), starters.ravel()))
    pegs = pegged(kept.repeat(PLAYS, axis=0), np.concatenate(wavering))
    # Each play with each starter, since which is turned hardly changes the play.
    every = np.broadcast_to(shows.reshape(number, 1, UNSEEN, 4), (number, PLAYS, UNSEEN, 4))
    scores = np.array([one.scores for one in dealings]).repeat(PLAYS * UNSEEN, axis=0)
    chances = dealer_chances(scores, pegs.repeat(UNSEEN, axis=0), every.reshape(-1, 4), payoff)
    mean: Floats = chances.reshape(number, PLAYS, UNSEEN).mean(axis=1)
    return mean


def _kept(dealing: Dealing) -> list[list[int]]:
    return [
        [card for card in six if card not in discard]
        for six, discard in zip(dealing.sixes, dealing.discards, strict=True)
    ]


def _drawn(dealing: Dealing, others: int) -> _Draws:
    key = bytes([*dealing.scores, *dealing.sixes[PONE], *dealing.sixes[DEALER]])
    chance = np.random.default_rng(int.from_bytes(hashlib.sha256(key).digest()))
    own = [[*dealing.sixes[PONE], *dealing.sixes[DEALER], card] for card in dealing.unseen]
    number = len(own) + others
    return _Draws(
        np.concatenate([np.array(own, np.uint8), random_deals(others, 13, chance)]),
        chance.normal(size=(number, 2, WAYS)),
        chance.random((number, 2, 4)),
        chance.random((PLAYS, 2, 4)),
    )
