"""Levels as engines (docs/engine.md): each line of input is a View, each line of output an action."""

from collections.abc import Iterable, Iterator

import msgspec

from fifteentwo.contest.view_consistency import check_view
from fifteentwo.engines.protocol import PROTOCOL, FromHost, Hello, Introduction, Quit, Ready
from fifteentwo.players import player
from fifteentwo.rules.errors import FifteenTwoError, NotationError
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.view import View, allows

_MAX_CHARACTERS = 500


class Bot:
    """A level that responds to Views with actions."""

    def __init__(self, level: str, seed: int) -> None:
        """Create the bot; raise UnknownLevel if the level does not exist."""
        self._level = level
        self._player = player(level, seed)

    @property
    def introduction(self) -> bytes:
        """Line with the level and the protocol version."""
        return to_json({"type": "engine", "level": self._level, "protocol": PROTOCOL})

    def responses(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield a line of JSON for every line that needs a response, until `quit`."""
        for line in lines:
            asked = line.strip()
            if asked == b"quit":
                return
            if asked == b"engine":
                yield self.introduction
            elif asked:
                message = _session_message(asked)
                if isinstance(message, Quit):
                    return
                if isinstance(message, Hello):
                    yield from self._introduce(message)
                elif message is None:
                    yield self._respond(asked)

    def _introduce(self, hello: Hello) -> Iterator[bytes]:
        if hello.seed is not None:
            self._player = player(self._level, hello.seed)
        yield to_json(Introduction(name=self._level, protocol=PROTOCOL, past=self._level == "master"))
        yield to_json(Ready())

    def _respond(self, asked: bytes) -> bytes:
        """Return an action or an error; the next line is read in any case."""
        try:
            seen = from_json(asked, View)
            check_view(seen)
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
            # The check has passed the View, but the player fails on it.
            return to_json({"type": "error", "code": "impossible-view", "why": ascii(error)})
        if not allows(seen, action):
            return to_json({"type": "error", "code": "impossible-view"})
        return to_json(action)


def _session_message(asked: bytes) -> FromHost | None:
    """Return a message that is not a View, or None for any other line."""
    if b'"type"' not in asked:
        return None
    try:
        message: FromHost = msgspec.json.decode(asked, type=FromHost)
    except (msgspec.DecodeError, RecursionError, UnicodeError, FifteenTwoError):
        return None
    return message


def _printable(text: str) -> str:
    """Return an error's text in ASCII, which every program can read."""
    return ascii(text[:_MAX_CHARACTERS])[1:-1]
