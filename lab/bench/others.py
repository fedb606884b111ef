"""Speed of `ft.score`, and speed and errors of scorers from PyPI on the same hands if they are installed.

The scorers may be in another environment, because one of them needs an older NumPy. The environment variable
FIFTEENTWO_OTHERS names its Python, which runs this file as a program:

    python3 -m venv others && others/bin/pip install cribbage-scorer==0.2.5 cribbage==1.3.2
    FIFTEENTWO_OTHERS=others/bin/python make bench
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lab.bench.table import Row

HANDS = 20_000
"""Random hands that each scorer scores."""
SCORER_MODULES = {"cribbage-scorer 0.2.5": "cribbage_scorer", "cribbage 1.3.2": "cribbage"}
"""Scorers by name and version, and the modules to import."""
Cards = list[int]
"""Five cards, 4 * rank + suit; the starter is the last."""


def rows() -> "Iterator[Row]":
    """Yield rows for `ft.score`, and for each scorer its speed and errors, or that it is not installed."""
    import numpy as np

    from fifteentwo.fast import random_deals as deals
    from fifteentwo.fast import show
    from lab.bench.table import Row

    dealt = deals.random_deals(HANDS, 5, 9)
    right = show.points(np.ascontiguousarray(dealt[:, :4]), np.ascontiguousarray(dealt[:, 4])).tolist()
    yield from _own_rows(dealt.tolist(), right)
    python = os.environ.get("FIFTEENTWO_OTHERS", sys.executable)
    done = subprocess.run(
        [python, __file__], input=json.dumps(dealt.tolist()), capture_output=True, text=True, check=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    for name in SCORER_MODULES:
        if name not in found:
            yield Row(f"{name}: not installed", float("nan"), "hands/s")
            continue
        points, seconds = found[name]["points"], found[name]["seconds"]
        wrong = sum(one != truth for one, truth in zip(points, right, strict=True))
        note = f"{100 * wrong / HANDS:.2f} % of {HANDS:,} hands wrong"
        yield Row(name, HANDS / seconds, "hands/s", note=note)


def _own_rows(hands: list[Cards], right: list[int]) -> "Iterator[Row]":
    import fifteentwo as ft
    from fifteentwo.rules.cards import DECK
    from lab.bench.table import Row

    in_cards = [([DECK[card] for card in five[:4]], DECK[five[4]]) for five in hands]
    in_text = [" ".join(DECK[card].text for card in five) for five in hands]
    ft.score(in_text[0])  # the first call imports modules
    works: dict[str, Callable[[], list[int]]] = {
        "from text, first hands of a process": lambda: [ft.score(text).points for text in in_text],
        "from text": lambda: [ft.score(text).points for text in in_text],
        "from cards": lambda: [ft.score(hand, starter).points for hand, starter in in_cards],
    }
    for name, work in works.items():
        began = time.process_time()
        points = work()
        rate = HANDS / (time.process_time() - began)
        assert points == right
        yield Row(f"ft.score, {name}", rate, "hands/s")


def _cribbage_scorer_points() -> Callable[[Cards], int]:
    score = import_module("cribbage_scorer.cribbage_scorer").show_calc_score

    def points(five: Cards) -> int:
        cards = [(card // 4 + 1, "SHDC"[card % 4]) for card in five]
        return int(score(cards[4], cards[:4])[0])

    return points


def _cribbage_points() -> Callable[[Cards], int]:
    score = import_module("cribbage.score").score_hand
    card_of = import_module("cribbage.card").Card
    deck = [card_of(card % 4 * 13 + card // 4) for card in range(52)]

    def points(five: Cards) -> int:
        return int(score([deck[card] for card in five[:4]], deck[five[4]]))

    return points


def main() -> None:
    """Read hands as JSON from the standard input; print each scorer's points and seconds as JSON."""
    hands = json.load(sys.stdin)
    rates: dict[str, Any] = {}
    for name, module in SCORER_MODULES.items():
        if find_spec(module) is None:
            continue
        score = _cribbage_points() if module == "cribbage" else _cribbage_scorer_points()
        began = time.process_time()
        points = [_points_or_error(score, five) for five in hands]
        rates[name] = {"points": points, "seconds": time.process_time() - began}
    print(json.dumps(rates))


def _points_or_error(score: Callable[[Cards], int], five: Cards) -> int:
    """Return a scorer's points, or -1 if the scorer raises an error."""
    try:
        return score(five)
    except Exception:
        return -1


if __name__ == "__main__":
    main()
