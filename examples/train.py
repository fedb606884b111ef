"""Train an agent by self-play until it beats the level `casual`; with NumPy alone, in ten minutes.

    python examples/train.py

The agent values a discard or a card by a sum of table entries, which depend on the ranks kept and discarded,
the count and the last cards. The agent plays thousands of games at once against itself, with some random
actions, and moves each entry towards the result of the deal: own points less the opponent's. This program
needs the extra `fast`.
"""

import argparse
import time
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

import fifteentwo as ft
from fifteentwo.environments.encoding import DISCARD, layout
from fifteentwo.environments.policies import PolicyPlayer
from fifteentwo.environments.six_card import SixCard
from fifteentwo.rules.variants import SIX_CARD

Ints = NDArray[np.int64]
AT = layout(SIX_CARD)
PAIRS = np.array(list(combinations(range(6), 2)))
KEEPS = np.array([[place for place in range(6) if place not in pair] for pair in PAIRS])
VALUES = np.minimum(np.arange(13) + 1, 10)
NONE = 13
"""Stands for a missing rank."""


class Sum:
    """A value that is a sum of one entry from each of several tables, learned from samples."""

    def __init__(self, *sizes: int) -> None:
        self.tables = [np.zeros(size) for size in sizes]
        self.seen = [np.zeros(size) for size in sizes]

    def __call__(self, entries: list[Ints]) -> NDArray[np.float64]:
        """Return the values of entries, one array for each table, all of one shape."""
        return sum(table[entry] for table, entry in zip(self.tables, entries, strict=True))  # type: ignore[return-value]

    def learn(self, entries: list[Ints], targets: NDArray[np.float64]) -> None:
        """Move entries towards the mean of their targets, in which older samples weigh less."""
        errors = targets - self(entries)
        for table, seen, entry in zip(self.tables, self.seen, entries, strict=True):
            seen *= 0.998
            seen += np.bincount(entry, minlength=len(seen))
            table += np.bincount(entry, errors, minlength=len(table)) / (seen + 20) / len(self.tables) * 2


class Agent:
    """A player that chooses the action of the greatest value."""

    def __init__(self) -> None:
        self.discards = Sum(2 * 13**4, 2 * 13**2, 2 * 2 * 2)
        self.cards = Sum(31 * 13 * 2, 14**3 * 13, 32 * 5 * 5 * 2, 32 * 14 * 14, 13 * 14 * 14 * 2)

    def discard_entries(self, seen: NDArray[np.uint8]) -> list[Ints]:
        """Return the entries of each of 15 discards, (n, 15): ranks kept, ranks discarded, suits."""
        hands = np.flatnonzero(seen[:, AT["hand"]]).reshape(-1, 6) % 52
        ranks, suits = hands >> 2, hands & 3
        deals = seen[:, AT["dealer"].start, None].astype(np.int64)
        keep, gone = ranks[:, KEEPS], ranks[:, PAIRS]
        kept = ((keep[..., 0] * 13 + keep[..., 1]) * 13 + keep[..., 2]) * 13 + keep[..., 3]
        flush = (suits[:, KEEPS] == suits[:, KEEPS[:, :1]]).all(axis=2)
        alike = suits[:, PAIRS[:, 0]] == suits[:, PAIRS[:, 1]]
        return [
            deals * 13**4 + kept,
            deals * 169 + gone[..., 0] * 13 + gone[..., 1],
            deals * 4 + flush * 2 + alike,
        ]

    def card_entries(self, seen: NDArray[np.uint8]) -> tuple[list[Ints], NDArray[np.bool_]]:
        """Return the entries of each of 13 ranks, (n, 13), and which of them may be played."""
        held = seen[:, AT["hand"]].reshape(-1, 13, 4).sum(axis=2, dtype=np.int64)
        count = seen[:, AT["count"]].astype(np.int64)
        after = count + VALUES
        open_ = (held > 0) & (after <= 31)
        after = np.minimum(after, 31)
        # The last three cards of this count, the last first.
        order = np.where(seen[:, AT["in_count"]] > 0, seen[:, AT["order"]], 0)
        last: list[Ints] = []
        rows = np.arange(len(seen))
        for _ in range(3):
            card = order.argmax(axis=1)
            last.append(np.where(order[rows, card] > 0, card >> 2, NONE)[:, None])
            order[rows, card] = 0
        ranks = np.arange(13)
        others = seen[:, AT["held"].start + 1, None].astype(np.int64)
        gone = seen[:, AT["gone"].start + 1, None].astype(np.int64)
        own = seen[:, AT["held"].start, None].astype(np.int64)
        # The lowest and the highest rank that remain in the hand after each card.
        once = held == 1
        low, next_low = ends(held > 0)
        high, next_high = (np.where(end < NONE, 12 - end, NONE) for end in ends(held[:, ::-1] > 0))
        low = np.where(once & (ranks == low), next_low, low)
        high = np.where(once & (ranks == high), next_high, high)
        entries = [
            (count * 13 + ranks) * 2 + gone,
            ((last[0] * 14 + last[1]) * 14 + last[2]) * 13 + ranks,
            ((after * 5 + others) * 5 + own) * 2 + gone,
            (after * 14 + low) * 14 + high,
            ((ranks * 14 + low) * 14 + high) * 2 + (count == 0),
        ]
        return entries, open_

    def choose(self, seen: NDArray[np.uint8], masks: NDArray[np.bool_]) -> tuple[Ints, Ints]:
        """Return the best legal action of each row, and the entries of its value, (n, tables)."""
        actions = np.zeros(len(seen), np.int64)
        entries = np.zeros((len(seen), 5), np.int64)
        discarding = np.flatnonzero(masks[:, DISCARD])
        if len(discarding):
            ways = self.discard_entries(seen[discarding])
            best = self.discards(ways).argmax(axis=1)
            actions[discarding] = DISCARD + best
            entries[discarding, : len(ways)] = chosen(ways, best)
        playing = np.flatnonzero(~masks[:, DISCARD])
        if len(playing):
            cards, open_ = self.card_entries(seen[playing])
            best = np.where(open_, self.cards(cards), -np.inf).argmax(axis=1)
            # All suits of the rank have the same value.
            suits = masks[playing, :52].reshape(-1, 13, 4)[np.arange(len(playing)), best]
            actions[playing] = 4 * best + suits.argmax(axis=1)
            entries[playing] = chosen(cards, best)
        return actions, entries

    def entries_of(self, seen: NDArray[np.uint8], actions: Ints) -> Ints:
        """Return the entries of given actions, (n, tables)."""
        entries = np.zeros((len(seen), 5), np.int64)
        discarding = np.flatnonzero(actions >= DISCARD)
        if len(discarding):
            ways = self.discard_entries(seen[discarding])
            entries[discarding, : len(ways)] = chosen(ways, actions[discarding] - DISCARD)
        playing = np.flatnonzero(actions < DISCARD)
        if len(playing):
            cards, _ = self.card_entries(seen[playing])
            entries[playing] = chosen(cards, actions[playing] >> 2)
        return entries

    def policy(self, observation: NDArray[np.uint8], mask: NDArray[np.int8]) -> int:
        """Return the action for one observation, for `PolicyPlayer`."""
        actions, _ = self.choose(observation[None], mask[None].astype(bool))
        return int(actions[0])


def ends(held: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Return the first and the second rank held in each row, (n, 1); NONE for a missing one."""
    found: list[Ints] = []
    left = held.copy()
    rows = np.arange(len(held))
    for _ in range(2):
        first = left.argmax(axis=1)
        found.append(np.where(left[rows, first], first, NONE)[:, None])
        left[rows, first] = False
    return found[0], found[1]


def chosen(entries: list[Ints], places: Ints) -> Ints:
    """Return each table's entry at one place of each row, (n, tables)."""
    rows = np.arange(len(places))
    return np.stack(
        [np.broadcast_to(entry, (len(rows), entry.shape[1]))[rows, places] for entry in entries], 1
    )


class Deals:
    """The decisions of unfinished deals, whose results are not known yet."""

    def __init__(self, number: int) -> None:
        self.entries = np.zeros((number, 2, 5, 5), np.int64)
        """Table entries by game, seat and decision: a discard, then up to four cards."""
        self.before = np.zeros((number, 2, 5))
        """Seat 0's lead before each decision: of all points for a discard, of pegged points for a card."""
        self.made = np.zeros((number, 2), np.int64)
        self.margins = np.zeros((number, 2))
        """Points of seat 0 less seat 1 in this deal: all points, and pegged points."""

    def note(self, seats: Ints, entries: Ints) -> None:
        """Store a decision of every game."""
        rows = np.arange(len(seats))
        at = self.made[rows, seats]
        self.entries[rows, seats, at] = entries
        self.before[rows, seats, at] = self.margins[rows, np.minimum(at, 1)]
        self.made[rows, seats] += 1

    def learn(self, agent: Agent, ended: Ints) -> None:
        """Let the agent learn from the finished deals of these games, and remove them."""
        signs = np.array([1.0, -1.0])[:, None]
        entries, before, margins = self.entries[ended], self.before[ended], self.margins[ended]
        gains = (margins[:, None, 0, None] - before[:, :, :1]) * signs
        agent.discards.learn(list(entries[:, :, 0, :3].reshape(-1, 3).T), gains.ravel())
        gains = (margins[:, None, 1, None] - before[:, :, 1:]) * signs
        there = np.arange(1, 5) < self.made[ended][:, :, None]
        agent.cards.learn(list(entries[:, :, 1:][there].T), gains[there])
        self.made[ended] = 0
        self.margins[ended] = 0


def train(steps: int, number: int, seed: int, exploring: float = 0.08) -> Agent:
    """Return an agent trained by `steps` decisions in each of `number` games."""
    agent, games, deals = Agent(), SixCard(number, seed), Deals(number)
    luck = np.random.default_rng(seed)
    scores = np.zeros((number, 2), np.int64)
    began, dealt = time.process_time(), 0
    for step in range(1, steps + 1):
        seen = games.observations
        actions, entries = agent.choose(seen, games.masks)
        tries = np.flatnonzero(luck.random(number) < exploring)
        actions[tries] = games.random_actions()[tries]
        entries[tries] = agent.entries_of(seen[tries], actions[tries])
        deals.note(games.seats, entries)
        numbers = seen[:, AT["deal"]].astype(np.int64).ravel()
        result = games.step(actions)
        deals.margins[:, 0] += (result.scores - scores) @ (1, -1)
        deals.margins[:, 1] += result.pegged @ (1, -1)
        scores = np.where(result.done[:, None], 0, result.scores)
        ended = np.flatnonzero(result.done | (games.observations[:, AT["deal"]].ravel() != numbers))
        deals.learn(agent, ended)
        dealt += len(ended)
        if step % max(steps // 10, 1) == 0:
            print(f"{dealt:>10,} deals, {time.process_time() - began:4.0f} s of processor time", flush=True)
    return agent


def main() -> None:
    """Train, play against `casual`, and print the share of games won."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--steps", type=int, default=8_000, help="decisions in each game")
    asked.add_argument("--games", type=int, default=1000, help="games against casual")
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    agent = train(given.steps, 2048, given.seed)
    player = PolicyPlayer(agent.policy)
    found = ft.match(player, "casual", games=given.games, seed=given.seed, luck=False)
    low, high = found.ci95
    print(f"wins {found.win_rate:.1%} of {found.games:,} games against casual (95 %: {low:.1%}–{high:.1%})")


if __name__ == "__main__":
    main()
