"""The engine protocol (docs/engine.md): a View a line in, an action a line out."""

from collections.abc import Iterable, Iterator

from fifteentwo.players import engine, player
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.view import View


class Bot:
    """A level that answers whoever sends it Views."""

    def __init__(self, level: str, seed: int) -> None:
        """UnknownLevel where there is none of this name."""
        self._player = player(level, seed)
        self.about = to_json({"type": "engine", "level": level, "engine": engine()})

    def answers(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """A JSON text for every line up to `quit`; empty lines are passed over."""
        for line in lines:
            asked = line.strip()
            if asked == b"quit":
                return
            if asked:
                yield self.about if asked == b"engine" else self._answer(asked)

    def _answer(self, asked: bytes) -> bytes:
        """An action, or an error: whatever comes, the next line is answered too."""
        try:
            return to_json(self._player.act(from_json(asked, View)))
        except FifteenTwoError as error:
            return to_json({"type": "error", "code": error.code})
        except Exception as error:
            # A View that no game leads to can trip a player anywhere.
            return to_json({"type": "error", "code": "impossible-view", "why": repr(error)})
