"""`fifteentwo verify`: its exit status and the deal that it names, in both languages."""

import json

import pytest

from fifteentwo.rules.record import write
from tests.dealing.crooked import tampered
from tests.dealing.games import played
from tests.support.command_runs import run


def test_a_record_with_the_expected_commitment_is_verified() -> None:
    record = played(0)
    result = run("verify", "-", "--expected", record.commitment, "--json", given=write(record))
    assert result.exit_code == 0
    assert json.loads(result.stdout)["verified"] is True


def test_a_record_with_another_commitment_than_expected_fails(lang: str) -> None:
    result = run("verify", "-", "--expected", "0" * 64, "--lang", lang, given=write(played(0)))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "000000" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(("lang", "deal"), [("en", "Deal {n}"), ("ja", "第{n}ディール")])
def test_the_wrong_deal_is_named(lang: str, deal: str) -> None:
    text, number = next(one for one in map(tampered, range(0, 800, 8)) if one)
    result = run("verify", "-", "--lang", lang, given=text)
    assert result.exit_code == 1
    assert deal.format(n=number) in result.stderr
