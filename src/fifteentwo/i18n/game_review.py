"""Reviews of games: every decision that cost something, the totals of each seat, and luck."""

from collections.abc import Mapping, Sequence
from typing import Any

from fifteentwo.i18n.cards import card_text, cards_text
from fifteentwo.i18n.catalogue import text
from fifteentwo.i18n.discards import aligned_lines
from fifteentwo.i18n.figures import difference, percent, win_percent
from fifteentwo.i18n.reasons import reasons_text

MIN_POINTS_SHOWN = 0.005
"""Smallest loss of points that is not printed as 0."""
MIN_WIN_SHOWN = 0.00005
_COLUMNS = ("name", "games", "win_rate", "skunks", "hand", "crib", "pegging", "luck", "loss", "loss_points")
"""Columns of `statistics_table`."""


def review_text(
    report: Mapping[str, Any], lang: str, reasons: Sequence[Sequence[Mapping[str, Any]]] = ()
) -> str:
    """Return the report of `analysis.review.review.review`, one decision a line, and each seat's totals.

    reasons: facts for each decision, printed below it.
    """
    if not report["decisions"]:
        return text("report.review.nothing", lang)
    names = [name or text("name.seat", lang, n=seat + 1) for seat, name in enumerate(report["names"])]
    lines = []
    for one, facts in zip(report["decisions"], reasons or [()] * len(report["decisions"]), strict=True):
        if one["chosen"] != one["best"] and (
            one["loss_points"] >= MIN_POINTS_SHOWN or (one["loss_win"] or 0.0) >= MIN_WIN_SHOWN
        ):
            lines.append(_decision_line(one, names[one["seat"]], lang))
            lines += [f"    {sentence}" for sentence in reasons_text(one, facts, lang)]
    for name, total in zip(names, report["seats"], strict=True):
        lines += [
            f"{name}{text('list.colon', lang)}{_cost(total, lang, in_all=True)}",
            *_luck_and_rating(total, lang),
        ]
    lines.append(text("report.review.luck-is" if report["by_chance"] else "report.review.points-alone", lang))
    return "\n".join(lines)


def statistics_table(rows: Sequence[Mapping[str, Any]], lang: str) -> str:
    """Return a line for each player, then the lines of that player's opponents and months."""
    table = [tuple(text(f"report.stats.{column}", lang) for column in _COLUMNS)]
    for row in rows:
        table.append(_statistics_cells(row, "", lang))
        table += [_statistics_cells(one, "  ", lang) for one in (*row["opponents"], *row["months"])]
    return "\n".join([*aligned_lines(table, left=1), text("report.stats.foot", lang)])


def _statistics_cells(row: Mapping[str, Any], indent: str, lang: str) -> tuple[str, ...]:
    cells = {"name": indent + (row["name"] or "–"), "games": str(row["games"])}
    cells["skunks"] = f"{row['skunks']}–{row['skunked']}"
    cells["luck"] = "" if row["luck"] is None else f"{100 * row['luck']:+.1f} %"
    for name in ("win_rate", "loss"):
        cells[name] = "" if row[name] is None else percent(row[name], 1, lang)
    for name in ("hand", "crib", "pegging", "loss_points"):
        cells[name] = "" if row[name] is None else f"{row[name]:.2f}"
    return tuple([cells[column] for column in _COLUMNS])


def _luck_and_rating(total: Mapping[str, Any], lang: str) -> list[str]:
    lines = []
    if total["luck"] is not None:
        ending = {1: "won", 0: "lost", None: "not-over"}[total["result"]]
        luck = 100 * total["luck"]
        if total["result"] is not None:
            alone = min(max(total["adjusted_result"], 0.0), 1.0)
            luck = difference(100 * total["result"], 100 * alone, 1)
        moved = ("−" if luck < 0 else "+") + f"{abs(luck):.1f}"
        adjusted = "" if total["result"] is None else win_percent(total["adjusted_result"], 1, lang)
        lines.append(text(f"report.review.{ending}", lang, luck=moved, adjusted=adjusted))
    if total["luck_adjusted_result"] is not None:
        lines.append(
            text("report.review.even", lang, even=win_percent(total["luck_adjusted_result"], 1, lang))
        )
    if total["rating"] is not None:
        figures = {"loss": f"{total['rating']:.1f}", "counted": total["counted"]}
        lines.append(text("report.review.rating", lang, **figures))
    return lines


def _decision_line(one: Mapping[str, Any], name: str, lang: str) -> str:
    deal = text("report.review.deal", lang, deal=one["deal"])
    score = "–".join(map(str, one["score"]))
    return "  ".join((deal, score, name, _hand_text(one, lang), _choice_text(one, lang), _cost(one, lang)))


def _hand_text(one: Mapping[str, Any], lang: str) -> str:
    cards = " ".join(card_text(card, lang) for card in one["hand"])
    if one["count"] is None:
        return text("report.review.hand", lang, cards=cards)
    return text("report.review.hand-and-count", lang, cards=cards, count=one["count"])


def _choice_text(one: Mapping[str, Any], lang: str) -> str:
    kind, chosen, best = one["kind"], one["chosen"], one["best"]
    if kind == "discard":
        chosen, best = cards_text(chosen.split(), lang), cards_text(best.split(), lang)
    elif kind == "play":
        # The suit does not matter in pegging, so the first card of the rank is named.
        best = card_text(next(card for card in one["hand"] if card[0] == best), lang)
        chosen = card_text(one["card"], lang)
    return text(f"report.review.{kind}", lang, chosen=chosen, best=best)


def _cost(one: Mapping[str, Any], lang: str, *, in_all: bool = False) -> str:
    points, win = f"{one['loss_points']:.2f}", one["loss_win"]
    if win is None:
        return text("report.review.cost", lang, points=points)
    key = "report.review.cost-and-win.in-all" if in_all else "report.review.cost-and-win"
    return text(key, lang, points=points, win=f"{100 * win:.2f}")
