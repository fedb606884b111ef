"""The sets that ship, checked apart: every problem dealt out again on cards that did not choose it.

Of each problem the best choice by the review and the next three are played out on the same deals; the best
must win more than each of them, by as much and as surely as when the problem was taken up (`practice_sets`).
"""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from fifteentwo.analysis.review.review import judged
from fifteentwo.contest.executor import get_executor, run_all
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.record import from_json, to_plain
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import SIX_CARD
from fifteentwo.rules.view import View, choices
from fifteentwo.strategy.files import data_bytes
from lab.measure.practice_sets import ERRORS, FILE, THEMES, Sure, by_deals, dealt_out, write_problems

RIVALS = 3
"""Choices that are held against the best, in the review's order."""


class Job(NamedTuple):
    """How a problem is checked."""

    deals: int
    seed: int


def checked(plain: dict[str, Any], deals: int, seed: int) -> Sure:
    """By how much the best choice of a problem wins more than the one that comes nearest. Half a second."""
    seen = from_json(json.dumps(plain["view"] | {"rules": to_plain(SIX_CARD)}), View)
    decision = judged(seen, _any(seen))
    assert decision is not None
    some = [str(option["choice"]) for option in decision.options[: 1 + RIVALS]]
    weights, made = dealt_out(seen, some, deals, seed)
    rivals = [by_deals(weights, made[:, 0] - made[:, rival]) for rival in range(1, len(some))]
    return min(rivals, key=lambda rival: (rival.is_sure, rival.gap))


def _any(seen: View) -> Discard | Play:
    """Something that may be done: all choices are judged with it."""
    if seen.phase is Phase.DISCARD:
        return Discard(seen.seat, seen.hand[:2])
    return next(one for one in choices(seen) if isinstance(one, Play))


def run(job: Job, *, out: Path | None, jobs: int | None, progress: Callable[[str], None]) -> dict[str, Any]:
    """Check every problem that ships; how many agree, by theme. Those are written to `out`."""
    shipped: dict[str, Any] = json.loads(gzip.decompress(data_bytes(FILE)))
    problems: list[dict[str, Any]] = shipped["problems"]
    todo = [(place, (one, job.deals, job.seed * 1_000_003 + place)) for place, one in enumerate(problems)]
    found: dict[int, Sure] = {}
    with get_executor(jobs) as executor:
        for place, sure in run_all(executor, checked, todo):
            found[place] = sure
            if len(found) % 20 == 0:
                progress(f"{len(found)} of {len(problems)} problems")
    agree = [one for place, one in enumerate(problems) if found[place].is_sure]
    if out is not None:
        shipped["about"]["checked"] = {**job._asdict(), "dropped": len(problems) - len(agree)}
        write_problems(out, shipped["about"], agree)
    return {
        "problems": len(problems),
        "agree": len(agree),
        "best_is_ahead": sum(sure.gap > 0 for sure in found.values()),
        "surely_behind": sum(sure.gap < -ERRORS * sure.error for sure in found.values()),
        **{theme: _of(theme, problems, agree) for theme in THEMES},
    }


def _of(theme: str, problems: list[dict[str, Any]], agree: list[dict[str, Any]]) -> str:
    numbers = [sum(one["theme"] == theme for one in some) for some in (agree, problems)]
    return f"{numbers[0]} of {numbers[1]}"
