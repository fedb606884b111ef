"""The engine protocol (docs/engine.md): a View a line in, an action a line out."""

from collections.abc import Iterable, Iterator

from fifteentwo.contest.possible import check
from fifteentwo.players import player
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.view import View, allows

PROTOCOL = 2
"""The version of the words in Views and actions."""


class Bot:
    """A level that responds to Views with actions."""

    def __init__(self, level: str, seed: int) -> None:
        """UnknownLevel where there is none of this name."""
        self._level = level
        self._player = player(level, seed)

    @property
    def about(self) -> bytes:
        """The level, as a line."""
        return to_json({"type": "engine", "level": self._level, "protocol": PROTOCOL})

    def answers(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """A JSON text for every line up to `quit`; empty lines are passed over."""
        for line in lines:
            asked = line.strip()
            if asked == b"quit":
                return
            if asked:
                yield self.about if asked == b"engine" else self._answer(asked)

    def _answer(self, asked: bytes) -> bytes:
        """An action that is open to the seat, or an error: whatever comes, the next line is answered too."""
        try:
            seen = from_json(asked, View)
            check(seen)
            action = self._player.act(seen)
        except FifteenTwoError as error:
            refused = {
                "code": error.code,
                "rule": getattr(error, "rule", None),
                "field": getattr(error, "field", None),
            }
            return to_json({"type": "error"} | {name: value for name, value in refused.items() if value})
        except Exception as error:
            # A View that the check lets pass and a player stumbles over is still answered.
            return to_json({"type": "error", "code": "impossible-view", "why": ascii(error)})
        if not allows(seen, action):
            return to_json({"type": "error", "code": "impossible-view"})
        return to_json(action)
