"""The summary at the end of a game has the figures of the review."""

from typing import Any

from fifteentwo.server.study.game_summary import DRAWING_HEIGHT, DRAWING_WIDTH, game_summary

TOTAL = {"result": 1, "adjusted_result": 0.4236}
WHOLE = {
    "by_chance": True,
    "curve": [
        {"step": 1, "deal": 1, "win": 0.3, "views": [0.3, 0.7]},
        {"step": 3, "deal": 1, "win": 1.0, "views": [1.0, 0.0]},
    ],
    "seats": [TOTAL, {"result": 0, "adjusted_result": 0.5764}],
}
STORY = {
    "names": ["Aiko", "Ken"],
    "pictures": [{"dealer": 0}, {"dealer": 1}, {}],
    "moments": [
        {"first": 0, "last": 0, "before": 0},
        {"first": 1, "last": 2, "before": 1},
        {"first": 3, "last": 4, "before": 2},
    ],
}
CHOICE = {"kind": "discard", "count": None, "deal": 1, "obvious": False, "score": [0, 0], "why": []}
DECISIONS = [
    {**CHOICE, "step": 1, "seat": 0, "mark": None, "loss_win": 0.0, "win": 0.5, "win_chosen": 0.5},
    {
        **CHOICE,
        "step": 2,
        "seat": 1,
        "mark": "blunder",
        "loss_win": 0.04,
        "win": 0.294,
        "win_chosen": 0.253,
        "why": ["Because."],
    },
    {**CHOICE, "step": 3, "seat": 0, "mark": "small", "loss_win": 0.004, "win": 0.6, "win_chosen": 0.596},
    {
        **CHOICE,
        "step": 3,
        "seat": 0,
        "mark": None,
        "obvious": True,
        "loss_win": 0.0,
        "win": 1,
        "win_chosen": 1,
    },
]


def _lines(**whole: Any) -> list[dict[str, Any]]:
    decisions = [{"t": "decision", "d": one} for one in DECISIONS]
    return [{"t": "story", "d": STORY}, *decisions, {"t": "whole", "d": WHOLE | whole}]


def test_differences_are_those_of_the_printed_figures() -> None:
    shown = game_summary(_lines(), 0, "en")
    assert shown is not None
    assert shown.luck == "+57.6 win pts", "100 − 42.4"
    assert shown.lucky == "good"
    assert shown.move is not None
    assert (shown.move.cost, shown.move.why) == ("−4.1 win pts", "Because."), "29.4 − 25.3"


def test_the_summary_has_the_reader_first_and_the_costliest_move() -> None:
    shown = game_summary(_lines(), 0, "en")
    assert shown is not None
    assert [(one.name, one.right, one.of, one.share) for one in shown.seats] == [
        ("You", 1, 2, "50 %"),
        ("Ken", 0, 1, "0 %"),
    ]
    assert shown.move is not None
    assert (shown.move.seat, shown.move.moment) == (1, 2)
    assert shown.move.at == (DRAWING_WIDTH * 3 / 5, DRAWING_HEIGHT * 0.7)
    assert shown.course == "0.0,30.0 120.0,42.0 240.0,0.0"
    other = game_summary(_lines(), 1, "ja")
    assert other is not None
    assert [one.name for one in other.seats] == ["あなた", "Aiko"]
    assert (other.luck, other.lucky) == ("−57.6ポイント", "bad")


def test_the_move_that_mattered_is_the_losers_and_a_blunder() -> None:
    seats = [TOTAL | {"result": 0}, TOTAL | {"result": 1}]
    shown = game_summary(_lines(seats=seats), 0, "en")
    assert shown is not None
    assert shown.move is None, "the only blunder was the winner's"


def test_the_summary_gives_no_answer_away_that_the_review_will_ask_for() -> None:
    seats = [TOTAL, TOTAL | {"result": 0}]
    shown = game_summary(_lines(seats=seats), 1, "en")
    assert shown is not None
    assert shown.move is not None
    assert shown.move.why == "A discard to your own crib: try it again in the review."
    assert (shown.move.moment, shown.move.cost) == (0, "−4.1 win pts")
    other = game_summary(_lines(seats=seats), 0, "en")
    assert other is not None
    assert other.move is not None
    assert (other.move.why, other.move.moment) == ("Because.", 2), "it is the opponent's"


def test_there_is_no_summary_without_win_probabilities_or_a_whole_review() -> None:
    assert game_summary(_lines(by_chance=False), 0, "en") is None
    assert game_summary(_lines()[:-1], 0, "en") is None
    assert game_summary([{"t": "refused", "d": "…"}], 0, "en") is None
    assert game_summary(_lines(seats=[TOTAL | {"result": None}] * 2), 0, "en") is None
