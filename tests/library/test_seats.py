"""Seats that do not exist are refused with a code wherever a caller can give one."""

from collections.abc import Callable
from itertools import product
from typing import Any

import msgspec
import numpy as np
import pytest

import fifteentwo as ft
from fifteentwo.contest.table import Table
from fifteentwo.environments.aec import env
from fifteentwo.i18n import languages, refusal
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.events import Discarded, ForfeitedFor
from fifteentwo.rules.view import see
from tests.rules.random_games import rules_of

NO_SEATS = (-1, "seats", 5, True, 1.0, "1")
"""Values that are not seats: negative, the number of seats, larger than in any game, and other types."""
CLAIMED = ft.rules_for("six-card", counting="claimed", muggins="missed", first_dealer="named")
CALLS: dict[str, Callable[[ft.State, Any], object]] = {
    "view": ft.view,
    "see a deal": lambda state, seat: see(_dealt(state), seat),
    "see a discard": lambda state, seat: see(Discarded(0, state.hands[0][:2]), 4 if seat == 2 else seat),
    "side": lambda state, seat: state.rules.side(seat),
    "Play": lambda state, seat: ft.step(state, ft.Play(seat, state.hands[1][0])),
    "decide Play": lambda state, seat: list(ft.rules.decide(state, ft.Play(seat, state.hands[1][0]))),
    "Discard": lambda state, seat: ft.step(state, ft.Discard(seat, state.hands[1][:2])),
    "Draw": lambda _, seat: ft.step(ft.start(rules_of(0)), ft.Draw(seat, 3)),
    "Cut": lambda state, seat: ft.step(state, ft.Cut(seat, 10)),
    "Claim": lambda state, seat: ft.step(state, ft.Claim(seat, 2)),
    "Accept": lambda _, seat: ft.step(_claiming(), ft.Accept(seat)),
    "CallMuggins": lambda _, seat: ft.step(_claiming(), ft.CallMuggins(seat)),
    "Forfeit": lambda state, seat: ft.step(state, ft.rules.Forfeit(seat, ForfeitedFor.RESIGNED)),
    "NameDealer": lambda state, seat: ft.step(ft.start(state.rules, named=True), ft.rules.NameDealer(seat)),
    "propose": lambda state, seat: Table(state.rules, seeded(1)).propose(seat, ft.Draw(seat, 3)),
    "forfeit": lambda state, seat: Table(state.rules, seeded(1)).forfeit(seat, ForfeitedFor.RESIGNED),
    "name_dealer": lambda state, seat: Table(state.rules, seeded(1), named=True).name_dealer(seat),
    "position": lambda state, seat: ft.Position.of(_seen_from(state, seat)),
    "win_probability": lambda state, seat: ft.win_probability(_seen_from(state, seat)),
    "agent": lambda _, seat: _environment().observe(seat),
}


def _started(rules: ft.Rules) -> Table:
    """Return a two-handed game in which seat 1 must play a card."""
    table = Table(rules, seeded(1), named=True)
    table.adopt(table.name_dealer(0))
    while table.state.phase is not ft.Phase.PLAY:
        action: Any = ft.legal(table.state)[0]
        table.submit(action.seat, action)
    assert table.state.turn == 1
    return table


def _claiming() -> ft.State:
    """Return a state in which seat 0 may challenge what seat 1 has claimed."""
    table = _started(CLAIMED)
    table.submit(1, ft.Play(1, table.state.hands[1][0]))
    table.submit(1, ft.Claim(1, 0))
    assert table.waiting == (0,)
    return table.state


def _dealt(state: ft.State) -> ft.Event:
    return next(event for event in _started(state.rules).events if type(event).__name__ == "Dealt")


def _seen_from(state: ft.State, seat: Any) -> ft.View:
    return msgspec.structs.replace(ft.view(state, 1), seat=seat)


def _environment() -> Any:
    made = env()
    made.reset(seed=1)
    return made


@pytest.fixture(scope="module")
def state() -> ft.State:
    return _started(ft.rules_for("six-card", first_dealer="named")).state


def test_a_seat_that_does_not_exist_is_refused(subtests: pytest.Subtests, state: ft.State) -> None:
    for seat, call in product(NO_SEATS, CALLS):
        with subtests.test(seat=seat, call=call):
            with pytest.raises(ft.FifteenTwoError) as refused:
                CALLS[call](state, state.rules.seats if seat == "seats" else seat)
            assert refused.value.code in ("no-such-seat", "not-a-seat", "not-your-seat", "not-an-agent")
            for lang in languages():
                assert refusal(refused.value, lang)


def test_numbers_of_numpy_are_seats(state: ft.State) -> None:
    seat: Any = np.int64(1)
    assert ft.view(state, seat) == ft.view(state, 1)
