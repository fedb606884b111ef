"""Allowed usernames and passphrases, and names that count as equal."""

import pytest

from fifteentwo.server.errors import Refused
from fifteentwo.server.people.usernames import check_passphrase, check_username, look_key, similarity_key
from tests.support.errors import raises_code


def test_a_name_is_kept_as_people_write_it(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, str]] = [
        ("  Aiko  ", "Aiko"),
        ("あいこ", "あいこ"),
        ("ＡＩＫＯ", "AIKO"),
        ("愛子 ２世", "愛子 2世"),
        ("Léa-Zoë", "Léa-Zoë"),
        ("Иван", "Иван"),
        ("ｹﾝ", "ケン"),
        ("Ken・健", "Ken・健"),
    ]
    for written, kept in cases:
        with subtests.test(written=written, kept=kept):
            assert check_username(written) == kept
            assert check_username(kept) == kept


def test_invisible_and_reserved_usernames_are_refused(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, str]] = [
        ("", "name-length"),
        ("A", "name-length"),
        ("A" * 25, "name-length"),
        ("㍿" * 7, "name-length"),
        ("Ai\u200bko", "name-signs"),
        ("Ai\u202eko", "name-signs"),
        ("Ai\u2060ko", "name-signs"),
        ("Aiko\x00", "name-signs"),
        ("A\ud800ko", "name-signs"),
        ("Ai<ko", "name-signs"),
        ("--", "name-signs"),
        ("a\u0301\u0302\u0303\u0304", "name-signs"),
        ("Аiko", "name-scripts"),
        ("αlpha", "name-scripts"),
        ("Aik٠", "name-scripts"),
        ("Aik০", "name-scripts"),
        ("ken\u0ebc", "name-scripts"),
        ("Guest", "name-taken"),
        ("ゲスト", "name-taken"),
        ("MASTER", "name-taken"),
    ]
    for written, code in cases:
        with subtests.test(written=written, code=code):
            with pytest.raises(Refused) as refused:
                check_username(written)
            assert refused.value.code == code


def test_usernames_contain_no_invisible_characters(subtests: pytest.Subtests) -> None:
    for written in [
        *("Ai\u034fko", "Aiko\ufe0f", "A\U000e0101iko", "Ken\u17b5"),
        *("\u3164\u3164", "\uffa0\uffa0", "김철수\u3164", "\u115f김철수"),
    ]:
        with subtests.test(written=written), raises_code(Refused, "name-signs"):
            check_username(written)


def test_scripts_that_imitate_latin_letters_are_refused(subtests: pytest.Subtests) -> None:
    for written in ["ꓗꓰꓠ", "ⲔⲈⲚ", "ᎢᏆᎷ", "ᴀɪᴋᴏ", "ǀlse", "ʼʼ", "a\u20ddbc", "𐌊𐌄𐌍"]:
        with subtests.test(written=written), raises_code(Refused, "name-signs"):
            check_username(written)


def test_names_of_scripts_in_wide_use_are_kept(subtests: pytest.Subtests) -> None:
    for written in ["김철수", "สมชาย", "नीता", "محمد ٢", "דוד", "Ɛsɛ", "Đặng", "佐々木〇", "ძმა", "Ёжик"]:
        with subtests.test(written=written):
            assert check_username(written) == written


def test_names_that_look_alike_have_one_key(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, str]] = [
        ("Aiko", "AIKO"),
        ("Aiko", "Ａｉｋｏ"),
        ("Ivan", "lvan"),
        ("Oto", "0t0"),
        ("Ken B", "Ken_B"),
        ("cop", "сор"),
        ("エノ", "工ノ"),
        ("straße", "STRASSE"),
        ("MAX", "ΜΑΧ"),
        ("HANA", "ΗΑΝΑ"),
        ("Aiko", "Ai\u0307ko"),
        ("Aiko", "Aıko"),
        ("Aiko", "Aik〇"),
        ("Barney", "Bamey"),
        ("uno", "սոօ"),
        ("Boë", "Воё"),
        ("チカ", "千力"),
        ("アイコ", "ァィコ"),
    ]
    for one, other in cases:
        with subtests.test(one=one, other=other):
            assert look_key(one) == look_key(other)


def test_different_names_have_different_keys() -> None:
    names = [
        *(
            "Aiko",
            "Aika",
            "あいこ",
            "アイコ",
            "一郎",
            "二郎",
            "郎",
            "Ken1",
            "Ken2",
            "Anna",
            "Ana",
            "かき",
            "がき",
            "Zoe",
        ),
        "Zoë",
    ]
    assert len({look_key(name) for name in names}) == len(names)


def test_a_passphrase_of_ten_characters_is_accepted(subtests: pytest.Subtests) -> None:
    for written in [
        "ながいあいことばです",
        "a B c x D e",
        "Password of mine",
        "1357924680",
        "muggins by the sea",
        "xyz!?" * 200,
    ]:
        with subtests.test(written=written):
            assert check_passphrase(written, "Aiko") == written


def test_a_passphrase_is_the_same_from_every_keyboard() -> None:
    assert check_passphrase("ｈｏｒｓｅ　ｓｈｏｅ", "Aiko") == "horse shoe"


@pytest.mark.parametrize(
    ("written", "code"), [("horseshoe", "passphrase-short"), ("xyz!?" * 200 + "x", "passphrase-long")]
)
def test_a_passphrase_of_another_length_is_refused(written: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        check_passphrase(written, "Aiko")
    assert refused.value.code == code


def test_a_passphrase_that_is_guessed_first_is_refused(subtests: pytest.Subtests) -> None:
    for written in [
        *("aaaaaaaaaa", "          ", "ababab abab", "1234567890", "9876543210", "1234512345", "qwertyuiop"),
        *("abcdefghij", "1q2w3e4r5t", "1qaz2wsx3e", "abcde12345", "12qwerty34"),
        *(
            *("password1!", "P4$$w0rd12", "drowssap99", "liverpool1", "Cribbage!!", "passwordpassword"),
            "パスワード12345",
        ),
        *("aiko199012", "A I K O 1 9 9 0 1 2", "123aiko456", "A1ko!!!!!!"),
    ]:
        with subtests.test(written=written), raises_code(Refused, "passphrase-easy"):
            check_passphrase(written, "Aiko")


def test_similar_usernames_share_a_key(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, str]] = [
        ("Mia-Ben", "miaben"),
        ("Mia-Ben", "M1a Ben"),
        ("Mia–Ben", "MiaBen"),
        ("ラ-メン", "ラーメン"),
        ("A-iko", "Aiko"),
    ]
    for one, other in cases:
        with subtests.test(one=one, other=other):
            assert similarity_key(one) == similarity_key(other)


@pytest.mark.parametrize(("one", "other"), [("Mia", "Mio"), ("ラーメン", "ラメン"), ("健一郎", "健郎")])
def test_other_usernames_have_different_similarity_keys(one: str, other: str) -> None:
    assert similarity_key(one) != similarity_key(other)
