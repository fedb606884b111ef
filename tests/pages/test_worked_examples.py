"""Every worked example of the documents can be read step by step at /check."""

import itertools
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

from fifteentwo.i18n import languages, text
from fifteentwo.i18n.reading import HandExample, examples
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.server.study import worked_examples
from fifteentwo.server.study.hand_count import count_hand
from tests.pages.conftest import PHONE, Opened
from tests.pages.stepping import Step, step_through
from tests.support.fetched_pages import get
from tests.support.live_server import Live, plain

FILE = Path(__file__).parents[1] / "rules" / "examples.jsonl"
LINES: list[dict[str, Any]] = [
    json.loads(line) for line in FILE.read_text("utf-8").splitlines() if line.strip()
]
HANDS = {example.id: example for example in examples().hands}


def of(*kinds: str) -> list[dict[str, Any]]:
    found = [line for line in LINES if line["kind"] in kinds]
    assert found, kinds
    return found


def hand_of(line: dict[str, Any]) -> HandExample:
    """Return the hand of a line; a spoken line has none of its own."""
    if line["kind"] != "spoken":
        return HANDS[line["id"]]
    wanted = line["starter"], sorted(line["hand"])
    return next(hand for hand in HANDS.values() if (hand.starter, sorted(hand.hand.split())) == wanted)


def asked(hand: HandExample) -> dict[str, str]:
    starter = {"starter": hand.starter} if hand.starter else {"part": hand.part or ""}
    return {"hand": hand.hand, "crib": str(int(hand.crib)), "five": str(int(hand.five)), **starter}


def stepped(line: dict[str, Any], lang: str) -> dict[str, Any]:
    found = plain([*worked_examples.pegging_examples(lang), *worked_examples.board_examples(lang)])
    shown: dict[str, Any] = next(example for example in found if example["id"] == line["id"])
    return shown


def test_every_line_has_a_kind_that_is_tested_here() -> None:
    kinds = ["show", "part", "shape", "spoken", "play", "frag", "peg", "skunk", "boardB"]
    assert sum(len(of(kind)) for kind in kinds) == len(LINES) == 95


def test_every_example_is_on_the_page(lang: str) -> None:
    page = get(f"/check?lang={lang}").text
    wanted = {hand_of(line).id if line["kind"] == "spoken" else line["id"] for line in LINES}
    assert {one for one in wanted if page.count(f'data-id="{one}"') != 1} == set()


def test_every_hand_and_part_counts_as_written(subtests: pytest.Subtests) -> None:
    for line, lang in itertools.product(of("show", "part", "shape"), languages()):
        with subtests.test(line=line, lang=lang):
            hand = hand_of(line)
            count = count_hand(asked(hand), lang)
            assert (
                count.points == sum(score.points for score in count.scores) == hand.points == line["expect"]
            )
            assert sorted(hand.hand.split()) == sorted(line.get("hand", line.get("cards", hand.hand.split())))
            assert (hand.starter, hand.part) == (line.get("starter", hand.starter), line.get("part"))
            assert (count.starter is None) == (hand.part is not None)


def test_r93_every_spoken_count_is_as_written(subtests: pytest.Subtests) -> None:
    for line in of("spoken"):
        with subtests.test(line=line):
            count = count_hand(asked(hand_of(line)), "en")
            assert [[score.name.value, score.total] for score in count.scores] == line["seq"]


def test_every_step_of_a_whole_play_is_as_written(subtests: pytest.Subtests) -> None:
    for line, lang in itertools.product(of("play"), languages()):
        with subtests.test(line=line, lang=lang):
            shown, steps = stepped(line, lang), line["steps"]
            assert shown["hands"] == line["hands"]
            assert len(shown["steps"]) == len(steps)
            lying: list[list[Any]] = []
            for step, (seat, what, *rest) in zip(shown["steps"], steps, strict=True):
                assert (step["seat"], step["step"]) == (seat, what)
                assert step["points"] == (rest[-1] if rest else 0)
                assert bool(step["rules"]) == bool(step["points"]) == bool(step["lit"])
                if len(rest) == 2:
                    assert step["count"] == rest[0]
                    # The cards of a count lie with their owners until it ends.
                    lying = [*lying, [seat, what]]
                assert step["in_count"] == lying
                assert step["sentence"]
                if what == worked_examples.LAST_CARD_STEP or step["count"] == 31:
                    lying = []
            assert shown["steps"][-1]["front"] == line["totals"]


def test_every_play_broken_off_is_as_written(subtests: pytest.Subtests) -> None:
    for line, lang in itertools.product(of("frag"), languages()):
        with subtests.test(line=line, lang=lang):
            steps = stepped(line, lang)["steps"]
            assert [step["step"] for step in steps] == line["cards"]
            assert [step["count"] for step in steps] == line["counts"]
            assert [step["points"] for step in steps] == line["points"]
            assert [step["seat"] for step in steps] == [place % 2 for place in range(len(steps))]


def test_every_example_on_the_board_is_as_written(subtests: pytest.Subtests) -> None:
    for line, lang in itertools.product(of("peg", "skunk", "boardB"), languages()):
        with subtests.test(line=line, lang=lang):
            shown = stepped(line, lang)
            before, after = shown["steps"]
            match line["kind"]:
                case "peg":
                    assert (before["front"][0], before["rear"][0]) == (line["front"], line["rear"])
                    assert (after["front"][0], after["rear"][0]) == (line["newfront"], line["newrear"])
                    assert str(line["newfront"]) in after["sentence"]
                case "skunk":
                    assert before["front"] == after["front"] == [line["target"], line["loser"]]
                    assert (before["games"], after["games"]) == ([0, 0], [line["games"], 0])
                    assert str(line["games"]) in after["sentence"]
                    assert (shown["skunk"], shown["double_skunk"]) == (line["skunk"], line["double"])
                case _:
                    assert (shown["board"], after["front"][0]) == ("B", line["score"])
                    column = text(f"check.column.{line['column']}", lang)
                    assert all(
                        str(part) in after["sentence"]
                        for part in (line["score"], line["lap"], column, line["row"])
                    )


@pytest.mark.parametrize(
    ("pile", "code"),
    [
        ("9C 7C 8S 6S 7H 6H 5C 6D", "card-not-held"),
        ("7C 9C 8S 6S 6H 7H 5C 6D", "card-not-held"),
        ("7C 6H 7H 6S 8S 9C 5C 6D", "count-past-31"),
    ],
)
def test_a_play_in_another_order_is_refused(pile: str, code: str) -> None:
    """The rules refuse the cards in another order, because turns, goes or counts would differ."""
    example = next(example for example in examples().plays if example.id == "000-P1")
    with pytest.raises(IllegalAction) as refused:
        worked_examples.step_through(msgspec.structs.replace(example, played=pile), "en")
    assert refused.value.code == code


# ── On the page ──────────────────────────────────────────────────────────────────────────────────────────


def hand_steps(line: dict[str, Any]) -> list[Step]:
    """Return one press for each score of a hand."""
    hand = hand_of(line)
    scores = count_hand(asked(hand), "en").scores
    cards = [*hand.hand.split(), *([hand.starter] if hand.starter else [])]
    whole = {"#places [data-card]": len(cards), "#scores button": len(scores)}
    # The hand before must have gone, not only its number of cards.
    whole |= {f'#places [data-card="{card}"]': 1 for card in cards}
    steps = [Step(f'.example[data-id="{hand.id}"]', {"#total": str(hand.points)}, whole)]
    if scores:
        steps += [Step('[data-step="first"]', {}, {})]
    for score in scores:
        lit = {"#places .is-lit": len(score.cards)}
        steps += [Step('[data-step="next"]', {"#total": str(score.total)}, lit)]
    return steps


def opening(listed: str) -> str:
    """Return a selector whose press opens a list of steps and never closes it."""
    return f"{listed}[open], {listed}:not([open]) summary"


def play_steps(line: dict[str, Any]) -> list[Step]:
    """Return one press for each card of a play."""
    listed, steps = f'#play details[data-id="{line["id"]}"]', stepped(line, "en")["steps"]
    begun = {f"{listed}[open] li": len(steps), '#play [data-to="back"]:disabled': 1}
    presses = [Step(opening(listed), {}, begun)]
    for number, step in enumerate(steps, 1):
        texts = {f'#play [data-seat="{seat}"] b': str(score) for seat, score in enumerate(step["front"])}
        counts = {
            f'{listed} li:nth-child({number})[aria-current="step"]': 1,
            "#play [aria-current=step]": 1,
            "#play-cards [data-shown]": len(step["in_count"]),
            "#play-cards .is-lit": len(set(step["lit"])),
            '#play [data-to="next"]:disabled': int(number == len(steps)),
        }
        presses += [Step('#play [data-to="next"]', {**texts, "#play-count": str(step["count"])}, counts)]
    return presses


def board_steps(line: dict[str, Any]) -> list[Step]:
    """Return a press for each of the two steps of an example on the board."""
    listed, presses = f'#boards details[data-id="{line["id"]}"]', []
    steps = stepped(line, "en")["steps"]
    for number, step in enumerate(steps):
        pegs = {
            f'#boards .peg[data-peg="{which}"][data-side="{side}"][data-hole="{hole}"]': 1
            for which in ("front", "rear", "games")
            for side, hole in enumerate(step[which])
        }
        sentence = " ".join(step["sentence"].split())
        end = {'#boards [data-to="next"]:disabled': int(number == len(steps) - 1)}
        press = '#boards [data-to="next"]' if number else opening(listed)
        presses += [Step(press, {"#board-status": sentence}, {**pegs, **end})]
    return presses


STEPS = {
    "hands": (hand_steps, ("show", "part", "shape", "spoken")),
    "plays": (play_steps, ("play", "frag")),
    "boards": (board_steps, ("peg", "skunk", "boardB")),
}


@pytest.mark.parametrize("part", STEPS)
def test_every_example_is_stepped_through(live: Live, opened: Opened, part: str) -> None:
    steps_of, kinds = STEPS[part]
    page = opened(f"{live.http}/check?lang=en", size=PHONE, reduced_motion="reduce")
    steps = [step for line in LINES if line["kind"] in kinds for step in steps_of(line)]
    assert len(steps) > len([line for line in LINES if line["kind"] in kinds])
    step_through(page, steps)


def test_one_example_is_open_at_a_time(live: Live, opened: Opened) -> None:
    lang = "ja"
    page = opened(f"{live.http}/check?lang={lang}", lang=lang, size=PHONE)
    play = page.locator("#play")
    sentence = play.locator("#play-status")
    expect(sentence).to_have_text(text("check.play-begin", lang, name=text("check.play-pone", lang)))
    play.locator('details[data-id="003-P6"] summary').click()
    expect(play.locator("details[open]")).to_have_count(1)
    play.locator('details[data-id="003-P6"] li').last.click()
    expect(sentence).to_contain_text(text("name.double_pair_royal", lang).capitalize())
    play.locator('[data-to="back"]').click()
    expect(play.locator("#play-count")).to_have_text("6")
    expect(play.locator('[data-to="back"]')).to_be_focused()


def test_a_peg_walks_to_its_hole(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/check?lang=en")
    boards = page.locator("#boards")
    boards.locator('[data-to="next"]').click()
    front = boards.locator('.peg[data-peg="front"][data-side="0"]')
    expect(front).to_have_attribute("data-hole", "20")
    expect(boards.locator('[data-to="next"]')).to_be_disabled()
    # A press on Back ends the animation.
    page.clock.install()
    boards.locator('[data-to="back"]').click()
    boards.locator('[data-to="next"]').click()
    boards.locator('[data-to="first"]').click()
    page.clock.run_for(1500)
    expect(front).to_have_attribute("data-hole", "12")
