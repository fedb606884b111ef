"""The wire types for the page's scripts: `python -m tests.web.wire_types` writes web/types/wire.d.ts.

Made from the records themselves, so that `tsc` finds every script that takes them for something else.
"""

import enum
from pathlib import Path
from types import UnionType

import msgspec
from msgspec import inspect as shape

from fifteentwo.i18n.reading import TableTerm
from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import Event
from fifteentwo.server.live.spectator_view import SpectatorMessage
from fifteentwo.server.live.wire import Choice, Message, ServerMessage
from fifteentwo.server.pages.practice import DailyNow
from fifteentwo.server.study.daily import DailyTasks, DailyVerdict
from fifteentwo.server.study.hand_count import Count
from fifteentwo.server.study.lessons import Screen
from fifteentwo.server.study.problems import JudgedAnswer, NextProblem
from fifteentwo.server.study.worked_examples import SteppedBoard, SteppedPlay

FILE = Path(__file__).parents[2] / "src" / "fifteentwo" / "web" / "types" / "wire.d.ts"

UNIONS: dict[str, UnionType] = {
    "ServerMessage": ServerMessage,
    "PageMessage": Message,
    "SpectatorMessage": SpectatorMessage,
    "Event": Event,
    "Choice": Choice,
}
"""The unions that have a name."""
ANSWERS: tuple[type[msgspec.Struct], ...] = (
    Count,
    SteppedPlay,
    SteppedBoard,
    TableTerm,
    Screen,
    *(DailyNow, DailyTasks, DailyVerdict, NextProblem, JudgedAnswer),
)
"""What pages fetch, or find in themselves, as JSON."""

BEGINNING = """\
// Written by `python -m tests.web.wire_types` from the server's records: change those, write it again.

declare namespace Wire {
  /** Rank and suit: "5H", "TC". */
  type Card = string;
"""


class Written:
    """Declarations by name, in the order in which they were found."""

    def __init__(self) -> None:
        self.declared: dict[str, str] = {}
        self._from: dict[str, object] = {}
        self._unions = {frozenset(union.__args__): name for name, union in UNIONS.items()}

    def union(self, name: str, union: UnionType) -> None:
        """Return a union of records that differ in their tag."""
        members = [self.spelled(shape.type_info(member)) for member in union.__args__]
        self._declare(name, union, f"  type {name} =\n    | " + "\n    | ".join(members) + ";\n")

    def spelled(self, info: shape.Type) -> str:
        """Return the TypeScript of a type, and declare the types that it names."""
        match info:
            case shape.BoolType():
                return "boolean"
            case shape.IntType() | shape.FloatType():
                return "number"
            case shape.StrType():
                return "string"
            case shape.NoneType():
                return "null"
            case shape.CustomType(cls=cls) if cls is Card:
                return "Card"
            case shape.LiteralType(values=values):
                return " | ".join(f'"{value}"' for value in values)
            case shape.EnumType(cls=cls):
                return self._enum(cls)
            case shape.StructType():
                return self._struct(info)
            case shape.TupleType(item_types=items):
                return f"[{', '.join(self.spelled(item) for item in items)}]"
            case shape.VarTupleType(item_type=item) | shape.ListType(item_type=item):
                inner = self.spelled(item)
                return f"({inner})[]" if " | " in inner else f"{inner}[]"
            case shape.UnionType(types=members):
                return self._anonymous(members)
        raise TypeError(f"no type of the wire: {info}")

    def _anonymous(self, members: tuple[shape.Type, ...]) -> str:
        records = [member for member in members if isinstance(member, shape.StructType)]
        named = self._unions.get(frozenset(record.cls for record in records))
        if named is None:
            return " | ".join(self.spelled(member) for member in members)
        rest = [self.spelled(member) for member in members if member not in records]
        return " | ".join([named, *rest])

    def _enum(self, cls: type[enum.Enum]) -> str:
        values = " | ".join(f'"{member.value}"' for member in cls)
        return self._declare(cls.__name__, cls, f"  type {cls.__name__} = {values};\n")

    def _struct(self, info: shape.StructType) -> str:
        cls, name = info.cls, info.cls.__name__
        if self._from.get(name) is cls:
            return name
        fields = [f'    {info.tag_field}: "{info.tag}";'] if info.tag_field else []
        self._declare(name, cls, "")
        fields += [f"    {field.encode_name}: {self.spelled(field.type)};" for field in info.fields]
        body = "".join(f"{line}\n" for line in fields)
        self.declared[name] = f"  interface {name} {{\n{body}  }}\n"
        return name

    def _declare(self, name: str, made_from: object, text: str) -> str:
        if self._from.setdefault(name, made_from) is not made_from:
            raise TypeError(f"two types of the wire are called {name}")
        self.declared[name] = text
        return name


def wire_types() -> str:
    """Return the whole declaration file."""
    written = Written()
    for name, union in UNIONS.items():
        written.union(name, union)
    for answer in ANSWERS:
        written.spelled(shape.type_info(answer))
    return BEGINNING + "".join(f"\n{text}" for text in written.declared.values()) + "}\n"


def main() -> None:
    """Write the file."""
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(wire_types(), encoding="utf-8")


if __name__ == "__main__":
    main()
