"""Whole games as text with every event: `python -m tests.rules.golden_games` writes them.

Write them again only if the rules are meant to change, and read the difference.
"""

from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Any

from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import Event, Score
from fifteentwo.rules.record import Record, replay, to_plain, write
from fifteentwo.rules.variants import Rules, rules_for
from tests.rules.random_games import game

FOLDER = Path(__file__).parent / "golden"

AGREED: dict[str, Rules] = {
    "six-card": rules_for("six-card"),
    "six-card-strict": rules_for(
        "six-card", counting="claimed", muggins="missed-and-overclaims", skunk=True, double_skunk=True
    ),
    "half-game": rules_for("six-card", target=61, first_dealer="high", starter="top"),
    "five-card": rules_for("five-card", skunk=True),
    "five-card-claimed": rules_for("five-card", counting="claimed", muggins="missed", cut_before_deal=False),
    "three-handed": rules_for("three-handed", first_dealer="high"),
    "three-handed-claimed": rules_for(
        "three-handed", counting="claimed", muggins="missed-and-overclaims", target=61
    ),
    "partners": rules_for("partners", partners_by_draw=True),
    "partners-claimed": rules_for("partners", counting="claimed", muggins="missed", target=61),
    "four-handed": rules_for("four-handed", first_dealer="named", skunk=True, double_skunk=True),
    "four-handed-claimed": rules_for("four-handed", counting="claimed", target=61, starter="top"),
}


def text(value: Any) -> str:
    match value:
        case Enum():
            return str(value.value)
        case Card():
            return value.text
        case Score(name=name, cards=cards, points=points, rule=rule):
            return f"{name.value}[{' '.join(card.text for card in cards)}]{points}@{rule}"
        case tuple():
            return f"({' '.join(map(text, value))})"
        case None:
            return "-"
        case _:
            return str(value)


def result(event: Event) -> str:
    """Return an event as one line, without fields that its JSON omits."""
    written = [name for name in event.__struct_fields__ if name in to_plain(event)]
    return " ".join([str(event.__struct_config__.tag), *(text(getattr(event, name)) for name in written)])


def lines_of(record: Record) -> Iterable[str]:
    """Yield the record, and the events and scores of every action."""
    yield write(record)
    for number, (_, state, events) in enumerate(replay(record), start=1):
        yield f"{number}: {state.phase.value}, {text(state.front)} {text(state.rear)}"
        for event in events:
            yield f"  {result(event)}"


def whole(record: Record) -> str:
    return "\n".join(lines_of(record)) + "\n"


def played(name: str) -> Record:
    rules = AGREED[name]
    actions = tuple(moment.action for moment in game(len(name), rules))
    return Record(rules=rules, names=("Ann", "Bob", "Cho", "Dee")[: rules.seats], actions=actions)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in AGREED:
        (FOLDER / f"{name}.txt").write_text(whole(played(name)), "utf-8")


if __name__ == "__main__":
    main()
