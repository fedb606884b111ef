"""A server that steers, alone or with an accomplice, and how often its seat wins.

    python -m tests.dealing.steering [GAMES]

Both seats play alike (`greedy`). The server knows every card and tries every place where anybody draws or
cuts. The server steers openly, which every record shows, or within the limits of `verify`.
"""

import random
import sys
from typing import Any, NamedTuple

from fifteentwo.players import player
from fifteentwo.rules.actions import Cut, Draw, SeatAction
from fifteentwo.rules.decks import chance
from fifteentwo.rules.events import Dealt
from fifteentwo.rules.game import step
from fifteentwo.rules.record import Record, to_json
from fifteentwo.rules.show import scores
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import choices, view
from fifteentwo.server.errors import DealingRefuted
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.dealing import commitment_to, seeded_action, with_computer_draws
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.proofs import verify_dealing
from fifteentwo.server.table_log.rows import Row
from tests.dealing.games import seed_of

HONEST, CHEAT = 0, 1


class Way(NamedTuple):
    """How the server deals."""

    accomplice: bool
    steers: bool
    hides: bool = False
    """Steers only to places that `verify` accepts."""


WAYS = {
    "honest, a computer": Way(False, False),
    "honest, two people": Way(True, False),
    "steering openly, alone": Way(False, True),
    "steering openly, with an accomplice": Way(True, True),
    "steering within what verifies, alone": Way(False, True, True),
    "steering within what verifies, with an accomplice": Way(True, True, True),
}


def played(game: int, way: Way) -> tuple[bool, Record]:
    """Play a game; return whether the cheat's seat wins, and the record."""
    ledger = Ledger(rules_for("six-card"))
    people = (HONEST, CHEAT) if way.accomplice else (HONEST,)
    ledger.add(proposals.new_game(ledger, seed_of(f"operator/{game}"), people))
    for person in people:
        ledger.add(proposals.commit(ledger, person, commitment_to(seed_of(f"{person}/{game}"))))
    for person in people:
        ledger.add(proposals.reveal(ledger, person, seed_of(f"{person}/{game}").hex()))
    both = [player("greedy", game), player("greedy", game + 10_000)]
    dice = random.Random(game)
    while not ledger.table.over:
        seat = ledger.waiting[0]
        seen = view(ledger.table.state, seat)
        action: SeatAction = both[seat].act(seen)
        if not isinstance(action, Cut | Draw):
            ledger.add(*proposals.act(ledger, seat, action))
            continue
        places: list[Any] = [one for one in choices(seen) if accepted(ledger, one, way)]
        action = max(places, key=lambda one: gain(ledger, one)) if way.steers else dice.choice(places)
        _enter(ledger, seat, action)
    won = ledger.table.state.won
    assert won is not None
    return won.side == CHEAT, ledger.record(1, ("", ""))


def accepted(ledger: Ledger, action: Any, way: Way) -> bool:
    """Return whether the server takes this place: any if it steers openly, otherwise the committed one."""
    table = ledger.table
    return (way.steers and not way.hides) or seeded_action(table.state, table.decks, action) == action


def _enter(ledger: Ledger, seat: int, action: SeatAction) -> None:
    """Put an action into the log without the changes that an honest server makes."""
    taken = with_computer_draws(
        ledger.table.propose(seat, action), ledger.table.decks, ledger.dealing.level_seats
    )
    ledger.add(Row(ledger.seq + 1, "acted", to_json({"actions": taken.actions}).decode()), taken)


def gain(ledger: Ledger, action: Any) -> int:
    """Return the value of a place to the cheat, who knows all cards."""
    after, _ = step(ledger.table.state, action)
    due = chance(after, ledger.table.decks)
    assert due is not None
    turned, events = step(after, due)
    if isinstance(action, Draw):
        # The low card deals first, which is an advantage.
        rank = "A23456789TJQK".index(due.card.text[0])  # type: ignore[union-attr]
        return rank if action.seat == HONEST else -rank
    if ledger.table.state.phase is Phase.CUT_STOCK:
        return value_to_cheat(turned)
    [hands] = [event.hands for event in events if isinstance(event, Dealt)]
    return promise(hands[CHEAT]) - promise(hands[HONEST])


def value_to_cheat(state: State) -> int:
    """Return the points of the cheat's hand and crib with this starter, less the opponent's."""
    assert state.starter is not None
    hands = [sum(score.points for score in scores(hand, state.starter)) for hand in state.kept]
    crib = sum(score.points for score in scores(state.crib, state.starter, crib=True))
    sign = 1 if state.dealer == CHEAT else -1
    heels = 2 if state.starter.text[0] == "J" else 0
    return hands[CHEAT] - hands[HONEST] + sign * (crib + heels)


def promise(hand: tuple[Any, ...]) -> int:
    """Return a rough value of six cards."""
    return sum(score.points for score in scores(hand[:5], hand[5]))


def refuted(record: Record) -> bool:
    """Return whether a record does not verify."""
    try:
        verify_dealing(record)
    except DealingRefuted:
        return True
    return False


def measured(way: Way, games: int) -> tuple[int, int]:
    """Return the number of games that the cheat's seat wins, and of records that do not verify."""
    found = [played(game, way) for game in range(games)]
    return sum(won for won, _ in found), sum(refuted(record) for _, record in found)


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print(f"{number} games each; one standard error is {(number / 4) ** 0.5:.1f} games")
    for name, way in WAYS.items():
        wins, caught = measured(way, number)
        print(f"{name:60} won {wins:4}   records refused {caught:4}")
