"""Vectorised games follow the rules: equal decks and actions give equal results."""

import copy
import os
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from fifteentwo.environments import encoding
from fifteentwo.environments import six_card_kernels as plain
from fifteentwo.environments.encoding import mask, observe
from fifteentwo.environments.six_card import SixCard
from fifteentwo.rules.actions import Deal, NameDealer, TurnUp
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.errors import IllegalAction, InvalidArgument, InvalidRules
from fifteentwo.rules.events import Event, Pegged, PeggedFor
from fifteentwo.rules.game import step
from fifteentwo.rules.state import Phase, State, start
from fifteentwo.rules.view import view
from tests.support.errors import raises_code

SHOW = (PeggedFor.HAND, PeggedFor.CRIB)


class Mirror:
    """One of the games, replayed by the rules."""

    def __init__(self, games: SixCard, place: int) -> None:
        self.games, self.place = games, place
        self.begin()

    def begin(self) -> None:
        self.state: State = start(self.games.rules, named=True)
        self.state, _ = step(self.state, NameDealer(int(self.games.dealers[self.place])))
        self.deal()

    def deal(self) -> None:
        pone, dealer = (self.games.decks[self.place, 6 * side : 6 * side + 6] for side in range(2))
        dealt = tuple(DECK[card] for both in zip(pone, dealer, strict=True) for card in both)
        self.state, _ = step(self.state, Deal(dealt))

    def act(self, chosen: int) -> tuple[int, int]:
        """Do an action and turn up the starter; return the points pegged by seat, without the show."""
        seat = int(self.games.seats[self.place])
        starter = DECK[self.games.decks[self.place, 12]]
        seen = view(self.state, seat)
        self.state, events = step(self.state, encoding.action(seen, chosen))
        if self.state.phase is Phase.STARTER:
            self.state, more = step(self.state, TurnUp(starter))
            events += more
        pegged = [0, 0]
        for event in events:
            if isinstance(event, Pegged) and event.reason not in SHOW:
                pegged[event.side] += event.points - self.past(event)
        return pegged[0], pegged[1]

    def past(self, event: Event) -> int:
        """Return the points above the target, which are not pegged."""
        assert isinstance(event, Pegged)
        if self.state.won is None or event.score < self.state.rules.target:
            return 0
        return event.points - (event.score - self.state.rear[event.side])

    def check(self) -> None:
        seat = int(self.games.seats[self.place])
        seen = view(self.state, seat)
        assert seen.to_act[0] == seat
        assert self.games.observations[self.place].tolist() == observe(seen).tolist()
        assert self.games.masks[self.place].tolist() == mask(seen).astype(bool).tolist()


def followed(games: SixCard, steps: int) -> int:
    mirrors = [Mirror(games, place) for place in range(len(games.seats))]
    won = 0
    for mirror in mirrors:
        mirror.check()
    for _ in range(steps):
        actions = games.random_actions().copy()
        pegged = [mirror.act(int(chosen)) for mirror, chosen in zip(mirrors, actions, strict=True)]
        result = games.step(actions)
        assert result.pegged.tolist() == [list(both) for both in pegged]
        for place, mirror in enumerate(mirrors):
            state = mirror.state
            assert result.scores[place].tolist() == list(state.front)
            assert bool(result.done[place]) is (state.won is not None)
            if state.won is not None:
                won += 1
                lost = state.won.lost
                reward = [max(lost) if side == state.won.side else -lost[side] for side in range(2)]
                assert result.rewards[place].tolist() == reward
                mirror.begin()
            else:
                assert not result.rewards[place].any()
                if state.phase is Phase.DEAL:
                    mirror.deal()
            mirror.check()
    return won


SKUNKS = {"skunk": True, "double_skunk": True}
PLAYED = [
    (8, 7, {}, 200, 8),
    (8, 5, {"target": 61}, 120, 9),
    *[pytest.param(128, seed, SKUNKS, 1100, 1000, marks=pytest.mark.long) for seed in range(2)],
]
"""Number of games, seed, options, steps, and the least number of games that are won."""


@pytest.mark.parametrize(("number", "seed", "options", "steps", "won"), PLAYED)
def test_many_games_are_the_games_of_the_rules(
    number: int, seed: int, options: dict[str, Any], steps: int, won: int
) -> None:
    assert followed(SixCard(number, seed, **options), steps) >= won


def test_r18_to_r20_rewards_are_the_games_won() -> None:
    games = SixCard(400, 3, skunk=True, double_skunk=True)
    found = {0.0}
    for _ in range(400):
        rewards = games.step(games.random_actions()).rewards
        assert (rewards.sum(axis=1) == 0).all()
        found |= set(np.unique(rewards).tolist())
    assert {-2.0, -1.0, 0.0, 1.0, 2.0} <= found


def test_game_i_of_a_seed_does_not_depend_on_the_number() -> None:
    few, many = SixCard(3, 11), SixCard(50, 11)
    for _ in range(150):
        assert np.array_equal(few.observations, many.observations[:3])
        actions = many.random_actions().copy()
        few.step(actions[:3])
        many.step(actions)
    assert not np.array_equal(SixCard(3, 12).observations, SixCard(3, 11).observations)
    assert not np.array_equal(SixCard(3).observations, SixCard(3).observations)


def test_games_can_be_copied_and_pickled() -> None:
    games = SixCard(20, 4)
    games.step(games.random_actions())
    others = copy.deepcopy(games), pickle.loads(pickle.dumps(games))
    for _ in range(30):
        actions = games.random_actions().copy()
        games.step(actions)
        for other in others:
            assert np.array_equal(other.random_actions(), actions)
            other.step(actions)
            assert np.array_equal(other.observations, games.observations)


def test_an_action_that_is_not_open_is_refused_before_anything_is_done() -> None:
    games = SixCard(5, 1)
    actions = games.random_actions().copy()
    before = games.observations.copy()
    for wrong in (0, 67, -1, 1 << 40):
        actions[3] = wrong
        with raises_code(IllegalAction, "action-not-open") as refused:
            games.step(actions)
        assert refused.value.values == {"action": wrong, "game": 3}
        assert np.array_equal(games.observations, before)


def test_arrays_of_another_shape_or_type_are_refused(subtests: pytest.Subtests) -> None:
    wrong: Any
    for wrong in ([52] * 4, [[52] * 5], [52.0] * 5, np.zeros(0)):
        with subtests.test(wrong=wrong), raises_code(InvalidArgument, "not-actions"):
            SixCard(5, 1).step(wrong)


def test_options_that_these_games_do_not_have_are_refused() -> None:
    with raises_code(InvalidArgument, "unknown-option"):
        SixCard(1, 1, muggins="missed")
    with pytest.raises(InvalidRules):
        SixCard(1, 1, double_skunk=True)
    with raises_code(InvalidArgument, "number-too-small"):
        SixCard(-1, 1)
    assert SixCard(0, 1).step([]).done.shape == (0,)


PROGRAM = """
import hashlib
from fifteentwo.environments.six_card import SixCard
games, whole = SixCard(6, 9), hashlib.sha256()
for _ in range(40):
    result = games.step(games.random_actions())
    whole.update(games.observations.tobytes() + games.masks.tobytes() + result.scores.tobytes())
print(whole.hexdigest())
"""


def test_with_and_without_numba_games_are_the_same() -> None:
    def printed(**more: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, **more},
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        return done.stdout

    assert printed() == printed(FIFTEENTWO_NUMBA="off")


def test_deals_are_even() -> None:
    """Every place of the deck has every card equally often, and both seats deal first equally often."""
    games = SixCard(52_000, 21)
    counts = np.zeros((13, 52))
    for place in range(13):
        counts[place] = np.bincount(games.decks[:, place], minlength=52)
    # 1,000 expected in each of 676 cells: five standard errors.
    assert abs(counts - 1000).max() < 5 * np.sqrt(1000)
    assert abs(games.dealers.mean() - 0.5) < 5 * 0.5 / np.sqrt(52_000)


def test_pairs_are_numbered_as_combinations() -> None:
    assert len(plain.PAIRS) == encoding.CLAIM - encoding.DISCARD
