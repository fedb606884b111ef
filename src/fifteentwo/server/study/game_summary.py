"""A review summarised for the end of a game: course, costliest move, quality of play, and luck."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fifteentwo import i18n
from fifteentwo.i18n.figures import difference, percent

WIDTH = 300
HEIGHT = 60
UNPRINTED_LUCK = 0.005


class Seat(NamedTuple):
    """How well a seat played: its choices that cost practically nothing, of all that were not obvious."""

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
    """Number of the move in the review, from 1."""
    at: tuple[float, float]


class GameSummary(NamedTuple):
    """The summary that the page shows at the end of a game. `seats` has the reader first."""

    course: str
    """The reader's win probability as the points of an SVG polyline."""
    won: bool
    seats: tuple[Seat, ...]
    luck: str
    lucky: str
    """Either "good", "bad" or "none"."""
    move: Move | None


def game_summary(lines: Sequence[Mapping[str, Any]], seat: int, lang: str) -> GameSummary | None:
    """Return the summary of a review's lines for a seat, or None if win probabilities are unknown."""
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
    chances = [(-1, 0.5), *((one["step"], abs(seat - one["win"])) for one in whole["curve"])]
    length = max(story["moments"][-1]["last"], 1)
    adjusted = min(max(total["adjusted_result"], 0.0), 1.0)
    luck = difference(100 * total["result"], 100 * adjusted, 1) / 100
    return GameSummary(
        course=" ".join(f"{x:.1f},{y:.1f}" for x, y in (_to_drawing(one, length) for one in chances)),
        won=bool(total["result"]),
        seats=tuple(_seat(which, names, decisions, lang) for which in (seat, 1 - seat)),
        luck=_signed_percent(luck, lang),
        lucky="none" if abs(luck) < UNPRINTED_LUCK else "good" if luck > 0 else "bad",
        move=_costliest_move(decisions, story["moments"], chances, length, lang),
    )


def _to_drawing(point: tuple[int, float], length: int) -> tuple[float, float]:
    step, win = point
    return WIDTH * (step + 1) / (length + 1), HEIGHT * (1 - win)


def _signed_percent(share: float, lang: str) -> str:
    sign = "" if abs(share) < UNPRINTED_LUCK / 10 else "−" if share < 0 else "+"
    return f"{sign}{percent(abs(share), 1, lang)}"


def _seat(which: int, names: Sequence[str], decisions: Sequence[Mapping[str, Any]], lang: str) -> Seat:
    counted = [one for one in decisions if one["seat"] == which and not one["obvious"]]
    right = sum(one["mark"] is None for one in counted)
    return Seat(names[which], right, len(counted), percent(right / len(counted), 0, lang) if counted else "–")


def _costliest_move(
    decisions: Sequence[Mapping[str, Any]],
    moments: Sequence[Mapping[str, Any]],
    chances: Sequence[tuple[int, float]],
    length: int,
    lang: str,
) -> Move | None:
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
        cost=_signed_percent(-difference(100 * worst["win"], 100 * worst["win_chosen"], 1) / 100, lang),
        why=why,
        moment=1 + next(place for place, one in enumerate(moments) if one["first"] == first),
        at=_to_drawing((step, chance), length),
    )
