"""Words that passwords are made of that are tried first, and whether one is made of nothing else.

A short list of our own: the words that head every published list of leaked passwords, and those of this game.
With figures for letters, figures and signs around them or between, two of them together, written backwards,
and keys in their order, it stands for millions.
"""

import re

_MOST_WORDS = 2
"""So many of them, one after another, are still tried early."""
_ENDS = "0123456789!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ "
_FIGURES = str.maketrans("01345789@$!|l+", "oieastbgasiiit")
"""Figures and signs that stand for letters; i, l and 1 are one."""
_LISTED = """
password passw passwd pass passphrase qwerty qwertz azerty qwert asdf zxcvbn abc abcd letmein welcome
iloveyou iloveu love loveme lovely lover sunshine princess football baseball basketball soccer hockey
superman batman spiderman starwars trustno whatever nothing something anything monkey dragon master shadow
michael jennifer jordan harley hunter ranger buster thomas robert killer charlie andrew michelle jessica
pepper daniel access joshua maggie silver william dallas yankees ashley hello freedom nicole matthew amanda
summer winter spring autumn cookie ginger flower flowers corvette mustang ferrari porsche camaro yamaha
austin merlin diamond computer internet windows orange banana apple cherry chelsea liverpool arsenal
barcelona pokemon pikachu naruto samsung nokia google facebook secret admin administrator login guest root
user test tester testing changeme default server system phoenix cheese chocolate purple yellow hannah
maverick tigger tiger eagle falcon london paris peanut scooter angel angels junior sparky matrix madison
taylor anthony jasmine brandon rainbow butterfly sakura tokyo osaka kyoto japan nippon nihon doraemon hanako
taro tarou arigato arigatou konnichiwa happy lucky friends friend family forever mother father sister
brother baby babygirl crystal heaven jesus christ blessed money bailey bear bigdaddy boomer chicken coffee
cowboy cowboys david fender george gandalf guitar hammer heather iceman james john justin kitty knight
lakers lauren loveyou marina martin melissa midnight mickey minnie morgan music natasha newyork oliver
panther patrick player prince rachel raiders rocket samantha samuel scorpion simple slayer snoopy spider
steelers sunday monday friday thunder tiffany tigers tucker victoria vincent wizard zaq xsw letme trust game
games gamer card cards cribbage crib cribs fifteen fifteentwo two muggins skunk skunks nobs nob heels
pegging peg pegs pone dealer starter deck board count counting hand hands ace king queen jack joker poker
bridge whist rummy my the ilove passwort パスワード パスフレーズ あいことば ぱすわーど ひみつ さくら
クリベッジ くりべっじ まぎんず マギンズ トランプ
"""


def _plain(text: str) -> str:
    return text.casefold().translate(_FIGURES)


_WORDS = frozenset(_plain(word) for word in _LISTED.split())
_ROWS = tuple(
    _plain(row * 2)[::way]
    for row in (
        *(
            "1234567890",
            "abcdefghijklmnopqrstuvwxyz",
            "qwertyuiop",
            "asdfghjkl;'",
            "zxcvbnm,./",
            "!@#$%^&*()",
        ),
        *("1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "a1b2c3d4e5f6g7h8i9j0"),
        *("1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/", "qazwsxedcrfvtgbyhnujmikolp", "147258369", "159753"),
    )
    for way in (1, -1)
)
"""Keys and letters in their order."""
_FEWEST_IN_A_ROW = 3


def is_common(password: str, *more: str) -> bool:
    """Whether a password is made of listed words, of these, and of keys in their order, alone.

    >>> [is_common(one) for one in ("muggins1", "m0nk3y!!", "dragonMaster99", "correct horse battery")]
    [True, True, True, False]
    >>> [is_common(one) for one in ("1qaz2wsx", "drowssap", "11223344", "hunter2hunter2")]
    [True, True, True, True]
    """
    letters = "".join(password.split())
    words = _WORDS | {_plain("".join(one.split())) for one in more if len(one) > 1}
    # Figures at its ends and within may be letters of it, or stand next to it.
    alone = re.sub(r"[\W\d_]+", "", letters)
    doubled = re.sub(r"(.)\1", r"\1", letters)
    plain = [_plain(one) for one in (letters, letters.strip(_ENDS), alone, doubled)]
    tried = {*plain, *(one.strip(_ENDS) for one in plain)} - {""}
    return any(_is_made_of(one, words, _MOST_WORDS) for one in tried)


def _is_made_of(letters: str, words: frozenset[str], most: int) -> bool:
    if letters in words or letters[::-1] in words or _is_in_a_row(letters):
        return True
    half = len(letters) // 2
    if half and letters == letters[:half] * 2 and _is_made_of(letters[:half], words, 1):
        return True
    # One sign more makes no other word of a long one.
    return most > 1 and any(
        _is_made_of(letters[:end], words, 1)
        and (4 <= end == len(letters) - 1 or _is_made_of(letters[end:], words, most - 1))
        for end in range(1, len(letters))
    )


def _is_in_a_row(letters: str) -> bool:
    return len(letters) >= _FEWEST_IN_A_ROW and any(letters in row for row in _ROWS)
