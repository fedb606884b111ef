"""Games by careless players."""

import random

from fifteentwo.rules.actions import Accept, Action, CallMuggins, Claim
from fifteentwo.rules.game import step
from fifteentwo.rules.record import Record
from fifteentwo.rules.state import Phase, State, start
from fifteentwo.rules.variants import Muggins, rules_for
from tests.rules.random_games import choose, right_points


def careless(number: int, muggins: Muggins, *, in_the_show: bool = False) -> Record:
    """Return a game with wrong claims in pegging, as far as the notation has a sign for them."""
    luck = random.Random(number)
    rules = rules_for("six-card", counting="claimed", muggins=muggins.value)
    state, actions = start(rules), list[Action]()
    while state.won is None:
        action = choose(state, luck)
        if state.phase is Phase.CLAIM:
            action = Claim(state.turn, _claimed(state, luck, in_the_show))
        elif state.phase is Phase.CHALLENGE:
            short = state.claim is not None and state.claim < right_points(state)
            action = CallMuggins(1 - state.turn) if short else Accept(1 - state.turn)
        actions.append(action)
        state, _ = step(state, action)
    return Record(rules=rules, names=("Aiko", "Ken"), actions=tuple(actions))


def _claimed(state: State, luck: random.Random, in_the_show: bool) -> int:
    right = right_points(state)
    if (state.shown and not in_the_show) or luck.random() < 0.7:
        return right
    if luck.random() < 0.6:
        return luck.randint(0, right)
    return right + luck.randint(1, 3) * (state.rules.muggins is Muggins.MISSED_AND_OVERCLAIMS)
