"""Positions as one line of text: "110-116 pone 5H5S6D7CJCKD", or in forum style "100-91* 5-6-8-Q-Q-K".

docs/position.md specifies the text. `library.position` checks whether a game can lead to the position.
"""

import re
import unicodedata
from typing import NamedTuple

import msgspec

from fifteentwo.rules.cards import RANK_TEXT, with_suit_letters
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.variants import Rules, Variant, rules_for

MAX_LENGTH = 300
GO = "."
CLEARED = "|"
"""The end of a count among the cards played."""
SUITS = "CDHS"
"""Order of suits within a rank in the canonical text."""

_ROLES = {
    2: ("pone", "dealer"),
    3: ("eldest", "second", "dealer"),
    4: ("eldest", "second", "third", "dealer"),
}
"""Roles by number of seats, from the dealer's left."""
_ROLE_SYNONYMS = {"pone": "eldest", "eldest": "pone", "non-dealer": "pone", "nondealer": "pone"}
_SCORE = re.compile(r"\*?\d{1,3}\*?(?:[-–—:]\*?\d{1,3}\*?){1,3}")
_SUITED = re.compile("[A2-9TJQK][SHDC]|[SHDC][A2-9TJQK]|[/.|]")
_RANKED = re.compile("[A2-9TJQK]|[/.|]")


class WrittenPosition(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a position. Cards are texts: "5H", or "5" if only ranks are known."""

    variant: Variant = Variant.SIX_CARD
    target: int = 121
    score: tuple[int, ...]
    """Scores by side: the own side first, then the others clockwise."""
    place: int
    """Own seat from the dealer's left: 1 for pone, the number of seats for the dealer."""
    hand: tuple[str, ...] = ()
    """Cards dealt, or the cards kept after the discard, in ascending order."""
    discarded: tuple[str, ...] = ()
    starter: str | None = None
    played: tuple[str, ...] = ()
    """Cards in the order played, with GO and CLEARED among them."""

    @property
    def rules(self) -> Rules:
        """Rules of the position, without cuts."""
        return rules_for(self.variant, target=self.target, cut_before_deal=False, starter="top")

    @property
    def has_suits(self) -> bool:
        return all(len(card) == 2 for card in self.hand)


class _Fields(NamedTuple):
    """The cards of a position before they are divided into hand, discards, starter and cards played."""

    hand: list[str]
    slash: int | None
    """Number of cards before the slash."""
    rest: list[str]


def write(position: WrittenPosition) -> str:
    """Return the canonical text of a position, which `read` reads back."""
    rules = position.rules
    words = []
    if position.variant is not Variant.SIX_CARD or position.target != 121:
        other_target = position.target != rules_for(position.variant).target
        words.append(position.variant.value + (f":{position.target}" if other_target else ""))
    words += ["-".join(map(str, position.score)), _ROLES[rules.seats][position.place - 1]]
    if position.hand:
        discards = f"/{''.join(position.discarded)}" if position.discarded else ""
        words.append("".join(position.hand) + discards)
    if position.starter is not None:
        words += [position.starter, "".join(position.played)]
    return " ".join(words).rstrip()


def read(text: str) -> WrittenPosition:
    """Return a position from its text, canonical or not; raise NotationError if the text is wrong."""
    plain = _plain(text)
    words = plain.split()
    variant, target = Variant.SIX_CARD, None
    if words and (named := words[0].lower().split(":"))[0] in list(Variant):
        variant = Variant(named[0])
        if len(named) > 1:
            target = _target(named[1:], text)
        words = words[1:]
    rules = rules_for(variant) if target is None else rules_for(variant, target=target)
    score, starred, words = _score(words, rules, text)
    place, words = _place(words, starred, rules, text)
    fields = _fields(words, rules, text)
    kept = rules.kept if fields.slash is not None else rules.dealt
    if fields.slash not in (None, kept) or (fields.hand and len(fields.hand) != rules.dealt):
        raise NotationError("position-cards", text, rules.dealt)
    if fields.rest and fields.slash is None:
        raise NotationError("position-discards", text, rules.discards)
    if fields.rest and fields.rest[0] in (GO, CLEARED):
        raise NotationError("position-cards", text, rules.dealt)
    return WrittenPosition(
        variant=variant,
        target=rules.target,
        score=score,
        place=place,
        hand=in_order(fields.hand[:kept]),
        discarded=in_order(fields.hand[kept:]),
        starter=fields.rest[0] if fields.rest else None,
        played=tuple(fields.rest[1:]),
    )


def looks_like_position(text: str) -> bool:
    """Return whether one of the first words of a text is a score."""
    return any(_SCORE.fullmatch(word) for word in _plain(text[:MAX_LENGTH]).split()[:3])


def in_order(cards: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Return cards or ranks in ascending order, as in the canonical text."""
    return tuple(sorted(cards, key=lambda card: (RANK_TEXT.index(card[0]), SUITS.find(card[-1]))))


def _plain(text: str) -> str:
    if len(text) > MAX_LENGTH:
        raise NotationError("position-too-long", text, MAX_LENGTH)
    without_note = unicodedata.normalize("NFKC", text).partition("#")[0]
    plain = with_suit_letters(re.sub("[\"'“”]", " ", without_note))
    # Discards may be in brackets, a go may be a word, and a comma may have spaces around it.
    plain = re.sub(r"\s*\(\s*", "/", plain).replace(")", " ")
    plain = re.sub(r"(?i)\bgo\b", GO, plain)
    return re.sub(r"\s*/\s*", "/", re.sub(r"\s*[,;]\s*", ",", plain))


def _target(written: list[str], text: str) -> int:
    if len(written) != 1 or not written[0].isdecimal() or not written[0].isascii():
        raise NotationError("position-score", text)
    return int(written[0])


def _score(words: list[str], rules: Rules, text: str) -> tuple[tuple[int, ...], int | None, list[str]]:
    """Return the scores, the index of the one with a star, and the other words."""
    at = next((at for at, word in enumerate(words[:3]) if _SCORE.fullmatch(word)), None)
    if at is None:
        raise NotationError("position-score", text)
    parts = re.split("[-–—:]", words[at])
    score = tuple([int(part.strip("*")) for part in parts])
    starred = [side for side, part in enumerate(parts) if "*" in part]
    if len(score) != rules.sides or not all(points < rules.target for points in score):
        raise NotationError("position-score", text)
    if len(starred) > 1 or (starred and rules.sides != rules.seats):
        raise NotationError("position-role", text)
    return score, (starred[0] if starred else None), words[:at] + words[at + 1 :]


def _place(words: list[str], starred: int | None, rules: Rules, text: str) -> tuple[int, list[str]]:
    """Return the own place from the dealer's left, and the other words."""
    roles = _ROLES[rules.seats]
    places = set() if starred is None else {rules.seats - starred}
    rest = []
    for word in words:
        name = word.lower().strip(":,")
        name = _ROLE_SYNONYMS.get(name, name) if name not in roles else name
        if name in roles:
            places.add(roles.index(name) + 1)
        else:
            rest.append(word)
    if len(places) != 1:
        raise NotationError("position-role", text)
    return places.pop(), rest


def _fields(words: list[str], rules: Rules, text: str) -> _Fields:
    """Divide the words into the hand and the rest. A first word of several cards must be a whole hand."""
    suited = any(letter in "SHDC" for letter in "".join(words).upper())
    pieces = [_cards(word, suited=suited, text=text) for word in words]
    if not pieces:
        return _Fields([], None, [])
    first = [one for one in pieces[0] if one != "/"]
    if "/" not in pieces[0] and 1 < len(first) != rules.dealt:
        raise NotationError("position-cards", text, rules.dealt)
    tokens = [token for piece in pieces for token in piece]
    hand: list[str] = []
    slash: int | None = None
    for at, token in enumerate(tokens):
        if token == "/":
            if slash is not None:
                raise NotationError("position-cards", text, rules.dealt)
            slash = len(hand)
        elif len(hand) == rules.dealt:
            return _Fields(hand, slash, tokens[at:])
        elif token in (GO, CLEARED):
            raise NotationError("position-cards", text, rules.dealt)
        else:
            hand.append(token)
    return _Fields(hand, slash, [])


def _cards(word: str, *, suited: bool, text: str) -> list[str]:
    """Return the cards and signs of a word: "5H", or "5" if no card has a suit."""
    written = re.sub("[-–—,·+_:]", "", word.upper()).replace("10", "T")
    kind = _SUITED if suited else _RANKED
    found = kind.findall(written)
    if "".join(found) != written:
        raise NotationError("position-card", text)
    return [one if len(one) == 1 or one[0] in RANK_TEXT else one[::-1] for one in found]
