"""Files of other programs: notation and encoding are detected, games are read, and differences are named."""

import random

import pytest

from fifteentwo.formats import ImportedGame, read, read_all, read_one, write
from fifteentwo.i18n import LANGUAGES, refusal, text
from fifteentwo.i18n.catalogue import has_text
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.record import last_state
from fifteentwo.rules.record import write as write_record
from tests.formats.other_programs import HISTORIES, cribbage_zero, whole_games
from tests.formats.written_games import happenings

GAMES = whole_games(range(10))
ZERO = cribbage_zero(GAMES[0])
NAMES = {"Aiko": "André", "Ken": "Zoë"}
JAPANESE = {"Aiko": "愛子", "Ken": "ケン"}


def refused(data: bytes | str) -> NotationError:
    """Return why a file is refused; the reason has a sentence of one line in both languages."""
    with pytest.raises(NotationError) as error:
        read(data)
    for lang in LANGUAGES:
        sentence = refusal(error.value, lang)
        assert f"({error.value.code})" not in sentence, "it has a sentence of its own"
        assert "\n" not in sentence
        assert len(sentence) < 600
    return error.value


# ── cribbage-zero ────────────────────────────────────────────────────────────────────────────────────────


def test_a_game_of_cribbage_zero_is_read_whole(subtests: pytest.Subtests) -> None:
    for place in range(len(GAMES)):
        with subtests.test(place=place):
            game = read_one(cribbage_zero(GAMES[place]))
            assert game.format == "cribbage-zero"
            assert list(happenings(game.record)) == list(happenings(GAMES[place]))


def test_what_is_wrong_in_it_is_named_with_its_line(subtests: pytest.Subtests) -> None:
    for change, code, named in (
        ((" S1 ", " S1 9"), "points-disagree", "S1"),
        (("  SP ", "  SP 7 "), "points-disagree", "SP"),
        (("  SC ", "  SC x"), "not-points", "x"),
        (("  D1 ", "  D1 XX "), "word-not-a-card", "XX"),
        (("2.\n", "3.\n"), "deal-out-of-order", "3."),
        (("  C ", "  C ? "), "card-unknown", "?"),
        (("  P ", "  P 5"), "word-not-a-card", "5"),
        (("  C ", "  C AS "), "part-number", "C: 2"),
        (('[FirstPone "', '[FirstDealer "'), "line-twice", "FirstDealer"),
    ):
        with subtests.test(change=change, code=code):
            assert change[0] in ZERO
            wrong = ZERO.replace(*change, 1)
            error = refused(wrong)
            assert error.code == code
            assert named in error.text
            line = wrong.splitlines()[error.position - 1]
            assert any(line.startswith(start) for start in ("  ", "3.", "[")), "the line is that of the file"


def test_a_result_without_its_last_deal_is_noticed() -> None:
    cut = '[Result "1-0"]\n' + ZERO[: ZERO.rindex("\n\n")] + "\n"
    game = read_one(cut)
    assert last_state(game.record).won is None
    assert [notice.code for notice in game.notices] == ["last-deal-missing"]
    side = last_state(GAMES[0]).won
    assert side is not None
    wrong = f'[Result "{("0-1", "1-0")[side.side]}"]\n{ZERO}'
    assert [notice.code for notice in read_one(wrong).notices] == ["other-winner"]


# ── OpenSpiel ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_history_is_played_by_the_rules_and_each_difference_is_named(subtests: pytest.Subtests) -> None:
    for history in HISTORIES:
        with subtests.test(history=history):
            game = read_one(history.history)
            assert (game.format, game.record.rules.seats) == ("openspiel", history.players)
            assert sorted({notice.code for notice in game.notices}) == sorted(history.notices)
            state = last_state(game.record)
            sides = state.rules.sides
            if not history.notices:
                assert state.won is not None
                assert state.won.side == history.winner % sides
            if "counting-order" in history.notices:
                assert state.won is not None
                assert state.won.side != history.winner
            for notice in game.notices:
                for lang in LANGUAGES:
                    sentence = text(f"notice.{notice.code}", lang, line=notice.line, **notice.values)
                    assert "{" not in sentence
                    assert not sentence.startswith("notice.")


def test_a_history_is_read_in_every_way_it_is_printed(subtests: pytest.Subtests) -> None:
    for history in HISTORIES[:2] + HISTORIES[4:5]:
        with subtests.test(history=history):
            numbers = history.history.split(", ")
            record = read_one(history.history).record
            one_a_line = "\n".join(numbers)
            head = f"[Meta]\nVersion: 1\n\n[Game]\ncribbage(players={history.players})\n"
            stored = f"{head}[State]\n{one_a_line}\n\n"
            for written in (f"[{history.history}]", one_a_line, stored):
                assert read_one(written).record == record
            assert [game.record for game in read(stored + stored)] == [record, record]
            assert [game.record for game in read(f"{history.history}\n{history.history}\n")] == [
                record,
                record,
            ]


def test_a_move_that_openspiel_cannot_have_is_refused() -> None:
    numbers = HISTORIES[0].history.split(", ")
    for at, other, code in (
        (3, numbers[2], "deal-card-twice"),
        (12, "9999", "not-an-action"),
        (12, "5", "word-not-a-card"),
        (15, "2756", "pass-but-can-play"),
        (15, numbers[16], "card-out-of-turn"),
    ):
        error = refused(", ".join([*numbers[:at], other, *numbers[at + 1 :]]))
        assert (error.code, f"(#{at + 1})" in error.text) == (code, True)
    assert refused(HISTORIES[0].history + ", 1").code == "game-already-won"


def test_a_whole_playthrough_of_openspiel_is_read() -> None:
    """A playthrough prints each state with all legal actions before the action that was taken."""
    history = HISTORIES[0].history.split(", ")
    states = [
        f"# State {at}\nHistory() = [{', '.join(history[:at])}]\nLegalActions() = [0, 1, 2, 3, 4, 5]\n\n"
        f'# Apply action "x"\naction: {action}\n\n'
        for at, action in enumerate(history)
    ]
    written = f'\ngame: cribbage\n\nGameType.short_name = "cribbage"\n\n{"".join(states)}'
    assert read_one(written).record == read_one(HISTORIES[0].history).record
    wrong = written.replace(f"action: {history[12]}\n", "action: 9999\n", 1)
    assert wrong.splitlines()[refused(wrong).position - 1] == "action: 9999"


# ── Files ────────────────────────────────────────────────────────────────────────────────────────────────

ONE_GAME = {
    "record": write_record(GAMES[0]),
    "halscrib": write(GAMES[0], "halscrib"),
    "transcript": write(GAMES[0], "transcript"),
    "cribbage-zero": ZERO,
    "openspiel": HISTORIES[0].history + "\n",
}


def test_every_game_of_a_file_is_read_and_knows_its_line(subtests: pytest.Subtests) -> None:
    for notation in ONE_GAME:
        with subtests.test(notation=notation):
            one = ONE_GAME[notation]
            games = read(f"{one}\n{one}\n{one}")
            assert [game.record for game in games] == [read_one(one).record] * 3
            assert games[0].line == 1
            height = one.count("\n") + 1
            assert height <= games[1].line <= height + 3, "a transcript may begin with words of the writer"
            with pytest.raises(NotationError) as error:
                read_one(one + "\n" + one)
            assert error.value.code == "several-games"


def test_a_game_that_cannot_be_read_stops_no_other() -> None:
    one = ONE_GAME["halscrib"]
    wrong = one.replace("Deal  2: ", "Deal  2: XX ")
    data = f"{one}\n{wrong}\n{one}"
    found = read_all(data)
    assert [isinstance(game, ImportedGame) for game in found] == [True, False, True]
    error = found[1]
    assert isinstance(error, NotationError)
    assert "XX" in data.splitlines()[error.position - 1]


def test_the_encoding_is_found(subtests: pytest.Subtests) -> None:
    for encoding, mark, names in (
        ("utf-8", b"", JAPANESE),
        ("utf-8", b"\xef\xbb\xbf", JAPANESE),
        ("utf-16-le", b"\xff\xfe", JAPANESE),
        ("utf-16-be", b"\xfe\xff", JAPANESE),
        ("utf-16-le", b"", JAPANESE),
        ("utf-16-be", b"", NAMES),
        ("cp1252", b"", NAMES),
        ("cp932", b"", JAPANESE),
    ):
        with subtests.test(encoding=encoding, mark=mark, names=names):
            # Two notations with names: the words of a record are checked, the words of a transcript are not.
            for name in ("record", "transcript"):
                one = ONE_GAME[name]
                written = one.replace("Aiko", names["Aiko"]).replace("Ken", names["Ken"])
                written = written[: written.rindex("sum ")] if name == "record" else written
                data = mark + written.replace("\n", "\r\n").encode(encoding)
                game = read_one(data)
                assert game.record == read_one(written).record
                assert set(game.record.names) <= {"", *names.values(), *game.record.names[2:]}


# ── Attacks ──────────────────────────────────────────────────────────────────────────────────────────────


def test_two_notations_in_one_file_are_refused_where_the_second_begins() -> None:
    for first in ONE_GAME:
        for second in ONE_GAME:
            if first != second:
                error = refused(ONE_GAME[first] + "\n" + ONE_GAME[second])
                assert error.position > ONE_GAME[first].count("\n"), (first, second)


def test_damaged_files_are_refused_or_are_another_game(subtests: pytest.Subtests) -> None:
    for notation in ONE_GAME:
        with subtests.test(notation=notation):
            luck, data = random.Random(notation), ONE_GAME[notation].encode()
            for _ in range(12):
                at = luck.randrange(len(data))
                kind = luck.randrange(4)
                if kind == 0:
                    damaged = data[:at]
                elif kind == 1:
                    damaged = data[:at] + bytes([luck.randrange(256)]) + data[at + 1 :]
                elif kind == 2:
                    damaged = data[:at] + data[at : at + 40] + data[at:]
                else:
                    damaged = (
                        data[:at].replace(b"\n", luck.choice((b"\r", b"\r\n", b"\x85", b"\n\n"))) + data[at:]
                    )
                code = _code_of(damaged)
                assert not code or all(has_text(f"unreadable.{code}", lang) for lang in LANGUAGES), code


def _code_of(data: bytes) -> str:
    """Return the code of a refusal, or "" if all games are read."""
    try:
        games = read(data)
    except NotationError as error:
        return error.code
    assert all(write_record(game.record) for game in games)
    return ""


def test_noise_is_refused_in_one_sentence(subtests: pytest.Subtests) -> None:
    for data, code in (
        (b"", "not-a-known-format"),
        (b"\0" * 50, "nul-character"),
        (b"PONE (0): A\0iko\n", "nul-character"),
        (b"\xff\xfe\x00", "not-decoded"),
        (b"\x81\x20", "not-decoded"),
        (b"{" * 100, "not-a-known-format"),
        (b'{"type": "' * 100, "not-a-known-format"),
        (b"1\n" * 100, "deal-card-twice"),
        (b"1, " * 100, "not-a-known-format"),
        (b"[FirstDealer", "no-deals"),
        (b'1.\nH1 5H\n[FirstDealer "x"]', "part-number"),
    ):
        with subtests.test(data=data, code=code):
            assert refused(data).code == code


def test_ten_megabytes_of_noise_are_refused_at_once() -> None:
    noise = random.Random(1).randbytes(200_000)
    for data, code in (
        (noise * 50, "not-decoded"),
        (noise.hex().encode() * 25, "long-line"),
        (b"PONE (0): x\n" + b"5H-6S " * 1_500_000, "long-line"),
        (b"1\n" * 5_000_000, "too-many-lines"),
    ):
        assert refused(data).code == code
