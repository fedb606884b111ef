"""Records that were changed so that the rules hold and the dealing does not."""

import hashlib
import random

from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.record import read, write
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.table_log.dealing import SeededDecks
from fifteentwo.server.table_log.ledger import Ledger
from tests.dealing.games import VARIANTS, at_random, begun, moves

KINDS = ("deal", "cut", "starter-cut", "starter", "draw", "link", "seed", "commitment", "place")
"""Half of the cuts and places are a person's, half a computer's; seat 0 is a person."""
CHANGED = ("deal", "cut", "starter-cut", "place")
"""Kinds that the operator changes during the game; the others are changed in the finished record."""


class Crooked(SeededDecks):
    """The decks of a game, except one deal that the operator changed."""

    def __init__(self, honest: SeededDecks, kind: str, deal: int) -> None:
        super().__init__(honest._link_of, honest._seeds.split(), honest.draw_order)
        self._changed = {
            "deal": f"deal-{deal}",
            "cut": f"cut-{deal}",
            "starter-cut": f"starter-{deal}",
            "place": "draw-1-0",
        }[kind]
        self.used = False

    def __call__(self, name: str) -> tuple[Card, ...]:
        deck = list(super().__call__(name))
        if name == self._changed:
            random.Random(name).shuffle(deck)
            self.used = True
        return tuple(deck)

    def choose_below(self, name: str, below: int) -> int:
        chosen = super().choose_below(name, below)
        if name != self._changed:
            return chosen
        self.used = True
        return (chosen + 1) % below


def tampered(number: int) -> tuple[str, int | None] | None:
    """Return a changed record and its wrong deal: 0 for the draw, None if no deal has a proof.

    Return None if the game has nothing of this kind.
    """
    rng = random.Random(f"tampered/{number}")
    kind = KINDS[number % len(KINDS)]
    variant, options = VARIANTS[number // len(KINDS) % len(VARIANTS)]
    ledger = begun(variant, {"target": 61} | options, (0,), f"tampered/{number}")
    deal = rng.randrange(1, 5) if kind != "place" else 0
    crooked = None
    if kind in CHANGED:
        honest = ledger.table.decks
        assert isinstance(honest, SeededDecks)
        ledger.table.decks = crooked = Crooked(honest, kind, deal)
    for _ in moves(ledger, at_random(rng)):
        pass
    lines = write(ledger.record(1, ("",) * rules_for(variant, **options).seats)).splitlines()[:-1]
    if crooked is not None:
        return (resummed(lines), deal) if crooked.used else None
    return _changed(kind, lines, deal, ledger, rng)


def _changed(
    kind: str, lines: list[str], deal: int, ledger: Ledger, rng: random.Random
) -> tuple[str, int | None] | None:
    match kind:
        case "starter" | "draw":
            return _other_card(lines, 0 if kind == "draw" else deal, rng)
        case "link":
            deal = min(deal, ledger.table.state.deal)
            return _flipped(lines, f"link {deal} "), deal
        case "seed":
            return _flipped(lines, "seed 0 "), None
        case _:
            return _flipped(lines, "commitment "), 0


def _other_card(lines: list[str], deal: int, rng: random.Random) -> tuple[str, int] | None:
    """Change a starter so that the rules, the scores and the checksum still hold."""
    deals, turned = 0, []
    for place, line in enumerate(lines):
        deals += line.startswith("deal ")
        if line.startswith("turn ") and deals == deal:
            turned.append(place)
    cards = [card.text for card in DECK]
    rng.shuffle(cards)
    for place in turned[:1]:
        for card in cards:
            changed = resummed([*lines[:place], f"turn {card}", *lines[place + 1 :]])
            if lines[place] != f"turn {card}" and _is_read(changed):
                return changed, deal
    return None


def _is_read(text: str) -> bool:
    try:
        read(text)
    except NotationError:
        return False
    return True


def _flipped(lines: list[str], start: str) -> str:
    """Change the last digit of a line."""
    assert any(line.startswith(start) for line in lines)
    other = {True: "1", False: "0"}
    return resummed(
        [line[:-1] + other[line.endswith("0")] if line.startswith(start) else line for line in lines]
    )


def resummed(lines: list[str]) -> str:
    """Return the record with the right checksum."""
    body = "".join(f"{line}\n" for line in lines)
    return f"{body}sum {hashlib.sha256(body.encode()).hexdigest()}\n"
