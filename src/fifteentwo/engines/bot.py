"""A level as an engine (docs/engine.md): a View a line in, an action a line out."""

from collections.abc import Iterable, Iterator

import msgspec

from fifteentwo.contest.possible import check
from fifteentwo.engines.protocol import PROTOCOL, FromHost, Hello, Introduction, Quit, Ready
from fifteentwo.players import player
from fifteentwo.rules.errors import FifteenTwoError, NotationError
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.view import View, allows

_LONGEST = 500


class Bot:
    """A level that responds to Views with actions."""

    def __init__(self, level: str, seed: int) -> None:
        """UnknownLevel where there is none of this name."""
        self._level = level
        self._player = player(level, seed)

    @property
    def about(self) -> bytes:
        """The level and the version of the protocol, as a line."""
        return to_json({"type": "engine", "level": self._level, "protocol": PROTOCOL})

    def answers(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """A JSON text for every line that has an answer, up to `quit`; empty lines are passed over."""
        for line in lines:
            asked = line.strip()
            if asked == b"quit":
                return
            if asked == b"engine":
                yield self.about
            elif asked:
                message = _of_the_session(asked)
                if isinstance(message, Quit):
                    return
                if isinstance(message, Hello):
                    yield from self._introduced(message)
                elif message is None:
                    yield self._answer(asked)

    def _introduced(self, hello: Hello) -> Iterator[bytes]:
        if hello.seed is not None:
            self._player = player(self._level, hello.seed)
        yield to_json(Introduction(name=self._level, protocol=PROTOCOL))
        yield to_json(Ready())

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
                "why": _printable(error.text) if isinstance(error, NotationError) else None,
            }
            return to_json({"type": "error"} | {name: value for name, value in refused.items() if value})
        except Exception as error:
            # A View that the check lets pass and a player stumbles over is still answered.
            return to_json({"type": "error", "code": "impossible-view", "why": ascii(error)})
        if not allows(seen, action):
            return to_json({"type": "error", "code": "impossible-view"})
        return to_json(action)


def _of_the_session(asked: bytes) -> FromHost | None:
    """Return a message that is not a View; None for all else, what cannot be read too."""
    if b'"type"' not in asked:
        return None
    try:
        message: FromHost = msgspec.json.decode(asked, type=FromHost)
    except (msgspec.DecodeError, RecursionError, UnicodeError, FifteenTwoError):
        return None
    return message


def _printable(text: str) -> str:
    """Where in the JSON and why, as the reader found it, in signs that every program can read."""
    return ascii(text[:_LONGEST])[1:-1]
