"""Views to the engine: from games, and with something changed so that no game need lead to them."""

import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from fifteentwo.contest.bot import Bot
from fifteentwo.contest.table import Table, seeded
from fifteentwo.players.manners import claimable
from fifteentwo.rules.actions import Claim, LayAway, SeatAction
from fifteentwo.rules.cards import PACK
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.game import legal
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Form, Rules, variant
from fifteentwo.rules.view import View, choices, view


class Told(NamedTuple):
    """What an attack came to."""

    acted: int
    refused: int
    wrong: list[str]


def some_rules(luck: random.Random) -> Rules:
    """Any form with any options."""
    form = luck.choice(tuple(Form))
    counting = luck.choice(("automatic", "claimed"))
    options: dict[str, Any] = {
        "target": 61 if form is Form.FIVE_CARD else luck.choice((61, 121)),
        "counting": counting,
        "muggins": luck.choice(("off", "missed", "missed-and-over")) if counting == "claimed" else "off",
        "starter": luck.choice(("cut", "top")),
        "cut_before_deal": luck.random() < 0.5,
        "first_dealer": luck.choice(("low", "high")),
        "partners_by_draw": form is Form.PARTNERS and luck.random() < 0.5,
    }
    return variant(form.value, **options)


def from_games(luck: random.Random) -> Iterator[View]:
    """Every seat's View at every moment of game after game by chance."""
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


def changed(seen: View, other: View, luck: random.Random) -> bytes:
    """A View with one to three things in it changed."""
    told: dict[str, Any] = json.loads(to_json(seen))
    foreign: dict[str, Any] = json.loads(to_json(other))
    for _ in range(luck.choice((1, 1, 2, 3))):
        name = luck.choice(list(told))
        told[name] = _changed(told[name], foreign[name], luck)
    return json.dumps(told).encode()


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
        return luck.choice(PACK).text
    return luck.choice((foreign, None, [], 0, -1, "", luck.choice(list(Phase)).value, 0.5, True))


def attack(level: str, *, clean: int, mutated: int, seed: int) -> Told:
    """Send so many Views to a level: each gets an action open to it, or an error, and the next is served."""
    luck = random.Random(seed)
    games = from_games(luck)
    asked = [to_json(luck.choice([next(games) for _ in range(7)])) for _ in range(clean)]
    for _ in range(mutated):
        seen = [next(games) for _ in range(7)]
        acting = [one for one in seen if choices(one)] or seen
        asked.append(changed(luck.choice(acting), luck.choice(seen), luck))
    acted, wrong = 0, list[str]()
    answers = list(Bot(level, seed).answers(asked))
    if len(answers) != len(asked):
        wrong.append(f"{len(answers)} answers to {len(asked)} Views")
    for place, (line, answer) in enumerate(zip(asked, answers, strict=False)):
        failed = _wrong_with(line, answer, must_act=place < clean)
        acted += failed is None and b'"error"' not in answer
        if failed is not None:
            wrong.append(f"{failed}: {answer.decode()[:200]} to {line.decode()[:2000]}")
    return Told(acted, len(answers) - acted, wrong)


def _wrong_with(line: bytes, answer: bytes, *, must_act: bool) -> str | None:
    told = json.loads(answer)
    try:
        seen = from_json(line, View)
    except NotationError:
        return None if told.get("code") == "not-readable" else "an answer to what is no View"
    if told["type"] == "error":
        if "why" in told:
            return "a player stumbled"
        return "an error where a seat may act" if must_act and choices(seen) else None
    told.pop("engine", None)
    action: Any = from_json(json.dumps(told), SeatAction)  # type: ignore[arg-type]
    if isinstance(action, LayAway):
        open_now: Any = [frozenset(one.cards) for one in choices(seen) if isinstance(one, LayAway)]
        return None if frozenset(action.cards) in open_now else "cards it may not lay away"
    return None if action in choices(seen) else "an action that is not open"
