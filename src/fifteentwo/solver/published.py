"""The solution as plain tables for people: pairs laid away, and what kept hands peg."""

import csv
from itertools import combinations_with_replacement
from pathlib import Path

from fifteentwo.analysis.equilibrium import Role, keep_frequency, mean_crib, mean_pegging, pair_frequency
from fifteentwo.rules.cards import RANK_TEXT

ROLES: tuple[Role, Role] = ("dealer", "pone")


def run(folder: Path) -> None:
    """Write pairs.csv (91 rows) and keeps.csv (1,820 rows) from the shipped tables.

    pairs: how often each role lays two ranks away (shares of all hands) and the mean crib they then meet.
    keeps: how often each role keeps four ranks, and the mean points of the play for it and against it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "pairs.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["pair", *(f"{role}_{what}" for role in ROLES for what in ("lays_away", "crib"))])
        for pair in combinations_with_replacement(range(1, 14), 2):
            cells = [
                cell
                for role in ROLES
                for cell in (f"{pair_frequency(pair, role):.6f}", f"{mean_crib(pair, role):.3f}")
            ]
            rows.writerow([_text(pair), *cells])
    with (folder / "keeps.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["kept", *(f"{role}_{what}" for role in ROLES for what in ("keeps", "pegs", "gives"))])
        for kept in combinations_with_replacement(range(1, 14), 4):
            cells = []
            for role in ROLES:
                means = mean_pegging(kept, role)
                cells += [f"{keep_frequency(kept, role):.7f}", f"{means.own:.3f}", f"{means.opponent:.3f}"]
            rows.writerow([_text(kept), *cells])


def _text(ranks: tuple[int, ...]) -> str:
    return "".join(RANK_TEXT[rank - 1] for rank in ranks)
