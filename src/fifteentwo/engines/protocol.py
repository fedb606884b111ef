"""The messages of engine protocol 1 (docs/engine.md), each a line of JSON; a View is a line without `type`.

`python -m fifteentwo.engines.protocol` prints their JSON schema, which is the file next to this module.
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
"""The version of the messages, Views and actions."""
SCHEMA = Path(__file__).with_name("engine-protocol-1.json")

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
Comment = Annotated[str, msgspec.Meta(max_length=1000)]
Chance = Annotated[float, msgspec.Meta(ge=0, le=1)]


class _Message(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    pass


# ── From the host ────────────────────────────────────────────────────────────────────────────────────────


class Hello(_Message, frozen=True, kw_only=True, tag="hello"):
    """The first line: what the host speaks, and how it plays."""

    protocol: int
    time: float | None = None
    """Seconds that an action may take; without it they are not limited."""
    seed: int | None = None
    """For an engine that draws lots: the same seed, the same actions."""
    options: dict[str, str] = {}
    """The user's settings of this engine; unknown ones are ignored."""


class NewGame(_Message, frozen=True, tag="new-game"):
    """A game begins: what was known of an earlier one does not hold any more. No answer."""

    rules: Rules


class GameOver(_Message, frozen=True, tag="game-over"):
    """The game is over. No answer."""

    won: GameWon


class Quit(_Message, frozen=True, tag="quit"):
    """The engine is to end. So it is at the line `quit` and at the end of input."""


FromHost = Hello | NewGame | GameOver | Quit


# ── From the engine ──────────────────────────────────────────────────────────────────────────────────────


class Introduction(_Message, frozen=True, kw_only=True, tag="hello"):
    """The answer to `hello`: who it is, and what it speaks."""

    name: Name
    protocol: int
    options: tuple[str, ...] = ()
    """The names of the settings it knows."""


class Ready(_Message, frozen=True, tag="ready"):
    """Once it can play: the time of an action is counted from here."""


class Answer(_Message, frozen=True, kw_only=True, tag="action"):
    """An action with more about it; the bare action is an answer too."""

    action: SeatAction
    value: Chance | None = None
    """The chance of this seat's side to win, by the engine."""
    comment: Comment | None = None


class Error(_Message, frozen=True, kw_only=True, tag="error"):
    """A line that it cannot answer."""

    code: str
    why: str = ""


FromEngine = Introduction | Ready | Answer | Error | SeatAction


def schema() -> dict[str, Any]:
    """Return the JSON schema of every line: `host` and `engine` say who writes which."""
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
    """Return the schema as it lies in the package."""
    written = msgspec.json.encode(schema(), order="sorted")
    return msgspec.json.format(written, indent=1).decode() + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
