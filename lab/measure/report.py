"""The report on the shipped strategies: exploitability of pegging, discards and whole deals."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fifteentwo.strategy.discards import FILE as DISCARD_TABLE
from fifteentwo.strategy.files import data_bytes, data_file, read_tables
from fifteentwo.strategy.pegging import FILE as PEGGING_BOOK
from fifteentwo.strategy.pegging import read_pegging_book
from lab.board.deal_counts import digests
from lab.cfr import DEALER, PARTS, PONE, ROLES
from lab.files import write_json
from lab.five_card import solve as five_card
from lab.measure import best_response
from lab.six_card.discard_book import decode_strategy
from lab.six_card.joint import Joint
from lab.six_card.pegging_book import read_cells

BOOK, TABLE, FIGURES = PEGGING_BOOK, DISCARD_TABLE, "equilibrium.json"
"""Names of the files of pegging strategies, discard strategies and stored figures."""
KNOWING = "knowing_six_cards_and_starter"
"""Key in FIGURES of the gain of a best response that also knows the starter when it discards."""
KNOWING_SEED = 8
"""Seed of the hands that are sampled for the figures of KNOWING."""
CHECK_SECONDS = "core_seconds_to_check"
"""Field with the core-seconds that measuring the stored figures took."""
COLUMN_WIDTH = 28
"""Characters in the first column of the printed report."""


def shipped_joint(
    pegging: Path | None = None, discards: Path | None = None, threads: int = 2, *, cribs: bool = True
) -> Joint:
    """Return the shipped strategies as a joint solution; cribs: count cribs too, which takes a minute."""
    joint = Joint.fresh(threads)
    joint.game.total = read_cells(joint.game.tree, read_pegging_book(pegging or data_file(BOOK)))
    tables = read_tables(discards or data_file(TABLE)).arrays
    for role, name in enumerate(ROLES):
        joint.discards[role].total = decode_strategy(tables[f"{name}_options"], tables[f"{name}_probability"])
    joint.means = [joint.discards[role].average() for role in (PONE, DEALER)]
    if cribs:
        joint.correct_cribs()
    return joint


def run(
    *,
    measure: bool = False,
    knowing: int | None = None,
    out: Path | None = None,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Return the exploitability of the shipped strategies in points a deal.

    Args:
        measure: Compute the figures from the tables (a minute and a half of a core with numba, 2 GB).
            Otherwise read the figures that were stored with the tables.
        knowing: Hands to sample for the gain of a best response that also knows its six cards and the starter
            (0.1 core-seconds each and role); the mean gain is `real_table`.
        out: A file for the shipped figures, with the new figures of `knowing`.
        jobs: Threads.
        progress: Prints a line.
    """
    report: dict[str, Any] = json.loads(data_bytes(FIGURES))
    report["five_card"] = five_card.report(measure, jobs, progress)
    # Stored figures must belong to the present files.
    stored = [figures for figures, now in ((report, measure), (report[KNOWING], knowing)) if not now]
    known = digests()
    report["files_are_those_measured"] = all(figures["digests"] == known for figures in stored)
    began, joint = time.process_time(), None
    if measure:
        progress("Reading the shipped strategies and counting every crib exactly …")
        joint = shipped_joint(threads=jobs or 2)
    elif knowing:
        joint = shipped_joint(threads=jobs or 2, cribs=False)
    fresh: dict[str, Any] = {}
    if joint is not None and measure:
        figures = joint.exploitability()
        fresh[CHECK_SECONDS] = round(time.process_time() - began)
        report["exploitability"] = {part: figures[part] for part in PARTS}
        report["measured_now"] = figures
    if joint is not None and knowing:
        began = time.process_time()
        fresh[KNOWING] = best_response.sample(joint, knowing, KNOWING_SEED, progress) | {"digests": known}
        fresh[KNOWING]["core_seconds"] = round(time.process_time() - began)
    if out is not None:
        write_json(out, {**json.loads(data_bytes(FIGURES)), **fresh})
    report |= fresh
    report["real_table"] = _mean_of_roles(report[KNOWING])
    return report


def _mean_of_roles(knowing: dict[str, Any]) -> dict[str, float]:
    roles = [knowing[name] for name in ROLES]
    variance = sum(role["standard_error"] ** 2 for role in roles)
    return {"pegging": sum(role["gain"] for role in roles) / 2, "standard_error": float(variance**0.5 / 2)}


def lines(report: dict[str, Any]) -> list[str]:
    """Return a report as lines of text: six-card, five-card, and the time to check each figure."""
    five, knowing = report["five_card"], report[KNOWING]
    real, pone, dealer = (
        _gain_text(one) for one in (report["real_table"], *[knowing[name] for name in ROLES])
    )
    hands, spent = knowing["hands"], [report[CHECK_SECONDS], round(five[CHECK_SECONDS])]
    kept = report["files_are_those_measured"] and five["files_are_those_measured"]
    return [
        "A best response gains, points a deal (± standard error):",
        *_lines_of("six cards, in the model", report["exploitability"]),
        f"  six cards at a real table (it knows its six cards and the starter; {hands} hands a role)",
        f"    pegging {real}: pone {pone}, dealer {dealer}",
        *_lines_of(f"five cards at a real table (it knows its {five['real_table']})", five["exploitability"]),
        "To check, core-seconds for six cards and for five:",
        "  python -m lab report --measure       {}, {}".format(*spent),
        f"  python -m lab report --knowing {hands:<6}{knowing['core_seconds']}",
        f"The files are those measured: {'yes' if kept else 'NO'}",
    ]


def _lines_of(title: str, figures: dict[str, float]) -> list[str]:
    parts = "".join(f"{part:>12}" for part in PARTS)
    shown = "".join(f"{figures[part]:12.5f}" for part in PARTS)
    own_line = [f"  {title}"] if len(title) > COLUMN_WIDTH - 2 else []
    head = "" if own_line else title
    return [*own_line, f"  {head:<{COLUMN_WIDTH - 2}}{parts}", f"    {'shipped':<{COLUMN_WIDTH - 4}}{shown}"]


def _gain_text(figures: dict[str, Any]) -> str:
    gain = figures["gain"] if "gain" in figures else figures["pegging"]
    return f"{gain:.4f} ± {figures['standard_error']:.4f}"


def write_figures(figures: dict[str, Any], provenance: dict[str, Any], folder: Path) -> None:
    """Write measured figures to the folder of the strategy files to which they belong."""
    about = {
        "exploitability": {part: figures[part] for part in PARTS},
        "by_role": {name: figures[f"{name}_by_role"] for name in PARTS},
        "pegging_value": figures["pegging_value"],
        "digests": digests(folder),
        **provenance,
    }
    write_json(folder / FIGURES, about)
