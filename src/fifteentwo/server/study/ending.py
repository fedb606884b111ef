"""A review in one picture, for the end of a game: the course, the move that mattered, play and luck."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fifteentwo import i18n
from fifteentwo.i18n.figures import difference, percent

WIDTH, HEIGHT = 300, 60
"""Of the drawing of the course."""
EVEN = 0.005
"""Luck that would be written as none."""


class Seat(NamedTuple):
    """How a seat played: which share of its choices was practically the best."""

    name: str
    right: int
    of: int
    share: str


class Move(NamedTuple):
    """The costliest move of the game."""

    seat: int
    where: str
    cost: str
    why: str
    moment: int
    """Which move of the review it is, from 1."""
    at: tuple[float, float]


class Ending(NamedTuple):
    """What the end of a game shows; seats in order, that of the reader first in `seats`."""

    course: str
    """The chance of the reader, as the points of an SVG polyline."""
    won: bool
    seats: tuple[Seat, ...]
    luck: str
    lucky: str
    """good, bad or none."""
    move: Move | None


def ending(lines: Sequence[Mapping[str, Any]], seat: int, lang: str) -> Ending | None:
    """Return the picture from the lines of a review, for a seat; None where chances are not known."""
    found: dict[str, list[Any]] = {"story": [], "decision": [], "whole": []}
    for line in lines:
        found.setdefault(line["t"], []).append(line["d"])
    if not found["whole"] or not found["whole"][0]["by_chance"]:
        return None
    [whole], [story], decisions = found["whole"], found["story"], found["decision"]
    total = whole["seats"][seat]
    if total["result"] is None:
        return None
    names = [*story["names"]]
    names[seat] = i18n.text("home.you", lang)
    chances = _course(whole["curve"], seat)
    length = max(story["moments"][-1]["last"], 1)
    luck = _luck(total)
    return Ending(
        course=" ".join(f"{x:.1f},{y:.1f}" for x, y in (_place(one, length) for one in chances)),
        won=bool(total["result"]),
        seats=tuple(_seat(which, names, decisions, lang) for which in (seat, 1 - seat)),
        luck=_signed(luck, lang),
        lucky="none" if abs(luck) < EVEN else "good" if luck > 0 else "bad",
        move=_move(decisions, story["moments"], chances, length, lang),
    )


def _course(curve: Sequence[Mapping[str, Any]], seat: int) -> list[tuple[int, float]]:
    return [(-1, 0.5), *((one["step"], 1 - one["win"] if seat else one["win"]) for one in curve)]


def _place(point: tuple[int, float], length: int) -> tuple[float, float]:
    step, win = point
    return WIDTH * (step + 1) / (length + 1), HEIGHT * (1 - win)


def _luck(total: Mapping[str, Any]) -> float:
    adjusted = min(max(total["adjusted_result"], 0.0), 1.0)
    return difference(100 * total["result"], 100 * adjusted, 1) / 100


def _signed(share: float, lang: str) -> str:
    sign = "" if abs(share) < EVEN / 10 else "−" if share < 0 else "+"
    return f"{sign}{percent(abs(share), 1, lang)}"


def _seat(which: int, names: Sequence[str], decisions: Sequence[Mapping[str, Any]], lang: str) -> Seat:
    counted = [one for one in decisions if one["seat"] == which and not one["obvious"]]
    right = sum(one["mark"] is None for one in counted)
    return Seat(names[which], right, len(counted), percent(right / len(counted), 0, lang) if counted else "–")


def _move(
    decisions: Sequence[Mapping[str, Any]],
    moments: Sequence[Mapping[str, Any]],
    chances: Sequence[tuple[int, float]],
    length: int,
    lang: str,
) -> Move | None:
    """Return the costliest move of both; None where none cost anything to speak of."""
    costly = [one for one in decisions if one["mark"] and one["loss_win"]]
    if not costly:
        return None
    worst = max(costly, key=lambda one: one["loss_win"])
    step = worst["step"]
    chance = [win for at, win in chances if at <= step][-1]
    why = worst["why"][0] if worst["why"] else ""
    if worst["kind"] not in ("discard", "play"):
        why = i18n.text("review.claimed", lang, claimed=worst["chosen"], right=worst["best"])
    first = max(one["first"] for one in moments if one["first"] <= step)
    return Move(
        seat=worst["seat"],
        where=i18n.text("review.at", lang, deal=worst["deal"], score="–".join(map(str, worst["score"]))),
        cost=_signed(-difference(100 * worst["win"], 100 * worst["win_chosen"], 1) / 100, lang),
        why=why,
        moment=1 + next(place for place, one in enumerate(moments) if one["first"] == first),
        at=_place((step, chance), length),
    )
