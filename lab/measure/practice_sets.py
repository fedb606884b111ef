"""Sets to be practised, by theme: errors of games whose best choice is surely best.

Of every error the best choice and the second are played out on the same deals (`rollouts`, `card_rollouts`);
it is kept where the best wins by `LEAST` more and by three standard errors, by those deals and by the review.
"""

import gzip
import json
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.review.card_reasons import ScoredOn
from fifteentwo.analysis.review.reasons import reasons
from fifteentwo.analysis.review.review import Decision, judged, reviewed
from fifteentwo.analysis.win.shows import WAYS
from fifteentwo.rules import pegging
from fifteentwo.rules.actions import Discard
from fifteentwo.rules.cards import RANK_TEXT, Card, Rank
from fifteentwo.rules.record import Record, replay, to_json
from fifteentwo.rules.state import State, start
from fifteentwo.rules.view import View, view
from fifteentwo.strategy.files import write_whole
from lab.measure import card_rollouts, rollouts

Floats = npt.NDArray[np.float64]

FILE = "practice_sets.json.gz"
COUNTING_OUT, LAST_STREET, KEEPING, CRIB, LEADS, TRAPS = THEMES = (
    "counting-out",
    "last-street",
    "keeping",
    "crib",
    "leads",
    "traps",
)
OUT_IN, LAST = 12, 30
"""Points needed to win: at most this many for counting out in one deal, and for the last street."""
LEAST, ERRORS = 0.01, 3.0
DISCARDS = frozenset({CRIB, KEEPING})
"""Themes of discarding alone."""
COSTLY = ("mistake", "blunder")


class Sure(NamedTuple):
    """What the best choice wins more than the second by deals played out, and the standard error."""

    gap: float
    error: float

    @property
    def is_sure(self) -> bool:
        """Enough more, and hardly by luck."""
        return self.gap >= LEAST and self.gap >= ERRORS * self.error


def problems(
    record: Record, deals: int, seed: int, themes: Collection[str] = THEMES
) -> Iterator[dict[str, Any]]:
    """The errors of a game that make good problems of these themes, JSON-able. Some seconds."""
    states = [start(record.rules, named=record.named), *(after for _, after, _ in replay(record))]
    decisions = _discards(record, states) if {*themes} <= DISCARDS else reviewed(record)
    for decision in decisions:
        if not isinstance(decision, Decision) or decision.mark not in COSTLY or len(decision.options) < 2:
            continue
        best, second = decision.options[:2]
        if best["win"] is None or best["win"] - second["win"] < LEAST:
            continue
        seen = view(states[decision.step], decision.seat)
        theme = theme_of(seen, decision)
        if theme not in themes:
            continue
        found = surely(seen, (best["choice"], second["choice"]), deals, seed + decision.step)
        if found.is_sure:
            yield {
                "theme": theme,
                "gap": round(found.gap, 4),
                "error": round(found.error, 4),
                "view": _packed(seen),
            }


def _discards(record: Record, states: Sequence[State]) -> Iterator[Decision | None]:
    """How a game's discarding is judged, without the rest of its review."""
    for step, action in enumerate(record.actions):
        if isinstance(action, Discard):
            yield judged(view(states[step], action.seat), action, step)


def began(seen: View) -> tuple[int, int]:
    """Own and the other's points when the deal began: those now, less heels and what was pegged."""
    pegged = [0, 0]
    if seen.starter is not None and seen.starter.rank is Rank.JACK:
        pegged[seen.dealer] += 2
    for first, last in pairwise((0, *seen.count_ends, len(seen.played))):
        cards = [card for _, card in seen.played[first:last]]
        for number, (seat, _) in enumerate(seen.played[first:last], 1):
            pegged[seat] += sum(score.points for score in pegging.scores(cards[:number]))
        if cards and last in seen.count_ends and sum(card.value for card in cards) != pegging.LIMIT:
            pegged[seen.played[last - 1][0]] += 1
    return seen.front[seen.seat] - pegged[seen.seat], seen.front[1 - seen.seat] - pegged[1 - seen.seat]


def surely(seen: View, choices: tuple[str, str], deals: int, seed: int) -> Sure:
    """Two choices on the same deals."""
    weights, made = dealt_out(seen, choices, deals, seed)
    return by_deals(weights, made[:, 0] - made[:, 1])


def dealt_out(seen: View, choices: Sequence[str], deals: int, seed: int) -> card_rollouts.RolledOut:
    """Some choices of a decision on the same deals."""
    if len(choices[0]) > 1:
        six = tuple(sorted(card.index for card in seen.hand))
        ways = [_way(six, choice) for choice in choices]
        board = (seen.front[seen.seat], seen.front[1 - seen.seat])
        made = rollouts.rollout(rollouts.Position(six, seen.is_dealer, board), ways, deals, seed)
        return card_rollouts.RolledOut(np.ones(len(made)), made)
    ranks = [RANK_TEXT.index(choice) for choice in choices]
    return card_rollouts.rollout(seen, began(seen), ranks, deals, seed)


def by_deals(weights: Floats, more: Floats) -> Sure:
    """The mean of what one choice wins more in each deal."""
    if weights.sum() == 0:
        return Sure(0.0, 1.0)
    parts = weights / weights.sum()
    gap = float((parts * more).sum())
    return Sure(gap, float(np.sqrt((parts**2 * (more - gap) ** 2).sum())))


def _way(six: tuple[int, ...], choice: str) -> int:
    """The number of a discard among the ways to discard two of six."""
    one, two = sorted(six.index(Card(text).index) for text in choice.split())
    return [tuple(way) for way in WAYS].index((one, two))


def _packed(seen: View) -> dict[str, Any]:
    """A View without its rules, which are the plain game's."""
    plain: dict[str, Any] = json.loads(to_json(seen))
    del plain["rules"]
    return plain


def write(out: Path, found: Sequence[dict[str, Any]], each: int, about: dict[str, Any]) -> int:
    """So many problems of each theme at most, those with the clearest best first; bytes written."""
    chosen = []
    for theme in THEMES:
        of_theme = [one for one in found if one["theme"] == theme]
        of_theme.sort(key=lambda one: (-one["gap"] / max(one["error"], 1e-4), json.dumps(one["view"])))
        chosen += of_theme[:each]
    return write_problems(out, about, chosen)


def write_problems(out: Path, about: dict[str, Any], problems: Sequence[dict[str, Any]]) -> int:
    """Write a file of problems; return its size in bytes."""
    body = json.dumps({"about": about, "problems": problems}, separators=(",", ":"))
    compressed = gzip.compress(body.encode(), mtime=0)
    write_whole(out, compressed)
    return len(compressed)


def theme_of(seen: View, decision: Decision) -> str | None:
    """Return the theme of a wrong decision: by the score near the end, otherwise by its kind."""
    left = seen.rules.target - max(seen.front)
    if left <= OUT_IN:
        return COUNTING_OUT
    if left <= LAST:
        return LAST_STREET
    if decision.kind == "discard":
        return _of_discard(seen, decision)
    if seen.count == 0:
        return LEADS
    is_scored_on = any(isinstance(fact, ScoredOn) for fact in reasons(seen, decision))
    return TRAPS if is_scored_on else None


def _of_discard(seen: View, decision: Decision) -> str | None:
    """Return `keeping` if pegging changes the best discard, or the theme of the other side's crib."""
    sign = 1 if seen.is_dealer else -1
    by_show = max(decision.options, key=lambda option: option["hand"] + sign * option["crib"])
    if by_show["choice"] != decision.best:
        return KEEPING
    return None if seen.is_dealer else CRIB
