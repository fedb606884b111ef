"""What a best response to leads, first replies and third cards of `master` gains in points a deal.

    python -m tests.measured.master_response leads                      exact: as the book has it
    python -m tests.measured.master_response replies --to 4 J           two of the leads it replies to
    python -m tests.measured.master_response replies                    to all thirteen
    python -m tests.measured.master_response third --after 4K J5        the pone's next card after these

Of each kept hand deals are drawn as the equilibrium discards, and `master` is asked how often it plays each
card at the beginning of a game, knowing its discards and the starter. The mean over its deals is the policy
of the hand. The best response knows that policy and the keeps, hence by Bayes the hand behind each card;
after this card `master` plays by the book, and the response is free to the end of the deal. What it gains is
over the value of the book against itself. The policy of a hand is known by `--each` deals only, and the
response knows those: the figure is too high rather than too low. Hands that are kept most seldom are left to
the book (`--hands`). The standard error is that of the mean over `--times` independent sets of deals.
"""

import argparse
import random
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.pegging import mixture
from fifteentwo.fast.hands import UP3, UP4, hands
from fifteentwo.library.position import Position
from fifteentwo.players.expert import drawn
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.view import View
from fifteentwo.strategy.discards import FILE as DISCARDS
from fifteentwo.strategy.discards import Role, discard_frequencies
from fifteentwo.strategy.files import data_file, read_tables
from fifteentwo.strategy.pegging import load_pegging_book
from lab.cfr import BEST_RESPONSE, DEALER, MEASURE, PONE, Cells
from lab.six_card.pegging import PeggingGame
from lab.six_card.pegging_book import read_cells
from lab.six_card.ranges import HANDS, couplings, fit_ranges
from lab.six_card.tree import build_tree, reply_points

Floats = npt.NDArray[np.float64]
Asking = Callable[[Sequence[View]], Iterable[dict[int, float]]]
RANKS = "A23456789TJQK"
JACK = 10
LEAST = 1e-12
"""The least frequency of a keep, so that every hand can be measured."""


class Dealt(NamedTuple):
    """What one seat kept, and what it knows besides."""

    kept: tuple[Card, ...]
    discarded: tuple[Card, ...]
    starter: Card

    def view(self, role: Role, led: Card | None = None) -> View:
        """What this seat sees as it leads, or as it replies."""
        kept, discarded = ("".join(map(str, cards)) for cards in (self.kept, self.discarded))
        heels = 2 * (self.starter.index >> 2 == JACK)
        score = f"0-{heels}" if role == "pone" else f"{heels}-0"
        return Position(f"{score} {role} {kept}/{discarded} {self.starter} {led or ''}".strip()).view()

    def third(self, lead: int, reply: int) -> View | None:
        """What the pone sees after its lead and a reply; None where it cannot be."""
        led = next((card for card in self.kept if card.index >> 2 == lead), None)
        replied = led_to(self, reply)
        if led is None or replied is None:
            return None
        kept, discarded = ("".join(map(str, cards)) for cards in (self.kept, self.discarded))
        pegged = 2 * (self.starter.index >> 2 == JACK) + reply_points(lead, reply)
        return Position(f"0-{pegged} pone {kept}/{discarded} {self.starter} {led} {replied}").view()


def led_to(dealt: Dealt, rank: int) -> Card | None:
    """A card of a rank that the other side may hold; None where there is none."""
    known = (*dealt.kept, *dealt.discarded, dealt.starter)
    return next((card for card in DECK if card.index >> 2 == rank and card not in known), None)


def keeping(role: Role, each: int, most: int, seed: str) -> list[Dealt]:
    """So many deals of each kept hand, as the equilibrium keeps it; of so many hands, the most frequent."""
    luck, number = random.Random(seed), dict.fromkeys(hands(4), 0)
    frequent = read_tables(data_file(DISCARDS)).arrays[f"{role}_keeps"].argsort()[::-1][:most]
    wanted = {hands(4)[hand] for hand in frequent.tolist()}
    found: list[Dealt] = []
    # The rarest hands may never come.
    for _ in range(40 * most * each):
        *six, starter = luck.sample(DECK, 7)
        discarded = drawn(discard_frequencies(tuple(sorted(six)), role), luck.random())
        kept = tuple(sorted(card for card in six if card not in discarded))
        hand = tuple([card.index >> 2 for card in kept])
        if hand in wanted:
            number[hand] += 1
            found.append(Dealt(kept, tuple(discarded), starter))
            if number[hand] == each:
                wanted.remove(hand)
        if not wanted:
            break
    return found


class Responder:
    """The solved pegging, and best responses to policies that differ from it in one card."""

    def __init__(self) -> None:
        self.game = PeggingGame(build_tree())
        self.book = read_cells(self.game.tree, load_pegging_book())
        keeps = read_tables(data_file(DISCARDS)).arrays
        pone, dealer = (keeps[f"{role}_keeps"].astype(np.float64) + LEAST for role in ("pone", "dealer"))
        self.ranges = fit_ranges(couplings(), pone, dealer)
        self.value = float(self.ranges[PONE] @ self.game.sweep(PONE, MEASURE, self.ranges, self.book))

    def to_leads(self, policy: Floats) -> float:
        """Points a deal that the dealer gains; policy (1820, 13)."""
        cells = Cells(_cells(policy), self.book.reply, self.book.rest)
        best = self.game.sweep(DEALER, BEST_RESPONSE, self.ranges, cells)
        return float(self.ranges[DEALER] @ best) + self.value

    def to_replies(self, policies: dict[int, Floats]) -> float:
        """Points a deal that the pone gains; by lead (1820, 13)."""
        cells = Cells(self.book.lead, self.book.reply.copy(), self.book.rest)
        for rank, policy in policies.items():
            cells.reply[rank] = _cells(policy)
        best = self.game.sweep(PONE, BEST_RESPONSE, self.ranges, cells)
        return float(self.ranges[PONE] @ best) - self.value

    def to_third(self, branch: int, policy: Floats) -> float:
        """Points a deal that the dealer gains; branch: lead × 13 + reply; policy (455, 13)."""
        rest = self.book.rest.copy()
        first = int(self.game.tree.states[branch].cell)
        rest[first : first + 13 * 91] = policy.T[np.arange(13)[:, None], UP3].ravel()
        cells = Cells(self.book.lead, self.book.reply, rest)
        best = self.game.sweep(DEALER, BEST_RESPONSE, self.ranges, cells)
        return float(self.ranges[DEALER] @ best) + self.value

    def third_by_book(self, branch: int) -> Floats:
        """(455, 13) the book's policy for the third card."""
        first = int(self.game.tree.states[branch].cell)
        policy = np.zeros((len(hands(3)), 13))
        policy[UP3, np.arange(13)[:, None]] = self.book.rest[first : first + 13 * 91].reshape(13, 91)
        total = policy.sum(axis=1, keepdims=True)
        return np.asarray(np.where(total > 0, policy / np.where(total > 0, total, 1), 0))

    def by_book(self, cells: npt.NDArray[np.float32]) -> Floats:
        """(1820, 13) the book's policy, from the cells of a lead or a reply."""
        policy = np.zeros((HANDS, 13))
        policy[UP4, np.arange(13)[:, None]] = PeggingGame.hands.strategy(cells)
        return policy


def _cells(policy: Floats) -> npt.NDArray[np.float32]:
    cells: npt.NDArray[np.float32] = policy.T[np.arange(13)[:, None], UP4].astype(np.float32)
    return cells


def mixed(policy: Floats, asked: Sequence[View], plays: Sequence[dict[int, float]]) -> Floats:
    """A policy with the mean of these in place of the hands they were asked about."""
    policy, sums, number = policy.copy(), np.zeros(policy.shape), np.zeros(len(policy))
    for seen, often in zip(asked, plays, strict=True):
        hand = hands(len(seen.hand)).index(tuple(sorted(card.index >> 2 for card in seen.hand)))
        number[hand] += 1
        for rank, probability in often.items():
            sums[hand, rank] += probability / sum(often.values())
    known = number > 0
    policy[known] = sums[known] / number[known, None]
    return policy


def third_asked(dealt: list[Dealt], often: Floats, lead: int, reply: int, most: int) -> list[View]:
    """Views before the third card, a deal for each of the hands that are led from most often.

    often: (1820,) how often each hand is kept and led from.
    """
    views: dict[tuple[int, ...], tuple[float, View]] = {}
    for each in dealt:
        if (view := each.third(lead, reply)) is not None:
            hand = tuple(sorted(card.index >> 2 for card in each.kept))
            views[hand] = float(often[hands(4).index(hand)]), view
    return [view for _, view in sorted(views.values(), key=lambda found: -found[0])[:most]]


def third_gain(responder: Responder, asking: Asking, dealt: list[Dealt], after: str, most: int) -> float:
    """Points a deal that the dealer gains over the book on the third card after a lead and a reply."""
    lead, reply = map(RANKS.index, after)
    led = responder.by_book(responder.book.lead)[:, lead]
    asked = third_asked(dealt, responder.ranges[PONE] * led, lead, reply, most)
    book = responder.third_by_book(13 * lead + reply)
    policy = mixed(book, asked, list(asking(asked)))
    by_both = (responder.to_third(13 * lead + reply, each) for each in (policy, book))
    gain = next(by_both) - next(by_both)
    print(f"{after}: {gain:.6f} over the book, {len(asked)} hands", flush=True)
    return gain


def reply_gain(responder: Responder, asking: Asking, dealt: list[Dealt], to: Sequence[str]) -> float:
    """Points a deal that the pone gains on replies to these leads."""
    policies = {}
    for rank in map(RANKS.index, to):
        asked = [each.view("dealer", led) for each in dealt if (led := led_to(each, rank))]
        book = responder.by_book(responder.book.reply[rank])
        policies[rank] = mixed(book, asked, list(asking(asked)))
        print(f"to {RANKS[rank]}: {responder.to_replies({rank: policies[rank]}):.5f}", flush=True)
    return responder.to_replies(policies)


def lead_gain(responder: Responder, asking: Asking, dealt: list[Dealt]) -> float:
    """Points a deal that the dealer gains on leads."""
    asked = [each.view("pone") for each in dealt]
    return responder.to_leads(mixed(responder.by_book(responder.book.lead), asked, list(asking(asked))))


def main() -> None:
    """Print the gain and its standard error."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("leads", "replies", "third"))
    parser.add_argument("--to", nargs="+", choices=RANKS, default=RANKS, metavar="RANK")
    parser.add_argument("--after", nargs="+", default=(), metavar="RANKS")
    parser.add_argument("--each", type=int, default=1)
    parser.add_argument("--hands", type=int, default=HANDS)
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    role: Role = "dealer" if given.what == "replies" else "pone"
    responder, gains = Responder(), list[float]()
    print(f"the book: {responder.to_leads(responder.by_book(responder.book.lead)):.5f} to leads,")
    print(f"{responder.to_replies({}):.5f} to replies", flush=True)
    with ProcessPoolExecutor(given.jobs) as pool:
        asking = partial(pool.map, mixture.frequencies, chunksize=20)
        for time in range(given.times):
            most = HANDS if given.what == "third" else given.hands
            dealt = keeping(role, given.each, most, f"{role}/{time}")
            if given.what == "third":
                gain = sum(third_gain(responder, asking, dealt, after, given.hands) for after in given.after)
            elif given.what == "leads":
                gain = lead_gain(responder, asking, dealt)
            else:
                gain = reply_gain(responder, asking, dealt, given.to)
            gains.append(gain)
            error = np.std(gains, ddof=1) / len(gains) ** 0.5 if len(gains) > 1 else np.nan
            print(f"{given.what}, {len(dealt)} deals: {gain:.5f}; mean {np.mean(gains):.5f} ± {error:.5f}")


if __name__ == "__main__":
    main()
