"""Luck-adjusted results: a game's result less the luck of the deck, for players of any strength.

`luck` assumes best play on both sides, so it cannot see that a weak opponent loses more than its own
mistakes. Here only the deck is luck: the draw for the first deal, the dealt cards and the starter. A deal
counts its value between players of rollouts (`rollout_policy`) less the mean value of other deals at the same
scores. A starter counts the value of the kept hands with it, less the mean over all possible starters. These
differences have mean 0 for players of any strength; better rollouts only reduce the noise.

Seats and sides are counted from the dealer's left, the dealer last.
"""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.rollouts.rollout_policy import (
    Hands,
    chances,
    chances_at_deal,
    discard,
    pegged,
    show_points,
)
from fifteentwo.fast.discards import ways
from fifteentwo.fast.layout import Cards
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.rules.events import DealerChosen, Dealt, Discarded, Drew, StarterTurned
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.state import State, evolve, start
from fifteentwo.rules.variants import Rules

Floats = npt.NDArray[np.float64]
CardsBySeat = tuple[tuple[int, ...], ...]
"""Cards (0–51) of each seat, ascending."""

COMPARED_DEALS = 100
"""Number of random deals with which a deal is compared."""
PLAYOUTS = 40
"""Number of times that pegging with the kept hands is simulated."""


class Dealing(NamedTuple):
    """The cards of one deal up to its starter; seats and sides are counted from the dealer's left."""

    dealer: int
    """The dealer's seat in the game."""
    scores: tuple[int, ...]
    """Scores of the sides before the deal."""
    hands: CardsBySeat
    """Cards dealt to each seat."""
    discards: CardsBySeat
    """Cards discarded by each seat; empty before it discards."""
    to_crib: tuple[int, ...]
    """Cards dealt directly to the crib."""
    starter: int | None
    """The starter; None if the record ends before it."""

    @property
    def dealt(self) -> list[int]:
        """All dealt cards, seat by seat."""
        return [*[card for hand in self.hands for card in hand], *self.to_crib]

    @property
    def unseen(self) -> list[int]:
        """The possible starters, ascending."""
        dealt = {*self.dealt}
        return [card for card in range(52) if card not in dealt]


class DealLuck(NamedTuple):
    """Luck of the sides in one deal, as changes of win probability."""

    deal: Floats
    """(sides,) luck of the dealt cards."""
    starter: Floats
    """(sides,) luck of the starter."""


def dealt_luck(record: Record) -> tuple[tuple[float, ...], ...]:
    """Return for each event of luck (draw, deal, starter) the change of win probability of each side.

    Sides are in the order of the seats. With two sides the second value is minus the first. A deal takes
    about 5 ms. Raise IllegalAction if the record breaks the rules.
    """
    rules = record.rules
    drawn, dealings = deals_of(record)
    lucks = [] if drawn is None else [_for_seats(_drawn_luck(rules), drawn)]
    for one, by_deck in zip(dealings, luck_of_deals(dealings, rules), strict=True):
        lucks += [_for_seats(luck, one.dealer) for luck in by_deck]
    return tuple(lucks)


def _for_seats(by_dealer: Floats, dealer: int) -> tuple[float, ...]:
    """Return values by side, which begin at the dealer's left, in the order of the seats."""
    return tuple(np.roll(by_dealer, dealer + 1).tolist())


def _drawn_luck(rules: Rules) -> Floats:
    """Return (sides,) the luck of a draw for the first deal, the winner of the draw last."""
    scores = np.zeros((1, rules.sides), np.int64)
    if rules.three_for_last:
        scores[0, 0] = 3
    drawn = chances_at_deal(rules, scores)[0]
    luck: Floats = drawn - drawn.mean()
    return luck


def deals_of(record: Record) -> tuple[int | None, list[Dealing]]:
    """Return the seat that won the draw for the first deal (None without a draw), and every deal."""
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
                    dealings.append(_new_deal(state))
                case Discarded(seat=seat, cards=cards):
                    discards = [*dealings[-1].discards]
                    place = (seat - state.dealer - 1) % state.rules.seats
                    discards[place] = tuple(sorted(card.index for card in cards))
                    dealings[-1] = dealings[-1]._replace(discards=tuple(discards))
                case StarterTurned(card=card):
                    dealings[-1] = dealings[-1]._replace(starter=card.index)
    return drawn, dealings


def _new_deal(state: State) -> Dealing:
    rules = state.rules
    seats = [(state.dealer + 1 + place) % rules.seats for place in range(rules.seats)]
    return Dealing(
        state.dealer,
        tuple([state.front[rules.side(seat)] for seat in seats[: rules.sides]]),
        tuple([tuple(sorted(card.index for card in state.hands[seat])) for seat in seats]),
        ((),) * rules.seats,
        tuple([card.index for card in state.crib]),
        None,
    )


# ── The luck of a deal and its starter ───────────────────────────────────────────────────────────────────


class _RandomInputs(NamedTuple):
    """Random inputs for the rollouts of one deal, from its own seed, so that deals are independent."""

    dealt: Cards
    """(n, cards) the deal with each possible starter, then random deals, in the order of `discard`."""
    discard_noise: Floats
    """(n, seats, ways) random numbers for the discards in each of these deals."""
    pegging_noise: Floats
    """(n, seats, kept) random numbers for the pegging in each of these deals."""
    playout_noise: Floats
    """(PLAYOUTS, seats, kept) random numbers for pegging that is combined with every starter."""


def luck_of_deals(dealings: Sequence[Dealing], rules: Rules, others: int = COMPARED_DEALS) -> list[DealLuck]:
    """Return the luck of each deal. others: number of random deals with which it is compared."""
    draws = [_random_inputs(one, rules, others) for one in dealings]
    if not draws:
        return []
    dealt, discards, pegs, _ = (np.concatenate(parts) for parts in zip(*draws, strict=True))
    hands = discard(rules, dealt, discards)
    unseen = len(dealings[0].unseen)
    scores = np.array([one.scores for one in dealings]).repeat(unseen + others, axis=0)
    values = chances(rules, scores, pegged(rules, hands.kept, pegs), show_points(hands))
    deals = values.reshape(len(draws), unseen + others, rules.sides)
    turned = [place for place, one in enumerate(dealings) if one.starter is not None]
    starters = dict.fromkeys(range(len(draws)), np.zeros(rules.sides))
    if turned:
        plays = [draws[at].playout_noise for at in turned]
        by_card = chances_by_starter([dealings[at] for at in turned], plays, rules)
        for at, row in zip(turned, by_card, strict=True):
            starter = dealings[at].starter
            assert starter is not None
            starters[at] = row[dealings[at].unseen.index(starter)] - row.mean(axis=0)
    return [
        DealLuck(row[:unseen].mean(axis=0) - row[unseen:].mean(axis=0), starters[at])
        for at, row in enumerate(deals)
    ]


def chances_by_starter(dealings: Sequence[Dealing], noise: Sequence[Floats], rules: Rules) -> Floats:
    """Return (n, starters, sides) win probabilities after the discards of n deals, by possible starter."""
    number, unseen = len(dealings), len(dealings[0].unseen)
    kept = np.array([_kept_hands(one) for one in dealings], np.uint8)
    cribs = np.array([[*sum(one.discards, ()), *one.to_crib] for one in dealings], np.uint8)
    starters = np.array([one.unseen for one in dealings], np.uint8)
    shows = show_points(Hands(kept.repeat(unseen, axis=0), cribs.repeat(unseen, axis=0), starters.ravel()))
    pegs = pegged(rules, kept.repeat(PLAYOUTS, axis=0), np.concatenate(noise))
    # Each play is combined with each starter, because the starter hardly changes pegging.
    every = np.broadcast_to(shows.reshape(number, 1, unseen, -1), (number, PLAYOUTS, unseen, shows.shape[1]))
    scores = np.array([one.scores for one in dealings]).repeat(PLAYOUTS * unseen, axis=0)
    values = chances(rules, scores, pegs.repeat(unseen, axis=0), every.reshape(-1, shows.shape[1]))
    mean: Floats = values.reshape(number, PLAYOUTS, unseen, rules.sides).mean(axis=1)
    return mean


def _kept_hands(dealing: Dealing) -> list[list[int]]:
    return [
        [card for card in hand if card not in discarded]
        for hand, discarded in zip(dealing.hands, dealing.discards, strict=True)
    ]


def _random_inputs(dealing: Dealing, rules: Rules, others: int) -> _RandomInputs:
    key = bytes([*dealing.scores, *dealing.dealt])
    chance = np.random.default_rng(int.from_bytes(hashlib.sha256(key).digest()))
    own = [[*dealing.dealt, card] for card in dealing.unseen]
    number, seats = len(own) + others, rules.seats
    return _RandomInputs(
        np.concatenate([np.array(own, np.uint8), random_deals(others, len(own[0]), chance)]),
        chance.normal(size=(number, seats, len(ways(rules.dealt, rules.discards)[0]))),
        chance.random((number, seats, rules.kept)),
        chance.random((PLAYOUTS, seats, rules.kept)),
    )
