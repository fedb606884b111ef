"""Printed figures add up: differences, sums and probabilities, over many hands and games."""

import json
import random
import re
from typing import Any

import pytest

from fifteentwo.analysis.book import entry as book_entry
from fifteentwo.analysis.discards import discard, explain
from fifteentwo.analysis.win.model import JSON_DECIMALS
from fifteentwo.i18n.discards import book_table, comparison, options_table
from fifteentwo.i18n.figures import difference, percent, win_percent
from fifteentwo.i18n.game_review import review_text
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.server.study.book import entry_page
from tests.support.recorded_games import played, report_of

GAMES = ((["casual", "beginner"], 8), (["random", "club"], 2))


def hands(number: int) -> list[tuple[tuple[Card, ...], bool, tuple[int, int]]]:
    """Return random six-card hands with role and score."""
    luck = random.Random(20)
    return [
        (tuple(luck.sample(DECK, 6)), luck.random() < 0.5, (luck.randrange(121), luck.randrange(121)))
        for _ in range(number)
    ]


@pytest.fixture(scope="module")
def reports() -> list[dict[str, Any]]:
    return [report_of(played(levels, seed, target=61)) for levels, seed in GAMES]


def test_a_row_of_discards_adds_up_as_it_is_printed() -> None:
    for held, dealer, board in hands(12):
        entry = book_entry.entry(held, dealer=dealer, board=board)
        tables = [
            options_table(discard.report(held, own_crib=dealer, board=board), "en"),
            book_table(book_entry.report(entry), "en"),
        ]
        for table in tables:
            for line in table.splitlines()[1:16]:
                hand, crib, pegging, net = map(float, line.split()[6:10])
                assert round(hand + (crib if dealer else -crib) + pegging, 2) == net, line
        shown = entry_page(entry, dealer, ())
        for row in shown.rows:
            parts = [round(points, 2) for points in (row.choice.hand, row.crib, row.choice.pegging)]
            assert f"{sum(parts):.2f}" == f"{row.net:.2f}"
            wins = [round(100 * one.choice.win, 2) for one in (shown.rows[0], row)]
            assert percent(row.lost, 2, "en") == f"{wins[0] - wins[1]:.2f} %"


def test_a_comparison_subtracts_what_is_printed() -> None:
    for held, dealer, board in hands(12):
        options = discard.options(held, own_crib=dealer, board=board)
        result = explain.explain(held, options[0].discard, options[1].discard, own_crib=dealer, board=board)
        title, *lines = comparison(explain.report(result), "en").splitlines()
        summed = 0.0
        for line in lines[:4]:
            name, first, second, gap = re.fullmatch(
                r"  ([a-z ]+): (-?[\d.]+)(?: %)? / (-?[\d.]+)(?: %)?  ([+-][\d.]+)(?: %)?", line
            ).groups()  # type: ignore[union-attr]
            sign = -1 if name == "crib" and not dealer else 1
            places = 1 if name == "chance to win" else 2
            assert round(sign * (float(first) - float(second)), places) == float(gap), line
            summed += 0.0 if places == 1 else float(gap)
        assert float(title.split()[-2]) == round(summed, 2)


def test_a_review_subtracts_what_is_printed(reports: list[dict[str, Any]]) -> None:
    for report in reports:
        for one in report["decisions"]:
            if not one["options"]:
                continue
            points = {option["choice"]: option["points"] for option in one["options"]}
            assert one["loss_points"] == max(round(points[one["best"]] - points[one["chosen"]], 2), 0)
            assert all(points_ == round(points_, 2) for points_ in points.values())
            for option in one["options"]:
                if "play" in option:
                    hand, crib, play = option["hand"], option["crib"], option["play"]
                    sums = {round(hand + sign * crib + play, 2) for sign in (1, -1)}
                    assert option["points"] in sums


def test_win_probabilities_are_printed_between_0_and_100_percent(reports: list[dict[str, Any]]) -> None:
    beyond = 0
    for report in reports:
        seats = report["seats"]
        beyond += sum(
            not 0 <= seat[name] <= 1 for seat in seats for name in ("adjusted_result", "luck_adjusted_result")
        )
        result = review_text(report, "en")
        for line in result.splitlines():
            for found in re.findall(r"(?:play alone|luck-adjusted) ([−\d.]+) %", line):
                assert 0 <= float(found) <= 100, line
            both = re.search(r"(won|lost): luck ([+−])([\d.]+) % of a game, play alone ([\d.]+) %", line)
            if both and 0 < float(both[4]) < 100:
                moved = float(both[3]) * (1 if both[2] == "+" else -1)
                assert round(moved + float(both[4]), 1) == (100 if both[1] == "won" else 0)
        for point in report["curve"]:
            assert 0 <= point["win"] <= 1
    assert beyond, "games that show it are among them"


@pytest.mark.long
def test_win_probabilities_have_the_same_decimals_everywhere(reports: list[dict[str, Any]]) -> None:
    six, dealer, board = hands(1)[0]
    plain = [
        discard.report(six, own_crib=dealer, board=board),
        book_entry.report(book_entry.entry(six, dealer=dealer, board=board)),
        *reports,
    ]
    found = [
        float(value) for value in re.findall(r'"(?:win|win_chosen|loss_win)": ([\d.e-]+)', json.dumps(plain))
    ]
    assert len(found) > 500
    assert all(value == round(value, JSON_DECIMALS) for value in found)
    assert any(value != round(value, JSON_DECIMALS - 1) for value in found)
    assert (
        discard.report(six, own_crib=dealer, board=board)["options"][0]["win"]
        == plain[1]["options"][0]["win"]
    )


def test_differences_are_of_rounded_figures() -> None:
    luck = random.Random(1)
    for _ in range(1000):
        first, second, places = luck.uniform(-20, 30), luck.uniform(-20, 30), luck.randrange(3)
        shown = [float(f"{value:.{places}f}") for value in (first, second)]
        assert difference(first, second, places) == round(shown[0] - shown[1], places)
    assert win_percent(1.359, 1, "en") == "100.0 %"
