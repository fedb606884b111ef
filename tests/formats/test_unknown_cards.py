"""Games whose writer left out cards: `?` for a card that nobody saw or wrote down."""

import json
import random
import re
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

import fifteentwo as ft
from fifteentwo.cli import main
from fifteentwo.formats import CannotBeWritten, ImportedGame, document, read, read_all, read_one, write
from fifteentwo.i18n import LANGUAGES, refusal
from fifteentwo.i18n.replay import replay_text
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.record import Record, last_state, unseen
from fifteentwo.rules.record import read as read_record
from fifteentwo.rules.record import write as write_record
from tests.formats.test_transcript import BLOCK
from tests.formats.written_games import Happening, happenings, written_game
from tests.support.errors import raises_code


def of_chance(number: int) -> Record:
    return replace(written_game(number), names=("Aiko", "Ken"))


GAMES = tuple(game for number in range(14) if unseen(game := of_chance(number)))
"""Games whose last deal has cards that were neither played nor shown."""
WHOLE = write(GAMES[0], "transcript")


def with_open(text: str, cards: frozenset[Card], sign: str = "?") -> str:
    """Return the text with unknown signs for these cards of its last deal."""
    at = max(text.rfind("PONE"), text.rfind("\nDeal"))
    signs = "|".join(card.text for card in cards)
    return text[:at] + re.sub(rf"\b(?:{signs})\b", sign, text[at:], flags=re.IGNORECASE)


def shown(game: Record) -> list[Happening]:
    """Return everything seen in a game: all but the discards of its last deal."""
    seen = list(happenings(game, first_pone=True))
    last = max(place for place, one in enumerate(seen) if one[0] == "discarded")
    return seen[:last] + seen[last + 1 :]


def refused(error: NotationError) -> tuple[str, int]:
    for lang in LANGUAGES:
        assert f"{error.code})" not in refusal(error, lang), "it has a sentence of its own"
    return error.code, error.position


def test_cards_that_no_one_saw_may_be_left_out(subtests: pytest.Subtests) -> None:
    for game in GAMES[::2]:
        with subtests.test(game=game):
            cards = unseen(game)
            text = with_open(write(game, "transcript"), cards)
            read_game = read_one(text)
            assert len(read_game.record.unknown) == len(cards)
            assert not {*read_game.record.unknown} & {*last_seen(game)}
            assert shown(read_game.record) == shown(game)
            assert [notice.code for notice in read_game.notices] == ["cards-unknown"]
            assert write(read_game.record, "transcript") == text
            assert read_record(write_record(read_game.record)) == read_game.record
            assert document.read(document.write(read_game.record)) == read_game.record


def last_seen(game: Record) -> list[Card]:
    state = last_state(game)
    dealt = [card for hands in (state.kept, state.discarded) for hand in hands for card in hand]
    return [card for card in dealt if card not in unseen(game)]


def test_halscrib_may_leave_out_unseen_cards(subtests: pytest.Subtests) -> None:
    for game, sign in product(GAMES[::3], ("?", "??")):
        with subtests.test(game=game, sign=sign):
            read_game = read_one(with_open(write(game, "halscrib"), unseen(game), sign)).record
            assert len(read_game.unknown) == len(unseen(game))
            assert list(happenings(read_game))[-1] == list(happenings(game))[-1]
            with raises_code(CannotBeWritten, "format-unknown"):
                write(read_game, "halscrib")


def test_some_unknown_cards_and_suits_may_be_left_out() -> None:
    luck = random.Random(4)
    for game in GAMES[::3]:
        some = frozenset(luck.sample(sorted(unseen(game)), luck.randint(1, len(unseen(game)))))
        text = with_open(write(game, "transcript"), some)
        assert len(read_one(text).record.unknown) == len(some)
        bare = re.sub(r"(?<=[A2-9TJQK])[SHDC]\b", "", text)
        filled = read_one(bare, fill_suits=True)
        assert len(filled.record.unknown) == len(some)
        assert filled.suits_added == 13 * text.count("PONE") - len(some)


def test_a_game_with_unknown_cards_is_described_and_not_reviewed() -> None:
    game = read_one(with_open(WHOLE, unseen(GAMES[0]))).record
    last = list(replay_text(game, "en"))[-40:]
    assert sum(line.count("?") for line in last) == 2 * len(game.unknown) - sum(
        card in hand for hand in last_state(game).kept for card in game.unknown
    )
    with pytest.raises(NotationError) as error:
        ft.review(ft.Record.of(game))
    assert refused(error.value) == ("review-needs-cards", WHOLE.count("PONE"))


def test_a_card_that_counts_ends_the_game_before_its_deal() -> None:
    heads = [match.start() for match in re.finditer("PONE", WHOLE)]
    for change in (r"^cut: \w\w", r"^play: \w\w", r"^crib: .*", r"^\w\w-\w\w-\w\w-\w\w  \(.*"):
        block = WHOLE[heads[2] : heads[3]]
        kind = change.split(":")[0].strip("^")
        left_out = {"cut": "cut: ?", "play": "play: ?", "crib": "crib: ?-? ?-?"}.get(kind, "?-?-?-?  (?-?)")
        broken = re.sub(change, left_out, block, flags=re.MULTILINE)
        if kind == "crib":
            broken = re.sub(r"\(\w\w-\w\w\)$", "(?-?)", broken, flags=re.MULTILINE)
        text = WHOLE[: heads[2]] + broken + WHOLE[heads[3] :]
        (one,) = read_all(text)
        assert isinstance(one, ImportedGame)
        assert one.stopped is not None
        line = next(n for n, one in enumerate(text.splitlines(), 1) if "?" in one)
        assert refused(one.stopped) == ("card-unknown", line)
        assert list(happenings(one.record)) == list(happenings(read_one(WHOLE[: heads[2]]).record))
        with raises_code(NotationError, "card-unknown"):
            read(text)


def test_a_card_of_a_hand_that_was_played_is_found_there() -> None:
    whole = list(happenings(read_one(BLOCK).record))
    for written, left_out in (("7D-JC  (", "7D-?  ("), ("(QH-2S)", "(?-2S)"), ("5H-6S-7D-JC", "?-?-?-?")):
        assert list(happenings(read_one(BLOCK.replace(written, left_out)).record)) == whole
    with raises_code(NotationError, "card-unknown"):
        read_one(BLOCK.replace("7D-JC  (", "7D-?  (").replace("9C-AS", "?-AS"))


def test_a_record_says_only_of_cards_that_no_one_saw_that_they_are_unknown(subtests: pytest.Subtests) -> None:
    for line in ("AS AS", "xx", ""):
        with subtests.test(line=line):
            game = GAMES[0]
            card = last_state(game).played[0][1].text
            for cards in (line, card, GAMES[0].actions[0]):
                text = re.sub(r"^end ", f"unknown {cards}\nend ", write_record(game), flags=re.MULTILINE)
                if not str(cards):
                    continue
                with pytest.raises(NotationError) as error:
                    read_record(text[: text.rindex("sum ")])
                assert refused(error.value)[0] == "unknown-cards-wrong"
            with raises_code(NotationError, "unknown-cards-wrong"):
                document.read(document.write(replace(game, unknown=(Card(card),))))


def test_the_commands_read_as_far_as_they_can(tmp_path: Path) -> None:
    whole, part = tmp_path / "whole.txt", tmp_path / "part.txt"
    whole.write_text(with_open(WHOLE, unseen(GAMES[0])), "utf-8")
    before, _, last = WHOLE.rpartition("cut: ")
    part.write_text(f"{before}cut: ?{last[2:]}", "utf-8")
    run = CliRunner().invoke
    done = run(main, ("import", str(whole)))
    assert (done.exit_code, "unknown " in done.stdout) == (0, True)
    assert "?" in run(main, ("replay", str(whole))).stdout
    assert run(main, ("review", str(whole))).exit_code == 1
    stopped = json.loads(run(main, ("import", "--json", str(part))).stdout)["stopped"]
    line = next(n for n, one in enumerate(part.read_text("utf-8").splitlines(), 1) if "?" in one)
    assert stopped == {"code": "card-unknown", "line": line}
    for command in ("import", "replay", "review"):
        refused_at = run(main, (command, str(part)))
        assert (refused_at.exit_code, f"Line {line}" in refused_at.stderr) == (1, True)
        assert bool(refused_at.stdout) == (command != "review")
    with raises_code(NotationError, "card-unknown"):
        ft.Record.load(part)
    assert ft.Record.load(whole).unknown
