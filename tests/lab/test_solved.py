"""What /solved says is what the files that ship say, and what its commands say."""

import json
import re
import shlex

import pytest

from fifteentwo.analysis.book.solved import figures, read
from fifteentwo.fast.compiled import has_numba
from fifteentwo.i18n.catalogue import LANGUAGES, has_text
from fifteentwo.strategy import board
from fifteentwo.strategy.files import data_file
from lab.board import board as board_solver
from lab.board import deal_counts
from lab.cfr import PARTS
from lab.measure import report, rollouts
from tests.lab.commands import run

ALL = [figure for group in figures() for figure in group.figures]
BY_NAME = {figure.name: figure for figure in ALL}


def test_every_figure_is_in_its_file_and_has_a_command(subtests: pytest.Subtests) -> None:
    for figure in ALL:
        with subtests.test(figure=figure):
            value = float(read(figure.source))
            assert figure.value in (value, pytest.approx(value / 100, rel=1e-12))
            words = shlex.split(figure.command)
            assert words[:3] == ["python", "-m", "lab"]
            found = run(*[word for word in words[3:5] if not word.startswith("-")], "--help")
            assert found.exit_code == 0
            for option in re.findall("--[a-z]+", figure.command):
                assert option in found.stdout
            for lang in LANGUAGES:
                assert has_text(f"solved.{figure.name}", lang)


def test_figures_are_of_the_tables_that_ship() -> None:
    digests = rollouts.digests()
    for name in ("win_rollouts.json", "win_rollouts_end.json"):
        assert json.loads(data_file(name).read_text(encoding="utf-8"))["digests"] == digests
    kept = json.loads(data_file("equilibrium.json").read_text(encoding="utf-8"))
    assert kept["digests"] == {name: digests[name] for name in (report.BOOK, report.TABLE)}
    assert board.provenance()["strategies"] == kept["digests"]


def test_the_race_matches_the_board() -> None:
    values = board.board()
    assert BY_NAME["first-dealer"].value == pytest.approx((1 + values.game[0, 0]) / 2, abs=1e-6)
    assert BY_NAME["first-dealer"].error == pytest.approx(float(values.game_error[0, 0]) / 2, rel=0.01)
    assert BY_NAME["board-error-most"].value == pytest.approx(float(values.game_error.max()) / 2, rel=0.01)


@pytest.mark.skipif(not has_numba(), reason="deals are played out in bulk only with numba")
def test_mean_points_of_a_deal_are_found_again_in_fewer_deals() -> None:
    """50,000 of the board's twenty million; five standard errors."""
    found = deal_counts.summarise([deal_counts.count_deals(50_000, 3)])
    for figure in ALL:
        if figure.name.startswith("deal-"):
            name = figure.source[-1]
            spread = 5.3 if name.endswith("total") else 4.0
            assert found[name] == pytest.approx(figure.value, abs=5 * spread / 50_000**0.5), name
    for name in ("deals_a_game", "skunks"):
        assert found[name] == pytest.approx(float(read((board.NAME, "summary", name))), rel=0.02)


@pytest.mark.slow
@pytest.mark.skipif(not has_numba(), reason="hours without numba")
def test_exploitability_is_measured_again() -> None:
    """Two minutes on two cores."""
    found = report.run(measure=True, progress=lambda _: None)
    for part in PARTS:
        assert found["exploitability"][part] == pytest.approx(
            BY_NAME[f"exploitability-{part}"].value, abs=2e-6
        )


@pytest.mark.slow
@pytest.mark.skipif(not has_numba(), reason="hours without numba")
def test_positions_are_played_out_again(subtests: pytest.Subtests) -> None:
    """The first forty, from the same seed: no worse than all together."""
    for end in (False, True):
        with subtests.test(end=end):
            job = rollouts.Job(40, 20_000, 1, end)
            found = rollouts.run(job, jobs=1, progress=lambda _: None)
            stored = BY_NAME["win-rms-end" if end else "win-rms"].value * 100
            assert found["root_mean_square_without_noise"] <= 3 * stored
            assert found["best_way_loses"] < 0.05


def test_the_board_solver_made_its_summary() -> None:
    assert board.provenance()["made_by"] == f"{board_solver.__name__}.run"
