"""Luck-adjusted results: a game's result without what the deck did for a seat, for players of any strength.

`luck` holds play against best play, and so cannot know what is won from a weak player beyond what that player
loses. Here luck is what the deck alone does: who draws the first deal, the cards of a deal, the
starter. A deal brings its value between the players of rollouts (`rollout_policy`), less the mean value of
other deals from the same scores; a starter its value with the hands as they were kept, less the mean over all
that might have been turned. Such differences are nought on average for players of any strength, also in
the rollouts; the better the rollouts, the less noise is left.

Seats and sides of a deal are counted from the dealer's left: the dealer's is the last.
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
    shown,
)
from fifteentwo.fast.discards import ways
from fifteentwo.fast.layout import Cards
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.rules.events import DealerChosen, Dealt, Discarded, Drew, StarterTurned
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.state import State, evolve, start
from fifteentwo.rules.variants import Rules

Floats = npt.NDArray[np.float64]
Held = tuple[tuple[int, ...], ...]
"""Cards by number, ascending: each seat's."""

OTHERS = 100
"""Deals that a deal is compared with."""
PLAYS = 40
"""How often the hands are played as they were kept."""


class Dealing(NamedTuple):
    """One deal up to its starter."""

    dealer: int
    scores: tuple[int, ...]
    """Each side's, before it."""
    hands: Held
    discards: Held
    """The discards, as far as they were made."""
    to_crib: tuple[int, ...]
    """Dealt straight to the crib."""
    starter: int | None
    """None where the record ends before it."""

    @property
    def dealt(self) -> list[int]:
        """The cards that were dealt, in their order."""
        return [*[card for hand in self.hands for card in hand], *self.to_crib]

    @property
    def unseen(self) -> list[int]:
        """The starters that might be turned, ascending."""
        dealt = {*self.dealt}
        return [card for card in range(52) if card not in dealt]


class Brought(NamedTuple):
    """What the deck brought each side in one deal, in chances of winning, (sides,)."""

    deal: Floats
    starter: Floats


def dealt_luck(record: Record) -> tuple[tuple[float, ...], ...]:
    """Return what the deck did for each side, seat 0's first, event by event, in chances of winning.

    Of two the second has the opposite of the first. About 5 ms a deal. IllegalAction where the record breaks
    the rules.
    """
    rules = record.rules
    drawn, dealings = followed(record)
    lucks = [] if drawn is None else [_for_seats(_drawn_luck(rules), drawn)]
    for one, by_deck in zip(dealings, in_deals(dealings, rules), strict=True):
        lucks += [_for_seats(luck, one.dealer) for luck in by_deck]
    return tuple(lucks)


def _for_seats(by_dealer: Floats, dealer: int) -> tuple[float, ...]:
    """Return what is counted from the dealer's left from seat 0 on."""
    return tuple(np.roll(by_dealer, dealer + 1).tolist())


def _drawn_luck(rules: Rules) -> Floats:
    """Return what a draw for the first deal does for each side."""
    scores = np.zeros((1, rules.sides), np.int64)
    if rules.three_for_last:
        scores[0, 0] = 3
    drawn = chances_at_deal(rules, scores)[0]
    luck: Floats = drawn - drawn.mean()
    return luck


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
                    discards = [*dealings[-1].discards]
                    discards[_from_left(state, seat)] = tuple(sorted(card.index for card in cards))
                    dealings[-1] = dealings[-1]._replace(discards=tuple(discards))
                case StarterTurned(card=card):
                    dealings[-1] = dealings[-1]._replace(starter=card.index)
    return drawn, dealings


def _from_left(state: State, seat: int) -> int:
    return (seat - state.dealer - 1) % state.rules.seats


def _begun(state: State) -> Dealing:
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


# ── What a deal and its starter brought ──────────────────────────────────────────────────────────────────


class _Draws(NamedTuple):
    """What is drawn for one deal, from a seed of its own: another deal changes nothing of it."""

    dealt: Cards
    """(n, cards) the deal with each starter, then others: each seat's, the crib's, starter."""
    discards: Floats
    """(n, seats, ways)."""
    pegged: Floats
    """(n, seats, kept)."""
    kept: Floats
    """(PLAYS, seats, kept)."""


def in_deals(dealings: Sequence[Dealing], rules: Rules, others: int = OTHERS) -> list[Brought]:
    """Return what the cards and the starter of each deal brought, compared with other deals."""
    draws = [_drawn(one, rules, others) for one in dealings]
    if not draws:
        return []
    dealt, discards, pegs, _ = (np.concatenate(parts) for parts in zip(*draws, strict=True))
    hands = discard(rules, dealt, discards)
    unseen = len(dealings[0].unseen)
    scores = np.array([one.scores for one in dealings]).repeat(unseen + others, axis=0)
    values = chances(rules, scores, pegged(rules, hands.kept, pegs), shown(hands))
    deals = values.reshape(len(draws), unseen + others, rules.sides)
    turned = [place for place, one in enumerate(dealings) if one.starter is not None]
    starters = dict.fromkeys(range(len(draws)), np.zeros(rules.sides))
    if turned:
        by_card = by_starter([dealings[at] for at in turned], [draws[at].kept for at in turned], rules)
        for at, row in zip(turned, by_card, strict=True):
            starter = dealings[at].starter
            assert starter is not None
            starters[at] = row[dealings[at].unseen.index(starter)] - row.mean(axis=0)
    return [
        Brought(row[:unseen].mean(axis=0) - row[unseen:].mean(axis=0), starters[at])
        for at, row in enumerate(deals)
    ]


def by_starter(dealings: Sequence[Dealing], wavering: Sequence[Floats], rules: Rules) -> Floats:
    """(n, unseen, sides) the chances with the hands as they were kept, by each starter that might be turned.

    wavering: (PLAYS, seats, kept) each.
    """
    number, unseen = len(dealings), len(dealings[0].unseen)
    kept = np.array([_kept(one) for one in dealings], np.uint8)
    cribs = np.array([[*sum(one.discards, ()), *one.to_crib] for one in dealings], np.uint8)
    starters = np.array([one.unseen for one in dealings], np.uint8)
    shows = shown(Hands(kept.repeat(unseen, axis=0), cribs.repeat(unseen, axis=0), starters.ravel()))
    pegs = pegged(rules, kept.repeat(PLAYS, axis=0), np.concatenate(wavering))
    # Each play with each starter, since which is turned hardly changes the play.
    every = np.broadcast_to(shows.reshape(number, 1, unseen, -1), (number, PLAYS, unseen, shows.shape[1]))
    scores = np.array([one.scores for one in dealings]).repeat(PLAYS * unseen, axis=0)
    values = chances(rules, scores, pegs.repeat(unseen, axis=0), every.reshape(-1, shows.shape[1]))
    mean: Floats = values.reshape(number, PLAYS, unseen, rules.sides).mean(axis=1)
    return mean


def _kept(dealing: Dealing) -> list[list[int]]:
    return [
        [card for card in hand if card not in discarded]
        for hand, discarded in zip(dealing.hands, dealing.discards, strict=True)
    ]


def _drawn(dealing: Dealing, rules: Rules, others: int) -> _Draws:
    key = bytes([*dealing.scores, *dealing.dealt])
    chance = np.random.default_rng(int.from_bytes(hashlib.sha256(key).digest()))
    own = [[*dealing.dealt, card] for card in dealing.unseen]
    number, seats = len(own) + others, rules.seats
    return _Draws(
        np.concatenate([np.array(own, np.uint8), random_deals(others, len(own[0]), chance)]),
        chance.normal(size=(number, seats, len(ways(rules.dealt, rules.discards)[0]))),
        chance.random((number, seats, rules.kept)),
        chance.random((PLAYS, seats, rules.kept)),
    )
