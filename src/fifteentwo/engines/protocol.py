"""The messages of engine protocol 1 (docs/engine.md), each a line of JSON; a View is a line without `type`.

`python -m fifteentwo.engines.protocol` prints their JSON schema, which is stored next to this module.
"""

from pathlib import Path
from typing import Annotated, Any

import msgspec

from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.events import GameWon
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View

PROTOCOL = 1
"""Version of messages, Views and actions."""
SCHEMA = Path(__file__).with_name("engine-protocol-1.json")

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
Comment = Annotated[str, msgspec.Meta(max_length=1000)]
Chance = Annotated[float, msgspec.Meta(ge=0, le=1)]


class _Message(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    pass


class Hello(_Message, frozen=True, kw_only=True, tag="hello", omit_defaults=False):
    """The first line from the host: protocol, limits and settings."""

    protocol: int
    time: float | None = None
    """Seconds for an action; None for no limit."""
    seed: int | None = None
    """Seed for an engine that plays at random: the same seed gives the same actions."""
    options: dict[str, str] = {}
    """Settings by the user; the engine ignores unknown ones."""


class NewGame(_Message, frozen=True, tag="new-game"):
    """A game begins, and earlier games no longer matter. There is no response."""

    rules: Rules


class GameOver(_Message, frozen=True, tag="game-over"):
    """The game is over. There is no response."""

    won: GameWon


class Quit(_Message, frozen=True, tag="quit"):
    """A request to exit; so are the line `quit` and the end of input."""


FromHost = Hello | NewGame | GameOver | Quit


class Introduction(_Message, frozen=True, kw_only=True, tag="hello"):
    """The response to `hello`: the engine's name and protocol."""

    name: Name
    protocol: int
    options: tuple[str, ...] = ()
    """Names of the settings that the engine knows."""
    past: bool = False
    """Whether the engine asks for Views with the earlier deals of the game."""


class Ready(_Message, frozen=True, tag="ready"):
    """The engine is ready; the time of its first action starts here."""


class Answer(_Message, frozen=True, kw_only=True, tag="action"):
    """An action with additional information; a bare action is also a valid response."""

    action: SeatAction
    value: Chance | None = None
    """Probability that this seat's side wins, by the engine's estimate."""
    comment: Comment | None = None


class Error(_Message, frozen=True, kw_only=True, tag="error"):
    """The engine cannot respond to a line."""

    code: str
    why: str = ""


FromEngine = Introduction | Ready | Answer | Error | SeatAction


def schema() -> dict[str, Any]:
    """Return the JSON schema of all lines: `host` and `engine` are the lines of each."""
    refs, parts = msgspec.json.schema_components(
        [FromHost, View, FromEngine], schema_hook=_card, ref_template="#/$defs/{name}"
    )
    host, seen, engine = refs
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Fifteen Two engine protocol 1",
        "host": {"anyOf": [host, seen]},
        "engine": engine,
        "$defs": parts,
    }


def _card(kind: type) -> dict[str, Any]:
    assert kind is Card
    return {"type": "string", "enum": [card.text for card in DECK], "description": "Rank and suit."}


def schema_text() -> str:
    """Return the schema as it is stored in the package."""
    written = msgspec.json.encode(schema(), order="sorted")
    return msgspec.json.format(written, indent=1).decode() + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
