"""Reports about discards and pegging as tables, and the comparison of two discards."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fifteentwo.i18n.cards import cards_cell, cards_text
from fifteentwo.i18n.catalogue import text
from fifteentwo.i18n.figures import difference, display_width, percent

_TABLE_COLUMNS = ("keep", "discard", "hand", "crib", "pegging", "net", "win")


def options_table(report: Mapping[str, Any], lang: str) -> str:
    """Return the report of `analysis.discards.discard.report`, one discard a row, the best first."""
    rows = [tuple(text(f"report.discard.{column}", lang) for column in _TABLE_COLUMNS)]
    rows += [tuple(_option_cells(option, report["role"], lang)) for option in report["options"]]
    if all(option["win"] is None for option in report["options"]):
        rows = [row[:-1] for row in rows]
    return "\n".join(aligned_lines(rows))


def book_table(report: Mapping[str, Any], lang: str) -> str:
    """Return the report of `analysis.book.entry.report`, with the equilibrium's frequency of each discard."""
    rows = [tuple(text(f"report.discard.{column}", lang) for column in (*_TABLE_COLUMNS, "frequency"))]
    for option in report["options"]:
        win, share = percent(option["win"], 2, lang), percent(option["frequency"], 0, lang)
        rows.append((*list(_option_cells(option, report["role"], lang))[:-1], win, share))
    lines = aligned_lines(rows)
    error = percent(report["error"], 2, lang)
    return "\n".join((*lines, text("report.book.foot", lang, error=error, address=report["address"])))


def play_table(report: Mapping[str, Any], lang: str) -> str:
    """Return the report of `analysis.book.play.report`: every card, the best first, or whose turn it is."""
    score = "–".join(map(str, report["score"]))
    where = text("report.book.position", lang, score=score, count=report["count"])
    if report["turn"] != "own":
        turn = report["turn"]
        return f"{where}\n" + text(f"report.book.turn.{turn}", lang)
    head = [text(f"report.book.{column}", lang) for column in ("card", "win", "points")]
    rows = [(*head, text("report.discard.frequency", lang))]
    for one in report["options"]:
        win, share = percent(one["win"], 2, lang), percent(one["frequency"], 0, lang)
        rows.append((cards_cell([one["card"]], lang), win, _signed_points(one["points"]), share))
    return "\n".join((where, *aligned_lines(rows, left=1)))


def positions_table(rows: Sequence[Mapping[str, Any]], lang: str) -> str:
    """Return the best choice in each of several positions, one position a row."""
    table = [tuple(text(f"report.positions.{column}", lang) for column in ("position", "best"))]
    table[0] += tuple(text(f"report.book.{column}", lang) for column in ("points", "win"))
    for row in rows:
        keep, away = (" ".join(row.get(key, ())) for key in ("keep", "discard"))
        best = f"{keep} ({away})" if keep else row["card"]
        win = "" if row["win"] is None else percent(row["win"], 2, lang)
        table.append((row["position"], best, _signed_points(row["points"]), win))
    return "\n".join(line.rstrip() for line in aligned_lines(table))


def bands_table(report: Mapping[str, Any], lang: str) -> str:
    """Return one side of `book card`: rows by the points one needs, columns by the opponent's."""
    others = list(dict.fromkeys(tuple(band["other"]) for band in report["bands"]))
    rows = [("", *("–".join(map(str, other)) for other in others))]
    for place in range(0, len(report["bands"]), len(others)):
        row = report["bands"][place : place + len(others)]
        own = "–".join(map(str, row[0]["own"]))
        rows.append((own, *(cards_cell(band["discard"], lang) for band in row)))
    dealt = cards_cell(report.get("six") or report["five"], lang)
    head = text(f"report.book.side.{report['role']}", lang, cards=dealt)
    return "\n".join((head, text("report.book.side.how", lang), *aligned_lines(rows, left=1)))


def aligned_lines(rows: Sequence[Sequence[str]], left: int = 2) -> Iterator[str]:
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    return ("  ".join(_aligned_cells(row, widths, left)) for row in rows)


def comparison(report: Mapping[str, Any], lang: str) -> str:
    """Return the report of `analysis.discards.explain.report`: gains by part, and helpful starters."""
    first, second = cards_text(report["first"], lang), cards_text(report["second"], lang)
    parts = {name: report[name] for name in ("hand", "crib", "pegging") if report[name] is not None}
    gained = {name: _gain(name, part, report["role"]) for name, part in parts.items()}
    chances = report.get("win")
    title = "report.why.title" if chances is None else "report.why.title-and-win"
    lines = [text(title, lang, first=first, second=second, difference=_signed_points(sum(gained.values())))]
    if chances is not None:
        ahead = difference(100 * chances["first"], 100 * chances["second"], 1)
        wins = [percent(chances[name], 1, lang) for name in ("first", "second")]
        lines.append(_part_sentence("win", wins, text("report.percent", lang, number=f"{ahead:+.1f}"), lang))
    for name, part in parts.items():
        means = [f"{part[which]:.2f}" for which in ("first", "second")]
        lines.append(_part_sentence(name, means, _signed_points(gained[name]), lang))
    starters = report["starters"]
    for_first = [one for one in starters if one["first"] > one["second"]]
    for_second = [one for one in reversed(starters) if one["first"] < one["second"]]
    for discard, helped in ((first, for_first), (second, for_second)):
        number = sum(len(one["cards"]) for one in helped)
        lines.append(text("report.why.helped", lang, discard=discard, n=number))
        for one in helped:
            turned = cards_text(one["cards"], lang)
            lines.append(f"  {turned}{text('list.colon', lang)}{one['first']} / {one['second']}")
    return "\n".join(lines)


def _gain(name: str, part: Mapping[str, float], role: str) -> float:
    """Return how much a part adds to the first discard's lead, from the printed figures."""
    return _gain_sign(name, role) * difference(part["first"], part["second"], 2)


def _gain_sign(name: str, role: str) -> int:
    return -1 if name == "crib" and role == "pone" else 1


def _part_sentence(name: str, values: Sequence[str], gained: str, lang: str) -> str:
    named = text(f"report.why.{name}", lang)
    first, second = values
    return "  " + text("report.why.part", lang, name=named, first=first, second=second, difference=gained)


def _option_cells(option: Mapping[str, Any], role: str, lang: str) -> Iterator[str]:
    yield cards_cell(option["keep"], lang)
    yield cards_cell(option["discard"], lang)
    yield f"{option['hand']:.2f}"
    yield f"{option['crib']:.2f}"
    yield "–" if option["pegging"] is None else _signed_points(option["pegging"])
    # The sum of the printed, rounded figures.
    parts = [_gain_sign(name, role) * round(option[name] or 0.0, 2) for name in ("hand", "crib", "pegging")]
    yield f"{round(sum(parts), 2) + 0.0:.2f}"
    yield "–" if option["win"] is None else percent(option["win"], 1, lang)


def _signed_points(points: float) -> str:
    return f"{round(points, 2) + 0.0:+.2f}"


def _aligned_cells(row: Sequence[str], widths: Sequence[int], left: int) -> Iterator[str]:
    """Yield padded cells: this number of columns to the left, the others to the right."""
    for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
        space = " " * (width - display_width(cell))
        yield cell + space if column < left else space + cell
