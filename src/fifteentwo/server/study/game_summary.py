"""A review summarised for the end of a game: course, costliest move, quality of play, and luck."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fifteentwo import i18n
from fifteentwo.i18n.figures import difference, percent

DRAWING_WIDTH = 300
DRAWING_HEIGHT = 60
"""Size of the drawing of win probabilities, in SVG units."""
MIN_STATED_LUCK = 0.005
"""Luck (win probability) below which the page says that luck was even."""
MIN_DECISIVE_LOSS = 0.03
"""Least loss (win probability) of a move that decided the game, a blunder; below it the cards decided."""


class Seat(NamedTuple):
    """How well a seat played: its choices that cost practically nothing, of all that were not obvious."""

    name: str
    right: int
    """Number of choices that cost practically nothing."""
    of: int
    """Number of choices that were not obvious."""
    share: str


class CostliestMove(NamedTuple):
    """The loser's costliest move."""

    seat: int
    where: str
    """Text: the number of the deal, and the score then."""
    cost: str
    why: str
    """The reason. If the review will ask for a better choice, only the kind of choice."""
    moment: int
    """Number of the move in the review, from 1; 0 if the review will ask for a better choice."""
    at: tuple[float, float]
    """Coordinates (x, y) of the move in the drawing, in SVG units."""


class GameSummary(NamedTuple):
    """The summary that the page shows at the end of a game. `seats` has the reader first."""

    course: str
    """The reader's win probability as the points of an SVG polyline."""
    seats: tuple[Seat, ...]
    luck: str
    """Text: the luck in points of win probability, with a sign."""
    lucky: str
    """Either "good", "bad" or "none"."""
    move: CostliestMove | None


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
    chances = [(-1, 0.5), *((one["step"], one["views"][seat]) for one in whole["curve"])]
    length = max(story["moments"][-1]["last"], 1)
    adjusted = min(max(total["adjusted_result"], 0.0), 1.0)
    luck = difference(100 * total["result"], 100 * adjusted, 1) / 100
    return GameSummary(
        course=" ".join(f"{x:.1f},{y:.1f}" for x, y in (_svg_coordinates(one, length) for one in chances)),
        seats=tuple(_seat(which, names, decisions, lang) for which in (seat, 1 - seat)),
        luck=_signed_change(luck, lang),
        lucky="none" if abs(luck) < MIN_STATED_LUCK else "good" if luck > 0 else "bad",
        move=_costliest_move(
            [one for one in decisions if not whole["seats"][one["seat"]]["result"]],
            story,
            seat,
            chances,
            lang,
        ),
    )


def _svg_coordinates(point: tuple[int, float], length: int) -> tuple[float, float]:
    step, win = point
    return DRAWING_WIDTH * (step + 1) / (length + 1), DRAWING_HEIGHT * (1 - win)


def _signed_change(share: float, lang: str) -> str:
    sign = "" if abs(share) < MIN_STATED_LUCK / 10 else "−" if share < 0 else "+"
    return i18n.text("review.change", lang, number=f"{sign}{100 * abs(share):.1f}")


def _seat(which: int, names: Sequence[str], decisions: Sequence[Mapping[str, Any]], lang: str) -> Seat:
    counted = [one for one in decisions if one["seat"] == which and not one["obvious"]]
    right = sum(one["mark"] is None for one in counted)
    return Seat(names[which], right, len(counted), percent(right / len(counted), 0, lang) if counted else "–")


def _costliest_move(
    decisions: Sequence[Mapping[str, Any]],
    story: Mapping[str, Any],
    seat: int,
    chances: Sequence[tuple[int, float]],
    lang: str,
) -> CostliestMove | None:
    costly = [one for one in decisions if one["loss_win"] and one["loss_win"] >= MIN_DECISIVE_LOSS]
    if not costly:
        return None
    worst = max(costly, key=lambda one: one["loss_win"])
    step = worst["step"]
    chance = [win for at, win in chances if at <= step][-1]
    moments = story["moments"]
    first = max(one["first"] for one in moments if one["first"] <= step)
    place = next(place for place, one in enumerate(moments) if one["first"] == first)
    why = worst["why"][0] if worst["why"] else ""
    is_of_cards = worst["kind"] in ("discard", "play")
    # The story asks for a better choice at each mistake of the reader.
    is_asked = is_of_cards and worst["seat"] == seat
    if not is_of_cards:
        why = i18n.text("review.claimed", lang, claimed=worst["chosen"], right=worst["best"])
    elif is_asked:
        pictures = story["pictures"][: moments[place]["before"] + 1]
        dealer = [one["dealer"] for one in pictures if "dealer" in one][-1]
        kind = _kind(worst, is_own_crib=dealer == seat)
        what = i18n.text(f"review.kind.{kind}", lang, n=worst["count"] or 0)
        why = i18n.text("ending.asked", lang, what=what)
    return CostliestMove(
        seat=worst["seat"],
        where=i18n.text("review.at", lang, deal=worst["deal"], score="–".join(map(str, worst["score"]))),
        cost=_signed_change(-difference(100 * worst["win"], 100 * worst["win_chosen"], 1) / 100, lang),
        why=why,
        moment=0 if is_asked else place + 1,
        at=_svg_coordinates((step, chance), max(moments[-1]["last"], 1)),
    )


def _kind(decision: Mapping[str, Any], *, is_own_crib: bool) -> str:
    """Return the word of a choice of cards in the keys of its texts, as `kindOf` in the page."""
    if decision["kind"] == "discard":
        return "discard_own" if is_own_crib else "discard_other"
    return "play" if decision["count"] else "lead"
