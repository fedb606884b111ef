"""How much a perfect opponent gains: exactly where hands are ranges, by sampling where a player knows more.

The exact figures (`Joint.exploitability`) let the best response know its kept hand. At the table it also
knows the two cards it discarded and the starter; `sampled` deals six cards and a starter and lets it use them
in pegging, against a side whose first cards its own discards move (`strategy.own_discards`).
"""

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import FOURS, PAIRS, SIZES, TRIPLES, place, without
from fifteentwo.solver.board.deal_counts import playable
from fifteentwo.solver.discards.discard_book import ROLES
from fifteentwo.solver.discards.discard_kernels import RankPolicy
from fifteentwo.solver.discards.joint import Joint
from fifteentwo.solver.discards.six_cards import SixCards
from fifteentwo.solver.discards.solve_discards import rank_policy
from fifteentwo.solver.pegging.ranges import HANDS
from fifteentwo.solver.pegging.response_kernels import BEST, BY_BOOK, new_walk
from fifteentwo.solver.pegging.tree import DEALER, PONE
from fifteentwo.strategy.own_discards import Tables, load, moved
from fifteentwo.strategy.pegging import PeggingBook, load_pegging_book

Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Line = tuple[int, ...]
_CARDS = {2: PAIRS, 3: TRIPLES, 4: FOURS}
_KERNELS = "fifteentwo.solver.discards.discard_kernels"
_RESPONSE = "fifteentwo.solver.pegging.response_kernels"


def keep_policy(mean: Doubles, six: SixCards) -> RankPolicy:
    """Of each rank class the hands kept, and how often."""
    row, option, often = _ways(mean)
    return rank_policy(row, six.keep_of[row, option], often, len(six.ranks))


def _ways(mean: Doubles) -> tuple[Ints, Ints, Doubles]:
    """(rank classes, options, how often) of all that a strategy discards."""
    probability = mean / mean.sum(axis=1, keepdims=True)
    row, option = np.nonzero(probability > 1e-6)
    return row, option, probability[row, option]


class Dealt(NamedTuple):
    """Hands with what was discarded: a row each."""

    kept: Ints
    given: Ints


class Pegging:
    """How what ships plays its first three cards by own discards, and the rest by the book."""

    def __init__(self, book: PeggingBook | None = None, table: Tables | None = None) -> None:
        """By default what ships."""
        self.book = playable(book or load_pegging_book())
        self.table = load() if table is None else table
        self.walk = new_walk()
        self._by_book: dict[Line, Doubles] = {}

    def policy(self, dealt: Dealt, left: Ints, line: Line) -> Doubles:
        """(n, 4) how often each card left is played after `line`; left: (n,) the hands left."""
        if line not in self._by_book:
            policy = np.zeros((SIZES[4 - len(line) // 2], 4))
            compiled(_RESPONSE).policies(np.array(line, np.int64), self.book, self.walk, policy)
            self._by_book[line] = policy
        return moved(self.table, self._by_book[line][left], dealt.kept, dealt.given, line)

    def values(self, side: int, own: Ints, others: Doubles, line: Line) -> Doubles:
        """(2,) as `response_kernels.hand_values`."""
        values = np.zeros(2)
        ranks = np.array(line, np.int64)
        compiled(_RESPONSE).hand_values(side, own, others, ranks, self.book, self.walk, values)
        return values


class Played(NamedTuple):
    """What the other side plays next: a row for each way it may have discarded, a column for each card."""

    rows: Ints
    """(m,) which of its ways."""
    ranks: Ints
    chances: Doubles
    rests: Ints
    """The hands left."""

    def hands(self) -> Doubles:
        """(13, hands) chances of each rank with the hand left."""
        size = SIZES[self.ranks.shape[1] - 1]
        at = self.ranks * size + self.rests
        summed = np.bincount(at.ravel(), self.chances.ravel(), minlength=13 * size)
        return np.asarray(summed.reshape(13, size), np.float64)


class Others:
    """How the other side plays with each of the hands and discards that it may have."""

    def __init__(self, pegging: Pegging, dealt: Dealt) -> None:
        self.pegging, self.dealt = pegging, dealt
        self._policies: dict[Line, tuple[Ints, npt.NDArray[np.float32]]] = {}

    def play(self, chances: Doubles, line: Line) -> Played:
        """What it plays after `line`, its ways this likely."""
        held = 4 - len(line) // 2
        left = self.dealt.kept if held == 4 else without(4)[self.dealt.kept, line[0]]
        if line not in self._policies:
            ways = np.flatnonzero(left >= 0)
            dealt = Dealt(self.dealt.kept[ways], self.dealt.given[ways])
            policy = self.pegging.policy(dealt, left[ways], line)[:, :held].astype(np.float32)
            self._policies[line] = ways, policy
        ways, policy = self._policies[line]
        likely = chances[ways] > 0
        rows = ways[likely]
        ranks = _CARDS[held][left[rows]]
        rests = without(held)[left[rows][:, None], ranks]
        return Played(rows, ranks, chances[rows, None] * policy[likely], rests)

    def having_led(self, chances: Doubles, lead: int) -> Doubles:
        """(n,) chances of each way together with this lead."""
        led = self.play(chances, ())
        after = np.zeros(len(chances))
        after[led.rows] = np.where(led.ranks == lead, led.chances, 0).sum(axis=1)
        return after


def pone_values(dealt: Dealt, chances: Doubles, others: Others) -> Doubles:
    """(2,) net points of a pone's hand with the best cards, and as what ships plays it."""
    pegging = others.pegging

    def after_lead(lead: int, three: int) -> Doubles:
        replies = others.play(chances, (lead,)).hands()
        total = np.zeros(2)
        for reply in np.flatnonzero(replies.any(axis=1)).tolist():

            def after_card(card: int, two: int, reply: int = reply) -> Doubles:
                return pegging.values(PONE, PAIRS[two], replies[reply], (lead, reply, card))

            policy = pegging.policy(dealt, np.array([three]), (lead, reply))[0]
            total += _own_card(policy, TRIPLES[three], after_card)
        return total

    policy = pegging.policy(dealt, dealt.kept, ())[0]
    return _own_card(policy, FOURS[dealt.kept[0]], after_lead)


def dealer_values(dealt: Dealt, chances: Doubles, others: Others) -> Doubles:
    """(2,) the same of a dealer's hand."""
    pegging, total = others.pegging, np.zeros(2)
    for lead in range(13):
        led = others.having_led(chances, lead)
        if not led.any():
            continue

        def after_reply(reply: int, three: int, lead: int = lead, led: Doubles = led) -> Doubles:
            cards = others.play(led, (lead, reply)).hands()
            found = np.zeros(2)
            for card in np.flatnonzero(cards.any(axis=1)).tolist():
                found += pegging.values(DEALER, TRIPLES[three], cards[card], (lead, reply, card))
            return found

        policy = pegging.policy(dealt, dealt.kept, (lead,))[0]
        total += _own_card(policy, FOURS[dealt.kept[0]], after_reply)
    return total


def _own_card(policy: Doubles, cards: Ints, then: Callable[[int, int], Doubles]) -> Doubles:
    """(2,) of the best card, and of the policy's mixture; then(rank, hand left): what each leads to."""
    best, usual, size = -np.inf, 0.0, len(cards)
    for at in range(size):
        rank = int(cards[at])
        if at and rank == cards[at - 1]:
            continue
        found = then(rank, int(without(size)[place(size)[tuple(cards.tolist())], rank]))
        best, usual = max(best, found[BEST]), usual + policy[at] * found[BY_BOOK]
    return np.array([best, usual])


def sampled(
    joint: Joint,
    hands: int,
    seed: int,
    progress: Callable[[str], None] = print,
    roles: Sequence[int] = (PONE, DEALER),
    pegging: Pegging | None = None,
) -> dict[str, Any]:
    """Mean gain in pegging of a best response that knows its six cards and the starter, by role, with errors.

    Hands are kept as `joint` keeps them; `pegging`: what ships if None. The same seed, the same hands. A hand
    costs about 0.1 core-seconds.
    """
    six = joint.discarding[PONE].six
    rng = random.Random(seed)
    deals = joint.means[PONE].sum(axis=1)
    pegging = pegging or Pegging()
    figures: dict[str, Any] = {"hands": hands, "seed": seed}
    for role in roles:
        name = ROLES[role]
        row, option, often = _ways(joint.means[1 - role])
        others = Others(pegging, Dealt(six.keep_of[row, option], six.pair_of[row, option]))
        policy = rank_policy(row, np.arange(len(row)), often, len(six.ranks))
        chances = np.zeros(len(row))
        rows = rng.choices(range(len(six.ranks)), weights=deals.tolist(), k=hands)
        gains = []
        for n, hand in enumerate(rows):
            kept = rng.choices(range(15), weights=joint.means[role][hand].tolist())
            rest = 4 - six.copies[hand]
            rest[rng.choices(range(13), weights=rest.tolist())[0]] -= 1
            compiled(_KERNELS).exact_keeps(rest, six.copies, policy, chances)
            dealt = Dealt(six.keep_of[hand, kept], six.pair_of[hand, kept])
            values = (pone_values, dealer_values)[role](dealt, chances, others)
            gains.append(float(values[BEST] - values[BY_BOOK]))
            if (n + 1) % 100 == 0:
                progress(f"{name}: {n + 1} of {hands} hands, gain {np.mean(gains):.4f} ± {_error(gains):.4f}")
        figures[name] = {"gain": float(np.mean(gains)), "standard_error": _error(gains)}
    return figures


def _error(gains: Sequence[float]) -> float:
    """The standard error of a mean."""
    return float(np.std(gains, ddof=1) / len(gains) ** 0.5)


def prepare() -> None:
    """Compile the kernels, or load them."""
    none = np.zeros(0, np.int64)
    policy = RankPolicy(np.zeros(1, np.int64), none, np.zeros(0))
    kernels, copies = compiled(_KERNELS), np.zeros((0, 13), np.int64)
    kernels.exact_keeps(np.full(13, 4), copies, policy, np.zeros(HANDS))
    kernels.kept_together(copies, np.zeros(0), policy, policy, np.zeros((HANDS, HANDS)))
    pegging = Pegging()
    dealt = Dealt(np.zeros(1, np.int64), np.zeros(1, np.int64))
    pegging.policy(dealt, dealt.kept, ())
    pegging.values(PONE, FOURS[0], np.zeros(HANDS), ())
