"""What ships is what its provenance says, and is as strong as asked."""

import hashlib
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from fifteentwo.strategy.files import data_file
from lab.cfr import PARTS
from lab.five_card import solve as five_card
from lab.measure import best_response, report
from lab.six_card import solve


def header_of(path: Path) -> dict[str, Any]:
    """Return the header of a table, its digests checked without the code that loads it."""
    data = path.read_bytes()
    line = data.index(b"\n") + 1
    found, rest = data[line : line + 64].decode(), data[line + 64 :]
    size = int(rest[:8], 16)
    assert hashlib.sha256(rest[: 8 + size]).hexdigest() == found
    header: dict[str, Any] = json.loads(rest[8 : 8 + size])
    assert hashlib.sha256(rest[8 + size :]).hexdigest() == header["digest"]
    return header


def test_shipped_tables_match_their_provenance() -> None:
    figures = json.loads(data_file("equilibrium.json").read_text(encoding="utf-8"))
    for name in (report.BOOK, report.TABLE):
        header = header_of(data_file(name))
        assert header["digest"] == figures["digests"][name]
        assert header["rounds"] >= 200
        assert header["seed"] == figures["seed"]
        assert header["version"] == figures["version"]
    assert figures["exploitability"]["pegging"] <= 0.0005
    assert figures["exploitability"]["discard"] <= 0.005
    assert figures["exploitability"]["deal"] <= 0.01


def test_the_report_prints_both_games_and_the_time_to_check() -> None:
    found = report.run()
    text = "\n".join(report.lines(found))
    five = found["five_card"]
    real = found["real_table"]
    for shown in (
        f"{real['pegging']:.4f} ± {real['standard_error']:.4f}",
        *[f"{one['exploitability'][part]:.5f}" for one in (found, five) for part in PARTS],
        f"--measure       {found['core_seconds_to_check']}, {round(five['core_seconds_to_check'])}",
        f"--knowing 300   {found[report.KNOWING]['core_seconds']}",
        "The files are those measured: yes",
    ):
        assert shown in text
    assert "{" not in text
    assert max(map(len, text.splitlines())) <= 100
    for game in (found, five):
        game["files_are_those_measured"] = False
        assert report.lines(found)[-1] == "The files are those measured: NO"
        game["files_are_those_measured"] = True


def test_figures_of_other_files_are_reported_unless_measured_now(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = json.loads(data_file(report.FIGURES).read_text(encoding="utf-8"))
    shipped[report.KNOWING]["digests"][report.BOOK] = "0" * 64
    monkeypatch.setattr(report, "data_bytes", lambda _: json.dumps(shipped).encode())
    assert not report.run()["files_are_those_measured"]
    monkeypatch.setattr(report, "shipped_joint", lambda **_: None)
    monkeypatch.setattr(best_response, "sample", lambda *_: shipped[report.KNOWING])
    monkeypatch.setattr(five_card, "report", lambda *_: {"files_are_those_measured": True})
    assert report.run(knowing=300)["files_are_those_measured"]


def test_the_gain_of_more_knowledge_is_sampled_and_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked, out = list[Any](), tmp_path / "figures.json"

    def sample(joint: object, hands: int, seed: int, _: object) -> dict[str, Any]:
        asked.append(joint)
        roles = {
            role: {"gain": gain, "standard_error": 0.03} for role, gain in (("pone", 0.6), ("dealer", 0.4))
        }
        return {"hands": hands, "seed": seed, **roles}

    monkeypatch.setattr(report, "shipped_joint", lambda **options: options["cribs"])
    monkeypatch.setattr(best_response, "sample", sample)
    found = report.run(knowing=7)
    assert found[report.KNOWING]["hands"] == 7
    assert found[report.KNOWING]["core_seconds"] >= 0
    assert found["real_table"] == pytest.approx({"pegging": 0.5, "standard_error": 0.03 / 2**0.5})
    # The play alone is asked about: no crib need be counted.
    assert asked == [False]
    report.run(knowing=7, out=out)
    shipped = json.loads(data_file(report.FIGURES).read_text(encoding="utf-8"))
    written = json.loads(out.read_text(encoding="utf-8"))
    assert written == {**shipped, report.KNOWING: found[report.KNOWING]}


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="hours without numba")
def test_the_header_of_a_book_names_its_options(tmp_path: Path) -> None:
    path = tmp_path / "some.book"
    found = solve.solve_pegging(iterations=2, out=path, progress=lambda _: None)
    header = header_of(path)
    assert header["iterations"] == 2
    assert header["keeps"] == header_of(data_file(report.TABLE))["digest"]
    # After two iterations about half a point is left; packing changes little.
    assert 0.1 < header["exploitability"] < 1
    assert header["exploitability"] == pytest.approx(found["exploitability"]["pegging"], abs=0.05)
