"""Practice problems by theme: mistakes of our levels where the best choice is surely best.

    python -m lab solve practice --out FILE
    python -m lab solve practice-check

The best and the second choice of each mistake are played out on the same deals (`rollouts`, `card_rollouts`).
A mistake becomes a problem if the best choice wins by `MIN_GAP` and by three standard errors in these deals,
and by `MIN_GAP` in the review. The check plays out every shipped problem again, on other deals.
"""

import gzip
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.review.card_reasons import ScoredOn
from fifteentwo.analysis.review.reasons import reasons
from fifteentwo.analysis.review.review import Decision, judged, reviewed
from fifteentwo.analysis.win.shows import WAYS
from fifteentwo.contest.executor import get_executor, run_all
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table
from fifteentwo.contest.view_consistency import pegged_so_far
from fifteentwo.players import player
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import RANK_TEXT, Card
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.record import Record, from_json, replay, to_json, to_plain
from fifteentwo.rules.state import Phase, State, start
from fifteentwo.rules.variants import SIX_CARD
from fifteentwo.rules.view import View, choices, view
from fifteentwo.strategy.files import data_bytes
from lab.files import store_row, stored_rows, write_whole
from lab.measure import card_rollouts, rollouts

Floats = npt.NDArray[np.float64]

FILE, CHECKPOINT = "practice_sets.json.gz", "practice.jsonl"
"""Names of the file of problems, and of the file in which finished games are stored."""
COUNTING_OUT, LAST_STREET, KEEPING, CRIB, LEADS, TRAPS = THEMES = (
    "counting-out",
    "last-street",
    "keeping",
    "crib",
    "leads",
    "traps",
)
"""Themes of practice problems."""
COUNTING_OUT_NEED, LAST_STREET_NEED = 12, 30
"""Largest number of points that the leading side needs in the theme."""
LEVELS = ("beginner", "greedy", "casual", "club", "expert")
"""Levels whose mistakes are used; each plays against each."""
MIN_GAP, MIN_STANDARD_ERRORS = 0.01, 3.0
"""How much more than the second choice the best must win: in win probability, and in standard errors."""
COMPARED_CHOICES = 3
"""Choices of a problem that the check compares with the best choice."""
DISCARD_THEMES = frozenset({CRIB, KEEPING})
"""Themes whose problems are all discards."""
COSTLY = ("mistake", "blunder")
"""Marks of the decisions that can become problems."""


class Job(NamedTuple):
    """Options for making the practice sets."""

    games: int
    """Games searched for problems of all themes."""
    more: int
    """Further games, searched only for problems of the rarest theme."""
    deals: int
    """Deals played out to compare the two best choices of a decision."""
    each: int
    """Largest number of problems of a theme."""
    seed: int


class Gap(NamedTuple):
    """How much more often one choice wins than another, in deals that are played out."""

    gap: float
    """Difference of the win probabilities."""
    error: float
    """Standard error of `gap`."""

    @property
    def is_sure(self) -> bool:
        """Whether the gap is at least MIN_GAP and MIN_STANDARD_ERRORS standard errors."""
        return self.gap >= MIN_GAP and self.gap >= MIN_STANDARD_ERRORS * self.error


def game(number: int, seed: int) -> Record:
    """Play a game of two levels; its number determines the levels."""
    pair = number % len(LEVELS) ** 2
    table = Table(SIX_CARD, seeded(f"practice {seed} {number}"))
    levels = LEVELS[pair % len(LEVELS)], LEVELS[pair // len(LEVELS)]
    play_out(table, [player(level, seed + number + seat) for seat, level in enumerate(levels)])
    return Record(rules=SIX_CARD, names=levels, actions=tuple(table.actions))


def problems_of(number: int, deals: int, seed: int, themes: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the problems of one game; some four seconds, one second if the themes are discards only."""
    return list(problems(game(number, seed), deals, seed * 1_000_003 + number * 1000, themes))


def problems(
    record: Record, deals: int, seed: int, themes: Collection[str] = THEMES
) -> Iterator[dict[str, Any]]:
    """Yield, as JSON objects, the mistakes of a game that are good problems of these themes."""
    states = [start(record.rules, named=record.named), *(after for _, after, _ in replay(record))]
    decisions = _judge_discards(record, states) if {*themes} <= DISCARD_THEMES else reviewed(record)
    for decision in decisions:
        if not isinstance(decision, Decision) or decision.mark not in COSTLY or len(decision.options) < 2:
            continue
        best, second = decision.options[:2]
        if best["win"] is None or best["win"] - second["win"] < MIN_GAP:
            continue
        seen = view(states[decision.step], decision.seat)
        theme = theme_of(seen, decision)
        if theme not in themes:
            continue
        weights, won = play_out_choices(seen, (best["choice"], second["choice"]), deals, seed + decision.step)
        found = mean_gap(weights, won[:, 0] - won[:, 1])
        if found.is_sure:
            gap, error = round(found.gap, 4), round(found.error, 4)
            yield {"theme": theme, "gap": gap, "error": error, "view": _view_json(seen)}


def _judge_discards(record: Record, states: Sequence[State]) -> Iterator[Decision | None]:
    for step, action in enumerate(record.actions):
        if isinstance(action, Discard):
            yield judged(view(states[step], action.seat), action, step)


def theme_of(seen: View, decision: Decision) -> str | None:
    """Return the theme of a wrong decision, by the score near the end and otherwise by its kind, or None."""
    left = seen.rules.target - max(seen.front)
    if left <= COUNTING_OUT_NEED:
        return COUNTING_OUT
    if left <= LAST_STREET_NEED:
        return LAST_STREET
    if decision.kind == "discard":
        return _discard_theme(seen, decision)
    if seen.count == 0:
        return LEADS
    is_scored_on = any(isinstance(fact, ScoredOn) for fact in reasons(seen, decision))
    return TRAPS if is_scored_on else None


def _discard_theme(seen: View, decision: Decision) -> str | None:
    """Return `keeping` if pegging outweighs the show, `crib` for the pone's other discards, or None."""
    sign = 1 if seen.is_dealer else -1
    by_show = max(decision.options, key=lambda option: option["hand"] + sign * option["crib"])
    if by_show["choice"] != decision.best:
        return KEEPING if decision.options[0]["points"] > by_show["points"] else None
    return None if seen.is_dealer else CRIB


def scores_at_deal_start(seen: View) -> tuple[int, int]:
    """Return the scores of this seat and the other seat at the beginning of the deal."""
    if seen.starter is None:
        return seen.front[seen.seat], seen.front[1 - seen.seat]
    own, other = [front - pegged for front, (pegged, _) in zip(seen.front, pegged_so_far(seen), strict=True)]
    return (own, other) if seen.seat == 0 else (other, own)


def play_out_choices(seen: View, choices: Sequence[str], deals: int, seed: int) -> card_rollouts.Rollouts:
    """Play out some choices of a decision in the same random deals."""
    if len(choices[0]) > 1:
        six = tuple(sorted(card.index for card in seen.hand))
        ways = [_discard_number(six, choice) for choice in choices]
        board = (seen.front[seen.seat], seen.front[1 - seen.seat])
        won = rollouts.rollout(rollouts.Position(six, seen.is_dealer, board), ways, deals, seed)
        return card_rollouts.Rollouts(np.ones(len(won)), won)
    ranks = [RANK_TEXT.index(choice) for choice in choices]
    return card_rollouts.rollout(seen, scores_at_deal_start(seen), ranks, deals, seed)


def mean_gap(weights: Floats, differences: Floats) -> Gap:
    """Return the weighted mean of the differences, one a deal, with its standard error."""
    if weights.sum() == 0:
        return Gap(0.0, 1.0)
    parts = weights / weights.sum()
    gap = float((parts * differences).sum())
    return Gap(gap, float(np.sqrt((parts**2 * (differences - gap) ** 2).sum())))


def _discard_number(six: tuple[int, ...], choice: str) -> int:
    """Return the index in `WAYS` of a discard written as two cards."""
    one, two = sorted(six.index(Card(text).index) for text in choice.split())
    return [tuple(way) for way in WAYS].index((one, two))


def _view_json(seen: View) -> dict[str, Any]:
    """Return a View as a JSON object, without the rules."""
    plain: dict[str, Any] = json.loads(to_json(seen))
    del plain["rules"]
    return plain


def write(out: Path, found: Sequence[dict[str, Any]], each: int, about: dict[str, Any]) -> int:
    """Write the surest problems, at most `each` of a theme; return the size in bytes."""
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


def run(
    job: Job, *, jobs: int | None, checkpoint: Path | None, out: Path, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Make the practice sets, continuing from `checkpoint`; return the number of problems found by theme."""
    file = None if checkpoint is None else checkpoint / CHECKPOINT
    games = range(job.games), range(job.games, job.games + job.more)
    done: dict[int, list[dict[str, Any]]] = {}
    left: list[tuple[int, tuple[Any, ...]]] = []
    of: dict[int, list[Any]] = {}
    for numbers, themes in zip(games, (THEMES, (KEEPING,)), strict=True):
        this = [job.deals, job.seed, *themes]
        known = {row["game"]: row["found"] for row in stored_rows(file) if row["of"] == this}
        done |= {number: known[number] for number in numbers if number in known}
        left += [(number, (number, job.deals, job.seed, themes)) for number in numbers if number not in known]
        of |= dict.fromkeys(numbers, this)
    with get_executor(jobs) as executor:
        for number, found in run_all(executor, problems_of, left):
            done[number] = found
            store_row(file, {"of": of[number], "game": number, "found": found})
            progress(f"game {len(done)} of {len(of)}: {sum(map(len, done.values()))} problems")
    pooled = [one for number in of for one in done[number]]
    if not pooled:
        raise click.ClickException("These games hold no problem: nothing is written.")
    size = write(out, pooled, job.each, job._asdict())
    return {theme: sum(one["theme"] == theme for one in pooled) for theme in THEMES} | {"bytes": size}


def check_problem(plain: dict[str, Any], deals: int, seed: int) -> Gap:
    """Return the gap between the best choice of a problem and its nearest rival; half a second."""
    seen = from_json(json.dumps(plain["view"] | {"rules": to_plain(SIX_CARD)}), View)
    # All choices are judged with any one of them.
    if seen.phase is Phase.DISCARD:
        action: Discard | Play = Discard(seen.seat, seen.hand[:2])
    else:
        action = next(one for one in choices(seen) if isinstance(one, Play))
    decision = judged(seen, action)
    assert decision is not None
    some = [str(option["choice"]) for option in decision.options[: 1 + COMPARED_CHOICES]]
    weights, won = play_out_choices(seen, some, deals, seed)
    rivals = [mean_gap(weights, won[:, 0] - won[:, rival]) for rival in range(1, len(some))]
    return min(rivals, key=lambda rival: (rival.is_sure, rival.gap))


def check(
    deals: int, seed: int, *, out: Path | None, jobs: int | None, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Play out every shipped problem on new deals; return how many agree, and write those to `out`."""
    shipped: dict[str, Any] = json.loads(gzip.decompress(data_bytes(FILE)))
    problems: list[dict[str, Any]] = shipped["problems"]
    todo = [(place, (one, deals, seed * 1_000_003 + place)) for place, one in enumerate(problems)]
    found: dict[int, Gap] = {}
    with get_executor(jobs) as executor:
        for place, gap in run_all(executor, check_problem, todo):
            found[place] = gap
            if len(found) % 20 == 0:
                progress(f"{len(found)} of {len(problems)} problems")
    agree = [one for place, one in enumerate(problems) if found[place].is_sure]
    if out is not None:
        shipped["about"]["checked"] = {"deals": deals, "seed": seed, "dropped": len(problems) - len(agree)}
        write_problems(out, shipped["about"], agree)
    of_theme = {
        theme: [sum(one["theme"] == theme for one in some) for some in (agree, problems)] for theme in THEMES
    }
    return {
        "problems": len(problems),
        "agree": len(agree),
        "best_is_ahead": sum(gap.gap > 0 for gap in found.values()),
        "surely_behind": sum(gap.gap < -MIN_STANDARD_ERRORS * gap.error for gap in found.values()),
        **{theme: f"{number} of {all_of_it}" for theme, (number, all_of_it) in of_theme.items()},
    }
