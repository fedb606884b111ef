"""Records as JSON, for programs: the fields of a record's text, with one action a line (docs/record.md)."""

import json
import re

import msgspec

from fifteentwo.rules.errors import FifteenTwoError, IllegalAction, NotationError
from fifteentwo.rules.record import (
    MAX_NAME_LENGTH,
    Record,
    action_text,
    check_unknown,
    from_json,
    replay,
    to_plain,
)

MARK = re.compile(r'\s*\{\s*"fifteentwo"')
"""Beginning of such a file."""
VERSION = 1
"""Version of the format. The text of a record has the same version and the same words."""


def write(record: Record) -> str:
    """Return a record as JSON; `read` returns an equal record."""
    fields = to_plain(record)
    actions = fields.pop("actions")
    head = json.dumps({"fifteentwo": "record", "version": VERSION, **fields})
    lines = ",\n".join(json.dumps(action) for action in actions)
    return f'{head[:-1]}, "actions": [\n{lines}\n]}}\n'


class _Head(msgspec.Struct):
    fifteentwo: str
    version: int


def read(text: str) -> Record:
    """Return a record from JSON, after it was played through; raise NotationError if anything is wrong."""
    try:
        head = msgspec.json.decode(text, type=_Head)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise NotationError("json-unreadable", str(error), 1) from error
    if head.fifteentwo != "record" or head.version != VERSION:
        raise NotationError("json-unreadable", f"{head.fifteentwo} {head.version}", 1)
    try:
        record = from_json(text, Record)
    except FifteenTwoError as error:
        raise NotationError("json-unreadable", getattr(error, "text", "") or str(error), 1) from error
    if len(record.names) != record.rules.seats or any(len(name) > MAX_NAME_LENGTH for name in record.names):
        raise NotationError("json-unreadable", "names", 1)
    _check_played(record)
    check_unknown(record)
    return record


def _check_played(record: Record) -> None:
    played = 0
    try:
        for _ in replay(record):
            played += 1
    except IllegalAction as error:
        refused = action_text(record.actions[played])
        raise NotationError("json-action-refused", refused, played + 1) from error
