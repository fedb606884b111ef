"""Generate Views of games, and changed Views that no game need lead to."""

import json
import random
from collections.abc import Iterator
from typing import Any

from fifteentwo.contest.table import Table
from fifteentwo.players.base import claimable
from fifteentwo.rules.actions import Claim
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.game import legal
from fifteentwo.rules.record import to_json
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Rules, Variant, rules_for
from fifteentwo.rules.view import View, choices, view


def some_rules(luck: random.Random) -> Rules:
    variant = luck.choice(tuple(Variant))
    counting = luck.choice(("automatic", "claimed", "claimed-hands"))
    target = 61 if variant is Variant.FIVE_CARD else luck.choice((61, 121))
    skunk = luck.random() < 0.4
    options: dict[str, Any] = {
        "target": target,
        "skunk": skunk,
        "double_skunk": skunk and target == 121 and luck.random() < 0.5,
        "counting": counting,
        "muggins": luck.choice(("off", "missed", "missed-and-overclaims"))
        if counting != "automatic"
        else "off",
        "starter": luck.choice(("cut", "top")),
        "cut_before_deal": luck.random() < 0.5,
        "first_dealer": luck.choice(("low", "high")),
        "partners_by_draw": variant is Variant.PARTNERS and luck.random() < 0.5,
    }
    return rules_for(variant.value, **options)


def from_games(luck: random.Random) -> Iterator[View]:
    """Yield the View of every seat at every moment of random games."""
    while True:
        table = Table(some_rules(luck), seeded(luck.getrandbits(32)))
        while not table.over:
            state = table.state
            yield from (view(state, seat) for seat in range(state.rules.seats))
            action = luck.choice(legal(state))
            if isinstance(action, Claim):
                right = sum(score.points for score in claimable(view(state, state.turn)))
                action = Claim(state.turn, min(29, max(0, right + luck.choice((0, 0, -1, 1)))))
            table.submit(action.seat, action)  # type: ignore[union-attr, arg-type]
        yield from (view(table.state, seat) for seat in range(table.state.rules.seats))


def clean(number: int, seed: int) -> list[bytes]:
    """Return Views of games as lines of JSON; in two of five the seat may act."""
    luck = random.Random(seed)
    games = from_games(luck)
    return [to_json(luck.choice([next(games) for _ in range(7)])) for _ in range(number)]


def mutated(number: int, seed: int) -> list[bytes]:
    """Return changed Views as lines of JSON; the seat may act in each."""
    luck = random.Random(seed)
    games = from_games(luck)
    lines = []
    for _ in range(number):
        seen = [next(games) for _ in range(7)]
        acting = [one for one in seen if choices(one)] or seen
        lines.append(changed(luck.choice(acting), luck.choice(seen), luck))
    return lines


def plays(number: int, seed: int) -> list[bytes]:
    """Return changed, readable Views of pegging; many would break a kernel without bounds checks."""
    luck = random.Random(seed)
    games = from_games(luck)
    lines: list[bytes] = []
    while len(lines) < number:
        seen = next(games)
        if seen.phase is Phase.PLAY and choices(seen) and seen.played:
            plain: dict[str, Any] = json.loads(to_json(seen))
            for _ in range(luck.choice((1, 1, 2, 3))):
                luck.choice(_ASTRAY)(plain, luck)
            lines.append(json.dumps(plain).encode())
    return lines


# ── Changes ──────────────────────────────────────────────────────────────────────────────────────


def changed(seen: View, other: View, luck: random.Random) -> bytes:
    plain: dict[str, Any] = json.loads(to_json(seen))
    foreign: dict[str, Any] = json.loads(to_json(other))
    for _ in range(luck.choice((1, 1, 2, 3))):
        if luck.random() < 0.25:
            luck.choice(_ASTRAY)(plain, luck)
        else:
            name = luck.choice(list(plain))
            plain[name] = _changed(plain[name], foreign[name], luck)
    return json.dumps(plain).encode()


def _changed(value: Any, foreign: Any, luck: random.Random) -> Any:
    if isinstance(value, list) and value and luck.random() < 0.7:
        place = luck.randrange(len(value))
        kind = luck.choice(("drop", "twice", "swap", "deeper"))
        if kind == "drop":
            return [*value[:place], *value[place + 1 :]]
        if kind == "twice":
            return [*value, value[place]]
        if kind == "swap":
            return luck.sample(value, len(value))
        return [*value[:place], _changed(value[place], foreign, luck), *value[place + 1 :]]
    if isinstance(value, dict):
        return foreign
    if isinstance(value, int) and luck.random() < 0.8:
        return value + luck.choice((-1, 1, 2, -value, 60, 2**40, -(2**40)))
    if isinstance(value, str) and len(value) == 2:
        return luck.choice(DECK).text
    return luck.choice((foreign, None, [], 0, -1, "", luck.choice(list(Phase)).value, 0.5, True))


def _exchange(plain: dict[str, Any], luck: random.Random) -> None:
    """Swap two cards anywhere; goes and counts may become impossible."""
    shown = [card for _, card in _played_cards(plain)] or [card.text for card in DECK]
    one, other = luck.choice(shown), luck.choice(DECK).text
    places = {one: other, other: one}
    for name, value in plain.items():
        plain[name] = _with(value, places)
    _count_again(plain, luck)


def _with(value: Any, places: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_with(one, places) for one in value]
    return places.get(value, value) if isinstance(value, str) else value


def _renege(plain: dict[str, Any], luck: random.Random) -> None:
    """Let a seat play a low card after its go denied such a card (R55)."""
    cards = _played_cards(plain)
    if cards:
        place = luck.randrange(len(cards) // 2, len(cards))
        plain["played"][place] = [cards[place][0], luck.choice(DECK[:16]).text]
        _count_again(plain, luck)


def _move(plain: dict[str, Any], luck: random.Random) -> None:
    """Change a seat, a score, a number of cards, or where a count ended."""
    name = luck.choice(
        ("seat", "dealer", "turn", "count", "hand_sizes", "front", "count_ends", "said_go", "played")
    )
    value = plain[name]
    if isinstance(value, list) and value and name == "played":
        place = luck.randrange(len(value))
        seat, card = value[place] if isinstance(value[place], list) and len(value[place]) == 2 else (0, "AS")
        plain[name] = [*value[:place], [luck.choice((seat, 0, 1, 2, 3, 9, -1)), card], *value[place + 1 :]]
    elif isinstance(value, list):
        plain[name] = [*value, 1] if not value or luck.random() < 0.2 else _changed(value, value, luck)
    elif isinstance(value, int):
        plain[name] = value + luck.choice((-1, 1, 2, 3, -40, 40, 2**40))


def _deal(plain: dict[str, Any], luck: random.Random) -> None:
    """Add, remove or replace a card of the hand, the kept cards or the discard."""
    name = luck.choice(("hand", "kept", "discarded", "played"))
    value, kind = plain[name], luck.choice(("more", "fewer", "elsewhere"))
    if not isinstance(value, list):
        return
    played = _played_cards(plain) or [[0, "5H"]]
    card = luck.choice(played)[1] if luck.random() < 0.5 else luck.choice(DECK).text
    if kind == "more":
        plain[name] = [*value, [luck.choice((0, 1)), card] if name == "played" else card]
    elif kind == "fewer":
        plain[name] = value[:-1]
    elif value and name != "played":
        plain[name] = [*value[:-1], card]


_ASTRAY = (_exchange, _exchange, _renege, _renege, _move, _deal)


def _played_cards(plain: dict[str, Any]) -> list[list[Any]]:
    """Return the cards played, without entries that cannot be read."""
    played = plain.get("played")
    if not isinstance(played, list):
        return []
    texts = {card.text for card in DECK}
    return [one for one in played if isinstance(one, list) and len(one) == 2 and one[1] in texts]


def _count_again(plain: dict[str, Any], luck: random.Random) -> None:
    """Set the count to the value of the cards played, in most cases."""
    cleared, cards = plain.get("count_ends"), _played_cards(plain)
    if luck.random() < 0.8 and isinstance(cleared, list) and all(isinstance(at, int) for at in cleared):
        plain["count"] = sum(Card(card).value for _, card in cards[max([0, *cleared]) :])
