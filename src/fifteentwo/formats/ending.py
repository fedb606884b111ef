"""How a game that was given up ended, in lines of our own: the notations of others have whole deals only.

    ; fifteentwo deal 5H 9S TH 4S KD 7C QD 8H 2H AS 3C KD
    ; fifteentwo forfeit 0 resigned

Each is a line of a record (docs/record.md): what was done after the last whole deal. Before them stands how
the open deal is counted, where it is by claims, and the names, where no whole deal has them.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from fifteentwo.formats.deals import GameBuilder
from fifteentwo.rules.actions import Action, Cut, Deal, Draw, NameDealer
from fifteentwo.rules.errors import IllegalAction, NotationError
from fifteentwo.rules.game import step
from fifteentwo.rules.record import Record, action_text, read_action
from fifteentwo.rules.variants import Counting, Muggins

MARK = "; fifteentwo "
_MUGGINS = "|".join(Muggins)
_COUNTING = "claimed|claimed-hands"
_SETTING = re.compile(rf"(counting(?= (?:{_COUNTING})$)|muggins(?= (?:{_MUGGINS})$)|seat [01](?!\S)) ?(.*)")


class Step(NamedTuple):
    """An action, and where it is written."""

    action: Action
    text: str
    line: int


class Ending(NamedTuple):
    """What stands in our own lines of a game."""

    settings: Mapping[str, str]
    steps: tuple[Step, ...]

    @property
    def counting(self) -> Counting:
        """How points are counted."""
        return Counting(self.settings.get("counting", Counting.AUTOMATIC))

    @property
    def muggins(self) -> Muggins | None:
        """Which muggins is played; None where nothing is said of it."""
        value = self.settings.get("muggins")
        return None if value is None else Muggins(value)

    def name(self, seat: int) -> str:
        """Return the name of the player at a seat, or ''."""
        return self.settings.get(f"seat {seat}", "")

    def follow(self, builder: GameBuilder) -> None:
        """Do it after the whole deals; NotationError names the line that the rules refuse."""
        for action, text, line in self.steps:
            try:
                builder.state, _ = step(builder.state, action)
            except IllegalAction as error:
                raise NotationError("action-refused", text, line) from error
            builder.actions.append(action)


def split(text: str) -> tuple[str, Ending]:
    """Return a text with empty lines for ours, and what ours say; NotationError where one cannot be read."""
    lines = text.removeprefix("\ufeff").splitlines()
    settings: dict[str, str] = {}
    steps: list[Step] = []
    for place, line in enumerate(lines):
        if not line.startswith(MARK):
            continue
        entry, lines[place] = line.removeprefix(MARK).strip(), ""
        if setting := _SETTING.fullmatch(entry):
            key = setting[1]
            if key in settings or steps:
                raise NotationError("not-an-action", line, place + 1)
            settings[key] = setting[2]
        else:
            steps.append(Step(read_action(entry, place + 1), line, place + 1))
    return "\n".join(lines), Ending(settings, tuple(steps))


def lines_of(record: Record, actions: Iterable[Action], *, whole: bool, turned: int = 0) -> list[str]:
    """Return our own lines for what was done after the whole deals.

    whole: the notation has the names elsewhere. turned: 1 where it counts seats from the other one.
    """
    done = [action for action in actions if not isinstance(action, Cut | Draw)]
    written: list[str] = []
    if done and not whole:
        names = record.names[::-1] if turned else record.names
        written += [f"seat {seat} {' '.join(name.split())}".rstrip() for seat, name in enumerate(names)]
    if record.rules.claimed and any(isinstance(action, Deal) for action in done):
        written += [f"counting {record.rules.counting.value}", f"muggins {record.rules.muggins.value}"]
    written += [action_text(_turned(action, turned)) for action in done]
    return [MARK + line for line in written]


def _turned(action: Action, by: int) -> Action:
    """The action by the seat that so many further stands for."""
    if isinstance(action, NameDealer):
        return NameDealer((action.dealer + by) % 2)
    seat = getattr(action, "seat", None)
    return action if seat is None else msgspec.structs.replace(action, seat=(seat + by) % 2)
