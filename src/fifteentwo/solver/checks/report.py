"""How strong is what ships: exploitability of pegging, of discarding, and of a whole deal."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fifteentwo.solver.board.deal_counts import digests
from fifteentwo.solver.discards.discard_book import ROLES, decode_strategy
from fifteentwo.solver.discards.joint import Joint
from fifteentwo.solver.five_card import whole_solve
from fifteentwo.solver.pegging import baselines, best_response
from fifteentwo.solver.pegging.pegging_book import read_cells
from fifteentwo.solver.pegging.tree import DEALER, PONE
from fifteentwo.solver.whole_game import measure as whole_game_measure
from fifteentwo.strategy import own_discards
from fifteentwo.strategy.discards import FILE as DISCARD_TABLE
from fifteentwo.strategy.files import data_bytes, data_file, read_tables, write_whole
from fifteentwo.strategy.own_discards import FILE as OWN_DISCARDS
from fifteentwo.strategy.pegging import FILE as PEGGING_BOOK
from fifteentwo.strategy.pegging import read_pegging_book

BOOK, TABLE, FIGURES = PEGGING_BOOK, DISCARD_TABLE, "equilibrium.json"
PARTS = ("pegging", "discard", "deal")
BASELINES = "baselines"
"""Where the figures of plain ways to play stand in a report."""
KNOWING = "knowing_six_cards_and_starter"
KNOWING_SEED = 8
WHOLE_GAME = "whole_game"
"""Where what a responder gains from 0–0 stands, in win chance."""


def shipped(
    pegging: Path | None = None, discards: Path | None = None, threads: int = 2, *, cribs: bool = True
) -> Joint:
    """The strategies of the shipped files as a joint solution to be measured (not to be solved on).

    Without `cribs` (a minute saved) it is good for pegging alone.
    """
    joint = Joint.fresh(threads)
    joint.game.total = read_cells(joint.game.tree, read_pegging_book(pegging or data_file(BOOK)))
    tables = read_tables(discards or data_file(TABLE)).arrays
    for role, name in enumerate(ROLES):
        joint.discarding[role].total = decode_strategy(tables[f"{name}_options"], tables[f"{name}_share"])
    joint.means = [joint.discarding[role].average() for role in (PONE, DEALER)]
    if cribs:
        joint.correct()
    return joint


def run(
    *,
    measure: bool = False,
    measure_baselines: bool = False,
    knowing: int | None = None,
    whole_game: bool = False,
    out: Path | None = None,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Exploitability in points a deal of what ships, and where it comes from.

    Reads the figures measured when the files were made, after checking that the files are those; with
    `measure` works them out again from the files (about two minutes on two cores, numba wanted, 2 GB), with
    `measure_baselines` those of the plain ways to play too (another ten). `knowing`: the number of hands to
    sample for the gain of a best response that also knows its six cards and the starter (0.1 core-seconds
    each and role); their mean is `real_table`. `out`: a file for the figures that ship with the latter two
    in their place; with `whole_game` those of five-card cribbage stand next to it.
    """
    report: dict[str, Any] = json.loads(data_bytes(FIGURES))
    report["five_card"] = whole_solve.report(measure, jobs, progress, whole_games=whole_game)
    measured = [report, *[report[part] for part in (KNOWING, WHOLE_GAME) if part in report]]
    known = digests() | {OWN_DISCARDS: own_discards.provenance()["digest"]} | whole_game_measure.tables()
    report["files_are_those_measured"] = all(
        digest == known[name]
        for one in measured
        for name, digest in {**one["digests"], **one.get("tables", {})}.items()
    )
    joint = None
    if measure or measure_baselines:
        progress("Reading the shipped strategies and counting every crib exactly …")
        joint = shipped(threads=jobs or 2)
    elif knowing:
        joint = shipped(threads=jobs or 2, cribs=False)
    if joint is not None and measure:
        figures = joint.exploitability()
        report["exploitability"] = {part: figures[part] for part in PARTS}
        report["measured_now"] = figures
        report["files_are_those_measured"] = True
    fresh: dict[str, Any] = {}
    if joint is not None and knowing:
        fresh[KNOWING] = best_response.sampled(joint, knowing, KNOWING_SEED, progress) | {"digests": known}
    if joint is not None and measure_baselines:
        # Last: it uses up the joint solution.
        fresh[BASELINES] = baselines.run(joint, progress=progress)
    if whole_game:
        fresh[WHOLE_GAME] = whole_game_measure.run(progress=progress)
    if out is not None:
        _write(out, {**json.loads(data_bytes(FIGURES)), **fresh})
        if whole_game:
            whole_solve.write_whole_game(report["five_card"], out.parent)
    report |= fresh
    report["real_table"] = _at_a_real_table(report[KNOWING])
    return report


def _at_a_real_table(knowing: dict[str, Any]) -> dict[str, float]:
    """Mean of both roles' gains in pegging with six cards and the starter known, and its standard error."""
    roles = [knowing[name] for name in ROLES]
    variance = sum(role["standard_error"] ** 2 for role in roles)
    return {"pegging": sum(role["gain"] for role in roles) / 2, "standard_error": float(variance**0.5 / 2)}


def lines(report: dict[str, Any]) -> list[str]:
    """A report as lines of text: what ships, then the plain ways to play."""
    five = report["five_card"]
    rows = {"shipped": report["exploitability"], **report.get(BASELINES, {})}
    rows["five-card"] = five["exploitability"]
    text = ["exploitability, points a deal" + "".join(f"{part:>12}" for part in PARTS)]
    text += [f"{name:<29}" + "".join(f"{row[part]:12.5f}" for part in PARTS) for name, row in rows.items()]
    kept = "yes" if report["files_are_those_measured"] else "NO"
    text.append(f"the files are those measured: {kept}")
    text.append(f"five-card: a best response knows its {five['real_table']}")
    shown = {"exploitability", BASELINES, "files_are_those_measured"}
    text += [f"{name}: {value}" for name, value in report.items() if name not in shown]
    return text


def write_figures(figures: dict[str, Any], provenance: dict[str, Any], folder: Path) -> None:
    """Write measured figures next to the files they belong to."""
    about = {
        "exploitability": {part: figures[part] for part in PARTS},
        "by_role": {name: figures[f"{name}_by_role"] for name in PARTS},
        "pegging_value": figures["pegging_value"],
        "digests": digests(folder),
        **provenance,
    }
    _write(folder / FIGURES, about)


def _write(path: Path, figures: dict[str, Any]) -> None:
    """Write figures as JSON."""
    write_whole(path, f"{json.dumps(figures, indent=1)}\n".encode())
