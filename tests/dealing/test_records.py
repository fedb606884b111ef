"""Records are checked by `verify` and by the page's script, which share no code."""

from pathlib import Path

import pytest

from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.record import read, write
from fifteentwo.server.errors import DealingRefuted
from fifteentwo.server.table_log.proofs import verify_dealing
from tests.dealing.crooked import KINDS, resummed, tampered
from tests.dealing.games import FULL_LENGTH, VARIANTS, played
from tests.support.dealing_records import by_the_page, deals_of
from tests.support.errors import raises_code

A_DAY, ALL = FULL_LENGTH, 10_000
TAMPERED_A_DAY, TAMPERED_ALL = len(KINDS) * len(VARIANTS), 1_000
AT_A_TIME = 500


def verified(numbers: range, folder: Path) -> None:
    for begin in range(numbers.start, numbers.stop, AT_A_TIME):
        records = [played(number) for number in range(begin, min(begin + AT_A_TIME, numbers.stop))]
        written = [write(record) for record in records]
        for record, text in zip(records, written, strict=True):
            assert verify_dealing(read(text), record.commitment) >= deals_of(record)
        stated = list(
            by_the_page(
                ((text, record.commitment) for record, text in zip(records, written, strict=True)), folder
            )
        )
        assert len(stated) == len(records)
        for number, (record, one) in enumerate(zip(records, stated, strict=True), start=begin):
            assert one == {"deals": deals_of(record), "wrong": None, "deal": None, "seat": None}, number


def test_both_verifiers_accept_games_of_every_variant(tmp_path: Path) -> None:
    verified(range(A_DAY), tmp_path)


@pytest.mark.slow
def test_both_verifiers_accept_ten_thousand_games(tmp_path: Path) -> None:
    verified(range(A_DAY, A_DAY + ALL), tmp_path)


def refused_by_both(number_of_records: int, folder: Path) -> int:
    made: list[tuple[int, str, int | None]] = []
    number = 0
    while len(made) < number_of_records:
        if crooked := tampered(number):
            made.append((number, *crooked))
        number += 1
    stated = by_the_page(((text, "") for _, text, _ in made), folder)
    for (which, text, deal), one in zip(made, stated, strict=True):
        with pytest.raises(DealingRefuted) as error:
            verify_dealing(read(text))
        assert error.value.deal == deal, (which, error.value)
        assert one["wrong"], which
        assert one["deal"] == deal, (which, one)
        assert (error.value.seat, one["seat"]) == ((0, 0) if deal is None else (None, None)), which
    return len(made)


def test_both_verifiers_refuse_tampered_records_and_name_the_deal(tmp_path: Path) -> None:
    assert refused_by_both(TAMPERED_A_DAY, tmp_path) == TAMPERED_A_DAY


@pytest.mark.slow
def test_both_verifiers_refuse_a_thousand_tampered_records(tmp_path: Path) -> None:
    assert refused_by_both(TAMPERED_ALL, tmp_path) == TAMPERED_ALL


def test_both_verifiers_refuse_another_commitment_than_expected(tmp_path: Path) -> None:
    records = [played(number) for number in range(7)]
    for record in records:
        with raises_code(DealingRefuted, "another-commitment"):
            verify_dealing(record, "0" * 64)
    for one in by_the_page([(write(record), "0" * 64) for record in records], tmp_path):
        assert one["wrong"] == "another-commitment"


def test_both_verifiers_refuse_other_rules_of_dealing(tmp_path: Path) -> None:
    lines = write(played(0)).splitlines()[:-1]
    assert "dealing 1" in lines
    damaged = {
        "dealing 2": [line.replace("dealing 1", "dealing 2") for line in lines],
        "no rules": [line for line in lines if not line.startswith("dealing ")],
        "no commitment": [line for line in lines if not line.startswith("commitment ")],
    }
    texts = {name: resummed(changed) for name, changed in damaged.items()}
    for name, text in texts.items():
        with raises_code(NotationError, "dealing-unknown"):
            read(text)
        [one] = by_the_page([(text, "")], tmp_path)
        assert one["wrong"] == "unknown-rules", name
    alone = resummed([line for line in lines if not line.startswith("committed ")])
    with raises_code(NotationError, "no-such-seat"):
        read(alone)
    [one] = by_the_page([(alone, "")], tmp_path)
    assert one["wrong"] == "not-a-record"
