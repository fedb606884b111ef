"""Arenas: the progress of one, and its result."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fifteentwo.i18n.catalogue import text
from fifteentwo.i18n.engines import failure_text
from fifteentwo.i18n.figures import percent


def progress_text(played: int, games: int, seconds: float, lang: str) -> str:
    """Return the number of games played, and the expected seconds for the others."""
    return text(
        "report.arena.progress", lang, played=f"{played:,}", games=f"{games:,}", seconds=f"{seconds:.0f}"
    )


def arena_text(result: Mapping[str, Any], lang: str) -> str:
    """Return the result of `contest.arena.arena`, one figure a line."""
    (first, second), (first_won, second_won) = result["levels"], result["wins"]
    low, high = (percent(end, 2, lang) for end in result["ci95"])
    heading = text(
        "report.arena.heading",
        lang,
        variant=text(f"variant.{result['variant']}", lang),
        first=first,
        second=second,
        games=f"{result['games']:,}",
        seed=result["seed"],
    )
    rate = percent(result["win_rate"], 2, lang)
    points, deals = [f"{mean:.2f}" for mean in result["points"]], f"{result['deals_per_game']:.2f}"
    skunks = dict(zip(("first", "second"), result["skunks"], strict=True))
    doubles = dict(zip(("first_double", "second_double"), result["double_skunks"], strict=True))
    lines = (
        text("report.arena.won", lang, first=first, second=second, won=first_won, lost=second_won),
        text("report.arena.rate", lang, first=first, rate=rate, low=low, high=high),
        *_seat_shares(result, lang),
        text("report.arena.points", lang, first=points[0], second=points[1], deals=deals),
        text("report.arena.skunks", lang, **skunks, **doubles),
    )
    more = (*lines, *_luck_adjusted_line(result, lang), *failures_text(result.get("failures", ()), lang))
    return "\n".join((heading, *(f"  {line}" for line in more)))


def _seat_shares(result: Mapping[str, Any], lang: str) -> Iterator[str]:
    """Yield the share won by one seat of the first entrant, if there are more than two sides."""
    even = result.get("even_share", 0.5)
    if even < 0.5:
        share, low, high = (percent(2 * at * even, 2, lang) for at in (result["win_rate"], *result["ci95"]))
        even_share = percent(even, 2, lang)
        first = result["levels"][0]
        yield text("report.arena.seats", lang, first=first, share=share, low=low, high=high, even=even_share)


def _luck_adjusted_line(result: Mapping[str, Any], lang: str) -> Iterator[str]:
    """Yield the result less the luck of the deck, if it was measured."""
    adjusted = result.get("luck_adjusted")
    if adjusted is not None:
        rate = min(max(adjusted["win_rate"], 0.0), 1.0)
        rate, low, high = (percent(at, 2, lang) for at in (rate, *adjusted["ci95"]))
        yield text("report.arena.adjusted", lang, first=result["levels"][0], rate=rate, low=low, high=high)


def failures_text(failures: Iterable[Mapping[str, Any]], lang: str) -> Iterator[str]:
    """Yield a line for each player that lost games by failures, with the reason."""
    for one in failures:
        why = failure_text(one["code"], one["detail"], lang)
        games = text("report.arena.lost", lang, n=one["games"], first=one["first"])
        yield text("report.arena.failed", lang, player=one["player"], games=games, why=why)
