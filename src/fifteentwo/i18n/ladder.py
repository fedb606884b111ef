"""Ladders: ratings of players as text, and as an HTML page."""

from collections.abc import Mapping
from html import escape
from typing import Any

from fifteentwo.i18n.arena import failures_text
from fifteentwo.i18n.catalogue import text
from fifteentwo.i18n.figures import percent

_CSS = """
:root { color-scheme: light dark; --edge: #8884; --bar: #2a7d5f; --fill: #2a7d5f40; }
@media (prefers-color-scheme: dark) { :root { --bar: #6fd0a8; --fill: #6fd0a840; } }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.wrap { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { padding: .4rem .6rem; border-bottom: 1px solid var(--edge); text-align: left; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tbody th { font-weight: 600; overflow-wrap: anywhere; min-width: 8rem; }
svg { display: block; width: 14rem; height: 1.4rem; } rect { fill: var(--fill); } circle { fill: var(--bar); }
"""


def ladder_text(result: Mapping[str, Any], lang: str) -> str:
    """Return the result of `contest.ladder.ladder`, one player a line, the best first."""
    players = result["players"]
    width = max(len(one["name"]) for one in players)
    lines = [_heading(result, lang)]
    for rank, one in enumerate(players, start=1):
        low, high = one["interval"]
        rate = percent(one["wins"] / one["games"], 1, lang)
        lines.append(
            f"{rank:3}  {one['name']:<{width}}  {one['rating']:6.0f}  "
            + text("report.ladder.player", lang, low=f"{low:.0f}", high=f"{high:.0f}", rate=rate)
        )
    lines += failures_text(_failures_by_player(result), lang)
    return "\n".join((*lines, text("report.ladder.about", lang)))


def _failures_by_player(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for one in (one for arena in result["arenas"] for one in arena["failures"]):
        before = found.setdefault((one["player"], one["code"]), {**one, "games": 0})
        before["games"] += one["games"]
    return list(found.values())


def _heading(result: Mapping[str, Any], lang: str) -> str:
    return text(
        "report.ladder.heading",
        lang,
        variant=text(f"variant.{result['variant']}", lang),
        players=len(result["players"]),
        games=f"{result['games']:,}",
        seed=result["seed"],
    )


def ladder_html(result: Mapping[str, Any], lang: str) -> str:
    """Return the result as a self-contained HTML page, with a table of all pairs."""
    heading, about = (escape(line) for line in (_heading(result, lang), text("report.ladder.about", lang)))
    failed = "".join(f"<li>{escape(line)}</li>" for line in failures_text(_failures_by_player(result), lang))
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{heading}</title>\n<style>{_CSS}</style>\n<h1>{heading}</h1>\n"
        f"{_ratings_table(result, lang)}\n<p>{about}</p>\n"
        f"<h2>{escape(text('report.ladder.against', lang))}</h2>\n{_cross_table(result, lang)}\n"
        + (f"<h2>{escape(text('report.ladder.failures', lang))}</h2>\n<ul>{failed}</ul>\n" if failed else "")
        + "</html>\n"
    )


def _ratings_table(result: Mapping[str, Any], lang: str) -> str:
    players = result["players"]
    lowest = min(one["interval"][0] for one in players)
    span = max(one["interval"][1] for one in players) - lowest or 1.0
    columns = {"rank": " class=n", "name": "", "rating": " class=n", "interval": " class=n"}
    columns |= {"won": " class=n", "picture": ""}
    head = "".join(
        f'<th{kind} scope="col">{escape(text(f"report.ladder.{name}", lang))}</th>'
        for name, kind in columns.items()
    )
    rows = []
    for rank, one in enumerate(players, start=1):
        low, high = one["interval"]
        left, right, at = (200 * (value - lowest) / span for value in (low, high, one["rating"]))
        rows.append(
            f'<tr><td class="n">{rank}</td><th scope="row">{escape(one["name"])}</th>'
            f'<td class="n">{one["rating"]:.0f}</td><td class="n">{low:.0f}–{high:.0f}</td>'
            f'<td class="n">{percent(one["wins"] / one["games"], 1, lang)}</td>'
            f'<td><svg viewBox="-5 0 210 20" aria-hidden="true"><rect x="{left:.1f}" y="6" '
            f'width="{max(right - left, 1):.1f}" height="8" rx="4"/><circle cx="{at:.1f}" cy="10" r="4"/>'
            "</svg></td></tr>"
        )
    return (
        f'<div class="wrap"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )


def _cross_table(result: Mapping[str, Any], lang: str) -> str:
    names = [one["name"] for one in result["players"]]
    shares: dict[tuple[str, str], float] = {}
    for arena in result["arenas"]:
        first, second = arena["levels"]
        shares[first, second] = arena["win_rate"]
        shares[second, first] = 1 - arena["win_rate"]
    head = "".join(f'<th class="n" scope="col">{rank}</th>' for rank in range(1, len(names) + 1))
    rows = []
    for rank, own in enumerate(names, start=1):
        cells = "".join(
            f'<td class="n">{percent(shares[own, other], 1, lang) if own != other else "–"}</td>'
            for other in names
        )
        rows.append(f'<tr><td class="n">{rank}</td><th scope="row">{escape(own)}</th>{cells}</tr>')
    return (
        '<div class="wrap"><table><thead><tr><th></th><th></th>'
        f"{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )
