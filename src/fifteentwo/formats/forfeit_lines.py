"""Lines of our own for the end of an abandoned game, because other notations have only whole deals.

    ; fifteentwo deal 5H 9S TH 4S KD 7C QD 8H 2H AS 3C KD
    ; fifteentwo forfeit 0 resigned

Each line is a line of a record (docs/record.md): an action after the last whole deal. Lines before them give
the counting of the open deal if points are claimed, and the names if there is no whole deal.
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
    """An action, and the line in which it is written."""

    action: Action
    text: str
    line: int


class OwnLines(NamedTuple):
    """The content of our own lines."""

    settings: Mapping[str, str]
    steps: tuple[Step, ...]

    @property
    def counting(self) -> Counting:
        return Counting(self.settings.get("counting", Counting.AUTOMATIC))

    @property
    def muggins(self) -> Muggins | None:
        """The muggins played; None if the lines do not say."""
        value = self.settings.get("muggins")
        return None if value is None else Muggins(value)

    def name(self, seat: int) -> str:
        """Return the name of the player at a seat, or ""."""
        return self.settings.get(f"seat {seat}", "")

    def apply_to(self, builder: GameBuilder) -> None:
        """Do the actions after the whole deals; raise NotationError if the rules refuse one."""
        for action, text, line in self.steps:
            try:
                builder.state, _ = step(builder.state, action)
            except IllegalAction as error:
                raise NotationError("action-refused", text, line) from error
            builder.actions.append(action)


def split_text(text: str) -> tuple[str, OwnLines]:
    """Return the text with our own lines emptied, and their content."""
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
    return "\n".join(lines), OwnLines(settings, tuple(steps))


def written_lines(record: Record, actions: Iterable[Action], *, whole: bool, turned: int = 0) -> list[str]:
    """Return our own lines for the actions after the whole deals.

    whole: whether the notation contains the names. turned: 1 if the notation's seat 0 is our seat 1.
    """
    done = [action for action in actions if not isinstance(action, Cut | Draw)]
    written: list[str] = []
    if done and not whole:
        names = record.names[::-1] if turned else record.names
        written += [f"seat {seat} {' '.join(name.split())}".rstrip() for seat, name in enumerate(names)]
    if record.rules.claimed and any(isinstance(action, Deal) for action in done):
        written += [f"counting {record.rules.counting.value}", f"muggins {record.rules.muggins.value}"]
    written += [action_text(_with_other_seat(action, turned)) for action in done]
    return [MARK + line for line in written]


def _with_other_seat(action: Action, by: int) -> Action:
    if isinstance(action, NameDealer):
        return NameDealer((action.dealer + by) % 2)
    seat = getattr(action, "seat", None)
    return action if seat is None else msgspec.structs.replace(action, seat=(seat + by) % 2)
