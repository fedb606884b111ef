"""HALSCRIB's notation as people write it: games that are read, incomplete or refused."""

import pytest

from fifteentwo.formats import CannotBeWritten, read_one, write
from fifteentwo.i18n import LANGUAGES, refusal
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.events import Claimed, ClaimSettled
from fifteentwo.rules.record import Record, last_state, replay
from fifteentwo.rules.variants import Muggins, rules_for
from tests.formats.written_games import happenings, written_game
from tests.support.careless_games import careless
from tests.support.errors import raises_code

DEAL = "Deal 1: 4D TC 8s 3H 8d AH 9d 3C 2c 2S 8H 6d 2d"
HEAD = "Player A: Aiko (UPPER CASE)\nPlayer B: Ken (lower case)\nMuggins Game: N\n"


def refused(text: str) -> tuple[str, int]:
    with pytest.raises(NotationError) as error:
        read_one(text)
    for lang in LANGUAGES:
        stated = refusal(error.value, lang)
        assert "other" not in error.value.code
        assert f"{error.value.code})" not in stated, "it has a sentence of its own"
        assert str(error.value.position) in stated or error.value.code == "no-deals"
    return error.value.code, error.value.position


def test_a_sheet_filled_in_by_hand_is_read() -> None:
    by_hand = (
        "PGN for CRIBBAGE\n\nPortable Game Notation for a Game of Cribbage\n"
        "Player A:  Aiko ________ (UPPER CASE)\nPlayer B: __________ (lower case)\n"
        "Date: 03 / 06 / 19 (yy/mm/dd)\nEvent: club night\nMuggins Game:  Y / N\n"
        "Deal  1:   4d 10C s8 3H d8 AH 9d C3 2c 2S 8H 6d 2d _____\n"
        "Deal  2:   __  __  __  __  __  __  __  __  __  __  __  __  __  __  __  _____\n"
    )
    brought = read_one(by_hand)
    assert brought.format == "halscrib"
    assert brought.record == read_one(HEAD.replace("Aiko", "Aiko ________").replace("Ken", "") + DEAL).record


def test_what_is_wrong_is_named_with_its_line(subtests: pytest.Subtests) -> None:
    for text, code, line in (
        (HEAD, "no-deals", 3),
        (HEAD + DEAL.replace("TC", "TX"), "word-not-a-card", 4),
        (HEAD + DEAL.replace(" TC", ""), "halscrib-thirteen", 4),
        (HEAD + DEAL + " 5H", "halscrib-thirteen", 4),
        (HEAD + DEAL.replace("TC", "Tc"), "halscrib-four-each", 4),
        (HEAD + DEAL.replace("TC", "3C"), "deal-card-twice", 4),
        (HEAD + DEAL.replace("4D", "TC"), "deal-card-twice", 4),
        (HEAD + DEAL.replace("8s 3H", "3H 8s"), "card-out-of-turn", 4),
        (HEAD + DEAL.replace("1:", "2:"), "deal-out-of-order", 4),
        (HEAD + "Deal 1: __ __\n" + DEAL.replace("1:", "2:"), "deal-left-out", 5),
        (HEAD + f"{DEAL}\n{DEAL.replace('1:', '2:')}", "dealer-does-not-alternate", 5),
        (HEAD + DEAL + "\nhe won", "line-not-known", 5),
        (HEAD + "Muggins: N\n" + DEAL, "line-twice", 4),
        (HEAD.replace(": N", ": maybe") + DEAL, "yes-or-no", 3),
        (HEAD.replace("Muggins Game: N\n", "") + DEAL.replace("8d", "8d <2"), "muggins-not-said", 3),
        (HEAD + DEAL.replace("8d", "8d #2"), "over-without-muggins", 4),
        (HEAD + DEAL.replace("8d", "8d >2"), "mark-penalty", 4),
        (HEAD + DEAL.replace("8d", "8d R2"), "mark-violation", 4),
        (HEAD + DEAL.replace("8d", "8d r2"), "mark-violation", 4),
        (HEAD + DEAL + " <2", "mark-not-in-play", 4),
        (HEAD + DEAL.replace("4D", "4D <2"), "mark-not-in-play", 4),
        (HEAD + DEAL.replace("8d", "8d <1 <1"), "mark-twice", 4),
        (HEAD + DEAL.replace("8d", "8d <0"), "mark-twice", 4),
        (HEAD + DEAL.replace("TC", "TC <2"), "more-missed-than-made", 4),
        ("", "not-a-known-format", 1),
        ("\n\nhello\n", "not-a-known-format", 3),
    ):
        with subtests.test(text=text, code=code, line=line):
            assert refused(text) == (code, line)


def test_no_deal_follows_the_end_of_a_game() -> None:
    lines = write(written_game(0), "halscrib").splitlines()
    last = len(lines)
    number = int(lines[-1][4:7]) + 1
    again = lines[-2].partition(": ")[2]
    assert refused("\n".join([*lines, f"Deal {number}: {again}"])) == ("game-already-won", last + 1)


# ── Muggins ──────────────────────────────────────────────────────────────────────────────────────────────


def test_points_missed_and_taken_come_back(subtests: pytest.Subtests) -> None:
    for muggins in list(Muggins):
        with subtests.test(muggins=muggins):
            wrong = 0
            for number in range(4):
                game = careless(number, muggins)
                text = write(game, "halscrib")
                back = read_one(text).record
                assert list(happenings(back)) == list(happenings(game))
                assert last_state(back).front == last_state(game).front
                assert write(back, "halscrib") == text
                settled = [
                    event
                    for _, _, events in replay(game)
                    for event in events
                    if isinstance(event, ClaimSettled)
                ]
                wrong += sum(event.claimed != event.right for event in settled)
                if back.rules.claimed:
                    stated = [
                        e.points for _, _, events in replay(back) for e in events if isinstance(e, Claimed)
                    ]
                    assert stated == [
                        e.points for _, _, events in replay(game) for e in events if isinstance(e, Claimed)
                    ]
            assert wrong > 3


def test_a_wrong_claim_without_a_sign_is_not_written() -> None:
    for number in range(3):
        with raises_code(CannotBeWritten, "format-claim"):
            write(careless(number, Muggins.MISSED, in_the_show=True), "halscrib")
        with raises_code(CannotBeWritten, "format-claim"):
            write(careless(number, Muggins.MISSED), "transcript")


def test_other_variants_and_unfinished_deals_are_not_written(subtests: pytest.Subtests) -> None:
    for format_name in ("halscrib", "transcript"):
        with subtests.test(format_name=format_name):
            for other in ("five-card", "three-handed", "partners", "four-handed"):
                with raises_code(CannotBeWritten, "format-six-card-only"):
                    write(written_game(1, rules_for(other)), format_name)
            game = written_game(1)
            whole = cut = 0
            for number in range(0, 60, 2):
                begun = Record(rules=game.rules, names=game.names, actions=game.actions[:number])
                code, text = _written(begun, format_name)
                cut += bool(code)
                if not code:
                    whole += 1
                    turned = format_name == "transcript"
                    assert list(happenings(read_one(text).record)) == list(
                        happenings(begun, first_pone=turned)
                    )
            assert cut > 5
            assert whole


def _written(game: Record, format_name: str) -> tuple[str, str]:
    try:
        return "", write(game, format_name)
    except CannotBeWritten as error:
        stated = [refusal(error, lang) for lang in LANGUAGES]
        return "" if any(error.code in one for one in stated) else error.code, ""


def test_muggins_is_as_strong_as_its_marks(subtests: pytest.Subtests) -> None:
    for stated, mark, muggins in (
        ("N", "", Muggins.OFF),
        ("Y", "", Muggins.MISSED),
        ("Y", " #2", Muggins.MISSED_AND_OVERCLAIMS),
    ):
        with subtests.test(stated=stated, mark=mark, muggins=muggins):
            head = HEAD.replace("Game: N", f"Game: {stated}")
            assert read_one(head + DEAL.replace("TC", f"TC{mark}")).record.rules.muggins is muggins
