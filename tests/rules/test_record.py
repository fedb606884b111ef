"""Records: read back as written, and refused with one clear error if damaged, cut short or mangled."""

import contextlib
import json
import random
import re
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fifteentwo.i18n import languages, refusal
from fifteentwo.rules.actions import Action, Deal, Discard, Play, SeatAction
from fifteentwo.rules.cards import DECK, Card, cards
from fifteentwo.rules.errors import FifteenTwoError, IllegalAction, NotationError
from fifteentwo.rules.events import Event
from fifteentwo.rules.record import (
    MAX_NAME_LENGTH,
    Record,
    from_json,
    last_state,
    read,
    replay,
    to_json,
    to_plain,
    write,
)
from fifteentwo.rules.state import State, start
from fifteentwo.rules.variants import Rules, rules_for
from fifteentwo.rules.view import View, view
from tests.rules.golden_games import AGREED, FOLDER
from tests.rules.random_games import game, rules_of

KEPT = {path.stem: path.read_text("utf-8").partition("\n\n")[0] + "\n" for path in FOLDER.glob("*.txt")}
WHOLE = KEPT["half-game"]
WITHOUT_SUM = WHOLE[: WHOLE.rindex("sum ")]


def refused(text: str) -> NotationError:
    with pytest.raises(NotationError) as caught:
        read(text)
    return caught.value


def test_a_record_is_read_back_as_it_was_written(subtests: pytest.Subtests) -> None:
    for name in sorted(AGREED):
        with subtests.test(name=name):
            record = read(KEPT[name])
            assert write(record) == KEPT[name]
            assert record.rules == AGREED[name]
            assert [action for action, _, _ in replay(record)] == list(record.actions)


def test_every_unfinished_game_is_read_back_too() -> None:
    rules = rules_of(5)
    moments = list(game(5, rules))
    for many in range(0, len(moments), 7):
        record = Record(
            rules=rules,
            names=("A", "B", "C", "D")[: rules.seats],
            actions=tuple(m.action for m in moments[:many]),
        )
        again = read(write(record))
        assert again == record
        assert last_state(again) == (moments[many - 1].after if many else start(rules))


def test_a_commitment_and_a_named_dealer_are_kept() -> None:
    record = read(WHOLE)
    kept = msgspec.structs.replace(record, commitment="c0ffee", committed=("nothing", "computer"))
    assert read(write(kept)) == kept
    state = start(rules_for("six-card"), named=True)
    assert state.phase == "name-dealer"
    named = Record(rules=rules_for("six-card"), names=("Ann", "ボブ"), actions=(), named=True)
    assert read(write(named)) == named


def test_all_names_survive_writing_and_reading() -> None:
    for names in (("", ""), ("play 0 5H", "end"), ("Ann B. Cc", "四季 ♥"), ("sum 12", "seat 1 Bob")):
        record = Record(rules=rules_for("six-card"), names=names, actions=())
        assert read(write(record)).names == names
    # Line ends of every kind are no part of a name.
    for odd in ("a\nplay 0 5H", "a\u2028b", "a\x85b", "a\x0bb", "a\r\nb"):
        record = Record(rules=rules_for("six-card"), names=(odd, "Bob"), actions=())
        assert read(write(record)).names == (" ".join(odd.split()), "Bob")


def test_an_invalid_name_is_refused_and_shown_shortened() -> None:
    longest = Record(rules=rules_for("six-card"), names=("あ" * MAX_NAME_LENGTH, "Bob"), actions=())
    assert read(write(longest)).names == longest.names
    for name in ("x" * (MAX_NAME_LENGTH + 1), "x" * 1_000_000, "x " * 500_000):
        error = refused(write(msgspec.structs.replace(longest, names=("Ann", name))))
        assert error.code == "name-too-long"
        for lang in languages():
            stated = refusal(error, lang)
            assert len(stated) < 200
            assert str(MAX_NAME_LENGTH) in stated


def test_a_record_cut_anywhere_is_refused_or_whole() -> None:
    record = read(WHOLE)
    for end in range(len(WHOLE)):
        text = WHOLE[:end]
        whole_but_for_the_sum = text.rstrip("\n") in (WITHOUT_SUM.rstrip("\n"), WHOLE.rstrip("\n"))
        if whole_but_for_the_sum:
            assert read(text) == record
        else:
            assert refused(text).code in {
                "not-a-record",
                "record-cut-short",
                "end-does-not-agree",
                "record-damaged",
            }


def test_every_changed_letter_is_noticed() -> None:
    chooser = random.Random(1)
    for at in range(len(WHOLE) - 1):
        other = chooser.choice([letter for letter in "0123456789AKQshd \n" if letter != WHOLE[at]])
        refused(WHOLE[:at] + other + WHOLE[at + 1 :])


def test_without_the_sum_the_game_itself_is_checked() -> None:
    assert read(WITHOUT_SUM) == read(WHOLE)
    lines = WITHOUT_SUM.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("play"))
    wrong = [*lines]
    wrong[first] = wrong[first][:-2] + wrong[first + 1][-2:]
    error = refused("\n".join(wrong))
    assert (error.code, error.position) == ("action-refused", first + 1)
    assert isinstance(error.__cause__, IllegalAction)
    twice = refused("\n".join([*lines[: first + 1], *lines[first:]]))
    assert (twice.code, twice.position) == ("action-refused", first + 2)
    unreadable = refused("\n".join([*lines[:first], "play 0 1X", *lines[first + 1 :]]))
    assert (unreadable.code, unreadable.position) == ("not-an-action", first + 1)


def test_a_mangled_line_is_refused_and_named(subtests: pytest.Subtests) -> None:
    for pattern, line, code in (
        (r"^fifteentwo record 1", "fifteentwo record 2", "not-a-record"),
        (r"^fifteentwo record 1", "", "not-a-record"),
        (r"^variant .*", "variant seven-card", "rules-unreadable"),
        (r"^variant .*\n", "", "rules-unreadable"),
        (r"^target 61", "target 62", "rules-unreadable"),
        (r"^target 61", "target " + "9" * 5_000, "rules-unreadable"),
        (r"^target 61", "target yes", "rules-unreadable"),
        (r"^skunk no", "skunk 1", "rules-unreadable"),
        (r"^skunk no", "skunk maybe", "rules-unreadable"),
        (r"^muggins off", "muggins missed", "rules-unreadable"),
        (r"^start drawn", "start somehow", "start-unreadable"),
        (r"^start drawn\n", "", "start-unreadable"),
        (r"^start drawn", "start named", "action-refused"),
        (r"^start drawn", "start drawn\nstart drawn", "line-twice"),
        (r"^seat 1 Bob", "seat 0 Bob", "line-twice"),
        (r"^seat 1 Bob", "seat 2 Bob", "no-such-seat"),
        (r"^seat 1 Bob", "seat Bob", "no-such-seat"),
        (r"^seat 1 Bob", "seat 1 Bob\n\n", "not-an-action"),
        (r"^seat 1 Bob", "seat 1 Bob\n   ", "not-an-action"),
        (r"^cut (\d) \d+", r"cut \1 2", "action-refused"),
        (r"^cut (\d) \d+", r"cut \1 4444", "not-an-action"),
        (r"^cut (\d) \d+", r"cut \1", "not-an-action"),
        (r"^cut (\d) \d+", r"cut \1 ٤", "not-an-action"),
        (r"^cut (\d) \d+", r"cut -1 20", "not-an-action"),
        (r"^discard (\d) (..) (..)", r"discard \1 \2 \2", "action-refused"),
        (r"^discard (\d) (..) (..)", r"discard \1", "action-refused"),
        (r"^discard (\d) (..) (..)", r"discard", "not-an-action"),
        (r"^deal ..", "deal", "action-refused"),
        (r"^play 0 ..", "go 0", "action-refused"),
        (r"^play 0 ..", "play 0 5H 6H", "not-an-action"),
        (r"^play 0 ..", "dance 0", "not-an-action"),
        (r"^play 0 ..", "secret 0", "not-an-action"),
        (r"^play 0 ..", "variant six-card", "not-an-action"),
        (r"^end \d+", "end 1", "end-does-not-agree"),
        (r"won$", "unfinished", "end-does-not-agree"),
        (r"won$", "won\nplay 0 5H", "record-cut-short"),
        (r"^end", "\nend", "not-an-action"),
    ):
        with subtests.test(pattern=pattern, line=line, code=code):
            text, changed = re.subn(pattern, line, WITHOUT_SUM, count=1, flags=re.MULTILINE)
            assert changed == 1
            error = refused(text)
            assert error.code == code
            assert error.position >= 1


def test_text_that_is_not_a_record_is_refused_at_its_first_line(subtests: pytest.Subtests) -> None:
    for text in ("", "\n", " ", "\ufeff", "hello", "\x00", "{}", "sum 1", "end 0", "\ud800"):
        with subtests.test(text=text):
            error = refused(text)
            assert (error.code, error.position) == ("not-a-record", 1)


def test_odd_letters_do_no_harm() -> None:
    assert read("\ufeff" + WHOLE.replace("\n", "\r\n")) == read(WHOLE)
    refused(WHOLE.replace("Ann", "A\ud800nn"))
    refused(WHOLE.replace("Ann", "A\x00nn"))


LINES = WITHOUT_SUM.splitlines()
WORDS = ["0", "1", "9", "-1", "5H", "yes", "seat", "play", "end", "sum", "deal"]


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_changed_lines_are_read_or_refused(data: st.DataObject) -> None:
    lines = list(LINES)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        match data.draw(st.sampled_from(["drop", "double", "swap", "word", "text"])):
            case "drop":
                del lines[at]
            case "double":
                lines.insert(at, lines[at])
            case "swap":
                other = data.draw(st.integers(0, len(lines) - 1))
                lines[at], lines[other] = lines[other], lines[at]
            case "word":
                words = lines[at].split()
                if words:
                    words[data.draw(st.integers(0, len(words) - 1))] = data.draw(
                        st.sampled_from(
                            ["0", "1", "9", "-1", "5H", "yes", "seat", "play", "end", "sum", "deal"]
                        )
                    )
                lines[at] = " ".join(words)
            case _:
                lines[at] = data.draw(st.text(max_size=12))
    record = refusal = None
    try:
        record = read("\n".join(lines))
    except NotationError as error:
        refusal = error
    if record is not None:
        assert read(write(record)).actions == record.actions
    else:
        assert refusal is not None
        assert refusal.position >= 1


@given(st.text())
@settings(max_examples=100, deadline=None)
def test_r6_any_text_is_a_card_or_refused(text: str) -> None:
    with contextlib.suppress(NotationError):
        assert Card(text) in DECK
    with contextlib.suppress(NotationError):
        assert len(set(cards(text))) == len(cards(text))


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_everything_goes_through_json_unchanged() -> None:
    any_action: Any = Action
    any_event: Any = Event
    for number in (0, 3, 11):
        moments = list(game(number))
        for moment in moments:
            assert from_json(to_json(moment.action), any_action) == moment.action
            for event in moment.events:
                assert from_json(to_json(event), any_event) == event
        last = moments[-1].after
        values: tuple[tuple[Any, object], ...] = ((State, last), (View, view(last, 1)), (Rules, last.rules))
        for kind, value in values:
            assert from_json(to_json(value), kind) == value
            assert isinstance(to_plain(value), dict)


def test_actions_that_are_not_a_seats_are_refused(subtests: pytest.Subtests) -> None:
    for text in (
        b"",
        b"{",
        b"null",
        b"[]",
        b"\xff\xfe",
        b'{"type":"Dance","seat":0}',
        b'{"seat":0,"card":"5H"}',
        b'{"type":"Play","seat":0}',
        b'{"type":"Play","seat":0,"card":"1X"}',
        b'{"type":"Play","seat":0,"card":5}',
        b'{"type":"Play","seat":0,"card":null}',
        b'{"type":"Play","seat":0,"card":["5H"]}',
        b'{"type":"Play","seat":"0","card":"5H"}',
        b'{"type":"Play","seat":0.5,"card":"5H"}',
        b'{"type":"Play","seat":true,"card":"5H"}',
        b'{"type":"Play","seat":0,"card":"5H","also":1}',
        b'{"type":"Play","seat":1e999,"card":"5H"}',
        b'{"type":"Discard","seat":0,"cards":"5H 6H"}',
        b'{"type":"Discard","seat":0,"cards":["5H",null]}',
        b'{"type":"Play","seat":0,"card":"\\ud800"}',
        b'{"type":"Deal","cards":["5H"]}',
        b'{"type":"TurnUp","card":"5H"}',
        b'{"type":"NameDealer","dealer":0}',
        b"[" * 100_000,
        b'{"type":' * 5_000,
    ):
        with subtests.test(text=text):
            seat_action: Any = SeatAction
            with pytest.raises(FifteenTwoError):
                from_json(text, seat_action)


def test_json_of_cards_is_text() -> None:
    assert to_json(Play(0, Card("TH"))) == b'{"type":"Play","seat":0,"card":"TH"}'
    act_on = Discard(1, cards("5H 6C"))
    assert json.loads(json.dumps(to_plain(act_on))) == json.loads(to_json(act_on))
    assert to_plain(act_on)["cards"] == ("5H", "6C")
    assert from_json('{"type":"Deal","cards":["10H","♠A"]}', Deal) == Deal(cards("TH AS"))
    with pytest.raises(TypeError):
        to_json(object())
